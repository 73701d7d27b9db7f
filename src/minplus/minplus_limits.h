/* SPDX-License-Identifier: MIT */
/* Limits of integers, within which all sums of two elements are exact; see
 * cl/minplus/minplus_values.cl. These functions need public headers alone, so that libclprims-mpi
 * and the command may share them. */
#ifndef CLP_MINPLUS_LIMITS_H
#define CLP_MINPLUS_LIMITS_H

#include <clprims/minplus.h>
#include <stdbool.h>
#include <string.h>

/* All sums of two lengths are exact and differ from "no edge". */
typedef struct clp_minplus_limits {
    int64_t least, most, no_edge;
} clp_minplus_limits;

/* Whether a description's elements have limits. */
static inline bool clp_minplus_is_limited(clprims_type type, clprims_semiring semiring) {
    return semiring <= CLPRIMS_MIN_MAX && (type == CLPRIMS_I32 || type == CLPRIMS_I64);
}

/* "No edge" of a description with limits; given: one element, or NULL for the default. */
static inline int64_t clp_minplus_no_edge(clprims_type type, clprims_semiring semiring,
                                          const void *given) {
    const bool mirrored = semiring == CLPRIMS_MAX_PLUS;
    int64_t wide = mirrored ? INT64_MIN / 2 : INT64_MAX / 2;
    int32_t narrow = mirrored ? INT32_MIN / 2 : INT32_MAX / 2;
    if (given == NULL) return type == CLPRIMS_I64 ? wide : narrow;
    if (type != CLPRIMS_I64) {
        memcpy(&narrow, given, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, given, sizeof wide);
    return wide;
}

static inline clp_minplus_limits clp_minplus_limits_of(clprims_type type, clprims_semiring semiring,
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
static inline clp_minplus_limits clp_minplus_limits_of_sums(clprims_semiring semiring,
                                                            clp_minplus_limits limits) {
    if (semiring == CLPRIMS_MIN_PLUS) {
        return (clp_minplus_limits){2 * limits.least, limits.no_edge - 1, limits.no_edge};
    }
    if (semiring == CLPRIMS_MAX_PLUS) {
        return (clp_minplus_limits){limits.no_edge + 1, 2 * limits.most, limits.no_edge};
    }
    return limits;
}

static inline bool clp_minplus_is_within(const clp_minplus_limits *limits, int64_t value) {
    return (value >= limits->least && value <= limits->most) || value == limits->no_edge;
}

#endif
