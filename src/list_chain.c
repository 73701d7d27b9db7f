/* SPDX-License-Identifier: MIT */
/* A run of list ranking as a chain of kernels: one more of a kind. */
#include "list_plan.h"

#include <assert.h>

clprims_status clp_list_add_groups(clp_list_run *r, int kind, const clp_argument *arguments,
                                   cl_uint count, size_t groups, size_t group) {
    assert(r->count < CLP_LIST_MOST_STEPS && r->taken[kind] < CLP_LIST_LEVELS);
    cl_kernel kernel = r->list->kernels[kind][r->taken[kind]++];
    assert(kernel != NULL);
    CLP_TRY(clp_kernel_arguments(kernel, "list", arguments, count));
    r->steps[r->count++] = (clp_step){kernel, groups, group};
    return CLPRIMS_OK;
}

clprims_status clp_list_add(clp_list_run *r, int kind, const clp_argument *arguments, cl_uint count,
                            size_t work_items, size_t group) {
    const bool is_long = kind == CLP_LIST_WALK_ROWS || kind == CLP_LIST_WALK_IN_PLACE;
    const size_t lanes = r->list->knobs[is_long ? CLP_LIST_LANES : CLP_LIST_WIDE];
    const size_t wanted = work_items < lanes ? work_items : lanes;
    return clp_list_add_groups(r, kind, arguments, count, (wanted + group - 1) / group, group);
}
