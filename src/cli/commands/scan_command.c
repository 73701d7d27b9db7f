/* SPDX-License-Identifier: MIT */
/* clprims scan: one .npy file in, its running combinations out. */
#include "cli/combination.h"
#include "cli/commands/commands.h"

CLI_PLAN(scan)

static const cli_option options[] = {
    COMBINATION_OPTIONS,
    {"--fast-floats", NULL, "allow sums of floats whose last bits differ from run to run",
     OPTIONAL},
    OPTION_IN,
    OPTION_OUT,
};

static void describe(cli_job *job, combination *c, const npy_input *in, clprims_scan_desc *desc) {
    combination_complete(job, c, in);
    desc->type = in->type;
    desc->fast_floats = job_text(job, "--fast-floats") != NULL;
    desc->max_n = job_most(in->n);
    desc->accumulator = c->result.type;
    desc->op = c->op;
    desc->inclusive = c->inclusive;
    desc->init = c->init;
    desc->custom = c->custom;
}

static void print_stats(cli_job *job, const scan_plan *plan, const clprims_scan_desc *desc) {
    clprims_scan_info info = {0};
    const size_t element = clprims_type_bytes(desc->type) + clprims_type_bytes(desc->accumulator);
    JOB_TRY(job, library_exit(clprims_scan_describe(plan->scan, plan->n, &info)));
    job_print(job, CLI_BYTES, plan->n * element, "%s of %zu %s to %s by %s (%s)",
              clprims_op_name(desc->op), plan->n, clprims_type_name(desc->type),
              clprims_type_name(desc->accumulator), clprims_algorithm_name(info.algorithm),
              info.variant);
}

static void run(cli_job *job) {
    combination c;
    clprims_scan_desc desc = {0};
    scan_plan plan = {0};
    combination_check(job, &c);
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    describe(job, &c, in, &desc);
    plan.n = in->n;
    job_start(job);
    JOB_CREATE(job, scan, &plan, &desc, "--custom", c.custom.op);
    job_load(job, "the input", in, &plan.at.in.mem);
    job_output(job, "the output", "-o", npy_vector(c.result.type, c.result.is_bool, plan.n),
               &plan.at.out.mem);
    job_run(job, submit_scan, &plan);
    job_store(job);
    print_stats(job, &plan, &desc);
    clprims_scan_destroy(plan.scan);
}

const cli_command scan_command = {
    .name = "scan",
    .summary = "prefix sums and other running combinations of an array",
    .purpose = "Combines the elements of an array one after another.\n" COMBINATION_NOTE,
    OPTIONS(options),
    .run = run,
};
