/* SPDX-License-Identifier: MIT */
/* Plans of one-shot calls: made when first needed, kept by the context, the oldest dropped. One
 * that is dropped may be in flight: its run ends all the same. */
#include "once/once_plans.h"
#include <clprims/once.h>

#include "core/check.h"
#include "core/context.h"
#include "core/status.h"
#include "core/type.h"

#include <stdbool.h>
#include <stdlib.h>

/* ---- What all calls refuse ------------------------------------------------------------------- */

clprims_status clp_once_check(const char *who, const clprims_context *context, clprims_type type) {
    CLP_TRY(clp_begin(who, "context", context));
    if (clprims_type_bytes(type) > 0) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: type = %d; give an integer type, CLPRIMS_F32 or CLPRIMS_F64", who,
                    (int)type);
}

clprims_status clp_once_check_n(const char *who, clp_once_call call, size_t n) {
    if (n > 0 || call < CLP_ONCE_MIN || call > CLP_ONCE_ARGMAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_DATA, "%s: n = 0; the result needs elements", who);
}

/* ---- Making ---------------------------------------------------------------------------------- */

clprims_type clp_once_sum_type(clprims_type type) {
    if (clp_type_is_float(type)) return type;
    return type >= CLPRIMS_U8 ? CLPRIMS_U64 : CLPRIMS_I64;
}

size_t clp_once_capacity(size_t n, size_t element_bytes, size_t max_alloc_bytes) {
    const size_t most = max_alloc_bytes / element_bytes;
    size_t capacity = CLP_ONCE_LEAST_CAPACITY;
    while (capacity < n && capacity <= most / 2) capacity *= 2;
    if (capacity < n || capacity > most) capacity = most;
    return capacity < n ? n : capacity;
}

/* Of the largest array that the call has on the device. */
static size_t widest_element(clp_once_call call, clprims_type type) {
    if (call >= CLP_ONCE_ARGSORT) return sizeof(int64_t);
    const bool scans = call == CLP_ONCE_CUMSUM || call == CLP_ONCE_EXCLUSIVE_CUMSUM;
    return clprims_type_bytes(scans ? clp_once_sum_type(type) : type);
}

static clprims_status make_reduce(clp_once_plan *plan, clprims_context *context, clprims_op op) {
    clprims_reduce_desc desc = {0};
    desc.type = plan->type;
    desc.op = op;
    desc.max_n = plan->max_n;
    if (op == CLPRIMS_ADD) desc.accumulator = clp_once_sum_type(plan->type);
    return clprims_reduce_create(&plan->reduce, context, &desc);
}

static clprims_status make_scan(clp_once_plan *plan, clprims_context *context, int inclusive) {
    clprims_scan_desc desc = {0};
    desc.type = plan->type;
    desc.accumulator = clp_once_sum_type(plan->type);
    desc.inclusive = inclusive;
    desc.max_n = plan->max_n;
    return clprims_scan_create(&plan->scan, context, &desc);
}

static clprims_status make_sort(clp_once_plan *plan, clprims_context *context, int indices) {
    clprims_sort_desc desc = {0};
    desc.type = plan->type;
    desc.no_keys = indices;
    if (indices) desc.indices = CLPRIMS_I64;
    desc.max_n = plan->max_n;
    return clprims_sort_create(&plan->sort, context, &desc);
}

static clprims_status make_select(clp_once_plan *plan, clprims_context *context) {
    clprims_select_desc desc = {0};
    desc.by = CLPRIMS_SELECT_NONZERO;
    desc.arrays = 1;
    desc.type[0] = plan->type;
    desc.no_values = 1;
    desc.indices = CLPRIMS_I64;
    desc.max_n = plan->max_n;
    return clprims_select_create(&plan->select, context, &desc);
}

static clprims_status make(clp_once_plan *plan, clprims_context *context) {
    static const clprims_op ops[] = {[CLP_ONCE_SUM] = CLPRIMS_ADD,
                                     [CLP_ONCE_MIN] = CLPRIMS_MIN,
                                     [CLP_ONCE_MAX] = CLPRIMS_MAX,
                                     [CLP_ONCE_ARGMIN] = CLPRIMS_ARGMIN,
                                     [CLP_ONCE_ARGMAX] = CLPRIMS_ARGMAX};
    const clp_once_call call = plan->call;
    if (call == CLP_ONCE_NONZERO) return make_select(plan, context);
    if (call >= CLP_ONCE_SORT_IN_PLACE) return make_sort(plan, context, call == CLP_ONCE_ARGSORT);
    if (call >= CLP_ONCE_CUMSUM) return make_scan(plan, context, call == CLP_ONCE_CUMSUM);
    return make_reduce(plan, context, ops[call]);
}

void clp_once_destroy(clp_once_plan *plan) {
    clprims_reduce_destroy(plan->reduce);
    clprims_scan_destroy(plan->scan);
    clprims_sort_destroy(plan->sort);
    clprims_select_destroy(plan->select);
    if (plan->queue != NULL) clReleaseCommandQueue(plan->queue);
    free(plan);
}

/* ---- Keeping --------------------------------------------------------------------------------- */

static void destroy_all(void *first) {
    for (clp_once_plan *plan = first; plan != NULL;) {
        clp_once_plan *next = plan->next;
        clp_once_destroy(plan);
        plan = next;
    }
}

/* Takes the context's whole list. */
static clp_once_plan *detach_all(clprims_context *context) {
    clp_lock_take(&context->lock);
    clp_once_plan *first = context->kept.first;
    context->kept.first = NULL;
    clp_lock_give(&context->lock);
    return first;
}

static bool is_alike(const clp_once_plan *a, const clp_once_plan *b) {
    return a->queue == b->queue && a->call == b->call && a->type == b->type && a->max_n == b->max_n;
}

/* The kept plan that is like `wanted`, taken out of the list; NULL: there is none. */
static clp_once_plan *detach(clprims_context *context, const clp_once_plan *wanted) {
    clp_once_plan *before = NULL;
    clp_lock_take(&context->lock);
    clp_once_plan *plan = context->kept.first;
    while (plan != NULL && !is_alike(plan, wanted)) {
        before = plan;
        plan = plan->next;
    }
    if (plan != NULL && before != NULL) before->next = plan->next;
    if (plan != NULL && before == NULL) context->kept.first = plan->next;
    clp_lock_give(&context->lock);
    return plan;
}

static clprims_status make_for_queue(clp_once_plan *plan, clprims_context *context,
                                     cl_command_queue queue) {
    const cl_int code = clRetainCommandQueue(queue);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "once: clRetainCommandQueue");
    plan->queue = queue;
    return make(plan, context);
}

clprims_status clp_once_take(clprims_context *context, cl_command_queue queue, clp_once_call call,
                             clprims_type type, size_t n, clp_once_plan **out) {
    const clp_once_plan wanted = {
        .queue = queue,
        .call = call,
        .type = type,
        .max_n = clp_once_capacity(n, widest_element(call, type),
                                   (size_t)context->device.info.max_alloc_bytes)};
    clp_once_plan *plan = detach(context, &wanted);
    if (plan == NULL) {
        plan = calloc(1, sizeof *plan);
        CLP_FAIL_IF(plan == NULL, CLPRIMS_ERR_HOST_MEMORY, "once: no host memory for a plan");
        *plan = wanted;
        plan->queue = NULL;
        const clprims_status status = make_for_queue(plan, context, queue);
        if (status != CLPRIMS_OK) {
            clp_once_destroy(plan);
            return status;
        }
    }
    *out = plan;
    return CLPRIMS_OK;
}

/* Takes the plan that goes out of a list to which `first` came; NULL: all stay. */
static clp_once_plan *cut(clp_once_plan *first) {
    clp_once_plan *before_last = NULL, *before_own = NULL;
    size_t all = 1, own = 1;
    for (clp_once_plan *plan = first; plan->next != NULL; plan = plan->next) {
        before_last = plan;
        all++;
        if (plan->next->queue != first->queue) continue;
        before_own = plan;
        own++;
    }
    if (own <= CLP_ONCE_PLANS && all <= CLP_ONCE_ALL_PLANS) return NULL;
    clp_once_plan *before = own > CLP_ONCE_PLANS ? before_own : before_last;
    clp_once_plan *gone = before->next;
    before->next = gone->next;
    return gone;
}

void clp_once_keep(clprims_context *context, clp_once_plan *plan) {
    clp_lock_take(&context->lock);
    plan->next = context->kept.first;
    context->kept.first = plan;
    context->kept.destroy = destroy_all;
    clp_once_plan *gone = cut(plan);
    clp_lock_give(&context->lock);
    if (gone != NULL) clp_once_destroy(gone);
}

clprims_status clp_once_finish(clprims_context *context, clp_once_plan *plan,
                               clprims_status status) {
    if (status == CLPRIMS_OK) {
        clp_once_keep(context, plan);
    } else {
        clp_once_destroy(plan);
    }
    return status;
}

void clprims_forget_plans(clprims_context *context) {
    if (context != NULL) destroy_all(detach_all(context));
}
