/* SPDX-License-Identifier: MIT */
/* What the files of test_minplus share: shapes to try, data, and plans that are kept. */
#ifndef TESTS_MINPLUS_CASES_H
#define TESTS_MINPLUS_CASES_H

#include "harness/oracle.h"

/* A shape of tiles, small so that a test crosses many of them. */
typedef struct minplus_shape {
    const char *name;
    const char *tuning;
} minplus_shape;

enum { MINPLUS_SHAPES = 4 };
extern const minplus_shape minplus_shapes[MINPLUS_SHAPES];

/* A plan for desc; the last one is kept, so that neighbouring cases of one desc share a program.
 * desc and all that it points to must stay as they are. */
clprims_minplus *minplus_plan(const clprims_minplus_desc *desc);

/* n random elements for desc: a third no edge or beyond, the rest small, some below zero; floats
 * with some NaN and infinities of both signs. */
void minplus_values(const clprims_minplus_desc *desc, void *values, size_t n);

/* Makes no edge of integers beyond the limits of A and B, or with `sums` beyond C's. */
void minplus_keep_within(const clprims_minplus_desc *desc, void *values, size_t n, bool sums);

/* What is known of signs decides how a product is folded; see cl/minplus/minplus_cells.cl. */
typedef enum minplus_signs {
    SIGNS_ANYWHERE,
    SIGNS_NOWHERE,
    SIGN_LATE, /* in the last k alone */
    CELLS_NEGATIVE, /* after a few k; floats only, as are all below */
    CELLS_NEGATIVE_THEN_NAN, /* in sums, of either sign, and -infinity */
    CELLS_STRADDLE, /* some rows and columns of C stay above 0, or without an edge */
    C_NEGATIVE, /* before the first k */
    SIGNS_CASES
} minplus_signs;
extern const char *const minplus_signs_names[SIGNS_CASES];

/* As a call has it in its n and sizes. */
typedef struct minplus_size {
    size_t m, n, k, batch;
} minplus_size;

/* A batch of matrices with gaps, on the host and the device. */
typedef struct minplus_operand {
    clprims_matrix at;
    test_buffer buffer;
    void *values;
    size_t elements, bytes;
} minplus_operand;

/* Gives a, b and c values with such signs, the rest of what they hold being random. */
void minplus_place_signs(minplus_signs signs, clprims_type type, const minplus_size *size,
                         minplus_operand *const operands[3]);

/* Skips a case in which work-groups of one close blocks of a graph of n vertices, as CPUs do, where
 * the driver ends so many iterations. */
void minplus_want_serial_closure(clprims_type type, size_t n);

/* The cases of the other files. */
void add_minplus_refusals(test_cases *cases);
void add_minplus_custom(test_cases *cases);
void add_minplus_limits(test_cases *cases);
void add_minplus_places(test_cases *cases);
void add_paths_cases(test_cases *cases);
/* A closure's plan, kept likewise. */
clprims_paths *paths_plan(const clprims_paths_desc *desc);

#endif
