/* SPDX-License-Identifier: MIT */
/* Matrices of lengths. */
#include "subjects/draws/drawn_matrix.h"

#include <string.h>

size_t drawn_matrix_cells(size_t rows, size_t columns, size_t gap) {
    return rows == 0 || columns == 0 ? 0 : (rows - 1) * (columns + gap) + columns;
}

void drawn_matrix_fill(int32_t *lengths, size_t n) {
    for (size_t i = 0; i < n; i++) {
        lengths[i] =
            test_random_below(5) == 0 ? CLPRIMS_NO_EDGE_I32 : (int32_t)test_random_below(1000000);
    }
}

int32_t *drawn_matrix_out(subject_data *d, size_t slot, const char *name, size_t cells) {
    int32_t *expected = subject_out(d, slot, name, cells, cells, sizeof *expected);
    d->at[slot].values = test_alloc(cells, sizeof *expected);
    subject_fill(d->at[slot].values, sizeof *expected, cells, 0);
    memcpy(expected, d->at[slot].values, cells * sizeof *expected);
    return expected;
}

clprims_matrix drawn_matrix_at(clprims_buffer at, size_t ld) {
    return (clprims_matrix){at.mem, at.first, ld, 0};
}
