/* SPDX-License-Identifier: MIT */
/* clprims reduce: one .npy file in, the combination of all its elements out. */
#include "cli/combination.h"
#include "cli/commands/commands.h"

CLI_PLAN(reduce)

static const cli_option options[] = {
    {"--op", "NAME", "add (the default), min, max, mul, and, or, xor, argmin, argmax", OPTIONAL},
    {"--accumulate", "TYPE", "type of the running value and the result, e.g. int64", OPTIONAL},
    {"--init", "V", "a value before the first element; of argmin and argmax: of no elements",
     OPTIONAL},
    {"--input", "TEXT", "OpenCL C expression of x, the element, and i, its index, e.g. 'x * x'",
     OPTIONAL},
    OPTION_IN,
    {"-o", "OUT.npy", "where the one element goes; may be the input", REQUIRED | OUTPUT},
};

/* init: room for the value that the description then points to. Returns the result's type. */
static npy_type describe(cli_job *job, const npy_input *in, clprims_reduce_desc *desc,
                         uint64_t *init) {
    desc->op = (clprims_op)job_choose(job, "--op", CHOICE_REDUCTION, CLPRIMS_ADD);
    desc->input = job_text(job, "--input");
    npy_type result = running_type(job, in, desc->op, desc->input != NULL);
    desc->type = in->type;
    desc->accumulator = result.type;
    desc->max_n = job_most(in->n);
    if (desc->op >= CLPRIMS_ARGMIN) result = (npy_type){CLPRIMS_I64, false};
    desc->init = running_init(job, desc->op, result, init);
    return result;
}

static void run(cli_job *job) {
    clprims_reduce_desc desc = {0};
    clprims_reduce_info info = {0};
    clprims_reduce_report report = {0};
    reduce_plan plan = {0};
    uint64_t init = 0;
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    const npy_type result = describe(job, in, &desc, &init);
    plan.n = in->n;
    job_start(job);
    JOB_CREATE(job, reduce, &plan, &desc, "--input", desc.input);
    job_load(job, "the input", in, &plan.at.in.mem);
    job_output(job, "the result", "-o", npy_vector(result.type, result.is_bool, 1),
               &plan.at.out.mem);
    job_run_reported(job, submit_reduce, &plan, &plan.at.report.mem, &report, sizeof report);
    JOB_TRY(job, library_exit(clprims_reduce_check(&report)));
    job_store(job);
    JOB_TRY(job, library_exit(clprims_reduce_describe(plan.reduce, plan.n, &info)));
    job_print(job, CLI_BYTES, plan.n * clprims_type_bytes(desc.type), "%s of %zu %s in %s (%s)",
              clprims_op_name(desc.op), plan.n, clprims_type_name(desc.type),
              clprims_type_name(desc.accumulator), info.variant);
    clprims_reduce_destroy(plan.reduce);
}

const cli_command reduce_command = {
    .name = "reduce",
    .summary = "the sum of an array, its least value, where that is, and the like",
    .purpose =
        "Combines all elements of an array; floats give the same bits on every device.\n"
        "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"
        "another; that of argmin and argmax is int64, the lowest index. bool counts as 0 and 1;\n"
        "its sums and products are int64, and what --input makes of it is uint8. min, max, argmin\n"
        "and argmax leave NaNs out.\n"
        "An empty array gives --init or the operator's identity; argmin and argmax refuse\n"
        "it without --init.",
    OPTIONS(options),
    .run = run,
};
