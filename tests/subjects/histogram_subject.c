/* SPDX-License-Identifier: MIT */
/* Histogram: by each way to count, of counts and of sums. */
#include "fixtures/histogram_twin.h"
#include "subjects/subjects.h"

#include <math.h>

enum { IN, WEIGHTS, OUT, N, REPORT };
enum { FEW = 100, FEW_BINS = 7, MANY_BINS = 1100, FAULTS_N = 100000 };

SUBJECT_PLAN(histogram)
SUBJECT_DESCRIBE(histogram, n[0])
SUBJECT_PARAMETERS(histogram)
SUBJECT_CHECK(histogram)

SUBJECT_ENQUEUE(histogram, s->at[IN], s->at[WEIGHTS], s->at[OUT], s->at[N], s->at[REPORT])

/* The elements outside of the bins are compared here. */
static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_histogram_report *report = d->at[REPORT].expected;
    uint64_t outside = 0;
    const clprims_histogram_arrays arrays = {at[IN], at[WEIGHTS], at[OUT], &outside};
    const clprims_status status = clprims_histogram_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[0]);
    if (status != CLPRIMS_OK) return status;
    return outside == (uint64_t)report->outside ? CLPRIMS_OK : CLPRIMS_ERR_INTERNAL;
}

/* ---- Data ---- */

static _Thread_local size_t element_bytes;

static uint64_t rest_of_65(const void *element, uint64_t i) {
    (void)i;
    return subject_load(element_bytes, element, 0) % 65;
}

static uint64_t rest_of_100(const void *element, uint64_t i) {
    return (subject_load(element_bytes, element, 0) + i) % 100;
}

static uint64_t up_to_50(const void *element, uint64_t i) {
    const uint64_t x = subject_load(element_bytes, element, 0);
    (void)i;
    return x < 50 ? x : x == 50 ? 49 : UINT64_MAX;
}

static uint64_t rest_of_4(const void *element, uint64_t i) {
    (void)i;
    return subject_load(element_bytes, element, 0) % 4;
}

static uint64_t high_byte(const void *element, uint64_t i) {
    (void)i;
    return subject_load(element_bytes, element, 0) >> 24;
}

static const struct {
    const char *text;
    histogram_bin *bin;
} expressions[] = {{"x % 65", rest_of_65},
                   {"(x + i) % 100", rest_of_100},
                   {"x < 50 ? x : x == 50 ? 49 : -1", up_to_50},
                   {"x % 4", rest_of_4},
                   {"x >> 24", high_byte}};

static histogram_bin *bin_of(const subject_data *d) {
    const clprims_histogram_desc *desc = d->desc;
    if (d->user != NULL) return ((const histogram_given *)d->user)->bin;
    element_bytes = clprims_type_bytes(desc->type);
    for (size_t k = 0; desc->bin != NULL && k < sizeof expressions / sizeof expressions[0]; k++) {
        if (strcmp(expressions[k].text, desc->bin) == 0) return expressions[k].bin;
    }
    return NULL;
}

static void put_real(clprims_type type, void *values, size_t i, double value) {
    if (type == CLPRIMS_F64) ((double *)values)[i] = value;
    if (type == CLPRIMS_F32) ((float *)values)[i] = (float)value;
    if (type >= CLPRIMS_F32) return;
    test_store_integer(clprims_type_bytes(type), values, i, (uint64_t)(int64_t)value);
}

/* Around the range, on edges, or any. */
static void fill(const clprims_histogram_desc *desc, void *in, size_t n) {
    const bool by_edges = desc->by == CLPRIMS_HISTOGRAM_EDGES, is_float = desc->type >= CLPRIMS_F32;
    const double width = by_edges ? (double)desc->bins : desc->most - desc->least;
    const double least = by_edges ? 0 : desc->least;
    const bool is_any = test_random_below(4) == 0;
    const uint64_t bound = is_any || desc->bins > 200 ? 0 : desc->bins + 10;
    if (!is_float) subject_fill(in, clprims_type_bytes(desc->type), n, bound);
    if (!is_float && (is_any || desc->by == CLPRIMS_HISTOGRAM_EXPRESSION)) return;
    for (size_t i = 0; i < n; i++) {
        const double share = test_random_below(2) == 0
                                 ? (double)test_random_below(desc->bins + 1) / (double)desc->bins
                                 : (double)test_random_below(1200) / 1000 - 0.1;
        const double x = least + share * width;
        put_real(desc->type, in, i, is_float ? x : floor(x + (double)test_random_below(2)));
    }
}

/* Integers below 2^20 in floats: their sums are exact. */
static void fill_weights(clprims_type type, void *weights, size_t n) {
    if (type < CLPRIMS_F32) {
        test_random_values(type, CLPRIMS_XOR, weights, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        put_real(type, weights, i, (double)test_random_below(1 << 20) - (1 << 19));
    }
}

/* Outside of the bins no weight matters; a bad one inside does. */
static void draw_extremes(const histogram_twin *twin, const subject_data *d) {
    static const float extremes[] = {INFINITY, -INFINITY, NAN, 3e38f, -3e38f, 1e-44f};
    const clprims_type type = twin->desc.weights;
    const bool is_bad = d->may_be_malformed && test_random_below(6) == 0;
    for (size_t i = 0; i < d->n[0]; i++) {
        const float single = extremes[test_random_below(sizeof extremes / sizeof extremes[0])];
        const bool is_inside = histogram_is_inside(twin, d->at[IN].values, i);
        if (is_inside && (!is_bad || isfinite(single))) continue;
        if (test_random_below(is_bad ? 100 : 3) != 0) continue;
        const bool is_farther = type == CLPRIMS_F64 && isfinite(single);
        put_real(type, d->at[WEIGHTS].values, i, is_farther ? 1e260 * single : single);
    }
}

/* As they are given, or drawn. */
static const void *draw_weights(subject_data *d, const histogram_twin *twin, size_t n) {
    const histogram_given *given = d->user;
    const clprims_type type = twin->desc.weights;
    if (type == CLPRIMS_TYPE_DEFAULT) return NULL;
    const size_t bytes = clprims_type_bytes(type);
    void *weights = subject_in(d, WEIGHTS, "weights", n, subject_room(d, 0), bytes);
    if (given != NULL) {
        memcpy(weights, given->weights, n * bytes);
    } else {
        fill_weights(type, weights, n);
        if (type >= CLPRIMS_F32) draw_extremes(twin, d);
    }
    return weights;
}

static void draw(subject_data *d) {
    const clprims_histogram_desc *desc = d->desc;
    const histogram_given *given = d->user;
    const histogram_twin twin = {*desc, bin_of(d)};
    const size_t n = d->n[0], bytes = histogram_element_bytes(desc);
    clprims_histogram_report report;
    void *in = subject_in(d, IN, "in", n, subject_room(d, 0), bytes);
    if (given != NULL) {
        memcpy(in, given->in, n * bytes);
    } else {
        fill(desc, in, n);
    }
    const void *weights = draw_weights(d, &twin, n);
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
    SUBJECT(histogram),
    SUBJECT_MEMBER(histogram, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true},
    .max = {SUBJECT_MAX(histogram, max_n)},
    .plain = HISTOGRAM(.type = CLPRIMS_I32, .bins = 4, .most = 8),
    SUBJECT_GROUPS(histogram),
    .knobs = {.key = "histogram", .call = "histogram"},
    .check = check,
    SUBJECT_LAUNCHED_PLANS,
    .plans.limits = SUBJECT_TABLE(limits),
    .plans.ways = SUBJECT_TABLE(ways),
};
