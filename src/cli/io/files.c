/* SPDX-License-Identifier: MIT */
/* Names of files, their links, and the names that stand for open descriptors. */
#include "cli/io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MOST = 40 }; /* as in Linux */

void files_begin(void) {
    signal(SIGXFSZ, SIG_IGN);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
        /* Opened the wrong way round, so that to use it is the error that it was. */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return;
    }
}

bool files_are_one(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

void files_wait(int fd, bool to_write) {
    struct pollfd ready = {.fd = fd, .events = to_write ? POLLOUT : POLLIN};
    (void)poll(&ready, 1, -1);
}

/* How many of a name's characters are its folder's, the last slash among them. */
static size_t folder_length(const char *name) {
    const char *const slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

/* /proc/PID/fd, to which /dev/fd and /proc/self/fd lead, or a thread's. */
static bool holds_own_descriptors(const char *folder) {
    char own[32];
    snprintf(own, sizeof own, "/proc/%ld/", (long)getpid());
    const size_t length = strlen(folder);
    return strncmp(folder, own, strlen(own)) == 0 && strcmp(folder + length - 3, "/fd") == 0;
}

static int descriptor_of(const char *name) {
    const size_t length = folder_length(name);
    const char *const last = name + length;
    const size_t digits = strspn(last, "0123456789");
    if (length == 0 || digits == 0 || digits > 9 || last[digits]) return -1;
    char *const folder = strndup(name, length);
    char *const real = folder ? realpath(folder, NULL) : NULL;
    const int descriptor = real && holds_own_descriptors(real) ? atoi(last) : -1;
    free(real);
    free(folder);
    return descriptor;
}

/* What a link says, seen from where the link itself was seen; NULL for what is none. */
static char *read_link(const char *name) {
    char text[PATH_MAX];
    const ssize_t got = readlink(name, text, sizeof text - 1);
    if (got < 0) return NULL;
    const size_t length = (size_t)got, folder = text[0] == '/' ? 0 : folder_length(name);
    char *const joined = malloc(folder + length + 1);
    if (!joined) return NULL;
    memcpy(joined, name, folder);
    memcpy(joined + folder, text, length);
    joined[folder + length] = '\0';
    return joined;
}

char *files_follow(const char *path, int *descriptor) {
    char *name = strdup(path);
    *descriptor = -1;
    for (int links = 0; name && links <= LINKS_MOST; ++links) {
        *descriptor = descriptor_of(name);
        if (*descriptor >= 0) return name;
        char *const next = read_link(name);
        /* EINVAL: it is no link. */
        if (!next && (errno == EINVAL || errno == ENOENT)) return name;
        free(name);
        if (!next) return NULL;
        name = next;
    }
    if (name) errno = ELOOP;
    free(name);
    return NULL;
}
