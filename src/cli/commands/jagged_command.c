/* SPDX-License-Identifier: MIT */
/* clprims parents: offsets in, the segment of each element out. clprims gather: the elements of one
 * .npy file in the order of another's indices. clprims scatter: the other way round. */
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"

/* ---- clprims parents ---- */

CLI_PLAN(parents)

static const cli_option parents_options[] = {
    {"--local", NULL, "write each element's index in its segment instead", OPTIONAL},
    {"OFFSETS.npy", NULL, "where each segment begins, and the end of the last: int32 or int64",
     REQUIRED},
    {"-o", "OUT.npy",
     "where the numbers go: int64, as many as the last offset says; -1 before the first",
     REQUIRED | OUTPUT},
};

/* There are as many elements as the last offset says. */
static void find_elements(cli_job *job, const npy_input *offsets, parents_plan *plan) {
    const size_t most = SIZE_MAX / 64;
    const int64_t last =
        offsets_read(job, offsets->type, plan->at.offsets.mem, plan->at.sizes.segments);
    if (last > 0 && (uint64_t)last > most)
        JOB_TRY(job, complain(EXIT_DATA, "%s: the last offset, %lld, exceeds %zu", offsets->path,
                              (long long)last, most));
    plan->n = last > 0 ? (size_t)last : 0;
}

/* Elements before the first offset have the number -1. */
static void run_parents_plan(cli_job *job, const npy_input *offsets, cl_mem *out,
                             parents_plan *plan) {
    const int64_t none = -1;
    clprims_parents_report report = {0};
    job_output(job, "the output", "-o", npy_vector(CLPRIMS_I64, false, plan->n), out);
    JOB_TRY(job, device_fill(&job->device, *out, &none, sizeof none, plan->n));
    job_run_reported(job, submit_parents, plan, &plan->at.report.mem, &report, sizeof report);
    if (report.fault == CLPRIMS_PARENTS_OFFSETS)
        offsets_complain(job, offsets, plan->at.offsets.mem, report.index, plan->n);
    JOB_TRY(job, library_exit(clprims_parents_check(&report)));
    job_store(job);
}

static void run_parents(cli_job *job) {
    clprims_parents_desc desc = {0};
    clprims_parents_info info = {0};
    parents_plan plan = {0};
    const bool local = job_text(job, "--local") != NULL;
    npy_input *const offsets = job_open(job, "OFFSETS.npy", NPY_OFFSETS);
    job_start(job);
    plan.at.sizes.segments = offsets->n - 1;
    job_load(job, "the offsets", offsets, &plan.at.offsets.mem);
    find_elements(job, offsets, &plan);
    desc.result = local ? CLPRIMS_PARENTS_LOCAL_INDEX : CLPRIMS_PARENTS_SEGMENT;
    desc.offsets_type = offsets->type;
    desc.max_n = job_most(plan.n);
    desc.max_segments = plan.at.sizes.segments;
    JOB_CREATE(job, parents, &plan, &desc, NULL, NULL);
    run_parents_plan(job, offsets, local ? &plan.at.local_index.mem : &plan.at.parents.mem, &plan);
    JOB_TRY(job,
            library_exit(clprims_parents_describe(plan.parents, plan.n, plan.at.sizes, &info)));
    job_print(job, CLI_BYTES,
              offsets->n * clprims_type_bytes(offsets->type) + plan.n * sizeof(int64_t),
              "%zu elements of %zu segments (%s)", plan.n, plan.at.sizes.segments, info.variant);
    clprims_parents_destroy(plan.parents);
}

const cli_command parents_command = {
    .name = "parents",
    .summary = "the segment of each element of a jagged array, from its offsets",
    .purpose = "Writes the number of the segment that each element is in; segment\n"
               "s goes from offsets[s] to offsets[s + 1].",
    OPTIONS(parents_options),
    .run = run_parents,
};

/* ---- clprims gather ---- */

CLI_PLAN(gather)

static const cli_option gather_options[] = {
    {"INDEX.npy", NULL, "which elements are wanted: int32, int64 or uint32", REQUIRED},
    {"IN.npy", NULL, "the elements, of any type", REQUIRED},
    {"-o", "OUT.npy", "where the elements go, as many as indices", REQUIRED | OUTPUT},
};

static void run_gather_plan(cli_job *job, npy_input *index, npy_input *in, gather_plan *plan) {
    clprims_gather_report report = {0};
    job_load(job, "the indices", index, &plan->at.index.mem);
    job_load(job, "the input", in, &plan->at.in.mem);
    job_output(job, "the output", "-o", npy_vector(in->type, in->is_bool, plan->n),
               &plan->at.out.mem);
    job_run_reported(job, submit_gather, plan, &plan->at.report.mem, &report, sizeof report);
    JOB_TRY(job, library_exit(clprims_gather_check(&report)));
    job_store(job);
}

static void run_gather(cli_job *job) {
    clprims_gather_desc desc = {0};
    clprims_gather_info info = {0};
    npy_input *const index = job_open(job, "INDEX.npy", NPY_INDICES);
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    gather_plan plan = {.n = index->n, .at.sizes.length = in->n};
    desc.type = in->type;
    desc.index_type = index->type;
    desc.max_n = job_most(plan.n);
    job_start(job);
    JOB_CREATE(job, gather, &plan, &desc, NULL, NULL);
    run_gather_plan(job, index, in, &plan);
    JOB_TRY(job, library_exit(clprims_gather_describe(plan.gather, plan.n, plan.at.sizes, &info)));
    job_print(job, CLI_BYTES,
              plan.n * (clprims_type_bytes(index->type) + 2 * clprims_type_bytes(in->type)),
              "%zu of %zu elements of %s (%s)", plan.n, plan.at.sizes.length, npy_type_name(in),
              info.variant);
    clprims_gather_destroy(plan.gather);
}

const cli_command gather_command = {
    .name = "gather",
    .summary = "the elements of an array in the order of indices",
    .purpose = "Writes the elements of an array in the order of indices: element i\n"
               "of the output is IN[INDEX[i]]. Negative indices are refused.",
    OPTIONS(gather_options),
    .run = run_gather,
};

/* ---- clprims scatter ---- */

CLI_PLAN(scatter)

static const cli_option scatter_options[] = {
    {"--op", "NAME", "add, min, max, and, or, xor: combine all elements with what is there",
     OPTIONAL},
    {"INDEX.npy", NULL, "where the elements go: int32, int64 or uint32", REQUIRED},
    {"IN.npy", NULL, "the elements, as many as indices", REQUIRED},
    {"INTO.npy", NULL, "what they go into, of their type", REQUIRED},
    {"-o", "OUT.npy", "where the result goes; may be INTO.npy", REQUIRED | OUTPUT},
};

static int check_elements(const npy_input *index, const npy_input *in, const npy_input *into,
                          const clprims_scatter_desc *desc) {
    if (in->n != index->n)
        return complain(EXIT_USAGE, "%s has %zu elements, but %s has %zu indices", in->path, in->n,
                        index->path, index->n);
    if (in->type != into->type || in->is_bool != into->is_bool)
        return complain(EXIT_USAGE, "%s: its elements are %s, but %s has %s", in->path,
                        npy_type_name(in), into->path, npy_type_name(into));
    if (desc->repeats != CLPRIMS_SCATTER_COMBINE || desc->op != CLPRIMS_ADD || !in->is_bool)
        return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its elements are bool; use --op or", in->path);
}

static void run_scatter_plan(cli_job *job, npy_input *index, npy_input *in, npy_input *into,
                             scatter_plan *plan) {
    clprims_scatter_report report = {0};
    job_load(job, "the indices", index, &plan->at.index.mem);
    job_load(job, "the input", in, &plan->at.in.mem);
    job_load(job, "the output", into, &plan->at.out.mem);
    job_result(job, "-o", npy_vector(into->type, into->is_bool, into->n), plan->at.out.mem);
    job_allocate(job, "the report", sizeof report, &plan->at.report.mem);
    job_run_once(job, submit_scatter, plan);
    job_read(job, plan->at.report.mem, sizeof report, &report);
    JOB_TRY(job, library_exit(clprims_scatter_check(&report)));
    job_store(job);
}

static void run_scatter(cli_job *job) {
    clprims_scatter_desc desc = {.fast_floats = 1};
    clprims_scatter_info info = {0};
    if (job_text(job, "--op") != NULL) desc.repeats = CLPRIMS_SCATTER_COMBINE;
    desc.op = (clprims_op)job_choose(job, "--op", CHOICE_OP, CLPRIMS_ADD);
    npy_input *const index = job_open(job, "INDEX.npy", NPY_INDICES);
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    npy_input *const into = job_open(job, "INTO.npy", NPY_ELEMENTS);
    JOB_TRY(job, check_elements(index, in, into, &desc));
    scatter_plan plan = {.n = index->n, .at.sizes.length = into->n};
    desc.type = in->type;
    desc.index_type = index->type;
    desc.max_n = job_most(plan.n);
    desc.max_length = job_most(into->n);
    job_start(job);
    JOB_CREATE(job, scatter, &plan, &desc, NULL, NULL);
    run_scatter_plan(job, index, in, into, &plan);
    JOB_TRY(job,
            library_exit(clprims_scatter_describe(plan.scatter, plan.n, plan.at.sizes, &info)));
    job_print(job, CLI_BYTES,
              plan.n * (clprims_type_bytes(index->type) + 2 * clprims_type_bytes(in->type)),
              "%zu elements of %s into %zu (%s)", plan.n, npy_type_name(in), plan.at.sizes.length,
              info.variant);
    clprims_scatter_destroy(plan.scatter);
}

const cli_command scatter_command = {
    .name = "scatter",
    .summary = "elements to the places of an array that indices name",
    .purpose = "Writes INTO with the elements of IN: element INDEX[i] of the output is\n"
               "IN[i], of equal indices the last one. With --op it is INTO[INDEX[i]]\n"
               "combined with all elements of that index; min and max leave NaNs out,\n"
               "and sums of floats may differ from run to run in their last bits.\n"
               "Negative indices are refused.",
    OPTIONS(scatter_options),
    .run = run_scatter,
};
