/* SPDX-License-Identifier: MIT */
/* Reads inputs and writes outputs that are open, on every system. */
#include "cli/io/files.h"
#include "cli/io/replacement.h"
#include "cli/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Windows counts the bytes of a call in an int. */
static unsigned at_once(size_t count) {
    return count < 1u << 30 ? (unsigned)count : 1u << 30;
}

/* ---- Inputs ---- */

int input_fail(const cli_input *input) {
    return complain(EXIT_USAGE, "%s: can't be read: %s", input->name, strerror(errno));
}

int input_read(cli_input *input, void *bytes, size_t count, size_t *got) {
    char *const at = bytes;
    for (*got = 0; *got < count;) {
        const ssize_t more = read(input->fd, at + *got, at_once(count - *got));
        if (more == 0) break;
        if (more > 0)
            *got += (size_t)more;
        else if (errno == EAGAIN)
            files_wait(input->fd, false);
        else if (errno != EINTR)
            return input_fail(input);
    }
    return EXIT_FINE;
}

void input_close(cli_input *input) {
    if (input->fd >= 0) close(input->fd);
    input->fd = -1;
}

/* ---- Outputs ---- */

int output_fail(const cli_output *output) {
    return complain(EXIT_USAGE, "%s: can't be written: %s", output->name, strerror(errno));
}

int outputs_check(const cli_output *outputs, size_t count) {
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < i; ++k)
            if (outputs_are_one(&outputs[k], &outputs[i]))
                return complain(EXIT_USAGE, "%s and %s are one file; each output needs its own",
                                outputs[k].name, outputs[i].name);
    return EXIT_FINE;
}

bool output_is_file(const cli_output *output) {
    return output->target != NULL;
}

int output_write(cli_output *output, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        const ssize_t written = write(output->fd, at, at_once(count));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            files_wait(output->fd, true);
            continue;
        }
        if (written < 0) return output_fail(output);
        at += written;
        count -= (size_t)written;
    }
    return EXIT_FINE;
}

int output_finish(cli_output *output) {
    const int synced = output_is_file(output) ? fsync(output->fd) : 0;
    const int reason = errno;
    const int closed = close(output->fd);
    output->fd = -1;
    if (synced != 0) errno = reason;
    return synced == 0 && closed == 0 ? EXIT_FINE : output_fail(output);
}

int output_publish(cli_output *output) {
    return output_is_file(output) ? replacement_publish(output) : EXIT_FINE;
}

void output_close(cli_output *output) {
    if (output->fd >= 0) close(output->fd);
    replacement_remove(output);
    free(output->target);
    output->fd = -1;
    output->target = NULL;
}
