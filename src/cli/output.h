/* SPDX-License-Identifier: MIT */
/* Output files that appear whole or not at all. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes go to a temporary file in the target's folder, which takes the target's name at the end.
 * Start from OUTPUT_INIT. Each call gives back EXIT_FINE, or EXIT_USAGE after a message.
 */
typedef struct cli_output {
    const char *path; /* as the user gave it */
    char *target; /* with links resolved */
    char *temporary; /* NULL: no such file now */
    int fd;
} cli_output;

#define OUTPUT_INIT                                                                                \
    { NULL, NULL, NULL, -1 }

/* The most that one command writes at a time. */
enum { OUTPUTS_MOST = 2 };

int output_create(cli_output *output, const char *path);
int output_write(cli_output *output, const void *bytes, size_t count);

/* Gives files their names, none of them before the bytes of all are safe. */
int output_commit(cli_output *outputs, size_t count);

/* Whether two outputs would get one name. */
bool output_is_same(const cli_output *a, const cli_output *b);

/* Removes what was not committed and frees all; fine after any of the above, and again. */
void output_close(cli_output *output);

#endif
