/* SPDX-License-Identifier: MIT */
/* Checks of link types and heads, and the status of a report, for every primitive that reads links.
 */
#ifndef CLP_LIST_REPORT_H
#define CLP_LIST_REPORT_H

#include "core/status.h"

#include <clprims/list.h>

/* Kernels write a report as four long. */
_Static_assert(sizeof(clprims_list_report) == 4 * sizeof(cl_long), "as in cl/list/list_fault.cl");

/* Checks the link type, and max_n against the type and `most`. */
clprims_status clp_list_check_links(const char *who, clprims_type link, size_t max_n, size_t most);

/* Checks that head is an element or CLPRIMS_LIST_FIND_HEAD. */
clprims_status clp_list_check_head(const char *who, int64_t head, size_t n);

/* Returns the status for a report. who: the primitive, for messages. next: the links on the host,
 * or NULL. */
clprims_status clp_list_report_status(const char *who, const clprims_list_report *report,
                                      clprims_type link, const void *next);

#endif
