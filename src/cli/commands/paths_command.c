/* SPDX-License-Identifier: MIT */
/* clprims paths: the matrix of a graph's edges in, the lengths of its shortest paths out. */
#include "cli/commands/commands.h"

CLI_PLAN(paths)

static const cli_option options[] = {
    {"--via", "P.npy", "where each path's last vertex but one goes, int32; -1: none", OUTPUT},
    {"D.npy", NULL, "square matrix of float32, float64, int32 or int64: lengths of edges",
     REQUIRED},
    {"-o", "C.npy", "where the lengths of the shortest paths go; may be the input",
     REQUIRED | OUTPUT},
};

static int check_input(const npy_input *input) {
    if (input->rows == input->columns) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its shape is (%zu, %zu); a square matrix is needed",
                    input->path, input->rows, input->columns);
}

static void run_plan(cli_job *job, npy_input *input, paths_plan *plan) {
    const size_t n = plan->n;
    clprims_paths_report report = {0};
    job_load(job, "the lengths", input, &plan->at.d.mem);
    job_result(job, "-o", npy_matrix(input->type, n, n), plan->at.d.mem);
    job_output(job, "the predecessors", "--via", npy_matrix(CLPRIMS_I32, n, n), &plan->at.via.mem);
    job_allocate(job, "the report", sizeof report, &plan->at.report.mem);
    job_run_once(job, submit_paths, plan);
    job_read(job, plan->at.report.mem, sizeof report, &report);
    JOB_TRY(job, library_exit(clprims_paths_check(&report)));
    job_store(job);
    job_print(job, CLI_PAIRS, n * n * n, "%zu vertices, %s,", n, clprims_type_name(input->type));
}

static void run(cli_job *job) {
    clprims_paths_desc desc = {0};
    npy_input *const input = job_open(job, "D.npy", NPY_MATRIX);
    const size_t n = input->rows;
    paths_plan plan = {.n = n, .at = {.d.ld = n, .via.ld = n}};
    JOB_TRY(job, check_input(input));
    desc.type = input->type;
    desc.max_n = job_most(n);
    desc.predecessors = job_text(job, "--via") != NULL;
    job_start(job);
    JOB_CREATE(job, paths, &plan, &desc, NULL, NULL);
    run_plan(job, input, &plan);
    clprims_paths_destroy(plan.paths);
}

const cli_command paths_command = {
    .name = "paths",
    .summary = "lengths of all shortest paths of a graph",
    .purpose = "Finds all shortest paths. No edge is inf, or half of the integer's maximum.",
    OPTIONS(options),
    .run = run,
};
