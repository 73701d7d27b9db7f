/* SPDX-License-Identifier: MIT */
/* What descriptions of merge and search are refused for alike. */
#include "core/context.h"
#include "core/status.h"
#include "merge/merge_plan.h"

enum { LARGEST_ELEMENT = 256 };
/* Positions and sums of both numbers fit 64 bits, in bytes, too. */
static const size_t most_elements = SIZE_MAX / 1024;

static clprims_status check_struct(const clp_merge_spec *spec) {
    if (spec->less == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: CLPRIMS_STRUCT needs desc.less; structs have no order", spec->who);
    }
    return clp_check_struct(spec->who, spec->custom, LARGEST_ELEMENT);
}

static clprims_status check_type(const clprims_context *context, clp_merge_spec *spec) {
    if (spec->type == CLPRIMS_STRUCT) {
        spec->type_bytes = spec->custom->type_bytes;
        return check_struct(spec);
    }
    spec->type_bytes = clprims_type_bytes(spec->type);
    if (spec->type_bytes == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: type = %d is not a value of clprims_type",
                        spec->who, (int)spec->type);
    }
    return clp_check_float64(context, spec->who, spec->type, spec->type);
}

clprims_status clp_merge_spec_check(const clprims_context *context, clp_merge_spec *spec,
                                    const char *const names[2]) {
    const size_t most[2] = {spec->max_a, spec->max_b};
    CLP_TRY(check_type(context, spec));
    if (most[0] == 0 && most[1] == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s = 0 and %s = 0; set the largest that the plan will be given",
                        spec->who, names[0], names[1]);
    }
    for (size_t k = 0; k < 2; k++) {
        if (most[k] <= most_elements) continue;
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: %s = %zu exceeds %zu, the most of all",
                        spec->who, names[k], most[k], most_elements);
    }
    return CLPRIMS_OK;
}
