/* SPDX-License-Identifier: MIT */
/* clprims paths: the matrix of a graph's edges in, the lengths of its shortest paths out. */
#include "cli/commands/commands.h"

typedef struct paths_plan {
    clprims_paths *paths;
    clprims_paths_buffers buffers;
    size_t n;
} paths_plan;

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

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const paths_plan *const p = self;
    return clprims_paths_enqueue(p->paths, queue, &p->buffers, p->n, 0, NULL, event);
}

/* The closure is in place: a run that is measured begins with the edges again. */
static void run_twice(cli_job *job, size_t bytes, paths_plan *plan) {
    const cli_device *const device = &job->device;
    cl_mem edges = NULL;
    job_allocate(job, "the lengths once more", bytes, &edges);
    JOB_TRY(job, device_copy(device, plan->buffers.d.mem, edges, bytes));
    JOB_TRY(job, device_run(device, submit, plan));
    JOB_TRY(job, device_copy(device, edges, plan->buffers.d.mem, bytes));
    JOB_TRY(job, device_measure(device, submit, plan, &job->seconds));
}

static void run_plan(cli_job *job, npy_input *input, paths_plan *plan) {
    const size_t n = plan->n;
    clprims_paths_report report = {0};
    job_load(job, "the lengths", input, &plan->buffers.d.mem);
    job_result(job, "-o", npy_matrix(input->type, n, n), plan->buffers.d.mem);
    job_output(job, "the predecessors", "--via", npy_matrix(CLPRIMS_I32, n, n),
               &plan->buffers.via.mem);
    job_allocate(job, "the report", sizeof report, &plan->buffers.report.mem);
    if (job->stats)
        run_twice(job, input->n * clprims_type_bytes(input->type), plan);
    else
        job_run(job, submit, plan);
    job_read(job, "the report", plan->buffers.report.mem, sizeof report, &report);
    JOB_TRY(job, library_exit(clprims_paths_check(&report)));
    job_store(job);
    job_print_pairs(job, (double)n * (double)n * (double)n, "%zu vertices, %s,", n,
                    clprims_type_name(input->type));
}

static void run(cli_job *job) {
    clprims_paths_desc desc = {0};
    npy_input *const input = job_open(job, "D.npy", npy_open_matrix);
    const size_t n = input->rows;
    paths_plan plan = {.n = n, .buffers = {.d.ld = n, .via.ld = n}};
    JOB_TRY(job, check_input(input));
    desc.type = input->type;
    desc.max_n = job_most(n);
    desc.predecessors = job_text(job, "--via") != NULL;
    job_start(job);
    JOB_TRY(job, library_exit(clprims_paths_create(&plan.paths, job->device.context, &desc)));
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
