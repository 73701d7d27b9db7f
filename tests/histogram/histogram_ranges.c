/* SPDX-License-Identifier: MIT */
/* Bins of equal width and bins between edges: every edge, its neighbours, NaN and infinities. */
#include "harness/programs.h"
#include "histogram/histogram_cases.h"

#include <math.h>

/* ---- Even bins ---- */

typedef struct even_case {
    const char *name;
    clprims_type type;
    double least, most;
    size_t bins;
    int shape;
    bool later; /* in the long tier alone */
} even_case;

/* Integers of up to 32 bits take a product where one is exact, for tenths or widths below 1
 * doubles. The edge 273 * (1 / 91) of "above-three" is 3 + 2^-51, as doubles are rounded.
 */
static const even_case evens[] = {
    {"all", CLPRIMS_U32, 0, 4294967296.0, 256, HISTOGRAM_LOCAL, false},
    {"bytes", CLPRIMS_U8, 0, 256, 256, HISTOGRAM_SERIAL, true},
    {"closed", CLPRIMS_U8, 10, 250, 16, HISTOGRAM_LOCAL, false},
    {"thirds", CLPRIMS_I8, -100.5, 77.25, 33, HISTOGRAM_SERIAL, false},
    {"narrow", CLPRIMS_I16, -3, 4, 1000, HISTOGRAM_PARTS, false},
    {"sevenths", CLPRIMS_I32, -1000000, 2000000, 7, HISTOGRAM_SERIAL, true},
    {"tenths", CLPRIMS_I32, 0, 4.1, 41, HISTOGRAM_SERIAL, false},
    {"above-three", CLPRIMS_U8, 0, 4, 364, HISTOGRAM_SERIAL, false},
    {"none", CLPRIMS_U8, 1000, 2000, 10, HISTOGRAM_SERIAL, false},
    {"below", CLPRIMS_U8, -20, -10, 10, HISTOGRAM_SERIAL, true},
    {"wide", CLPRIMS_I64, -9e18, 9e18, 100, HISTOGRAM_SERIAL, false},
    {"unsigned", CLPRIMS_U64, 0, 18446744073709551616.0, 1000, HISTOGRAM_GLOBAL, true},
    {"single", CLPRIMS_F32, 0, 1, 10, HISTOGRAM_SERIAL, true},
    {"single-alike", CLPRIMS_F32, 1, 1.000001, 64, HISTOGRAM_LOCAL, false},
    {"double", CLPRIMS_F64, -1, 1, 1000, HISTOGRAM_LOCAL, false},
    {"one", CLPRIMS_F64, -0.0, 5e-324, 1, HISTOGRAM_SERIAL, false},
    {"by-values", CLPRIMS_I8, -128, 127, 17, HISTOGRAM_BYTEWISE, false},
    {"not-by-values", CLPRIMS_U8, 0, 254, 17, HISTOGRAM_BYTEWISE, true},
};

/* x and the numbers next to it, rounded to the type; how many. */
static size_t put_around(clprims_type type, double x, void *in, size_t at) {
    const size_t bytes = clprims_type_bytes(type);
    unsigned char *to = (unsigned char *)in + at * bytes;
    const float single = (float)x;
    const float singles[3] = {nextafterf(single, -INFINITY), single, nextafterf(single, INFINITY)};
    const double doubles[3] = {nextafter(x, -INFINITY), x, nextafter(x, INFINITY)};
    if (type == CLPRIMS_F32) {
        memcpy(to, singles, sizeof singles);
    } else if (type == CLPRIMS_F64) {
        memcpy(to, doubles, sizeof doubles);
    } else {
        const double bounded = fmin(fmax(x, -9e18), 9e18);
        for (int d = -1; d <= 1; d++) {
            const int64_t value = (int64_t)floor(bounded) + d;
            memcpy(to + (size_t)(d + 1) * bytes, &value, bytes); /* wraps, which is as good */
        }
    }
    return 3;
}

/* Elements at every edge, and as many random ones as the range and its surroundings have. */
static size_t fill_even(const even_case *c, void *in, size_t most) {
    const bool is_float = c->type >= CLPRIMS_F32;
    size_t n = 0;
    for (size_t b = 0; b <= c->bins && n + 6 < most; b++) {
        n += put_around(c->type, c->least + (double)b * ((c->most - c->least) / (double)c->bins),
                        in, n);
    }
    n += put_around(c->type, c->most, in, n);
    for (; n + 9 < most;) {
        const double share = (double)test_random_below(1 << 30) / (1 << 30) * 1.25 - 0.125;
        n += put_around(c->type, c->least + share * (c->most - c->least), in, n);
    }
    if (is_float) n += put_around(c->type, INFINITY, in, n);
    if (is_float) n += put_around(c->type, NAN, in, n);
    return n;
}

static void even_bins(const void *data) {
    const even_case *c = data;
    const size_t most = test_small() ? 900 : 20000;
    histogram_twin twin = histogram_even(c->type, c->bins, c->least, c->most, most);
    void *in = test_scratch(most, clprims_type_bytes(c->type));
    twin.desc.sums = CLPRIMS_U32;
    twin.desc.tuning = histogram_shapes[c->shape].tuning;
    const size_t n = fill_even(c, in, most);
    histogram_compare(&twin, in, NULL, n % 3, n);
}

/* Every byte, in bins of which no width is a whole number. */
static void even_bins_of_bytes(const void *data) {
    const size_t bins = *(const size_t *)data;
    uint8_t in[256];
    const histogram_twin twin =
        histogram_even(CLPRIMS_U8, bins, (double)bins / 7, 255 - (double)bins / 3, 256);
    for (size_t i = 0; i < 256; i++) in[i] = (uint8_t)i;
    histogram_compare(&twin, in, NULL, 0, 256);
}

/* Plans that differ in their ranges share a program: one with products, one with doubles. */
static void ranges_share_programs(const void *data) {
    enum { N = 500, PLANS = 12 };
    const clprims_type type = *(const clprims_type *)data;
    histogram_twin twin = histogram_even(type, 9, 0, 0, N);
    const size_t before = programs_count(), most = type == CLPRIMS_F64 ? 1 : 2;
    double in[N];
    for (size_t k = 0; k < PLANS; k++) {
        twin.desc.least = (double)test_random_below(1000) / 7 - 70;
        twin.desc.most = twin.desc.least + 1 + (double)test_random_below(1000) / 3;
        if (type == CLPRIMS_I16) test_random_values(CLPRIMS_I16, CLPRIMS_XOR, in, N);
        for (size_t i = 0; i < N && type == CLPRIMS_F64; i++) {
            in[i] = twin.desc.least + (double)test_random_below(400) - 20;
        }
        test_note("from %.17g to %.17g", twin.desc.least, twin.desc.most);
        histogram_compare(&twin, in, NULL, k, N);
        assert_in_range(programs_count(), before, before + most);
    }
}

/* ---- Edges ---- */

static const int64_t far_edges[] = {INT64_MIN, -5, -5, 0, 7, 7, 7, INT64_MAX - 1};
static const uint8_t byte_edges[] = {3, 3, 3, 100, 200};
static const float float_edges[] = {-INFINITY, -1.5f, -0.0f, 0.25f, 3e38f, INFINITY};
static const double double_edges[] = {-1, 0, 0, 1e-300, 1};

typedef struct edge_case {
    const char *name;
    clprims_type type;
    const void *edges;
    size_t bins;
    int shape;
} edge_case;

static const edge_case edge_cases[] = {
    {"int64", CLPRIMS_I64, far_edges, 7, HISTOGRAM_LOCAL},
    {"uint8", CLPRIMS_U8, byte_edges, 4, HISTOGRAM_SERIAL},
    {"float32", CLPRIMS_F32, float_edges, 5, HISTOGRAM_GLOBAL},
    {"uint8-one", CLPRIMS_U8, byte_edges, 1, HISTOGRAM_SERIAL},
    {"float64", CLPRIMS_F64, double_edges, 4, HISTOGRAM_SERIAL},
};

static void bins_between_edges(const void *data) {
    const edge_case *c = data;
    const size_t bytes = clprims_type_bytes(c->type), most = test_small() ? 400 : 6000;
    const bool is_float = c->type >= CLPRIMS_F32;
    histogram_twin twin = histogram_even(c->type, c->bins, 0, 0, most);
    unsigned char *in = test_scratch(most, bytes);
    twin.desc.by = CLPRIMS_HISTOGRAM_EDGES;
    twin.desc.edges = c->edges;
    twin.desc.tuning = histogram_shapes[c->shape].tuning;
    test_random_values(c->type, is_float ? CLPRIMS_ADD : CLPRIMS_XOR, in, most);
    for (size_t b = 0; b <= c->bins; b++) {
        memcpy(in + b * bytes, (const unsigned char *)c->edges + b * bytes, bytes);
    }
    if (is_float) (void)put_around(c->type, NAN, in, 20);
    if (is_float) (void)put_around(c->type, 0, in, 30);
    histogram_compare(&twin, in, NULL, 1, most);
}

void add_range_cases(test_cases *cases) {
    static const size_t bins[] = {3, 100, 255};
    static const clprims_type shared[] = {CLPRIMS_I16, CLPRIMS_F64};
    for (size_t i = 0; i < sizeof evens / sizeof evens[0]; i++) {
        if (!test_bears_shapes() && evens[i].shape != HISTOGRAM_SERIAL) continue;
        if (test_small() ? i % 4 != 0 : evens[i].later && !test_long()) continue;
        test_add_row(cases, even_bins, evens[i], "histogram/even/%s/%s",
                     clprims_type_name(evens[i].type), evens[i].name);
    }
    for (size_t i = 0; i < (test_long() ? 3 : 1) && !test_small(); i++) {
        test_add_row(cases, even_bins_of_bytes, bins[i], "histogram/even/bytes/%zu", bins[i]);
    }
    for (size_t i = 0; i < sizeof shared / sizeof shared[0] && !test_small(); i++) {
        test_add_row(cases, ranges_share_programs, shared[i], "histogram/even/%s/any-range",
                     clprims_type_name(shared[i]));
    }
    for (size_t i = 0; i < sizeof edge_cases / sizeof edge_cases[0]; i++) {
        if (!test_bears_shapes() && edge_cases[i].shape != HISTOGRAM_SERIAL) continue;
        if (i % 2 != 0 && !test_long()) continue;
        test_add_row(cases, bins_between_edges, edge_cases[i], "histogram/edges/%s",
                     edge_cases[i].name);
    }
}
