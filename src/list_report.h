/* SPDX-License-Identifier: MIT */
/* From a report on lists to a status and a message, for every primitive that reads links. */
#ifndef CLP_LIST_REPORT_H
#define CLP_LIST_REPORT_H

#include "internal.h"

#include <clprims/list.h>

/* The status for a report; who: the primitive, for the message. next: the links on the host, or
 * NULL. */
clprims_status clp_list_judge(const char *who, const clprims_list_report *report, clprims_type link,
                              const void *next);

#endif
