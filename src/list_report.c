/* SPDX-License-Identifier: MIT */
/* From the report of a list ranking to a status and a message. */
#include "list_plan.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Reports ---- */

/* value: what next[index] is, " = 93", or "" when it isn't known. */
static clprims_status judge(const clprims_list_report *report, const char *value) {
    const int64_t i = report->index;
    const int64_t j = report->other;
    switch (report->fault) {
    case CLPRIMS_LIST_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_LIST_LINK_RANGE:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: next[%" PRId64 "] = %" PRId64 " is neither -1 nor an element's "
                        "index; every link must be in [-1, n)",
                        i, j);
    case CLPRIMS_LIST_TWO_TAILS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: next[%" PRId64 "] and next[%" PRId64 "] are both -1; "
                        "a list has one tail",
                        i, j);
    case CLPRIMS_LIST_NO_TAIL:
        return clp_fail(CLPRIMS_ERR_DATA, "list: no link is -1; a list has one tail");
    case CLPRIMS_LIST_SAME_SUCCESSOR:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: next[%" PRId64 "]%s is also next[%" PRId64 "]: two elements have "
                        "the same successor",
                        i, value, j);
    case CLPRIMS_LIST_CYCLE:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: element %" PRId64 " is on a cycle, which head = %" PRId64
                        " does not reach",
                        i, report->head);
    case CLPRIMS_LIST_HEAD:
        return clp_fail(
            CLPRIMS_ERR_DATA,
            "list: head = %" PRId64 " is not the first element: next[%" PRId64 "] names it", i, j);
    case CLPRIMS_LIST_INVALID:
        return clp_fail(CLPRIMS_ERR_DATA, "list: the links are no list");
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: report.fault = %" PRId64 " is none of clprims_list_fault; "
                        "was the report read after its event?",
                        report->fault);
    }
}

clprims_status clp_list_judge(const clprims_list_report *report, clprims_type link,
                              const void *next) {
    char value[32] = "";
    if (next != NULL && report->index >= 0) {
        const int64_t to = link == CLPRIMS_I32 ? ((const int32_t *)next)[report->index]
                                               : ((const int64_t *)next)[report->index];
        snprintf(value, sizeof value, " = %" PRId64, to);
    }
    return judge(report, value);
}

clprims_status clprims_list_check(const clprims_list_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: report is NULL");
    return clp_list_judge(report, CLPRIMS_TYPE_DEFAULT, NULL);
}
