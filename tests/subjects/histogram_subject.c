/* SPDX-License-Identifier: MIT */
/* Histogram: by each way to count, of counts and of sums. */
#include "fixtures/histogram_twin.h"
#include "subjects/subjects.h"

#include <math.h>
#include <string.h>

enum { IN, WEIGHTS, OUT, REPORT, N };
enum { FEW = 100, FEW_BINS = 7, MANY_BINS = 1100, FAULTS_N = 100000 };

SUBJECT_PLAN(histogram)
SUBJECT_PARAMETERS(histogram)
SUBJECT_CHECK(histogram)

static clprims_status describe(const void *plan, const size_t *n, void *info) {
    return clprims_histogram_describe(plan, n[0], info);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    if (d->counted) {
        return clprims_histogram_enqueue_counted(plan, s->queue, s->at[IN], s->at[WEIGHTS],
                                                 s->at[OUT], s->at[N], s->at[REPORT],
                                                 SUBJECT_WAITS(s));
    }
    return clprims_histogram_enqueue(plan, s->queue, s->at[IN], s->at[WEIGHTS], s->at[OUT], d->n[0],
                                     s->at[REPORT], SUBJECT_WAITS(s));
}

/* The elements outside of the bins are compared here. */
static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_histogram_report *report = d->at[REPORT].expected;
    uint64_t outside = 0;
    const clprims_status status =
        clprims_histogram_run(plan, at[IN], at[WEIGHTS], at[OUT], d->n[0], &outside);
    if (status != CLPRIMS_OK) return status;
    return outside == (uint64_t)report->outside ? CLPRIMS_OK : CLPRIMS_ERR_INTERNAL;
}

/* ---- Data ---- */

static uint64_t rest_of_65(const void *element, uint64_t i) {
    (void)i;
    return subject_load(4, element, 0) % 65;
}

static uint64_t up_to_50(const void *element, uint64_t i) {
    const uint64_t x = subject_load(4, element, 0);
    (void)i;
    return x < 50 ? x : x == 50 ? 49 : UINT64_MAX;
}

static uint64_t rest_of_4(const void *element, uint64_t i) {
    (void)i;
    return subject_load(4, element, 0) % 4;
}

static uint64_t high_byte(const void *element, uint64_t i) {
    (void)i;
    return subject_load(4, element, 0) >> 24;
}

static const struct {
    const char *text;
    histogram_bin *bin;
} expressions[] = {{"x % 65", rest_of_65},
                   {"x < 50 ? x : x == 50 ? 49 : -1", up_to_50},
                   {"x % 4", rest_of_4},
                   {"x >> 24", high_byte}};

static histogram_bin *bin_of(const subject_data *d) {
    const clprims_histogram_desc *desc = d->desc;
    if (d->user != NULL) return ((const histogram_given *)d->user)->bin;
    for (size_t k = 0; desc->bin != NULL && k < sizeof expressions / sizeof expressions[0]; k++) {
        if (strcmp(expressions[k].text, desc->bin) == 0) return expressions[k].bin;
    }
    return NULL;
}

static void fill_weights(clprims_type type, void *weights, size_t n) {
    if (type < CLPRIMS_F32) {
        subject_fill(weights, clprims_type_bytes(type), n, 1 << 20);
        return;
    }
    /* Sums that are exact. */
    for (size_t i = 0; i < n; i++) ((float *)weights)[i] = (float)test_random_below(1000) - 500;
}

/* As they are given, or in the bins and, a few, behind them. */
static void fill_elements(const subject_data *d, histogram_bin *bin, void *in, size_t n) {
    const clprims_histogram_desc *desc = d->desc;
    const histogram_given *given = d->user;
    const size_t bytes = histogram_element_bytes(desc);
    const bool by_expression = desc->by == CLPRIMS_HISTOGRAM_EXPRESSION;
    const double bound = by_expression ? (double)desc->bins + 10 : desc->most * 1.1 + 2;
    const bool takes_all = bin == high_byte || bound >= 4294967296.0;
    if (given != NULL) {
        memcpy(in, given->in, n * bytes);
    } else {
        subject_fill(in, bytes, n, takes_all ? 0 : (uint64_t)bound);
    }
}

static void *draw_weights(subject_data *d, size_t n) {
    const clprims_histogram_desc *desc = d->desc;
    const histogram_given *given = d->user;
    const size_t bytes = clprims_type_bytes(desc->weights);
    if (bytes == 0) return NULL;
    void *weights = subject_in(d, WEIGHTS, "weights", n, subject_room(d, 0), bytes);
    if (given != NULL) {
        memcpy(weights, given->weights, n * bytes);
        return weights;
    }
    fill_weights(desc->weights, weights, n);
    const bool is_bad =
        desc->weights == CLPRIMS_F32 && d->may_be_malformed && test_random_below(8) == 0;
    if (is_bad && n > 0) ((float *)weights)[test_random_below(n)] = INFINITY;
    return weights;
}

static void draw(subject_data *d) {
    const clprims_histogram_desc *desc = d->desc;
    const histogram_twin twin = {*desc, bin_of(d)};
    const size_t n = d->n[0];
    clprims_histogram_report report;
    void *in = subject_in(d, IN, "in", n, subject_room(d, 0), histogram_element_bytes(desc));
    fill_elements(d, twin.bin, in, n);
    const void *weights = draw_weights(d, n);
    void *out = subject_out(d, OUT, "out", desc->bins, desc->bins,
                            clprims_type_bytes(histogram_sums_type(desc)));
    histogram_find(&twin, in, weights, n, out, &report);
    if (report.fault != CLPRIMS_HISTOGRAM_VALID) {
        d->at[OUT].written = 0;
        d->status = d->verdict = CLPRIMS_ERR_DATA;
    }
    subject_report(d, REPORT, &report, sizeof report);
    subject_number(d, N, "n", 0);
}

/* ---- Plans ---- */

#define HISTOGRAM(...) SUBJECT_CUSTOM_DESC(histogram, __VA_ARGS__)
#define FEW_OF(...) HISTOGRAM(.type = CLPRIMS_U16, .bins = FEW_BINS, .most = 6, __VA_ARGS__)
#define SUMS FEW_OF(.weights = CLPRIMS_I32)
#define FLOATS FEW_OF(.weights = CLPRIMS_F32)
static const uint16_t edges[FEW_BINS + 1] = {0, 1, 2, 3, 4, 5, 6, 6};

/* So many sums of floats are written by a kernel of their own. */
static const subject_call calls[] = {
    {"histogram", SUMS, "GROUP=1", .n = {FEW}},
    {"histogram-local", FEW_OF(.fast_floats = 0), "GROUP=16 PART_BINS=3 COPIES=2 SLICES=1",
     .n = {FEW}, .needs_shapes = true},
    {"histogram-global",
     FEW_OF(.weights = CLPRIMS_I32, .by = CLPRIMS_HISTOGRAM_EDGES, .edges = edges),
     "GROUP=16 PARTS=0", .n = {FEW}, .needs_shapes = true},
    {"histogram-floats", FLOATS, "GROUP=1 SLICES=1", .n = {FEW}},
    {"histogram-many-bins",
     HISTOGRAM(.type = CLPRIMS_U16, .bins = MANY_BINS, .most = 6, .weights = CLPRIMS_F32),
     "GROUP=16 PARTS=0", .n = {FEW}, .needs_shapes = true},
    {"histogram-counted", FLOATS, "GROUP=1 SLICES=1", .n = {57}, .most = {FEW}, .counted = true},
    {"histogram-of-none", SUMS, "GROUP=1", .n = {0}, .most = {FEW}},
};

#define BY(text) .by = CLPRIMS_HISTOGRAM_EXPRESSION, .bin = text

static const subject_sample samples[] = {
    {"histogram",
     HISTOGRAM(.type = CLPRIMS_U32, .bins = 1000, .most = 4194304000.0, .weights = CLPRIMS_U32),
     12345678, 33554433},
    {"histogram/counts", HISTOGRAM(.type = CLPRIMS_I32, .bins = 50, .most = 50), 0, 0},
    {"histogram/expression",
     HISTOGRAM(.type = CLPRIMS_I32, .bins = 50, .weights = CLPRIMS_I32,
               BY("x < 50 ? x : x == 50 ? 49 : -1")),
     0, 0},
};

static const subject_fault faults[] = {
    {"histogram", "", HISTOGRAM(.type = CLPRIMS_U32, .bins = 64, BY("x % 65")), .n = {FAULTS_N},
     .order = SUBJECT_BOTH_ORDERS},
};

static const subject_launch launched[] = {
    {"histogram",
     .desc = HISTOGRAM(.type = CLPRIMS_U32, .bins = 4, .weights = CLPRIMS_F32, BY("x % 4"))}};

static const subject_limit limits[] = {
    {"histogram of many bins",
     HISTOGRAM(.type = CLPRIMS_U32, .bins = 1 << 26, .most = 8, .sums = CLPRIMS_U32)}};

static const subject_way ways[] = {
    {"chosen", NULL, 0},
    {"serial", "GROUP=1", 0},
    {"global", "GROUP=64 PARTS=0", 0},
    {"parts", "GROUP=64 PARTS=64 PART_BINS=100 COPIES=4 DEPTH=2", 0}};

static const float float_edges[] = {-1, 0, 0.5f, 8};
static const subject_kind kinds[] = {
    {"bytes", NULL, .desc = HISTOGRAM(.type = CLPRIMS_U8, .bins = 256, .most = 256)},
    {"sums", NULL,
     .desc = HISTOGRAM(.type = CLPRIMS_U32, .bins = 2048, .by = CLPRIMS_HISTOGRAM_EXPRESSION,
                       .bin = "map[i % 3] + (x >> shift)",
                       .parameters = "global const uint *map, uint shift", .weights = CLPRIMS_I64,
                       .refuse_outside = 1)},
    {"edges", NULL,
     .desc = HISTOGRAM(.type = CLPRIMS_F32, .by = CLPRIMS_HISTOGRAM_EDGES, .bins = 3,
                       .edges = float_edges, .weights = CLPRIMS_F32)},
    {"doubles", NULL,
     .desc = HISTOGRAM(.type = CLPRIMS_F64, .bins = 1000, .most = 1, .weights = CLPRIMS_F64,
                       .fast_floats = 1)},
};

const subject subject_histogram = {
    SUBJECT(histogram, most),
    .set_parameter = set_parameter,
    .tells_numbers = true,
    .max = {SUBJECT_MAX(histogram, max_n)},
    .plain = HISTOGRAM(.type = CLPRIMS_I32, .bins = 4, .most = 8),
    SUBJECT_INFO(histogram, group),
    SUBJECT_SCRATCH(histogram),
    SUBJECT_GROUPS(histogram),
    .knobs = "histogram",
    .knobs_call = "histogram",
    .check = check,
    .calls = SUBJECT_TABLE(calls),
    .samples = SUBJECT_TABLE(samples),
    .faults = SUBJECT_TABLE(faults),
    .launched = SUBJECT_TABLE(launched),
    .limits = SUBJECT_TABLE(limits),
    .kinds = SUBJECT_TABLE(kinds),
    .ways = SUBJECT_TABLE(ways),
};
