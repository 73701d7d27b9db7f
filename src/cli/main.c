/* SPDX-License-Identifier: MIT */
/* clprims: the library's primitives for NumPy's files, one subcommand each. */
#include "cli/commands/commands.h"
#include "cli/io/files.h"
#include "cli/message.h"

#include <clprims/clprims.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const char *purpose;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"info", "show each device and how the library would use it", info_command},
    {"scan", "prefix sums and other running combinations of an array", scan_command},
    {"reduce", "the sum of an array, its least value, where that is, and the like", reduce_command},
    {"segreduce", "the same of each segment of an array", segreduce_command},
    {"segscan", "running combinations that begin anew in each segment", segscan_command},
    {"histogram", "how many elements of an array are in each bin, or the sums of their weights",
     histogram_command},
    {"rank", "positions of the elements of a linked list, or of several", rank_command},
    {"offsets", "where the parts of a jagged array begin, from their intervals or counts",
     offsets_command},
    {"parents", "the segment of each element of a jagged array, from its offsets", parents_command},
    {"gather", "the elements of an array in the order of indices", gather_command},
    {"select", "the elements of an array that are wanted, side by side", select_command},
    {"unique", "an array without repeated neighbours, and the lengths of its runs", unique_command},
    {"partition", "the elements that are wanted first, then the others", partition_command},
    {"sort", "the elements of an array in order, and others as these move", sort_command},
    {"argsort", "the indices that would sort an array", argsort_command},
    {"merge", "two sorted arrays as one", merge_command},
    {"searchsorted", "where elements would stand in a sorted array", searchsorted_command},
    {"topk", "the k greatest or least elements and their indices", topk_command},
    {"order", "elements of a linked list, from its head to its tail", order_command},
    {"listscan", "running combinations of values along a linked list", listscan_command},
    {"minplus", "the min-plus product of two matrices", minplus_command},
    {"paths", "lengths of all shortest paths of a graph", paths_command},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_usage(FILE *stream) {
    fputs("usage: clprims COMMAND [options]\n"
          "       clprims help [COMMAND]\n"
          "       clprims --help | --version\n\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        fprintf(stream, "  %-14s%s\n", commands[i].name, commands[i].purpose);
    fputs("\n'clprims help COMMAND' says more.\n", stream);
}

static int run_command(const char *name, int argc, char **argv) {
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(name, commands[i].name) != 0) continue;
        message_set_command(name);
        return commands[i].run(argc, argv);
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
    files_reserve_standard();
    /* A file above the limit is then an error of write, which cleans up and says so. */
    signal(SIGXFSZ, SIG_IGN);
    const int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain(EXIT_USAGE, "standard output can't be written: %s", strerror(errno));
    return status;
}
