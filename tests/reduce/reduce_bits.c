/* SPDX-License-Identifier: MIT */
/* Equal bits: expressions as input, orders that are free, the header's own function. */
#include "reduce/reduce_cases.h"

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
    float *in = test_scratch(n, sizeof *in), *sums = test_scratch(n / 512 + 4, sizeof *sums);
    float expected, twin;
    clprims_reduce_desc desc = {.type = CLPRIMS_F32, .max_n = n};
    test_random_unit(CLPRIMS_F32, in, n);
    expected = reduce(in, n, sums);
    oracle_reduce(&desc, in, &twin, n);
    expect_elements(&expected, &twin, 1, sizeof twin);
}

/* ---- Sums of squares, which an fma would round once ---- */

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

static void fill_floats(void *in, size_t n) {
    test_random_unit(CLPRIMS_F32, in, n);
}

static const custom_operand squares[] = {{.type = CLPRIMS_F32,
                                          .input = "x * x",
                                          .twin = {load_square, add_floats, sizeof(float)},
                                          .fill = fill_floats},
                                         {.type = CLPRIMS_F32,
                                          .input = "x * x + 0.3f",
                                          .twin = {load_square_and_more, add_floats, sizeof(float)},
                                          .fill = fill_floats}};

/* ---- Zeros of both signs, of which the tree says which is kept ---- */

static void fill_zeros(const subject_data *d, void *in, size_t n) {
    const bool is_least = ((const clprims_reduce_desc *)d->desc)->op == CLPRIMS_MIN;
    for (size_t i = 0; i < n; i++) {
        const uint64_t kind = test_random_below(32);
        ((float *)in)[i] = kind == 0 ? 0.0f : kind == 1 ? -0.0f : is_least ? 1.0f : -1.0f;
    }
}

static void first_zero_is_kept(const void *data) {
    reduce_case c = *(const reduce_case *)data;
    c.fill = fill_zeros;
    for (c.n = 1; c.n <= 300; c.n += test_small() ? 40 : 9) {
        c.first = c.n % 4;
        reduce_is_right(&c);
    }
}

/* ---- Any order ---- */

/* Values whose sums are exact in every order: the result is right; and it is the same each time. */
static void fast_floats_are_right(const void *data) {
    reduce_case c = *(const reduce_case *)data;
    for (c.first = 0; c.first < 3; c.first++) reduce_is_right(&c);
}

/* The last rows that a block can have, on an input that fits every machine. */
static void load_tenth(const void *in, size_t i, void *value) {
    const float x = (float)((const int8_t *)in)[i] * 0.1f;
    memcpy(value, &x, sizeof x);
}

static void fill_bytes(void *in, size_t n) {
    for (size_t i = 0; i < n; i++) ((int8_t *)in)[i] = (int8_t)(i * 2654435761u >> 13);
}

static const custom_operand tenths = {.type = CLPRIMS_I8,
                                      .accumulator = CLPRIMS_F32,
                                      .input = "x * 0.1f",
                                      .twin = {load_tenth, add_floats, sizeof(float)},
                                      .fill = fill_bytes};

static reduce_case describe(clprims_type type, clprims_op op, const reduce_shape *shape, size_t n) {
    reduce_case c = {.n = n, .first = 1};
    c.desc.type = type;
    c.desc.op = op;
    c.desc.max_n = n;
    c.desc.tuning = shape->tuning;
    return c;
}

void add_bit_cases(test_cases *cases) {
    static const size_t sizes[] = {1, 100, 1024, 1025, 100000, (1 << 20) + 3};
    for (size_t i = 0; i < (test_small() ? 4 : sizeof sizes / sizeof sizes[0]); i++) {
        test_add_row(cases, header_says_it, sizes[i], "reduce/header/n=%zu", sizes[i]);
    }
    for (size_t s = 0; s < 3; s++) {
        if (s > 0 && !test_bears_shapes()) continue;
        const reduce_shape *shape = &reduce_shapes[s];
        for (size_t k = 0; k < 2; k++) {
            reduce_case c = describe(CLPRIMS_F32, CLPRIMS_ADD, shape, test_small() ? 1200 : 50021);
            c.operand = &squares[k];
            c.desc.input = squares[k].input;
            test_add_row(cases, reduce_is_right, c, "reduce/input/%s/%s", c.desc.input,
                         shape->name);
        }
        const reduce_case zeros =
            describe(CLPRIMS_F32, s == 0 ? CLPRIMS_MAX : CLPRIMS_MIN, shape, 1000);
        test_add_row(cases, first_zero_is_kept, zeros, "reduce/zeros/%s/%s",
                     clprims_op_name(zeros.desc.op), shape->name);
        reduce_case fast = describe(CLPRIMS_U8, CLPRIMS_ADD, shape, 30001);
        fast.desc.accumulator = CLPRIMS_F32;
        fast.desc.fast_floats = 1;
        if (test_small()) continue;
        test_add_row(cases, fast_floats_are_right, fast, "reduce/fast-floats/%s", shape->name);
    }
    for (size_t more = 0; more < 2 && !test_small(); more++) {
        reduce_case c = {.operand = &tenths};
        CUSTOM_DESCRIBE(&tenths, &c.desc);
        c.desc.max_n = ((size_t)1 << 25) + 100000;
        c.n = ((size_t)1 << 25) + more * 8193;
        test_add_row(cases, reduce_is_right, c, "reduce/many-rows/n=%zu", c.n);
    }
}
