/* SPDX-License-Identifier: MIT */
/* The header of a .npy file: the text of a Python dictionary. */
#ifndef CLI_NPY_HEADER_H
#define CLI_NPY_HEADER_H

#include <clprims/core.h>
#include <stdbool.h>

/* Which arrays are read. */
typedef struct npy_wanted {
    size_t dimensions; /* 1 or 2, the latter in C order */
    bool takes_bool; /* as uint8 */
} npy_wanted;

/*
 * Finds the type and the sizes, as many as there must be dimensions, in a header of `length`
 * characters and a '\0'. Characters that are not printable are replaced. EXIT_FINE, or EXIT_USAGE
 * after a message that says what about this array can't be read.
 */
int npy_parse_header(const char *path, char *text, size_t length, clprims_type *type,
                     npy_wanted wanted, size_t *sizes);

/* NumPy's text for a type, "<i4". */
const char *npy_descr(clprims_type type);

#endif
