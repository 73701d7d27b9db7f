/* SPDX-License-Identifier: MIT */
/* clprims rank --forest: links of several lists in, each element's rank and head out. */
#include "cli/commands/list_input.h"

CLI_PLAN(forest)

static int check_heads(const npy_input *heads, const npy_input *links) {
    if (heads->type != links->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, the links of %s are %s", heads->path,
                        npy_type_name(heads), links->path, clprims_type_name(links->type));
    if (heads->n > links->n)
        return complain(EXIT_USAGE, "%s has %zu heads for the %zu elements of %s", heads->path,
                        heads->n, links->n, links->path);
    return EXIT_FINE;
}

static void run_plan(cli_job *job, npy_input *links, npy_input *heads, forest_plan *plan) {
    const npy_array numbers = npy_vector(links->type, false, plan->n);
    clprims_forest_buffers *const buffers = &plan->at;
    job_load(job, "the links", links, &buffers->next.mem);
    job_output(job, "the ranks", "-o", numbers, &buffers->rank.mem);
    job_output(job, "the lists' heads", "--head-of", numbers, &buffers->head.mem);
    if (heads->path) job_load(job, "the heads", heads, &buffers->heads.mem);
    buffers->sizes.heads = heads->n;
    list_run(job, submit_forest, plan, &buffers->report.mem, clprims_forest_check);
    job_store(job);
}

void forest_run(cli_job *job) {
    clprims_forest_desc desc = {0};
    npy_input *const links = job_open(job, "NEXT.npy", NPY_LINKS);
    npy_input *const heads = job_open(job, "--heads", NPY_ELEMENTS);
    if (heads->path) JOB_TRY(job, check_heads(heads, links));
    forest_plan plan = {.n = links->n};
    desc.link = links->type;
    desc.max_n = job_most(plan.n);
    job_start(job);
    JOB_CREATE(job, forest, &plan, &desc, NULL, NULL);
    run_plan(job, links, heads, &plan);
    job_print(job, CLI_BYTES, (1 + job->num_results) * plan.n * clprims_type_bytes(links->type),
              "%zu %s links of a forest", plan.n, clprims_type_name(links->type));
    clprims_forest_destroy(plan.forest);
}
