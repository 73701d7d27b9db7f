/* SPDX-License-Identifier: MIT */
/* One-shot calls on plain arrays: checks, a plan of the context's, its run. */
#include <clprims/once.h>

#include "core/check.h"
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
    CLP_FAIL_IF(given->in == NULL && given->n > 0, CLPRIMS_ERR_ARGUMENT,
                "%s: the array is NULL, with n = %zu", given->who, given->n);
    CLP_FAIL_IF(out == NULL && (has_result || given->n > 0), CLPRIMS_ERR_ARGUMENT,
                "%s: out is NULL, with n = %zu", given->who, given->n);
    return CLPRIMS_OK;
}

#define RUN(primitive) clprims_##primitive##_run(plan->primitive, &primitive, given->n)

/* The context's queue has the plans of calls on plain arrays. count: of NONZERO. */
static clprims_status run(const input *given, clp_once_call which, void *out, size_t *count) {
    const clprims_scan_arrays scan = {.in = given->in, .out = out};
    const clprims_reduce_arrays reduce = {.in = given->in, .out = out};
    const clprims_select_arrays select = {.in = {given->in}, .indices = out, .count = count};
    clprims_sort_arrays sort = {.keys_in = given->in};
    clp_once_plan *plan = NULL;
    *(which == CLP_ONCE_ARGSORT ? &sort.indices : &sort.keys_out) = out;
    CLP_TRY(check(given, out, which < CLP_ONCE_CUMSUM));
    CLP_TRY(clp_once_check_n(given->who, which, given->n));
    if (given->n == 0) return CLPRIMS_OK;
    CLP_TRY(
        clp_once_take(given->context, given->context->queue, which, given->type, given->n, &plan));
    return clp_once_finish(given->context, plan,
                           which == CLP_ONCE_NONZERO         ? RUN(select)
                           : which >= CLP_ONCE_SORT_IN_PLACE ? RUN(sort)
                           : which >= CLP_ONCE_CUMSUM        ? RUN(scan)
                                                             : RUN(reduce));
}

/* Defines clprims_NAME, from an array to `result`. (A macro, as these calls differ in their name
 * and the result's type alone.) */
#define CALL(name, which, result)                                                                  \
    clprims_status clprims_##name(clprims_context *context, clprims_type type, const void *in,     \
                                  size_t n, result *out) {                                         \
        const input given = {#name, context, type, in, n};                                         \
        return run(&given, which, out, NULL);                                                      \
    }

/* ---- One value ------------------------------------------------------------------------------- */

clprims_status clprims_sum(clprims_context *context, clprims_type type, const void *in, size_t n,
                           void *out) {
    const input given = {"sum", context, type, in, n};
    CLP_TRY(run(&given, CLP_ONCE_SUM, out, NULL));
    if (n == 0) memset(out, 0, clprims_type_bytes(clp_once_sum_type(type)));
    return CLPRIMS_OK;
}

CALL(min, CLP_ONCE_MIN, void)
CALL(max, CLP_ONCE_MAX, void)
CALL(argmin, CLP_ONCE_ARGMIN, int64_t)
CALL(argmax, CLP_ONCE_ARGMAX, int64_t)

/* ---- n values -------------------------------------------------------------------------------- */

CALL(cumsum, CLP_ONCE_CUMSUM, void)
CALL(exclusive_cumsum, CLP_ONCE_EXCLUSIVE_CUMSUM, void)
CALL(argsort, CLP_ONCE_ARGSORT, int64_t)

clprims_status clprims_sort_in_place(clprims_context *context, clprims_type type, void *array,
                                     size_t n) {
    const input given = {"sort_in_place", context, type, array, n};
    return run(&given, CLP_ONCE_SORT_IN_PLACE, array, NULL);
}

clprims_status clprims_nonzero(clprims_context *context, clprims_type type, const void *in,
                               size_t n, int64_t *out, size_t *count) {
    const input given = {"nonzero", context, type, in, n};
    size_t found = 0;
    CLP_TRY(clp_begin("nonzero", "count", count));
    *count = 0;
    CLP_TRY(run(&given, CLP_ONCE_NONZERO, out, &found));
    *count = found;
    return CLPRIMS_OK;
}
