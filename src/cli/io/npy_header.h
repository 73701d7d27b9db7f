/* SPDX-License-Identifier: MIT */
/* The header of a .npy file: the text of a Python dictionary. */
#ifndef CLI_NPY_HEADER_H
#define CLI_NPY_HEADER_H

#include <clprims/core.h>
#include <stdbool.h>

typedef struct npy_type {
    clprims_type type;
    bool is_bool; /* then type is uint8 */
} npy_type;

/*
 * Finds the type and the sizes, as many as there must be dimensions (1, or 2 in C order), in a
 * header of `length` characters and a '\0'. Characters that are not printable are replaced.
 * EXIT_FINE, or EXIT_USAGE after a message that says what about this array can't be read.
 */
int npy_parse_header(const char *path, char *text, size_t length, npy_type *type, size_t dimensions,
                     size_t *sizes);

/* NumPy's text for a type, "<i4". */
const char *npy_descr(npy_type type);

#endif
