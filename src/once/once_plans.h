/* SPDX-License-Identifier: MIT */
/* The plans of one-shot calls, which a context keeps. */
#ifndef CLP_ONCE_PLANS_H
#define CLP_ONCE_PLANS_H

#include <clprims/reduce.h>
#include <clprims/scan.h>
#include <clprims/select.h>
#include <clprims/sort.h>

/* CLP_ONCE_PLANS: of one queue. */
enum { CLP_ONCE_PLANS = 16, CLP_ONCE_ALL_PLANS = 64, CLP_ONCE_LEAST_CAPACITY = 1024 };

/* Reductions, of which MIN to ARGMAX need elements; scans; sorts; a selection: calls are compared
 * with the first of each. */
typedef enum clp_once_call {
    CLP_ONCE_SUM,
    CLP_ONCE_MIN,
    CLP_ONCE_MAX,
    CLP_ONCE_ARGMIN,
    CLP_ONCE_ARGMAX,
    CLP_ONCE_CUMSUM,
    CLP_ONCE_EXCLUSIVE_CUMSUM,
    CLP_ONCE_SORT_IN_PLACE,
    CLP_ONCE_ARGSORT,
    CLP_ONCE_NONZERO
} clp_once_call;

/* One of the four is there. The list of a context begins with the plan that was used last. */
typedef struct clp_once_plan {
    struct clp_once_plan *next;
    cl_command_queue queue; /* retained, so that no other queue gets its address */
    clp_once_call call;
    clprims_type type;
    size_t max_n;
    clprims_reduce *reduce;
    clprims_scan *scan;
    clprims_sort *sort;
    clprims_select *select;
} clp_once_plan;

/* Of sums and cumulative sums. */
clprims_type clp_once_sum_type(clprims_type type);

/*
 * The max_n of a plan for n elements: the next power of two, CLP_ONCE_LEAST_CAPACITY or more, but
 * no more elements of element_bytes than one buffer of the device holds, unless n is more.
 */
size_t clp_once_capacity(size_t n, size_t element_bytes, size_t max_alloc_bytes);

/* What every call refuses. */
clprims_status clp_once_check(const char *who, const clprims_context *context, clprims_type type);

/* DATA if n = 0 and the result is an element or its index. */
clprims_status clp_once_check_n(const char *who, clp_once_call call, size_t n);

/* Takes the queue's plan for n elements out of the context's list, or makes one. It is the caller's
 * until kept or destroyed; a thread that wants an equal one meanwhile makes another. */
clprims_status clp_once_take(clprims_context *context, cl_command_queue queue, clp_once_call call,
                             clprims_type type, size_t n, clp_once_plan **out);

/* Puts it first in the list. Where the queue has more than CLP_ONCE_PLANS, its last one goes; where
 * all queues have more than CLP_ONCE_ALL_PLANS, the last one of all. */
void clp_once_keep(clprims_context *context, clp_once_plan *plan);

/* Keeps the plan if the run's status is OK: one whose run failed is not used again. */
clprims_status clp_once_finish(clprims_context *context, clp_once_plan *plan,
                               clprims_status status);

void clp_once_destroy(clp_once_plan *plan);

#endif
