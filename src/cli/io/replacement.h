/* SPDX-License-Identifier: MIT */
/* The temporary file that takes the place of a regular file. */
#ifndef CLI_REPLACEMENT_H
#define CLI_REPLACEMENT_H

#include "cli/io/files.h"

/* Whether the target's folder takes new files. */
int replacement_check(const cli_output *output);

/*
 * Makes it beside output->target and opens it. Where the target exists, it has all that the target
 * has but the bytes; otherwise what a new file of that name would have.
 */
int replacement_create(cli_output *output);

/* Gives it the target's name. */
int replacement_publish(cli_output *output);

/* Removes it; fine when there is none. */
void replacement_remove(cli_output *output);

#endif
