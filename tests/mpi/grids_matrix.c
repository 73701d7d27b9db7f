/* SPDX-License-Identifier: MIT */
/* Blocks of matrices on the grid of ranks. */
#include "mpi/grids.h"

enum { GAP = 2, GAP_BYTE = 7 };

clprims_mpi_block grids_rows(ranks_layout layout, size_t rows) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    return ranks_strip(layout, rows, grid.rows, grid.row);
}

clprims_mpi_block grids_columns(ranks_layout layout, size_t columns) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    return ranks_strip(layout, columns, grid.columns, grid.column);
}

/* Where row i of the block begins in the whole matrix. */
static char *row_of(const shared_matrix *m, size_t i) {
    return m->whole + ((m->down.start + i) * m->across.total + m->across.start) * m->bytes;
}

shared_matrix grids_share(clprims_type type, void *whole, clprims_mpi_block down,
                          clprims_mpi_block across) {
    const size_t bytes = clprims_type_bytes(type);
    shared_matrix m = {type, bytes, whole, down, across, across.n + GAP, {{0}, 0, 0, 0}};
    char *own = test_scratch(down.n * m.ld, bytes);
    memset(own, GAP_BYTE, down.n * m.ld * bytes);
    for (size_t i = 0; i < down.n; i++) {
        memcpy(own + i * m.ld * bytes, row_of(&m, i), across.n * bytes);
    }
    m.buffer = test_buffer_create(own, down.n * m.ld, bytes, 3);
    return m;
}

clprims_matrix grids_at(const shared_matrix *m) {
    return (clprims_matrix){m->buffer.at.mem, m->buffer.at.first, m->ld, 0};
}

void grids_expect(const shared_matrix *m) {
    char *own = test_scratch(m->down.n * m->ld, m->bytes), gap[GAP * sizeof(uint64_t)];
    memset(gap, GAP_BYTE, sizeof gap);
    test_buffer_read(&m->buffer, own);
    for (size_t i = 0; i < m->down.n; i++) {
        const char *row = own + i * m->ld * m->bytes;
        test_note("row %zu of the block", i);
        expect_values(m->type, row_of(m, i), row, m->across.n);
        expect_elements(gap, row + m->across.n * m->bytes, GAP, m->bytes);
    }
}

void grids_nulls_are_refused(const ranks_primitive *of, const void *good, const char *desc_init) {
    const int last = ranks_count() - 1;
    void *plan = NULL;
    char part[64];
    snprintf(part, sizeof part, "mpi_%s: out is NULL", of->name);
    expect_ranks_failure(of->create(ranks_rank() == last ? NULL : &plan, good),
                         CLPRIMS_ERR_ARGUMENT, last, part);
    snprintf(part, sizeof part, "%s is NULL", desc_init);
    ranks_desc_is_refused(of, good, NULL, CLPRIMS_ERR_ARGUMENT, part);
    assert_null(plan);
}
