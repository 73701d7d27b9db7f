/* SPDX-License-Identifier: MIT */
/* Operators and inputs as a user would give them, and their twins: load writes an element's value,
 * the others combine an earlier and a later one, as oracle_twin asks. */
#ifndef TESTS_CUSTOM_OPERATORS_H
#define TESTS_CUSTOM_OPERATORS_H

#include <stddef.h>
#include <stdint.h>

enum { CUSTOM_PRIME = 65521 };

/* x -> scale * x + shift modulo PRIME; composition is associative and not commutative. */
typedef struct affine {
    uint32_t scale;
    uint32_t shift;
} affine;

/* The declarations of the struct and of compose(a, b). */
extern const char custom_affine[];
void custom_load_affine(const void *in, size_t i, void *value);
void custom_compose(const void *earlier, const void *later, void *result);

/* The last value that is not a multiple of 4; 3 is put in for zero, which the data never hold, so
 * that a call on padding would show in the results. */
extern const char custom_last_marked[];
void custom_load_u32(const void *in, size_t i, void *value);
void custom_keep_last_marked(const void *earlier, const void *later, void *result);

/* Inputs: the square of the index; 3 * x + i % 7 of bytes; and their sum. */
void custom_load_square(const void *in, size_t i, void *value);
void custom_load_scaled(const void *in, size_t i, void *value);
void custom_add_u64(const void *earlier, const void *later, void *result);

#endif
