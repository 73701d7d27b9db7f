/* SPDX-License-Identifier: MIT */
/*
 * Reduce: a checked description, the shape of its work-groups, the plan. cl/reduce/reduce.cl says
 * how it works. From the call to the kernel:
 *   reduce.c        clprims_reduce_create, clprims_reduce_enqueue: checks, arguments, one launch
 *   reduce_spec.c   create: checks the description and fills in defaults
 *   reduce_shape.c  create: who combines a block; a run: how many work-groups n elements get
 *   reduce_knobs.c  what tuning may set
 *   reduce_text.c   create: the program, by who combines a block:
 *     CLP_REDUCE_BY_GROUP  reduce_group_kernel.cl, and for counted runs reduce_counted_kernel.cl
 *     CLP_REDUCE_BY_TEAM   reduce_team_kernel.cl
 *     CLP_REDUCE_BY_ITEM   reduce_serial_kernel.cl
 */
#ifndef CLP_REDUCE_PLAN_H
#define CLP_REDUCE_PLAN_H

#include "core/knobs.h"
#include "plan/operation.h"
#include "plan/plan.h"

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
    bool commutes;
    bool exact; /* every order gives the same bits, or the caller allows any */
    bool is_empty_fault; /* n = 0 has no result */
    size_t value_bytes; /* of a block's result */
    size_t result_bytes; /* of the output */
    size_t max_n;
} clp_reduce_spec;

/* Who combines a block. */
typedef enum clp_reduce_by {
    CLP_REDUCE_BY_ITEM, /* a work-item, and the blocks next to it */
    CLP_REDUCE_BY_TEAM, /* 32 work-items */
    CLP_REDUCE_BY_GROUP /* a work-group; above the first level it waits for what it combines */
} clp_reduce_by;

/* How work-groups share the work. */
typedef struct clp_reduce_shape {
    clp_reduce_by by;
    bool by_ticket; /* by groups: these are numbered in the order in which they start */
    size_t group; /* work-items */
    size_t most_groups; /* SIZE_MAX: a team for each block */
    size_t depth;
    size_t single_n; /* the number of elements that one work-item takes, at most; 0: none */
    size_t team; /* work-items that combine a block, where several do */
    size_t vec; /* elements of a work-item's vector */
    size_t chunks; /* vectors of a work-item in a row */
    size_t lanes; /* elements of a row */
    size_t counted_blocks; /* the most blocks of the first level of a counted run's reader */
    size_t least_readers; /* the fewest readers, as far as there are blocks */
    size_t simd; /* lanes of a CPU's vector; 1: none */
} clp_reduce_shape;

struct clprims_reduce {
    clp_plan head;
    clp_reduce_spec spec; /* its pointers into the description are cleared after create */
    clp_reduce_shape shape;
    unsigned char start[CLP_LARGEST_VALUE]; /* in front, or what n = 0 gives */
    cl_kernel kernel;
    cl_kernel counted; /* of counted runs by groups; else NULL: the same kernel */
    cl_mem sums; /* results of blocks, level after level; by groups: words with the run's number */
    cl_mem tickets;
    cl_uint run; /* the last one submitted */
};

/* ---- reduce_spec.c ---- */

/* Checks the description against the device and fills the spec. start: room for CLP_LARGEST_VALUE
 * bytes. */
clprims_status clp_reduce_spec_fill(const clprims_context *context, const clprims_reduce_desc *desc,
                                    clp_reduce_spec *spec, void *start);

/* ---- reduce_shape.c ---- */

/* Chooses the shape, from the spec, the tuning and the device. */
clprims_status clp_reduce_shape_choose(const clprims_context *context, const clp_reduce_spec *spec,
                                       const char *tuning, clp_reduce_shape *shape);

/* For n elements: the elements of a block, and the number of work-groups. */
size_t clp_reduce_block(const clp_reduce_shape *shape, size_t n);
size_t clp_reduce_groups(const clp_reduce_shape *shape, size_t n);

/* The number of work-groups of a counted run, enough for any n up to max_n. */
size_t clp_reduce_counted_groups(const clp_reduce_shape *shape, size_t max_n);

/* At least as many as any n up to max_n has blocks of all levels. */
size_t clp_reduce_most_sums(const clp_reduce_shape *shape, size_t max_n);

/* ---- reduce_text.c ---- */

/* Creates the plan's program and kernels, from its spec and shape. */
clprims_status clp_reduce_build(clprims_reduce *reduce);

#endif
