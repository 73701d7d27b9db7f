/* SPDX-License-Identifier: MIT */
/* Operators, types and inputs as a user would give them to a scan along an array or a list. */
#ifndef TESTS_CUSTOM_OPERATORS_H
#define TESTS_CUSTOM_OPERATORS_H

#include "harness/oracle.h"

typedef struct custom_operand {
    const char *name;
    clprims_type type; /* of the input */
    clprims_type accumulator;
    clprims_op op;
    clprims_custom custom;
    const char *input;
    int no_input_array;
    const void *init;
    oracle_twin twin;
    void (*fill)(void *in, size_t n); /* with values that the operator is for */
} custom_operand;

/* Puts the operand into the description of a scan or of a list scan. */
#define CUSTOM_DESCRIBE(operand, desc)                                                             \
    do {                                                                                           \
        (desc)->type = (operand)->type;                                                            \
        (desc)->accumulator = (operand)->accumulator;                                              \
        (desc)->op = (operand)->op;                                                                \
        (desc)->custom = (operand)->custom;                                                        \
        (desc)->input = (operand)->input;                                                          \
        (desc)->no_input_array = (operand)->no_input_array;                                        \
        (desc)->init = (operand)->init;                                                            \
    } while (0)

/* What an exclusive scan begins with. */
const void *custom_start(const custom_operand *operand);

/* x -> scale * x + shift modulo 65521; composition is associative and not commutative. */
extern const custom_operand custom_affine;
/* Its parts, for descriptions that are constant. */
extern const char custom_affine_text[];
extern const uint32_t custom_affine_identity[2];

/* The last value that is not a multiple of 4; 3 is put in for zero, which the data never hold, so
 * that a call on padding would show in the results. */
extern const custom_operand custom_marked;

/* Sums of the index's square, without an input array, and of 3 * x + i % 7 of bytes. */
extern const custom_operand custom_squares;
extern const custom_operand custom_scaled;

/* All of them. */
enum { CUSTOM_OPERANDS = 4 };
extern const custom_operand *const custom_operands[CUSTOM_OPERANDS];

#endif
