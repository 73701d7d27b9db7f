/* SPDX-License-Identifier: MIT */
/* A block, a kernel on it that writes what its functions give, and what it should write. */
#ifndef TESTS_BLOCKS_CASE_H
#define TESTS_BLOCKS_CASE_H

#include "harness/harness.h"

#include <clprims/blocks.h>

/* The element types and operators of the tests. */
typedef struct blocks_kind {
    const char *name;
    clprims_type type;
    clprims_op op;
    const char *text; /* of the type, for kernels */
    size_t bytes;
} blocks_kind;

enum { BLOCKS_KINDS = 7 };
extern const blocks_kind blocks_kinds[BLOCKS_KINDS]; /* the last one: affine maps, a structure */

typedef struct blocks_shape {
    size_t kind, group, items;
    unsigned uses;
    int descending;
    size_t bins;
} blocks_shape;

enum { BLOCKS_MOST_BYTES = 8, BLOCKS_FIRST = 3 /* elements before the input */ };

/* n random elements that combinations leave exact. */
void blocks_fill(const blocks_kind *kind, void *values, size_t n);

/* result = op(earlier, later); it may be one of them. */
void blocks_combine(const blocks_kind *kind, const void *earlier, const void *later, void *result);

/* The description of one block "b". The block lives as long as the description is used. */
clprims_blocks_desc blocks_describe(const blocks_shape *shape, clprims_block *block);

/* Builds the kernel, unless the last call was for the same, and gives it until the case ends.
 * Kernels see T, N and the block as `b`. */
cl_kernel blocks_kernel(const blocks_shape *shape, const char *source);

/* Runs groups of the kernel, whose arguments are: the input with BLOCKS_FIRST elements before it, a
 * number, n outputs, m words, and scratch if it is not NULL. */
typedef struct blocks_run {
    const blocks_shape *shape;
    cl_kernel kernel;
    const void *in;
    size_t groups, in_n;
    cl_uint number;
    void *out;
    size_t out_n;
    cl_uint *words;
    size_t words_n;
    const clprims_buffer *scratch;
} blocks_run;

void blocks_launch(const blocks_run *run);

/* Cases of texts, programs and refusals. */
void blocks_text_cases(test_cases *cases);

#endif
