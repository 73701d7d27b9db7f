/* SPDX-License-Identifier: MIT */
/*
 * The runs of a plan share its scratch, so each waits for the one before it. An in-order queue sees
 * to that itself, which costs nothing. Elsewhere the run waits for an event: of the last run, where
 * its queue is out of order; of a marker behind it, where the last run went to another, in-order
 * queue. A last run that ended or was dropped is not waited for.
 */
#include "core/status.h"
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

static clprims_status fail(const clp_plan *plan, const char *call, cl_int code) {
    return clp_fail_cl(code, "%s: %s", plan->kind->name, call);
}

/* Whether the event's command is still to end. */
static bool is_pending(cl_event event) {
    cl_int state = CL_COMPLETE;
    const cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return code == CL_SUCCESS && state > CL_COMPLETE;
}

/* Finds what the run must wait for; NULL: nothing. */
static clprims_status find_behind(const clp_plan *plan, const clp_call *run, clp_order *order) {
    if (plan->last_run != NULL) {
        if (!is_pending(plan->last_run)) return CLPRIMS_OK;
        const cl_int code = clRetainEvent(plan->last_run);
        if (code != CL_SUCCESS) return fail(plan, "clRetainEvent", code);
        order->behind = plan->last_run;
    } else if (plan->last_queue != NULL && plan->last_queue != run->queue) {
        const cl_int code = clEnqueueMarkerWithWaitList(plan->last_queue, 0, NULL, &order->behind);
        if (code != CL_SUCCESS) return fail(plan, "clEnqueueMarkerWithWaitList", code);
    }
    if (order->behind == NULL || plan->last_queue == run->queue) return CLPRIMS_OK;
    /* No queue waits for a command that another one has not been handed. */
    const cl_int code = clFlush(plan->last_queue);
    return code == CL_SUCCESS ? CLPRIMS_OK : fail(plan, "clFlush", code);
}

static clprims_status add_behind(const clp_plan *plan, clp_call *run, clp_order *order) {
    order->wait = malloc((run->num_wait + 1) * sizeof *order->wait);
    CLP_FAIL_IF(order->wait == NULL, CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for %u events",
                plan->kind->name, run->num_wait + 1);
    if (run->num_wait > 0) memcpy(order->wait, run->wait, run->num_wait * sizeof *order->wait);
    order->wait[run->num_wait++] = order->behind;
    run->wait = order->wait;
    return CLPRIMS_OK;
}

static void release(clp_order *order) {
    if (order->behind != NULL) clReleaseEvent(order->behind);
    if (order->own != NULL) clReleaseEvent(order->own);
    if (order->holds_queue) clReleaseCommandQueue(order->queue);
    free(order->wait);
}

/* The caller's queue may be gone before the next run asks for it; the context's stays. */
static clprims_status hold_queue(const clp_plan *plan, const clp_call *run, clp_order *order) {
    order->queue = run->queue;
    if (run->queue == plan->last_queue || run->queue == plan->context->queue) return CLPRIMS_OK;
    const cl_int code = clRetainCommandQueue(run->queue);
    if (code != CL_SUCCESS) return fail(plan, "clRetainCommandQueue", code);
    order->holds_queue = true;
    return CLPRIMS_OK;
}

clprims_status clp_plan_begin_run(const clp_plan *plan, clp_call *run, clp_order *order) {
    *order = (clp_order){.in_order = false};
    CLP_TRY(clp_queue_is_in_order(run->queue, plan->kind->name, &order->in_order));
    clprims_status status = hold_queue(plan, run, order);
    if (status == CLPRIMS_OK) status = find_behind(plan, run, order);
    if (status == CLPRIMS_OK && order->behind != NULL) status = add_behind(plan, run, order);
    if (status != CLPRIMS_OK) release(order);
    if (!order->in_order && run->event == NULL) run->event = &order->own;
    return status;
}

/* The next run waits for the event, or for nothing if the event can't be kept until then. */
static void keep_event(clp_plan *plan, cl_event event) {
    plan->last_run = event;
    if (clRetainEvent(event) == CL_SUCCESS) return;
    clWaitForEvents(1, &event);
    plan->last_run = NULL;
}

void clp_plan_end_run(clp_plan *plan, const clp_call *run, clp_order *order, bool submitted) {
    if (submitted) {
        if (run->queue != plan->last_queue) {
            const bool held = plan->holds_queue;
            order->queue = plan->last_queue; /* to be released */
            plan->last_queue = run->queue;
            plan->holds_queue = order->holds_queue;
            order->holds_queue = held;
        }
        if (plan->last_run != NULL) clReleaseEvent(plan->last_run);
        plan->last_run = NULL;
        if (!order->in_order) keep_event(plan, *run->event);
    }
    release(order);
}
