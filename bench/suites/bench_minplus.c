/* SPDX-License-Identifier: MIT */
/*
 * The minplus suite: products, batches, closures and seed 003's steps, beside the arithmetic in
 * registers alone, whose time stands where other suites have that of a copy.
 */
#include "harness/parallel.h"
#include "inputs/minplus_limit.h"
#include "inputs/minplus_verify.h"
#include "minplus_ways.h"
#include "suites/suites.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GPU_N = 4096, CPU_N = 1024, CPU_MOST = 256, PADDING = 5 };

typedef struct subject {
    const char *name;
    bool is_int, nonnegative, odd, is_signed;
    bool sinks; /* one row in sixteen is empty: in every tile of C cells stay without an edge */
    size_t divisor; /* n is GPU_N or CPU_N by this */
    size_t times; /* n is this many times that */
    size_t batch;
} subject;

enum { STEP_SUBJECTS = 5 }; /* the first of these, which the seed's steps are measured with too */

static const subject subjects[] = {
    {.name = "float32", .divisor = 16, .times = 1, .batch = 1},
    {.name = "float32", .divisor = 8, .times = 1, .batch = 1},
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
    {.name = "int32", .is_int = true, .divisor = 16, .times = 1, .batch = 1},
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
    minplus_size size;
} product_job;

/* ---- Data ------------------------------------------------------------------------------------ */

/* Whole numbers, whose sums floats hold; one in sixteen elements is no edge. */
typedef struct filling {
    const subject *subject;
    void *to;
    size_t ld;
} filling;

static void fill_part(void *self, size_t begin, size_t end) {
    const filling *it = self;
    const subject *s = it->subject;
    for (size_t i = begin; i < end; i++) {
        const uint64_t bits = textbook_scatter(i);
        const bool none = bits % 16 == 0 || (s->sinks && i / it->ld % 16 == 5);
        const int32_t size = (int32_t)(bits >> 44);
        const int32_t value = s->is_signed && (bits >> 8) % 2 == 1 ? -size : size;
        if (s->is_int)
            ((int32_t *)it->to)[i] = none ? INT32_MAX / 2 : value;
        else
            ((float *)it->to)[i] = none ? INFINITY : (float)value;
    }
}

static void fill(const arena *m, const subject *s, size_t ld, size_t count) {
    filling it = {s, m->host_a, ld};
    bench_parallel(count, fill_part, &it);
    bench_write(m->b, m->a, 0, count * 4, m->host_a);
}

static bool verify(const arena *m, const subject *s, const product_job *job, char *fault,
                   size_t fault_bytes) {
    const minplus_product product = {m->host_a, m->host_c, s->is_int, job->a,
                                     job->b,    job->c,    job->size};
    bench_read(m->b, m->c, 0, m->bytes, m->host_c);
    return minplus_check(&product, fault, fault_bytes);
}

/* ---- Products -------------------------------------------------------------------------------- */

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const product_job *job = self;
    const minplus_size *size = &job->size;
    const clprims_minplus_buffers buffers = {
        .a = job->a, .b = job->b, .c = job->c, .sizes = {size->m, size->k, size->batch}};
    return clprims_minplus_enqueue(job->minplus, queue, &buffers, size->n, 0, NULL, event);
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

static void measure_product(arena *m, const subject *s) {
    bench *b = m->b;
    char fault[BENCH_FAULT_CHARS] = "";
    product_job job = job_of(m, s);
    clprims_minplus_desc desc = {0};
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
    bench_row_conclude(b, &row, status, fault);
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
    char fault[BENCH_FAULT_CHARS] = "";
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
    const clprims_paths_buffers buffers = {.d = job->d, .via = job->via};
    return clprims_paths_enqueue(job->paths, queue, &buffers, job->n, 0, NULL, event);
}

static bool verify_closure(const arena *m, size_t n, char *fault, size_t fault_bytes) {
    bench_read(m->b, m->c, 0, n * n * 4, m->host_c);
    return minplus_check_closure(m->host_a, m->host_c, n, fault, fault_bytes);
}

static void measure_closure(arena *m, bool predecessors) {
    bench *b = m->b;
    const char *name = predecessors ? "float32, paths and predecessors" : "float32, paths";
    if (!bench_wanted(&b->options, name)) return;
    char fault[BENCH_FAULT_CHARS] = "";
    const size_t full = job_of(m, &subjects[STEP_SUBJECTS - 1]).size.n,
                 n = b->is_cpu && full > 1 ? full / 2 : full;
    clprims_paths_desc desc = {0};
    cl_mem via = predecessors ? bench_buffer(b, n * n * sizeof(cl_int)) : NULL;
    closure_job job = {NULL, {m->c, 0, n, 0}, {via, 0, n, 0}, n};
    bench_row row = {.suite = "minplus", .name = name, .method = "closure", .n = n};
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
    bench_row_conclude(b, &row, status, fault);
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
    bench_note(
        "closures are timed on the graph that the first run has closed: no length improves, so "
        "that no predecessor is looked for");
    measure_closure(&m, false);
    measure_closure(&m, true);
    clReleaseMemObject(m.a);
    clReleaseMemObject(m.c);
    free(m.host_a);
    free(m.host_c);
}
