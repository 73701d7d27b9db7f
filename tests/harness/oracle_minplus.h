/* SPDX-License-Identifier: MIT */
/* Plain-C twins of the min-plus product. */
#ifndef TESTS_ORACLE_MINPLUS_H
#define TESTS_ORACLE_MINPLUS_H

#include "harness/harness.h"

/* Element (i, j) is values[i * ld + j]. */
typedef struct oracle_matrix {
    void *values;
    size_t ld;
} oracle_matrix;

/*
 * The product that desc describes, not custom, of I32, I64, U8, U32, F32 or F64, bit by bit unless
 * zeros differ in sign. argmin: NULL, or int32 with the leading dimension of c.
 */
void oracle_minplus(const clprims_minplus_desc *desc, const oracle_matrix *a,
                    const oracle_matrix *b, const oracle_matrix *c, int32_t *argmin, size_t m,
                    size_t n, size_t k);

#endif
