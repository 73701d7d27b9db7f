/* SPDX-License-Identifier: MIT */
/* Draws histograms: even bins, edges and expressions, counts and sums, knobs, places. */
#include "fixtures/histogram_twin.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "histogram/histogram_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINS = 3000, MOST_FLOATS = 20000 };

typedef struct drawn {
    histogram_twin twin;
    clprims_histogram *plan;
    double edges[MOST_BINS + 1]; /* of any type */
    char tuning[FUZZ_TUNING];
} drawn;

/* ---- Bins ---- */

static size_t expression_bytes;

/* The element's low bits by i: "(x + i) % 100" of an unsigned type. */
static uint64_t rest(const void *element, uint64_t i) {
    uint64_t x = 0;
    memcpy(&x, element, expression_bytes);
    return (x + i) % 100;
}

static void draw_range(clprims_histogram_desc *d) {
    static const double places[] = {0, -128, 127.5, 255, 1e-3, 65536, 4294967296.0, -1e9, 0.1};
    const double place = places[test_random_below(9)], width = places[test_random_below(9)];
    d->least = fuzz_coin() ? place : place / 7;
    d->most = d->least + fabs(fuzz_coin() ? width : (double)(d->bins * (1 + test_random_below(9))));
}

static int compare_integers(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* A value that an integer type of so many bytes has. */
static int64_t clamp(clprims_type type, int64_t value) {
    const int bits = 8 * (int)clprims_type_bytes(type);
    const bool is_signed = type <= CLPRIMS_I64;
    const int64_t least = is_signed ? -((int64_t)1 << (bits - 1 < 62 ? bits - 1 : 62)) : 0;
    const int64_t most = (int64_t)1 << (bits - is_signed < 62 ? bits - is_signed : 62);
    return value < least ? least : value >= most ? most - 1 : value;
}

/* Edges of few values, so that some are equal. */
static void draw_edges(drawn *d) {
    clprims_histogram_desc *desc = &d->twin.desc;
    int64_t values[MOST_BINS + 1];
    for (size_t b = 0; b <= desc->bins; b++) {
        values[b] = (int64_t)test_random_below(2 * desc->bins) - (int64_t)desc->bins / 2;
    }
    qsort(values, desc->bins + 1, sizeof values[0], compare_integers);
    for (size_t b = 0; b <= desc->bins; b++) {
        if (desc->type == CLPRIMS_F64) d->edges[b] = (double)values[b] / 2;
        if (desc->type == CLPRIMS_F32) ((float *)d->edges)[b] = (float)values[b] / 2;
        if (desc->type >= CLPRIMS_F32) continue;
        test_store_integer(clprims_type_bytes(desc->type), d->edges, b,
                           (uint64_t)clamp(desc->type, values[b]));
    }
    desc->edges = d->edges;
}

static void draw_bins(drawn *d) {
    clprims_histogram_desc *desc = &d->twin.desc;
    desc->by = (clprims_histogram_by)fuzz_between(0, CLPRIMS_HISTOGRAM_EXPRESSION);
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    desc->bins = 1 + fuzz_size(MOST_BINS - 1);
    if (desc->by == CLPRIMS_HISTOGRAM_EVEN) draw_range(desc);
    if (desc->by == CLPRIMS_HISTOGRAM_EDGES) draw_edges(d);
    if (desc->by != CLPRIMS_HISTOGRAM_EXPRESSION) return;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_U8, CLPRIMS_U64);
    expression_bytes = clprims_type_bytes(desc->type);
    desc->bin = "(x + i) % 100";
    desc->bins = fuzz_between(1, 120);
    d->twin.bin = rest;
}

static void draw_sums(clprims_histogram_desc *d) {
    if (fuzz_coin()) d->weights = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool floats = d->weights >= CLPRIMS_F32;
    if (fuzz_coin()) d->sums = floats ? CLPRIMS_F32 : fuzz_coin() ? CLPRIMS_U32 : CLPRIMS_I64;
    d->fast_floats = fuzz_coin();
    d->refuse_outside = test_random_below(4) == 0;
}

static void draw_knobs(drawn *d) {
    const fuzz_cap caps[] = {
        {"GROUP", fuzz_coin() ? 1 : 128}, {"SLICES", 40}, {"DEPTH", 4}, {NULL, 0}};
    if (test_random_below(4) == 0 || !test_bears_shapes()) return;
    fuzz_draw_knobs(clp_histogram_knobs, CLP_HISTOGRAM_KNOBS, caps, d->tuning);
    d->twin.desc.tuning = d->tuning;
}

/* ---- Runs ---- */

/* Around the range, on edges, or any. */
static void fill(const clprims_histogram_desc *d, void *in, size_t n) {
    const size_t bytes = clprims_type_bytes(d->type);
    const double width = d->by == CLPRIMS_HISTOGRAM_EDGES ? (double)d->bins : d->most - d->least;
    const double least = d->by == CLPRIMS_HISTOGRAM_EDGES ? 0 : d->least;
    const bool any = test_random_below(4) == 0;
    if (d->type < CLPRIMS_F32) test_random_values(d->type, CLPRIMS_XOR, in, n);
    for (size_t i = 0; i < n && !(any && d->type < CLPRIMS_F32); i++) {
        const double share = fuzz_coin() ? (double)test_random_below(d->bins + 1) / (double)d->bins
                                         : (double)test_random_below(1200) / 1000 - 0.1;
        const double x = least + share * width, whole = floor(x + (double)test_random_below(2));
        const float single = (float)x;
        const int64_t integer = (int64_t)whole;
        memcpy((unsigned char *)in + i * bytes,
               d->type == CLPRIMS_F64   ? (const void *)&x
               : d->type == CLPRIMS_F32 ? (const void *)&single
                                        : (const void *)&integer,
               bytes);
    }
}

/* Integers below 2^20 in floats: their sums are exact. */
static void fill_weights(clprims_type type, void *weights, size_t n) {
    if (type < CLPRIMS_F32) {
        test_random_values(type, CLPRIMS_XOR, weights, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double value = (double)test_random_below(1 << 20) - (1 << 19);
        if (type == CLPRIMS_F64) ((double *)weights)[i] = value;
        if (type == CLPRIMS_F32) ((float *)weights)[i] = (float)value;
    }
}

/* Outside of the bins no weight matters; a bad one inside does. */
static void draw_extremes(const histogram_twin *twin, const void *in, void *weights, size_t n) {
    static const float extremes[] = {INFINITY, -INFINITY, NAN, 3e38f, -3e38f, 1e-44f};
    const bool is_bad = test_random_below(6) == 0;
    for (size_t i = 0; i < n; i++) {
        const float single = extremes[test_random_below(sizeof extremes / sizeof extremes[0])];
        const bool may = histogram_is_inside(twin, in, i) ? is_bad && !isfinite(single) : true;
        if (!may || test_random_below(is_bad ? 100 : 3) != 0) continue;
        if (twin->desc.weights == CLPRIMS_F32) ((float *)weights)[i] = single;
        if (twin->desc.weights == CLPRIMS_F64) {
            ((double *)weights)[i] = isfinite(single) ? 1e260 * single : single;
        }
    }
}

static void expect_found(const drawn *d, const clprims_histogram_report *expected,
                         const test_buffer *report, const void *sums, test_buffer *to) {
    const clprims_histogram_desc *desc = &d->twin.desc;
    const size_t bytes = clprims_type_bytes(histogram_sums_type(desc));
    void *actual = test_alloc(desc->bins, bytes);
    clprims_histogram_report found;
    test_buffer_read(report, &found);
    expect_elements(expected, &found, 1, sizeof found);
    if (found.fault == CLPRIMS_HISTOGRAM_VALID) {
        test_buffer_read(to, actual);
        expect_elements(sums, actual, desc->bins, bytes);
    }
    free(actual);
}

/* A counted run has room for max_n elements, and reads no more than n. */
static void run(const drawn *d) {
    const clprims_histogram_desc *desc = &d->twin.desc;
    const size_t n = fuzz_pass_size(desc->max_n), bytes = clprims_type_bytes(desc->type);
    const bool counted = fuzz_coin();
    const size_t room = counted ? desc->max_n : n;
    const size_t weight_bytes = clprims_type_bytes(desc->weights);
    const size_t sum_bytes = clprims_type_bytes(histogram_sums_type(desc));
    const bool weighted = desc->weights != CLPRIMS_TYPE_DEFAULT;
    clprims_histogram_report expected;
    void *in = test_alloc(room, 8), *weights = test_alloc(room, 8);
    void *sums = test_alloc(desc->bins, 8);
    pass_turn turn = fuzz_turn();
    memset(in, 0, 8 * room);
    memset(weights, 0xff, 8 * room); /* NaN, of floats */
    fill(desc, in, n);
    if (weighted) fill_weights(desc->weights, weights, n);
    if (desc->weights >= CLPRIMS_F32) draw_extremes(&d->twin, in, weights, n);
    histogram_find(&d->twin, in, weights, n, sums, &expected);
    test_buffer from = test_buffer_create(in, room, bytes, fuzz_between(0, 20)), by = {.n = 0};
    if (weighted) by = test_buffer_create(weights, room, weight_bytes, fuzz_between(0, 9));
    test_buffer to = test_buffer_create(NULL, desc->bins, sum_bytes, fuzz_between(0, 9));
    test_buffer report = test_buffer_create(NULL, 1, sizeof expected, fuzz_between(0, 3));
    const uint64_t number = n;
    test_buffer count = test_buffer_create(&number, 1, sizeof number, fuzz_between(0, 3));
    const cl_command_queue queue = pass_turn_queue(&turn);
    const cl_uint waits = pass_turn_waits(&turn);
    const cl_event *gate = turn.gate ? &turn.gate : NULL;
    expect_ok(counted ? clprims_histogram_enqueue_counted(d->plan, queue, from.at, by.at, to.at,
                                                          count.at, report.at, waits, gate, NULL)
                      : clprims_histogram_enqueue(d->plan, queue, from.at, by.at, to.at, n,
                                                  report.at, waits, gate, NULL));
    pass_turn_end(&turn);
    expect_found(d, &expected, &report, sums, &to);
    test_buffer_expect_unchanged(&from, in);
    if (weighted) test_buffer_release(&by);
    test_buffer_release(&from);
    test_buffer_release(&to);
    test_buffer_release(&report);
    test_buffer_release(&count);
    free(in);
    free(weights);
    free(sums);
}

void fuzz_histogram(void) {
    drawn d = {.twin = {CLPRIMS_HISTOGRAM_DESC_INIT, NULL}};
    clprims_histogram_desc *desc = &d.twin.desc;
    draw_bins(&d);
    draw_sums(desc);
    draw_knobs(&d);
    desc->max_n = 1 + fuzz_size(desc->weights >= CLPRIMS_F32 ? MOST_FLOATS
                                : test_small()               ? 3000
                                                             : 300000);
    fuzz_note("histogram of %s by %d, %zu bins, [%.17g, %.17g], weights %s, sums %s, fast %d, "
              "refuses %d, max_n %zu, tuning %s",
              clprims_type_name(desc->type), (int)desc->by, desc->bins, desc->least, desc->most,
              clprims_type_name(desc->weights), clprims_type_name(desc->sums), desc->fast_floats,
              desc->refuse_outside, desc->max_n, desc->tuning ? desc->tuning : "none");
    if (!fuzz_created(clprims_histogram_create(&d.plan, test_context(), desc))) return;
    const size_t runs = fuzz_between(1, 6);
    for (size_t i = 0; i < runs; i++) run(&d);
    clprims_histogram_destroy(d.plan);
}
