/* SPDX-License-Identifier: MIT */
/* clprims minplus: two matrices in, their min-plus product out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"
#include "minplus/minplus_limits.h"

typedef struct minplus_request {
    const char *argmin;
    const char *a;
    const char *b;
    const char *out;
} minplus_request;

typedef struct minplus_job {
    clprims_minplus *minplus;
    clprims_matrix a, b, c, argmin;
    clprims_minplus_size size;
} minplus_job;

static bool read_request(minplus_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--argmin", "K.npy", "where the lowest k of each minimum goes, int32; -1: no edge", OUTPUT,
         &request->argmin},
        {"A.npy", NULL, "matrix of float32, float64, int32 or int64", REQUIRED, &request->a},
        {"B.npy", NULL, "matrix of the same type, with as many rows as A has columns", REQUIRED,
         &request->b},
        {"-o", "C.npy", "where min over k of A[i][k] + B[k][j] goes", REQUIRED | OUTPUT,
         &request->out},
    };
    const cli_syntax syntax = {
        "minplus",
        "Multiplies matrices with + for * and min for +. No edge is inf, or half of the\n"
        "integer's maximum; other int32 are from -2^29 to 2^29 - 1, int64 from -2^61 to 2^61 - 1.",
        options, sizeof options / sizeof *options};
    return arguments_read(&syntax, common, argc, argv, exit_status);
}

static int check_inputs(const npy_input *a, const npy_input *b) {
    if (a->type != b->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, but those of %s %s", b->path,
                        clprims_type_name(b->type), a->path, clprims_type_name(a->type));
    if (a->columns != b->rows)
        return complain(EXIT_USAGE, "%s: it has %zu rows, but %s %zu columns", b->path, b->rows,
                        a->path, a->columns);
    return EXIT_FINE;
}

/* What clprims_minplus_run refuses, and clprims_minplus_enqueue takes for something else. */
static int check_lengths(const npy_input *input, const void *elements, size_t first, size_t count) {
    const bool wide = input->type == CLPRIMS_I64;
    const clp_minplus_limits limits = clp_minplus_limits_of(
        input->type, CLPRIMS_MIN_PLUS, clp_minplus_no_edge(input->type, CLPRIMS_MIN_PLUS, NULL));
    if (!clp_minplus_is_limited(input->type, CLPRIMS_MIN_PLUS)) return EXIT_FINE;
    for (size_t i = 0; i < count; ++i) {
        const int64_t length =
            wide ? ((const int64_t *)elements)[i] : ((const int32_t *)elements)[i];
        if (clp_minplus_is_within(&limits, length)) continue;
        return complain(EXIT_DATA,
                        "%s: element (%zu, %zu) is %lld; lengths are from %lld to %lld, and no "
                        "edge is %lld",
                        input->path, (first + i) / input->columns, (first + i) % input->columns,
                        (long long)length, (long long)limits.least, (long long)limits.most,
                        (long long)limits.no_edge);
    }
    return EXIT_FINE;
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const minplus_job *const m = job;
    return clprims_minplus_enqueue(m->minplus, queue, m->a, m->b, m->c, m->argmin, m->size, 0, NULL,
                                   event);
}

static int allocate(const cli_device *device, const npy_input *a, const npy_input *b, bool argmin,
                    minplus_job *job) {
    const size_t bytes = clprims_type_bytes(a->type), cells = a->rows * b->columns;
    job->size = (clprims_minplus_size){a->rows, b->columns, a->columns, 1};
    job->a.ld = a->columns;
    job->b.ld = job->c.ld = job->argmin.ld = b->columns;
    if (b->columns > 0 && a->rows > SIZE_MAX / sizeof(double) / b->columns)
        return complain(EXIT_USAGE, "a product of %zu * %zu elements is more than can be counted",
                        a->rows, b->columns);
    int status = device_allocate(device, "A", a->n * bytes, &job->a.mem);
    if (status == EXIT_FINE) status = device_allocate(device, "B", b->n * bytes, &job->b.mem);
    if (status == EXIT_FINE) status = device_allocate(device, "C", cells * bytes, &job->c.mem);
    if (status == EXIT_FINE && argmin)
        status = device_allocate(device, "argmin", cells * sizeof(cl_int), &job->argmin.mem);
    return status;
}

static int run_plan(const cli_device *device, npy_input *a, npy_input *b,
                    const minplus_request *request, bool stats, minplus_job *job) {
    double seconds = 0;
    int status = allocate(device, a, b, request->argmin != NULL, job);
    if (status == EXIT_FINE) status = device_load_checked(device, a, job->a.mem, check_lengths);
    if (status == EXIT_FINE) status = device_load_checked(device, b, job->b.mem, check_lengths);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->c.mem, stats ? &seconds : NULL);
    const device_result results[] = {
        {job->c.mem, request->out, a->type, 2, a->rows, b->columns, false},
        {job->argmin.mem, request->argmin, CLPRIMS_I32, 2, a->rows, b->columns, false}};
    if (status == EXIT_FINE) status = device_store_all(device, results, request->argmin ? 2 : 1);
    if (status == EXIT_FINE && stats) {
        const double pairs = (double)a->rows * (double)b->columns * (double)a->columns;
        remark("%zu * %zu * %zu %s on %s (%s layer): %.6g ms on the device, %.4g G pairs/s",
               a->rows, b->columns, a->columns, clprims_type_name(a->type),
               device->info.device.name, clprims_layer_name(device->info.layer), seconds * 1e3,
               seconds > 0 ? pairs / seconds * 1e-9 : 0);
    }
    return status;
}

int minplus_command(int argc, char **argv) {
    minplus_request request = {0};
    cli_settings common = {0};
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    npy_input a = NPY_INPUT_INIT, b = NPY_INPUT_INIT;
    cli_device device = {0};
    minplus_job job = {0};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = npy_open_matrix(&a, request.a);
    if (status == EXIT_FINE) status = npy_open_matrix(&b, request.b);
    if (status == EXIT_FINE) status = check_inputs(&a, &b);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    desc.type = a.type;
    desc.argmin = request.argmin != NULL;
    if (status == EXIT_FINE)
        status = library_exit(clprims_minplus_create(&job.minplus, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &a, &b, &request, common.stats != NULL, &job);
    DEVICE_FREE(job.a.mem, job.b.mem, job.c.mem, job.argmin.mem);
    clprims_minplus_destroy(job.minplus);
    device_close(&device);
    npy_close(&a);
    npy_close(&b);
    return status;
}
