/* SPDX-License-Identifier: MIT */
/* Limits of integers, within which all sums of two elements are exact; see
 * cl/minplus/minplus_values.cl. */
#include "core/type.h"
#include "minplus/minplus_plan.h"

#include <string.h>

clp_minplus_limits clp_minplus_limits_of(clprims_type type, clprims_semiring semiring,
                                         int64_t no_edge) {
    const bool wide = type == CLPRIMS_I64;
    const int64_t most = wide ? INT64_MAX : INT32_MAX, least = -most - 1;
    switch (semiring) {
    case CLPRIMS_MIN_PLUS:
        return (clp_minplus_limits){least / 4, (no_edge - 1) / 2, no_edge};
    case CLPRIMS_MAX_PLUS:
        return (clp_minplus_limits){(no_edge + 1) / 2, most / 4, no_edge};
    default:
        return (clp_minplus_limits){least, no_edge - 1, no_edge};
    }
}

/* The limits of C, which is compared with sums. */
static clp_minplus_limits limits_of_sums(clprims_semiring semiring, clp_minplus_limits limits) {
    if (semiring == CLPRIMS_MIN_PLUS) {
        return (clp_minplus_limits){2 * limits.least, limits.no_edge - 1, limits.no_edge};
    }
    if (semiring == CLPRIMS_MAX_PLUS) {
        return (clp_minplus_limits){limits.no_edge + 1, 2 * limits.most, limits.no_edge};
    }
    return limits;
}

static int64_t value_of(clprims_type type, const void *values, size_t i) {
    return type == CLPRIMS_I64 ? ((const int64_t *)values)[i] : ((const int32_t *)values)[i];
}

clprims_status clp_minplus_check_values(const clp_minplus_spec *spec, const char *name,
                                        const void *values, size_t rows, size_t columns,
                                        size_t batch, bool sums) {
    int64_t no_edge;
    memcpy(&no_edge, &spec->no_edge, sizeof no_edge);
    if (spec->semiring > CLPRIMS_MIN_MAX || clp_type_is_float(spec->type)) return CLPRIMS_OK;
    clp_minplus_limits limits = clp_minplus_limits_of(spec->type, spec->semiring, no_edge);
    if (sums) limits = limits_of_sums(spec->semiring, limits);
    for (size_t i = 0; i < rows * columns * batch; i++) {
        const int64_t value = value_of(spec->type, values, i);
        if ((value >= limits.least && value <= limits.most) || value == no_edge) continue;
        const size_t cell = i % (rows * columns);
        return clp_fail(CLPRIMS_ERR_DATA,
                        "%s: %s(%zu, %zu) of matrix %zu is %lld; lengths are from %lld to %lld, "
                        "and no edge is %lld",
                        spec->who, name, cell / columns, cell % columns, i / (rows * columns),
                        (long long)value, (long long)limits.least, (long long)limits.most,
                        (long long)no_edge);
    }
    return CLPRIMS_OK;
}
