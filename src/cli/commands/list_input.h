/* SPDX-License-Identifier: MIT */
/* What the commands on lists share: their links, their head, their report. */
#ifndef CLI_LIST_INPUT_H
#define CLI_LIST_INPUT_H

#include "cli/chosen_device.h"

/* Each gives back an exit status, after a message unless it is EXIT_FINE. */

int list_check_links(const npy_input *input);

/* text: of --head; NULL: the head is to be found. */
int list_find_head(const char *text, const npy_input *input, int64_t *head);

/* Reads a report back and lets `check` say what it means. */
int list_check_report(const cli_device *device, cl_mem report,
                      clprims_status (*check)(const clprims_list_report *report));

#endif
