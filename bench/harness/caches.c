/* SPDX-License-Identifier: MIT */
/* Folders of our own for what the drivers cache, which begin empty. */
#define _XOPEN_SOURCE 700
#include "harness/bench.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/clprims-bench-XXXXXX", store[] = "/tmp/clprims-store-XXXXXX";

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
    (void)facts;
    (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

enum { OPEN_AT_ONCE = 16 };

void bench_caches_clear(void) {
    nftw(folder, remove_entry, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}

const char *bench_caches_store(void) {
    nftw(store, remove_entry, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
    return store;
}

static void remove_folders(void) {
    bench_caches_clear();
    (void)remove(folder);
    (void)remove(bench_caches_store());
}

void bench_caches_empty(void) {
    if (mkdtemp(folder) == NULL || mkdtemp(store) == NULL || atexit(remove_folders) != 0 ||
        setenv("CUDA_CACHE_PATH", folder, 1) != 0 || setenv("POCL_CACHE_DIR", folder, 1) != 0)
        bench_die(BENCH_EXIT_DEVICE, "no folder %s for the drivers' caches", folder);
}
