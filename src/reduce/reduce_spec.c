/* SPDX-License-Identifier: MIT */
/* Checks a description and fills in defaults. */
#include "core/check.h"
#include "core/type.h"
#include "reduce/reduce_plan.h"

#include <string.h>

/* What n = 0 gives where there is no initial value. */
static bool take_identity(const clp_operation *what, void *start) {
    if (what->op != CLPRIMS_CUSTOM) {
        clp_op_identity(what->op, what->accumulator, start);
        return true;
    }
    if (what->custom.identity == NULL) return false;
    memcpy(start, what->custom.identity, what->accumulator_bytes);
    return true;
}

/* Whether another order of the operands could change the result's bits. MIN and MAX of floats keep
 * the first of 0.0 and -0.0. */
static bool order_shows(const clp_operation *what) {
    return clp_operation_rounds(what) || clp_type_is_float(what->accumulator);
}

clprims_status clp_reduce_spec_fill(const clprims_context *context, const clprims_reduce_desc *desc,
                                    clp_reduce_spec *spec, void *start) {
    CLP_TRY(clp_check_max_n("reduce", desc->max_n, SIZE_MAX / 16));
    *spec = (clp_reduce_spec){.what = {CLP_OPERATION_OF(desc), .takes_arg = true,

                                       .inclusive = true},
                              .max_n = desc->max_n};
    clp_operation *what = &spec->what;
    CLP_TRY(clp_operation_fill(context, "reduce", desc->init, what, start));
    const bool is_arg = what->is_arg;
    spec->commutes = what->op != CLPRIMS_CUSTOM || what->custom.commutative;
    spec->exact = is_arg || desc->fast_floats || !order_shows(what);
    spec->value_bytes = is_arg ? 2 * sizeof(cl_ulong) : what->working_bytes;
    spec->result_bytes = is_arg ? sizeof(cl_long) : what->accumulator_bytes;
    if (is_arg && desc->init != NULL) {
        memcpy(start, desc->init, sizeof(cl_long));
    } else if (is_arg || (desc->init == NULL && !take_identity(what, start))) {
        spec->is_empty_fault = true;
    }
    return CLPRIMS_OK;
}
