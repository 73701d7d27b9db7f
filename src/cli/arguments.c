/* SPDX-License-Identifier: MIT */
/* Reads a command line by its table and prints the help that the same table gives. */
#include "cli/command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HELP_COLUMN = 24 };

/* What every subcommand understands. */
static const cli_option common[] = {
    {"--device", "NAME|NUMBER", "the device's number, or a part of its or its platform's name",
     OPTIONAL},
    {"--layer", "NAME", "device layer: auto (the default), nvidia, subgroup or local", OPTIONAL},
    {"--store", "DIR", "keep built programs in DIR, not in clprims of the user's cache", OPTIONAL},
    {"--no-store", NULL, "keep no programs", OPTIONAL},
    {"--stats", NULL, "print device time and bytes per second on standard error", OPTIONAL},
    {"--help", NULL, "print this and exit", OPTIONAL},
    {"--version", NULL, "print the version and exit", OPTIONAL},
};
enum { COMMON_COUNT = sizeof common / sizeof *common };

/* ---- Rows ---- */

static void gather_rows(cli_job *job) {
    const cli_command *const command = job->command;
    assert(command->count + COMMON_COUNT <= OPTIONS_MOST);
    for (size_t i = 0; i < command->count; ++i) {
        const unsigned variants = command->options[i].kind >> KIND_BITS;
        if (variants == 0 || (variants & command->variant) != 0)
            job->rows[job->num_own++] = &command->options[i];
    }
    job->num_rows = job->num_own;
    for (size_t i = 0; i < COMMON_COUNT; ++i) job->rows[job->num_rows++] = &common[i];
}

/* Returns the number of the row that a word ("--op", "--op=min") names; num_rows: none. */
static size_t find_row(const cli_job *job, const char *word, size_t length) {
    size_t i = 0;
    while (i < job->num_rows &&
           (strlen(job->rows[i]->name) != length || strncmp(job->rows[i]->name, word, length) != 0))
        ++i;
    return i;
}

const char *const *job_pair(const cli_job *job, const char *name) {
    static const char *const none[2] = {NULL, NULL};
    const size_t row = find_row(job, name, strlen(name));
    return row < job->num_rows ? job->texts[row] : none;
}

const char *job_text(const cli_job *job, const char *name) {
    return job_pair(job, name)[0];
}

void job_exclude(cli_job *job, const char *one, const char *other) {
    if (job_text(job, one) && job_text(job, other))
        JOB_TRY(job, complain(EXIT_USAGE, "%s and %s exclude each other", one, other));
}

static bool is_operand(const cli_option *row) {
    return row->name[0] != '-';
}

/* "IN.npy", or "-o OUT.npy". */
static bool names_file(const cli_option *row) {
    const char *const text = row->value ? row->value : row->name;
    const size_t length = strlen(text);
    return length > 4 && strcmp(text + length - 4, ".npy") == 0;
}

/* ---- Help ---- */

static void print_row(const cli_option *row) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", row->name, row->value ? " " : "",
             row->value ? row->value : "");
    printf("  %-*s%s%s\n", HELP_COLUMN, left, strlen(left) < HELP_COLUMN ? "" : " ", row->help);
}

static void print_usage(FILE *stream, const cli_job *job) {
    fprintf(stream, "usage: clprims %s [options]", job->command->name);
    for (size_t i = 0; i < job->num_own; ++i) {
        const cli_option *const row = job->rows[i];
        if (row->kind & REQUIRED)
            fprintf(stream, " %s%s%s", row->name, row->value ? " " : "",
                    row->value ? row->value : "");
        else if (is_operand(row))
            fprintf(stream, " [%s]", row->name);
    }
    fputc('\n', stream);
}

static void print_help(const cli_job *job) {
    bool any_file = false;
    print_usage(stdout, job);
    printf("\n%s\n\n", job->command->purpose);
    for (size_t i = 0; i < job->num_rows; ++i) {
        if (i == job->num_own && i > 0) putchar('\n');
        print_row(job->rows[i]);
        any_file = any_file || names_file(job->rows[i]);
    }
    if (any_file)
        fputs(
            "\nFiles: - is standard input or output. Pipes and devices are read and written as\n"
            "they are. A regular file is replaced whole or not at all and keeps its owner, group,\n"
            "mode, access list and attributes; other hard links to it keep the old contents.\n",
            stdout);
    fputs("\nEnvironment: CLPRIMS_DEVICE and CLPRIMS_LAYER stand in for their options,\n"
          "CLPRIMS_CL_DIR names a folder of kernels in place of the built-in ones,\n"
          "CLPRIMS_TUNING a file of tuning lines, and CLPRIMS_PROBED has what is known of the\n"
          "device, as clprims info prints it. Built programs are kept in $XDG_CACHE_HOME/clprims,\n"
          "or $HOME/.cache/clprims: later commands start at once. The least recently used ones\n"
          "go where they have more than 256 MiB.\n"
          "Exit status: 0; 1 for an error in the data; 2 for wrong usage or a file that can't be\n"
          "read or written; 3 for a failure of the device or of OpenCL.\n",
          stdout);
}

/* ---- Words ---- */

static int set_value(cli_job *job, size_t at, const char *value) {
    const cli_option *const row = job->rows[at];
    job->texts[at][0] = value;
    if (*value || !names_file(row)) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s '' names no file", row->name);
}

static int set_operand(cli_job *job, const char *word) {
    for (size_t i = 0; i < job->num_own; ++i)
        if (is_operand(job->rows[i]) && !job->texts[i][0]) return set_value(job, i, word);
    return complain(EXIT_USAGE, "'%s' is one argument too many", word);
}

/* Takes argv[*at] as an option, and the words after it where these are its values. */
static int set_option(cli_job *job, int argc, char **argv, int *at) {
    const char *const word = argv[*at];
    const char *const equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const size_t found = find_row(job, word, length);
    if (found == job->num_rows)
        return complain(EXIT_USAGE, "unknown option '%.*s'", (int)length, word);
    const cli_option *const row = job->rows[found];
    const char **const texts = job->texts[found];
    if (texts[0]) return complain(EXIT_USAGE, "%s is given twice", row->name);
    if (!row->value) {
        if (equals)
            return complain(EXIT_USAGE, "%s takes no value, but has '%s'", row->name, equals + 1);
        texts[0] = row->name;
        return EXIT_FINE;
    }
    if (!equals && *at + 1 >= argc)
        return complain(EXIT_USAGE, "%s lacks its value, %s", row->name, row->value);
    if (row->kind & PAIR) {
        if (equals || *at + 2 >= argc)
            return complain(EXIT_USAGE, "%s needs two values, %s", row->name, row->value);
        texts[0] = argv[*at + 1];
        texts[1] = argv[*at + 2];
        *at += 2;
        return EXIT_FINE;
    }
    return set_value(job, found, equals ? equals + 1 : argv[++*at]);
}

static int set_words(cli_job *job, int argc, char **argv) {
    bool options_over = false;
    int status = EXIT_FINE;
    for (int at = 0; at < argc && status == EXIT_FINE; ++at) {
        const bool dashed = argv[at][0] == '-' && argv[at][1] != '\0';
        if (!options_over && strcmp(argv[at], "--") == 0)
            options_over = true;
        else if (dashed && !options_over)
            status = set_option(job, argc, argv, &at);
        else
            status = set_operand(job, argv[at]);
    }
    return status;
}

/* ---- Checks ---- */

static int check_required(const cli_job *job) {
    for (size_t i = 0; i < job->num_own; ++i)
        if ((job->rows[i]->kind & REQUIRED) && !job->texts[i][0])
            return complain(EXIT_USAGE, "%s is missing", job->rows[i]->name);
    return EXIT_FINE;
}

int arguments_keep_apart(const char *out) {
    if (!output_goes_to(out, STDERR_FILENO)) return EXIT_FINE;
    return complain(EXIT_USAGE,
                    "%s: is where standard error goes, which prints more than the result",
                    strcmp(out, "-") == 0 ? "standard output" : out);
}

/* A name that can't be written costs no work. */
static int check_outputs(const cli_job *job) {
    cli_output outputs[OUTPUTS_MOST] = {OUTPUT_INIT, OUTPUT_INIT};
    size_t count = 0;
    int status = EXIT_FINE;
    for (size_t i = 0; i < job->num_own && status == EXIT_FINE; ++i) {
        const char *const path = job->texts[i][0];
        if (!(job->rows[i]->kind & OUTPUT) || !path) continue;
        status = output_find(&outputs[count++], path);
        if (status == EXIT_FINE && job->stats) status = arguments_keep_apart(path);
    }
    if (status == EXIT_FINE) status = outputs_check(outputs, count);
    for (size_t i = 0; i < count; ++i) output_close(&outputs[i]);
    return status;
}

bool arguments_read(cli_job *job, int argc, char **argv) {
    gather_rows(job);
    JOB_TRY(job, set_words(job, argc, argv));
    if (job->status == EXIT_FINE && job_text(job, "--help")) {
        print_help(job);
        return false;
    }
    if (job->status == EXIT_FINE && job_text(job, "--version")) {
        printf("clprims %s\n", clprims_version());
        return false;
    }
    JOB_TRY(job, check_required(job));
    if (job->status != EXIT_FINE) print_usage(stderr, job);
    job->stats = job_text(job, "--stats") != NULL;
    job_exclude(job, "--store", "--no-store");
    JOB_TRY(job, check_outputs(job));
    return job->status == EXIT_FINE;
}
