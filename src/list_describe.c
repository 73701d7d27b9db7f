/* SPDX-License-Identifier: MIT */
/* How a plan of list ranking goes about a list of some length, for its users. */
#include "list_plan.h"

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_list_info, algorithm, "CLPRIMS_LIST_INFO_INIT");

clprims_status clprims_list_describe(const clprims_list *list, size_t n, clprims_list_info *info) {
    clp_clear_error();
    if (list == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "list_describe: %s is NULL",
                        list == NULL ? "list" : "info");
    }
    if (n == 0) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list_describe: n = 0; there is no list");
    if (n > list->max_n) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "list_describe: n = %zu exceeds max_n = %zu given to create", n,
                        list->max_n);
    }
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t nodes;
    const size_t last = clp_list_lay_out(list, n, levels, &nodes);
    const bool one_each = clp_list_is_brief(list, n);
    const clprims_list_info full = {.algorithm = clp_list_choose(list, n),
                                    .sublists = one_each ? n : levels[0].ids,
                                    .levels = last + 1};
    return clp_struct_give("list_describe", "info", &info_layout, &full, info);
}
