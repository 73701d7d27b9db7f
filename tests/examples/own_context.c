/* SPDX-License-Identifier: MIT */
/*
 * Inside an application that has its own OpenCL context, queue, buffers and kernels: the library
 * works among them. Histogram counts become offsets between two kernels of the application, all of
 * it submitted at once and tied together by events; the host waits once, at the end.
 */
#define CL_TARGET_OPENCL_VERSION 120 /* which has clCreateCommandQueue; the default is 3.0 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 100000, BINS = 256 };

static const char kernels[] =
    "kernel void count(global const uint *keys, global uint *counts) {\n"
    "    atomic_inc(&counts[keys[get_global_id(0)] % 256]);\n"
    "}\n"
    "kernel void place(global const uint *keys, global uint *next, global uint *sorted) {\n"
    "    const uint key = keys[get_global_id(0)];\n"
    "    sorted[atomic_inc(&next[key % 256])] = key;\n"
    "}\n";

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, (int)code);
    exit(EXIT_FAILURE);
}

static void check_clprims(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

/* What the application has already. */
typedef struct application {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* out of order: events alone say what waits for what */
    cl_program program;
    cl_kernel count, place;
    cl_mem in, bins, out;
} application;

static application open_application(void) {
    application app;
    cl_platform_id platform;
    cl_int code;
    const char *text = kernels;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &app.device, NULL), "device");
    app.context = clCreateContext(NULL, 1, &app.device, NULL, NULL, &code);
    check(code, "context");
    app.queue = clCreateCommandQueue(app.context, app.device,
                                     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    check(code, "queue");
    app.program = clCreateProgramWithSource(app.context, 1, &text, NULL, &code);
    check(code, "program");
    check(clBuildProgram(app.program, 1, &app.device, "", NULL, NULL), "program");
    app.count = clCreateKernel(app.program, "count", &code);
    check(code, "count");
    app.place = clCreateKernel(app.program, "place", &code);
    check(code, "place");
    app.in = clCreateBuffer(app.context, CL_MEM_READ_ONLY, KEYS * sizeof(cl_uint), NULL, &code);
    check(code, "keys");
    app.out = clCreateBuffer(app.context, CL_MEM_READ_WRITE, KEYS * sizeof(cl_uint), NULL, &code);
    check(code, "sorted keys");
    app.bins = clCreateBuffer(app.context, CL_MEM_READ_WRITE, BINS * sizeof(cl_uint), NULL, &code);
    check(code, "bins");
    clSetKernelArg(app.count, 0, sizeof app.in, &app.in);
    clSetKernelArg(app.count, 1, sizeof app.bins, &app.bins);
    clSetKernelArg(app.place, 0, sizeof app.in, &app.in);
    clSetKernelArg(app.place, 1, sizeof app.bins, &app.bins);
    clSetKernelArg(app.place, 2, sizeof app.out, &app.out);
    return app;
}

static void close_application(application *app) {
    clReleaseMemObject(app->in);
    clReleaseMemObject(app->out);
    clReleaseMemObject(app->bins);
    clReleaseKernel(app->count);
    clReleaseKernel(app->place);
    clReleaseProgram(app->program);
    clReleaseCommandQueue(app->queue);
    clReleaseContext(app->context);
}

/* One chain: keys and zeros in, count, scan the counts in place, place the keys, keys out. */
static void sort_keys(const application *app, clprims_scan *scan, const cl_uint *keys,
                      cl_uint *sorted) {
    const cl_uint zero = 0;
    const size_t n = KEYS, bytes = KEYS * sizeof *keys;
    const clprims_buffer counts = {app->bins, 0};
    cl_event ready[2], counted, scanned, placed;
    check(clEnqueueWriteBuffer(app->queue, app->in, CL_FALSE, 0, bytes, keys, 0, NULL, &ready[0]),
          "write");
    check(clEnqueueFillBuffer(app->queue, app->bins, &zero, sizeof zero, 0, BINS * sizeof zero, 0,
                              NULL, &ready[1]),
          "fill");
    check(clEnqueueNDRangeKernel(app->queue, app->count, 1, NULL, &n, NULL, 2, ready, &counted),
          "count");
    check_clprims(clprims_scan_enqueue(scan, app->queue,
                                       &(clprims_scan_buffers){.in = counts, .out = counts}, BINS,
                                       1, &counted, &scanned));
    check(clEnqueueNDRangeKernel(app->queue, app->place, 1, NULL, &n, NULL, 1, &scanned, &placed),
          "place");
    check(clEnqueueReadBuffer(app->queue, app->out, CL_TRUE, 0, bytes, sorted, 1, &placed, NULL),
          "read");
    const cl_event events[] = {ready[0], ready[1], counted, scanned, placed};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) clReleaseEvent(events[i]);
}

int main(void) {
    static cl_uint keys[KEYS], sorted[KEYS];
    for (cl_uint i = 0; i < KEYS; i++) keys[i] = i * 2654435761u >> 7;
    application app = open_application();

    clprims_context_options options = {.context = app.context, .device_id = app.device};
    clprims_context *clprims = NULL;
    check_clprims(clprims_context_create(&clprims, &options));
    clprims_scan_desc desc = {0}; /* an exclusive sum */
    desc.type = CLPRIMS_U32;
    desc.max_n = BINS;
    clprims_scan *scan = NULL;
    check_clprims(clprims_scan_create(&scan, clprims, &desc));

    sort_keys(&app, scan, keys, sorted);
    size_t errors = 0;
    for (size_t i = 1; i < KEYS; i++) errors += sorted[i - 1] % BINS > sorted[i] % BINS;
    printf("%d keys in %d bins, %zu out of place\n", KEYS, BINS, errors);

    clprims_scan_destroy(scan);
    clprims_context_destroy(clprims);
    close_application(&app);
    return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
