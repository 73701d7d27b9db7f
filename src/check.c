/* SPDX-License-Identifier: MIT */
/* What every primitive refuses in the same words. */
#include "internal.h"

clprims_status clp_check_desc(const char *who, const clprims_context *context, const void *desc,
                              size_t bytes, const char *init) {
    if (context == NULL || desc == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL", who,
                        context == NULL ? "context" : "desc");
    }
    const size_t struct_size = *(const size_t *)desc;
    if (struct_size == bytes) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: desc.struct_size = %zu, not %zu; start from %s", who,
                    struct_size, bytes, init);
}

clprims_status clp_check_max_n(const char *who, size_t max_n, size_t most) {
    if (max_n == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: max_n = 0; set the largest n that the plan will be given", who);
    }
    if (max_n <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: max_n = %zu exceeds %zu, the most of all", who,
                    max_n, most);
}

clprims_status clp_check_n(const char *who, size_t n, size_t max_n) {
    if (n <= max_n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: n = %zu exceeds max_n = %zu given to create; create a larger plan", who, n,
                    max_n);
}
