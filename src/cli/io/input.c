/* SPDX-License-Identifier: MIT */
/* Opens inputs. */
#include "cli/io/files.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was opened and gives its bytes to one reader only. */
static struct stat streams[INPUTS_MOST];
static size_t stream_count;

static int take_stream(const cli_input *input, const struct stat *now) {
    for (size_t i = 0; i < stream_count; ++i)
        if (files_are_one(&streams[i], now))
            return complain(EXIT_USAGE, "%s: can be read only once, but two inputs need it",
                            input->name);
    if (stream_count < INPUTS_MOST) streams[stream_count++] = *now;
    return EXIT_FINE;
}

/* A descriptor of a regular file reads on where its other users stopped; so it is a stream. */
static int examine(cli_input *input, bool is_shared) {
    struct stat now;
    if (input->fd < 0 || fstat(input->fd, &now) != 0) return input_fail(input);
    input->has_size = S_ISREG(now.st_mode);
    input->bytes = (uint64_t)now.st_size;
    if (input->has_size && is_shared) {
        const off_t at = lseek(input->fd, 0, SEEK_CUR);
        if (at < 0) return input_fail(input);
        input->bytes = at < now.st_size ? (uint64_t)(now.st_size - at) : 0;
    }
    return input->has_size && !is_shared ? EXIT_FINE : take_stream(input, &now);
}

int input_open(cli_input *input, const char *path) {
    int descriptor = -1;
    const bool is_standard = strcmp(path, "-") == 0;
    input->name = is_standard ? "standard input" : path;
    if (is_standard) {
        input->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        return examine(input, true);
    }
    free(files_follow(path, &descriptor));
    struct stat now;
    const bool is_file = stat(path, &now) == 0 && S_ISREG(now.st_mode);
    do
        input->fd = descriptor >= 0 && !is_file ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                                                : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (input->fd < 0 && errno == EINTR);
    return examine(input, false);
}
