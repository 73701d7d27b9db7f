/* SPDX-License-Identifier: MIT */
/* clprims info: each device, what the library would use on it, and why; or the knobs. */
#include "cli/commands/commands.h"
#include "cli/commands/scan_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_N = 1 << 20 };

static double gib(cl_ulong bytes) {
    return (double)bytes / (1 << 30);
}

static void print_device(size_t number, const clprims_device_info *info, bool is_default) {
    printf("%s device %zu: %s\n", is_default ? "*" : " ", number, info->name);
    printf("    made by   %s\n", info->vendor);
    printf("    platform  %s, %s, driver %s\n", info->platform_name, info->version, info->driver);
    printf("    memory    %.2f GiB, at most %.2f GiB in one piece; %u compute units\n",
           gib(info->memory_bytes), gib(info->max_alloc_bytes), (unsigned)info->compute_units);
}

static void print_failure(const char *what) {
    const clprims_error *const error = clprims_last_error();
    printf("    %s: %s\n", what, error->message);
    if (*error->build_log) printf("%s\n", error->build_log);
}

/* A run over zeros: how fast the device is, not what it computes. */
static void measure(cli_job *job, scan_plan *plan, const clprims_scan_desc *desc) {
    const cl_ulong zero = 0;
    const size_t element = clprims_type_bytes(desc->type);
    job_allocate(job, "the input", SAMPLE_N * element, &plan->at.in.mem);
    job_allocate(job, "the output", SAMPLE_N * element, &plan->at.out.mem);
    JOB_TRY(job, device_fill(&job->device, "the input", plan->at.in.mem, &zero, element, SAMPLE_N));
    scan_plan_run(job, plan);
    scan_plan_print(job, plan, desc);
}

/* "single-wave, from n = 1048576 on lookahead": what powers of two up to SAMPLE_N get. */
static int print_variants(const clprims_scan *scan) {
    const char *last = NULL;
    for (size_t n = 1; n <= SAMPLE_N; n *= 2) {
        clprims_scan_info info = {0};
        const int status = library_exit(clprims_scan_describe(scan, n, &info));
        if (status != EXIT_FINE) return status;
        if (last == NULL)
            printf("%s", info.variant);
        else if (strcmp(last, info.variant) != 0)
            printf(", from n = %zu on %s", n, info.variant);
        last = info.variant;
    }
    return EXIT_FINE;
}

static void print_scan(cli_job *job, clprims_type type) {
    clprims_scan_desc desc = {0};
    scan_plan plan = {.n = SAMPLE_N};
    clprims_scan_info info = {0};
    char what[32];
    desc.type = desc.accumulator = type;
    desc.max_n = SAMPLE_N;
    snprintf(what, sizeof what, "scan      %s", clprims_type_name(type));
    if (clprims_scan_create(&plan.scan, job->device.context, &desc) == CLPRIMS_OK &&
        clprims_scan_describe(plan.scan, SAMPLE_N, &info) == CLPRIMS_OK) {
        printf("    %s: %s (", what, clprims_algorithm_name(info.algorithm));
        (void)print_variants(plan.scan);
        printf("), groups of %zu, tiles of %zu; %s\n", info.group, info.tile, info.reason);
        /* What goes wrong here stands on standard error; the other lines are still of use. */
        if (job->stats && type == CLPRIMS_I32) measure(job, &plan, &desc);
    } else {
        print_failure(what);
    }
    clprims_scan_destroy(plan.scan);
}

static void print_rank(const cli_device *device) {
    const clprims_list_desc desc = {.link = CLPRIMS_I32, .max_n = SAMPLE_N};
    clprims_list *list = NULL;
    clprims_list_info info = {0};
    if (clprims_list_create(&list, device->context, &desc) == CLPRIMS_OK &&
        clprims_list_describe(list, SAMPLE_N, &info) == CLPRIMS_OK)
        printf("    rank      %s: sublists between hashed splitters, ranked on the device; %zu "
               "bytes of scratch for %d links\n",
               clprims_type_name(desc.link), info.scratch_bytes, SAMPLE_N);
    else
        print_failure("rank      int32");
    clprims_list_destroy(list);
}

/* Of the plans above. */
static void print_programs(const clprims_context *context) {
    clprims_context_info info = {0};
    if (clprims_context_describe(context, &info) == CLPRIMS_OK)
        printf("    programs  %zu found, %zu of them machine code; %zu compiled\n",
               info.programs_found, info.programs_assembled, info.programs_built);
    else
        print_failure("programs");
}

/* Prints what job's options choose on a device, by a job of its own. */
static void print_use(size_t number, const cli_job *job) {
    static const clprims_type samples[] = {CLPRIMS_I32, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F64};
    cli_job use = {.stats = job->stats};
    cli_device *const device = &use.device;
    char text[24];
    clprims_context_options options = {0};
    const char *const pack = job_text(job, "--pack");
    snprintf(text, sizeof text, "%zu", number);
    /* run has shown already that the options can be read. */
    (void)job_options(job, text, &options);
    options.program_packs = &pack;
    options.program_pack_count = pack != NULL;
    if (clprims_context_create(&device->context, &options) != CLPRIMS_OK ||
        clprims_context_describe(device->context, &device->info) != CLPRIMS_OK) {
        print_failure("can't be used");
    } else {
        printf("    layer     %s: %s\n", clprims_layer_name(device->info.layer),
               device->info.reason);
        printf("    probed    %s\n", device->info.probed);
        for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i) print_scan(&use, samples[i]);
        print_rank(device);
        if (pack) print_programs(device->context);
    }
    job_close(&use);
}

/* ---- Knobs ---- */

/* "1..1024, 2^k", or "from 1" without a limit; text: VALUE_CHARS * 3 characters. */
static void print_values(const clprims_knob_info *knob, char *text, size_t bytes) {
    if (knob->most == SIZE_MAX)
        snprintf(text, bytes, "from %zu", knob->least);
    else
        snprintf(text, bytes, "%zu..%zu%s", knob->least, knob->most,
                 knob->power_of_two ? ", 2^k" : "");
}

static void print_knob(const clprims_knob_info *knob) {
    char values[3 * VALUE_CHARS], usual[VALUE_CHARS];
    print_values(knob, values, sizeof values);
    snprintf(usual, sizeof usual, knob->has_default ? "%zu" : "by plan", knob->default_value);
    printf("    %-13s  %-18s  %-10s  %s\n", knob->name, values, usual, knob->meaning);
}

/* How many knobs the first one's key has. */
static size_t knobs_of_key(const clprims_knob_info *first, const clprims_knob_info *end) {
    size_t count = 1;
    while (first + count < end && strcmp(first[count].key, first->key) == 0) ++count;
    return count;
}

/* Whether two keys have the same knobs; given are their first ones. */
static bool same_knobs(const clprims_knob_info *a, const clprims_knob_info *b,
                       const clprims_knob_info *end) {
    const size_t count = knobs_of_key(a, end);
    bool same = knobs_of_key(b, end) == count;
    for (size_t i = 0; i < count && same; ++i)
        same = strcmp(a[i].name, b[i].name) == 0 && strcmp(a[i].meaning, b[i].meaning) == 0 &&
               a[i].least == b[i].least && a[i].most == b[i].most;
    return same;
}

/* Keys with the same knobs are printed together, where the first of them stands. */
static void print_keys(const clprims_knob_info *all, size_t count) {
    const clprims_knob_info *const end = all + count, *first, *other;
    for (first = all; first < end; first += knobs_of_key(first, end)) {
        for (other = all; !same_knobs(other, first, end);) other += knobs_of_key(other, end);
        if (other != first) continue;
        printf("%s%s", first > all ? "\n" : "", first->key);
        for (other += knobs_of_key(other, end); other < end; other += knobs_of_key(other, end))
            if (same_knobs(first, other, end)) printf(", %s", other->key);
        putchar('\n');
        for (size_t i = 0; i < knobs_of_key(first, end); ++i) print_knob(&first[i]);
    }
}

static int print_knobs(void) {
    const size_t count = clprims_knob_count();
    clprims_knob_info *const all = calloc(count, sizeof *all);
    int status = all ? EXIT_FINE : complain(EXIT_DEVICE, "no memory for %zu knobs", count);
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) {
        all[i] = (clprims_knob_info){0};
        status = library_exit(clprims_knob_describe(i, &all[i]));
    }
    if (status == EXIT_FINE) print_keys(all, count);
    free(all);
    return status;
}

/* Knobs are of no device. */
static int list_knobs(const cli_job *job) {
    const char *const unused = job->stats                  ? "--stats"
                               : job_text(job, "--device") ? "--device"
                               : job_text(job, "--layer")  ? "--layer"
                               : job_text(job, "--pack")   ? "--pack"
                                                           : NULL;
    if (unused) return complain(EXIT_USAGE, "--knobs shows no device; leave out %s", unused);
    return print_knobs();
}

/* ---- The command ---- */

static const cli_option options[] = {
    {"--knobs", NULL, "list what tuning texts may set, in place of devices", OPTIONAL},
    {"--pack", "FILE", "take programs from a pack, and show how many were in it", OPTIONAL},
};

static int print_devices(const cli_job *job, size_t count) {
    int status = EXIT_FINE;
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) {
        clprims_device_info info = {0};
        status = library_exit(clprims_device_describe(i, &info));
        if (status != EXIT_FINE) break;
        print_device(i, &info, job->device.context && info.id == job->device.info.device_id);
        print_use(i, job);
    }
    return status;
}

/* To the library, a pack that can't be read is an empty one. */
static int check_pack(const char *path) {
    cli_input input = INPUT_INIT;
    const int status = input_open(&input, path);
    input_close(&input);
    return status;
}

/* A device that can't be used is shown, too. */
static void run(cli_job *job) {
    size_t count = 0;
    if (job_text(job, "--knobs")) {
        job->status = list_knobs(job);
        return;
    }
    if (job_text(job, "--pack")) JOB_TRY(job, check_pack(job_text(job, "--pack")));
    JOB_TRY(job, library_exit(clprims_device_count(&count)));
    if (job->status != EXIT_FINE) return;
    job_start(job);
    if (job->status == EXIT_USAGE) return;
    const int status = print_devices(job, count);
    if (status != EXIT_FINE) job->status = status;
}

const cli_command info_command = {
    .name = "info",
    .summary = "show each device and how the library would use it",
    .purpose =
        "Shows each OpenCL device, what the library would use on it, and why.\n"
        "A star marks the device that the other commands use with the same options.\n"
        "The line 'probed' has what was found of the device: bytes of local memory, and of\n"
        "its work-groups whether words that one publishes reach another, and whether one goes\n"
        "on while others wait for it (shown or failed by a probe, or known of the driver).\n"
        "CLPRIMS_PROBED takes it. With --stats a scan of 2^20 int32 zeros is timed on each. With\n"
        "--pack the last line has how many programs of the shown plans the pack gave.\n"
        "With --knobs: the keys of tuning lines and their knobs, with the legal values (2^k:\n"
        "powers of two), the default (by plan: it follows from the device or the plan), and\n"
        "what the knob means.",
    OPTIONS(options),
    .run = run,
};
