/* SPDX-License-Identifier: MIT */
/* Messages: one line each, led by the command's name. */
#include "message.h"

#include <stdarg.h>
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

int library_exit(clprims_status status) {
    if (status == CLPRIMS_OK) return EXIT_FINE;
    const clprims_error *const error = clprims_last_error();
    const char *fact = error->message;
    const size_t length = strlen(command_name);
    /* The library leads a message with the primitive, which may be the command's own name. */
    if (length > 0 && strncmp(fact, command_name, length) == 0 &&
        strncmp(fact + length, ": ", 2) == 0)
        fact += length + 2;
    complain(EXIT_DEVICE, "%s", *fact ? fact : clprims_status_name(status));
    if (*error->build_log) {
        const char *const log = error->build_log;
        fprintf(stderr, "%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
    }
    return exit_of_status(status);
}
