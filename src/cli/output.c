/* SPDX-License-Identifier: MIT */
/* Writes under a temporary name and renames: readers see the old file or the whole new one. */
#include "output.h"

#include "message.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
enum { FATAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals };

/* The files that a fatal signal must not leave behind. */
static const char *volatile unfinished[OUTPUTS_MOST];

static void remove_unfinished(int number) {
    for (size_t i = 0; i < OUTPUTS_MOST; ++i)
        if (unfinished[i]) unlink(unfinished[i]);
    raise(number); /* SA_RESETHAND: this time with the signal's own effect */
}

/* Puts a file in the place of another; NULL stands for none. */
static void set_unfinished(const char *from, const char *to) {
    for (size_t i = 0; i < OUTPUTS_MOST; ++i)
        if (unfinished[i] == from) {
            unfinished[i] = to;
            return;
        }
}

static void watch_signals(void) {
    for (size_t i = 0; i < FATAL_COUNT; ++i) {
        struct sigaction before;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = remove_unfinished;
        action.sa_flags = (int)SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        /* What the caller ignores (nohup) stays ignored; the handler of a compiler inside the
         * OpenCL driver has nothing left to remove. */
        if (sigaction(fatal_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

static int fail(const cli_output *output, const char *what) {
    return complain(EXIT_USAGE, "%s: %s: %s", output->path, what, strerror(errno));
}

/* A rename would put a plain file in the place of a device, pipe or folder. */
static int check_target(cli_output *output) {
    struct stat status;
    output->target = realpath(output->path, NULL);
    if (!output->target) {
        if (errno != ENOENT) return fail(output, "can't be written");
        output->target = strdup(output->path);
        return output->target ? EXIT_FINE : fail(output, "can't be written");
    }
    if (stat(output->target, &status) != 0) return fail(output, "can't be written");
    if (!S_ISREG(status.st_mode))
        return complain(EXIT_USAGE, "%s: can't be written: it is not a regular file", output->path);
    return EXIT_FINE;
}

/* mkstemp gives 0600; a file that is made by its final name would have what umask leaves. */
static int set_mode(int fd) {
    const mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, 0666 & ~mask);
}

static int create_temporary(cli_output *output) {
    static const char pattern[] = ".clprims-XXXXXX";
    const char *const slash = strrchr(output->target, '/');
    const size_t folder = slash ? (size_t)(slash - output->target) + 1 : 0;
    char *const name = malloc(folder + sizeof pattern);
    if (!name) return fail(output, "can't be written");
    memcpy(name, output->target, folder);
    memcpy(name + folder, pattern, sizeof pattern);
    output->fd = mkstemp(name);
    if (output->fd < 0) {
        const int status = fail(output, "no temporary file can be made in its folder");
        free(name);
        return status;
    }
    output->temporary = name;
    set_unfinished(NULL, name);
    return set_mode(output->fd) == 0 ? EXIT_FINE : fail(output, "its mode can't be set");
}

int output_create(cli_output *output, const char *path) {
    output->path = path;
    watch_signals();
    const int status = check_target(output);
    return status == EXIT_FINE ? create_temporary(output) : status;
}

int output_write(cli_output *output, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        const ssize_t written = write(output->fd, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(output, "can't be written");
        at += written;
        count -= (size_t)written;
    }
    return EXIT_FINE;
}

static int finish(cli_output *output) {
    const int synced = fsync(output->fd);
    const int reason = errno;
    const int closed = close(output->fd);
    output->fd = -1;
    if (synced != 0) errno = reason;
    return synced == 0 && closed == 0 ? EXIT_FINE : fail(output, "can't be written");
}

static void forget_temporary(cli_output *output) {
    if (output->temporary) set_unfinished(output->temporary, NULL);
    free(output->temporary);
    output->temporary = NULL;
}

static int publish(cli_output *output) {
    if (rename(output->temporary, output->target) != 0) return fail(output, "can't be replaced");
    forget_temporary(output);
    return EXIT_FINE;
}

int output_commit(cli_output *outputs, size_t count) {
    int status = EXIT_FINE;
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) status = finish(&outputs[i]);
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) status = publish(&outputs[i]);
    return status;
}

static const char *name_of(const cli_output *output) {
    const char *const slash = strrchr(output->target, '/');
    return slash ? slash + 1 : output->target;
}

static bool find_folder(const cli_output *output, struct stat *status) {
    const size_t length = (size_t)(name_of(output) - output->target);
    char *const folder = length > 0 ? strndup(output->target, length) : NULL;
    const bool found = stat(folder ? folder : ".", status) == 0;
    free(folder);
    return found;
}

/* A name that is not there yet can't be resolved, but its folder can. */
bool output_is_same(const cli_output *a, const cli_output *b) {
    struct stat folder_a, folder_b;
    return strcmp(name_of(a), name_of(b)) == 0 && find_folder(a, &folder_a) &&
           find_folder(b, &folder_b) && folder_a.st_dev == folder_b.st_dev &&
           folder_a.st_ino == folder_b.st_ino;
}

void output_close(cli_output *output) {
    if (output->fd >= 0) close(output->fd);
    if (output->temporary) unlink(output->temporary);
    forget_temporary(output);
    free(output->target);
    output->fd = -1;
    output->target = NULL;
}
