/* SPDX-License-Identifier: MIT */
/* What merge and search refuse alike: descriptions, numbers of elements, reports. */
#include "core/context.h"
#include "core/status.h"
#include "merge/merge_plan.h"

#include <inttypes.h>

/* Positions and sums of both numbers fit 64 bits, in bytes, too. */
static const size_t most_elements = SIZE_MAX / 1024;

static clprims_status check_struct(const clp_merge_spec *spec) {
    CLP_FAIL_IF(spec->less == NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: CLPRIMS_STRUCT needs desc.less; structs have no order", spec->who);
    return clp_check_struct(spec->who, spec->custom);
}

static clprims_status check_type(const clprims_context *context, clp_merge_spec *spec) {
    if (spec->type == CLPRIMS_STRUCT) {
        spec->type_bytes = spec->custom->type_bytes;
        return check_struct(spec);
    }
    spec->type_bytes = clprims_type_bytes(spec->type);
    CLP_TRY(clp_check_type(spec->who, "type", spec->type));
    return clp_check_float64(context, spec->who, spec->type, spec->type);
}

clprims_status clp_merge_spec_check(const clprims_context *context, clp_merge_spec *spec) {
    const bool fits = spec->max_a <= most_elements;
    CLP_TRY(check_type(context, spec));
    CLP_FAIL_IF(spec->max_a == 0 && spec->max_b == 0, CLPRIMS_ERR_ARGUMENT,
                "%s: max_n = 0 and max_%s = 0; set the largest that the plan will be given",
                spec->who, spec->second);
    if (fits && spec->max_b <= most_elements) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: max_%s = %zu exceeds %zu, the most of all",
                    spec->who, fits ? spec->second : "n", fits ? spec->max_b : spec->max_a,
                    most_elements);
}

clprims_status clp_merge_check_numbers(const clp_merge_plan *plan, const char *who, size_t n,
                                       size_t n_b) {
    const clp_merge_spec *spec = &plan->spec;
    CLP_TRY(clp_check_n(who, n, spec->max_a));
    if (n_b <= spec->max_b) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: %s = %zu exceeds max_%s = %zu given to create; create a larger plan", who,
                    spec->second, n_b, spec->second, spec->max_b);
}

clprims_status clp_merge_check_sizes(const clp_plan *plan, const clp_call *call) {
    const clp_merge_run *run = (const clp_merge_run *)call;
    return clp_merge_check_numbers((const clp_merge_plan *)plan, plan->kind->name, run->n,
                                   run->buffers.sizes.n_b);
}

clprims_status clp_merge_check_report(const char *who, int64_t fault, int64_t n, const char *second,
                                      int64_t n_b) {
    if (fault != CLPRIMS_MERGE_COUNT_B) return clp_check_count_report(who, fault, n);
    return clp_fail_count(who, second, n_b);
}
