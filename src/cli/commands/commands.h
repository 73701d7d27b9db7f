/* SPDX-License-Identifier: MIT */
/* The subcommands, in the order of src/cli/main.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/command.h"

extern const cli_command info_command, map_command, scan_command, reduce_command, segreduce_command,
    segscan_command, histogram_command, rank_command, offsets_command, parents_command,
    gather_command, scatter_command, select_command, unique_command, partition_command,
    sort_command, argsort_command, merge_command, searchsorted_command, topk_command, order_command,
    listscan_command, minplus_command, paths_command, pack_command;

#endif
