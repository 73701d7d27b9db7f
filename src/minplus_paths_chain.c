/* SPDX-License-Identifier: MIT */
/* A run of the closure as a chain of kernels: each waits for the one before. */
#include "minplus_paths.h"

clprims_status clp_paths_submit_step(clp_paths_run *r, const clp_step *step, bool last) {
    cl_event done = NULL;
    if (r->warm_up != NULL) {
        r->warm_up[r->submitted++] = (clp_step){step->kernel, 1, step->group};
        return CLPRIMS_OK;
    }
    const cl_event *wait = r->submitted == 0 ? r->wait : &r->last;
    const cl_uint num_wait = r->submitted == 0 ? r->num_wait : r->last != NULL;
    const clprims_status status =
        clp_steps_enqueue(r->queue, "paths", step, 1, num_wait, num_wait > 0 ? wait : NULL,
                          last || !r->in_order ? &done : NULL);
    if (status != CLPRIMS_OK) return status;
    if (r->last != NULL) clReleaseEvent(r->last);
    r->last = done;
    r->submitted++;
    return CLPRIMS_OK;
}
