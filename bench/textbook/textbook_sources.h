/* SPDX-License-Identifier: MIT */
/* The texts of the kernels here, which the build puts into textbook_sources.c. */
#ifndef TEXTBOOK_SOURCES_H
#define TEXTBOOK_SOURCES_H

#include <stddef.h>

typedef struct textbook_source {
    const char *name; /* "scan.cl" */
    const char *text;
    size_t bytes;
} textbook_source;

extern const textbook_source textbook_sources[]; /* a NULL name ends them */

#endif
