/* SPDX-License-Identifier: MIT */
/* Operands by their signs, which decide how products of floats and integers are folded. */
#include "minplus/minplus_cases.h"

#include <math.h>

const char *const minplus_signs_names[SIGNS_CASES] = {
    "", "/no-sign", "/late-sign", "/negative", "/negative-then-nan", "/straddle", "/c-negative",
};

static void drop_signs(clprims_type type, void *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (type == CLPRIMS_F32) {
            float *value = (float *)values + i;
            *value = isnan(*value) ? *value : fabsf(*value);
        } else {
            int32_t *value = (int32_t *)values + i;
            *value = *value < 0 ? -(*value + 1) : *value;
        }
    }
}

/* The last column's element of the first row gets one: all groups of that row must see it. */
static void place_one(clprims_type type, minplus_operand *a, size_t k) {
    if (type == CLPRIMS_F32) ((float *)a->values)[k - 1] = -9.5f;
    if (type == CLPRIMS_I32) ((int32_t *)a->values)[k - 1] = -9;
}

/* Both signs in equal shares, zeros of both among them, and one in eight no edge. */
static float random_signed(void) {
    const uint64_t kind = test_random_below(16);
    const float size = kind == 2 ? 0 : (float)test_random_below(10000) * (1.0f / 7);
    return kind < 2 ? INFINITY : test_random_below(2) == 0 ? size : -size;
}

static float *element(const minplus_operand *x, size_t matrix, size_t row, size_t column) {
    return (float *)x->values + matrix * x->at.stride + row * x->at.ld + column;
}

/* The last third of k: sums that are NaN, by NaN of both signs and by infinities of both. */
static void place_nan(const minplus_size *size, const minplus_operand *a, const minplus_operand *b,
                      size_t matrix) {
    for (size_t k = size->k - size->k / 3; k < size->k; k++) {
        for (size_t i = k % 5; i < size->m; i += 5) {
            const float nans[] = {NAN, -NAN, copysignf(NAN, -1)};
            *element(a, matrix, i, k) = nans[i % 3];
        }
        for (size_t j = k % 3; j < size->n; j += 3) *element(b, matrix, k, j) = INFINITY;
        if (k % 16 == 0) *element(a, matrix, (k + 1) % size->m, k) = -INFINITY;
    }
}

/* Every fifth row of C stays above 0, and every seventh column has no edge. */
static void place_above(const minplus_size *size, const minplus_operand *a,
                        const minplus_operand *b, size_t matrix) {
    for (size_t k = 0; k < size->k; k++) {
        for (size_t i = 2; i < size->m; i += 5) *element(a, matrix, i, k) += 4000;
        for (size_t j = 1; j < size->n; j += 7) *element(b, matrix, k, j) = INFINITY;
    }
}

void minplus_place_signs(minplus_signs signs, clprims_type type, const minplus_size *size,
                         minplus_operand *const operands[3]) {
    minplus_operand *const a = operands[0], *const b = operands[1], *const c = operands[2];
    if (signs == SIGNS_ANYWHERE) return;
    if (signs == SIGNS_NOWHERE || signs == SIGN_LATE) {
        for (size_t i = 0; i < 3; i++) drop_signs(type, operands[i]->values, operands[i]->elements);
        if (signs == SIGN_LATE) place_one(type, a, size->k);
        return;
    }
    for (size_t i = 0; i < a->elements; i++) ((float *)a->values)[i] = random_signed();
    for (size_t i = 0; i < b->elements; i++) ((float *)b->values)[i] = random_signed();
    for (size_t i = 0; i < c->elements && signs == C_NEGATIVE; i++) {
        ((float *)c->values)[i] = -1 - (float)test_random_below(1000);
    }
    for (size_t matrix = 0; matrix < size->batch; matrix++) {
        if (signs == CELLS_NEGATIVE_THEN_NAN) place_nan(size, a, b, matrix);
        if (signs == CELLS_STRADDLE) place_above(size, a, b, matrix);
    }
}
