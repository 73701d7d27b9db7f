/* SPDX-License-Identifier: MIT */
/* Elements of the matrices that test_minplus multiplies. */
#include "minplus/minplus_cases.h"

#include <math.h>

static double random_float(const clprims_minplus_desc *desc) {
    const uint64_t kind = test_random_below(desc->nonnegative ? 30 : 32);
    const double sign = desc->semiring == CLPRIMS_MAX_PLUS ? -1 : 1;
    const double below = desc->nonnegative ? 0 : 40;
    if (kind < 10) return sign * INFINITY;
    if (kind == 30) return NAN;
    if (kind == 31) return test_random_below(8) == 0 ? -sign * INFINITY : sign * 3.5;
    return (double)test_random_below(100000) * (1.0 / 7) - below;
}

static int64_t random_whole(const clprims_minplus_desc *desc) {
    const bool wide = desc->type == CLPRIMS_I64;
    const uint64_t kind = test_random_below(32);
    const int64_t most = wide ? INT64_MAX : INT32_MAX;
    int64_t none = most / 2 + (desc->semiring == CLPRIMS_MAX_PLUS);
    if (desc->no_edge != NULL) none = llabs(*(const int32_t *)desc->no_edge);
    int64_t value = (int64_t)test_random_below(1000) - 300;
    if (kind < 10) value = none;
    if (kind == 10) value = most;
    if (kind == 11) value = none - 1;
    if (kind == 12 && desc->semiring != CLPRIMS_MIN_MAX)
        value = -(most / 4 + (desc->semiring == CLPRIMS_MIN_PLUS));
    return desc->semiring == CLPRIMS_MAX_PLUS ? -value : value;
}

void minplus_values(const clprims_minplus_desc *desc, void *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (desc->type == CLPRIMS_F32) ((float *)values)[i] = (float)random_float(desc);
        if (desc->type == CLPRIMS_F64) ((double *)values)[i] = random_float(desc);
        if (desc->type == CLPRIMS_U8) ((uint8_t *)values)[i] = test_random_below(3) == 0;
        if (desc->type == CLPRIMS_U32) ((uint32_t *)values)[i] = (uint32_t)test_random();
        if (desc->type == CLPRIMS_I32) ((int32_t *)values)[i] = (int32_t)random_whole(desc);
        if (desc->type == CLPRIMS_I64) ((int64_t *)values)[i] = random_whole(desc);
    }
}

void minplus_keep_within(const clprims_minplus_desc *desc, void *values, size_t n, bool sums) {
    const bool wide = desc->type == CLPRIMS_I64, mirrored = desc->semiring == CLPRIMS_MAX_PLUS;
    const int64_t quarter = (int64_t)1 << (wide ? 61 : 29);
    const int64_t own = desc->no_edge != NULL ? *(const int32_t *)desc->no_edge : 0;
    const int64_t none = own != 0 ? own : mirrored ? -2 * quarter : 2 * quarter - 1;
    const bool adds = desc->semiring != CLPRIMS_MIN_MAX;
    int64_t least = adds ? -quarter : -2 * quarter, most = adds ? (none - 1) / 2 : none - 1;
    if (mirrored) least = (none + 1) / 2, most = quarter - 1;
    if (sums && adds) least *= 2, most *= 2;
    for (size_t i = 0; i < n && (wide || desc->type == CLPRIMS_I32); i++) {
        const int64_t x = wide ? ((int64_t *)values)[i] : ((int32_t *)values)[i];
        if (x < least || x > most)
            test_store_integer(clprims_type_bytes(desc->type), values, i, (uint64_t)none);
    }
}

void minplus_want_serial_closure(clprims_type type, size_t n) {
    /* Blocks have rows of 256 bytes; each vertex relaxes two tiles. */
    const size_t block = 256 / clprims_type_bytes(type);
    test_want_iterations(2 * block * block * (n < block ? n : block));
}
