/* SPDX-License-Identifier: MIT */
#include "store/store_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void store_make(store_folder *f, const char *name) {
    snprintf(f->folder, sizeof f->folder, "/tmp/clprims-store-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/%s", f->folder, name);
}

void store_remove(const store_folder *f) {
    char command[STORE_PATH];
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    assert_int_equal(system(command), 0);
}

size_t store_files(const char *folder, char *path) {
    char first[256] = "";
    size_t count = 0;
    DIR *files = opendir(folder);
    if (files == NULL) return 0;
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        struct stat facts;
        char at[STORE_PATH];
        snprintf(at, sizeof at, "%.250s/%.250s", folder, file->d_name);
        if (lstat(at, &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
        if (count++ == 0 || strcmp(file->d_name, first) < 0) {
            snprintf(first, sizeof first, "%s", file->d_name);
        }
    }
    closedir(files);
    if (path != NULL) snprintf(path, STORE_PATH, "%.250s/%.250s", folder, first);
    return count;
}

unsigned char *store_read(const char *path, size_t *bytes) {
    struct stat facts;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &facts), 0);
    *bytes = (size_t)facts.st_size;
    unsigned char *all = test_alloc(*bytes + 1, 1);
    assert_int_equal(fread(all, 1, *bytes, file), *bytes);
    fclose(file);
    return all;
}

void store_write(const char *path, const void *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}
