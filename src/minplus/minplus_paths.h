/* SPDX-License-Identifier: MIT */
/*
 * Shortest paths, the closure of a matrix: a plan, and a run of it. cl/minplus/minplus_paths.cl
 * says how it works. From the call to the kernels and back:
 *   minplus_paths.c         clprims_paths_enqueue: checks; create: blocks, programs, scratch
 *   minplus_paths_submit.c  the launches; close_in_rows: with predecessors, or on CPUs
 *   minplus_paths_update.c  clp_paths_submit_updates: other runs; clp_paths_submit_step submits
 *                           each launch
 *   minplus_paths.cl        start, copy of a block's columns, finish, report
 *   close_in_rows:  minplus_panel.cl (on CPUs minplus_panel_serial.cl), then products
 *                   (minplus.cl), or minplus_relax.cl within an outer block; minplus_transpose.cl
 *   updates:        minplus_step.cl, then minplus_panel_update.cl in minplus.cl
 *   minplus_pivot.cl        what minplus_panel.cl and minplus_step.cl stand on
 */
#ifndef CLP_MINPLUS_PATHS_H
#define CLP_MINPLUS_PATHS_H

#include "minplus/minplus_plan.h"

/* NULL: the plan does without it. */
typedef struct clp_paths_kernels {
    cl_kernel start, copy, panel, relax, transpose, gather, step, finish, write_report;
} clp_paths_kernels;

struct clprims_paths {
    clp_plan head;
    clp_minplus_spec spec;
    size_t max_n;
    size_t group;
    size_t block; /* vertices that a panel kernel closes */
    size_t outer; /* vertices of an outer block */
    size_t panel_columns; /* of a work-group */
    clp_minplus_choice choice;
    clp_paths_kernels kernels;
    clp_minplus_limits limits; /* of lengths; integers only */
    bool updates_panels; /* an outer block is closed by itself, then products update its rows and
                            columns */
    bool relaxes; /* with predecessors: clp_paths_relax takes the place of products within an outer
                     block */
    cl_mem columns, rows; /* of a block, before its update */
    cl_mem transposed; /* with predecessors: the rows of an outer block, transposed, each `outer`
                          long */
    cl_mem turns[2]; /* an outer block before and after a step; or the columns of a block and of the
                        next one, of all rows of the outer block */
    cl_mem pivot; /* the pivot tile, closed once more if there is a negative cycle */
    cl_mem outside; /* the lowest vertex whose diagonal element is negative */
    cl_mem beyond; /* per row, the lowest length beyond the limits, or NULL */
};

/* The operands of a step: clp_step_place in cl/minplus/minplus_step.cl, which explains the members.
 */
typedef struct clp_step_place {
    cl_ulong from_first, to_first, to_ld, report_first;
    cl_uint ld, limit, begin, at;
} clp_step_place;
_Static_assert(sizeof(clp_step_place) == 4 * sizeof(cl_ulong) + 4 * sizeof(cl_uint),
               "kernels are given it as it stands in memory");

/* The same of clp_relax_operands in cl/minplus/minplus_relax.cl. */
typedef struct clp_relax_operands {
    cl_ulong d_first, d_ld, via_first, via_ld, columns_first;
    cl_uint n, begin, end, from, block, next, next_block;
    cl_uint unused; /* its size is a multiple of 8 bytes */
} clp_relax_operands;
_Static_assert(sizeof(clp_relax_operands) == 5 * sizeof(cl_ulong) + 8 * sizeof(cl_uint),
               "kernels are given it as it stands in memory");

/* One run during its submission. Each kernel waits for `last` unless the queue is in order. */
typedef struct clp_paths_run {
    clp_call call;
    clprims_paths *paths;
    bool in_order; /* the queue is in order */
    size_t submitted;
    clp_step
        *warm_up; /* warm-up: where the steps are collected, of one work-group each; NULL: a run */
    clprims_matrix d, via;
    clprims_paths_arrays arrays; /* of a run on plain arrays */
    clprims_buffer report;
    clprims_buffer at[2]; /* of d and via, for the checks of arrays */
    size_t n;
    cl_event last; /* or NULL */
} clp_paths_run;

/* minplus_paths.c: whether a run may transpose the rows of outer blocks. */
bool clp_paths_transposes(const clprims_paths *paths);

/* minplus_paths_update.c: submits one kernel of a run, whose arguments are set; of the plan's
 * groups, with these arguments. */
clprims_status clp_paths_submit_step(clp_paths_run *run, const clp_step *step);
clprims_status clp_paths_launch(clp_paths_run *run, cl_kernel kernel, size_t groups,
                                const clp_arguments *arguments);

/* minplus_paths_update.c: submits all outer blocks, if they are closed by themselves. */
clprims_status clp_paths_submit_updates(clp_paths_run *run);

/* minplus_paths_update.c: the kernels of outer blocks, for a warm-up. */
clprims_status clp_paths_warm_up_updates(clp_paths_run *run);

/* minplus_paths_submit.c: submits all kernels of a checked run. */
clprims_status clp_paths_submit(clp_paths_run *run);

/* minplus_paths_submit.c: launches each kernel of the plan once. */
clprims_status clp_paths_warm_up(clprims_paths *paths);

#endif
