/* SPDX-License-Identifier: MIT */
/* clprims topk: an array in; its k greatest or least elements and their indices out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

typedef struct topk_request {
    const char *k, *least;
    const char *in;
    const char *out;
    const char *indices;
} topk_request;

typedef struct topk_job {
    clprims_topk *plan;
    clprims_topk_buffers buffers;
    size_t n, k;
} topk_job;

static bool read_request(topk_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--k", "K", "how many elements, from 1 to all", REQUIRED, &request->k},
        {"--least", NULL, "the least elements, the least one first", OPTIONAL, &request->least},
        {"IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
         REQUIRED, &request->in},
        {"-o", "VALUES.npy", "where the elements go", OPTIONAL | OUTPUT, &request->out},
        {"--indices", "I.npy", "where their indices go, int64", OPTIONAL | OUTPUT,
         &request->indices}};
    const cli_syntax syntax = {
        "topk",
        "Finds the K greatest elements of an array, the greatest one first, and their indices.\n"
        "Of equal elements the one with the lowest index comes first. NaN comes last.",
        options, sizeof options / sizeof options[0]};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    if (request->out == NULL && request->indices == NULL)
        *exit_status = complain(EXIT_USAGE, "neither -o nor --indices is given");
    return *exit_status == EXIT_FINE;
}

/* ---- The run ---- */

static int allocate(const cli_device *device, const clprims_topk_desc *desc, topk_job *job) {
    const size_t element = clprims_type_bytes(desc->type);
    clprims_topk_buffers *const b = &job->buffers;
    int status = device_allocate(device, "the input", job->n * element, &b->in.mem);
    if (status == EXIT_FINE && !desc->no_values)
        status = device_allocate(device, "the values", job->k * element, &b->values.mem);
    if (status == EXIT_FINE && desc->indices != CLPRIMS_TYPE_DEFAULT)
        status = device_allocate(device, "the indices", job->k * sizeof(int64_t), &b->indices.mem);
    return status;
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const topk_job *const s = job;
    return clprims_topk_enqueue(s->plan, queue, &s->buffers, s->n, s->k, 0, NULL, event);
}

static int run_plan(const cli_device *device, const clprims_topk_desc *desc, npy_input *input,
                    double *seconds, topk_job *job) {
    int status = allocate(device, desc, job);
    const clprims_topk_buffers *const b = &job->buffers;
    if (status == EXIT_FINE) status = device_load(device, input, b->in.mem);
    const cl_mem out = desc->no_values ? b->indices.mem : b->values.mem;
    if (status == EXIT_FINE) status = device_run(device, submit, job, out, seconds);
    return status;
}

static int store(const cli_device *device, const topk_request *request, const npy_input *input,
                 const topk_job *job) {
    const clprims_topk_buffers *const b = &job->buffers;
    device_result results[2];
    size_t count = 0;
    if (request->out)
        results[count++] =
            (device_result){b->values.mem, request->out, input->type, 1, job->k, 1, input->is_bool};
    if (request->indices)
        results[count++] =
            (device_result){b->indices.mem, request->indices, CLPRIMS_I64, 1, job->k, 1, false};
    return device_store_all(device, results, count);
}

/* The bytes that must move: the elements are read once. */
static int print_stats(const cli_device *device, const clprims_topk_desc *desc, const topk_job *job,
                       double seconds) {
    clprims_topk_info info = CLPRIMS_TOPK_INFO_INIT;
    char rate[128];
    const int status = library_exit(clprims_topk_describe(job->plan, job->n, job->k, &info));
    if (status != EXIT_FINE) return status;
    device_print_rate(rate, sizeof rate, seconds, job->n * clprims_type_bytes(desc->type));
    remark("%zu of %zu %s (%s) on %s (%s layer): %s", job->k, job->n, clprims_type_name(desc->type),
           info.variant, device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

int topk_command(int argc, char **argv) {
    topk_request request = {0};
    cli_settings common = {0};
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    npy_input input = NPY_INPUT_INIT;
    cli_device device = {0};
    topk_job job = {.buffers = CLPRIMS_TOPK_BUFFERS_INIT};
    double seconds = 0;
    uint64_t k = 0;
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    const bool stats = common.stats != NULL;
    status = value_element("--k", request.k, CLPRIMS_U64, &k);
    job.k = (size_t)k;
    if (status == EXIT_FINE) status = npy_open(&input, request.in);
    if (status == EXIT_FINE && (job.k == 0 || job.k > input.n))
        status = complain(EXIT_USAGE, "--k %zu is not from 1 to %zu, the number of elements of %s",
                          job.k, input.n, input.path);
    job.n = input.n;
    desc.type = input.type;
    desc.least = request.least != NULL;
    desc.no_values = request.out == NULL;
    if (request.indices) desc.indices = CLPRIMS_I64;
    desc.max_n = input.n;
    desc.max_k = job.k;
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = library_exit(clprims_topk_create(&job.plan, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &desc, &input, stats ? &seconds : NULL, &job);
    if (status == EXIT_FINE) status = store(&device, &request, &input, &job);
    if (status == EXIT_FINE && stats) status = print_stats(&device, &desc, &job, seconds);
    DEVICE_FREE(job.buffers.in.mem, job.buffers.values.mem, job.buffers.indices.mem);
    clprims_topk_destroy(job.plan);
    device_close(&device);
    npy_close(&input);
    return status;
}
