/* SPDX-License-Identifier: MIT */
/* Matrices of lengths. */
#include "subjects/draws/drawn_matrix.h"

#include <math.h>

int64_t drawn_quarter(clprims_type type) {
    return (int64_t)1 << (type == CLPRIMS_I64 ? 61 : 29);
}

bool drawn_is_length(const drawn_limits *l, int64_t value) {
    return value == l->none || (value >= l->least && value <= l->most);
}

int64_t drawn_get(const drawn_limits *l, const void *values, size_t i) {
    double real = 0;
    if (l->type == CLPRIMS_I64) return ((const int64_t *)values)[i];
    if (l->type == CLPRIMS_I32) return ((const int32_t *)values)[i];
    if (l->type == CLPRIMS_F32) real = (double)((const float *)values)[i];
    if (l->type == CLPRIMS_F64) real = ((const double *)values)[i];
    return isinf(real) ? l->none : (int64_t)real;
}

void drawn_put(const drawn_limits *l, void *values, size_t i, int64_t length) {
    const double real = length == l->none ? INFINITY : (double)length;
    if (l->type == CLPRIMS_F32) {
        ((float *)values)[i] = (float)real;
    } else if (l->type == CLPRIMS_F64) {
        ((double *)values)[i] = real;
    } else {
        test_store_integer(clprims_type_bytes(l->type), values, i, (uint64_t)length);
    }
}

int64_t drawn_beyond(const drawn_limits *l) {
    const drawn_wide most = l->type == CLPRIMS_I64 ? INT64_MAX : INT32_MAX, one = 1;
    const drawn_wide some[] = {l->most + one, l->least - one, l->none + one,
                               l->none - one, most,           -most - 1,
                               most / 2,      -most / 2,      l->most + one * l->most / 2};
    for (;;) {
        const drawn_wide value = some[test_random_below(sizeof some / sizeof *some)];
        const bool fits = value <= most && value >= -most - 1;
        if (fits && !drawn_is_length(l, (int64_t)value)) return (int64_t)value;
    }
}

clprims_matrix drawn_matrix_at(clprims_buffer at, size_t rows, size_t columns, size_t gap) {
    const size_t ld = columns + gap;
    return (clprims_matrix){at.mem, at.first, ld, rows * ld + gap};
}

size_t drawn_matrix_cells(size_t rows, size_t columns, size_t gap, size_t count) {
    const size_t ld = columns + gap;
    if (rows == 0 || columns == 0) return 0;
    return (count - 1) * (rows * ld + gap) + (rows - 1) * ld + columns;
}

void *drawn_matrix_out(subject_data *d, size_t slot, const char *name, size_t cells, size_t bytes) {
    void *expected = subject_out(d, slot, name, cells, cells, bytes);
    d->at[slot].values = test_scratch(cells, bytes);
    subject_fill(d->at[slot].values, bytes, cells, 0);
    memcpy(expected, d->at[slot].values, cells * bytes);
    return expected;
}
