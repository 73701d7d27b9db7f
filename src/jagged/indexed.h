/* SPDX-License-Identifier: MIT */
/* What the plans of gather and scatter share: index after index names an element of an array. */
#ifndef CLP_INDEXED_H
#define CLP_INDEXED_H

#include "core/knobs.h"
#include "plan/plan_arguments.h"

#include <clprims/gather.h>

/* The first member of both plans. */
typedef struct clp_indexed {
    clp_plan head;
    size_t type_bytes;
    clprims_type index_type;
    size_t max_n;
    size_t group; /* work-items */
    size_t most_groups;
    size_t depth; /* indices that a work-item loads at a time; a CPU's take one */
    size_t tile; /* indices that a group takes at a time */
    cl_mem counters; /* zero between runs */
    cl_mem lowest; /* of each group: the lowest position of an index outside */
} clp_indexed;

/* One run's arguments. The buffers and arrays of scatter have the members of gather's. */
typedef struct clp_indexed_run {
    clp_call call;
    clprims_gather_buffers buffers;
    size_t n;
    clprims_gather_arrays arrays; /* of a run on plain arrays */
} clp_indexed_run;

enum { CLP_INDEXED_REPORT_BYTES = 32 }; /* of clp_report in cl/jagged/indexed_report.cl */

/* The first files of both programs; own: the primitive's. */
#define CLP_INDEXED_PARTS(own)                                                                     \
    &clp_jagged_cl, &clp_indexed_report_cl, &clp_count_cl, &clp_last_group_cl, &clp_indexed_cl, own

/* Checks and takes what both descriptions have. */
clprims_status clp_indexed_take(clp_indexed *plan, clprims_type type, const clprims_custom *custom,
                                clprims_type index_type, size_t max_n);

/* Chooses the shape. depth: the default. */
clprims_status clp_indexed_choose(clp_indexed *plan, const char *tuning, size_t depth);

/* The first lines of both preludes. */
void clp_indexed_add_text(const clp_indexed *plan, clp_text *prelude);

/* Scratch of both, once the shape is chosen. */
clprims_status clp_indexed_scratch(clp_indexed *plan);

/* The number of work-groups that n indices get. */
size_t clp_indexed_groups(const clp_indexed *plan, size_t n);

/* Sets the arguments of a kernel. scratch, detail: scatter's own, or NULL and 0. */
clprims_status clp_indexed_set_arguments(const clp_indexed *plan, const clp_indexed_run *run,
                                         cl_mem scratch, size_t detail, cl_kernel kernel);

enum {
    CLP_INDEXED_OUT,
    CLP_INDEXED_INDEX,
    CLP_INDEXED_IN,
    CLP_INDEXED_N,
    CLP_INDEXED_LENGTH,
    CLP_INDEXED_REPORT,
    CLP_INDEXED_ROWS
};

/* Writes the rows of a run's arrays. in_n, out_n: elements of `in` and `out` where there are
 * indices. */
size_t clp_indexed_list(const clp_indexed *plan, clp_indexed_run *run, size_t in_n, size_t out_n,
                        clp_run_array *rows);

/* The status of a report. */
clprims_status clp_indexed_check(const char *who, const clprims_gather_report *report);

#endif
