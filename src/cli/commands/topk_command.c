/* SPDX-License-Identifier: MIT */
/* clprims topk: an array in; its k greatest or least elements and their indices out. */
#include "cli/commands/commands.h"

typedef struct topk_plan {
    clprims_topk *topk;
    clprims_topk_buffers buffers;
    size_t n;
} topk_plan;

static const cli_option options[] = {
    {"--k", "K", "how many elements, from 1 to all", REQUIRED},
    {"--least", NULL, "the least elements, the least one first", OPTIONAL},
    OPTION_IN,
    {"-o", "VALUES.npy", "where the elements go", OPTIONAL | OUTPUT},
    {"--indices", "I.npy", "where their indices go, int64", OPTIONAL | OUTPUT},
};

static void describe(cli_job *job, const npy_input *in, topk_plan *plan, clprims_topk_desc *desc) {
    const size_t k = plan->buffers.sizes.k;
    if (k == 0 || k > in->n)
        JOB_TRY(job,
                complain(EXIT_USAGE, "--k %zu is not from 1 to %zu, the number of elements of %s",
                         k, in->n, in->path));
    plan->n = in->n;
    desc->type = in->type;
    desc->least = job_text(job, "--least") != NULL;
    desc->no_values = job_text(job, "-o") == NULL;
    if (job_text(job, "--indices")) desc->indices = CLPRIMS_I64;
    desc->max_n = plan->n;
    desc->max_k = k;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const topk_plan *const p = self;
    return clprims_topk_enqueue(p->topk, queue, &p->buffers, p->n, 0, NULL, event);
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
    plan.buffers.sizes.k = (size_t)k;
    npy_input *const in = job_open(job, "IN.npy", npy_open);
    describe(job, in, &plan, &desc);
    job_start(job);
    JOB_TRY(job, library_exit(clprims_topk_create(&plan.topk, job->device.context, &desc)));
    job_load(job, "the input", in, &plan.buffers.in.mem);
    job_output(job, "the values", "-o", npy_vector(in->type, in->is_bool, desc.max_k),
               &plan.buffers.values.mem);
    job_output(job, "the indices", "--indices", npy_vector(CLPRIMS_I64, false, desc.max_k),
               &plan.buffers.indices.mem);
    job_run(job, submit, &plan);
    job_store(job);
    JOB_TRY(job, library_exit(clprims_topk_describe(plan.topk, plan.n, plan.buffers.sizes, &info)));
    job_print_bytes(job, plan.n * clprims_type_bytes(desc.type), "%zu of %zu %s (%s)", desc.max_k,
                    plan.n, clprims_type_name(desc.type), info.variant);
    clprims_topk_destroy(plan.topk);
}

const cli_command topk_command = {
    .name = "topk",
    .summary = "the k greatest or least elements and their indices",
    .purpose =
        "Finds the K greatest elements of an array, the greatest one first, and their indices.\n"
        "Of equal elements the one with the lowest index comes first. NaN comes last.",
    OPTIONS(options),
    .run = run,
};
