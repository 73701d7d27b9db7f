/* SPDX-License-Identifier: MIT */
/* What the files of reduce share: a checked description, the shape of its groups, the plan. */
#ifndef CLP_REDUCE_PLAN_H
#define CLP_REDUCE_PLAN_H

#include "core/context.h"
#include "core/knobs.h"
#include "engine/operation.h"

#include <clprims/reduce.h>

enum {
    CLP_REDUCE_GROUP,
    CLP_REDUCE_GROUPS,
    CLP_REDUCE_DEPTH,
    CLP_REDUCE_WAITERS,
    CLP_REDUCE_BLOCKS,
    CLP_REDUCE_READERS,
    CLP_REDUCE_KNOBS
};
extern const clp_knob clp_reduce_knobs[CLP_REDUCE_KNOBS];

/* A description with every default filled in. */
typedef struct clp_reduce_spec {
    clp_operation what; /* of ARGMIN and ARGMAX: MIN and MAX of the keys */
    bool is_arg;
    bool commutes;
    bool exact; /* every order gives the same bits, or any is fine */
    bool is_empty_fault; /* n = 0 has no result */
    size_t value_bytes; /* of a block's result */
    size_t result_bytes; /* of the output */
    size_t max_n;
} clp_reduce_spec;

/* Who combines a block. */
typedef enum clp_reduce_by {
    CLP_REDUCE_BY_ITEM, /* consecutive blocks each */
    CLP_REDUCE_BY_TEAM, /* of 32 work-items */
    CLP_REDUCE_BY_GROUP /* those of the levels above the first wait for what they combine */
} clp_reduce_by;

/* How its groups work. */
typedef struct clp_reduce_shape {
    clp_reduce_by by;
    bool by_ticket; /* groups that wait are numbered in the order in which they start */
    size_t group; /* work-items */
    size_t most_groups; /* SIZE_MAX: a team for each block */
    size_t depth;
    size_t single_n; /* the number of elements that one work-item takes, at most; 0: none */
    size_t team; /* work-items that combine a block, where several do */
    size_t vec; /* elements of a work-item's vector */
    size_t chunks; /* vectors of a work-item in a row */
    size_t lanes; /* elements of a row */
    size_t counted_blocks; /* of the first level that a group takes in a counted run, at most */
    size_t least_readers; /* groups that do so, as far as there are blocks */
    size_t simd; /* lanes that a single work-item takes at a time */
} clp_reduce_shape;

struct clprims_reduce {
    clprims_context *context;
    clp_reduce_spec spec; /* its pointers into the description are cleared after create */
    clp_reduce_shape shape;
    unsigned char start[CLP_LARGEST_VALUE]; /* in front, or what n = 0 gives */
    clp_parameters parameters; /* of the input's expression */
    cl_program program;
    cl_kernel kernel;
    cl_kernel counted; /* of counted runs by groups; else NULL: the same kernel */
    cl_mem sums; /* the blocks' results, level after level; by groups, as words with tags */
    cl_mem tickets;
    cl_mem report; /* for runs without one */
    size_t scratch_bytes;
    cl_uint run; /* the last one submitted */
};

/* ---- reduce_spec.c ---- */

/* Checks the description against the device and fills the spec. start: room for CLP_LARGEST_VALUE
 * bytes. */
clprims_status clp_reduce_spec_fill(const clprims_context *context, const clprims_reduce_desc *desc,
                                    clp_reduce_spec *spec, void *start);

/* ---- reduce_shape.c ---- */

/* Reads the knobs. */
clprims_status clp_reduce_shape_choose(const clprims_context *context, const clp_reduce_spec *spec,
                                       const char *tuning, clp_reduce_shape *shape);

/* Elements of a block of n, groups for n. */
size_t clp_reduce_block(const clp_reduce_shape *shape, size_t n);
size_t clp_reduce_groups(const clp_reduce_shape *shape, size_t n);

/* Groups of a counted run: enough for any n up to max_n. */
size_t clp_reduce_counted_groups(const clp_reduce_shape *shape, size_t max_n);

/* As many blocks of all levels as any n up to max_n has, or more. */
size_t clp_reduce_most_sums(const clp_reduce_shape *shape, size_t max_n);

/* ---- reduce_text.c ---- */

/* counted: NULL where counted runs have the same kernel. */
clprims_status clp_reduce_build(const clprims_context *context, const clp_reduce_spec *spec,
                                const clp_reduce_shape *shape, cl_program *program,
                                cl_kernel *kernel, cl_kernel *counted);

#endif
