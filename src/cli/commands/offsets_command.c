/* SPDX-License-Identifier: MIT */
/* clprims offsets: two .npy files of intervals in, or one of counts; where each part begins, out.
 */
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"

#include <inttypes.h>

CLI_PLAN(offsets)

static const cli_option options[] = {
    {"--counts", "COUNTS.npy", "how long each part is, in place of STARTS.npy and STOPS.npy",
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
}

static int check_inputs(const npy_input *starts, const npy_input *stops) {
    if (stops->type >= CLPRIMS_F32)
        return complain(EXIT_USAGE, "%s: its elements are %s; offsets come from integers",
                        stops->path, npy_type_name(stops));
    if (starts->path && starts->type != stops->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, but those of %s %s", stops->path,
                        npy_type_name(stops), starts->path, npy_type_name(starts));
    if (starts->path && starts->n != stops->n)
        return complain(EXIT_USAGE, "%s has %zu elements, but %s %zu", stops->path, stops->n,
                        starts->path, starts->n);
    return EXIT_FINE;
}

/* ---- The run ---- */

/* With the values, which the library's report does not hold. */
static void refuse_interval(cli_job *job, const offsets_plan *plan, clprims_type type, size_t i) {
    const int64_t stop = offsets_read(job, type, plan->at.stops.mem, i);
    if (!plan->at.starts.mem) {
        JOB_TRY(job, complain(EXIT_DATA, "counts[%zu] = %" PRId64 " is negative", i, stop));
        return;
    }
    const int64_t start = offsets_read(job, type, plan->at.starts.mem, i);
    if (type == CLPRIMS_U64)
        JOB_TRY(job,
                complain(EXIT_DATA, "stops[%zu] = %" PRIu64 " is less than starts[%zu] = %" PRIu64,
                         i, (uint64_t)stop, i, (uint64_t)start));
    JOB_TRY(job, complain(EXIT_DATA, "stops[%zu] = %" PRId64 " is less than starts[%zu] = %" PRId64,
                          i, stop, i, start));
}

static void run_plan(cli_job *job, npy_input *starts, npy_input *stops, offsets_plan *plan) {
    clprims_offsets_report report = {0};
    if (starts->path) job_load(job, "the starts", starts, &plan->at.starts.mem);
    job_load(job, "the stops", stops, &plan->at.stops.mem);
    job_output(job, "the offsets", "-o", npy_vector(CLPRIMS_I64, false, plan->n + 1),
               &plan->at.offsets.mem);
    job_run_reported(job, submit_offsets, plan, &plan->at.report.mem, &report, sizeof report);
    if (report.fault == CLPRIMS_OFFSETS_INTERVAL)
        refuse_interval(job, plan, stops->type, (size_t)report.index);
    JOB_TRY(job, library_exit(clprims_offsets_check(&report)));
    job_store(job);
}

static void run(cli_job *job) {
    clprims_offsets_desc desc = {0};
    clprims_offsets_info info = {0};
    check_request(job);
    desc.counts = job_text(job, "--counts") != NULL;
    npy_input *const starts = job_open(job, "STARTS.npy", NPY_ELEMENTS);
    npy_input *const stops = job_open(job, desc.counts ? "--counts" : "STOPS.npy", NPY_ELEMENTS);
    JOB_TRY(job, check_inputs(starts, stops));
    offsets_plan plan = {.n = stops->n};
    desc.type = stops->type;
    desc.max_n = job_most(plan.n);
    job_start(job);
    JOB_CREATE(job, offsets, &plan, &desc, NULL, NULL);
    run_plan(job, starts, stops, &plan);
    JOB_TRY(job, library_exit(clprims_offsets_describe(plan.offsets, plan.n, &info)));
    job_print(job, CLI_BYTES,
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
