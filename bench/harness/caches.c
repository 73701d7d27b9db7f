/* SPDX-License-Identifier: MIT */
/* Folders of our own for what the drivers cache, which begin empty. */
#define _XOPEN_SOURCE 700
#include "harness/bench.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/clprims-bench-XXXXXX";

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
    (void)facts;
    (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

void bench_caches_clear(void) {
    enum { OPEN_AT_ONCE = 16 };
    nftw(folder, remove_entry, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}

static void remove_folder(void) {
    bench_caches_clear();
    (void)remove(folder);
}

void bench_caches_empty(void) {
    if (mkdtemp(folder) == NULL || atexit(remove_folder) != 0 ||
        setenv("CUDA_CACHE_PATH", folder, 1) != 0 || setenv("POCL_CACHE_DIR", folder, 1) != 0)
        bench_die(BENCH_EXIT_DEVICE, "no folder %s for the drivers' caches", folder);
}
