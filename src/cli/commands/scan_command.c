/* SPDX-License-Identifier: MIT */
/* clprims scan: one .npy file in, its running combinations out. */
#include "cli/combination.h"
#include "cli/commands/commands.h"

CLI_PLAN(scan)

static const cli_option options[] = {
    COMBINATION_OPTIONS,
    {"--algorithm", "NAME", "auto, lookback, lookback-fallback, reduce-then-scan or lookahead",
     OPTIONAL},
    {"--fast-floats", NULL, "allow sums of floats whose last bits differ from run to run",
     OPTIONAL},
    OPTION_IN,
    OPTION_OUT,
};

/* The library says the same of members that a user of the command does not know. */
static int check_order(const clprims_scan_desc *desc) {
    const bool is_float = desc->accumulator >= CLPRIMS_F32;
    const bool is_exact = desc->op == CLPRIMS_MIN || desc->op == CLPRIMS_MAX;
    if (desc->algorithm != CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK || !is_float || is_exact ||
        desc->fast_floats)
        return EXIT_FINE;
    return complain(EXIT_USAGE,
                    "--algorithm %s can't promise the same bits of %s in every run; add "
                    "--fast-floats, or take lookback or reduce-then-scan",
                    clprims_algorithm_name(desc->algorithm), clprims_type_name(desc->accumulator));
}

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
    JOB_TRY(job, check_order(desc));
}

static void print_stats(cli_job *job, const scan_plan *plan, const clprims_scan_desc *desc) {
    clprims_scan_info info = {0};
    const size_t element = clprims_type_bytes(desc->type) + clprims_type_bytes(desc->accumulator);
    JOB_TRY(job, library_exit(clprims_scan_describe(plan->scan, plan->n, &info)));
    job_print_bytes(job, plan->n * element, "%s of %zu %s to %s by %s (%s)",
                    clprims_op_name(desc->op), plan->n, clprims_type_name(desc->type),
                    clprims_type_name(desc->accumulator), clprims_algorithm_name(info.algorithm),
                    info.variant);
}

static void run(cli_job *job) {
    combination c;
    clprims_scan_desc desc = {0};
    scan_plan plan = {0};
    combination_check(job, &c);
    desc.algorithm =
        (clprims_algorithm)job_choose(job, "--algorithm", CHOICE_ALGORITHM, CLPRIMS_ALGORITHM_AUTO);
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
