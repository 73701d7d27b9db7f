/* SPDX-License-Identifier: MIT */
/*
 * Device times by profiling events, and the copy that they are compared with.
 *
 * A time is that from the end of a spacer kernel to the end of the job's last command, in an
 * in-order queue. The spacer keeps the device busy while the host submits the job, so that the
 * time holds the gaps between the job's commands but not the host's own slowness.
 */
#include "harness/bench.h"
#include <stdlib.h>

enum { RUNS = 15, FAST_RUNS = 31, LEAST_RUNS = 3, COPY_CHUNK_BYTES = 64 * 1024, PAGE = 4096 };

static const double BUDGET_SECONDS = 2.5;
static const double FAST_SECONDS = 1e-3;
static const double SPACER_SECONDS = 150e-6;
static const double HOST_SECONDS = 0.05;

static const char tools_source[] =
    "kernel void spin(uint turns, global uint *sink) {\n"
    "    uint x = sink[0] + turns;\n"
    "    for (uint i = 0; i < turns; i++) x = (x ^ (x >> 7)) * 1664525u + i;\n"
    "    sink[0] = x;\n"
    "}\n"
    "kernel void copy16(global const uint4 *from, global uint4 *to) {\n"
    "    to[get_global_id(0)] = from[get_global_id(0)];\n"
    "}\n"
    "kernel void copy_chunk(global const ulong8 *from, global ulong8 *to, ulong n, ulong chunk) {\n"
    "    const ulong first = get_global_id(0) * chunk;\n"
    "    const ulong end = min(first + chunk, n);\n"
    "    for (ulong i = first; i < end; i++) to[i] = from[i];\n"
    "}\n";

static cl_kernel kernel_of(bench *b, const char *name) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(b->tools.program, name, &code);
    bench_cl(code, name);
    return kernel;
}

static cl_event enqueue_spacer(bench *b) {
    bench_tools *tools = &b->tools;
    const size_t one = 1;
    cl_event event = NULL;
    bench_cl(clSetKernelArg(tools->spin, 0, sizeof tools->spin_turns, &tools->spin_turns), "spin");
    bench_cl(clSetKernelArg(tools->spin, 1, sizeof tools->sink, &tools->sink), "spin");
    bench_cl(
        clEnqueueNDRangeKernel(b->info.queue, tools->spin, 1, NULL, &one, &one, 0, NULL, &event),
        "spin");
    return event;
}

static cl_ulong event_time(cl_event event, cl_profiling_info which) {
    cl_ulong nanoseconds = 0;
    bench_cl(clGetEventProfilingInfo(event, which, sizeof nanoseconds, &nanoseconds, NULL),
             "clGetEventProfilingInfo");
    return nanoseconds;
}

/* Subtracted as integers: a double holds a time of day to a quarter of a microsecond only. */
static double seconds_between(cl_ulong began, cl_ulong ended) {
    return ended >= began ? (double)(ended - began) * 1e-9 : -(double)(began - ended) * 1e-9;
}

/* Finds how many turns keep the device busy for SPACER_SECONDS. */
static void calibrate_spacer(bench *b) {
    bench_tools *tools = &b->tools;
    tools->spin_turns = 256;
    double seconds = 0;
    while (seconds < SPACER_SECONDS && tools->spin_turns < (1u << 28)) {
        tools->spin_turns *= 2;
        cl_event event = enqueue_spacer(b);
        bench_cl(clWaitForEvents(1, &event), "spin");
        seconds = seconds_between(event_time(event, CL_PROFILING_COMMAND_START),
                                  event_time(event, CL_PROFILING_COMMAND_END));
        clReleaseEvent(event);
    }
}

void bench_tools_create(bench *b) {
    bench_tools *tools = &b->tools;
    const char *source = tools_source;
    cl_int code = CL_SUCCESS;
    bench_step("building the copy kernels");
    tools->program = clCreateProgramWithSource(b->info.context, 1, &source, NULL, &code);
    bench_cl(code, "clCreateProgramWithSource");
    bench_cl(clBuildProgram(tools->program, 1, &b->info.device_id, "-cl-std=CL1.2", NULL, NULL),
             "clBuildProgram");
    tools->spin = kernel_of(b, "spin");
    tools->copy16 = kernel_of(b, "copy16");
    tools->copy_chunk = kernel_of(b, "copy_chunk");
    tools->sink = bench_buffer(b, sizeof(cl_uint));
    calibrate_spacer(b);
}

void bench_tools_destroy(bench *b) {
    bench_tools *tools = &b->tools;
    if (tools->from != NULL) clReleaseMemObject(tools->from);
    if (tools->to != NULL) clReleaseMemObject(tools->to);
    clReleaseMemObject(tools->sink);
    clReleaseKernel(tools->spin);
    clReleaseKernel(tools->copy16);
    clReleaseKernel(tools->copy_chunk);
    clReleaseProgram(tools->program);
}

void bench_space(bench *b) {
    clReleaseEvent(enqueue_spacer(b));
}

/* One run behind a spacer; *seconds is its time on the device. */
static clprims_status run_timed(bench *b, bench_job job, double *seconds) {
    cl_event spacer = enqueue_spacer(b);
    cl_event event = NULL;
    const clprims_status status = job.submit(job.self, b->info.queue, &event);
    if (status == CLPRIMS_OK) {
        bench_cl(clWaitForEvents(1, &event), "waiting for a timed run");
        *seconds = seconds_between(event_time(spacer, CL_PROFILING_COMMAND_END),
                                   event_time(event, CL_PROFILING_COMMAND_END));
        clReleaseEvent(event);
    }
    clReleaseEvent(spacer);
    return status;
}

clprims_status bench_once(bench *b, bench_job job) {
    double seconds = 0;
    return run_timed(b, job, &seconds);
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_time bench_summarize(double *seconds, size_t runs) {
    qsort(seconds, runs, sizeof *seconds, compare_doubles);
    const double median =
        runs % 2 == 1 ? seconds[runs / 2] : (seconds[runs / 2 - 1] + seconds[runs / 2]) / 2;
    const double spread = (seconds[runs - 1 - runs / 4] - seconds[runs / 4]) / 2;
    return (bench_time){median, seconds[0], seconds[runs - 1], spread, runs, 0};
}

double bench_budget(const bench *b, double seconds) {
    return b->options.brief ? seconds / 10 : seconds;
}

/* The host's median time of a call on an idle queue, from before the call until it is done. */
static clprims_status measure_wall(bench *b, bench_job job, double device_seconds, double *wall) {
    double seconds[RUNS];
    size_t runs = 0;
    double total = 0;
    const double budget = bench_budget(b, BUDGET_SECONDS);
    while (runs < RUNS && (runs < LEAST_RUNS || total < budget / 4)) {
        cl_event event = NULL;
        bench_cl(clFinish(b->info.queue), "clFinish");
        const double began = bench_now();
        const clprims_status status = job.submit(job.self, b->info.queue, &event);
        if (status != CLPRIMS_OK) return status;
        bench_cl(clWaitForEvents(1, &event), "waiting for a timed run");
        seconds[runs] = bench_now() - began;
        clReleaseEvent(event);
        total += seconds[runs++];
        if (device_seconds > budget) break;
    }
    *wall = bench_summarize(seconds, runs).median;
    return CLPRIMS_OK;
}

clprims_status bench_measure(bench *b, bench_job job, bench_time *time) {
    double seconds[FAST_RUNS] = {0}, warm_up = 0, total = 0;
    const double budget = bench_budget(b, BUDGET_SECONDS);
    size_t runs = 0, wanted = RUNS;
    clprims_status status = run_timed(b, job, &warm_up);
    while (status == CLPRIMS_OK && runs < wanted && (runs < LEAST_RUNS || total < budget)) {
        status = run_timed(b, job, &seconds[runs]);
        total += seconds[runs++];
        if (runs == LEAST_RUNS && total < LEAST_RUNS * FAST_SECONDS) wanted = FAST_RUNS;
    }
    if (status != CLPRIMS_OK) return status;
    *time = bench_summarize(seconds, runs);
    return measure_wall(b, job, time->median, &time->wall);
}

typedef struct copy_job {
    bench *b;
    size_t bytes;
    enum { COPY_COMMAND, COPY_CHUNKS, COPY_16_BYTES } way;
} copy_job;

static clprims_status submit_copy(void *self, cl_command_queue queue, cl_event *event) {
    const copy_job *copy = self;
    const bench_tools *tools = &copy->b->tools;
    if (copy->way == COPY_COMMAND) {
        bench_cl(
            clEnqueueCopyBuffer(queue, tools->from, tools->to, 0, 0, copy->bytes, 0, NULL, event),
            "clEnqueueCopyBuffer");
        return CLPRIMS_OK;
    }
    const bool chunks = copy->way == COPY_CHUNKS;
    cl_kernel kernel = chunks ? tools->copy_chunk : tools->copy16;
    const size_t group = chunks ? 1 : PAGE / 16;
    size_t items = (copy->bytes + PAGE - 1) / PAGE * group;
    bench_cl(clSetKernelArg(kernel, 0, sizeof tools->from, &tools->from), "copy");
    bench_cl(clSetKernelArg(kernel, 1, sizeof tools->to, &tools->to), "copy");
    if (chunks) {
        const cl_ulong n = (copy->bytes + 63) / 64, chunk = COPY_CHUNK_BYTES / 64;
        items = (size_t)((n + chunk - 1) / chunk);
        bench_cl(clSetKernelArg(kernel, 2, sizeof n, &n), "copy");
        bench_cl(clSetKernelArg(kernel, 3, sizeof chunk, &chunk), "copy");
    }
    bench_cl(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, event),
             "copy");
    return CLPRIMS_OK;
}

static double copy_seconds_of(copy_job copy) {
    const bench_job job = {submit_copy, &copy};
    bench_time time = {0};
    if (bench_once(copy.b, job) != CLPRIMS_OK || bench_measure(copy.b, job, &time) != CLPRIMS_OK)
        return 0;
    return time.median;
}

double bench_copy_seconds(bench *b, double bytes) {
    bench_tools *tools = &b->tools;
    copy_job copy = {b, (size_t)(bytes / 2), COPY_16_BYTES};
    if (copy.bytes == 0) copy.bytes = 1;
    const size_t capacity = (copy.bytes + PAGE - 1) / PAGE * PAGE;
    if (capacity > tools->copy_capacity) {
        if (tools->from != NULL) clReleaseMemObject(tools->from);
        if (tools->to != NULL) clReleaseMemObject(tools->to);
        tools->from = bench_buffer(b, capacity);
        tools->to = bench_buffer(b, capacity);
        tools->copy_capacity = capacity;
    }
    if (!b->is_cpu) return copy_seconds_of(copy);
    /* Neighbouring work-items are no way to copy on a CPU: the faster of the two that are counts.
     */
    copy.way = COPY_COMMAND;
    const double command = copy_seconds_of(copy);
    copy.way = COPY_CHUNKS;
    const double chunks = copy_seconds_of(copy);
    return command < chunks ? command : chunks;
}

/* No turns: it reads and writes one word. */
static clprims_status submit_nothing(void *self, cl_command_queue queue, cl_event *event) {
    const bench_tools *tools = &((const bench *)self)->tools;
    const cl_uint turns = 0;
    const size_t one = 1;
    bench_cl(clSetKernelArg(tools->spin, 0, sizeof turns, &turns), "spin");
    bench_cl(clEnqueueNDRangeKernel(queue, tools->spin, 1, NULL, &one, &one, 0, NULL, event),
             "spin");
    return CLPRIMS_OK;
}

double bench_launch_seconds(bench *b) {
    bench_time time = {0};
    if (bench_measure(b, (bench_job){submit_nothing, b}, &time) != CLPRIMS_OK) return 0;
    return time.median;
}

double bench_host_seconds(void (*work)(void *self), void *self) {
    double seconds[RUNS], total = 0;
    size_t runs = 0;
    while (runs < 1 || (runs < RUNS && total < HOST_SECONDS)) {
        const double began = bench_now();
        work(self);
        seconds[runs] = bench_now() - began;
        total += seconds[runs++];
    }
    return bench_summarize(seconds, runs).median;
}
