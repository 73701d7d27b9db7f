/* SPDX-License-Identifier: MIT */
/*
 * Merge and search: the spec, the shape, the plan and the run. Both see two sorted arrays as one
 * sequence (cl/merge/merge_path.cl); of a search, a are the needles and b is the sorted array. From
 * clprims_merge_enqueue or clprims_search_enqueue to the kernels and back:
 *   merge.c, search.c  create; checks of the call; plain arrays
 *   merge_spec.c       checks of what both descriptions have
 *   merge_shape.c      tiles, and which way a search takes, chosen when the plan was created
 *   merge_text.c       the files of the program, and its prelude
 *   merge_submit.c     one launch, or two: the splits of the tiles first (merge_split.cl)
 *   merge.cl           a merge by tiles; of one work-item each: merge_serial.cl
 *   search.cl          needles in any order; sorted ones: search_tiles.cl, search_serial.cl; upper
 *                      bounds beside lower ones: search_gallop.cl
 */
#ifndef CLP_MERGE_PLAN_H
#define CLP_MERGE_PLAN_H

#include "core/knobs.h"
#include "plan/plan.h"

#include <clprims/merge.h>
#include <clprims/search.h>

enum { CLP_MERGE_GROUP, CLP_MERGE_ITEMS, CLP_MERGE_GROUPS, CLP_MERGE_SEARCHES, CLP_MERGE_KNOBS };
enum {
    CLP_SEARCH_GROUP,
    CLP_SEARCH_ITEMS,
    CLP_SEARCH_GROUPS,
    CLP_SEARCH_PIVOTS,
    CLP_SEARCH_BLOCK,
    CLP_SEARCH_LEAST,
    CLP_SEARCH_KNOBS
};

/* merge_knobs.c, which explains them; a search of sorted needles has merge's knobs. */
extern const clp_knob clp_merge_knobs[CLP_MERGE_KNOBS];
extern const clp_knob clp_search_knobs[CLP_SEARCH_KNOBS];

/* What a plan is for. */
typedef enum clp_merge_kind {
    CLP_MERGE_ARRAYS,
    CLP_MERGE_SEARCH_ANY, /* needles in any order */
    CLP_MERGE_SEARCH_SORTED
} clp_merge_kind;

/* A checked description. The texts are the caller's: they are read during create only. */
typedef struct clp_merge_spec {
    clp_merge_kind kind;
    const char *who; /* for messages */
    const char *second; /* the name of the number of b */
    clprims_type type;
    size_t type_bytes;
    const clprims_custom *custom;
    const char *less; /* NULL: ascending numbers */
    clprims_search_bound bound;
    size_t payload_bytes; /* 0: none */
    clprims_type positions;
    size_t out_bytes;
    size_t max_a, max_b;
} clp_merge_spec;

/* How a plan's kernels are cut. */
typedef struct clp_merge_shape {
    size_t group; /* 1: each work-item works by itself */
    size_t items;
    size_t tile; /* of both arrays; of needles where they are in any order */
    size_t pivots;
    size_t block_bits; /* log2 of the elements of a block of a level; 0: no levels */
    size_t least; /* elements of the sorted array from which on it has levels */
    size_t most_groups; /* SIZE_MAX: a group a tile */
    size_t searching_groups; /* the most that search for the splits of their own tiles */
} clp_merge_shape;

typedef struct clp_merge_plan {
    clp_plan head;
    clp_merge_spec spec;
    clp_merge_shape shape;
    cl_kernel prepare; /* writes the splits or levels; NULL: neither is needed */
    cl_kernel kernel;
    cl_mem scratch; /* splits of the tiles, or levels; the warm-up writes its output there, too */
} clp_merge_plan;

struct clprims_merge {
    clp_merge_plan plan;
};

struct clprims_search {
    clp_merge_plan plan;
};

/* buffers, arrays: of a search, a are the needles, b is the sorted array, and payload_out is the
 * output of upper bounds beside lower ones. */
typedef struct clp_merge_run {
    clp_call call;
    clprims_merge_buffers buffers;
    size_t n;
    clprims_merge_arrays arrays; /* of a run on plain arrays */
} clp_merge_run;

static inline bool clp_merge_is_serial(const clp_merge_shape *shape) {
    return shape->group == 1;
}

/* Whether tiles are of both arrays as one sequence. */
static inline bool clp_merge_splits(const clp_merge_plan *plan) {
    return plan->spec.kind != CLP_MERGE_SEARCH_ANY && !clp_merge_is_serial(&plan->shape);
}

/* merge_spec.c: checks the type, the order and the largest numbers of elements. */
clprims_status clp_merge_spec_check(const clprims_context *context, clp_merge_spec *spec);
/* Refuses numbers beyond the plan's. who: of the message. */
clprims_status clp_merge_check_numbers(const clp_merge_plan *plan, const char *who, size_t n,
                                       size_t n_b);
/* The hook of both kinds of plans. */
clprims_status clp_merge_check_sizes(const clp_plan *plan, const clp_call *run);
/* The status of both primitives' reports. second: the name of n_b. */
clprims_status clp_merge_check_report(const char *who, int64_t fault, int64_t n, const char *second,
                                      int64_t n_b);

/* merge_shape.c. Status: UNSUPPORTED for knobs that the device does not allow. */
clprims_status clp_merge_shape_choose(const clprims_context *context, const clp_merge_spec *spec,
                                      const char *tuning, clp_merge_shape *shape);
/* Work-groups that a run gets; 1 at least. */
size_t clp_merge_groups(const clp_merge_plan *plan, size_t n_a, size_t n_b);
/* Levels above the sorted array, by which needles in any order are searched for; 0: the whole array
 * is searched, as for few needles. */
size_t clp_search_levels(const clp_merge_plan *plan, size_t needles, size_t n_sorted);
/* Bytes of the scratch of a plan. */
size_t clp_merge_scratch_bytes(const clp_merge_plan *plan);

/* merge_text.c */
clprims_status clp_merge_build(clp_merge_plan *plan);

/* merge_submit.c. plan->spec is set; clears its pointers into the description. */
clprims_status clp_merge_plan_fill(clp_merge_plan *plan, const char *parameters,
                                   const char *tuning);
/* The hook of both kinds of plans. */
clprims_status clp_merge_submit(clp_plan *plan, clp_call *run);

#endif
