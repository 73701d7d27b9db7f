/* SPDX-License-Identifier: MIT */
/* What the files of list ranking share: the plan, the levels of a run, the run itself. */
#ifndef CLP_LIST_PLAN_H
#define CLP_LIST_PLAN_H

#include "internal.h"
#include "list_report.h"

#include <clprims/list.h>

enum {
    CLP_LIST_LEVELS = 64,
    CLP_LIST_STAGES = 3,
    CLP_LIST_STATE_BYTES = 2048,
    CLP_LIST_MOST_STEPS = 2 * CLP_LIST_LEVELS + 9
};

/* As in cl/list.cl, which explains the members. */
typedef struct clp_list_level {
    cl_ulong count;
    cl_ulong ids;
    cl_ulong links_at;
    cl_ulong at;
    cl_ulong above;
    cl_ulong mask;
    cl_ulong shift;
    cl_ulong number;
} clp_list_level;

enum {
    CLP_LIST_SUBLIST,
    CLP_LIST_UPPER,
    CLP_LIST_SPLITTERS,
    CLP_LIST_LAST,
    CLP_LIST_GROUP,
    CLP_LIST_LANES,
    CLP_LIST_WALKS,
    CLP_LIST_BATCH,
    CLP_LIST_COARSE,
    CLP_LIST_KNOBS
};

struct clprims_list {
    clprims_context *context;
    clprims_type link;
    size_t max_n;
    size_t knobs[CLP_LIST_KNOBS];
    size_t scratch_bytes;
    cl_program program;
    cl_kernel begin, sum, find, last, unmark, conclude;
    cl_kernel walk[CLP_LIST_LEVELS], spread[CLP_LIST_LEVELS], look[CLP_LIST_STAGES];
    cl_mem links, weights, pairs, state;
};

/* One run while it is put together. */
typedef struct clp_list_run {
    clprims_list *list;
    clprims_buffer next, rank, report;
    cl_long head;
    size_t n;
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t last;
    clp_step steps[CLP_LIST_MOST_STEPS];
    size_t count;
} clp_list_run;

/* list_submit.c: lays out the levels of n > 0 elements; returns the number of the last one.
 * nodes: of all levels above level 0. */
size_t clp_list_lay_out(const clprims_list *list, size_t n, clp_list_level *levels, size_t *nodes);

/* list_submit.c: submits a run whose arguments are checked. */
clprims_status clp_list_submit(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                               const cl_event *wait, cl_event *event);

#endif
