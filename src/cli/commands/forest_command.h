/* SPDX-License-Identifier: MIT */
/* The part of clprims rank that --forest asks for. */
#ifndef CLI_FOREST_COMMAND_H
#define CLI_FOREST_COMMAND_H

#include "cli/arguments.h"

typedef struct forest_request {
    const char *heads; /* file of the heads that are given, or NULL */
    const char *head_of; /* where each element's head goes, or NULL */
    const char *in;
    const char *out;
} forest_request;

/* Gives back the exit status. */
int forest_run(const forest_request *request, const cli_settings *common);

#endif
