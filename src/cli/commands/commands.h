/* SPDX-License-Identifier: MIT */
/* The subcommands. Each takes the words after its name and gives back the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int info_command(int argc, char **argv);
int scan_command(int argc, char **argv);
int reduce_command(int argc, char **argv);
int segreduce_command(int argc, char **argv);
int segscan_command(int argc, char **argv);
int histogram_command(int argc, char **argv);
int rank_command(int argc, char **argv);
int offsets_command(int argc, char **argv);
int parents_command(int argc, char **argv);
int gather_command(int argc, char **argv);
int select_command(int argc, char **argv);
int unique_command(int argc, char **argv);
int partition_command(int argc, char **argv);
int sort_command(int argc, char **argv);
int argsort_command(int argc, char **argv);
int merge_command(int argc, char **argv);
int searchsorted_command(int argc, char **argv);
int topk_command(int argc, char **argv);
int order_command(int argc, char **argv);
int listscan_command(int argc, char **argv);
int minplus_command(int argc, char **argv);
int paths_command(int argc, char **argv);

#endif
