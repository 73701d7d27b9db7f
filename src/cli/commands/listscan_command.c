/* SPDX-License-Identifier: MIT */
/* clprims listscan: links and values in, their running combinations along the list out. */
#include "cli/combination.h"
#include "cli/commands/commands.h"
#include "cli/commands/list_input.h"

typedef struct listscan_plan {
    CLI_PLAN_MEMBERS(listscan)
    int64_t head;
} listscan_plan;

CLI_SUBMIT(listscan)

static const cli_option options[] = {
    {"--values", "VALUES.npy", "what to combine: a value for each element", REQUIRED},
    COMBINATION_OPTIONS,
    OPTION_HEAD,
    OPTION_NEXT,
    {"-o", "OUT.npy", "where the result goes; may be an input", REQUIRED | OUTPUT},
};

static void describe(cli_job *job, combination *c, const npy_input *links, const npy_input *values,
                     clprims_listscan_desc *desc) {
    if (values->n != links->n)
        JOB_TRY(job, complain(EXIT_USAGE, "%s has %zu values for the %zu links of %s", values->path,
                              values->n, links->n, links->path));
    combination_complete(job, c, values);
    desc->link = links->type;
    desc->type = values->type;
    desc->max_n = job_most(values->n);
    desc->accumulator = c->result.type;
    desc->op = c->op;
    desc->inclusive = c->inclusive;
    desc->init = c->init;
    desc->custom = c->custom;
}

static void run_plan(cli_job *job, npy_input *links, npy_input *values, npy_type result,
                     listscan_plan *plan) {
    clprims_listscan_buffers *const buffers = &plan->at;
    job_load(job, "the links", links, &buffers->next.mem);
    job_load(job, "the values", values, &buffers->values.mem);
    job_output(job, "the result", "-o", npy_vector(result.type, result.is_bool, plan->n),
               &buffers->out.mem);
    list_run(job, submit_listscan, plan, &buffers->report.mem, clprims_listscan_check);
    job_store(job);
}

static void run(cli_job *job) {
    combination c;
    clprims_listscan_desc desc = {0};
    combination_check(job, &c);
    npy_input *const links = job_open(job, "NEXT.npy", NPY_LINKS);
    listscan_plan plan = {.n = links->n};
    if (list_reads_head(job, links, &plan.head)) plan.at.head = &plan.head;
    npy_input *const values = job_open(job, "--values", NPY_ELEMENTS);
    describe(job, &c, links, values, &desc);
    job_start(job);
    JOB_CREATE(job, listscan, &plan, &desc, "--custom", c.custom.op);
    run_plan(job, links, values, c.result, &plan);
    const size_t element = clprims_type_bytes(desc.link) + clprims_type_bytes(desc.type) +
                           clprims_type_bytes(desc.accumulator);
    job_print(job, CLI_BYTES, plan.n * element, "%s of %zu %s along %s links",
              clprims_op_name(desc.op), plan.n, clprims_type_name(desc.type),
              clprims_type_name(desc.link));
    clprims_listscan_destroy(plan.listscan);
}

const cli_command listscan_command = {
    .name = "listscan",
    .summary = "running combinations of values along a linked list",
    .purpose =
        "Combines values one after another in the order of a linked list.\n" COMBINATION_NOTE,
    OPTIONS(options),
    .run = run,
};
