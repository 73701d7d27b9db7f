/* SPDX-License-Identifier: MIT */
/* Shared by the files of list ranking: the plan, the levels of a run, the run itself. */
#ifndef CLP_LIST_PLAN_H
#define CLP_LIST_PLAN_H

#include "core/knobs.h"
#include "core/launch.h"
#include "list/list_report.h"

#include <clprims/list.h>

enum {
    CLP_LIST_LEVELS = 64,
    CLP_LIST_STAGES = 4, /* as in cl/list/list.cl */
    CLP_LIST_STATE_BYTES = 2048, /* of clp_list_state, as cl/list/list.cl checks */
    CLP_LIST_LEVEL_BYTES = 112, /* of clp_list_level, in C and in kernels */
    CLP_LIST_SIDE = 32, /* interleaved columns, as in cl/list/list_visit_log.cl */
    CLP_LIST_MOST_STEPS = 2 * CLP_LIST_LEVELS + 16
};

/* As in cl/list/list.cl, which explains the members. */
typedef struct clp_list_level {
    cl_ulong count;
    cl_ulong ids;
    cl_ulong links_at;
    cl_ulong at;
    cl_ulong above;
    cl_ulong number;
    cl_ulong mask;
    cl_ulong shift;
    cl_ulong seed;
    cl_ulong second_seed;
    cl_ulong stride;
    cl_ulong retry_steps;
    cl_ulong fixed;
    cl_ulong batch;
} clp_list_level;
_Static_assert(sizeof(clp_list_level) == CLP_LIST_LEVEL_BYTES, "as in cl/list/list.cl");

enum {
    CLP_LIST_SUBLIST,
    CLP_LIST_SHORT,
    CLP_LIST_UPPER,
    CLP_LIST_SPLITTERS,
    CLP_LIST_LAST,
    CLP_LIST_LAST_GROUP,
    CLP_LIST_GROUP,
    CLP_LIST_LANES,
    CLP_LIST_WIDE,
    CLP_LIST_WALKS,
    CLP_LIST_BATCH,
    CLP_LIST_FIXED,
    CLP_LIST_FEW,
    CLP_LIST_SEED,
    CLP_LIST_RETRY,
    CLP_LIST_COARSE,
    CLP_LIST_LEAST,
    CLP_LIST_ROWS,
    CLP_LIST_SORT_GROUP,
    CLP_LIST_BUCKETS,
    CLP_LIST_WINDOW,
    CLP_LIST_WINDOW_GROUP,
    CLP_LIST_NEAR,
    CLP_LIST_KNOBS
};

/* list_knobs.c, which explains them. */
extern const clp_knob clp_list_knobs[CLP_LIST_KNOBS];

/* Kinds of kernels. A run uses one kernel object of a kind per step of that kind. */
enum {
    CLP_LIST_BEGIN,
    CLP_LIST_SUM,
    CLP_LIST_FIND,
    CLP_LIST_SINGLE_GROUP,
    CLP_LIST_ONE_PER_ITEM,
    CLP_LIST_WALK,
    CLP_LIST_LAST_LEVEL,
    CLP_LIST_EXPAND,
    CLP_LIST_COPY,
    CLP_LIST_WALK_IN_PLACE,
    CLP_LIST_EXPAND_IN_PLACE,
    CLP_LIST_WALK_LOG,
    CLP_LIST_WRITE_ORDER,
    CLP_LIST_SCATTER,
    CLP_LIST_SORT,
    CLP_LIST_SORT_FINER,
    CLP_LIST_SCATTER_WINDOW,
    CLP_LIST_DIAGNOSE,
    CLP_LIST_KINDS
};

/* How the visit log of n elements is sorted. */
typedef struct clp_list_room {
    size_t columns; /* a multiple of CLP_LIST_SIDE */
    size_t bits; /* log2 of the windows per bucket of the first pass; 0: one pass is enough */
    size_t buckets; /* of the first pass */
    size_t windows; /* of the result */
} clp_list_room;

/* The capacity of kernels and scratch: the most that a run of 0 to max_n elements needs. */
typedef struct clp_list_limits {
    size_t last; /* number of the last level */
    size_t nodes; /* of all levels above level 0 */
    size_t pairs; /* of level 0 */
    size_t columns;
    size_t buckets; /* of a pass, in the kernels' local memory; a multiple of SORT_GROUP */
    size_t cursors; /* of the buckets of the first pass, followed by those of the windows */
    size_t items; /* to sort */
    bool two_passes; /* of the sort; some runs may still take one */
} clp_list_limits;

struct clprims_list {
    clprims_context *context;
    clprims_type link;
    clprims_list_result result;
    clprims_list_algorithm algorithm; /* never AUTO */
    size_t max_n;
    size_t knobs[CLP_LIST_KNOBS];
    size_t offset_bits; /* in place: bits of the offset in a word */
    size_t most_ids; /* in place: sublists that the other bits can number */
    clp_list_limits most;
    cl_ulong salt; /* for seeds that nobody can predict */
    size_t scratch_bytes;
    cl_program program;
    cl_kernel kernels[CLP_LIST_KINDS][CLP_LIST_LEVELS];
    cl_mem state, nodes, ranks, pairs;
    cl_mem visits, starts, items, finer, cursors;
};

/* One run under construction. */
typedef struct clp_list_run {
    clprims_list *list;
    clprims_buffer next, out, report;
    cl_long head;
    size_t n;
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t last;
    clprims_list_algorithm algorithm; /* of level 0 */
    size_t taken[CLP_LIST_KINDS];
    clp_step steps[CLP_LIST_MOST_STEPS];
    size_t count;
} clp_list_run;

/* list_build.c: builds the knobs, program, kernels and scratch of a plan with a checked desc. */
clprims_status clp_list_build(clprims_list *list, const char *tuning);

/* list_fit.c: reduces the default knobs to the device's local memory and to max_n. Knobs from the
 * plan's text or a tuning file stay as given. */
void clp_list_fit(clprims_list *list, const clp_knob *knobs);

/* list_fit.c: checks that the knobs and the algorithm (not AUTO) fit each other, and sets
 * list->most. Status: UNSUPPORTED for given knobs that the device or max_n does not allow;
 * TOO_LARGE. */
clprims_status clp_list_fit_algorithm(clprims_list *list);

/* list_levels.c: computes the levels of n > 0 elements; returns the number of the last one. nodes:
 * of all levels above level 0. */
size_t clp_list_lay_out(const clprims_list *list, size_t n, clp_list_level *levels, size_t *nodes);

/* list_levels.c: returns the algorithm for level 0 of n elements, if they are too many for a single
 * work-group. */
clprims_list_algorithm clp_list_choose(const clprims_list *list, size_t n);

/* list_levels.c: returns whether a single work-group ranks n elements with one node per work-item.
 */
bool clp_list_is_one_per_item(const clprims_list *list, size_t n);

/* list_levels.c: returns the sublists without a splitter that a list of n elements may need in
 * place. */
size_t clp_list_spare(const clprims_list *list, size_t n);

/* list_levels.c: returns the most columns that the walks of n elements fill. */
size_t clp_list_columns(const clprims_list *list, size_t n);

/* list_levels.c: returns how the visit log of n > 0 elements is sorted, within the buckets of
 * list->most. */
clp_list_room clp_list_room_of(const clprims_list *list, size_t n);

/* list_levels.c: returns the most buckets of a pass, for n from 1 to max_n; sets *two_passes. */
size_t clp_list_most_buckets(const clprims_list *list, bool *two_passes);

/* list_levels.c: sets list->most, except the buckets and passes, which are set. */
void clp_list_set_limits(clprims_list *list);

/* list_submit.c: submits a run whose arguments are checked. */
clprims_status clp_list_submit(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                               const cl_event *wait, cl_event *event);

/* list_submit.c: launches each kernel of the plan once. */
clprims_status clp_list_warm_up(clprims_list *list);

/* list_submit.c: adds a step of at most WIDE work-items, or LANES for the walks of long lists. */
clprims_status clp_list_add(clp_list_run *r, int kind, const clp_argument *arguments, cl_uint count,
                            size_t work_items, size_t group);

/* The same with exactly that many work-groups. */
clprims_status clp_list_add_groups(clp_list_run *r, int kind, const clp_argument *arguments,
                                   cl_uint count, size_t groups, size_t group);

#define CLP_LIST_COUNT(arguments) (cl_uint)(sizeof(arguments) / sizeof((arguments)[0]))

/* list_submit.c: the walks of level 0 with a visit log or in place, and the steps that write the
 * results. */
clprims_status clp_list_add_long_walk(clp_list_run *r);
clprims_status clp_list_add_long_result(clp_list_run *r);

/* The result steps with a visit log for all n up to max_n. */
clprims_status clp_list_add_all_results(clp_list_run *r);

#endif
