/* SPDX-License-Identifier: MIT */
/* Matrices of lengths, for the subjects of min-plus products. */
#ifndef TESTS_DRAWN_MATRIX_H
#define TESTS_DRAWN_MATRIX_H

#include "subjects/subjects.h"

/* Has the sum of any two lengths. */
__extension__ typedef __int128 drawn_wide;

/* What elements may be: lengths from least to most, and one value that is no edge. Elements of
 * floats are such integers, and infinity is no edge. */
typedef struct drawn_limits {
    clprims_type type;
    int64_t least, most, none;
} drawn_limits;

/* The bound of lengths that a type has in any case. */
int64_t drawn_quarter(clprims_type type);

bool drawn_is_length(const drawn_limits *l, int64_t value);
int64_t drawn_get(const drawn_limits *l, const void *values, size_t i);
void drawn_put(const drawn_limits *l, void *values, size_t i, int64_t length);

/* Of an integer type a value that is no length. */
int64_t drawn_beyond(const drawn_limits *l);

/* `count` matrices, whose rows, and who themselves, are `gap` elements apart. */
clprims_matrix drawn_matrix_at(clprims_buffer at, size_t rows, size_t columns, size_t gap);
size_t drawn_matrix_cells(size_t rows, size_t columns, size_t gap, size_t count);

/* An output whose gaps stay as they are; the caller sets its expected elements. */
void *drawn_matrix_out(subject_data *d, size_t slot, const char *name, size_t cells, size_t bytes);

#endif
