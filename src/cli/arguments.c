/* SPDX-License-Identifier: MIT */
/* Reads a command line by its table and prints the help that the same table gives. */
#include "cli/arguments.h"

#include "cli/io/files.h"
#include "cli/message.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COMMON_COUNT = 5, HELP_COLUMN = 24 };

static bool is_operand(const cli_option *row) {
    return row->name[0] != '-';
}

/* "IN.npy", or "-o OUT.npy". */
static bool names_file(const cli_option *row) {
    const char *const text = row->value ? row->value : row->name;
    const size_t length = strlen(text);
    return length > 4 && strcmp(text + length - 4, ".npy") == 0;
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
        if (row->kind & REQUIRED)
            fprintf(stream, " %s%s%s", row->name, row->value ? " " : "",
                    row->value ? row->value : "");
        else if (is_operand(row))
            fprintf(stream, " [%s]", row->name);
    }
    fputc('\n', stream);
}

static bool any_file(const cli_syntax *syntax) {
    bool any = false;
    for (size_t i = 0; i < syntax->count; ++i) any = any || names_file(&syntax->options[i]);
    return any;
}

static void print_help(const cli_syntax *syntax, const cli_option *common) {
    print_usage(stdout, syntax);
    printf("\n%s\n\n", syntax->purpose);
    for (size_t i = 0; i < syntax->count; ++i) print_row(&syntax->options[i]);
    if (syntax->count > 0) putchar('\n');
    for (size_t i = 0; i < COMMON_COUNT; ++i) print_row(&common[i]);
    if (any_file(syntax))
        fputs(
            "\nFiles: - is standard input or output. Pipes and devices are read and written as\n"
            "they are. A regular file is replaced whole or not at all and keeps its owner, group,\n"
            "mode, access list and attributes; other hard links to it keep the old contents.\n",
            stdout);
    fputs("\nEnvironment: CLPRIMS_DEVICE and CLPRIMS_LAYER stand in for their options,\n"
          "CLPRIMS_CL_DIR names a folder of kernels in place of the built-in ones,\n"
          "CLPRIMS_TUNING a file of tuning lines, and CLPRIMS_PROBED has what is known of the\n"
          "device, as clprims info prints it.\n"
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

static int set_value(const cli_option *row, const char *value) {
    *row->text = value;
    if (*value || !names_file(row)) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s '' names no file", row->name);
}

static int set_operand(const cli_syntax *syntax, const char *word) {
    const cli_option *const row = next_operand(syntax);
    if (!row) return complain(EXIT_USAGE, "'%s' is one argument too many", word);
    return set_value(row, word);
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
    if (row->kind & PAIR) {
        if (equals || *at + 2 >= argc)
            return complain(EXIT_USAGE, "%s needs two values, %s", row->name, row->value);
        row->text[0] = argv[*at + 1];
        row->text[1] = argv[*at + 2];
        *at += 2;
        return EXIT_FINE;
    }
    return set_value(row, equals ? equals + 1 : argv[++*at]);
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
        if ((syntax->options[i].kind & REQUIRED) && !*syntax->options[i].text)
            return complain(EXIT_USAGE, "%s is missing", syntax->options[i].name);
    return EXIT_FINE;
}

int arguments_keep_apart(const char *out) {
    if (!output_goes_to(out, STDERR_FILENO)) return EXIT_FINE;
    return complain(EXIT_USAGE,
                    "%s: is where standard error goes, which prints more than the result",
                    strcmp(out, "-") == 0 ? "standard output" : out);
}

/* A name that can't be written costs no work. */
static int check_outputs(const cli_syntax *syntax, bool stats) {
    cli_output outputs[OUTPUTS_MOST] = {OUTPUT_INIT, OUTPUT_INIT};
    size_t count = 0;
    int status = EXIT_FINE;
    for (size_t i = 0; i < syntax->count && status == EXIT_FINE; ++i) {
        const cli_option *const row = &syntax->options[i];
        if (!(row->kind & OUTPUT) || !*row->text) continue;
        status = output_find(&outputs[count++], *row->text);
        if (status == EXIT_FINE && stats) status = arguments_keep_apart(*row->text);
    }
    if (status == EXIT_FINE) status = outputs_check(outputs, count);
    for (size_t i = 0; i < count; ++i) output_close(&outputs[i]);
    return status;
}

bool arguments_read(const cli_syntax *syntax, cli_settings *common, int argc, char **argv,
                    int *exit_status) {
    const cli_option common_rows[COMMON_COUNT] = {
        {"--device", "NAME|NUMBER", "the device's number, or a part of its or its platform's name",
         OPTIONAL, &common->device},
        {"--layer", "NAME", "device layer: auto (the default), nvidia, subgroup or local", OPTIONAL,
         &common->layer},
        {"--stats", NULL, "print device time and bytes per second on standard error", OPTIONAL,
         &common->stats},
        {"--help", NULL, "print this and exit", OPTIONAL, &common->help},
        {"--version", NULL, "print the version and exit", OPTIONAL, &common->version},
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
    if (*exit_status != EXIT_FINE)
        print_usage(stderr, syntax);
    else
        *exit_status = check_outputs(syntax, common->stats != NULL);
    return *exit_status == EXIT_FINE;
}
