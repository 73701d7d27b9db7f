/* SPDX-License-Identifier: MIT */
/* Elements of a host's matrices beyond the limits. */
#include "minplus/minplus_plan.h"

static int64_t value_of(clprims_type type, const void *values, size_t i) {
    return type == CLPRIMS_I64 ? ((const int64_t *)values)[i] : ((const int32_t *)values)[i];
}

clprims_status clp_minplus_check_values(const clp_minplus_spec *spec, const clp_minplus_operand *x,
                                        const void *values, size_t batch, bool sums) {
    const size_t columns = x->columns, cells = x->rows * columns;
    int64_t no_edge;
    memcpy(&no_edge, &spec->no_edge, sizeof no_edge);
    if (values == NULL || !clp_minplus_is_limited(spec->type, spec->semiring)) return CLPRIMS_OK;
    clp_minplus_limits limits = clp_minplus_limits_of(spec->type, spec->semiring, no_edge);
    if (sums) limits = clp_minplus_limits_of_sums(spec->semiring, limits);
    for (size_t i = 0; i < cells * batch; i++) {
        const int64_t value = value_of(spec->type, values, i);
        if (clp_minplus_is_within(&limits, value)) continue;
        return clp_fail(CLPRIMS_ERR_DATA,
                        "%s: %s(%zu, %zu) of matrix %zu is %lld; lengths are from %lld to %lld, "
                        "and no edge is %lld",
                        spec->who, x->name, i % cells / columns, i % columns, i / cells,
                        (long long)value, (long long)limits.least, (long long)limits.most,
                        (long long)no_edge);
    }
    return CLPRIMS_OK;
}
