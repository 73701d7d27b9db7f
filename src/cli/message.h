/* SPDX-License-Identifier: MIT */
/* What the command says on standard error, and the exit status that goes with it. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <clprims/core.h>

/* As in core/status.h. */
#if defined(__MINGW32__) && !defined(__clang__)
#define CLI_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Whose fault it is, as the exit status says it. */
enum {
    EXIT_FINE = 0,
    EXIT_DATA = 1, /* the input's values are wrong */
    EXIT_USAGE = 2, /* wrong usage, or a file that can't be read or written */
    EXIT_DEVICE = 3 /* a device or OpenCL failure */
};

/* The subcommand that messages begin with; "" before one is known. */
void message_set_command(const char *command);

/* Prints "clprims scan: ..." and gives back exit_status. */
CLI_PRINTF(2, 3) int complain(int exit_status, const char *format, ...);

/* Prints the same line for something that is no fault. */
CLI_PRINTF(1, 2) void remark(const char *format, ...);

/*
 * EXIT_FINE after success. Otherwise prints what the library's error record holds, the build log
 * too, and gives back the exit status that belongs to it.
 */
int library_exit(clprims_status status);

/* The same for what was made with an option's OpenCL C, NULL if it was not given: what does not
 * compile then is the user's, and EXIT_USAGE. */
int library_exit_with_text(clprims_status status, const char *option, const char *text);

#endif
