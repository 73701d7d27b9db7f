/* SPDX-License-Identifier: MIT */
/* A scan from one array to another: for scan and for info. */
#ifndef CLI_SCAN_PLAN_H
#define CLI_SCAN_PLAN_H

#include "cli/command.h"

typedef struct scan_plan {
    CLI_PLAN_MEMBERS(scan)
} scan_plan;

/* Runs the plan that desc describes, with its arrays. */
void scan_plan_run(cli_job *job, scan_plan *plan);

/* Prints the line that --stats asks for. */
void scan_plan_print(cli_job *job, const scan_plan *plan, const clprims_scan_desc *desc);

#endif
