/* SPDX-License-Identifier: MIT */
/* Selections by a look-ahead, or by a single wave, of which only the last tiles run. */
#ifndef TESTS_EMULATED_WAVE_H
#define TESTS_EMULATED_WAVE_H

/* Elements of tiles that do not run are multiples of CLP_TILE; RUN_MOST are those that do. */
#ifdef CLP_SCANNERS
enum { IS_WAVE = 0, EARLIER_MOST = 1, RUN_MOST = 5 * CLP_TILE };
#else
enum { IS_WAVE = 1, EARLIER_MOST = 300, RUN_MOST = GROUPS_MOST * CLP_TILE };
#endif
enum { MARGIN = 64, STATE_WORDS = 1 << 12, GUARD = 77 };

static ulong state_words[STATE_WORDS], counted_word;
static uint tickets[2];
static clp_report count;

/* Tiles that do not run: none, some, or more batches than a group has sub-groups. */
static inline uint draw_earlier(void) {
    const uint kind = random_below(4);
    return kind < 2 ? 0 : kind == 2 ? random_below(70) : 230 + random_below(EARLIER_MOST - 230);
}

/* Runs the tiles of `elements` elements. */
static void launch_tiles(ulong elements, void (*body)(void)) {
    const ulong tiles = max((elements + CLP_TILE - 1) / CLP_TILE, 1ul);
    count = 99;
    launch((uint)(IS_WAVE ? tiles : min(tiles, 1ul + random_below(3))), CLP_GROUP, body);
}

#endif
