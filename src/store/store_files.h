/* SPDX-License-Identifier: MIT */
/* What the store asks of the operating system (POSIX, or Windows): files that are read and written
 * whole. */
#ifndef CLP_STORE_FILES_H
#define CLP_STORE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* In place of a folder: a file's name is a path, and the caller trusts it. */
enum { CLP_NO_FOLDER = -1 };

/* Names of the store's files: digits of a digest, then the end. */
enum { CLP_STORE_NAME_DIGITS = 64 };
#define CLP_STORE_NAME_END ".clprims"

/* The folder may be one that has other files, which are not touched. */
static inline bool clp_is_of_store(const char *name) {
    return strspn(name, "0123456789abcdef") == CLP_STORE_NAME_DIGITS &&
           strncmp(name + CLP_STORE_NAME_DIGITS, CLP_STORE_NAME_END, strlen(CLP_STORE_NAME_END)) ==
               0;
}

/* Opens the folder, or makes it where its parent exists. CLP_NO_FOLDER: there is none that belongs
 * to this user and that nobody else may write. */
int clp_folder_open(const char *path);
void clp_folder_close(int folder);

/* Removes files of the store, the least recently used first, until the others have at most `most`
 * bytes. */
void clp_folder_trim(int folder, uint64_t most);

/* Reads a regular file; in a folder, one that belongs to this user and that nobody else may write,
 * whose time of use becomes now. Returns its bytes, which the caller frees, or NULL. */
void *clp_file_read(int folder, const char *name, size_t *bytes);

/* Replaces a file whole or not at all. errno: why not. */
bool clp_file_write(int folder, const char *name, const void *bytes, size_t count);

#endif
