/* SPDX-License-Identifier: MIT */
/*
 * emulated_merge TRIALS: the tiles of a merge, one program of it (PROGRAM), on the machine of
 * machine.h, some groups at a time, beside plain C: each group searches for its splits, or reads
 * what a launch before found; one array empty or before the other, many equal elements, numbers in
 * device memory.
 */
#include "device_emulated.h"

enum { TILES = 7, MOST = TILES * CLP_TILE, FIRST = 3, GUARD = 77 };

#define TRIAL "n_a = %u, n_b = %u", t.n_a, t.n_b

static CLP_E a[MOST + FIRST], b[MOST + FIRST], expected[MOST], out[MOST + 2 * FIRST];
static ulong splits[TILES + 1], counted_a, counted_b;

static struct trial {
    uint number, n_a, n_b;
    bool is_counted, reads;
} t;

static int compare(const void *x, const void *y) {
    const CLP_E left = *(const CLP_E *)x, right = *(const CLP_E *)y;
    return left < right ? -1 : left > right;
}

void draw(uint number) {
    const uint kinds[] = {2, 1000, 0xffffffff};
    const uint below = kinds[random_below(3)], n = (uint)random_length(number, CLP_TILE, MOST);
    const uint of_a[] = {0, n, n / 2, random_below(n + 1)};
    const CLP_E above = (CLP_E)(random_below(4) == 0 ? below : 0); /* b behind a */
    t = (struct trial){.number = number, .n_a = of_a[random_below(4)]};
    t.n_b = n - t.n_a;
    t.is_counted = random_below(2) == 0;
    t.reads = random_below(2) == 0;
    counted_a = t.n_a;
    counted_b = t.n_b;
    for (uint i = 0; i < t.n_a; i++) a[FIRST + i] = (CLP_E)random_below(below);
    for (uint i = 0; i < t.n_b; i++) b[FIRST + i] = (CLP_E)(random_below(below) + above);
    qsort(a + FIRST, t.n_a, sizeof a[0], compare);
    qsort(b + FIRST, t.n_b, sizeof b[0], compare);
    memcpy(expected, a + FIRST, t.n_a * sizeof a[0]);
    memcpy(expected + t.n_a, b + FIRST, t.n_b * sizeof b[0]);
    qsort(expected, n, sizeof expected[0], compare);
    for (uint i = 0; i < MOST + 2 * FIRST; i++) out[i] = GUARD;
}

#define ARRAYS                                                                                     \
    a, FIRST, b, FIRST, t.is_counted ? MOST : t.n_a, t.is_counted ? MOST : t.n_b,                  \
        t.is_counted ? &counted_a : 0, 0, t.is_counted ? &counted_b : 0, 0

static void find_splits(void) {
    clp_merge_split(ARRAYS, splits);
}

static void merge_tiles(void) {
    clp_merge_tile(ARRAYS, t.reads ? splits : 0, out, FIRST, 0, 0);
}

void run(void) {
    const uint tiles = (t.n_a + t.n_b + CLP_TILE - 1) / CLP_TILE + t.is_counted;
    if (t.reads) launch(1, CLP_GROUP, find_splits);
    launch_in_turn(tiles, GROUPS_MOST, CLP_GROUP, merge_tiles);
}

bool is_right(void) {
    const uint n = t.n_a + t.n_b;
    for (uint i = 0; i < n; i++) CHECK(out[FIRST + i] == expected[i]);
    CHECK(out[FIRST - 1] == GUARD && out[FIRST + n] == GUARD);
    return true;
}
