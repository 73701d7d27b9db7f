/* SPDX-License-Identifier: MIT */
/* What these programs do where a call of clprims fails: they say what is wrong, and end. */
#ifndef CALL_H
#define CALL_H

#include <clprims/core.h>
#include <stdio.h>
#include <stdlib.h>

static inline void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

#endif
