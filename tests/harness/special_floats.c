/* SPDX-License-Identifier: MIT */
/* Arrays of special floats, and what the built-in operators make of them. */
#include "harness/special_floats.h"

#include <float.h>
#include <math.h>

/* ---- Elements ---- */

/* Sums are of multiples of one unit, products of powers of one, so that none is rounded. */
static double draw_special(clprims_op op, double unit) {
    const uint64_t kind = test_random_below(16);
    if (kind == 0) return NAN;
    if (kind == 1) return test_random_below(2) == 0 ? (double)INFINITY : -(double)INFINITY;
    if (kind == 2 || (kind < 6 && op != CLPRIMS_MUL)) return 0.0;
    if (kind == 6 || (kind < 11 && op != CLPRIMS_MUL)) return -0.0;
    return kind % 2 == 0 ? unit : -unit;
}

/* One value nearly everywhere, and others now and then or hardly ever. */
static void fill(clprims_op op, double least, void *in, size_t n,
                 void (*store)(void *in, size_t i, double value)) {
    static const uint64_t periods[] = {1, 3, 50, 5000, UINT64_MAX, UINT64_MAX};
    const double unit = op != CLPRIMS_MUL && test_random_below(2) == 0 ? least : 1.0;
    const uint64_t period = periods[test_random_below(6)];
    double usual = test_random_below(2) == 0 ? (double)NAN : -0.0;
    if (test_random_below(3) == 0) usual = draw_special(op, unit);
    for (size_t i = 0; i < n; i++) {
        store(in, i, test_random_below(period) == 0 ? draw_special(op, unit) : usual);
    }
}

/* ---- Operators ---- */

static double lesser(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) ? b : a;
    if (a == b) return signbit(a) ? a : b;
    return a < b ? a : b;
}

static double combine(clprims_op op, double a, double b) {
    if (op == CLPRIMS_ADD) return a + b;
    if (op == CLPRIMS_MUL) return a * b;
    return op == CLPRIMS_MIN ? lesser(a, b) : -lesser(-a, -b);
}

/* The same bits, or both NaN. */
static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* ---- By type ---- */

#define TYPE(T, SUBNORMAL)                                                                         \
    static void store_##T(void *in, size_t i, double value) {                                      \
        ((T *)in)[i] = (T)value;                                                                   \
    }                                                                                              \
    static void load_##T(const void *in, size_t i, void *value) {                                  \
        memcpy(value, (const T *)in + i, sizeof(T));                                               \
    }                                                                                              \
    static bool same_##T(const void *expected, const void *actual) {                               \
        T a, b;                                                                                    \
        memcpy(&a, expected, sizeof a);                                                            \
        memcpy(&b, actual, sizeof b);                                                              \
        return same((double)a, (double)b);                                                         \
    }                                                                                              \
    OPERAND(T, SUBNORMAL, ADD, "add/" #T, 0.0, -0.0)                                               \
    OPERAND(T, SUBNORMAL, MIN, "min/" #T, INFINITY, NAN)                                           \
    OPERAND(T, SUBNORMAL, MAX, "max/" #T, -INFINITY, NAN)                                          \
    OPERAND(T, SUBNORMAL, MUL, "mul/" #T, 1.0, -1.0)

#define OPERAND(T, SUBNORMAL, OP, NAME, IDENTITY, INIT)                                            \
    static const T identity_##T##_##OP = (T)IDENTITY, init_##T##_##OP = (T)INIT;                   \
    static void fill_##T##_##OP(void *in, size_t n) {                                              \
        fill(CLPRIMS_##OP, SUBNORMAL, in, n, store_##T);                                           \
    }                                                                                              \
    static void combine_##T##_##OP(const void *earlier, const void *later, void *result) {         \
        T a, b;                                                                                    \
        memcpy(&a, earlier, sizeof a);                                                             \
        memcpy(&b, later, sizeof b);                                                               \
        store_##T(result, 0, combine(CLPRIMS_##OP, (double)a, (double)b));                         \
    }                                                                                              \
    const custom_operand special_##T##_##OP = {                                                    \
        .name = NAME,                                                                              \
        .type = sizeof(T) == 4 ? CLPRIMS_F32 : CLPRIMS_F64,                                        \
        .op = CLPRIMS_##OP,                                                                        \
        .custom = {.identity = &identity_##T##_##OP},                                              \
        .twin = {load_##T, combine_##T##_##OP, sizeof(T), same_##T},                               \
        .fill = fill_##T##_##OP};

TYPE(float, (double)FLT_TRUE_MIN)
TYPE(double, DBL_TRUE_MIN)

const custom_operand *const special_floats[SPECIAL_FLOATS] = {
    &special_float_ADD,  &special_float_MIN,  &special_float_MAX,  &special_float_MUL,
    &special_double_ADD, &special_double_MIN, &special_double_MAX, &special_double_MUL};

const void *const special_inits[SPECIAL_FLOATS] = {
    &init_float_ADD,  &init_float_MIN,  &init_float_MAX,  &init_float_MUL,
    &init_double_ADD, &init_double_MIN, &init_double_MAX, &init_double_MUL};
