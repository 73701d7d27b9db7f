/* SPDX-License-Identifier: MIT */
/* Folders of the tests of the program store. */
#ifndef TESTS_STORE_FOLDER_H
#define TESTS_STORE_FOLDER_H

#include "harness/harness.h"

enum { STORE_PATH = 512 };

/* Makes an empty folder, whose path it writes, with `name` as a place in it; store_remove removes
 * the folder with all that is in it. */
typedef struct store_folder {
    char folder[STORE_PATH / 2];
    char path[STORE_PATH]; /* folder/name */
} store_folder;

void store_make(store_folder *f, const char *name);
void store_remove(const store_folder *f);

/* The number of regular files in a folder, 0 if it is not there; the name of the first one by name
 * goes to `path`, room for STORE_PATH characters, if that is not NULL. */
size_t store_files(const char *folder, char *path);

/* A file's bytes, which the caller frees. */
unsigned char *store_read(const char *path, size_t *bytes);
void store_write(const char *path, const void *bytes, size_t count);

#endif
