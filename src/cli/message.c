/* SPDX-License-Identifier: MIT */
/* Messages: one line each, led by the command's name. */
#include "cli/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *command_name = "";

void message_set_command(const char *command) {
    command_name = command;
}

static CLI_PRINTF(1, 0) void print_line(const char *format, va_list arguments) {
    fprintf(stderr, "clprims%s%s: ", *command_name ? " " : "", command_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int complain(int exit_status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return exit_status;
}

void remark(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

static int exit_of_status(clprims_status status) {
    switch (status) {
    case CLPRIMS_OK:
        return EXIT_FINE;
    case CLPRIMS_ERR_DATA:
        return EXIT_DATA;
    case CLPRIMS_ERR_ARGUMENT:
    case CLPRIMS_ERR_IO:
        return EXIT_USAGE;
    default:
        return EXIT_DEVICE;
    }
}

/* The library's message names the first error: a line of the log that says no more is left out. */
static bool repeats(const char *message, const char *line, size_t length) {
    const char *const error = strstr(line, "error");
    if (!error || error >= line + length) return false;
    const size_t same = length - (size_t)(error - line), all = strlen(message);
    return same <= all && memcmp(message + all - same, error, same) == 0;
}

static void print_log(const char *message, const char *log) {
    while (*log) {
        const size_t length = strcspn(log, "\n");
        if (!repeats(message, log, length)) fprintf(stderr, "%.*s\n", (int)length, log);
        log += length + (log[length] == '\n');
    }
}

int library_exit_with_text(clprims_status status, const char *option, const char *text) {
    if (status == CLPRIMS_OK) return EXIT_FINE;
    const clprims_error *const error = clprims_last_error();
    const char *fact = error->message;
    const size_t length = strlen(command_name);
    const bool is_users = text && status == CLPRIMS_ERR_BUILD;
    /* The library leads a message with the primitive, which may be the command's own name. */
    if (length > 0 && strncmp(fact, command_name, length) == 0 &&
        strncmp(fact + length, ": ", 2) == 0)
        fact += length + 2;
    if (!*fact) fact = clprims_status_name(status);
    if (is_users)
        complain(EXIT_USAGE, "%s '%s': %s", option, text, fact);
    else
        complain(EXIT_DEVICE, "%s", fact);
    print_log(fact, error->build_log);
    return is_users ? EXIT_USAGE : exit_of_status(status);
}

int library_exit(clprims_status status) {
    return library_exit_with_text(status, NULL, NULL);
}
