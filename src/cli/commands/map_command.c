/* SPDX-License-Identifier: MIT */
/* clprims map: one .npy file in, an expression of each element out. */
#include "cli/commands/commands.h"

CLI_PLAN(map)

static const cli_option options[] = {
    {"--value", "TEXT", "OpenCL C expression of x, the element, and i, its index, e.g. 'sqrt(x)'",
     REQUIRED},
    {"--type", "TYPE", "type of the results, e.g. float32; without it that of the elements",
     OPTIONAL},
    OPTION_IN,
    OPTION_OUT,
};

static void run(cli_job *job) {
    const char *const value = job_text(job, "--value");
    clprims_map_desc desc = {.output[0].value = value};
    clprims_map_info info = {0};
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    map_plan plan = {.n = in->n};
    desc.type = in->type;
    desc.output[0].type = (clprims_type)job_choose(job, "--type", CHOICE_TYPE, (int)in->type);
    desc.max_n = job_most(plan.n);
    job_start(job);
    JOB_CREATE(job, map, &plan, &desc, "--value", value);
    job_load(job, "the input", in, &plan.at.in.mem);
    job_output(job, "the output", "-o", npy_vector(desc.output[0].type, false, plan.n),
               &plan.at.out[0].mem);
    job_run(job, submit_map, &plan);
    job_store(job);
    JOB_TRY(job, library_exit(clprims_map_describe(plan.map, plan.n, &info)));
    job_print(job, CLI_BYTES,
              plan.n * (clprims_type_bytes(desc.type) + clprims_type_bytes(desc.output[0].type)),
              "%zu %s to %s (%s)", plan.n, clprims_type_name(desc.type),
              clprims_type_name(desc.output[0].type), info.variant);
    clprims_map_destroy(plan.map);
}

const cli_command map_command = {
    .name = "map",
    .summary = "an expression of each element and its index",
    .purpose = "Computes an expression for each element. The results have the elements' type, to\n"
               "which values are converted as in C, unless --type names another. bool counts as 0\n"
               "and 1, and its results are uint8.",
    OPTIONS(options),
    .run = run,
};
