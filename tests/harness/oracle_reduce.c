/* SPDX-License-Identifier: MIT */
/* The plain-C twin of reduce. */
#include "harness/oracle.h"

#include <math.h>

/* ---- The tree ---- */

/* How values are combined; self: the twin or the description. */
typedef struct tree {
    const void *self;
    void (*load)(const void *self, const void *in, size_t i, void *value);
    void (*combine)(const void *self, const void *a, const void *b, void *result);
    size_t bytes;
    bool commutes;
} tree;

enum { LANES = 128 };

static size_t rows_of(size_t n) {
    return n <= (size_t)1 << 20 ? 8 : n <= (size_t)1 << 25 ? 32 : 64;
}

/* lane[a] = lane[a] op lane[b] */
static void join(const tree *t, unsigned char *lane, size_t a, size_t b) {
    t->combine(t->self, lane + a * t->bytes, lane + b * t->bytes, lane + a * t->bytes);
}

static void fold(const tree *t, unsigned char *lane, size_t m) {
    if (t->commutes) {
        for (size_t d = LANES / 2; d > 0; d /= 2)
            for (size_t l = 0; l < d && l + d < m; l++) join(t, lane, l, l + d);
        return;
    }
    for (size_t d = 1; d < LANES; d *= 2)
        for (size_t l = 0; l + d < m; l += 2 * d) join(t, lane, l, l + d);
}

/* One block of m values. */
static void block_of(const tree *t, const unsigned char *x, size_t m, unsigned char *result) {
    unsigned char lane[LANES * ORACLE_TWIN_BYTES];
    const size_t bytes = t->bytes, first = m < LANES ? m : LANES;
    memcpy(lane, x, first * bytes);
    if (t->commutes) {
        for (size_t i = first; i < m; i++) {
            unsigned char *to = lane + i % LANES * bytes;
            t->combine(t->self, to, x + i * bytes, to);
        }
        fold(t, lane, first);
        memcpy(result, lane, bytes);
        return;
    }
    fold(t, lane, first);
    memcpy(result, lane, bytes);
    for (size_t row = LANES; row < m; row += LANES) {
        const size_t count = m - row < LANES ? m - row : LANES;
        memcpy(lane, x + row * bytes, count * bytes);
        fold(t, lane, count);
        t->combine(t->self, result, lane, result);
    }
}

/* Reduces n values in place; the result is the first. */
static void reduce_values(const tree *t, unsigned char *values, size_t n) {
    while (n > 1) {
        const size_t block = LANES * rows_of(n);
        size_t count = 0;
        for (size_t b = 0; b < n; b += block) {
            unsigned char sum[ORACLE_TWIN_BYTES];
            block_of(t, values + b * t->bytes, n - b < block ? n - b : block, sum);
            memcpy(values + count++ * t->bytes, sum, t->bytes);
        }
        n = count;
    }
}

static void reduce_tree(const tree *t, const void *init, const void *in, void *out, size_t n) {
    unsigned char *values = test_alloc(n, t->bytes);
    for (size_t i = 0; i < n; i++) t->load(t->self, in, i, values + i * t->bytes);
    reduce_values(t, values, n);
    if (init != NULL) t->combine(t->self, init, values, values);
    memcpy(out, values, t->bytes);
    free(values);
}

/* ---- The caller's functions ---- */

static void load_twin(const void *self, const void *in, size_t i, void *value) {
    ((const oracle_twin *)self)->load(in, i, value);
}

static void combine_twin(const void *self, const void *a, const void *b, void *result) {
    ((const oracle_twin *)self)->combine(a, b, result);
}

void oracle_reduce_custom(const oracle_twin *twin, bool commutes, const void *init, const void *in,
                          void *out, size_t n) {
    const tree t = {twin, load_twin, combine_twin, twin->accumulator_bytes, commutes};
    reduce_tree(&t, init, in, out, n);
}

/* ---- Built-in operators ---- */

static clprims_type accumulator_of(const clprims_reduce_desc *desc) {
    return desc->accumulator != CLPRIMS_TYPE_DEFAULT ? desc->accumulator : desc->type;
}

/* Integers are exact in a long double, so that a float is rounded once. */
static void load_element(const void *self, const void *in, size_t i, void *value) {
    const clprims_reduce_desc *desc = self;
    const clprims_type to = accumulator_of(desc);
    if (to == CLPRIMS_F32) {
        const float x = (float)oracle_load_float(desc->type, in, i);
        memcpy(value, &x, sizeof x);
    } else if (to == CLPRIMS_F64) {
        const double x = (double)oracle_load_float(desc->type, in, i);
        memcpy(value, &x, sizeof x);
    } else {
        test_store_integer(clprims_type_bytes(to), value, 0,
                           oracle_load_integer(desc->type, in, i));
    }
}

#define COMBINE_FLOATS(NAME, TYPE)                                                                 \
    static void NAME(clprims_op op, const void *first, const void *second, void *result) {         \
        TYPE a, b;                                                                                 \
        memcpy(&a, first, sizeof a);                                                               \
        memcpy(&b, second, sizeof b);                                                              \
        if (op == CLPRIMS_ADD) a = a + b;                                                          \
        if (op == CLPRIMS_MUL) a = a * b;                                                          \
        if (op == CLPRIMS_MIN && (b < a || isnan(a))) a = b;                                       \
        if (op == CLPRIMS_MAX && (b > a || isnan(a))) a = b;                                       \
        memcpy(result, &a, sizeof a);                                                              \
    }
COMBINE_FLOATS(combine_f32, float)
COMBINE_FLOATS(combine_f64, double)

static void combine_elements(const void *self, const void *a, const void *b, void *result) {
    const clprims_reduce_desc *desc = self;
    const clprims_type type = accumulator_of(desc);
    if (type == CLPRIMS_F32) {
        combine_f32(desc->op, a, b, result);
    } else if (type == CLPRIMS_F64) {
        combine_f64(desc->op, a, b, result);
    } else {
        const uint64_t x = oracle_load_integer(type, a, 0), y = oracle_load_integer(type, b, 0);
        test_store_integer(clprims_type_bytes(type), result, 0,
                           oracle_combine_integer(type, desc->op, x, y));
    }
}

/* ---- The best index ---- */

static bool is_better(const clprims_reduce_desc *desc, const void *a, const void *b) {
    const clprims_type type = accumulator_of(desc);
    const bool least = desc->op == CLPRIMS_ARGMIN;
    if (!oracle_is_float(type)) {
        const uint64_t x = oracle_load_integer(type, a, 0), y = oracle_load_integer(type, b, 0);
        return least ? oracle_less_integer(type, x, y) : oracle_less_integer(type, y, x);
    }
    const long double x = oracle_load_float(type, a, 0), y = oracle_load_float(type, b, 0);
    if (isnan(x) || isnan(y)) return !isnan(x);
    return least ? x < y : x > y;
}

static int64_t best_index(const clprims_reduce_desc *desc, const void *in, size_t n) {
    uint64_t best, next;
    size_t index = 0;
    load_element(desc, in, 0, &best);
    for (size_t i = 1; i < n; i++) {
        load_element(desc, in, i, &next);
        if (!is_better(desc, &next, &best)) continue;
        best = next;
        index = i;
    }
    return (int64_t)index;
}

/* ---- What tests call ---- */

static bool is_arg(const clprims_reduce_desc *desc) {
    return desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
}

size_t oracle_reduce_bytes(const clprims_reduce_desc *desc) {
    if (is_arg(desc)) return sizeof(int64_t);
    const clprims_type type = accumulator_of(desc);
    return type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(type);
}

/* The only NaN that is a result. */
static void settle_nan(clprims_type type, void *result) {
    static const uint64_t bits = 0x7ff8000000000000u, short_bits = 0x7fc00000u;
    if (!oracle_is_float(type) || !isnan(oracle_load_float(type, result, 0))) return;
    test_store_integer(clprims_type_bytes(type), result, 0,
                       type == CLPRIMS_F64 ? bits : short_bits);
}

void oracle_reduce(const clprims_reduce_desc *desc, const void *in, void *out, size_t n) {
    if (is_arg(desc)) {
        const int64_t index = best_index(desc, in, n);
        memcpy(out, &index, sizeof index);
        return;
    }
    const tree t = {desc, load_element, combine_elements, oracle_reduce_bytes(desc), true};
    reduce_tree(&t, desc->init, in, out, n);
    settle_nan(accumulator_of(desc), out);
}

void oracle_edge_values(clprims_type type, void *values, size_t n) {
    static const uint64_t wide[] = {0,
                                    0x8000000000000000u,
                                    0x7ff8000000000001u,
                                    0xfff8000000000000u,
                                    0x7ff0000000000000u,
                                    0xfff0000000000000u,
                                    1,
                                    0x7fefffffffffffffu};
    static const uint32_t narrow[] = {0,           0x80000000u, 0x7fc00001u, 0xffc00000u,
                                      0x7f800000u, 0xff800000u, 1,           0x7f7fffffu};
    const size_t bytes = clprims_type_bytes(type);
    for (size_t i = 0; i < n; i++) {
        const size_t k = test_random_below(8);
        test_store_integer(bytes, values, i, bytes == 8 ? wide[k] : narrow[k]);
    }
}
