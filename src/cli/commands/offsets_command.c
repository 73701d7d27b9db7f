/* SPDX-License-Identifier: MIT */
/* clprims offsets: two .npy files of intervals in, or one of counts; where each part begins, out.
 */
#include "cli/commands/commands.h"

CLI_PLAN(offsets)

static const cli_option options[] = {
    {"--counts", "COUNTS.npy", "how long each part is, in place of STARTS.npy and STOPS.npy",
     OPTIONAL},
    {"--starts-first", "A", "the first interval begins at element A of STARTS.npy; else at 0",
     OPTIONAL},
    {"--stops-first", "B", "it ends at element B of STOPS.npy; else at 0", OPTIONAL},
    {"--length", "N", "how many intervals or counts there are; else all from the first on",
     OPTIONAL},
    {"STARTS.npy", NULL, "where each interval begins, of any integer type", OPTIONAL},
    {"STOPS.npy", NULL, "where it ends, of the same type", OPTIONAL},
    {"-o", "OFFSETS.npy", "where the offsets go: int64, one more than intervals",
     REQUIRED | OUTPUT},
};

static void check_request(cli_job *job) {
    if (!job_text(job, "--counts") && !job_text(job, "STOPS.npy"))
        JOB_TRY(job, complain(EXIT_USAGE, "%s missing; --counts takes the place of both",
                              job_text(job, "STARTS.npy") ? "STOPS.npy is"
                                                          : "STARTS.npy and STOPS.npy are"));
    job_exclude(job, "--counts", "STARTS.npy");
    job_exclude(job, "--counts", "--starts-first");
    job_exclude(job, "--counts", "--stops-first");
}

/* ---- Sizes ---- */

/* Reads an option's number of elements of an array, at most `most`. */
static void read_size(cli_job *job, const char *option, const npy_input *input, size_t most,
                      size_t *size) {
    const char *const text = job_text(job, option);
    uint64_t value = 0;
    if (!text) return;
    JOB_TRY(job, value_element(option, text, CLPRIMS_U64, &value));
    if (value > most)
        JOB_TRY(job, complain(EXIT_USAGE, "%s %s is too large: %s has %zu elements%s", option, text,
                              input->path, most, most < input->n ? " from its first on" : ""));
    *size = (size_t)value;
}

static int check_types(const npy_input *starts, const npy_input *stops) {
    if (stops->type >= CLPRIMS_F32)
        return complain(EXIT_USAGE, "%s: its elements are %s; offsets come from integers",
                        stops->path, npy_type_name(stops));
    if (starts->path && starts->type != stops->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, but those of %s %s", stops->path,
                        npy_type_name(stops), starts->path, npy_type_name(starts));
    return EXIT_FINE;
}

static void find_sizes(cli_job *job, const npy_input *starts, const npy_input *stops,
                       offsets_plan *plan) {
    const bool has_starts = starts->path != NULL;
    if (has_starts) read_size(job, "--starts-first", starts, starts->n, &plan->at.starts.first);
    read_size(job, "--stops-first", stops, stops->n, &plan->at.stops.first);
    const size_t to_end = stops->n - plan->at.stops.first;
    const size_t starts_to_end = has_starts ? starts->n - plan->at.starts.first : to_end;
    if (!job_text(job, "--length") && starts_to_end != to_end)
        JOB_TRY(job, complain(EXIT_USAGE,
                              "%s has %zu elements from its first on, but %s %zu; --length says "
                              "how many count",
                              starts->path, starts_to_end, stops->path, to_end));
    plan->n = to_end;
    if (has_starts) read_size(job, "--length", starts, starts_to_end, &plan->n);
    read_size(job, "--length", stops, to_end, &plan->n);
}

/* ---- The run ---- */

/* Reads an element back as text. */
static int read_element(const cli_device *device, const clprims_buffer *array, clprims_type type,
                        size_t i, char text[VALUE_CHARS]) {
    const size_t bytes = clprims_type_bytes(type);
    uint64_t value = 0;
    const int status =
        device_read(device, "an element", array->mem, (array->first + i) * bytes, bytes, &value);
    if (status == EXIT_FINE) value_print(type, &value, text);
    return status;
}

/* With the values, which the library's report does not hold. */
static int refuse_interval(const cli_device *device, const offsets_plan *plan, clprims_type type,
                           size_t i) {
    char start[VALUE_CHARS], stop[VALUE_CHARS];
    int status = read_element(device, &plan->at.stops, type, i, stop);
    if (status == EXIT_FINE && !plan->at.starts.mem)
        return complain(EXIT_DATA, "counts[%zu] = %s is negative", i, stop);
    if (status == EXIT_FINE) status = read_element(device, &plan->at.starts, type, i, start);
    if (status != EXIT_FINE) return status;
    return complain(EXIT_DATA, "stops[%zu] = %s is less than starts[%zu] = %s, at i = %zu",
                    plan->at.stops.first + i, stop, plan->at.starts.first + i, start, i);
}

static void run_plan(cli_job *job, npy_input *starts, npy_input *stops, offsets_plan *plan) {
    clprims_offsets_report report = {0};
    if (starts->path) job_load(job, "the starts", starts, &plan->at.starts.mem);
    job_load(job, "the stops", stops, &plan->at.stops.mem);
    job_output(job, "the offsets", "-o", npy_vector(CLPRIMS_I64, false, plan->n + 1),
               &plan->at.offsets.mem);
    job_run_reported(job, submit_offsets, plan, &plan->at.report.mem, &report, sizeof report);
    if (report.fault == CLPRIMS_OFFSETS_INTERVAL)
        JOB_TRY(job, refuse_interval(&job->device, plan, stops->type, (size_t)report.index));
    JOB_TRY(job, library_exit(clprims_offsets_check(&report)));
    job_store(job);
}

static void run(cli_job *job) {
    clprims_offsets_desc desc = {0};
    clprims_offsets_info info = {0};
    offsets_plan plan = {0};
    check_request(job);
    desc.counts = job_text(job, "--counts") != NULL;
    npy_input *const starts = job_open(job, "STARTS.npy", NPY_ELEMENTS);
    npy_input *const stops = job_open(job, desc.counts ? "--counts" : "STOPS.npy", NPY_ELEMENTS);
    JOB_TRY(job, check_types(starts, stops));
    find_sizes(job, starts, stops, &plan);
    desc.type = stops->type;
    desc.max_n = job_most(plan.n);
    job_start(job);
    JOB_CREATE(job, offsets, &plan, &desc, NULL, NULL);
    run_plan(job, starts, stops, &plan);
    JOB_TRY(job, library_exit(clprims_offsets_describe(plan.offsets, plan.n, &info)));
    job_print_bytes(job,
                    plan.n * clprims_type_bytes(desc.type) * (desc.counts ? 1 : 2) +
                        (plan.n + 1) * sizeof(int64_t),
                    "%zu %s %s by %s (%s)", plan.n, clprims_type_name(desc.type),
                    desc.counts ? "counts" : "intervals", clprims_algorithm_name(info.algorithm),
                    info.variant);
    clprims_offsets_destroy(plan.offsets);
}

const cli_command offsets_command = {
    .name = "offsets",
    .summary = "where the parts of a jagged array begin, from their intervals or counts",
    .purpose = "Sums up the lengths of intervals: part i goes from offsets[i] to\n"
               "offsets[i + 1].",
    OPTIONS(options),
    .run = run,
};
