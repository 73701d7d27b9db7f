/* SPDX-License-Identifier: MIT */
/* clprims paths: the matrix of a graph's edges in, the lengths of its shortest paths out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

typedef struct paths_request {
    const char *via;
    const char *in;
    const char *out;
} paths_request;

typedef struct paths_job {
    clprims_paths *paths;
    clprims_matrix d, via;
    clprims_buffer report;
    cl_mem edges; /* d as it was, where a second run is measured */
    size_t n;
} paths_job;

static bool read_request(paths_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--via", "P.npy", "where each path's last vertex but one goes, int32; -1: none", OUTPUT,
         &request->via},
        {"D.npy", NULL, "square matrix of float32, float64, int32 or int64: lengths of edges",
         REQUIRED, &request->in},
        {"-o", "C.npy", "where the lengths of the shortest paths go; may be the input",
         REQUIRED | OUTPUT, &request->out},
    };
    const cli_syntax syntax = {
        "paths", "Finds all shortest paths. No edge is inf, or half of the integer's maximum.",
        options, sizeof options / sizeof *options};
    return arguments_read(&syntax, common, argc, argv, exit_status);
}

static int check_input(const npy_input *input) {
    if (input->rows == input->columns) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its shape is (%zu, %zu); a square matrix is needed",
                    input->path, input->rows, input->columns);
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const paths_job *const p = job;
    return clprims_paths_enqueue(p->paths, queue, p->d, p->via, p->n, p->report, 0, NULL, event);
}

static int check_report(const cli_device *device, const paths_job *job) {
    clprims_paths_report report;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    if (status != EXIT_FINE) return status;
    return library_exit(clprims_paths_check(&report));
}

static int allocate(const cli_device *device, const npy_input *input, const paths_request *request,
                    bool stats, paths_job *job) {
    const size_t bytes = input->n * clprims_type_bytes(input->type);
    job->n = input->rows;
    job->d.ld = job->via.ld = input->rows;
    int status = device_allocate(device, "the lengths", bytes, &job->d.mem);
    if (status == EXIT_FINE && stats)
        status = device_allocate(device, "the lengths once more", bytes, &job->edges);
    if (status == EXIT_FINE && request->via)
        status =
            device_allocate(device, "the predecessors", input->n * sizeof(cl_int), &job->via.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_paths_report), &job->report.mem);
    return status;
}

/* The closure is in place: what is measured begins with the edges again. */
static int run_twice(const cli_device *device, const npy_input *input, paths_job *job,
                     double *seconds) {
    const size_t bytes = input->n * clprims_type_bytes(input->type);
    int status = device_copy(device, job->d.mem, job->edges, bytes);
    if (status == EXIT_FINE) status = device_run(device, submit, job, job->report.mem, NULL);
    if (status == EXIT_FINE) status = device_copy(device, job->edges, job->d.mem, bytes);
    if (status == EXIT_FINE) status = device_measure(device, submit, job, job->report.mem, seconds);
    return status;
}

static void print_stats(const cli_device *device, const npy_input *input, const paths_job *job,
                        double seconds) {
    const double pairs = (double)job->n * (double)job->n * (double)job->n;
    remark("%zu vertices, %s, on %s (%s layer): %.6g ms on the device, %.4g G pairs/s", job->n,
           clprims_type_name(input->type), device->info.device.name,
           clprims_layer_name(device->info.layer), seconds * 1e3,
           seconds > 0 ? pairs / seconds * 1e-9 : 0);
}

static int run_plan(const cli_device *device, npy_input *input, const paths_request *request,
                    bool stats, paths_job *job) {
    const size_t n = input->rows;
    double seconds = 0;
    int status = allocate(device, input, request, stats, job);
    if (status == EXIT_FINE) status = device_load(device, input, job->d.mem);
    if (status == EXIT_FINE)
        status = stats ? run_twice(device, input, job, &seconds)
                       : device_run(device, submit, job, job->report.mem, NULL);
    if (status == EXIT_FINE) status = check_report(device, job);
    const device_result results[] = {{job->d.mem, request->out, input->type, 2, n, n, false},
                                     {job->via.mem, request->via, CLPRIMS_I32, 2, n, n, false}};
    if (status == EXIT_FINE) status = device_store_all(device, results, request->via ? 2 : 1);
    if (status == EXIT_FINE && stats) print_stats(device, input, job, seconds);
    return status;
}

int paths_command(int argc, char **argv) {
    paths_request request = {0};
    cli_settings common = {0};
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    npy_input input = NPY_INPUT_INIT;
    cli_device device = {0};
    paths_job job = {0};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = npy_open_matrix(&input, request.in);
    if (status == EXIT_FINE) status = check_input(&input);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    desc.type = input.type;
    desc.max_n = input.rows > 0 ? input.rows : 1;
    desc.predecessors = request.via != NULL;
    if (status == EXIT_FINE)
        status = library_exit(clprims_paths_create(&job.paths, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &input, &request, common.stats != NULL, &job);
    DEVICE_FREE(job.d.mem, job.via.mem, job.report.mem, job.edges);
    clprims_paths_destroy(job.paths);
    device_close(&device);
    npy_close(&input);
    return status;
}
