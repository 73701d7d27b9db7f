/* SPDX-License-Identifier: MIT */
/* What every suite leans on: the end of the program, memory, buffers, the clock. */
#include "harness/bench.h"
#include "harness/parallel.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FILLED = 1 << 30 };

void bench_die(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "clprims-bench: ");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

void bench_cl(cl_int code, const char *what) {
    if (code != CL_SUCCESS)
        bench_die(BENCH_EXIT_DEVICE, "%s failed with OpenCL status %d", what, (int)code);
}

void *bench_alloc(size_t bytes) {
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) bench_die(BENCH_EXIT_DEVICE, "no host memory for %zu bytes", bytes);
    return memory;
}

static void touch_part(void *self, size_t begin, size_t end) {
    memset((char *)self + begin, 0, end - begin);
}

void *bench_alloc_touched(size_t bytes) {
    void *memory = bench_alloc(bytes);
    bench_parallel(bytes, touch_part, memory);
    return memory;
}

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool bench_fits(const bench *b, double each, double total) {
    /* On a CPU the device's memory is the host's, which needs some for itself. */
    const double share = b->is_cpu ? 0.6 : 0.85;
    return each <= (double)b->info.device.max_alloc_bytes &&
           total <= share * (double)b->info.device.memory_bytes;
}

void bench_buffer_poison(bench *b, cl_mem buffer, size_t bytes) {
    const cl_uint pattern = 0xa5a5a5a5u;
    const size_t whole = (bytes + 3) / 4 * 4;
    const size_t filled = whole < MOST_FILLED ? whole : MOST_FILLED;
    bench_cl(clEnqueueFillBuffer(b->info.queue, buffer, &pattern, sizeof pattern, 0, filled, 0,
                                 NULL, NULL),
             "clEnqueueFillBuffer");
    /* NVIDIA's driver 580.159.04 faults on a fill at an offset of 8 GiB, and never ends a fill of
     * 8 GiB. */
    for (size_t first = filled; first < whole; first += filled) {
        const size_t rest = whole - first;
        bench_cl(clEnqueueCopyBuffer(b->info.queue, buffer, buffer, 0, first,
                                     rest < filled ? rest : filled, 0, NULL, NULL),
                 "clEnqueueCopyBuffer");
    }
    bench_cl(clFinish(b->info.queue), "clEnqueueCopyBuffer");
}

cl_mem bench_buffer(bench *b, size_t bytes) {
    cl_int code = CL_SUCCESS;
    const size_t whole = (bytes + 3) / 4 * 4;
    cl_mem buffer =
        clCreateBuffer(b->info.context, CL_MEM_READ_WRITE, whole > 0 ? whole : 4, NULL, &code);
    if (code != CL_SUCCESS)
        bench_die(BENCH_EXIT_DEVICE, "no buffer of %zu bytes: OpenCL status %d", bytes, (int)code);
    bench_buffer_poison(b, buffer, bytes > 0 ? bytes : 4);
    return buffer;
}

void bench_spoil(const bench *b, void *result, size_t bytes) {
    if (b->options.spoil && bytes > 0) *(unsigned char *)result ^= 1;
}

void bench_read(const bench *b, cl_mem buffer, size_t first_byte, size_t bytes, void *to) {
    if (bytes == 0) return;
    bench_cl(
        clEnqueueReadBuffer(b->info.queue, buffer, CL_TRUE, first_byte, bytes, to, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    bench_spoil(b, to, bytes);
}

void bench_write(const bench *b, cl_mem buffer, size_t first_byte, size_t bytes, const void *from) {
    if (bytes == 0) return;
    bench_cl(clEnqueueWriteBuffer(b->info.queue, buffer, CL_TRUE, first_byte, bytes, from, 0, NULL,
                                  NULL),
             "clEnqueueWriteBuffer");
}
