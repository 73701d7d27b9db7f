/* SPDX-License-Identifier: MIT */
/* What the files of the closure share: a plan, and a run of it. */
#ifndef CLP_MINPLUS_PATHS_H
#define CLP_MINPLUS_PATHS_H

#include "minplus/minplus_plan.h"

struct clprims_paths {
    clprims_context *context;
    clp_minplus_spec spec;
    size_t max_n;
    size_t group;
    size_t block; /* vertices that a panel kernel closes */
    size_t outer; /* vertices of the larger block outer them */
    size_t panel_columns; /* of a group */
    clp_minplus_choice choice;
    cl_program program;
    cl_kernel start, copy, panel, gather, step, finish, write_report;
    clp_minplus_limits limits; /* of lengths; integers only */
    bool
        updates_panels; /* a larger block is closed by itself, then its rows and columns are made */
    cl_mem columns, rows; /* a block's, as they were before it */
    cl_mem turns[2]; /* a larger block while it is closed: before and after a step */
    cl_mem pivot; /* a block's, closed once more when there is a negative cycle */
    cl_mem outside; /* the lowest vertex whose diagonal element is negative */
    cl_mem beyond; /* of each row the lowest length beyond the limits, or NULL */
    cl_mem report; /* for runs whose caller wants none */
};

/* What a step works on; as clp_step_place in cl/minplus/minplus_step.cl, whose fields have
 * comments. */
typedef struct clp_step_place {
    cl_ulong from_first, to_first, to_ld, report_first;
    cl_uint ld, limit, begin, at;
} clp_step_place;
_Static_assert(sizeof(clp_step_place) == 4 * sizeof(cl_ulong) + 4 * sizeof(cl_uint),
               "kernels are given it as it stands in memory");

/* One run while it is submitted, kernel by kernel; the next one waits for `last`
 * unless the queue is in order. */
typedef struct clp_paths_run {
    clprims_paths *paths;
    cl_command_queue queue;
    bool in_order; /* the queue keeps the order by itself */
    size_t submitted;
    clp_step *warm_up; /* where a warm-up collects its steps, of one group each; NULL: a run */
    clprims_matrix d, via;
    clprims_buffer report;
    size_t n;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event last; /* or NULL */
} clp_paths_run;

/* minplus_paths_chain.c: a kernel of a run. */
clprims_status clp_paths_submit_step(clp_paths_run *run, const clp_step *step, bool last);

/* minplus_paths_update.c: all larger blocks, when they are closed by themselves. */
clprims_status clp_paths_submit_updates(clp_paths_run *run);

/* minplus_paths_update.c: the kernels of such blocks, for a warm-up. */
clprims_status clp_paths_warm_up_updates(clp_paths_run *run);

/* minplus_paths_submit.c: all kernels of a run that was checked. */
clprims_status clp_paths_submit(clp_paths_run *run, cl_event *event);

/* minplus_paths_submit.c: launches each kernel of the plan once. */
clprims_status clp_paths_warm_up(clprims_paths *paths);

#endif
