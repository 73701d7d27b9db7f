/* SPDX-License-Identifier: MIT */
/* A whole matrix, and this rank's block of it with gaps behind its rows. */
#ifndef TESTS_GRIDS_H
#define TESTS_GRIDS_H

#include "mpi/ranks.h"

typedef struct shared_matrix {
    clprims_type type;
    size_t bytes;
    char *whole;
    clprims_mpi_block down, across;
    size_t ld;
    test_buffer buffer;
} shared_matrix;

/* This rank's share of rows and of columns. Draws random numbers. */
clprims_mpi_block grids_rows(ranks_layout layout, size_t rows);
clprims_mpi_block grids_columns(ranks_layout layout, size_t columns);

/* The matrix keeps `whole` from then on. */
shared_matrix grids_share(clprims_type type, void *whole, clprims_mpi_block down,
                          clprims_mpi_block across);

/* This rank's block for a call. */
clprims_matrix grids_at(const shared_matrix *m);

/* This rank's block is that of the whole matrix, which a twin may have changed; the gaps stay. */
void grids_expect(const shared_matrix *m);

/* Of NULL in the place of `out` or of the description; desc_init: as the message has it. */
void grids_nulls_are_refused(const ranks_primitive *of, const void *good, const char *desc_init);

#endif
