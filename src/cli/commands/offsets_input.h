/* SPDX-License-Identifier: MIT */
/* What the commands on segments share: their offsets, and what is wrong with them. */
#ifndef CLI_OFFSETS_INPUT_H
#define CLI_OFFSETS_INPUT_H

#include "cli/command.h"

/* Reads element i of an array of integers back; of uint64, its bits. */
int64_t offsets_read(cli_job *job, clprims_type type, cl_mem mem, size_t i);

/* The message for offsets in mem of which a run found that this one is at fault, for n elements. */
void offsets_complain(cli_job *job, const npy_input *input, cl_mem mem, int64_t index, size_t n);

/* Returns the value of --length, which excludes --offsets, and sets *segments to the number of
 * segments of n elements with this length. 0: it is not given, or is at fault. */
size_t offsets_length(cli_job *job, size_t n, size_t *segments);

#endif
