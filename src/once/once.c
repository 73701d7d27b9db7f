/* SPDX-License-Identifier: MIT */
/* One-shot calls on plain arrays: checks, a plan of the context's, its run. */
#include <clprims/once.h>

#include "core/context.h"
#include "core/status.h"
#include "once/once_plans.h"

#include <stdbool.h>
#include <string.h>

/* What a call is given. */
typedef struct input {
    const char *who;
    clprims_context *context;
    clprims_type type;
    const void *in;
    size_t n;
} input;

/* has_result: the call writes one value, whatever n is. */
static clprims_status check(const input *given, const void *out, bool has_result) {
    CLP_TRY(clp_once_check(given->who, given->context, given->type));
    if (given->in == NULL && given->n > 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: the array is NULL, with n = %zu", given->who,
                        given->n);
    }
    if (out == NULL && (has_result || given->n > 0)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: out is NULL, with n = %zu", given->who,
                        given->n);
    }
    return CLPRIMS_OK;
}

/* The context's queue has the plans of calls on plain arrays. */
static clprims_status take(const input *given, clp_once_call call, clp_once_plan **plan) {
    return clp_once_take(given->context, given->context->queue, call, given->type, given->n, plan);
}

/* ---- One value ------------------------------------------------------------------------------- */

static clprims_status reduce(const input *given, clp_once_call call, void *out) {
    clp_once_plan *plan = NULL;
    CLP_TRY(take(given, call, &plan));
    const clprims_status status = clprims_reduce_run(
        plan->reduce, &(clprims_reduce_arrays){.in = given->in, .out = out}, given->n);
    return clp_once_finish(given->context, plan, status);
}

static clprims_status find(const input *given, clp_once_call call, void *out) {
    CLP_TRY(check(given, out, true));
    CLP_TRY(clp_once_check_not_empty(given->who, given->n));
    return reduce(given, call, out);
}

clprims_status clprims_sum(clprims_context *context, clprims_type type, const void *in, size_t n,
                           void *out) {
    const input given = {"sum", context, type, in, n};
    CLP_TRY(check(&given, out, true));
    if (n > 0) return reduce(&given, CLP_ONCE_SUM, out);
    memset(out, 0, clprims_type_bytes(clp_once_sum_type(type)));
    return CLPRIMS_OK;
}

clprims_status clprims_min(clprims_context *context, clprims_type type, const void *in, size_t n,
                           void *out) {
    const input given = {"min", context, type, in, n};
    return find(&given, CLP_ONCE_MIN, out);
}

clprims_status clprims_max(clprims_context *context, clprims_type type, const void *in, size_t n,
                           void *out) {
    const input given = {"max", context, type, in, n};
    return find(&given, CLP_ONCE_MAX, out);
}

clprims_status clprims_argmin(clprims_context *context, clprims_type type, const void *in, size_t n,
                              int64_t *out) {
    const input given = {"argmin", context, type, in, n};
    return find(&given, CLP_ONCE_ARGMIN, out);
}

clprims_status clprims_argmax(clprims_context *context, clprims_type type, const void *in, size_t n,
                              int64_t *out) {
    const input given = {"argmax", context, type, in, n};
    return find(&given, CLP_ONCE_ARGMAX, out);
}

/* ---- n values -------------------------------------------------------------------------------- */

static clprims_status scan(const input *given, clp_once_call call, void *out) {
    clp_once_plan *plan = NULL;
    CLP_TRY(check(given, out, false));
    if (given->n == 0) return CLPRIMS_OK;
    CLP_TRY(take(given, call, &plan));
    const clprims_status status =
        clprims_scan_run(plan->scan, &(clprims_scan_arrays){.in = given->in, .out = out}, given->n);
    return clp_once_finish(given->context, plan, status);
}

clprims_status clprims_cumsum(clprims_context *context, clprims_type type, const void *in, size_t n,
                              void *out) {
    const input given = {"cumsum", context, type, in, n};
    return scan(&given, CLP_ONCE_CUMSUM, out);
}

clprims_status clprims_exclusive_cumsum(clprims_context *context, clprims_type type, const void *in,
                                        size_t n, void *out) {
    const input given = {"exclusive_cumsum", context, type, in, n};
    return scan(&given, CLP_ONCE_EXCLUSIVE_CUMSUM, out);
}

static clprims_status sort(const input *given, clp_once_call call,
                           const clprims_sort_arrays *arrays) {
    clp_once_plan *plan = NULL;
    if (given->n == 0) return CLPRIMS_OK;
    CLP_TRY(take(given, call, &plan));
    return clp_once_finish(given->context, plan, clprims_sort_run(plan->sort, arrays, given->n));
}

clprims_status clprims_sort_in_place(clprims_context *context, clprims_type type, void *array,
                                     size_t n) {
    const input given = {"sort_in_place", context, type, array, n};
    CLP_TRY(check(&given, array, false));
    return sort(&given, CLP_ONCE_SORT_IN_PLACE,
                &(clprims_sort_arrays){.keys_in = array, .keys_out = array});
}

clprims_status clprims_argsort(clprims_context *context, clprims_type type, const void *in,
                               size_t n, int64_t *out) {
    const input given = {"argsort", context, type, in, n};
    CLP_TRY(check(&given, out, false));
    return sort(&given, CLP_ONCE_ARGSORT, &(clprims_sort_arrays){.keys_in = in, .indices = out});
}

clprims_status clprims_nonzero(clprims_context *context, clprims_type type, const void *in,
                               size_t n, int64_t *out, size_t *count) {
    const input given = {"nonzero", context, type, in, n};
    clprims_select_arrays arrays = {0};
    clp_once_plan *plan = NULL;
    size_t found = 0;
    clp_clear_error();
    if (count == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "nonzero: count is NULL");
    *count = 0;
    CLP_TRY(check(&given, out, false));
    if (n == 0) return CLPRIMS_OK;
    arrays.in[0] = in;
    arrays.indices = out;
    arrays.count = &found;
    CLP_TRY(take(&given, CLP_ONCE_NONZERO, &plan));
    const clprims_status status = clprims_select_run(plan->select, &arrays, n);
    if (status == CLPRIMS_OK) *count = found;
    return clp_once_finish(context, plan, status);
}
