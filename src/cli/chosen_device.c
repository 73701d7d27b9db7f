/* SPDX-License-Identifier: MIT */
/* The part of the command that speaks OpenCL. Arrays pass through one small block of memory. */
#include "cli/chosen_device.h"

#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 16 * 1024 * 1024, LEAST_BYTES = 8 };

static const char *from_environment(const char *name) {
    const char *const value = getenv(name);
    return value && *value ? value : NULL;
}

int device_options(const char *device, const char *layer, clprims_context_options *options) {
    const char *const source = layer ? "--layer" : "CLPRIMS_LAYER";
    int chosen = CLPRIMS_LAYER_AUTO;
    if (device && !*device)
        return complain(EXIT_USAGE, "--device '' names no device; clprims info lists them");
    options->device = device ? device : from_environment("CLPRIMS_DEVICE");
    options->cl_dir = from_environment("CLPRIMS_CL_DIR");
    options->tuning_file = from_environment("CLPRIMS_TUNING");
    options->probed = from_environment("CLPRIMS_PROBED");
    if (!layer) layer = from_environment(source);
    const int status = value_choose(source, layer, CHOICE_LAYER, &chosen);
    options->layer = (clprims_layer)chosen;
    return status;
}

int device_store(const char *store, clprims_context_options *options) {
    static char folder[4096];
    const char *const cache = from_environment("XDG_CACHE_HOME");
    const bool is_place = cache && *cache == '/'; /* a relative one is to be ignored */
    const char *const local = from_environment("LOCALAPPDATA"); /* Windows' */
    const char *const base = is_place ? cache : local ? local : from_environment("HOME");
    if (store && !*store) return complain(EXIT_USAGE, "--store '' names no folder");
    options->program_store = store;
    if (store || !base) return EXIT_FINE;
    const char *const below = is_place || local ? "clprims" : ".cache/clprims";
    const int length = snprintf(folder, sizeof folder, "%s/%s", base, below);
    if (length > 0 && (size_t)length < sizeof folder) options->program_store = folder;
    return EXIT_FINE;
}

int device_open(cli_device *device, const clprims_context_options *options) {
    const int status = library_exit(clprims_context_create(&device->context, options));
    if (status != EXIT_FINE) return status;
    device->info = (clprims_context_info){0};
    return library_exit(clprims_context_describe(device->context, &device->info));
}

void device_close(cli_device *device) {
    clprims_context_destroy(device->context);
    device->context = NULL;
}

static int fail(const cli_device *device, cl_int code, const char *call) {
    return complain(EXIT_DEVICE, "%s: %s failed with OpenCL error %d", device->info.device.name,
                    call, (int)code);
}

int device_allocate(const cli_device *device, const char *what, size_t bytes, cl_mem *out) {
    const clprims_device_info *const info = &device->info.device;
    cl_int code = CL_SUCCESS;
    *out = clCreateBuffer(device->info.context, CL_MEM_READ_WRITE,
                          bytes > LEAST_BYTES ? bytes : LEAST_BYTES, NULL, &code);
    if (code == CL_SUCCESS) return EXIT_FINE;
    *out = NULL;
    return complain(EXIT_DEVICE,
                    "%s: no %zu bytes for %s (OpenCL error %d); it has %llu bytes, at most %llu in "
                    "one piece",
                    info->name, bytes, what, (int)code, (unsigned long long)info->memory_bytes,
                    (unsigned long long)info->max_alloc_bytes);
}

static int allocate_block(void **block) {
    *block = malloc(BLOCK_BYTES);
    return *block ? EXIT_FINE
                  : complain(EXIT_DEVICE, "no %d bytes of memory to copy through", BLOCK_BYTES);
}

int device_load(const cli_device *device, npy_input *input, cl_mem mem, device_check check) {
    const size_t element = clprims_type_bytes(input->type), bytes = input->n * element;
    void *block = NULL;
    int status = allocate_block(&block);
    for (size_t done = 0; status == EXIT_FINE && done < bytes; done += BLOCK_BYTES) {
        const size_t count = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        status = npy_read(input, block, count);
        if (status == EXIT_FINE && check)
            status = check(input, block, done / element, count / element);
        if (status != EXIT_FINE) break;
        const clprims_buffer to = {mem, done};
        status = library_exit(clprims_buffer_write(device->context, to, 1, count, block));
    }
    free(block);
    return status == EXIT_FINE ? npy_expect_end(input) : status;
}

/* ---- Storing ---- */

int device_read(const cli_device *device, cl_mem mem, size_t at, size_t bytes, void *out) {
    const clprims_buffer from = {mem, at};
    return library_exit(clprims_buffer_read(device->context, from, 1, bytes, out));
}

static int store_elements(const cli_device *device, cl_mem mem, cli_output *output, size_t bytes) {
    void *block = NULL;
    int status = allocate_block(&block);
    for (size_t done = 0; status == EXIT_FINE && done < bytes; done += BLOCK_BYTES) {
        const size_t count = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        status = device_read(device, mem, done, count, block);
        if (status == EXIT_FINE) status = output_write(output, block, count);
    }
    free(block);
    return status;
}

static int store(const cli_device *device, const device_result *result, cli_output *output) {
    const npy_array *const array = &result->array;
    const size_t n = array->rows * array->columns;
    int status = npy_write_header(output, array);
    if (status == EXIT_FINE)
        status = store_elements(device, result->mem, output, n * clprims_type_bytes(array->type));
    return status == EXIT_FINE ? output_finish(output) : status;
}

/* Before a byte is written. */
static int open_outputs(const device_result *results, size_t count, cli_output *outputs) {
    int status = EXIT_FINE;
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i)
        status = output_find(&outputs[i], results[i].path);
    if (status == EXIT_FINE) status = outputs_check(outputs, count);
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) status = output_open(&outputs[i]);
    return status;
}

/* What can't be taken back comes when the files are safe, and names come last. */
int device_store_all(const cli_device *device, const device_result *results, size_t count) {
    cli_output outputs[OUTPUTS_MOST] = {OUTPUT_INIT, OUTPUT_INIT};
    int status = open_outputs(results, count, outputs);
    for (int files = 1; files >= 0; --files)
        for (size_t i = 0; i < count && status == EXIT_FINE; ++i)
            if (output_is_file(&outputs[i]) == (files == 1))
                status = store(device, &results[i], &outputs[i]);
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) status = output_publish(&outputs[i]);
    for (size_t i = 0; i < count; ++i) output_close(&outputs[i]);
    return status;
}

int device_fill(const cli_device *device, cl_mem mem, const void *value, size_t element_bytes,
                size_t count) {
    const clprims_buffer all = {mem, 0};
    return library_exit(clprims_buffer_fill(device->context, all, element_bytes, count, value));
}

void device_free(const cl_mem *mems, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (mems[i]) clReleaseMemObject(mems[i]);
}

static int run_once(const cli_device *device, device_submit submit, void *job, cl_event *event) {
    int status = library_exit(submit(job, device->info.queue, event));
    if (status != EXIT_FINE) return status;
    const cl_int code = clWaitForEvents(1, event);
    return code == CL_SUCCESS ? EXIT_FINE : fail(device, code, "clWaitForEvents");
}

static int read_clock(const cli_device *device, cl_event event, cl_ulong *nanoseconds) {
    const cl_int code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
                                                sizeof *nanoseconds, nanoseconds, NULL);
    return code == CL_SUCCESS ? EXIT_FINE : fail(device, code, "clGetEventProfilingInfo");
}

int device_run(const cli_device *device, device_submit submit, void *job) {
    cl_event event = NULL;
    const int status = run_once(device, submit, job, &event);
    if (event) clReleaseEvent(event);
    return status;
}

/*
 * A run may be a chain of kernels, of which the event shows the last. So the clock starts where a
 * short command before the run ends.
 */
int device_measure(const cli_device *device, device_submit submit, void *job, double *seconds) {
    const cl_int zero = 0;
    cl_mem scratch = NULL;
    cl_event before = NULL, after = NULL;
    cl_ulong first = 0, last = 0;
    int status = device_allocate(device, "the clock", sizeof zero, &scratch);
    if (status != EXIT_FINE) return status;
    const cl_int code = clEnqueueFillBuffer(device->info.queue, scratch, &zero, sizeof zero, 0,
                                            sizeof zero, 0, NULL, &before);
    status = code == CL_SUCCESS ? run_once(device, submit, job, &after)
                                : fail(device, code, "clEnqueueFillBuffer");
    if (status == EXIT_FINE) status = read_clock(device, before, &first);
    if (status == EXIT_FINE) status = read_clock(device, after, &last);
    *seconds = last > first ? (double)(last - first) * 1e-9 : 0;
    if (after) clReleaseEvent(after);
    if (before) clReleaseEvent(before);
    device_free(&scratch, 1);
    return status;
}
