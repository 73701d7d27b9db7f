/* SPDX-License-Identifier: MIT */
/*
 * The minplus suite: products, batches, closures and seed 003's steps, beside the arithmetic in
 * registers alone, whose time stands where other suites have that of a copy.
 *
 * Rows are verified against plain C: all, or if many those that touch every place of a tile.
 */
#include "minplus_limit.h"
#include "minplus_ways.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECKED_ROWS = 48, GPU_N = 4096, CPU_N = 1024, CPU_MOST = 256, PADDING = 5 };

typedef struct subject {
    const char *name;
    bool is_int, nonnegative, odd, is_signed;
    bool sinks; /* one row in sixteen is empty: in every tile of C cells stay without an edge */
    size_t divisor; /* n is GPU_N or CPU_N by this */
    size_t times; /* n is this many times that */
    size_t batch;
} subject;

enum { STEP_SUBJECTS = 3 }; /* the first of these, which the seed's steps are measured with too */

static const subject subjects[] = {
    {.name = "float32", .divisor = 4, .times = 1, .batch = 1},
    {.name = "float32", .divisor = 2, .times = 1, .batch = 1},
    {.name = "float32", .divisor = 1, .times = 1, .batch = 1},
    {.name = "float32, twice the side", .divisor = 1, .times = 2, .batch = 1},
    {.name = "float32, odd", .odd = true, .divisor = 1, .times = 1, .batch = 1},
    {.name = "float32, of both signs", .is_signed = true, .divisor = 1, .times = 1, .batch = 1},
    {.name = "float32, signs and sinks",
     .is_signed = true,
     .sinks = true,
     .divisor = 1,
     .times = 1,
     .batch = 1},
    {.name = "float32, nonnegative", .nonnegative = true, .divisor = 1, .times = 1, .batch = 1},
    {.name = "int32", .is_int = true, .divisor = 1, .times = 1, .batch = 1},
    {.name = "int32, twice the side", .is_int = true, .divisor = 1, .times = 2, .batch = 1},
    {.name = "int32, odd", .is_int = true, .odd = true, .divisor = 1, .times = 1, .batch = 1},
    {.name = "int32, of both signs",
     .is_int = true,
     .is_signed = true,
     .divisor = 1,
     .times = 1,
     .batch = 1},
    {.name = "float32, batch of 4096", .divisor = 64, .times = 1, .batch = 4096},
    {.name = "float32, batch of 512", .divisor = 32, .times = 1, .batch = 512},
    {.name = "float32, batch of 64", .divisor = 16, .times = 1, .batch = 64}};

/* Matrices on host and device, large enough for every subject. */
typedef struct arena {
    bench *b;
    size_t bytes;
    cl_mem a, c;
    void *host_a, *host_c;
    double limits[LIMITS]; /* seconds a pair */
} arena;

typedef struct product_job {
    clprims_minplus *minplus;
    clprims_matrix a, b, c;
    clprims_minplus_size size;
} product_job;

/* ---- Data ------------------------------------------------------------------------------------ */

/* Whole numbers, whose sums floats hold; one in sixteen elements is no edge. */
static void fill(const arena *m, const subject *s, size_t ld, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = textbook_scatter(i);
        const bool none = bits % 16 == 0 || (s->sinks && i / ld % 16 == 5);
        const int32_t size = (int32_t)(bits >> 44);
        const int32_t value = s->is_signed && (bits >> 8) % 2 == 1 ? -size : size;
        if (s->is_int)
            ((int32_t *)m->host_a)[i] = none ? INT32_MAX / 2 : value;
        else
            ((float *)m->host_a)[i] = none ? INFINITY : (float)value;
    }
    bench_cl(clEnqueueWriteBuffer(m->b->info.queue, m->a, CL_TRUE, 0, count * 4, m->host_a, 0, NULL,
                                  NULL),
             "clEnqueueWriteBuffer");
}

static float as_number(const void *values, bool is_int, size_t i) {
    if (!is_int) return ((const float *)values)[i];
    const int32_t value = ((const int32_t *)values)[i];
    return value >= INT32_MAX / 2 ? INFINITY : (float)value;
}

/* Row i of the product of a and b in plain C. */
static void row_in_c(const void *a, const void *b, bool is_int, const product_job *job, size_t i,
                     float *row) {
    for (size_t j = 0; j < job->size.n; j++) row[j] = INFINITY;
    for (size_t k = 0; k < job->size.k; k++) {
        const float left = as_number(a, is_int, i * job->a.ld + k);
        for (size_t j = 0; j < job->size.n; j++) {
            const float sum = left + as_number(b, is_int, k * job->b.ld + j);
            if (sum < row[j]) row[j] = sum;
        }
    }
}

static size_t checked_row(size_t number, size_t m) {
    return m <= CHECKED_ROWS ? number : (number * (m - 1) / (CHECKED_ROWS - 1));
}

static bool verify(const arena *m, const subject *s, const product_job *job, char *fault,
                   size_t fault_bytes) {
    const clprims_minplus_size size = job->size;
    const size_t matrices = size.batch > 1 ? 3 : 1,
                 rows = size.m < CHECKED_ROWS ? size.m : CHECKED_ROWS;
    float *row = bench_alloc(size.n * sizeof *row);
    bool right = true;
    bench_cl(
        clEnqueueReadBuffer(m->b->info.queue, m->c, CL_TRUE, 0, m->bytes, m->host_c, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    for (size_t p = 0; p < matrices && right; p++) {
        const size_t matrix = p * (size.batch - 1) / (matrices > 1 ? matrices - 1 : 1);
        const char *a = (const char *)m->host_a + 4 * matrix * job->a.stride;
        const char *b = (const char *)m->host_a + 4 * (job->b.first + matrix * job->b.stride);
        const char *c = (const char *)m->host_c + 4 * matrix * job->c.stride;
        for (size_t r = 0; r < rows && right; r++) {
            const size_t i = checked_row(r, size.m);
            row_in_c(a, b, s->is_int, job, i, row);
            for (size_t j = 0; j < size.n && right; j++) {
                const float got = as_number(c, s->is_int, i * job->c.ld + j);
                right = got == row[j];
                if (!right)
                    snprintf(fault, fault_bytes, "c[%zu][%zu] of matrix %zu is %g, in plain C %g",
                             i, j, matrix, (double)got, (double)row[j]);
            }
        }
    }
    free(row);
    return right;
}

/* ---- Products -------------------------------------------------------------------------------- */

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const product_job *job = self;
    const clprims_matrix none = {NULL, 0, 0, 0};
    return clprims_minplus_enqueue(job->minplus, queue, job->a, job->b, job->c, none, job->size, 0,
                                   NULL, event);
}

static size_t side_of(const bench *b, const subject *s) {
    size_t n = b->is_cpu ? CPU_N : GPU_N;
    if (b->options.quick) n /= 4;
    if (b->options.sized) n = b->options.least < n ? b->options.least : n;
    if (b->options.sized && b->is_cpu && n > CPU_MOST) n = CPU_MOST;
    if (s->batch > 1 && !b->options.sized) n = (size_t)GPU_N / s->divisor;
    if (s->batch > 1) return b->options.sized ? 8 : n;
    return n > s->divisor ? n / s->divisor * s->times : 1;
}

static size_t batch_of(const bench *b, const subject *s) {
    return b->is_cpu && s->batch > 16 ? s->batch / 16 : s->batch;
}

/* The job's matrices: a and b share memory, b from a later element on when there is a gap. */
static product_job job_of(const arena *m, const subject *s) {
    const size_t n = side_of(m->b, s);
    product_job job = {.size = {n, n, n, batch_of(m->b, s)}};
    size_t ld = n;
    if (s->odd && n > 200) {
        job.size.m = n - 95; /* of 4096: 4001, a prime */
        job.size.n = n - 107; /* 3989 */
        job.size.k = n - 89; /* 4007 */
        ld = n - 89 + PADDING + PADDING % 2 + 1;
        ld += 1 - ld % 2;
    }
    job.a = (clprims_matrix){m->a, 0, ld, n * ld};
    job.b = (clprims_matrix){m->a, s->odd ? 1 : 0, ld, n * ld};
    job.c = (clprims_matrix){m->c, 0, ld, n * ld};
    return job;
}

static void in_c(void *self) {
    const arena *m = self;
    const size_t n = m->b->options.sized || m->b->options.quick ? CPU_MOST : CPU_N;
    const float *a = m->host_a;
    float *c = m->host_c;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float least = INFINITY;
            for (size_t k = 0; k < n; k++) {
                const float sum = a[i * n + k] + a[k * n + j];
                least = sum < least ? sum : least;
            }
            c[i * n + j] = least;
        }
}

static void report(bench *b, bench_row *row, clprims_status status, char *fault) {
    if (status != CLPRIMS_OK) {
        row->failed = status != CLPRIMS_ERR_DATA;
        snprintf(fault, 256, "%s", clprims_last_error()->message);
    }
    if (fault[0] != '\0') row->fault = fault;
    bench_row_report(b, row);
}

static void measure_product(arena *m, const subject *s) {
    bench *b = m->b;
    char fault[256] = "";
    product_job job = job_of(m, s);
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    bench_row row = {.suite = "minplus", .name = s->name, .method = "product", .n = job.size.m};
    const double pairs = (double)job.size.m * (double)job.size.n * (double)job.size.k;
    row.bytes = 12.0 * (double)job.size.m * (double)job.size.n * (double)job.size.batch;
    row.copy_seconds = m->limits[s->is_int ? LIMIT_INT : LIMIT_FLOAT] * pairs;
    row.copy_seconds *= (double)job.size.batch;
    desc.type = s->is_int ? CLPRIMS_I32 : CLPRIMS_F32;
    desc.nonnegative = s->nonnegative;
    bench_step("minplus %s: verifying", s->name);
    fill(m, s, job.a.ld, m->bytes / 4);
    clprims_status status = clprims_minplus_create(&job.minplus, b->context, &desc);
    bench_buffer_poison(b, m->c, m->bytes);
    if (status == CLPRIMS_OK) status = bench_once(b, (bench_job){submit, &job});
    if (status == CLPRIMS_OK && verify(m, s, &job, fault, sizeof fault)) {
        bench_step("minplus %s: timing", s->name);
        status = bench_measure(b, (bench_job){submit, &job}, &row.time);
        const size_t plain = b->options.sized || b->options.quick ? CPU_MOST : CPU_N;
        if (b->is_cpu && job.size.batch == 1 && !s->odd && !s->is_int && job.size.n == plain)
            row.serial_seconds = bench_host_seconds(in_c, m);
    }
    report(b, &row, status, fault);
    clprims_minplus_destroy(job.minplus);
}

/* ---- The steps of seed 003 ------------------------------------------------------------------- */

typedef struct step_job {
    minplus_steps *steps;
    cl_mem d, r;
    size_t n;
} step_job;

static clprims_status submit_step(void *self, cl_command_queue queue, cl_event *event) {
    const step_job *job = self;
    (void)queue;
    return minplus_steps_enqueue(job->steps, job->d, job->r, job->n, event) ? CLPRIMS_OK
                                                                            : CLPRIMS_ERR_OPENCL;
}

static void measure_step(arena *m, const subject *s, minplus_way way) {
    bench *b = m->b;
    char fault[256] = "";
    const textbook_device device = textbook_device_of(b->context, &b->info);
    const product_job like = job_of(m, s);
    const size_t n = like.size.n;
    step_job job = {minplus_steps_create(&device, way, n), m->a, m->c, n};
    bench_row row = {.suite = "minplus",
                     .name = "float32",
                     .library = BENCH_TEXTBOOK,
                     .method = minplus_way_name(way),
                     .n = n};
    row.bytes = 8.0 * (double)n * (double)n;
    row.copy_seconds = m->limits[LIMIT_FLOAT] * (double)n * (double)n * (double)n;
    bench_step("minplus %s: verifying", row.method);
    fill(m, &subjects[STEP_SUBJECTS - 1], n, n * n);
    bench_buffer_poison(b, m->c, m->bytes);
    if (job.steps == NULL || bench_once(b, (bench_job){submit_step, &job}) != CLPRIMS_OK) {
        row.failed = true;
        snprintf(fault, sizeof fault, "%s", textbook_message());
    } else if (verify(m, s, &like, fault, sizeof fault)) {
        bench_step("minplus %s: timing", row.method);
        if (bench_measure(b, (bench_job){submit_step, &job}, &row.time) != CLPRIMS_OK) {
            row.failed = true;
            snprintf(fault, sizeof fault, "%s", textbook_message());
        }
    }
    if (fault[0] != '\0') row.fault = fault;
    bench_row_report(b, &row);
    minplus_steps_destroy(job.steps);
}

/* ---- The closure ----------------------------------------------------------------------------- */

typedef struct closure_job {
    clprims_paths *paths;
    clprims_matrix d, via;
    size_t n;
} closure_job;

static clprims_status submit_closure(void *self, cl_command_queue queue, cl_event *event) {
    const closure_job *job = self;
    return clprims_paths_enqueue(job->paths, queue, job->d, job->via, job->n,
                                 (clprims_buffer){NULL, 0}, 0, NULL, event);
}

/* Dijkstra's way from one vertex, over the whole row of each. */
static void lengths_from(const float *d, size_t n, size_t from, float *length, bool *done) {
    for (size_t j = 0; j < n; j++) length[j] = j == from ? 0 : INFINITY, done[j] = false;
    for (size_t turn = 0; turn < n; turn++) {
        size_t next = n;
        for (size_t j = 0; j < n; j++)
            if (!done[j] && (next == n || length[j] < length[next])) next = j;
        done[next] = true;
        for (size_t j = 0; j < n; j++) {
            const float sum = length[next] + d[next * n + j];
            if (sum < length[j]) length[j] = sum;
        }
    }
}

static bool verify_closure(const arena *m, size_t n, char *fault, size_t fault_bytes) {
    float *length = bench_alloc(n * sizeof *length);
    bool *done = bench_alloc(n * sizeof *done), right = true;
    const float *got = m->host_c;
    bench_cl(clEnqueueReadBuffer(m->b->info.queue, m->c, CL_TRUE, 0, n * n * 4, m->host_c, 0, NULL,
                                 NULL),
             "clEnqueueReadBuffer");
    for (size_t r = 0; r < CHECKED_ROWS && r < n && right; r++) {
        const size_t i = checked_row(r, n);
        lengths_from(m->host_a, n, i, length, done);
        for (size_t j = 0; j < n && right; j++) {
            right = got[i * n + j] == length[j];
            if (!right)
                snprintf(fault, fault_bytes, "d[%zu][%zu] is %g, in plain C %g", i, j,
                         (double)got[i * n + j], (double)length[j]);
        }
    }
    free(length);
    free(done);
    return right;
}

static void measure_closure(arena *m, bool predecessors) {
    bench *b = m->b;
    char fault[256] = "";
    const size_t full = job_of(m, &subjects[STEP_SUBJECTS - 1]).size.n,
                 n = b->is_cpu ? full / 2 : full;
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    cl_mem via = predecessors ? bench_buffer(b, n * n * sizeof(cl_int)) : NULL;
    closure_job job = {NULL, {m->c, 0, n, 0}, {via, 0, n, 0}, n};
    bench_row row = {.suite = "minplus",
                     .name = predecessors ? "float32, paths and predecessors" : "float32, paths",
                     .method = "closure",
                     .n = n};
    row.bytes = 8.0 * (double)n * (double)n;
    row.copy_seconds = m->limits[LIMIT_FLOAT] * (double)n * (double)n * (double)n;
    desc.max_n = n;
    desc.predecessors = predecessors;
    bench_step("minplus %s: verifying", row.name);
    fill(m, &subjects[STEP_SUBJECTS - 1], n, n * n);
    bench_cl(clEnqueueCopyBuffer(b->info.queue, m->a, m->c, 0, 0, n * n * 4, 0, NULL, NULL),
             "clEnqueueCopyBuffer");
    clprims_status status = clprims_paths_create(&job.paths, b->context, &desc);
    if (status == CLPRIMS_OK) status = bench_once(b, (bench_job){submit_closure, &job});
    if (status == CLPRIMS_OK && verify_closure(m, n, fault, sizeof fault))
        status = bench_measure(b, (bench_job){submit_closure, &job}, &row.time);
    report(b, &row, status, fault);
    clprims_paths_destroy(job.paths);
    if (via != NULL) clReleaseMemObject(via);
}

/* ---- The suite ------------------------------------------------------------------------------- */

static size_t arena_bytes(const bench *b) {
    const size_t side = (size_t)2 * (b->is_cpu ? CPU_N : GPU_N);
    return side * side * 4;
}

void bench_minplus(bench *b) {
    arena m = {.b = b, .bytes = arena_bytes(b)};
    bench_table_begin("minplus (of copy: of the limit)");
    if (!bench_fits(b, (double)m.bytes, 3 * (double)m.bytes)) {
        b->skipped++;
        return;
    }
    m.host_a = bench_alloc(m.bytes);
    m.host_c = bench_alloc(m.bytes);
    m.a = bench_buffer(b, m.bytes);
    m.c = bench_buffer(b, m.bytes);
    for (int limit = 0; limit < LIMITS; limit++)
        m.limits[limit] = minplus_limit_measure(b, (minplus_limit)limit);
    bench_note("sums and minima in registers alone: %.2f T pairs/s of float32, %.2f of int32",
               1e-12 / m.limits[LIMIT_FLOAT], 1e-12 / m.limits[LIMIT_INT]);
    for (int way = 0; way < MINPLUS_WAYS; way++)
        for (size_t k = 0; k < STEP_SUBJECTS; k++)
            if (bench_wanted(&b->options, minplus_way_name((minplus_way)way)))
                measure_step(&m, &subjects[k], (minplus_way)way);
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++)
        if (bench_wanted(&b->options, subjects[k].name)) measure_product(&m, &subjects[k]);
    if (bench_wanted(&b->options, "float32, paths")) {
        measure_closure(&m, false);
        measure_closure(&m, true);
    }
    clReleaseMemObject(m.a);
    clReleaseMemObject(m.c);
    free(m.host_a);
    free(m.host_c);
}
