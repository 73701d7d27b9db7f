/* SPDX-License-Identifier: MIT */
/*
 * What a call costs beside the work itself, for few elements: the host's time in enqueue, the time
 * until the result is there beside that of a kernel that does nothing, and the making of a plan.
 */
#include "harness/bench.h"
#include "suites/suites.h"
#include <stdlib.h>
#include <time.h>

enum { RUNS = 201, PLANS = 5, N = 1 << 16, GROUP = 256 };

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

typedef struct subject {
    bench *b;
    clprims_scan *scan;
    cl_kernel empty;
    cl_mem in, out;
    double cpu[RUNS], enqueue[RUNS], call[RUNS], nothing[RUNS], plan[PLANS];
    const char *fault;
} subject;

static clprims_scan_desc describe(void) {
    clprims_scan_desc desc = {0};
    desc.type = CLPRIMS_I32;
    desc.max_n = N;
    return desc;
}

static bool time_plans(subject *s) {
    const clprims_scan_desc desc = describe();
    /* The first one compiles, or finds the driver's cache; the others are what a user meets who
     * has made an equal plan before. */
    for (int k = -1; k < PLANS; k++) {
        clprims_scan_destroy(s->scan);
        const double began = bench_now();
        if (clprims_scan_create(&s->scan, s->b->context, &desc) != CLPRIMS_OK) return false;
        if (k >= 0) s->plan[k] = bench_now() - began;
    }
    return true;
}

static bool time_scan(subject *s, int run) {
    cl_command_queue queue = s->b->info.queue;
    const clprims_buffer in = {s->in, 0}, out = {s->out, 0};
    const double cpu = now(CLOCK_THREAD_CPUTIME_ID), began = bench_now();
    if (clprims_scan_enqueue(s->scan, queue, &(clprims_scan_buffers){.in = in, .out = out}, N, 0,
                             NULL, NULL) != CLPRIMS_OK)
        return false;
    s->enqueue[run] = bench_now() - began;
    s->cpu[run] = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
    bench_cl(clFinish(queue), "clFinish");
    s->call[run] = bench_now() - began;
    return true;
}

static void time_nothing(subject *s, int run) {
    cl_command_queue queue = s->b->info.queue;
    const size_t group = s->b->is_cpu ? 1 : GROUP;
    const double began = bench_now();
    bench_cl(clEnqueueNDRangeKernel(queue, s->empty, 1, NULL, &group, &group, 0, NULL, NULL),
             "the empty kernel");
    bench_cl(clFinish(queue), "clFinish");
    s->nothing[run] = bench_now() - began;
}

static void verify(subject *s) {
    cl_int *sums = bench_alloc(N * sizeof *sums);
    bench_read(s->b, s->out, 0, N * sizeof *sums, sums);
    for (cl_int i = 0; i < N && s->fault == NULL; i++)
        if (sums[i] != (cl_int)((cl_uint)i * 3u)) s->fault = "not the sums of 3, 3, 3 ...";
    free(sums);
}

static const char *const names[] = {"plan made again", "enqueue, processor time", "enqueue",
                                    "call until its end", "empty kernel until its end"};

/* All are measured together, under the suite's name as well. */
static bool is_wanted(const bench *b, const char *name) {
    return bench_wanted(&b->options, "calls") || bench_wanted(&b->options, name);
}

static void report(subject *s, const char *name, double *seconds, size_t runs) {
    const bench_row row = {.suite = "calls",
                           .name = name,
                           .method = "int32 add excl",
                           .n = N,
                           .time = bench_summarize(seconds, runs),
                           .fault = s->fault};
    if (!is_wanted(s->b, name)) return;
    bench_row_report(s->b, &row);
}

static void measure(subject *s) {
    const cl_int three = 3;
    bench_cl(clEnqueueFillBuffer(s->b->info.queue, s->in, &three, sizeof three, 0, N * sizeof three,
                                 0, NULL, NULL),
             "clEnqueueFillBuffer");
    bool good = time_plans(s);
    for (int run = -20; run < RUNS && good; run++) {
        good = time_scan(s, run < 0 ? 0 : run);
        time_nothing(s, run < 0 ? 0 : run);
    }
    if (good) {
        verify(s);
    } else {
        s->fault = clprims_last_error()->message;
    }
    report(s, names[0], s->plan, PLANS);
    report(s, names[1], s->cpu, RUNS);
    report(s, names[2], s->enqueue, RUNS);
    report(s, names[3], s->call, RUNS);
    report(s, names[4], s->nothing, RUNS);
}

void bench_calls(bench *b) {
    static const char source[] = "kernel void nothing(void) {}\n";
    static subject s;
    const char *text = source;
    cl_int code = CL_SUCCESS;
    s = (subject){.b = b};
    bool any = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) any = any || is_wanted(b, names[k]);
    if (!any) return;
    bench_table_begin("calls");
    cl_program program = clCreateProgramWithSource(b->info.context, 1, &text, NULL, &code);
    bench_cl(code, "clCreateProgramWithSource");
    bench_cl(clBuildProgram(program, 1, &b->info.device_id, "", NULL, NULL), "clBuildProgram");
    s.empty = clCreateKernel(program, "nothing", &code);
    bench_cl(code, "clCreateKernel");
    s.in = bench_buffer(b, N * sizeof(cl_int));
    s.out = bench_buffer(b, N * sizeof(cl_int));
    measure(&s);
    clprims_scan_destroy(s.scan);
    clReleaseMemObject(s.in);
    clReleaseMemObject(s.out);
    clReleaseKernel(s.empty);
    clReleaseProgram(program);
}
