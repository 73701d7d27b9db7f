/* SPDX-License-Identifier: MIT */
/* What every suite leans on: the end of the program, memory, buffers, the clock. */
#include "bench.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, LEAST_SHARE = 1 << 16 };

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

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct thread_share {
    bench_part *part;
    void *self;
    size_t begin, end;
    pthread_t thread;
    bool started;
} thread_share;

static void *do_share(void *self) {
    const thread_share *own = self;
    own->part(own->self, own->begin, own->end);
    return NULL;
}

void bench_parallel(size_t n, bench_part *part, void *self) {
    thread_share shares[MOST_THREADS];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = processors < 1 ? 1 : (size_t)processors;
    if (count > MOST_THREADS) count = MOST_THREADS;
    if (count > n / LEAST_SHARE + 1) count = n / LEAST_SHARE + 1;
    for (size_t k = 0; k < count; k++) {
        shares[k] = (thread_share){.part = part, .self = self};
        shares[k].begin = n / count * k;
        shares[k].end = k + 1 < count ? n / count * (k + 1) : n;
        shares[k].started =
            k > 0 && pthread_create(&shares[k].thread, NULL, do_share, &shares[k]) == 0;
        if (k > 0 && !shares[k].started) do_share(&shares[k]);
    }
    do_share(&shares[0]);
    for (size_t k = 1; k < count; k++)
        if (shares[k].started) pthread_join(shares[k].thread, NULL);
}

bool bench_fits(const bench *b, double each, double total) {
    /* On a CPU the device's memory is the host's, which needs some for itself. */
    const double share = b->is_cpu ? 0.6 : 0.85;
    return each <= (double)b->info.device.max_alloc_bytes &&
           total <= share * (double)b->info.device.memory_bytes;
}

void bench_buffer_poison(bench *b, cl_mem buffer, size_t bytes) {
    const cl_uint pattern = 0xa5a5a5a5u;
    bench_cl(clEnqueueFillBuffer(b->info.queue, buffer, &pattern, sizeof pattern, 0,
                                 (bytes + 3) / 4 * 4, 0, NULL, NULL),
             "clEnqueueFillBuffer");
    bench_cl(clFinish(b->info.queue), "clEnqueueFillBuffer");
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
