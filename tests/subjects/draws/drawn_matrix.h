/* SPDX-License-Identifier: MIT */
/* Matrices of lengths, for the subjects of min-plus products. */
#ifndef TESTS_DRAWN_MATRIX_H
#define TESTS_DRAWN_MATRIX_H

#include "subjects/subjects.h"

/* Elements of a matrix whose rows are `gap` apart. */
size_t drawn_matrix_cells(size_t rows, size_t columns, size_t gap);

/* Lengths of which a fifth are no edges. */
void drawn_matrix_fill(int32_t *lengths, size_t n);

/* An output whose gaps stay as they are; the caller sets its expected elements. */
int32_t *drawn_matrix_out(subject_data *d, size_t slot, const char *name, size_t cells);

clprims_matrix drawn_matrix_at(clprims_buffer at, size_t ld);

#endif
