/* SPDX-License-Identifier: MIT */
/* clprims sort and argsort: an array in; its elements in order, or the indices that would sort it,
 * out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

typedef struct sort_request {
    const char *descending;
    const char *values;
    const char *values_out;
    const char *in;
    const char *out;
} sort_request;

typedef struct sort_job {
    clprims_sort *sort;
    clprims_sort_buffers buffers;
    size_t n;
} sort_job;

static bool read_request(bool indices, sort_request *request, cli_settings *common, int argc,
                         char **argv, int *exit_status) {
    cli_option options[5];
    size_t count = 0;
    options[count++] = (cli_option){"--descending", NULL,
                                    "the greatest element first; equal ones keep their order",
                                    OPTIONAL, &request->descending};
    if (!indices) {
        options[count++] =
            (cli_option){"--values", "V.npy", "array whose elements move as those of IN.npy do",
                         OPTIONAL, &request->values};
        options[count++] =
            (cli_option){"--values-out", "W.npy", "where these go", OUTPUT, &request->values_out};
    }
    options[count++] = (cli_option){
        "IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
        REQUIRED, &request->in};
    options[count++] = (cli_option){"-o", "OUT.npy", "where the result goes; may be the input",
                                    REQUIRED | OUTPUT, &request->out};
    const cli_syntax syntax = {
        indices ? "argsort" : "sort",
        indices ? "Gives the indices, int64, that would sort an array, as NumPy's argsort with "
                  "kind=\"stable\".\nNaN comes last, also when descending."
                : "Sorts an array, as NumPy's sort with kind=\"stable\". NaN comes last, also when "
                  "descending.",
        options, count};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    if ((request->values != NULL) != (request->values_out != NULL))
        *exit_status = complain(EXIT_USAGE,
                                "--values and --values-out need each other; %s is not "
                                "given",
                                request->values ? "--values-out" : "--values");
    return *exit_status == EXIT_FINE;
}

static int check_values(const npy_input *values, const npy_input *input) {
    if (values->n == input->n) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: it has %zu values for the %zu elements of %s", values->path,
                    values->n, input->n, input->path);
}

static void describe(bool indices, const sort_request *request, const npy_input *input,
                     const npy_input *values, clprims_sort_desc *desc) {
    desc->type = input->type;
    desc->descending = request->descending != NULL;
    desc->no_keys = indices;
    if (indices) desc->indices = CLPRIMS_I64;
    if (request->values) {
        desc->payloads = 1;
        desc->payload_bytes[0] = clprims_type_bytes(values->type);
    }
    desc->max_n = input->n > 0 ? input->n : 1;
}

/* ---- The run ---- */

static int allocate(const cli_device *device, const clprims_sort_desc *desc, sort_job *job) {
    const size_t bytes = job->n * clprims_type_bytes(desc->type);
    const size_t value_bytes = job->n * desc->payload_bytes[0];
    clprims_sort_buffers *const b = &job->buffers;
    int status = device_allocate(device, "the input", bytes, &b->keys_in.mem);
    if (status == EXIT_FINE && !desc->no_keys)
        status = device_allocate(device, "the output", bytes, &b->keys_out.mem);
    if (status == EXIT_FINE && desc->payloads > 0)
        status = device_allocate(device, "the values", value_bytes, &b->payload_in[0].mem);
    if (status == EXIT_FINE && desc->payloads > 0)
        status = device_allocate(device, "the sorted values", value_bytes, &b->payload_out[0].mem);
    if (status == EXIT_FINE && desc->no_keys)
        status = device_allocate(device, "the indices", job->n * sizeof(int64_t), &b->indices.mem);
    return status;
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const sort_job *const s = job;
    return clprims_sort_enqueue(s->sort, queue, &s->buffers, s->n, 0, NULL, event);
}

static int run_plan(const cli_device *device, const clprims_sort_desc *desc, npy_input *input,
                    npy_input *values, double *seconds, sort_job *job) {
    job->n = input->n;
    int status = allocate(device, desc, job);
    const clprims_sort_buffers *const b = &job->buffers;
    if (status == EXIT_FINE) status = device_load(device, input, b->keys_in.mem);
    if (status == EXIT_FINE && desc->payloads > 0)
        status = device_load(device, values, b->payload_in[0].mem);
    const cl_mem out = desc->no_keys ? b->indices.mem : b->keys_out.mem;
    if (status == EXIT_FINE) status = device_run(device, submit, job, out, seconds);
    return status;
}

static int store(const cli_device *device, const sort_request *request, const npy_input *input,
                 const npy_input *values, const sort_job *job) {
    const clprims_sort_buffers *const b = &job->buffers;
    const bool indices = b->indices.mem != NULL;
    const device_result keys = {b->keys_out.mem, request->out, input->type, 1, job->n, 1,
                                input->is_bool};
    const device_result order = {b->indices.mem, request->out, CLPRIMS_I64, 1, job->n, 1, false};
    const device_result moved = {
        b->payload_out[0].mem, request->values_out, values->type, 1, job->n, 1, values->is_bool};
    const device_result results[] = {indices ? order : keys, moved};
    return device_store_all(device, results, request->values ? 2 : 1);
}

/* The bytes that must move: inputs read once, results written once. */
static int print_stats(const cli_device *device, const clprims_sort_desc *desc, const sort_job *job,
                       double seconds) {
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    char rate[128];
    const int status = library_exit(clprims_sort_describe(job->sort, job->n, &info));
    if (status != EXIT_FINE) return status;
    const size_t key = clprims_type_bytes(desc->type);
    const size_t written = desc->no_keys ? sizeof(int64_t) : key;
    device_print_rate(rate, sizeof rate, seconds,
                      job->n * (key + written + 2 * desc->payload_bytes[0]));
    remark("%zu %s by %s (%s; %s) on %s (%s layer): %s", job->n, clprims_type_name(desc->type),
           clprims_sort_algorithm_name(info.algorithm), info.variant, info.reason,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static void release(sort_job *job) {
    const clprims_sort_buffers *const b = &job->buffers;
    DEVICE_FREE(b->keys_in.mem, b->keys_out.mem, b->payload_in[0].mem, b->payload_out[0].mem,
                b->indices.mem);
    clprims_sort_destroy(job->sort);
}

static int run(bool indices, int argc, char **argv) {
    sort_request request = {0};
    cli_settings common = {0};
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    npy_input input = NPY_INPUT_INIT, values = NPY_INPUT_INIT;
    cli_device device = {0};
    sort_job job = {.buffers = CLPRIMS_SORT_BUFFERS_INIT};
    double seconds = 0;
    int status = EXIT_FINE;
    if (!read_request(indices, &request, &common, argc, argv, &status)) return status;
    const bool stats = common.stats != NULL;
    status = npy_open(&input, request.in);
    if (status == EXIT_FINE && request.values) status = npy_open(&values, request.values);
    if (status == EXIT_FINE && request.values) status = check_values(&values, &input);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    describe(indices, &request, &input, &values, &desc);
    if (status == EXIT_FINE)
        status = library_exit(clprims_sort_create(&job.sort, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &desc, &input, &values, stats ? &seconds : NULL, &job);
    if (status == EXIT_FINE) status = store(&device, &request, &input, &values, &job);
    if (status == EXIT_FINE && stats) status = print_stats(&device, &desc, &job, seconds);
    release(&job);
    device_close(&device);
    npy_close(&values);
    npy_close(&input);
    return status;
}

int sort_command(int argc, char **argv) {
    return run(false, argc, argv);
}

int argsort_command(int argc, char **argv) {
    return run(true, argc, argv);
}
