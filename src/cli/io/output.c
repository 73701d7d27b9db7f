/* SPDX-License-Identifier: MIT */
/* Opens outputs. Readers of a regular file see the old one or the whole new one. */
#include "cli/io/files.h"
#include "cli/io/replacement.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Where to ---- */

/* What is lost anyway mixes with nothing. */
static bool keeps_bytes(const struct stat *now) {
    struct stat null;
    return !S_ISCHR(now->st_mode) || stat("/dev/null", &null) != 0 || now->st_rdev != null.st_rdev;
}

bool output_goes_to(const char *path, int descriptor) {
    struct stat to, there;
    const bool found =
        strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &to) == 0 : stat(path, &to) == 0;
    return found && fstat(descriptor, &there) == 0 && files_are_one(&to, &there) &&
           keeps_bytes(&there);
}

static int find_descriptor(cli_output *output, int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);
    output->descriptor = descriptor;
    output->exists = flags >= 0 && fstat(descriptor, &output->now) == 0;
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) errno = EBADF;
    return output->exists && (flags & O_ACCMODE) != O_RDONLY ? EXIT_FINE : output_fail(output);
}

/* The file may have no name any more, or one that only the kernel can follow. */
static bool is_named(const cli_output *output, const char *name) {
    struct stat found;
    return lstat(name, &found) == 0 && files_are_one(&found, &output->now);
}

static int check_access(const cli_output *output) {
    if (output->exists && S_ISDIR(output->now.st_mode)) {
        errno = EISDIR;
        return output_fail(output);
    }
    if (output->exists && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0)
        return output_fail(output);
    return output->target ? replacement_check(output) : EXIT_FINE;
}

static int find_path(cli_output *output, char **last) {
    struct stat standard;
    int descriptor = -1;
    *last = files_follow(output->path, &descriptor);
    if (!*last) return output_fail(output);
    if (descriptor >= 0) return find_descriptor(output, descriptor);
    output->exists = stat(output->path, &output->now) == 0;
    if (!output->exists && errno != ENOENT) return output_fail(output);
    /* The shell opened it for all that is said there: a new file would take it away. */
    if (output->exists && fstat(STDOUT_FILENO, &standard) == 0 &&
        files_are_one(&standard, &output->now) && keeps_bytes(&standard))
        return find_descriptor(output, STDOUT_FILENO);
    if (!output->exists || (S_ISREG(output->now.st_mode) && is_named(output, *last))) {
        output->target = *last;
        *last = NULL;
    }
    return check_access(output);
}

int output_find(cli_output *output, const char *path) {
    char *last = NULL;
    const bool is_standard = strcmp(path, "-") == 0;
    output->path = path;
    output->name = is_standard ? "standard output" : path;
    const int status =
        is_standard ? find_descriptor(output, STDOUT_FILENO) : find_path(output, &last);
    free(last);
    return status;
}

/* ---- Which is which ---- */

static const char *last_of(const cli_output *output) {
    const char *const slash = strrchr(output->target, '/');
    return slash ? slash + 1 : output->target;
}

static bool find_folder(const cli_output *output, struct stat *status) {
    const size_t length = (size_t)(last_of(output) - output->target);
    char *const folder = length > 0 ? strndup(output->target, length) : NULL;
    const bool found = stat(folder ? folder : ".", status) == 0;
    free(folder);
    return found;
}

/* What is not there yet is known by its folder and its name. */
bool outputs_are_one(const cli_output *a, const cli_output *b) {
    struct stat folder_a, folder_b;
    if (a->exists != b->exists) return false;
    if (a->exists) return files_are_one(&a->now, &b->now) && keeps_bytes(&a->now);
    return strcmp(last_of(a), last_of(b)) == 0 && find_folder(a, &folder_a) &&
           find_folder(b, &folder_b) && files_are_one(&folder_a, &folder_b);
}

/* ---- Opening ---- */

/* A pipe waits here until it has a reader. */
int output_open(cli_output *output) {
    if (output->target) return replacement_create(output);
    do
        output->fd = output->descriptor >= 0
                         ? fcntl(output->descriptor, F_DUPFD_CLOEXEC, 0)
                         : open(output->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    while (output->fd < 0 && errno == EINTR);
    return output->fd >= 0 ? EXIT_FINE : output_fail(output);
}
