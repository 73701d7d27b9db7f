/* SPDX-License-Identifier: MIT */
/* clprims: the library's primitives for NumPy's files, one subcommand each. */
#include "cli/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const cli_command *const commands[] = {
    &info_command,      &map_command,      &scan_command,         &reduce_command,
    &segreduce_command, &segscan_command,  &histogram_command,    &rank_command,
    &offsets_command,   &parents_command,  &gather_command,       &scatter_command,
    &select_command,    &unique_command,   &partition_command,    &sort_command,
    &argsort_command,   &merge_command,    &searchsorted_command, &topk_command,
    &order_command,     &listscan_command, &minplus_command,      &paths_command,
    &pack_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_usage(FILE *stream) {
    fputs("usage: clprims COMMAND [options]\n"
          "       clprims help [COMMAND]\n"
          "       clprims --help | --version\n\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        fprintf(stream, "  %-14s%s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'clprims help COMMAND' says more.\n", stream);
}

static int run_command(const char *name, int argc, char **argv) {
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        cli_job job = {.command = commands[i]};
        if (strcmp(name, commands[i]->name) != 0) continue;
        message_set_command(name);
        if (arguments_read(&job, argc, argv)) commands[i]->run(&job);
        job_close(&job);
        return job.status;
    }
    complain(EXIT_USAGE, "unknown command '%s'", name);
    print_usage(stderr);
    return EXIT_USAGE;
}

static int help(int argc, char **argv) {
    char option[] = "--help", *words[] = {option, NULL};
    if (argc > 1) return complain(EXIT_USAGE, "'%s' is one argument too many", argv[1]);
    if (argc == 1) return run_command(argv[0], 1, words);
    print_usage(stdout);
    return EXIT_FINE;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *const word = argv[1];
    if (strcmp(word, "help") == 0) return help(argc - 2, argv + 2);
    if (strcmp(word, "--help") == 0) return help(0, NULL);
    if (strcmp(word, "--version") == 0) {
        printf("clprims %s\n", clprims_version());
        return EXIT_FINE;
    }
    return run_command(word, argc - 2, argv + 2);
}

int main(int argc, char **argv) {
    files_begin();
    const int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain(EXIT_USAGE, "standard output can't be written: %s", strerror(errno));
    return status;
}
