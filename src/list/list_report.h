/* SPDX-License-Identifier: MIT */
/* What every primitive that reads links refuses, and how it puts a report into words. */
#ifndef CLP_LIST_REPORT_H
#define CLP_LIST_REPORT_H

#include "core/status.h"

#include <clprims/list.h>

/* The links' type, and max_n for links of it and for what can be counted. */
clprims_status clp_list_check_links(const char *who, clprims_type link, size_t max_n, size_t most);

/* head is an element, or to be found. */
clprims_status clp_list_check_head(const char *who, int64_t head, size_t n);

/* The status for a report; who: the primitive, for the message. next: the links on the host, or
 * NULL. */
clprims_status clp_list_report_status(const char *who, const clprims_list_report *report,
                                      clprims_type link, const void *next);

#endif
