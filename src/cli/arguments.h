/* SPDX-License-Identifier: MIT */
/* The command line: one table a subcommand, read by the parser and by the help alike. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <clprims/clprims.h>
#include <stdbool.h>
#include <stddef.h>

/* What a row is. An output is a file that is written: what stands against that is said at once. A
 * pair has two values, "LO HI", and two texts side by side. */
enum { OPTIONAL = 0, REQUIRED = 1, OUTPUT = 2, PAIR = 4 };

/* One row of a table. A name without a leading '-' is an operand. */
typedef struct cli_option {
    const char *name; /* "--op", "-o", "IN.npy" */
    const char *value; /* what the help calls the option's value; NULL for a flag or operand */
    const char *help;
    unsigned kind;
    const char **text; /* NULL when not given; then the value, for a flag its name */
} cli_option;

/* What every subcommand understands. */
typedef struct cli_settings {
    const char *device;
    const char *layer;
    const char *stats;
    const char *help;
    const char *version;
} cli_settings;

typedef struct cli_syntax {
    const char *command;
    const char *purpose;
    const cli_option *options;
    size_t count;
} cli_syntax;

/*
 * Reads the words after the subcommand. True: go on. False: done, with *exit_status set, after
 * --help or --version or a fault that was reported.
 */
bool arguments_read(const cli_syntax *syntax, cli_settings *common, int argc, char **argv,
                    int *exit_status);

/* Refuses an output that goes to standard error, where other things are to be printed. */
int arguments_keep_apart(const char *out);

/*
 * Values of options. Each gives back EXIT_FINE, or EXIT_USAGE after a message that names the
 * option. A NULL text leaves *value as it is.
 */
int value_op(const char *option, const char *text, clprims_op *value);
int value_reduction(const char *option, const char *text, clprims_op *value);
int value_type(const char *option, const char *text, clprims_type *value);
int value_algorithm(const char *option, const char *text, clprims_algorithm *value);
int value_layer(const char *option, const char *text, clprims_layer *value);

/* One element of a type, clprims_type_bytes(type) bytes at value. */
int value_element(const char *option, const char *text, clprims_type type, void *value);

/* An integer as text. */
enum { VALUE_CHARS = 24 };
void value_print(clprims_type type, const void *value, char text[VALUE_CHARS]);

#endif
