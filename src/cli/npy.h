/* SPDX-License-Identifier: MIT */
/*
 * NumPy's .npy files: arrays of one dimension or two of the library's types. Elements pass in
 * pieces, so that an array never needs a copy in the host's memory.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "output.h"

#include <clprims/core.h>

/* Start from NPY_INPUT_INIT. Each call gives back EXIT_FINE, or EXIT_USAGE after a message. */
typedef struct npy_input {
    const char *path;
    int fd;
    clprims_type type;
    size_t n; /* elements in all */
    size_t rows, columns; /* of a matrix */
} npy_input;

#define NPY_INPUT_INIT                                                                             \
    { NULL, -1, CLPRIMS_TYPE_DEFAULT, 0, 0, 0 }

/* Reads and checks all but the elements, the file's size too. */
int npy_open(npy_input *input, const char *path);

/* The same for flags: bool, which then counts as uint8, or uint8. */
int npy_open_flags(npy_input *input, const char *path);

/* The same for a matrix whose rows stand one after another. */
int npy_open_matrix(npy_input *input, const char *path);

/* The next `count` bytes of the elements. */
int npy_read(npy_input *input, void *bytes, size_t count);

void npy_close(npy_input *input);

/* Writes everything before the elements, as NumPy does. */
int npy_write_header(cli_output *output, clprims_type type, size_t n);
int npy_write_matrix_header(cli_output *output, clprims_type type, size_t rows, size_t columns);

#endif
