/* SPDX-License-Identifier: MIT */
/* The only file of the store that calls POSIX. */
#include "store/store_files.h"

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int at(int folder) {
    return folder == CLP_NO_FOLDER ? AT_FDCWD : folder;
}

/* Other users must not decide what code this process runs. */
static bool is_own(const struct stat *facts) {
    return facts->st_uid == geteuid() && (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* ---- Folders ---- */

int clp_folder_open(const char *path) {
    struct stat facts;
    (void)mkdir(path, S_IRWXU);
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &facts) == 0 && is_own(&facts)) return folder;
    clp_folder_close(folder);
    return CLP_NO_FOLDER;
}

void clp_folder_close(int folder) {
    if (folder >= 0) close(folder);
}

static bool is_older(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Returns the bytes of the store's files, and sets `name` to the one that was not used for longest.
 * Temporary files that a process left behind are among them. */
static uint64_t survey(DIR *files, char *name, size_t room) {
    struct timespec oldest = {0};
    uint64_t bytes = 0;
    name[0] = '\0';
    rewinddir(files);
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        struct stat facts;
        if (!clp_is_of_store(file->d_name)) continue;
        if (fstatat(dirfd(files), file->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISREG(facts.st_mode)) continue;
        bytes += (uint64_t)facts.st_size;
        if (name[0] != '\0' && !is_older(&facts.st_mtim, &oldest)) continue;
        oldest = facts.st_mtim;
        snprintf(name, room, "%s", file->d_name);
    }
    return bytes;
}

void clp_folder_trim(int folder, uint64_t most) {
    char name[256];
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *files = again >= 0 ? fdopendir(again) : NULL;
    if (files == NULL) {
        clp_folder_close(again);
        return;
    }
    while (survey(files, name, sizeof name) > most && unlinkat(folder, name, 0) == 0) continue;
    closedir(files);
}

/* ---- Files ---- */

static bool read_all(int file, char *bytes, size_t count) {
    while (count > 0) {
        const ssize_t got = read(file, bytes, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

void *clp_file_read(int folder, const char *name, size_t *bytes) {
    const bool trusted = folder == CLP_NO_FOLDER;
    struct stat facts;
    void *all = NULL;
    /* The opening of a pipe would wait for whoever writes. */
    const int file =
        openat(at(folder), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (trusted ? 0 : O_NOFOLLOW));
    if (file < 0) return NULL;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && (trusted || is_own(&facts))) {
        *bytes = (size_t)facts.st_size;
        all = malloc(*bytes + 1);
    }
    if (all != NULL && !read_all(file, all, *bytes)) {
        free(all);
        all = NULL;
    }
    if (!trusted) (void)futimens(file, NULL);
    close(file);
    return all;
}

/* A longer file than the process may write would end it by a signal. */
static bool may_write(size_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || count <= limit.rlim_cur) return true;
    errno = EFBIG;
    return false;
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        const ssize_t put = write(file, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

/* Devices and folders are not replaced. */
static bool is_replaceable(int folder, const char *name) {
    struct stat facts;
    if (fstatat(at(folder), name, &facts, 0) != 0 || S_ISREG(facts.st_mode)) return true;
    errno = EEXIST;
    return false;
}

/* In the same folder, so that renaming replaces. */
static bool name_temporary(const char *name, char *temporary, size_t room) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int length = snprintf(temporary, room, "%s.%lx-%lx-%lx", name, (long)getpid(),
                                (long)now.tv_sec, (long)now.tv_nsec);
    if (length > 0 && (size_t)length < room) return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool replace(int folder, const char *temporary, const char *name, const void *bytes,
                    size_t count) {
    const mode_t mode = folder == CLP_NO_FOLDER ? 0666 : S_IRUSR | S_IWUSR;
    const int file =
        openat(at(folder), temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file < 0) return false;
    const bool written = write_all(file, bytes, count);
    const bool closed = close(file) == 0;
    if (written && closed && renameat(at(folder), temporary, at(folder), name) == 0) return true;
    const int why = errno;
    (void)unlinkat(at(folder), temporary, 0);
    errno = why;
    return false;
}

bool clp_file_write(int folder, const char *name, const void *bytes, size_t count) {
    char temporary[4096];
    return may_write(count) && is_replaceable(folder, name) &&
           name_temporary(name, temporary, sizeof temporary) &&
           replace(folder, temporary, name, bytes, count);
}

#endif
