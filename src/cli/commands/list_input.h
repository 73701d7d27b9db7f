/* SPDX-License-Identifier: MIT */
/* What the commands on lists share: their links, their head, their report. */
#ifndef CLI_LIST_INPUT_H
#define CLI_LIST_INPUT_H

#include "cli/command.h"

/* Rows of tables of options. */
#define OPTION_HEAD                                                                                \
    { "--head", "H", "the list's first element; without it, the one that no link names", OPTIONAL }
#define OPTION_NEXT                                                                                \
    {                                                                                              \
        "NEXT.npy", NULL, "int32 or int64 links: the index of the next element, -1 at the end",    \
            REQUIRED                                                                               \
    }

/* Returns whether there is --head, and sets *head from it. */
bool list_reads_head(cli_job *job, const npy_input *links, int64_t *head);

/* Runs a plan with a report, and lets `check` say what that means. */
void list_run(cli_job *job, device_submit submit, void *plan, cl_mem *mem,
              clprims_status (*check)(const clprims_list_report *report));

/* clprims rank --forest */
void forest_run(cli_job *job);

#endif
