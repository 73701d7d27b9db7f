/* SPDX-License-Identifier: MIT */
/* One-shot calls on device buffers: checks, a plan of the queue's, its run. */
#include <clprims/once.h>

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

static const clprims_buffer none;

#define ENQUEUE(primitive)                                                                         \
    clprims_##primitive##_enqueue(plan->primitive, c->queue, &primitive, c->n, c->num_wait,        \
                                  c->wait, c->event)

/* A run of the call's plan. at: in, out, and of NONZERO the count. */
static clprims_status enqueue(const call *c, const clp_once_plan *plan, clp_once_call which,
                              const clprims_buffer *at) {
    const clprims_scan_buffers scan = {.in = at[0], .out = at[1]};
    const clprims_reduce_buffers reduce = {.in = at[0], .out = at[1]};
    const clprims_select_buffers select = {.in = {at[0]}, .indices = at[1], .count = at[2]};
    clprims_sort_buffers sort = {.keys_in = at[0]};
    *(which == CLP_ONCE_ARGSORT ? &sort.indices : &sort.keys_out) = at[1];
    if (which == CLP_ONCE_NONZERO) return ENQUEUE(select);
    if (which >= CLP_ONCE_SORT_IN_PLACE) return ENQUEUE(sort);
    return which >= CLP_ONCE_CUMSUM ? ENQUEUE(scan) : ENQUEUE(reduce);
}

static clprims_status submit(call c, clp_once_call which, clprims_buffer in, clprims_buffer out,
                             clprims_buffer count) {
    const clprims_buffer at[] = {in, out, count};
    clp_once_plan *plan = NULL;
    CLP_TRY(clp_once_check(c.who, c.context, c.type));
    if (c.queue == NULL) c.queue = c.context->queue;
    CLP_TRY(clp_check_submission(c.context, c.who, c.queue, c.num_wait, c.wait));
    CLP_TRY(clp_once_check_n(c.who, which, c.n));
    CLP_TRY(clp_once_take(c.context, c.queue, which, c.type, c.n, &plan));
    return clp_once_finish(c.context, plan, enqueue(&c, plan, which, at));
}

/* Defines clprims_NAME_enqueue, from an array to another. (A macro, as these calls differ in their
 * name alone.) */
#define ENQUEUE_CALL(name, which)                                                                  \
    clprims_status clprims_##name##_enqueue(                                                       \
        clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,    \
        size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event) {   \
        const call c = {#name "_enqueue", context, queue, type, n, num_wait, wait, event};         \
        return submit(c, which, in, out, none);                                                    \
    }
ENQUEUE_CALL(sum, CLP_ONCE_SUM)
ENQUEUE_CALL(min, CLP_ONCE_MIN)
ENQUEUE_CALL(max, CLP_ONCE_MAX)
ENQUEUE_CALL(argmin, CLP_ONCE_ARGMIN)
ENQUEUE_CALL(argmax, CLP_ONCE_ARGMAX)
ENQUEUE_CALL(cumsum, CLP_ONCE_CUMSUM)
ENQUEUE_CALL(exclusive_cumsum, CLP_ONCE_EXCLUSIVE_CUMSUM)
ENQUEUE_CALL(argsort, CLP_ONCE_ARGSORT)

clprims_status clprims_sort_in_place_enqueue(clprims_context *context, cl_command_queue queue,
                                             clprims_type type, clprims_buffer array, size_t n,
                                             cl_uint num_wait, const cl_event *wait,
                                             cl_event *event) {
    const call c = {"sort_in_place_enqueue", context, queue, type, n, num_wait, wait, event};
    return submit(c, CLP_ONCE_SORT_IN_PLACE, array, array, none);
}

clprims_status clprims_nonzero_enqueue(clprims_context *context, cl_command_queue queue,
                                       clprims_type type, clprims_buffer in, size_t n,
                                       clprims_buffer out, clprims_buffer count, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event) {
    const call c = {"nonzero_enqueue", context, queue, type, n, num_wait, wait, event};
    return submit(c, CLP_ONCE_NONZERO, in, out, count);
}
