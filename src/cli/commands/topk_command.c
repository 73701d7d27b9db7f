/* SPDX-License-Identifier: MIT */
/* clprims topk: an array in; its k greatest or least elements and their indices, or those of each
 * segment, out. */
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"

typedef struct topk_plan {
    CLI_PLAN_MEMBERS(topk)
    size_t segments;
    size_t found; /* elements of an output */
    bool has_segments;
} topk_plan;

CLI_SUBMIT(topk)

static const cli_option options[] = {
    {"--k", "K", "how many elements, from 1 to all", REQUIRED},
    {"--least", NULL, "the least elements, the least one first", OPTIONAL},
    {"--offsets", "O.npy", "int32 or int64: K of the elements O[i] to O[i + 1], excluded, each",
     OPTIONAL},
    {"--length", "L", "K of each L elements, and of what is left of them", OPTIONAL},
    OPTION_IN,
    {"-o", "VALUES.npy", "where the elements go, K for each segment", OPTIONAL | OUTPUT},
    {"--indices", "I.npy", "where their indices go, int64", OPTIONAL | OUTPUT},
};

static void describe_segments(cli_job *job, const npy_input *offsets, topk_plan *plan,
                              clprims_topk_desc *desc) {
    plan->at.sizes.length = offsets_length(job, plan->n, &plan->segments);
    if (plan->at.sizes.length > 0) desc->by = CLPRIMS_SEGMENTS_EQUAL;
    if (offsets->path) {
        desc->offsets = offsets->type;
        plan->segments = plan->at.sizes.segments = offsets->n - 1;
    }
    plan->has_segments = offsets->path != NULL || plan->at.sizes.length > 0;
    if (plan->has_segments) desc->max_segments = job_most(plan->segments);
}

static void describe(cli_job *job, const npy_input *in, const npy_input *offsets, topk_plan *plan,
                     clprims_topk_desc *desc) {
    const size_t k = plan->at.sizes.k;
    plan->n = in->n;
    describe_segments(job, offsets, plan, desc);
    if (k == 0 || (k > in->n && !plan->has_segments))
        JOB_TRY(job,
                complain(EXIT_USAGE, "--k %zu is not from 1 to %zu, the number of elements of %s",
                         k, in->n, in->path));
    plan->found = plan->has_segments ? k * plan->segments : k;
    desc->type = in->type;
    desc->least = job_text(job, "--least") != NULL;
    desc->no_values = job_text(job, "-o") == NULL;
    if (job_text(job, "--indices")) desc->indices = CLPRIMS_I64;
    desc->max_n = job_most(plan->n > k ? plan->n : k);
    desc->max_k = k;
}

/* What segments of fewer than K elements leave is 0, and the index -1. */
static void load(cli_job *job, npy_input *in, npy_input *offsets, topk_plan *plan) {
    const cl_long none = -1, zero = 0;
    clprims_topk_buffers *const b = &plan->at;
    const size_t bytes = clprims_type_bytes(in->type);
    job_load(job, "the input", in, &b->in.mem);
    job_output(job, "the values", "-o", npy_vector(in->type, in->is_bool, plan->found),
               &b->values.mem);
    job_output(job, "the indices", "--indices", npy_vector(CLPRIMS_I64, false, plan->found),
               &b->indices.mem);
    if (!plan->has_segments) return;
    if (offsets->path) job_load(job, "the offsets", offsets, &b->offsets.mem);
    job_allocate(job, "the report", sizeof(clprims_topk_report), &b->report.mem);
    if (b->values.mem)
        JOB_TRY(job, device_fill(&job->device, b->values.mem, &zero, bytes, plan->found));
    if (b->indices.mem)
        JOB_TRY(job, device_fill(&job->device, b->indices.mem, &none, sizeof none, plan->found));
}

static void check_report(cli_job *job, const npy_input *offsets, const topk_plan *plan) {
    clprims_topk_report report = {0};
    job_read(job, plan->at.report.mem, sizeof report, &report);
    if (report.fault == CLPRIMS_TOPK_OFFSETS)
        offsets_complain(job, offsets, plan->at.offsets.mem, report.count, plan->n);
    JOB_TRY(job, library_exit(clprims_topk_check(&report)));
}

/* Of the bytes that must move, the elements are read once. */
static void run(cli_job *job) {
    clprims_topk_desc desc = {0};
    clprims_topk_info info = {0};
    topk_plan plan = {0};
    uint64_t k = 0;
    if (!job_text(job, "-o") && !job_text(job, "--indices"))
        JOB_TRY(job, complain(EXIT_USAGE, "neither -o nor --indices is given"));
    JOB_TRY(job, value_element("--k", job_text(job, "--k"), CLPRIMS_U64, &k));
    plan.at.sizes.k = (size_t)k;
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    npy_input *const offsets = job_open(job, "--offsets", NPY_OFFSETS);
    describe(job, in, offsets, &plan, &desc);
    job_start(job);
    JOB_CREATE(job, topk, &plan, &desc, NULL, NULL);
    load(job, in, offsets, &plan);
    job_run(job, submit_topk, &plan);
    if (plan.has_segments) check_report(job, offsets, &plan);
    job_store(job);
    JOB_TRY(job, library_exit(clprims_topk_describe(plan.topk, plan.n, plan.at.sizes, &info)));
    job_print(job, CLI_BYTES, plan.n * clprims_type_bytes(desc.type), "%zu of %zu %s (%s)",
              plan.found, plan.n, clprims_type_name(desc.type), info.variant);
    clprims_topk_destroy(plan.topk);
}

const cli_command topk_command = {
    .name = "topk",
    .summary = "the k greatest or least elements and their indices",
    .purpose =
        "Finds the K greatest elements of an array, the greatest one first, and their indices.\n"
        "Of equal elements the one with the lowest index comes first. NaN comes last.\n"
        "Segments of fewer than K elements have 0 and the index -1 behind these.",
    OPTIONS(options),
    .run = run,
};
