/* SPDX-License-Identifier: MIT */
/* clprims segreduce and segscan: an array and what says where its segments begin in; one element a
 * segment, or one an element, out. */
#include "cli/combination.h"
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"

enum { REDUCE = 1, SCAN = 2 };

typedef struct segmented_plan {
    CLI_PLAN_MEMBERS(segmented)
    npy_type result;
    size_t segments; /* a reduction's, as soon as they are known */
} segmented_plan;

CLI_SUBMIT(segmented)

static const cli_option options[] = {
    {"--offsets", "O.npy", "int32 or int64: segment i goes from element O[i] to O[i + 1], excluded",
     OPTIONAL},
    {"--keys", "K.npy", "a key for each element: neighbours with equal keys are one segment",
     OPTIONAL},
    {"--flags", "F.npy",
     "a flag, bool or uint8, for each element: one that is not 0 begins a segment", OPTIONAL},
    {"--length", "L", "each segment has L elements, the last one what is left", OPTIONAL},
    {"--op", "NAME", "add (the default), min, max, mul, and, or, xor, argmin, argmax",
     OPTIONAL | OF(REDUCE)},
    {"--op", "NAME", "add (the default), min, max, mul, and, or, xor", OPTIONAL | OF(SCAN)},
    {"--accumulate", "TYPE", "type of the running value and the result, e.g. int64", OPTIONAL},
    {"--init", "V",
     "a value before the first element of each segment; of argmin and argmax: of an empty one",
     OPTIONAL | OF(REDUCE)},
    {"--init", "V", "a value before the first element of each segment", OPTIONAL | OF(SCAN)},
    {"--exclusive", NULL, "combine what comes before each element (the default)",
     OPTIONAL | OF(SCAN)},
    {"--inclusive", NULL, "combine up to and with each element", OPTIONAL | OF(SCAN)},
    {"--local-index", NULL, "argmin, argmax: count from the segment's first element",
     OPTIONAL | OF(REDUCE)},
    {"--unique", "KEYS.npy", "with --keys: where each segment's key goes", OUTPUT | OF(REDUCE)},
    OPTION_IN,
    OPTION_OUT,
};

static int check_request(const cli_job *job) {
    const bool by_keys = job_text(job, "--keys") != NULL;
    const int heads = (job_text(job, "--offsets") != NULL) + by_keys +
                      (job_text(job, "--flags") != NULL) + (job_text(job, "--length") != NULL);
    if (heads != 1)
        return complain(EXIT_USAGE, "%s of --offsets, --keys, --flags and --length is needed",
                        heads == 0 ? "one" : "just one");
    if (job_text(job, "--unique") && !by_keys)
        return complain(EXIT_USAGE, "--unique goes with --keys");
    return EXIT_FINE;
}

/* ---- The description ---- */

/* init: room for the value that the description then points to. Returns the result's type. */
static npy_type describe_operation(cli_job *job, const npy_input *in, clprims_segmented_desc *desc,
                                   uint64_t *init) {
    const bool reduces = job->command->variant == REDUCE;
    desc->op =
        (clprims_op)job_choose(job, "--op", reduces ? CHOICE_REDUCTION : CHOICE_OP, CLPRIMS_ADD);
    npy_type result = running_type(job, in, desc->op, false);
    const bool is_arg = desc->op >= CLPRIMS_ARGMIN;
    desc->type = in->type;
    desc->accumulator = result.type;
    desc->local_index = job_text(job, "--local-index") != NULL;
    if (desc->local_index && !is_arg)
        JOB_TRY(job, complain(EXIT_USAGE, "--local-index goes with --op argmin and argmax, not %s",
                              clprims_op_name(desc->op)));
    desc->kind = reduces                        ? CLPRIMS_SEGMENTED_REDUCE
                 : job_text(job, "--inclusive") ? CLPRIMS_SEGMENTED_INCLUSIVE
                                                : CLPRIMS_SEGMENTED_EXCLUSIVE;
    if (is_arg) result = (npy_type){CLPRIMS_I64, false};
    desc->init = running_init(job, desc->op, result, init);
    return result;
}

/* By length no option names an array: the input has no elements. */
static npy_input *open_heads(cli_job *job, clprims_segmented_desc *desc) {
    if (job_text(job, "--length")) desc->by = CLPRIMS_SEGMENTS_EQUAL;
    if (job_text(job, "--keys")) desc->by = CLPRIMS_SEGMENTS_KEYS;
    if (job_text(job, "--flags")) desc->by = CLPRIMS_SEGMENTS_FLAGS;
    if (desc->by == CLPRIMS_SEGMENTS_KEYS) return job_open(job, "--keys", NPY_ELEMENTS);
    if (desc->by == CLPRIMS_SEGMENTS_FLAGS) return job_open(job, "--flags", NPY_FLAGS);
    return job_open(job, "--offsets", NPY_OFFSETS);
}

static void describe_heads(cli_job *job, const npy_input *in, const npy_input *heads,
                           clprims_segmented_desc *desc, segmented_plan *plan) {
    desc->max_n = job_most(in->n);
    if (desc->by < CLPRIMS_SEGMENTS_FLAGS) desc->heads_type = heads->type;
    desc->unique_keys = job_text(job, "--unique") != NULL;
    if (desc->by == CLPRIMS_SEGMENTS_EQUAL) {
        plan->at.sizes.length = offsets_length(job, in->n, &plan->segments);
        desc->max_segments = job_most(plan->segments);
    } else if (desc->by == CLPRIMS_SEGMENTS_OFFSETS) {
        plan->segments = plan->at.sizes.segments = desc->max_segments = heads->n - 1;
    } else if (heads->n != in->n) {
        JOB_TRY(job,
                complain(EXIT_USAGE, "%s: it has %zu %s for the %zu elements of %s", heads->path,
                         heads->n, desc->by == CLPRIMS_SEGMENTS_KEYS ? "keys" : "flags", in->n,
                         in->path));
    }
}

/* ---- The run ---- */

/* Returns the segments that the run found. */
static size_t check_report(cli_job *job, const npy_input *heads, const segmented_plan *plan) {
    const clprims_segmented_buffers *const b = &plan->at;
    clprims_segmented_report report = {0};
    job_read(job, b->report.mem, sizeof report, &report);
    if (report.fault == CLPRIMS_SEGMENTED_OFFSETS)
        offsets_complain(job, heads, b->heads.mem, report.index, plan->n);
    JOB_TRY(job, library_exit(clprims_segmented_check(&report)));
    return report.segments > 0 ? (size_t)report.segments : 0;
}

/* By keys and flags, a run with room for one output tells of the number that need room. */
static void count_segments(cli_job *job, const clprims_segmented_desc *desc, const npy_input *heads,
                           segmented_plan *plan) {
    clprims_segmented_buffers *const b = &plan->at;
    if (desc->kind != CLPRIMS_SEGMENTED_REDUCE || desc->max_segments > 0) return;
    b->sizes.capacity = 1;
    job_allocate(job, "one result", sizeof(cl_ulong), &b->out.mem);
    if (desc->unique_keys) job_allocate(job, "one key", sizeof(cl_ulong), &b->keys.mem);
    JOB_TRY(job, device_run(&job->device, submit_segmented, plan));
    plan->segments = check_report(job, heads, plan);
    if (plan->segments > 0) b->sizes.capacity = plan->segments;
}

/* A scan by offsets leaves elements in no segment as they are, so that they are 0 then. */
static void allocate_outputs(cli_job *job, const clprims_segmented_desc *desc,
                             const npy_input *heads, segmented_plan *plan) {
    const cl_ulong zero = 0;
    const bool reduces = desc->kind == CLPRIMS_SEGMENTED_REDUCE;
    const size_t outputs = reduces ? plan->segments : plan->n;
    cl_mem *const out = &plan->at.out.mem;
    job_output(job, "the output", "-o",
               npy_vector(plan->result.type, plan->result.is_bool, outputs), out);
    job_output(job, "the unique keys", "--unique",
               npy_vector(heads->type, heads->is_bool, plan->segments), &plan->at.keys.mem);
    if (!reduces && desc->by == CLPRIMS_SEGMENTS_OFFSETS)
        JOB_TRY(job, device_fill(&job->device, *out, &zero, clprims_type_bytes(desc->accumulator),
                                 outputs));
}

/* The bytes that must move: elements, what the segments begin by, and the outputs. */
static void print_stats(cli_job *job, const clprims_segmented_desc *desc, const npy_input *heads,
                        const segmented_plan *plan) {
    clprims_segmented_info info = {0};
    const size_t head = clprims_type_bytes(heads->type), n = plan->n;
    const size_t outputs = desc->kind == CLPRIMS_SEGMENTED_REDUCE ? plan->segments : n;
    const size_t bytes = n * clprims_type_bytes(desc->type) + heads->n * head +
                         outputs * clprims_type_bytes(plan->result.type) +
                         (desc->unique_keys ? plan->segments * head : 0);
    JOB_TRY(job,
            library_exit(clprims_segmented_describe(plan->segmented, n, plan->at.sizes, &info)));
    job_print(job, CLI_BYTES, bytes, "%s of %zu %s in %s (%s)", clprims_op_name(desc->op), n,
              clprims_type_name(desc->type), clprims_type_name(desc->accumulator), info.variant);
}

static void run(cli_job *job) {
    clprims_segmented_desc desc = {0};
    segmented_plan plan = {0};
    clprims_segmented_buffers *const b = &plan.at;
    uint64_t init = 0;
    JOB_TRY(job, check_request(job));
    job_exclude(job, "--inclusive", "--exclusive");
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    npy_input *const heads = open_heads(job, &desc);
    plan.n = in->n;
    plan.result = describe_operation(job, in, &desc, &init);
    describe_heads(job, in, heads, &desc, &plan);
    job_start(job);
    JOB_CREATE(job, segmented, &plan, &desc, NULL, NULL);
    job_load(job, "the input", in, &b->in.mem);
    if (heads->path) job_load(job, "what the segments begin by", heads, &b->heads.mem);
    job_allocate(job, "the count", sizeof(cl_ulong), &b->count.mem);
    job_allocate(job, "the report", sizeof(clprims_segmented_report), &b->report.mem);
    count_segments(job, &desc, heads, &plan);
    allocate_outputs(job, &desc, heads, &plan);
    job_run(job, submit_segmented, &plan);
    (void)check_report(job, heads, &plan);
    job_store(job);
    print_stats(job, &desc, heads, &plan);
    clprims_segmented_destroy(plan.segmented);
}

const cli_command segreduce_command = {
    .name = "segreduce",
    .summary = "the same of each segment of an array",
    .purpose =
        "Combines the elements of each segment of an array. An empty segment gives the operator's\n"
        "identity, True for min and and of bool, and -1 for argmin and argmax. Indices count from\n"
        "the array's first element.\n"
        "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"
        "another; that of argmin and argmax is int64. bool counts as 0 and 1, and its sums and\n"
        "products are int64. min, max, argmin and argmax leave NaNs out.",
    OPTIONS(options),
    .variant = REDUCE,
    .run = run,
};

const cli_command segscan_command = {
    .name = "segscan",
    .summary = "running combinations that begin anew in each segment",
    .purpose =
        "Combines the elements of each segment of an array one after another, from its first on.\n"
        "Elements in no segment, before the first offset and from the last on, give 0.\n"
        "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"
        "another. bool counts as 0 and 1, and its sums and products are int64. min and max leave\n"
        "NaNs out.",
    OPTIONS(options),
    .variant = SCAN,
    .run = run,
};
