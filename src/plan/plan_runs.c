/* SPDX-License-Identifier: MIT */
/* Runs: on the caller's buffers, and on plain arrays. */
#include "core/status.h"
#include "plan/plan.h"

#include <assert.h>

/* What every run is refused for but its arrays. */
static clprims_status check_run(const clp_plan *plan, const clp_call *call) {
    const char *who = plan->kind->name;
    CLP_TRY(clp_check_submission(plan->context, who, call->queue, call->num_wait, call->wait));
    CLP_TRY(plan->kind->check_sizes(plan, call));
    return clp_parameters_check(&plan->parameters, who);
}

static clprims_status submit(clp_plan *plan, clp_call *run) {
    clp_order order;
    if (plan->kind->runs_share_nothing) return plan->kind->submit(plan, run);
    CLP_TRY(clp_plan_begin_run(plan, run, &order));
    const clprims_status status = plan->kind->submit(plan, run);
    clp_plan_end_run(plan, run, &order, status == CLPRIMS_OK);
    return status;
}

clprims_status clp_plan_enqueue(clp_plan *plan, clp_call *run) {
    clp_run_array rows[CLP_MOST_ARRAYS];
    run->rows = rows;
    if (run->queue == NULL) run->queue = plan->context->queue;
    CLP_TRY(check_run(plan, run));
    const size_t count = plan->kind->list_arrays(plan, run, rows);
    CLP_TRY(clp_arrays_check(plan->context, plan->kind->name, rows, count));
    return submit(plan, run);
}

clprims_status clp_plan_take_buffers(const void *plan, const clp_plan_kind *kind,
                                     const void *buffers, size_t bytes, void *full) {
    CLP_TRY(clp_begin(kind->name, "plan", plan));
    return clp_take(kind->name, "buffers", buffers, bytes, full, kind->buffers_bytes);
}

clprims_status clp_plan_take_arrays(const void *plan, const clp_plan_kind *kind, const void *arrays,
                                    size_t bytes, void *full) {
    CLP_TRY(clp_begin(kind->name, "plan", plan));
    return clp_take(kind->name, "arrays", arrays, bytes, full, kind->arrays_bytes);
}

clprims_status clp_plan_enqueue_steps(const clp_plan *plan, const clp_call *call,
                                      const clp_step *steps, size_t count) {
    return clp_steps_enqueue(call->queue, plan->kind->name, steps, count, call->num_wait,
                             call->wait, call->event);
}

/* Waits for the run's wait list: on an out-of-order queue the run before may still be at work. */
static clprims_status clear(const clp_plan *plan, const clp_call *call, cl_mem words) {
    const cl_uint zero = 0;
    size_t bytes = 0;
    cl_int code = clGetMemObjectInfo(words, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code == CL_SUCCESS) {
        code = clEnqueueFillBuffer(call->queue, words, &zero, sizeof zero, 0, bytes, call->num_wait,
                                   call->wait, NULL);
    }
    if (code == CL_SUCCESS) code = clEnqueueBarrierWithWaitList(call->queue, 0, NULL, NULL);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    return clp_fail_cl(code, "%s: clearing the state failed", plan->kind->name);
}

clprims_status clp_plan_clear_and_enqueue(const clp_plan *plan, const clp_call *call, cl_mem words,
                                          const clp_step *steps, size_t count) {
    if (words == NULL) return clp_plan_enqueue_steps(plan, call, steps, count);
    clprims_status status = clear(plan, call, words);
    if (status == CLPRIMS_OK) status = clp_plan_enqueue_steps(plan, call, steps, count);
    if (status != CLPRIMS_OK) clp_steps_abandon(call->queue, NULL, call->num_wait, call->wait);
    return status;
}

clprims_status clp_plan_warm_up(const clp_plan *plan, const clp_step *steps, size_t count) {
    return clp_steps_warm_up(plan->context, plan->kind->name, steps, count);
}

static clprims_status finish(const clp_plan *plan, clp_call *run) {
    const clp_plan_kind *kind = plan->kind;
    int64_t report[CLP_MOST_REPORT_BYTES / sizeof(int64_t)];
    assert(kind->report_bytes <= sizeof report);
    if (kind->report_bytes > 0) {
        CLP_TRY(clp_download(plan->context, kind->name, plan->report, report, kind->report_bytes));
    }
    return kind->finish == NULL ? CLPRIMS_OK : kind->finish(plan, run, report);
}

/* Leaves the buffers to the caller. */
static clprims_status run_on(clp_plan *plan, clp_call *call, size_t count) {
    const clp_plan_kind *kind = plan->kind;
    CLP_TRY(clp_arrays_upload(plan->context, kind->name, call->rows, count));
    CLP_TRY(clp_arrays_check(plan->context, kind->name, call->rows, count));
    CLP_TRY(submit(plan, call));
    CLP_TRY(finish(plan, call));
    return clp_arrays_download(plan->context, kind->name, call->rows, count);
}

clprims_status clp_plan_run(clp_plan *plan, clp_call *run) {
    clp_run_array rows[CLP_MOST_ARRAYS];
    run->rows = rows;
    run->queue = plan->context->queue;
    CLP_TRY(clp_check_device(plan->context, plan->kind->name));
    CLP_TRY(plan->kind->check_sizes(plan, run));
    CLP_TRY(clp_parameters_check(&plan->parameters, plan->kind->name));
    const size_t count = plan->kind->list_arrays(plan, run, rows);
    CLP_TRY(clp_plain_check(plan->kind->name, rows, count));
    const clprims_status status = run_on(plan, run, count);
    clp_arrays_release(rows, count);
    return status;
}
