/* SPDX-License-Identifier: MIT */
/*
 * NumPy's .npy files: arrays of one dimension or two of the library's types. Elements pass in
 * pieces, so that an array never needs a copy in the host's memory.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "cli/io/files.h"

#include <clprims/core.h>

/* Start from NPY_INPUT_INIT. Each call gives back EXIT_FINE, or EXIT_USAGE after a message. */
typedef struct npy_input {
    const char *path; /* as messages name it; NULL before it is opened */
    cli_input file;
    clprims_type type;
    bool is_bool; /* of one byte, 0 or 1, whose type is uint8 here */
    size_t n; /* elements in all */
    size_t rows, columns; /* of a matrix */
} npy_input;

#define NPY_INPUT_INIT                                                                             \
    { .file = INPUT_INIT }

/* What an array is for, which says what types and how many dimensions it may have. */
typedef enum npy_use {
    NPY_ELEMENTS,
    NPY_FLAGS,
    NPY_LINKS,
    NPY_INDICES,
    NPY_OFFSETS, /* not empty */
    NPY_MATRIX /* whose rows stand one after another */
} npy_use;

/* Reads and checks all but the elements; of a regular file its size, too. */
int npy_open(npy_input *input, const char *path, npy_use use);

/* The next `count` bytes of the elements; of bool every byte that is not 0 becomes 1, as in NumPy.
 */
int npy_read(npy_input *input, void *bytes, size_t count);

/* After the last element: nothing may follow. */
int npy_expect_end(npy_input *input);

/* "bool", or the name of its elements' type. */
const char *npy_type_name(const npy_input *input);

void npy_close(npy_input *input);

/* An array that becomes a file. */
typedef struct npy_array {
    clprims_type type;
    bool is_bool; /* uint8 that becomes NumPy's bool */
    size_t dimensions; /* 1: of `rows` elements; 2: a matrix */
    size_t rows, columns; /* columns: 1 of a vector */
} npy_array;

static inline npy_array npy_vector(clprims_type type, bool is_bool, size_t n) {
    return (npy_array){type, is_bool, 1, n, 1};
}

static inline npy_array npy_matrix(clprims_type type, size_t rows, size_t columns) {
    return (npy_array){type, false, 2, rows, columns};
}

/* Writes everything before the elements, as NumPy does. */
int npy_write_header(cli_output *output, const npy_array *array);

#endif
