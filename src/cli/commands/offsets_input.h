/* SPDX-License-Identifier: MIT */
/* What the commands on segments share: their offsets, and what is wrong with them. */
#ifndef CLI_OFFSETS_INPUT_H
#define CLI_OFFSETS_INPUT_H

#include "cli/chosen_device.h"

/* Each gives back an exit status, after a message unless it is EXIT_FINE. */

int offsets_check_input(const npy_input *input);

/* The message for offsets in mem of which a run found that this one is at fault, for n elements. */
int offsets_complain(const cli_device *device, const npy_input *input, cl_mem mem, int64_t index,
                     size_t n);

#endif
