/* SPDX-License-Identifier: MIT */
/* clprims sort and argsort: an array in; its elements in order, or the indices that would sort it,
 * out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"
#include "cli/message.h"

#include <stdio.h>

typedef struct sort_request {
    const char *descending;
    const char *offsets;
    const char *values;
    const char *values_out;
    const char *in;
    const char *out;
} sort_request;

typedef struct sort_job {
    clprims_sort *sort;
    clprims_segmented_sort *segmented; /* with offsets, in the place of sort */
    clprims_sort_buffers buffers;
    clprims_buffer offsets, report;
    size_t n, segments;
} sort_job;

/* The arrays that a command reads; offsets and values where they are asked for. */
typedef struct sort_inputs {
    npy_input keys, values, offsets;
} sort_inputs;

static bool read_request(bool indices, sort_request *request, cli_settings *common, int argc,
                         char **argv, int *exit_status) {
    cli_option options[6];
    size_t count = 0;
    options[count++] = (cli_option){"--descending", NULL,
                                    "the greatest element first; equal ones keep their order",
                                    OPTIONAL, &request->descending};
    options[count++] = (cli_option){"--offsets", "O.npy",
                                    "int32 or int64: elements O[i] to O[i + 1], excluded, are "
                                    "sorted by themselves",
                                    OPTIONAL, &request->offsets};
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
        indices
            ? "Gives the indices, int64, that would sort an array, as NumPy's argsort with "
              "kind=\"stable\".\nNaN comes last, also when descending. With --offsets the indices "
              "of each segment are\nthose within the whole array, and -1 for elements in no "
              "segment."
            : "Sorts an array, as NumPy's sort with kind=\"stable\". NaN comes last, also when "
              "descending.\nElements in no segment, before the first offset and from the last "
              "on, stay as they are.",
        options, count};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    if ((request->values != NULL) != (request->values_out != NULL))
        *exit_status = complain(EXIT_USAGE,
                                "--values and --values-out need each other; %s is not "
                                "given",
                                request->values ? "--values-out" : "--values");
    return *exit_status == EXIT_FINE;
}

static int open_inputs(const sort_request *request, sort_inputs *inputs) {
    const npy_input *const keys = &inputs->keys, *const values = &inputs->values;
    int status = npy_open(&inputs->keys, request->in);
    if (status == EXIT_FINE && request->values) status = npy_open(&inputs->values, request->values);
    if (status == EXIT_FINE && request->values && values->n != keys->n)
        status = complain(EXIT_USAGE, "%s: it has %zu values for the %zu elements of %s",
                          values->path, values->n, keys->n, keys->path);
    if (status != EXIT_FINE || !request->offsets) return status;
    status = npy_open(&inputs->offsets, request->offsets);
    return status == EXIT_FINE ? offsets_check_input(&inputs->offsets) : status;
}

static void describe(bool indices, const sort_request *request, const sort_inputs *inputs,
                     clprims_sort_desc *desc) {
    desc->type = inputs->keys.type;
    desc->descending = request->descending != NULL;
    desc->no_keys = indices;
    if (indices) desc->indices = CLPRIMS_I64;
    if (request->values) {
        desc->payloads = 1;
        desc->payload_bytes[0] = clprims_type_bytes(inputs->values.type);
    }
    desc->max_n = inputs->keys.n > 0 ? inputs->keys.n : 1;
}

static int create(const cli_device *device, const clprims_sort_desc *desc, const npy_input *offsets,
                  sort_job *job) {
    clprims_segmented_sort_desc segmented = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    if (offsets->n == 0)
        return library_exit(clprims_sort_create(&job->sort, device->context, desc));
    job->segments = offsets->n - 1;
    segmented.type = desc->type;
    segmented.descending = desc->descending;
    segmented.payloads = desc->payloads;
    segmented.payload_bytes[0] = desc->payload_bytes[0];
    segmented.indices = desc->indices;
    segmented.no_keys = desc->no_keys;
    segmented.offsets = offsets->type;
    segmented.max_n = desc->max_n;
    segmented.max_segments = job->segments;
    return library_exit(
        clprims_segmented_sort_create(&job->segmented, device->context, &segmented));
}

/* ---- The run ---- */

/* Each array is sorted in its own place. */
static int allocate(const cli_device *device, const clprims_sort_desc *desc,
                    const npy_input *offsets, sort_job *job) {
    const size_t bytes = job->n * clprims_type_bytes(desc->type);
    const size_t value_bytes = job->n * desc->payload_bytes[0];
    clprims_sort_buffers *const b = &job->buffers;
    int status = device_allocate(device, "the input", bytes, &b->keys_in.mem);
    if (status == EXIT_FINE && desc->payloads > 0)
        status = device_allocate(device, "the values", value_bytes, &b->payload_in[0].mem);
    if (status == EXIT_FINE && desc->no_keys)
        status = device_allocate(device, "the indices", job->n * sizeof(int64_t), &b->indices.mem);
    if (status == EXIT_FINE && job->segmented != NULL)
        status = device_allocate(device, "the offsets",
                                 offsets->n * clprims_type_bytes(offsets->type), &job->offsets.mem);
    if (status == EXIT_FINE && job->segmented != NULL)
        status = device_allocate(device, "the report", sizeof(clprims_segmented_sort_report),
                                 &job->report.mem);
    if (!desc->no_keys) b->keys_out = b->keys_in;
    b->payload_out[0] = b->payload_in[0];
    return status;
}

/* An element in no segment has the index -1. */
static int clear_indices(const cli_device *device, const sort_job *job) {
    const cl_long none = -1;
    if (job->segmented == NULL || job->buffers.indices.mem == NULL) return EXIT_FINE;
    return device_fill(device, "the indices", job->buffers.indices.mem, &none, sizeof none, job->n);
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const sort_job *const s = job;
    const clprims_sort_buffers *const b = &s->buffers;
    if (s->segmented == NULL) return clprims_sort_enqueue(s->sort, queue, b, s->n, 0, NULL, event);
    clprims_segmented_sort_buffers buffers = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    buffers.offsets = s->offsets;
    buffers.report = s->report;
    buffers.keys_in = b->keys_in;
    buffers.keys_out = b->keys_out;
    buffers.payload_in[0] = b->payload_in[0];
    buffers.payload_out[0] = b->payload_out[0];
    buffers.indices = b->indices;
    return clprims_segmented_sort_enqueue(s->segmented, queue, &buffers, s->n, s->segments, 0, NULL,
                                          event);
}

static int check_report(const cli_device *device, const npy_input *offsets, const sort_job *job) {
    clprims_segmented_sort_report report;
    if (job->segmented == NULL) return EXIT_FINE;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    if (status == EXIT_FINE && report.fault == CLPRIMS_SEGMENTED_SORT_OFFSETS)
        return offsets_complain(device, offsets, job->offsets.mem, report.index, job->n);
    return status == EXIT_FINE ? library_exit(clprims_segmented_sort_check(&report)) : status;
}

static int run_plan(const cli_device *device, const clprims_sort_desc *desc, sort_inputs *inputs,
                    double *seconds, sort_job *job) {
    job->n = inputs->keys.n;
    int status = allocate(device, desc, &inputs->offsets, job);
    const clprims_sort_buffers *const b = &job->buffers;
    if (status == EXIT_FINE) status = device_load(device, &inputs->keys, b->keys_in.mem);
    if (status == EXIT_FINE && desc->payloads > 0)
        status = device_load(device, &inputs->values, b->payload_in[0].mem);
    if (status == EXIT_FINE && job->segmented != NULL)
        status = device_load(device, &inputs->offsets, job->offsets.mem);
    if (status == EXIT_FINE) status = clear_indices(device, job);
    const cl_mem out = desc->no_keys ? b->indices.mem : b->keys_out.mem;
    if (status == EXIT_FINE) status = device_run(device, submit, job, out, seconds);
    return status == EXIT_FINE ? check_report(device, &inputs->offsets, job) : status;
}

static int store(const cli_device *device, const sort_request *request, const sort_inputs *inputs,
                 const sort_job *job) {
    const npy_input *const input = &inputs->keys, *const values = &inputs->values;
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

/* How the elements were sorted. */
static int describe_plan(const sort_job *job, char *text, size_t bytes) {
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    clprims_segmented_sort_info segmented = CLPRIMS_SEGMENTED_SORT_INFO_INIT;
    if (job->segmented == NULL) {
        const int status = library_exit(clprims_sort_describe(job->sort, job->n, &info));
        if (status == EXIT_FINE)
            snprintf(text, bytes, "by %s (%s; %s)", clprims_sort_algorithm_name(info.algorithm),
                     info.variant, info.reason);
        return status;
    }
    const int status = library_exit(
        clprims_segmented_sort_describe(job->segmented, job->n, job->segments, &segmented));
    if (status == EXIT_FINE)
        snprintf(text, bytes, "in %zu segments (%s)", job->segments, segmented.variant);
    return status;
}

/* The bytes that must move: inputs read once, results written once. */
static int print_stats(const cli_device *device, const clprims_sort_desc *desc, const sort_job *job,
                       double seconds) {
    char rate[128], how[256];
    const int status = describe_plan(job, how, sizeof how);
    if (status != EXIT_FINE) return status;
    const size_t key = clprims_type_bytes(desc->type);
    const size_t written = desc->no_keys ? sizeof(int64_t) : key;
    device_print_rate(rate, sizeof rate, seconds,
                      job->n * (key + written + 2 * desc->payload_bytes[0]));
    remark("%zu %s %s on %s (%s layer): %s", job->n, clprims_type_name(desc->type), how,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static void release(sort_job *job) {
    const clprims_sort_buffers *const b = &job->buffers;
    DEVICE_FREE(b->keys_in.mem, b->payload_in[0].mem, b->indices.mem, job->offsets.mem,
                job->report.mem);
    clprims_sort_destroy(job->sort);
    clprims_segmented_sort_destroy(job->segmented);
}

static int run(bool indices, int argc, char **argv) {
    sort_request request = {0};
    cli_settings common = {0};
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    sort_inputs inputs = {NPY_INPUT_INIT, NPY_INPUT_INIT, NPY_INPUT_INIT};
    cli_device device = {0};
    sort_job job = {.buffers = CLPRIMS_SORT_BUFFERS_INIT};
    double seconds = 0;
    int status = EXIT_FINE;
    if (!read_request(indices, &request, &common, argc, argv, &status)) return status;
    const bool stats = common.stats != NULL;
    status = open_inputs(&request, &inputs);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    describe(indices, &request, &inputs, &desc);
    if (status == EXIT_FINE) status = create(&device, &desc, &inputs.offsets, &job);
    if (status == EXIT_FINE)
        status = run_plan(&device, &desc, &inputs, stats ? &seconds : NULL, &job);
    if (status == EXIT_FINE) status = store(&device, &request, &inputs, &job);
    if (status == EXIT_FINE && stats) status = print_stats(&device, &desc, &job, seconds);
    release(&job);
    device_close(&device);
    npy_close(&inputs.offsets);
    npy_close(&inputs.values);
    npy_close(&inputs.keys);
    return status;
}

int sort_command(int argc, char **argv) {
    return run(false, argc, argv);
}

int argsort_command(int argc, char **argv) {
    return run(true, argc, argv);
}
