/* SPDX-License-Identifier: MIT */
/* clprims info: each device, what the library would use on it, and why; or the knobs. */
#include "cli/commands/commands.h"

#include <stdio.h>
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

static void print_scan(clprims_context *context, clprims_type type) {
    const clprims_scan_desc desc = {.type = type, .accumulator = type, .max_n = SAMPLE_N};
    clprims_scan *scan = NULL;
    clprims_scan_info info = {0};
    char what[32];
    snprintf(what, sizeof what, "scan      %s", clprims_type_name(type));
    if (clprims_scan_create(&scan, context, &desc) == CLPRIMS_OK &&
        clprims_scan_describe(scan, SAMPLE_N, &info) == CLPRIMS_OK)
        printf("    %s: %s (%s), groups of %zu, tiles of %zu; %s\n", what,
               clprims_algorithm_name(info.algorithm), info.variant, info.group, info.tile,
               info.reason);
    else
        print_failure(what);
    clprims_scan_destroy(scan);
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

/* Prints what job's options choose on a device. */
static void print_use(size_t number, const cli_job *job) {
    static const clprims_type samples[] = {CLPRIMS_I32, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F64};
    cli_device device = {0};
    char text[24];
    clprims_context_options options = {0};
    const char *const pack = job_text(job, "--pack");
    snprintf(text, sizeof text, "%zu", number);
    /* run has shown already that the options can be read. */
    (void)job_options(job, &options);
    options.device = text;
    options.program_packs = &pack;
    options.program_pack_count = pack != NULL;
    if (clprims_context_create(&device.context, &options) != CLPRIMS_OK ||
        clprims_context_describe(device.context, &device.info) != CLPRIMS_OK) {
        print_failure("can't be used");
    } else {
        printf("    layer     %s: %s\n", clprims_layer_name(device.info.layer), device.info.reason);
        printf("    probed    %s\n", device.info.probed);
        for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i)
            print_scan(device.context, samples[i]);
        if (pack) print_programs(device.context);
    }
    device_close(&device);
}

/* ---- Knobs ---- */

/* The values: "1..1024, 2^k", or "from 1" without a limit. */
static void print_knob(const clprims_knob_info *knob) {
    char values[72], usual[24];
    if (knob->most == SIZE_MAX)
        snprintf(values, sizeof values, "from %zu", knob->least);
    else
        snprintf(values, sizeof values, "%zu..%zu%s", knob->least, knob->most,
                 knob->power_of_two ? ", 2^k" : "");
    snprintf(usual, sizeof usual, knob->has_default ? "%zu" : "by plan", knob->default_value);
    printf("    %-13s  %-18s  %-10s  %s\n", knob->name, values, usual, knob->meaning);
}

/* The knobs of a key follow each other. */
static int print_knobs(void) {
    const char *key = "";
    for (size_t i = 0; i < clprims_knob_count(); ++i) {
        clprims_knob_info knob = {0};
        const int status = library_exit(clprims_knob_describe(i, &knob));
        if (status != EXIT_FINE) return status;
        if (strcmp(knob.key, key) != 0) printf("%s%s\n", i > 0 ? "\n" : "", knob.key);
        print_knob(&knob);
        key = knob.key;
    }
    return EXIT_FINE;
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
        job->status = print_knobs();
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
        "Shows each OpenCL device, what scans of 2^20 elements would use on it, and why.\n"
        "A star marks the device that the other commands use with the same options.\n"
        "The line 'probed' has what was found of the device: bytes of local memory, and of\n"
        "its work-groups whether words that one publishes reach another, and whether one goes\n"
        "on while others wait for it (shown or failed by a probe, or known of the driver).\n"
        "CLPRIMS_PROBED takes it. With --pack the last line has how many programs of the shown\n"
        "plans the pack gave.\n"
        "With --knobs: the keys of tuning lines and their knobs, with the legal values (2^k:\n"
        "powers of two), the default (by plan: it follows from the device or the plan), and\n"
        "what the knob means.",
    OPTIONS(options),
    .run = run,
};
