/* SPDX-License-Identifier: MIT */
/*
 * Products and closures beside plain C: all of small results, and of large ones rows that touch
 * every place of a tile, since all of 4096^3 pairs take plain C minutes.
 */
#ifndef MINPLUS_VERIFY_H
#define MINPLUS_VERIFY_H

#include "harness/bench.h"

typedef struct minplus_size {
    size_t m, n, k, batch;
} minplus_size;

/* Matrices of floats or int32 on the host; a begins with host_a, and b at b.first elements. */
typedef struct minplus_product {
    const void *host_a, *host_c;
    bool is_int;
    clprims_matrix a, b, c;
    minplus_size size;
} minplus_product;

/* Whether c is the product; says in fault where it is not. */
bool minplus_check(const minplus_product *job, char *fault, size_t fault_bytes);

/* The same for all shortest paths `got` of the lengths d between n vertices. */
bool minplus_check_closure(const float *d, const float *got, size_t n, char *fault,
                           size_t fault_bytes);

#endif
