/* SPDX-License-Identifier: MIT */
/* Temporary files: their names, and that no signal leaves one behind. */
#include "cli/io/replacement.h"

#include "cli/io/attributes.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Signals ---- */

static const int fatal_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
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

/* ---- The file ---- */

static int fail(const cli_output *output, const char *what) {
    return complain(EXIT_USAGE, "%s: can't be %s: %s", output->name,
                    output->exists ? "replaced" : "written", what);
}

static int fail_to_create(const cli_output *output, const char *reason) {
    return complain(EXIT_USAGE, "%s: can't be %s: no temporary file can be made in its folder: %s",
                    output->name, output->exists ? "replaced" : "written", reason);
}

static size_t folder_length(const cli_output *output) {
    const char *const slash = strrchr(output->target, '/');
    return slash ? (size_t)(slash - output->target) + 1 : 0;
}

int replacement_check(const cli_output *output) {
    const size_t length = folder_length(output);
    char *const folder = strndup(length > 0 ? output->target : ".", length > 0 ? length : 1);
    const bool fits = folder && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
    const int reason = errno;
    free(folder);
    return fits ? EXIT_FINE : fail_to_create(output, strerror(reason));
}

/* A name that no other process and no earlier file is likely to have. */
static void print_name(char *at, size_t bytes, unsigned attempt) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(at, bytes, ".clprims-%lx-%llx-%x", (unsigned long)getpid(),
             (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec,
             attempt);
}

/* Other threads take signals, too: the name is known to the handler before there is a file. */
static int open_new(char *name, size_t folder, size_t bytes, mode_t mode) {
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
        print_name(name + folder, bytes - folder, attempt);
        set_unfinished(NULL, name);
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) return fd;
        set_unfinished(name, NULL);
        if (errno != EEXIST) return -1;
    }
    return -1;
}

static int open_temporary(cli_output *output) {
    enum { NAME_BYTES = 64 };
    const size_t folder = folder_length(output);
    char *const name = malloc(folder + NAME_BYTES);
    if (!name) return fail(output, strerror(ENOMEM));
    memcpy(name, output->target, folder);
    watch_signals();
    /* The old file may be its owner's secret. */
    output->fd = open_new(name, folder, folder + NAME_BYTES, output->exists ? 0600 : 0666);
    if (output->fd < 0) {
        const int reason = errno;
        free(name);
        return fail_to_create(output, strerror(reason));
    }
    output->temporary = name;
    return EXIT_FINE;
}

int replacement_create(cli_output *output) {
    if (!output->exists) return open_temporary(output);
    /* The old file's own permissions count, not its folder's alone. */
    const int old = open(output->target, O_WRONLY | O_CLOEXEC);
    if (old < 0)
        return complain(EXIT_USAGE, "%s: can't be written: %s", output->name, strerror(errno));
    int status = open_temporary(output);
    if (status == EXIT_FINE) {
        const char *const lost = attributes_keep(old, output->fd);
        if (lost)
            status = complain(EXIT_USAGE, "%s: can't be replaced: its %s can't be kept: %s",
                              output->name, lost, strerror(errno));
    }
    close(old);
    return status;
}

static void forget(cli_output *output) {
    if (output->temporary) set_unfinished(output->temporary, NULL);
    free(output->temporary);
    output->temporary = NULL;
}

int replacement_publish(cli_output *output) {
    if (rename(output->temporary, output->target) != 0) return fail(output, strerror(errno));
    forget(output);
    return EXIT_FINE;
}

void replacement_remove(cli_output *output) {
    if (output->temporary) unlink(output->temporary);
    forget(output);
}
