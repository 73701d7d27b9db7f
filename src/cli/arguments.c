/* SPDX-License-Identifier: MIT */
/* Reads a command line by its table and prints the help that the same table gives. */
#include "arguments.h"

#include "message.h"

#include <stdio.h>
#include <string.h>

enum { COMMON_COUNT = 5, HELP_COLUMN = 24 };

static bool is_operand(const cli_option *row) {
    return row->name[0] != '-';
}

static void print_row(const cli_option *row) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", row->name, row->value ? " " : "",
             row->value ? row->value : "");
    printf("  %-*s%s%s\n", HELP_COLUMN, left, strlen(left) < HELP_COLUMN ? "" : " ", row->help);
}

static void print_usage(FILE *stream, const cli_syntax *syntax) {
    fprintf(stream, "usage: clprims %s [options]", syntax->command);
    for (size_t i = 0; i < syntax->count; ++i) {
        const cli_option *const row = &syntax->options[i];
        if (row->required)
            fprintf(stream, " %s%s%s", row->name, row->value ? " " : "",
                    row->value ? row->value : "");
        else if (is_operand(row))
            fprintf(stream, " [%s]", row->name);
    }
    fputc('\n', stream);
}

static void print_help(const cli_syntax *syntax, const cli_option *common) {
    print_usage(stdout, syntax);
    printf("\n%s\n\n", syntax->purpose);
    for (size_t i = 0; i < syntax->count; ++i) print_row(&syntax->options[i]);
    if (syntax->count > 0) putchar('\n');
    for (size_t i = 0; i < COMMON_COUNT; ++i) print_row(&common[i]);
    fputs("\nEnvironment: CLPRIMS_DEVICE and CLPRIMS_LAYER stand in for their options,\n"
          "CLPRIMS_CL_DIR names a folder of kernels in place of the built-in ones, and\n"
          "CLPRIMS_TUNING a file of tuning lines.\n"
          "Exit status: 0; 1 for an error in the data; 2 for wrong usage or a file that can't be\n"
          "read or written; 3 for a failure of the device or of OpenCL.\n",
          stdout);
}

/* The row that a word such as "--op" or "--op=min" names, or NULL. */
static const cli_option *find_row(const cli_option *rows, size_t count, const char *word,
                                  size_t length) {
    for (size_t i = 0; i < count; ++i) {
        const cli_option *const row = &rows[i];
        if (!is_operand(row) && strlen(row->name) == length &&
            strncmp(row->name, word, length) == 0)
            return row;
    }
    return NULL;
}

static const cli_option *next_operand(const cli_syntax *syntax) {
    for (size_t i = 0; i < syntax->count; ++i)
        if (is_operand(&syntax->options[i]) && !*syntax->options[i].text)
            return &syntax->options[i];
    return NULL;
}

static int set_operand(const cli_syntax *syntax, const char *word) {
    const cli_option *const row = next_operand(syntax);
    if (!row) return complain(EXIT_USAGE, "'%s' is one argument too many", word);
    *row->text = word;
    return EXIT_FINE;
}

/* Takes argv[*at] as an option, and the word after it where that is its value. */
static int set_option(const cli_syntax *syntax, const cli_option *common, int argc, char **argv,
                      int *at) {
    const char *const word = argv[*at];
    const char *const equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option *row = find_row(syntax->options, syntax->count, word, length);
    if (!row) row = find_row(common, COMMON_COUNT, word, length);
    if (!row) return complain(EXIT_USAGE, "unknown option '%.*s'", (int)length, word);
    if (*row->text) return complain(EXIT_USAGE, "%s is given twice", row->name);
    if (!row->value) {
        if (equals)
            return complain(EXIT_USAGE, "%s takes no value, but has '%s'", row->name, equals + 1);
        *row->text = row->name;
        return EXIT_FINE;
    }
    if (!equals && *at + 1 >= argc)
        return complain(EXIT_USAGE, "%s lacks its value, %s", row->name, row->value);
    *row->text = equals ? equals + 1 : argv[++*at];
    return EXIT_FINE;
}

static int set_words(const cli_syntax *syntax, const cli_option *common, int argc, char **argv) {
    bool options_over = false;
    for (int at = 0; at < argc; ++at) {
        const bool dashed = argv[at][0] == '-' && argv[at][1] != '\0';
        int status = EXIT_FINE;
        if (!options_over && strcmp(argv[at], "--") == 0)
            options_over = true;
        else if (dashed && !options_over)
            status = set_option(syntax, common, argc, argv, &at);
        else
            status = set_operand(syntax, argv[at]);
        if (status != EXIT_FINE) return status;
    }
    return EXIT_FINE;
}

static int check_required(const cli_syntax *syntax) {
    for (size_t i = 0; i < syntax->count; ++i)
        if (syntax->options[i].required && !*syntax->options[i].text)
            return complain(EXIT_USAGE, "%s is missing", syntax->options[i].name);
    return EXIT_FINE;
}

bool arguments_read(const cli_syntax *syntax, cli_settings *common, int argc, char **argv,
                    int *exit_status) {
    const cli_option common_rows[COMMON_COUNT] = {
        {"--device", "NAME|NUMBER", "run on the device with this number, or this in its name",
         false, &common->device},
        {"--layer", "NAME", "device layer: auto (the default), nvidia, subgroup or local", false,
         &common->layer},
        {"--stats", NULL, "print device time and bytes per second on standard error", false,
         &common->stats},
        {"--help", NULL, "print this and exit", false, &common->help},
        {"--version", NULL, "print the version and exit", false, &common->version},
    };
    *exit_status = set_words(syntax, common_rows, argc, argv);
    if (*exit_status == EXIT_FINE && common->help) {
        print_help(syntax, common_rows);
        return false;
    }
    if (*exit_status == EXIT_FINE && common->version) {
        printf("clprims %s\n", clprims_version());
        return false;
    }
    if (*exit_status == EXIT_FINE) *exit_status = check_required(syntax);
    if (*exit_status != EXIT_FINE) print_usage(stderr, syntax);
    return *exit_status == EXIT_FINE;
}
