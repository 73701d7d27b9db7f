/* SPDX-License-Identifier: MIT */
/*
 * NEP 1 and its successors: magic, version, length of the header, the header as text of a Python
 * dictionary, then the elements. Versions 1.0 to 3.0 are read, 1.0 is written.
 */
#include "cli/io/npy.h"

#include "cli/io/npy_header.h"
#include "cli/message.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "npy.c writes little-endian elements as they are in memory"
#endif

static const char magic[] = "\x93NUMPY";

enum {
    MAGIC_BYTES = sizeof magic - 1,
    VERSION_BYTES = MAGIC_BYTES + 2,
    ALIGNMENT = 64, /* of the elements in a file that NumPy writes */
    HEADER_BYTES_MOST = 1024 * 1024 /* a header of an array that we read has about 118 */
};

int npy_read(npy_input *input, void *bytes, size_t count) {
    size_t got = 0;
    unsigned char *const bools = bytes;
    const int status = input_read(&input->file, bytes, count, &got);
    if (status == EXIT_FINE && got == count && input->is_bool)
        for (size_t i = 0; i < count; ++i) bools[i] = bools[i] != 0;
    if (status != EXIT_FINE || got == count) return status;
    return complain(EXIT_USAGE, "%s: is truncated: %zu bytes more were expected", input->path,
                    count - got);
}

int npy_expect_end(npy_input *input) {
    char more;
    size_t got = 0;
    const int status = input_read(&input->file, &more, 1, &got);
    if (status == EXIT_FINE && got == 0)
        input_close(&input->file); /* Windows replaces none that is open */
    if (status != EXIT_FINE || got == 0) return status;
    return complain(EXIT_USAGE, "%s: has more bytes after its %zu elements of %s", input->path,
                    input->n, npy_type_name(input));
}

const char *npy_type_name(const npy_input *input) {
    return input->is_bool ? "bool" : clprims_type_name(input->type);
}

static int check_start(const char *path, const unsigned char *start, size_t bytes) {
    if (bytes >= 4 && memcmp(start, "PK\x03\x04", 4) == 0)
        return complain(EXIT_USAGE, "%s: is an archive, as .npz files are; one .npy is needed",
                        path);
    if (memcmp(start, magic, bytes < MAGIC_BYTES ? bytes : MAGIC_BYTES) != 0)
        return complain(EXIT_USAGE, "%s: is no .npy file: it lacks the leading \\x93NUMPY", path);
    if (bytes < VERSION_BYTES)
        return complain(EXIT_USAGE, "%s: is truncated: it has %zu bytes, less than any .npy file",
                        path, bytes);
    const unsigned major = start[MAGIC_BYTES];
    const unsigned minor = start[MAGIC_BYTES + 1];
    if (major < 1 || major > 3 || minor != 0)
        return complain(EXIT_USAGE, "%s: has .npy version %u.%u; 1.0, 2.0 and 3.0 can be read",
                        path, major, minor);
    return EXIT_FINE;
}

/* Leaves the input at the header's text and says how long that is. */
static int read_start(npy_input *input, size_t *start_bytes, size_t *header_bytes) {
    unsigned char start[VERSION_BYTES] = {0};
    unsigned char length[4] = {0};
    size_t got = 0;
    int status = input_read(&input->file, start, sizeof start, &got);
    if (status == EXIT_FINE) status = check_start(input->path, start, got);
    if (status != EXIT_FINE) return status;
    const size_t length_bytes = start[MAGIC_BYTES] == 1 ? 2 : 4;
    status = npy_read(input, length, length_bytes);
    if (status != EXIT_FINE) return status;
    *start_bytes = VERSION_BYTES + length_bytes;
    *header_bytes =
        length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (*header_bytes > HEADER_BYTES_MOST)
        return complain(EXIT_USAGE, "%s: claims a header of %zu bytes; no array needs more than %d",
                        input->path, *header_bytes, HEADER_BYTES_MOST);
    return EXIT_FINE;
}

static int parse_header(npy_input *input, char *text, size_t header_bytes, size_t dimensions) {
    size_t got = 0, sizes[2] = {0, 1};
    int status = input_read(&input->file, text, header_bytes, &got);
    if (status != EXIT_FINE) return status;
    if (got < header_bytes)
        return complain(EXIT_USAGE,
                        "%s: is truncated: its header has %zu bytes, but %zu follow its length",
                        input->path, header_bytes, got);
    text[header_bytes] = '\0';
    npy_type type = {CLPRIMS_TYPE_DEFAULT, false};
    status = npy_parse_header(input->path, text, header_bytes, &type, dimensions, sizes);
    input->type = type.type;
    input->is_bool = type.is_bool;
    input->rows = sizes[0];
    input->columns = sizes[1];
    input->n = sizes[0] * sizes[1];
    return status;
}

static int read_header(npy_input *input, size_t header_bytes, size_t dimensions) {
    char *const text = malloc(header_bytes + 1);
    if (!text)
        return complain(EXIT_DEVICE, "%s: no memory for its header of %zu bytes", input->path,
                        header_bytes);
    const int status = parse_header(input, text, header_bytes, dimensions);
    free(text);
    return status;
}

/* What comes through a pipe is counted as it comes. */
static int check_size(const npy_input *input, size_t bytes_before) {
    const size_t bytes = clprims_type_bytes(input->type);
    const char *const type = npy_type_name(input);
    if (input->n > SIZE_MAX / bytes)
        return complain(EXIT_USAGE, "%s: %zu elements of %s have more bytes than can be counted",
                        input->path, input->n, type);
    if (!input->file.has_size) return EXIT_FINE;
    const uint64_t element_bytes_there =
        input->file.bytes > bytes_before ? input->file.bytes - bytes_before : 0;
    const size_t needed = input->n * bytes;
    if (element_bytes_there < needed)
        return complain(
            EXIT_USAGE, "%s: is truncated: %zu elements of %s need %zu bytes, but %llu are there",
            input->path, input->n, type, needed, (unsigned long long)element_bytes_there);
    if (element_bytes_there > needed)
        return complain(EXIT_USAGE, "%s: has %llu bytes after its %zu elements of %s", input->path,
                        (unsigned long long)(element_bytes_there - needed), input->n, type);
    return EXIT_FINE;
}

static int open_array(npy_input *input, const char *path, size_t dimensions) {
    size_t start_bytes = 0;
    size_t header_bytes = 0;
    int status = input_open(&input->file, path);
    input->path = input->file.name;
    if (status == EXIT_FINE) status = read_start(input, &start_bytes, &header_bytes);
    if (status == EXIT_FINE) status = read_header(input, header_bytes, dimensions);
    if (status == EXIT_FINE) status = check_size(input, start_bytes + header_bytes);
    return status;
}

int npy_open(npy_input *input, const char *path, npy_use use) {
    enum {
        LONGS = 1 << CLPRIMS_I32 | 1 << CLPRIMS_I64,
        FLOATS = 1 << CLPRIMS_F32 | 1 << CLPRIMS_F64
    };
    static const struct {
        unsigned types;
        const char *text;
    } uses[] = {
        [NPY_ELEMENTS] = {~0U, ""},
        [NPY_FLAGS] = {1 << CLPRIMS_U8, "flags are bool or uint8"},
        [NPY_LINKS] = {LONGS, "links are int32 or int64"},
        [NPY_INDICES] = {LONGS | 1 << CLPRIMS_U32, "indices are int32, int64 or uint32"},
        [NPY_OFFSETS] = {LONGS, "offsets are int32 or int64"},
        [NPY_MATRIX] = {LONGS | FLOATS, "matrices are of float32, float64, int32 or int64"}};
    const int status = open_array(input, path, use == NPY_MATRIX ? 2 : 1);
    if (status != EXIT_FINE) return status;
    if ((uses[use].types >> input->type & 1) == 0)
        return complain(EXIT_USAGE, "%s: its elements are %s; %s", input->path,
                        npy_type_name(input), uses[use].text);
    if (use == NPY_OFFSETS && input->n == 0)
        return complain(EXIT_USAGE, "%s: it is empty; there is one more offset than segments",
                        input->path);
    return EXIT_FINE;
}

void npy_close(npy_input *input) {
    input_close(&input->file);
}

int npy_write_header(cli_output *output, const npy_array *array) {
    char header[4 * ALIGNMENT], shape[64];
    const npy_type type = {array->type, array->is_bool};
    if (array->dimensions == 2)
        snprintf(shape, sizeof shape, "(%zu, %zu)", array->rows, array->columns);
    else
        snprintf(shape, sizeof shape, "(%zu,)", array->rows);
    const size_t start = VERSION_BYTES + 2;
    const int printed =
        snprintf(header + start, sizeof header - start,
                 "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", npy_descr(type), shape);
    const size_t used = start + (size_t)printed + 1;
    const size_t total = (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used - 1, ' ', total - used);
    header[total - 1] = '\n';
    memcpy(header, magic, MAGIC_BYTES);
    header[MAGIC_BYTES] = 1;
    header[MAGIC_BYTES + 1] = 0;
    header[VERSION_BYTES] = (char)((total - start) & 0xff);
    header[VERSION_BYTES + 1] = (char)((total - start) >> 8);
    return output_write(output, header, total);
}
