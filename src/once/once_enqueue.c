/* SPDX-License-Identifier: MIT */
/* One-shot calls on device buffers: checks, a plan of the queue's, its run. */
#include <clprims/once.h>

#include "core/check.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/status.h"
#include "once/once_plans.h"

/* What a call is given besides its buffers. */
typedef struct call {
    const char *who;
    clprims_context *context;
    cl_command_queue queue;
    clprims_type type;
    size_t n;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} call;

static clprims_status check(call *c) {
    CLP_TRY(clp_once_check(c->who, c->context, c->type));
    if (c->queue == NULL) c->queue = c->context->queue;
    return clp_check_submission(c->context, c->who, c->queue, c->num_wait, c->wait);
}

static clprims_status take(const call *c, clp_once_call which, clp_once_plan **plan) {
    return clp_once_take(c->context, c->queue, which, c->type, c->n, plan);
}

static clprims_status reduce(call *c, clp_once_call which, clprims_buffer in, clprims_buffer out) {
    clp_once_plan *plan = NULL;
    CLP_TRY(check(c));
    if (which != CLP_ONCE_SUM) CLP_TRY(clp_once_check_not_empty(c->who, c->n));
    CLP_TRY(take(c, which, &plan));
    const clprims_status status = clprims_reduce_enqueue(
        plan->reduce, c->queue, &(clprims_reduce_buffers){.in = in, .out = out}, c->n, c->num_wait,
        c->wait, c->event);
    return clp_once_finish(c->context, plan, status);
}

static clprims_status scan(call *c, clp_once_call which, clprims_buffer in, clprims_buffer out) {
    clp_once_plan *plan = NULL;
    CLP_TRY(check(c));
    CLP_TRY(take(c, which, &plan));
    const clprims_status status =
        clprims_scan_enqueue(plan->scan, c->queue, &(clprims_scan_buffers){.in = in, .out = out},
                             c->n, c->num_wait, c->wait, c->event);
    return clp_once_finish(c->context, plan, status);
}

static clprims_status sort(call *c, clp_once_call which, const clprims_sort_buffers *buffers) {
    clp_once_plan *plan = NULL;
    CLP_TRY(check(c));
    CLP_TRY(take(c, which, &plan));
    const clprims_status status =
        clprims_sort_enqueue(plan->sort, c->queue, buffers, c->n, c->num_wait, c->wait, c->event);
    return clp_once_finish(c->context, plan, status);
}

clprims_status clprims_sum_enqueue(clprims_context *context, cl_command_queue queue,
                                   clprims_type type, clprims_buffer in, size_t n,
                                   clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event) {
    call c = {"sum_enqueue", context, queue, type, n, num_wait, wait, event};
    return reduce(&c, CLP_ONCE_SUM, in, out);
}

clprims_status clprims_min_enqueue(clprims_context *context, cl_command_queue queue,
                                   clprims_type type, clprims_buffer in, size_t n,
                                   clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event) {
    call c = {"min_enqueue", context, queue, type, n, num_wait, wait, event};
    return reduce(&c, CLP_ONCE_MIN, in, out);
}

clprims_status clprims_max_enqueue(clprims_context *context, cl_command_queue queue,
                                   clprims_type type, clprims_buffer in, size_t n,
                                   clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event) {
    call c = {"max_enqueue", context, queue, type, n, num_wait, wait, event};
    return reduce(&c, CLP_ONCE_MAX, in, out);
}

clprims_status clprims_argmin_enqueue(clprims_context *context, cl_command_queue queue,
                                      clprims_type type, clprims_buffer in, size_t n,
                                      clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    call c = {"argmin_enqueue", context, queue, type, n, num_wait, wait, event};
    return reduce(&c, CLP_ONCE_ARGMIN, in, out);
}

clprims_status clprims_argmax_enqueue(clprims_context *context, cl_command_queue queue,
                                      clprims_type type, clprims_buffer in, size_t n,
                                      clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    call c = {"argmax_enqueue", context, queue, type, n, num_wait, wait, event};
    return reduce(&c, CLP_ONCE_ARGMAX, in, out);
}

clprims_status clprims_cumsum_enqueue(clprims_context *context, cl_command_queue queue,
                                      clprims_type type, clprims_buffer in, size_t n,
                                      clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    call c = {"cumsum_enqueue", context, queue, type, n, num_wait, wait, event};
    return scan(&c, CLP_ONCE_CUMSUM, in, out);
}

clprims_status clprims_exclusive_cumsum_enqueue(clprims_context *context, cl_command_queue queue,
                                                clprims_type type, clprims_buffer in, size_t n,
                                                clprims_buffer out, cl_uint num_wait,
                                                const cl_event *wait, cl_event *event) {
    call c = {"exclusive_cumsum_enqueue", context, queue, type, n, num_wait, wait, event};
    return scan(&c, CLP_ONCE_EXCLUSIVE_CUMSUM, in, out);
}

clprims_status clprims_sort_in_place_enqueue(clprims_context *context, cl_command_queue queue,
                                             clprims_type type, clprims_buffer array, size_t n,
                                             cl_uint num_wait, const cl_event *wait,
                                             cl_event *event) {
    call c = {"sort_in_place_enqueue", context, queue, type, n, num_wait, wait, event};
    return sort(&c, CLP_ONCE_SORT_IN_PLACE,
                &(clprims_sort_buffers){.keys_in = array, .keys_out = array});
}

clprims_status clprims_argsort_enqueue(clprims_context *context, cl_command_queue queue,
                                       clprims_type type, clprims_buffer in, size_t n,
                                       clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                       cl_event *event) {
    call c = {"argsort_enqueue", context, queue, type, n, num_wait, wait, event};
    return sort(&c, CLP_ONCE_ARGSORT, &(clprims_sort_buffers){.keys_in = in, .indices = out});
}

clprims_status clprims_nonzero_enqueue(clprims_context *context, cl_command_queue queue,
                                       clprims_type type, clprims_buffer in, size_t n,
                                       clprims_buffer out, clprims_buffer count, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event) {
    call c = {"nonzero_enqueue", context, queue, type, n, num_wait, wait, event};
    clp_once_plan *plan = NULL;
    CLP_TRY(check(&c));
    CLP_TRY(take(&c, CLP_ONCE_NONZERO, &plan));
    const clprims_status status = clprims_select_enqueue(
        plan->select, c.queue,
        &(clprims_select_buffers){.in = {in}, .indices = out, .count = count}, n, num_wait, wait,
        event);
    return clp_once_finish(context, plan, status);
}
