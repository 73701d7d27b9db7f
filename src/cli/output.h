/* SPDX-License-Identifier: MIT */
/* An output file that appears whole or not at all. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

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

int output_create(cli_output *output, const char *path);
int output_write(cli_output *output, const void *bytes, size_t count);
int output_commit(cli_output *output);

/* Removes what was not committed and frees all; fine after any of the above, and again. */
void output_close(cli_output *output);

#endif
