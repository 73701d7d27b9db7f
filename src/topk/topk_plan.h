/* SPDX-License-Identifier: MIT */
/*
 * Top-k: shape, plan, run. cl/topk/topk.cl says how it works. From clprims_topk_enqueue to the
 * kernels and back:
 *   topk.c          checks of the call; plain arrays
 *   topk_submit.c   the launches: begin, passes that count digits unless the sample was right,
 *                   gather, the two counted plans of sort, write
 *   topk.cl         the sample; the counts of a pass, after which the threshold is narrower
 *   topk_gather.cl  candidates up to the threshold; the result
 *   topk_shape.c    work-groups, bits and sample, chosen when the plan was created; the program
 * Of segments, and of few elements of one array, topk_rows.c has all of that, and topk_rows.cl and
 * topk_teams.cl the kernel.
 */
#ifndef CLP_TOPK_PLAN_H
#define CLP_TOPK_PLAN_H

#include "sort/sort_plan.h"

#include <clprims/topk.h>

enum {
    CLP_TOPK_GROUP,
    CLP_TOPK_ITEMS,
    CLP_TOPK_BITS,
    CLP_TOPK_GROUPS,
    CLP_TOPK_ROOM,
    CLP_TOPK_SAMPLE,
    CLP_TOPK_ROWS,
    CLP_TOPK_EACH,
    CLP_TOPK_PIECE,
    CLP_TOPK_ONE,
    CLP_TOPK_KNOBS
};
enum { CLP_TOPK_MOST_PASSES = 32 }; /* 16 over a key and 16 over an index, of 4 bits */

/* topk_knobs.c, which explains them. */
extern const clp_knob clp_topk_knobs[CLP_TOPK_KNOBS];

/* Kinds of kernels; some have an object for each launch of a run. */
enum {
    CLP_TOPK_KERNEL_BEGIN,
    CLP_TOPK_KERNEL_COUNT,
    CLP_TOPK_KERNEL_GATHER,
    CLP_TOPK_KERNEL_WRITE,
    CLP_TOPK_KERNEL_KINDS
};

typedef struct clp_topk_shape {
    size_t group, items, bits;
    size_t groups; /* that count or gather, at most */
    size_t room; /* for candidates */
    size_t sample; /* elements of a sample; 0: there is none */
    size_t cells; /* of a sample */
    size_t passes; /* over the bits of a key */
    size_t count_bytes; /* 4, or 8 for more elements than 32 bits count */
    bool stays; /* groups gather from several tiles */
} clp_topk_shape;

enum { CLP_TOPK_ROW_LAUNCHES = 3 };

/* Of a plan that finds k elements of each segment. */
typedef struct clp_topk_rows {
    clprims_segments_by by;
    clprims_type offsets;
    bool local_indices;
    bool by_teams; /* a team of work-items takes a segment, else a work-item */
    size_t max_segments; /* 0: the plan has one array */
    size_t group;
    size_t groups; /* at most */
    size_t team; /* work-items of a team */
    size_t team_keys; /* that a work-item of a team reads at once */
    size_t piece; /* elements of a piece of a long segment, about */
    cl_kernel begin, kernels[CLP_TOPK_ROW_LAUNCHES], finish;
    cl_mem sizes; /* of a counted run */
    cl_mem pieces; /* a list of them */
    cl_mem heap_keys, heap_numbers;
} clp_topk_rows;

struct clprims_topk {
    clp_plan head;
    clp_sort_spec spec; /* of the elements, as a descending or an ascending sort has it */
    size_t max_k;
    bool by_rows; /* each segment is a row, or the one array */
    clp_topk_shape shape;
    clp_topk_rows rows;
    clp_sort_elements elements;
    cl_program program;
    cl_kernel kernels[CLP_TOPK_KERNEL_KINDS][CLP_TOPK_MOST_PASSES];
    cl_mem state, low, high, total, keys, indices;
    cl_mem found; /* the number of candidates, and a counter of groups; of rows also the fault */
    clprims_sort *by_index, *by_key;
};

/* What a run is asked for. */
typedef struct clp_topk_run {
    clp_call call;
    clprims_topk_buffers buffers;
    size_t n;
    const void *offsets; /* of a run on plain arrays: the caller's */
} clp_topk_run;

/* How the candidates of a run are found. */
typedef enum clp_topk_way { CLP_TOPK_SORT, CLP_TOPK_BY_SAMPLE, CLP_TOPK_SELECT } clp_topk_way;
clp_topk_way clp_topk_way_of(const clprims_topk *plan, size_t n, size_t k);

/* topk_shape.c */
clprims_status clp_topk_choose_shape(clprims_topk *plan, const char *tuning);
/* Passes over the indices of n elements, until the indices with the same digits have room. */
size_t clp_topk_index_passes(const clprims_topk *plan, size_t n);
/* Which one of the cells of a sample stands for the k-th element, with a margin; 0: none. */
size_t clp_topk_rank(const clp_topk_shape *shape, size_t n, size_t k);
clprims_status clp_topk_build(clprims_topk *plan);

/* topk_submit.c */
clprims_status clp_topk_create_kernels(clprims_topk *plan);
clprims_status clp_topk_submit(clprims_topk *plan, const clp_topk_run *run);
clprims_status clp_topk_warm_up(clprims_topk *plan);

/* topk_rows.c */
void clp_topk_choose_rows(clprims_topk *plan, const clp_knob *knobs);
clprims_status clp_topk_create_rows(clprims_topk *plan);
clprims_status clp_topk_submit_rows(clprims_topk *plan, const clp_topk_run *run);
clprims_status clp_topk_warm_up_rows(clprims_topk *plan);

#endif
