/* SPDX-License-Identifier: MIT */
/* Sums of weights: integers that wrap, floats that are exact, ties, the smallest and the largest;
 * and what a run finds besides. */
#include "histogram/histogram_cases.h"

#include <float.h>
#include <math.h>

/* Of uint16 elements. */
static uint64_t rest(const void *element, uint64_t i) {
    uint16_t x;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x % 40;
}

typedef struct weight_case {
    clprims_type weights, sums;
    int shape;
    bool fast;
    bool later; /* in the long tier alone */
} weight_case;

static const weight_case weight_cases[] = {
    {CLPRIMS_I8, CLPRIMS_TYPE_DEFAULT, HISTOGRAM_LOCAL, false, false},
    {CLPRIMS_U32, CLPRIMS_TYPE_DEFAULT, HISTOGRAM_GLOBAL, false, true},
    {CLPRIMS_I64, CLPRIMS_TYPE_DEFAULT, HISTOGRAM_LOCAL, false, true},
    {CLPRIMS_U64, CLPRIMS_I32, HISTOGRAM_SERIAL, false, false},
    {CLPRIMS_I16, CLPRIMS_U32, HISTOGRAM_LOCAL, false, true},
    {CLPRIMS_F32, CLPRIMS_TYPE_DEFAULT, HISTOGRAM_SERIAL, false, true},
    {CLPRIMS_F32, CLPRIMS_TYPE_DEFAULT, HISTOGRAM_LOCAL, false, false},
    {CLPRIMS_F32, CLPRIMS_F64, HISTOGRAM_GLOBAL, true, false},
    {CLPRIMS_F64, CLPRIMS_TYPE_DEFAULT, HISTOGRAM_LOCAL, false, false},
    {CLPRIMS_F64, CLPRIMS_F32, HISTOGRAM_SERIAL, false, false},
};

static histogram_twin weighted(const weight_case *c, size_t max_n) {
    histogram_twin twin = {{0}, rest};
    twin.desc.type = CLPRIMS_U16;
    twin.desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    twin.desc.bin = "x % 40";
    twin.desc.bins = 37;
    twin.desc.weights = c->weights;
    twin.desc.sums = c->sums;
    twin.desc.fast_floats = c->fast;
    twin.desc.max_n = max_n;
    twin.desc.tuning = histogram_shapes[c->shape].tuning;
    return twin;
}

/* Floats in (-1, 1), whose sums round. */
static void fill_weights(clprims_type type, void *weights, size_t n) {
    if (type < CLPRIMS_F32) {
        test_random_values(type, CLPRIMS_XOR, weights, n);
        return;
    }
    test_random_unit(type, weights, n);
    for (size_t i = 0; i < n; i += 3) {
        if (type == CLPRIMS_F32) ((float *)weights)[i] *= -1;
        if (type == CLPRIMS_F64) ((double *)weights)[i] *= -1;
    }
}

static void sums_are_right(const void *data) {
    const weight_case *c = data;
    static const size_t sizes[] = {0, 1, 2, 63, 64, 65, 700, 8193, 20000};
    const histogram_twin twin = weighted(c, 20000);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const size_t n = sizes[k];
        if (test_small() && n > 700) continue;
        uint16_t *in = test_scratch(n, sizeof *in);
        void *weights = test_scratch(n, clprims_type_bytes(c->weights));
        test_note("n = %zu", n);
        test_random_values(CLPRIMS_U16, CLPRIMS_XOR, in, n);
        fill_weights(c->weights, weights, n);
        histogram_compare(&twin, in, weights, k, n);
    }
}

/* ---- Floats at their limits ---- */

/* One bin a row: what is added up comes out as the right sum, rounded once. */
static const double singles[][4] = {
    {16777216, 1, 0, 0}, /* a tie, to even */
    {16777216, 3, 0, 0},     {16777216, 1, 0x1p-15, 0}, /* above the tie */
    {0x1p62, 1, -0x1p62, 0}, {-0x1p62, -1, 0x1p62, 0},
    {1, -1, 0, 0},           {0x1.fffffep0, 0x1p-24, 0, 0}, /* carries into the exponent */
};
static const double large_singles[][4] = {
    {FLT_MAX, FLT_MAX, 0, 0},
    {-FLT_MAX, -0x1p103, 0, 0}, /* a tie, to infinity */
    {FLT_MAX, 0x1p102, 0, 0},
    {FLT_MAX, -FLT_MAX, 0, 0},
};
static const double small_singles[][4] = {
    {0x1p-149, 0x1p-149, 0x1p-149, 0}, /* below the smallest normal number */
    {0x1p-126, -0x1p-149, 0, 0},
    {0x1.fffffcp-127, 0x1p-149, 0, 0}, /* becomes normal */
    {-0x1p-149, 0, 0, 0},
};

static const double doubles[][4] = {
    {0x1p53, 1, 0, 0}, {0x1p53, 3, 0, 0}, {0x1p60, 1, -0x1p60, 0}, {0x1p63, -1, 0, 0}};
static const double large_doubles[][4] = {
    {DBL_MAX, DBL_MAX, 0, 0}, {-DBL_MAX, -0x1p969, 0, 0}, {DBL_MAX, 0x1p968, 0, 0}};
static const double small_doubles[][4] = {{5e-324, 5e-324, 0, 0},
                                          {0x1p-1022, -5e-324, 0, 0},
                                          {0x1.ffffffffffffep-1023, 5e-324, 0, 0},
                                          {-5e-324, 0, 0, 0}};

/* The second is added by atomics: 1 - 1 carries through words of all ones. Sums of doubles are of
 * few that long doubles hold. */
static const struct limit_case {
    const char *name;
    clprims_type type;
    int shape; /* HISTOGRAM_SHAPES: the default */
    struct {
        const double (*rows)[4];
        size_t count;
    } sets[3];
} limit_cases[] = {
    {"float32",
     CLPRIMS_F32,
     HISTOGRAM_SERIAL,
     {{singles, 7}, {large_singles, 4}, {small_singles, 4}}},
    {"global", CLPRIMS_F32, HISTOGRAM_GLOBAL, {{singles, 7}}},
    {"float64",
     CLPRIMS_F64,
     HISTOGRAM_SHAPES,
     {{doubles, 4}, {large_doubles, 3}, {small_doubles, 4}}},
};

static void limits_are_right(const void *data) {
    const struct limit_case *c = data;
    histogram_twin twin = histogram_by_value(10, c->type, 64);
    uint8_t in[64];
    float narrow[64];
    if (c->shape < HISTOGRAM_SHAPES) twin.desc.tuning = histogram_shapes[c->shape].tuning;
    for (size_t k = 0; k < 3; k++) {
        const double *wide = (const double *)c->sets[k].rows;
        const size_t n = 4 * c->sets[k].count;
        for (size_t i = 0; i < n; i++) {
            in[i] = (uint8_t)(i / 4);
            narrow[i] = (float)wide[i];
        }
        histogram_compare(&twin, in, c->type == CLPRIMS_F32 ? (const void *)narrow : wide, 2, n);
    }
}

/* Beside 2^100 and with n = 4, weights are multiples of 2^(100 - 126 + 3), ties away from zero. */
static void small_weights_are_rounded(void) {
    static const double weights[] = {0x1p100, 0x1.8p-23, -0x1.8p-23, 0x1p-24};
    static const double expected[] = {0x1p100, 0x1p-22, -0x1p-22, 0x1p-23, 0};
    static const uint8_t in[] = {0, 1, 2, 3};
    const histogram_twin twin = histogram_by_value(5, CLPRIMS_F64, 64);
    double sums[5];
    expect_ok(clprims_histogram_run(
        histogram_plan(&twin.desc),
        &(clprims_histogram_arrays){.in = in, .weights = weights, .out = sums}, 4));
    expect_values(CLPRIMS_F64, expected, sums, 5);
}

/* Groups of fewer work-items than elements in front of the first vector. */
static void small_groups_take_all(void) {
    uint8_t in[700];
    histogram_twin twin = histogram_by_value(256, CLPRIMS_TYPE_DEFAULT, sizeof in);
    twin.desc.tuning = "GROUP=4 SLICES=2 DEPTH=1 COPIES=1";
    test_random_values(CLPRIMS_U8, CLPRIMS_XOR, in, sizeof in);
    for (size_t first = 0; first < 17; first += 3) {
        histogram_compare(&twin, in, NULL, first, sizeof in - 5 * first);
    }
}

/* Any order gives the same bits: of weights whose sums round, the array turned round. */
static void order_is_nothing(void) {
    enum { N = 3000 };
    const weight_case c = {CLPRIMS_F64, CLPRIMS_F32, HISTOGRAM_SERIAL, false, false};
    const histogram_twin twin = weighted(&c, 20000);
    uint16_t in[N], turned[N];
    double weights[N], turned_weights[N];
    float sums[37], others[37];
    clprims_histogram *plan = histogram_plan(&twin.desc);
    test_random_values(CLPRIMS_U16, CLPRIMS_XOR, in, N);
    test_random_unit(CLPRIMS_F64, weights, N);
    for (size_t i = 0; i < N; i++) {
        weights[i] = ldexp(weights[i] - 0.5, (int)test_random_below(60));
        turned[N - 1 - i] = in[i];
        turned_weights[N - 1 - i] = weights[i];
    }
    expect_ok(clprims_histogram_run(
        plan, &(clprims_histogram_arrays){.in = in, .weights = weights, .out = sums}, N));
    expect_ok(clprims_histogram_run(
        plan, &(clprims_histogram_arrays){.in = turned, .weights = turned_weights, .out = others},
        N));
    expect_values(CLPRIMS_F32, sums, others, 37);
}

/* ---- What a run finds ---- */

typedef struct fault_case {
    const char *name;
    const char *message; /* of run; NULL: none */
    size_t max_n;
    int shape;
    bool refuses;
    bool weighted;
    bool later;
} fault_case;

/* max_n of 2^36 makes blocks of 16 indices, as 32 bits do not number all of them. */
static const fault_case fault_cases[] = {
    {"outside", "histogram: in[1234] = 5 is outside of the bins, the first of 3", 4000,
     HISTOGRAM_SERIAL, true, false, true},
    {"outside-blocks", "histogram: in[1234] = 5 is outside of the bins, the first of 3",
     (size_t)1 << 36, HISTOGRAM_LOCAL, true, false, false},
    {"counted", NULL, (size_t)1 << 36, HISTOGRAM_GLOBAL, false, false, false},
    {"weight", "histogram: weights[1236] = inf is not finite", 4000, HISTOGRAM_LOCAL, false, true,
     false},
    {"weight-blocks", "histogram: weights[1236] = inf is not finite", (size_t)1 << 36,
     HISTOGRAM_GLOBAL, true, true, false},
};

static void finds(const void *data) {
    enum { N = 2000 };
    const fault_case *c = data;
    histogram_twin twin =
        histogram_by_value(5, c->weighted ? CLPRIMS_F32 : CLPRIMS_TYPE_DEFAULT, c->max_n);
    uint8_t in[N];
    float weights[N];
    uint64_t out[5] = {0};
    twin.desc.refuse_outside = c->refuses;
    twin.desc.tuning = histogram_shapes[c->shape].tuning;
    clprims_histogram *plan = histogram_plan(&twin.desc);
    for (size_t turn = 0; turn < 3; turn++) { /* the plan must be as good as new each time */
        for (size_t i = 0; i < N; i++) {
            in[i] = (uint8_t)(i % 5);
            weights[i] = (float)i;
        }
        if (c->weighted) { /* outside: no weight there matters */
            in[700] = in[1230] = 77;
            weights[700] = FLT_MAX;
            weights[1230] = (float)NAN;
        }
        if (turn != 1) {
            in[1234] = 5;
            in[1235] = in[1999] = 255;
            weights[1236] = (float)INFINITY;
            weights[1500] = (float)NAN;
        }
        histogram_compare(&twin, in, c->weighted ? weights : NULL, 1, N);
    }
    const void *with = c->weighted ? weights : NULL;
    if (c->message != NULL) {
        expect_failure(
            clprims_histogram_run(
                plan, &(clprims_histogram_arrays){.in = in, .weights = with, .out = out}, N),
            CLPRIMS_ERR_DATA, c->message);
    } else {
        expect_ok(clprims_histogram_run(
            plan, &(clprims_histogram_arrays){.in = in, .weights = with, .out = out}, N));
    }
}

void add_weight_cases(test_cases *cases) {
    for (size_t i = 0; i < sizeof weight_cases / sizeof weight_cases[0]; i++) {
        const weight_case *c = &weight_cases[i];
        if (!test_bears_shapes() && c->shape != HISTOGRAM_SERIAL) continue;
        if (test_small() ? i % 3 != 0 : c->later && !test_long()) continue;
        test_add_row(cases, sums_are_right, *c, "histogram/weights/%s-%s/%s%s",
                     clprims_type_name(c->weights),
                     c->sums ? clprims_type_name(c->sums) : "default",
                     histogram_shapes[c->shape].name, c->fast ? "/fast" : "");
    }
    for (size_t i = 0; i < sizeof fault_cases / sizeof fault_cases[0]; i++) {
        if (!test_bears_shapes() && fault_cases[i].shape != HISTOGRAM_SERIAL) continue;
        if (fault_cases[i].later && !test_long()) continue;
        test_add_row(cases, finds, fault_cases[i], "histogram/finds/%s", fault_cases[i].name);
    }
    for (size_t i = 0; i < sizeof limit_cases / sizeof limit_cases[0]; i++) {
        if (!test_bears_shapes() && limit_cases[i].shape == HISTOGRAM_GLOBAL) continue;
        test_add_row(cases, limits_are_right, limit_cases[i], "histogram/weights/limits/%s",
                     limit_cases[i].name);
    }
    test_add_plain(cases, small_weights_are_rounded, "histogram/weights/limits/rounded");
    if (test_bears_shapes()) {
        test_add_plain(cases, small_groups_take_all, "histogram/small-groups");
    }
    if (!test_small()) test_add_plain(cases, order_is_nothing, "histogram/weights/any-order");
}
