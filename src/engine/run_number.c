/* SPDX-License-Identifier: MIT */
/* When the numbers of runs are used up. */
#include "engine/run_number.h"

clprims_status clp_next_run(const clp_plan *plan, const clp_call *call, cl_uint last, cl_mem words,
                            cl_uint *number) {
    *number = last + 1;
    if (last < CLP_MOST_RUN) return CLPRIMS_OK;
    *number = last;
    return clp_plan_clear(plan, call, words);
}
