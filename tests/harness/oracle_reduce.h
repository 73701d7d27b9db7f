/* SPDX-License-Identifier: MIT */
/* The plain-C twin of reduce: the tree of include/clprims/reduce.h, bit by bit. */
#ifndef TESTS_ORACLE_REDUCE_H
#define TESTS_ORACLE_REDUCE_H

#include "harness/oracle.h"

/* The result of n > 0 elements by functions, in the order of the header's tree; init may be NULL.
 */
void oracle_reduce_custom(const oracle_twin *twin, bool commutes, const void *init, const void *in,
                          void *out, size_t n);

/* The same for a built-in operator, ARGMIN and ARGMAX included, and no input expression. */
void oracle_reduce(const clprims_reduce_desc *desc, const void *in, void *out, size_t n);

/* Bytes of the result. */
size_t oracle_reduce_bytes(const clprims_reduce_desc *desc);

/* n values next to the edges: zeros and NaN of both signs, infinities, extremes, a few of them. */
void oracle_edge_values(clprims_type type, void *values, size_t n);

#endif
