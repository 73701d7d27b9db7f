/* SPDX-License-Identifier: MIT */
/* The status of a report. */
#include "core/type.h"
#include "list/list_engine.h"

#include <inttypes.h>
#include <string.h>

/* A forest has head -1; several elements may be heads. */
static clprims_status head_status(const char *who, const clprims_list_report *report) {
    const int64_t i = report->index;
    const int64_t j = report->other;
    CLP_FAIL_IF(report->head >= 0, CLPRIMS_ERR_DATA,
                "%s: head = %" PRId64 " is not the first element: next[%" PRId64 "] names it", who,
                i, j);
    CLP_FAIL_IF(i < 0, CLPRIMS_ERR_DATA, "%s: %" PRId64 " is given as a head and is not in [0, n)",
                who, j);
    CLP_FAIL_IF(j < 0, CLPRIMS_ERR_DATA,
                "%s: no link names element %" PRId64 ", but it is not given as a head", who, i);
    return clp_fail(CLPRIMS_ERR_DATA,
                    "%s: element %" PRId64 " is given as a head, but next[%" PRId64 "] names it",
                    who, i, j);
}

static clprims_status cycle_status(const char *who, const clprims_list_report *report) {
    CLP_FAIL_IF(report->head < 0, CLPRIMS_ERR_DATA, "%s: element %" PRId64 " is on a cycle", who,
                report->index);
    return clp_fail(CLPRIMS_ERR_DATA,
                    "%s: element %" PRId64 " is on a cycle, which head = %" PRId64
                    " does not reach",
                    who, report->index, report->head);
}

clprims_status clp_list_report_status(const char *who, const clprims_list_report *report,
                                      clprims_type link, const void *next) {
    char value[3 + CLP_NUMBER_CHARS] = ""; /* next[index] as " = 93", or "" if it is unknown */
    const int64_t i = report->index;
    const int64_t j = report->other;
    if (next != NULL && i >= 0) {
        memcpy(value, " = ", 3);
        clp_print_number(link, next, i, value + 3);
    }
    switch (report->fault) {
    case CLPRIMS_LIST_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_LIST_LINK_RANGE:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "%s: next[%" PRId64 "] = %" PRId64 " is neither -1 nor an element's "
                        "index; every link must be in [-1, n)",
                        who, i, j);
    case CLPRIMS_LIST_TWO_TAILS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "%s: next[%" PRId64 "] and next[%" PRId64 "] are both -1; "
                        "a list has one tail",
                        who, i, j);
    case CLPRIMS_LIST_NO_TAIL:
        return clp_fail(CLPRIMS_ERR_DATA, "%s: no link is -1; a list has one tail", who);
    case CLPRIMS_LIST_SAME_SUCCESSOR:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "%s: next[%" PRId64 "]%s is also next[%" PRId64 "]: two elements have "
                        "the same successor",
                        who, i, value, j);
    case CLPRIMS_LIST_CYCLE:
        return cycle_status(who, report);
    case CLPRIMS_LIST_HEAD:
        return head_status(who, report);
    case CLPRIMS_LIST_INVALID:
        return clp_fail(CLPRIMS_ERR_DATA, "%s: the links are no list", who);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: report.fault = %" PRId64 " is not a value of clprims_list_fault; "
                        "was the report read after its event?",
                        who, report->fault);
    }
}

clprims_status clprims_list_check(const clprims_list_report *report) {
    CLP_TRY(clp_begin("list_check", "report", report));
    return clp_list_report_status("list", report, CLPRIMS_TYPE_DEFAULT, NULL);
}
