/* SPDX-License-Identifier: MIT */
/* Equal bits: expressions as input, orders that are free, the header's own function. */
#include "reduce/reduce_cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- The function of include/clprims/reduce.h, word for word ---- */

/* clang-format off */
static float reduce(const float *x, size_t n, float *sums) {
    size_t rows = n <= 1 << 20 ? 8 : n <= 1 << 25 ? 32 : 64, block = 128 * rows, count = 0;
    for (size_t b = 0; b < n; b += block) {
        float lane[128];
        size_t m = n - b < block ? n - b : block;
        for (size_t i = 0; i < m; i++) lane[i % 128] = i < 128 ? x[b + i] : lane[i % 128] + x[b + i];
        for (size_t d = 64; d > 0; d /= 2)
            for (size_t l = 0; l < d && l + d < m; l++) lane[l] = lane[l] + lane[l + d];
        sums[count++] = lane[0];
    }
    return count == 1 ? sums[0] : reduce(sums, count, sums + count);
}
/* clang-format on */

static void header_says_it(const void *data) {
    const size_t n = *(const size_t *)data;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    float *in = test_alloc(n, sizeof *in), *sums = test_alloc(n / 512 + 4, sizeof *sums);
    float expected, twin;
    desc.type = CLPRIMS_F32;
    desc.max_n = n;
    test_random_unit(CLPRIMS_F32, in, n);
    expected = reduce(in, n, sums);
    oracle_reduce(&desc, in, &twin, n);
    expect_elements(&expected, &twin, 1, sizeof twin);
    free(in);
    free(sums);
}

/* ---- Sums of squares, which an fma would round once ---- */

typedef struct squares_case {
    clprims_type type;
    const char *input;
    const char *tuning;
    size_t n;
} squares_case;

static void load_square(const void *in, size_t i, void *value) {
    const volatile float x = ((const float *)in)[i];
    const volatile float square = x * x;
    const float rounded = square;
    memcpy(value, &rounded, sizeof rounded);
}

static void load_square_and_more(const void *in, size_t i, void *value) {
    const volatile float x = ((const float *)in)[i];
    const volatile float square = x * x;
    const volatile float more = square + 0.3f;
    const float rounded = more;
    memcpy(value, &rounded, sizeof rounded);
}

static void add_floats(const void *earlier, const void *later, void *result) {
    float a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    a = a + b;
    memcpy(result, &a, sizeof a);
}

static void squares_round_alone(const void *data) {
    const squares_case *c = data;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    const oracle_twin twin = {strlen(c->input) > 5 ? load_square_and_more : load_square, add_floats,
                              sizeof(float), NULL};
    float *in = test_alloc(c->n, sizeof *in), expected, actual;
    desc.type = CLPRIMS_F32;
    desc.input = c->input;
    desc.tuning = c->tuning;
    desc.max_n = c->n;
    test_random_unit(CLPRIMS_F32, in, c->n);
    oracle_reduce_custom(&twin, true, NULL, in, &expected, c->n);
    reduce_on_device(reduce_plan(&desc), &desc, in, 1, c->n, &actual);
    expect_elements(&expected, &actual, 1, sizeof actual);
    free(in);
}

/* ---- Zeros of both signs, of which the tree says which is kept ---- */

static void first_zero_is_kept(const void *data) {
    const clprims_reduce_desc desc = *(const clprims_reduce_desc *)data;
    const float among = desc.op == CLPRIMS_MIN ? 1.0f : -1.0f;
    float in[1000], expected, actual;
    for (size_t n = 1; n <= 300; n += test_small() ? 40 : 9) {
        test_note("n = %zu", n);
        for (size_t i = 0; i < n; i++) {
            const uint64_t kind = test_random_below(32);
            in[i] = kind == 0 ? 0.0f : kind == 1 ? -0.0f : among;
        }
        oracle_reduce(&desc, in, &expected, n);
        reduce_on_device(reduce_plan(&desc), &desc, in, n % 4, n, &actual);
        expect_elements(&expected, &actual, 1, sizeof actual);
    }
}

/* ---- Any order ---- */

/* Values whose sums are exact in every order: the result is right; and it is the same each time. */
static void fast_floats_are_right(const void *data) {
    clprims_reduce_desc desc = *(const clprims_reduce_desc *)data;
    enum { N = 30001 };
    uint8_t *in = test_alloc(N, 1);
    float expected = 0, actual;
    for (size_t i = 0; i < N; i++) expected += in[i] = (uint8_t)test_random();
    for (size_t turn = 0; turn < 3; turn++) {
        reduce_on_device(reduce_plan(&desc), &desc, in, turn, N, &actual);
        expect_elements(&expected, &actual, 1, sizeof actual);
    }
    free(in);
}

static void load_tenth(const void *in, size_t i, void *value) {
    const float x = (float)((const int8_t *)in)[i] * 0.1f;
    memcpy(value, &x, sizeof x);
}

/* The last rows that a block can have, on an input that fits every machine. */
static void many_rows_are_right(const void *data) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    const oracle_twin twin = {load_tenth, add_floats, sizeof(float), NULL};
    const size_t n = *(const size_t *)data;
    int8_t *in = test_alloc(n, 1);
    float expected, actual;
    desc.type = CLPRIMS_I8;
    desc.accumulator = CLPRIMS_F32;
    desc.input = "x * 0.1f";
    desc.max_n = ((size_t)1 << 25) + 100000;
    for (size_t i = 0; i < n; i++) in[i] = (int8_t)(i * 2654435761u >> 13);
    oracle_reduce_custom(&twin, true, NULL, in, &expected, n);
    reduce_on_device(reduce_plan(&desc), &desc, in, 0, n, &actual);
    expect_elements(&expected, &actual, 1, sizeof actual);
    free(in);
}

void add_bit_cases(test_cases *cases) {
    static const size_t sizes[] = {1, 100, 1024, 1025, 100000, (1 << 20) + 3};
    static const char *const inputs[] = {"x * x", "x * x + 0.3f"};
    for (size_t i = 0; i < (test_small() ? 4 : sizeof sizes / sizeof sizes[0]); i++) {
        test_add(cases, header_says_it, &sizes[i], sizeof sizes[i], "reduce/header/n=%zu",
                 sizes[i]);
    }
    for (size_t s = 0; s < 3; s++) {
        if (s > 0 && !test_bears_shapes()) continue;
        for (size_t k = 0; k < 2; k++) {
            const squares_case c = {CLPRIMS_F32, inputs[k], reduce_shapes[s].tuning,
                                    test_small() ? 1200 : 50021};
            test_add(cases, squares_round_alone, &c, sizeof c, "reduce/input/%s/%s", inputs[k],
                     reduce_shapes[s].name);
        }
        clprims_reduce_desc zeros = CLPRIMS_REDUCE_DESC_INIT, desc = CLPRIMS_REDUCE_DESC_INIT;
        zeros.type = CLPRIMS_F32;
        zeros.op = s == 0 ? CLPRIMS_MAX : CLPRIMS_MIN;
        zeros.max_n = 1000;
        zeros.tuning = reduce_shapes[s].tuning;
        test_add(cases, first_zero_is_kept, &zeros, sizeof zeros, "reduce/zeros/%s/%s",
                 clprims_op_name(zeros.op), reduce_shapes[s].name);
        desc.type = CLPRIMS_U8;
        desc.accumulator = CLPRIMS_F32;
        desc.max_n = 40000;
        desc.fast_floats = 1;
        desc.tuning = reduce_shapes[s].tuning;
        if (!test_small())
            test_add(cases, fast_floats_are_right, &desc, sizeof desc, "reduce/fast-floats/%s",
                     reduce_shapes[s].name);
    }
    for (size_t more = 0; more < 2 && !test_small(); more++) {
        const size_t n = ((size_t)1 << 25) + more * 8193;
        test_add(cases, many_rows_are_right, &n, sizeof n, "reduce/many-rows/n=%zu", n);
    }
}
