/* SPDX-License-Identifier: MIT */
/* When the numbers of runs are used up. */
#include "engine/run_number.h"
#include "core/status.h"

clprims_status clp_next_run(const clp_plan *plan, const clp_call *call, cl_uint last, cl_mem words,
                            cl_uint *number) {
    *number = last + 1;
    if (last < CLP_MOST_RUN) return CLPRIMS_OK;
    const cl_uint zero = 0;
    size_t bytes = 0;
    cl_int code = clGetMemObjectInfo(words, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code == CL_SUCCESS) {
        code = clEnqueueFillBuffer(call->queue, words, &zero, sizeof zero, 0, bytes, call->num_wait,
                                   call->wait, NULL);
    }
    if (code == CL_SUCCESS) code = clEnqueueBarrierWithWaitList(call->queue, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return clp_fail_cl(code, "%s: clearing the state failed", plan->kind->name);
    *number = last;
    return CLPRIMS_OK;
}
