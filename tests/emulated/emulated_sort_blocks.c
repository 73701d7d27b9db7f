/* SPDX-License-Identifier: MIT */
/*
 * emulated_sort_blocks TRIALS: sorted tiles that are merged in blocks, and these from device
 * memory, one program of the sort (PROGRAM), on the machine of machine.h, some groups at a time,
 * beside plain C: the last block and tile whole or not, many equal words, numbers in device memory.
 */
#include "device_emulated.h"

enum { MOST = 4 * CLP_BLOCK_WORDS, FIRST = 3, GUARD = 77 };

#define TRIAL "n = %u", t.n

static CLP_WORD tiles[MOST], blocks[MOST];
static CLP_K sorted[MOST], out[MOST + 2 * FIRST];
static ulong counted_word;

static struct trial {
    uint number, n;
    bool is_counted;
} t;

static int compare(const void *a, const void *b) {
    const CLP_WORD x = *(const CLP_WORD *)a, y = *(const CLP_WORD *)b;
    return x < y ? -1 : x > y;
}

void draw(uint number) {
    const uint kinds[] = {2, 1000, 0xffffffff};
    const uint below = kinds[random_below(3)], most = CLP_BLOCK_WORDS * (number % 7 == 0 ? 4 : 2);
    const uint near = CLP_BLOCK_WORDS + random_below(3) - 1;
    t = (struct trial){.number = number, .n = number % 3 == 0 ? near : 1 + random_below(most)};
    t.is_counted = random_below(2) == 0;
    counted_word = t.n;
    for (uint i = 0; i < MOST; i++) {
        tiles[i] = i < t.n ? (CLP_WORD)random_below(below) : CLP_NO_WORD;
        if (i < t.n && random_below(50) == 0) tiles[i] = CLP_NO_WORD;
        sorted[i] = (CLP_K)tiles[i];
        blocks[i] = GUARD;
    }
    for (uint i = 0; i < MOST; i += CLP_TILE_WORDS) {
        qsort(tiles + i, CLP_TILE_WORDS, sizeof tiles[0], compare);
    }
    qsort(sorted, t.n, sizeof sorted[0], compare);
    for (uint i = 0; i < MOST + 2 * FIRST; i++) out[i] = GUARD;
}

#define COUNT t.is_counted ? MOST : t.n, t.is_counted ? &counted_word : 0, 0

static void merge_blocks(void) {
    clp_sort_network_blocks(COUNT, tiles, blocks);
}

static void finish(void) {
    clp_sort_network_finish(0, 0, out, FIRST, 0, COUNT, blocks);
}

void run(void) {
    const uint groups = (t.n + CLP_MERGED - 1) / CLP_MERGED;
    launch_in_turn(groups + t.is_counted, GROUPS_MOST, CLP_MERGE_GROUP, merge_blocks);
    launch_in_turn(t.n / CLP_BLOCKS_GROUP + 1, GROUPS_MOST, CLP_BLOCKS_GROUP, finish);
}

bool is_right(void) {
    for (uint i = 0; i < t.n; i++) CHECK(out[FIRST + i] == sorted[i]);
    CHECK(out[FIRST - 1] == GUARD && out[FIRST + t.n] == GUARD);
    return true;
}
