/* SPDX-License-Identifier: MIT */
/* Draws min-plus products and shortest paths: types, semirings, sizes, gaps, batches, knobs. */
#include "fuzz/fuzz.h"
#include "harness/oracle_minplus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What PoCL compiles wrongly: see test_bears_shapes, and test_minplus.c about split-k slices. */
static bool may_have_groups(void) {
    return (test_info().device.type & CL_DEVICE_TYPE_CPU) == 0 || test_bears_shapes();
}

static bool may_have_slices(void) {
    const clprims_device_info device = test_info().device;
    return strcmp(device.platform_name, "Portable Computing Language") != 0 ||
           strncmp(device.driver, "5.", 2) != 0;
}

/* Every knob, mostly of allowed values: of one work-item alone, or of many, which CPUs take with
 * BARRIERS=1 only. */
static const char *draw_tuning(char *tuning, size_t bytes) {
    const uint64_t kind = test_random_below(4);
    if (kind == 0) return NULL;
    if (kind <= 2 || !may_have_groups()) {
        snprintf(tuning, bytes, "HIGH=1 WIDE=1 ROWS=%zu COLUMNS=%zu BLOCKS=%zu DEPTH=%d",
                 fuzz_between(1, 6), 16 * fuzz_between(1, 3), fuzz_between(1, 5),
                 8 << test_random_below(4));
    } else {
        const int high = 1 << fuzz_between(1, 3), wide = 1 << fuzz_between(1, 3);
        const int split = may_have_slices() ? 1 << test_random_below(3) : 1;
        const int most = high > wide ? high : wide;
        snprintf(tuning, bytes,
                 "HIGH=%d WIDE=%d ROWS=%zu COLUMNS=%zu DEPTH=%d SPLIT=%d PAIRS=%zu UNROLL=%d "
                 "SIGNLESS=%zu REGISTERS=%d BARRIERS=1",
                 high, wide, 4 * fuzz_between(1, 2), 4 * fuzz_between(1, 2),
                 (most < 8 ? 8 : most) * split, split, fuzz_between(1, 4),
                 2 << test_random_below(3), fuzz_between(0, 2), fuzz_coin() ? 0 : 128);
    }
    return tuning;
}

/* ---- Products ---------------------------------------------------------------------------------
 */

typedef struct drawn_product {
    clprims_minplus_desc desc;
    clprims_minplus *plan;
    clprims_minplus_size size;
    char tuning[160];
} drawn_product;

/* A batch of matrices with gaps, here and on the device. */
typedef struct operand {
    void *values;
    size_t count, bytes;
    test_buffer buffer;
    clprims_matrix at;
} operand;

/* A third no edge, some beyond it, some far from zero, the others small. */
static int64_t random_whole(const clprims_minplus_desc *desc) {
    const int64_t most = desc->type == CLPRIMS_I64 ? INT64_MAX : INT32_MAX;
    const bool mirrored = desc->semiring == CLPRIMS_MAX_PLUS;
    const uint64_t kind = test_random_below(24);
    int64_t value = (int64_t)test_random_below(2000) - 700;
    if (desc->semiring == CLPRIMS_OR_AND) return (int64_t)test_random();
    if (kind < 8) value = most / 2 + mirrored;
    if (kind == 8) value = most;
    if (kind == 9) value = most / 2 - 1;
    return mirrored ? -value : value;
}

static double random_real(const clprims_minplus_desc *desc) {
    const double sign = desc->semiring == CLPRIMS_MAX_PLUS ? -1 : 1;
    const uint64_t kind = test_random_below(24);
    if (kind < 8) return sign * INFINITY;
    if (kind == 8 && !desc->nonnegative) return NAN;
    return (double)test_random_below(100000) * (1.0 / 7) - (desc->nonnegative ? 0 : 3000);
}

static void fill(const clprims_minplus_desc *desc, clprims_type type, operand *o) {
    for (size_t i = 0; i < o->count; i++) {
        if (type == CLPRIMS_F32) ((float *)o->values)[i] = (float)random_real(desc);
        if (type == CLPRIMS_F64) ((double *)o->values)[i] = random_real(desc);
        if (type == CLPRIMS_I32) ((int32_t *)o->values)[i] = (int32_t)random_whole(desc);
        if (type == CLPRIMS_I64) ((int64_t *)o->values)[i] = random_whole(desc);
        if (type == CLPRIMS_U8) ((uint8_t *)o->values)[i] = (uint8_t)test_random();
        if (type == CLPRIMS_U32) ((uint32_t *)o->values)[i] = (uint32_t)test_random();
    }
}

static operand make(const drawn_product *d, clprims_type type, size_t rows, size_t columns) {
    const size_t ld = columns + fuzz_between(0, 5);
    const size_t stride = rows * ld + fuzz_between(0, 9);
    operand o = {.bytes = clprims_type_bytes(type)};
    if (rows > 0 && columns > 0) o.count = (d->size.batch - 1) * stride + (rows - 1) * ld + columns;
    o.values = test_alloc(o.count, o.bytes);
    fill(&d->desc, type, &o);
    o.buffer = test_buffer_create(o.values, o.count, o.bytes, fuzz_between(0, 6));
    o.at = (clprims_matrix){o.buffer.at.mem, o.buffer.at.first, ld, stride};
    return o;
}

static oracle_matrix slice(const operand *o, size_t number) {
    return (oracle_matrix){(char *)o->values + number * o->at.stride * o->bytes, o->at.ld};
}

/* Between rows and between matrices nothing may be written, so all of it is compared. */
static void expect_operand(operand *o) {
    void *got = test_alloc(o->count, o->bytes);
    test_buffer_read(&o->buffer, got);
    expect_elements(o->values, got, o->count, o->bytes);
    test_buffer_release(&o->buffer);
    free(got);
    free(o->values);
}

/* Up to what the plan was made for, or to what a test can bear. */
static size_t draw_size(size_t least, size_t most, size_t bearable) {
    if (most > 0 && test_random_below(8) == 0) return most;
    const size_t end = most > 0 && most < bearable ? most : bearable;
    return fuzz_between(least, fuzz_coin() && end > 9 ? 9 : end);
}

/* One more than the plan was made for, in any of its sizes, is refused. */
static void expect_limits(const drawn_product *d) {
    const clprims_matrix none = {NULL, 0, 0, 0};
    const clprims_minplus_size *most = &d->desc.max;
    const size_t limits[] = {most->m, most->n, most->k, most->batch};
    for (size_t i = 0; i < 4; i++) {
        size_t sizes[] = {1, 1, 1, 1};
        if (limits[i] == 0) continue;
        sizes[i] = limits[i] + 1;
        const clprims_minplus_size size = {sizes[0], sizes[1], sizes[2], sizes[3]};
        expect_failure(clprims_minplus_enqueue(d->plan, test_queue(), none, none, none, none, size,
                                               0, NULL, NULL),
                       CLPRIMS_ERR_TOO_LARGE, "given to create");
    }
}

static void run_product(drawn_product *d) {
    const size_t most = test_small() ? 20 : 90;
    const clprims_minplus_size *limit = &d->desc.max;
    clprims_minplus_size *s = &d->size;
    *s = (clprims_minplus_size){draw_size(1, limit->m, most), draw_size(1, limit->n, most),
                                draw_size(0, limit->k, most), draw_size(1, limit->batch, 3)};
    fuzz_note("%s of %s, %zu x %zu x %zu, batch %zu, accumulate %d, argmin %d, nonnegative %d, "
              "tuning %s",
              clprims_semiring_name(d->desc.semiring), clprims_type_name(d->desc.type), s->m, s->n,
              s->k, s->batch, d->desc.accumulate, d->desc.argmin, d->desc.nonnegative,
              d->desc.tuning ? d->desc.tuning : "none");
    operand a = make(d, d->desc.type, s->m, s->k);
    operand b = make(d, d->desc.type, s->k, s->n);
    operand c = make(d, d->desc.type, s->m, s->n);
    operand best = make(d, CLPRIMS_I32, s->m, s->n);
    const clprims_matrix none = {NULL, 0, 0, 0};
    expect_ok(clprims_minplus_enqueue(d->plan, test_queue(), a.at, b.at, c.at,
                                      d->desc.argmin ? best.at : none, *s, 0, NULL, NULL));
    for (size_t i = 0; i < s->batch; i++) {
        const oracle_matrix x = slice(&a, i), y = slice(&b, i), z = slice(&c, i);
        int32_t *k = (int32_t *)best.values + i * best.at.stride;
        /* The twin knows one leading dimension of both results. */
        int32_t *packed = test_alloc(s->m * z.ld, sizeof *packed);
        for (size_t cell = 0; cell < s->m * s->n; cell++)
            packed[cell / s->n * z.ld + cell % s->n] = k[cell / s->n * best.at.ld + cell % s->n];
        oracle_minplus(&d->desc, &x, &y, &z, d->desc.argmin ? packed : NULL, s->m, s->n, s->k);
        for (size_t cell = 0; cell < s->m * s->n; cell++)
            k[cell / s->n * best.at.ld + cell % s->n] = packed[cell / s->n * z.ld + cell % s->n];
        free(packed);
    }
    expect_operand(&c);
    expect_operand(&best);
    expect_operand(&a);
    expect_operand(&b);
}

void fuzz_minplus(void) {
    static const clprims_type ordered[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    static const clprims_type bits[] = {CLPRIMS_U8, CLPRIMS_U32, CLPRIMS_I64, CLPRIMS_I32};
    drawn_product d = {.desc = CLPRIMS_MINPLUS_DESC_INIT};
    const size_t type = test_random_below(4);
    d.desc.semiring = (clprims_semiring)fuzz_between(CLPRIMS_MIN_PLUS, CLPRIMS_OR_AND);
    d.desc.type = d.desc.semiring == CLPRIMS_OR_AND ? bits[type] : ordered[type];
    d.desc.accumulate = fuzz_coin();
    d.desc.argmin = d.desc.semiring != CLPRIMS_OR_AND && fuzz_coin();
    d.desc.nonnegative =
        d.desc.semiring == CLPRIMS_MIN_PLUS && d.desc.type >= CLPRIMS_F32 && fuzz_coin();
    d.desc.tuning = draw_tuning(d.tuning, sizeof d.tuning);
    if (fuzz_coin()) {
        const size_t most = test_small() ? 20 : 90;
        d.desc.max = (clprims_minplus_size){fuzz_size(most), fuzz_size(most), fuzz_size(most),
                                            test_random_below(4)};
    }
    fuzz_note("%s of %s, tuning %s", clprims_semiring_name(d.desc.semiring),
              clprims_type_name(d.desc.type), d.desc.tuning ? d.desc.tuning : "none");
    if (!fuzz_created(clprims_minplus_create(&d.plan, test_context(), &d.desc))) return;
    const size_t runs = test_small() ? 3 : fuzz_between(6, 16);
    for (size_t i = 0; i < runs; i++) run_product(&d);
    expect_limits(&d);
    clprims_minplus_destroy(d.plan);
}

/* ---- Shortest paths ---------------------------------------------------------------------------
 */

static void put(clprims_type type, void *values, size_t at, double length) {
    const double none = type == CLPRIMS_I64 ? (double)(INT64_MAX / 2) : (double)(INT32_MAX / 2);
    if (type == CLPRIMS_F32) ((float *)values)[at] = (float)length;
    if (type == CLPRIMS_F64) ((double *)values)[at] = length;
    if (type == CLPRIMS_I32)
        ((int32_t *)values)[at] = length < none ? (int32_t)length : INT32_MAX / 2;
    if (type == CLPRIMS_I64)
        ((int64_t *)values)[at] = length < none ? (int64_t)length : INT64_MAX / 2;
}

/* Potentials make edges negative and leave every cycle's length at or above zero. */
static double *draw_graph(size_t n, uint64_t edges) {
    double *graph = test_alloc(n * n, sizeof *graph);
    int *potential = test_alloc(n, sizeof *potential);
    for (size_t i = 0; i < n; i++) potential[i] = (int)test_random_below(60);
    for (size_t cell = 0; cell < n * n; cell++) {
        const int change = potential[cell / n] - potential[cell % n];
        const double length = (double)((int)test_random_below(50) + change);
        graph[cell] = test_random_below(32) < edges ? length : INFINITY;
    }
    free(potential);
    return graph;
}

static void close_graph(double *graph, size_t n) {
    for (size_t i = 0; i < n; i++) graph[i * n + i] = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                graph[i * n + j] = fmin(graph[i * n + j], graph[i * n + k] + graph[k * n + j]);
}

static void run_paths(clprims_paths *plan, const clprims_paths_desc *desc) {
    const size_t n = fuzz_size(desc->max_n), bytes = clprims_type_bytes(desc->type);
    double *graph = draw_graph(n, fuzz_between(0, 32));
    char *d = test_alloc(n * n, bytes), *expected = test_alloc(n * n, bytes);
    int32_t *via = test_alloc(n * n, sizeof *via);
    fuzz_note("paths of %s, n %zu of %zu, predecessors %d, tuning %s",
              clprims_type_name(desc->type), n, desc->max_n, desc->predecessors,
              desc->tuning ? desc->tuning : "none");
    for (size_t i = 0; i < n * n; i++) put(desc->type, d, i, graph[i]);
    close_graph(graph, n);
    for (size_t i = 0; i < n * n; i++) put(desc->type, expected, i, graph[i]);
    expect_ok(clprims_paths_run(plan, d, desc->predecessors ? via : NULL, n));
    expect_values(desc->type, expected, d, n * n);
    for (size_t i = 0; desc->predecessors && i < n * n; i++) {
        const bool reached = i / n != i % n && graph[i] < INFINITY;
        if (reached ? via[i] < 0 || (size_t)via[i] >= n : via[i] != -1)
            test_fail("via(%zu, %zu) = %d, length %g", i / n, i % n, (int)via[i], graph[i]);
    }
    free(graph);
    free(d);
    free(expected);
    free(via);
}

void fuzz_paths(void) {
    static const clprims_type types[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    char tuning[160];
    clprims_paths *plan = NULL;
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = types[test_random_below(4)];
    desc.max_n = fuzz_between(1, test_small() ? 66 : 150);
    desc.predecessors = fuzz_coin();
    desc.tuning = draw_tuning(tuning, sizeof tuning);
    fuzz_note("paths of %s, max_n %zu, tuning %s", clprims_type_name(desc.type), desc.max_n,
              desc.tuning ? desc.tuning : "none");
    if (!fuzz_created(clprims_paths_create(&plan, test_context(), &desc))) return;
    const size_t runs = test_small() ? 2 : fuzz_between(4, 12);
    for (size_t i = 0; i < runs; i++) run_paths(plan, &desc);
    clprims_paths_destroy(plan);
}
