/* SPDX-License-Identifier: MIT */
/* Makes a scan's input and compares its results, on all cores. */
#include "inputs/scan_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements that a core makes and scans at a time, in its own cache. */
enum { BLOCK = 2048, WINDOW = BENCH_CHUNK * BENCH_WINDOW };

struct scan_check {
    bench *b;
    const scan_case *what;
    size_t n;
    uint64_t *carries; /* before each chunk */
    cl_mem pinned; /* what a device reads and writes at its full speed */
    char *window;
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t chunks_of(size_t n) {
    return (n + BENCH_CHUNK - 1) / BENCH_CHUNK;
}

scan_check *scan_check_create(bench *b, const scan_case *what, size_t n) {
    scan_check *check = bench_alloc(sizeof *check);
    const size_t widest = what->in_bytes > what->out_bytes ? what->in_bytes : what->out_bytes;
    const size_t bytes = least(n, WINDOW) * widest;
    cl_int code = CL_SUCCESS;
    *check = (scan_check){.b = b, .what = what, .n = n};
    check->carries = bench_alloc(chunks_of(n) * sizeof *check->carries);
    check->pinned = clCreateBuffer(b->info.context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    bench_cl(code, "clCreateBuffer");
    check->window = clEnqueueMapBuffer(b->info.queue, check->pinned, CL_TRUE,
                                       CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    bench_cl(code, "clEnqueueMapBuffer");
    return check;
}

void scan_check_destroy(scan_check *check) {
    bench_cl(
        clEnqueueUnmapMemObject(check->b->info.queue, check->pinned, check->window, 0, NULL, NULL),
        "clEnqueueUnmapMemObject");
    bench_cl(clFinish(check->b->info.queue), "clEnqueueUnmapMemObject");
    clReleaseMemObject(check->pinned);
    free(check->carries);
    free(check);
}

/* ---- Input ---- */

typedef struct input_window {
    const scan_check *check;
    size_t first, count;
} input_window;

/* Fills a chunk of the window and leaves its total where the next chunk's carry stands. */
static void make_chunk(void *self, size_t part) {
    const input_window *w = self;
    const scan_check *check = w->check;
    const scan_case *what = check->what;
    const size_t begin = part * BENCH_CHUNK, end = least(begin + BENCH_CHUNK, w->count);
    const size_t next = w->first / BENCH_CHUNK + part + 1;
    uint64_t out[BLOCK], carry = 0;
    memcpy(&carry, what->identity, what->out_bytes);
    for (size_t i = begin; i < end; i += BLOCK) {
        const size_t count = least(BLOCK, end - i);
        char *to = check->window + i * what->in_bytes;
        what->fill(to, w->first + i, count);
        if (next < chunks_of(check->n)) what->twin(to, out, count, true, &carry);
    }
    if (next < chunks_of(check->n)) check->carries[next] = carry;
}

void scan_check_upload(scan_check *check, cl_mem in) {
    const scan_case *what = check->what;
    const size_t bytes = what->in_bytes, chunks = chunks_of(check->n);
    input_window w = {.check = check};
    bench_step("%s: writing the input", what->name);
    for (; w.first < check->n; w.first += w.count) {
        w.count = least(WINDOW, check->n - w.first);
        bench_each_part(chunks_of(w.count), make_chunk, &w);
        bench_cl(clEnqueueWriteBuffer(check->b->info.queue, in, CL_TRUE,
                                      (what->in_first + w.first) * bytes, w.count * bytes,
                                      check->window, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    }
    check->carries[0] = 0;
    memcpy(check->carries, what->identity, what->out_bytes);
    for (size_t k = 1; k < chunks; k++) what->join(&check->carries[k - 1], &check->carries[k]);
}

/* ---- Results ---- */

typedef struct difference {
    bool found;
    size_t at;
    uint64_t got, want;
} difference;

typedef struct result_window {
    const scan_check *check;
    size_t first, count;
    bool inclusive;
    difference differs[BENCH_WINDOW];
} result_window;

static void compare_chunk(void *self, size_t part) {
    result_window *w = self;
    const scan_case *what = w->check->what;
    const size_t bytes = what->out_bytes;
    const size_t begin = part * BENCH_CHUNK, end = least(begin + BENCH_CHUNK, w->count);
    uint64_t in[BLOCK], want[BLOCK], carry = w->check->carries[w->first / BENCH_CHUNK + part];
    difference *differs = &w->differs[part];
    differs->found = false;
    for (size_t i = begin; i < end && !differs->found; i += BLOCK) {
        const size_t count = least(BLOCK, end - i);
        const char *got = w->check->window + i * bytes;
        what->fill(in, w->first + i, count);
        what->twin(in, want, count, w->inclusive, &carry);
        const size_t k = scan_compare(what, got, want, count);
        if (k == count) continue;
        *differs = (difference){.found = true, .at = w->first + i + k};
        memcpy(&differs->got, got + k * bytes, bytes);
        memcpy(&differs->want, (const char *)want + k * bytes, bytes);
    }
}

bool scan_check_result(const scan_check *check, size_t n, bool inclusive,
                       const bench_result *result, char *fault, size_t fault_bytes) {
    const scan_case *what = check->what;
    const size_t bytes = what->out_bytes;
    const size_t skip = result->peer == NULL ? what->out_first : 0;
    result_window w = {.check = check, .inclusive = inclusive};
    for (; w.first < n; w.first += w.count) {
        w.count = least(WINDOW, n - w.first);
        bench_result_read(result, 0, (skip + w.first) * bytes, w.count * bytes, check->window);
        bench_each_part(chunks_of(w.count), compare_chunk, &w);
        for (size_t k = 0; k < chunks_of(w.count); k++) {
            const difference *d = &w.differs[k];
            if (!d->found) continue;
            snprintf(fault, fault_bytes, "element %zu has the bits %#llx, in plain C %#llx", d->at,
                     (unsigned long long)d->got, (unsigned long long)d->want);
            return false;
        }
    }
    return true;
}
