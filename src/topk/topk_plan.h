/* SPDX-License-Identifier: MIT */
/*
 * Top-k: shape, plan, run. From clprims_topk_enqueue to the kernels and back:
 *   topk.c        checks of the call; plain arrays
 *   topk_rows.c   segments, and on CPUs few elements of one array: work-groups, program, launches;
 *                 topk_rows.cl and topk_teams.cl have the kernel
 *   topk_guess.c  one array: room for candidates, program, launches, among which, for many
 *                 elements, are those of counted plans of sort; topk.cl has the other kernels
 *   topk_shape.c  knobs; what both programs say of elements
 */
#ifndef CLP_TOPK_PLAN_H
#define CLP_TOPK_PLAN_H

#include "sort/sort_plan.h"

#include <clprims/topk.h>

enum {
    CLP_TOPK_GROUP,
    CLP_TOPK_ITEMS,
    CLP_TOPK_GROUPS,
    CLP_TOPK_ROOM,
    CLP_TOPK_SAMPLE,
    CLP_TOPK_ROWS,
    CLP_TOPK_EACH,
    CLP_TOPK_PIECE,
    CLP_TOPK_ONE,
    CLP_TOPK_SINGLE,
    CLP_TOPK_KNOBS
};

/* topk_knobs.c, which explains them. */
extern const clp_knob clp_topk_knobs[CLP_TOPK_KNOBS];

/* Of one array, in the order of the launches. */
enum {
    CLP_TOPK_KERNEL_CELLS,
    CLP_TOPK_KERNEL_REST,
    CLP_TOPK_KERNEL_CHECK,
    CLP_TOPK_KERNEL_WRITE,
    CLP_TOPK_KERNELS
};

typedef struct clp_topk_shape {
    size_t group, items;
    size_t groups; /* at most */
    size_t room; /* for candidates */
    size_t sample; /* elements, at most */
    size_t all_sampled; /* elements, at most, that are all of the sample */
    size_t cells; /* of a sample, at most */
    size_t sorted; /* results, at most, that the last work-group sorts; 0: sorts follow */
    size_t single; /* elements, at most, that one work-group takes alone */
    bool waits; /* cells and all else are one launch */
    size_t count_bytes; /* 4, or 8 for more elements than 32 bits count */
    bool packs; /* key and index of a candidate into one integer */
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
    size_t short_lanes; /* that take a short row; 0: rows are long, or do not suit */
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
    cl_kernel kernels[CLP_TOPK_KERNELS];
    cl_mem state, cells, keys, indices;
    cl_mem found; /* the number of candidates; of rows those of pieces, and the fault */
    clprims_sort *by_index; /* NULL: candidates are packed */
    clprims_sort *by_key;
};

/* What a run is asked for. */
typedef struct clp_topk_run {
    clp_call call;
    clprims_topk_buffers buffers;
    size_t n;
    clprims_topk_arrays arrays; /* of a run on plain arrays */
} clp_topk_run;

/* Whether all of n elements are candidates. */
static inline bool clp_topk_takes_all(const clprims_topk *plan, size_t n) {
    return n <= plan->shape.room;
}

/* topk_shape.c */
clprims_status clp_topk_choose_shape(clprims_topk *plan, const char *tuning);
/* The types of keys, elements and indices. */
void clp_topk_add_elements(clp_text *text, const clprims_topk *plan);

/* topk_guess.c */
clprims_status clp_topk_choose_room(clprims_topk *plan, const clp_knob *knobs);
clprims_status clp_topk_create_guess(clprims_topk *plan);
clprims_status clp_topk_submit_guess(clprims_topk *plan, const clp_topk_run *run);
clprims_status clp_topk_warm_up_guess(clprims_topk *plan);

/* topk_rows.c */
void clp_topk_choose_rows(clprims_topk *plan, const clp_knob *knobs);
clprims_status clp_topk_create_rows(clprims_topk *plan);
clprims_status clp_topk_submit_rows(clprims_topk *plan, const clp_topk_run *run);
clprims_status clp_topk_warm_up_rows(clprims_topk *plan);

#endif
