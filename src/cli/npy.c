/* SPDX-License-Identifier: MIT */
/*
 * NEP 1 and its successors: magic, version, length of the header, the header as text of a Python
 * dictionary, then the elements. Versions 1.0 to 3.0 are read, 1.0 is written.
 */
#include "npy.h"

#include "message.h"
#include "npy_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int fail(const npy_input *input) {
    return complain(EXIT_USAGE, "%s: can't be read: %s", input->path, strerror(errno));
}

int npy_read(npy_input *input, void *bytes, size_t count) {
    char *at = bytes;
    while (count > 0) {
        const ssize_t got = read(input->fd, at, count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(input);
        if (got == 0)
            return complain(EXIT_USAGE, "%s: is truncated: %zu bytes more were expected",
                            input->path, count);
        at += got;
        count -= (size_t)got;
    }
    return EXIT_FINE;
}

static int open_file(npy_input *input, uint64_t *file_bytes) {
    struct stat status;
    /* Without O_NONBLOCK a pipe's name would wait for a writer before it is refused. */
    input->fd = open(input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (input->fd < 0 || fstat(input->fd, &status) != 0) return fail(input);
    if (!S_ISREG(status.st_mode))
        return complain(EXIT_USAGE, "%s: can't be read: it is not a regular file", input->path);
    *file_bytes = (uint64_t)status.st_size;
    return EXIT_FINE;
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

/* Leaves the file at the header's text and says how long that is. */
static int read_start(npy_input *input, uint64_t file_bytes, size_t *start_bytes,
                      size_t *header_bytes) {
    unsigned char start[VERSION_BYTES] = {0};
    unsigned char length[4] = {0};
    const size_t have = file_bytes < sizeof start ? (size_t)file_bytes : sizeof start;
    int status = npy_read(input, start, have);
    if (status == EXIT_FINE) status = check_start(input->path, start, have);
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
    if (*header_bytes > file_bytes - *start_bytes)
        return complain(
            EXIT_USAGE, "%s: is truncated: its header has %zu bytes, but %llu follow its length",
            input->path, *header_bytes, (unsigned long long)(file_bytes - *start_bytes));
    return EXIT_FINE;
}

static int read_header(npy_input *input, size_t header_bytes, npy_wanted wanted) {
    size_t sizes[2] = {0, 1};
    char *const text = malloc(header_bytes + 1);
    if (!text)
        return complain(EXIT_DEVICE, "%s: no memory for its header of %zu bytes", input->path,
                        header_bytes);
    int status = npy_read(input, text, header_bytes);
    if (status == EXIT_FINE) {
        text[header_bytes] = '\0';
        status = npy_parse_header(input->path, text, header_bytes, &input->type, wanted, sizes);
        input->rows = sizes[0];
        input->columns = sizes[1];
        input->n = sizes[0] * sizes[1];
    }
    free(text);
    return status;
}

static int check_size(const npy_input *input, uint64_t element_bytes_there) {
    const size_t bytes = clprims_type_bytes(input->type);
    const char *const type = clprims_type_name(input->type);
    if (input->n > SIZE_MAX / bytes)
        return complain(EXIT_USAGE, "%s: %zu elements of %s have more bytes than can be counted",
                        input->path, input->n, type);
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

static int open_array(npy_input *input, const char *path, npy_wanted wanted) {
    uint64_t file_bytes = 0;
    size_t start_bytes = 0;
    size_t header_bytes = 0;
    input->path = path;
    int status = open_file(input, &file_bytes);
    if (status == EXIT_FINE) status = read_start(input, file_bytes, &start_bytes, &header_bytes);
    if (status == EXIT_FINE) status = read_header(input, header_bytes, wanted);
    if (status == EXIT_FINE) status = check_size(input, file_bytes - start_bytes - header_bytes);
    return status;
}

int npy_open(npy_input *input, const char *path) {
    return open_array(input, path, (npy_wanted){.dimensions = 1});
}

int npy_open_flags(npy_input *input, const char *path) {
    const int status = open_array(input, path, (npy_wanted){.dimensions = 1, .takes_bool = true});
    if (status != EXIT_FINE || input->type == CLPRIMS_U8) return status;
    return complain(EXIT_USAGE, "%s: its elements are %s; flags are bool or uint8", path,
                    clprims_type_name(input->type));
}

int npy_open_matrix(npy_input *input, const char *path) {
    return open_array(input, path, (npy_wanted){.dimensions = 2});
}

void npy_close(npy_input *input) {
    if (input->fd >= 0) close(input->fd);
    input->fd = -1;
}

static int write_header(cli_output *output, clprims_type type, const char *shape) {
    char header[4 * ALIGNMENT];
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

int npy_write_header(cli_output *output, clprims_type type, size_t n) {
    char shape[64];
    snprintf(shape, sizeof shape, "(%zu,)", n);
    return write_header(output, type, shape);
}

int npy_write_matrix_header(cli_output *output, clprims_type type, size_t rows, size_t columns) {
    char shape[64];
    snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns);
    return write_header(output, type, shape);
}
