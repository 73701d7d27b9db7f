/* SPDX-License-Identifier: MIT */
/*
 * emulated_tiles TRIALS: the tiles that a segmented sort cuts its long segments into, and how it
 * moves the values of sorted keys, one program of it (PROGRAM), on the machine of machine.h, beside
 * plain C: lists of long segments, short ones between them, tiles of any size, offsets at fault.
 */
#include "device_emulated.h"

enum { SEGMENTS = 2 * CLP_GROUP, MOST = 1 << 16, FIRST = 3, GUARD = 77 };

#define TRIAL "%u of %u segments, tiles of %u", t.listed, t.segments, t.tile

static CLP_OFFSET offsets[SEGMENTS + 1 + FIRST];
static uint found[CLP_FOUND_WORDS];
static ulong lists[CLP_CLASSES + SEGMENTS], table[2 * CLP_CLASSES], total[1];
static CLP_COUNT starts[SEGMENTS + 1], places[MOST];
static uint4 tiles[MOST];
static CLP_K keys[1];

#define ARRAYS(k) static CLP_VALUE##k##_TYPE in##k[MOST], out##k[MOST + FIRST];
CLP_EACH_VALUE(ARRAYS)

static struct trial {
    uint number, segments, listed, tile, n;
    bool is_faulty;
} t;

static void draw_segments(void) {
    const uint wanted = t.number == 0 ? 0 : 1 + random_below(t.number % 4 == 0 ? SEGMENTS : 20);
    ulong at = random_below(3);
    offsets[FIRST] = (CLP_OFFSET)at;
    for (t.segments = 0; t.segments < wanted; t.segments++) {
        const uint most = t.segments % 7 == 0 ? 5000 : 300;
        const ulong length = random_below(4) == 0 ? t.tile : random_below(most);
        if (at + length > MOST) break;
        at += length;
        offsets[FIRST + t.segments + 1] = (CLP_OFFSET)at;
        if (length > 0 && random_below(3) > 0) lists[CLP_CLASSES + t.listed++] = t.segments;
    }
    t.n = (uint)at;
}

/* Each listed segment's elements come from behind. */
static void draw_places(void) {
    for (uint r = 0; r < t.listed; r++) {
        const CLP_OFFSET *s = offsets + FIRST + lists[CLP_CLASSES + r];
        for (CLP_OFFSET i = s[0]; i < s[1]; i++) places[i] = (CLP_COUNT)(s[1] - 1 - (i - s[0]));
    }
}

#define DRAW_VALUES(k)                                                                             \
    for (uint i = 0; i < sizeof in##k; i++) ((uchar *)in##k)[i] = (uchar)random_below(256);        \
    memset(out##k, GUARD, sizeof out##k);

void draw(uint number) {
    t = (struct trial){.number = number, .tile = 1 + random_below(700)};
    draw_segments();
    draw_places();
    t.is_faulty = random_below(10) == 0;
    found[CLP_LONG] = t.listed;
    found[CLP_FAULT] = t.is_faulty;
    table[2 * CLP_LONG] = CLP_CLASSES;
    table[2 * CLP_LONG + 1] = SEGMENTS;
    CLP_EACH_VALUE(DRAW_VALUES)
}

#define OFFSETS offsets, FIRST, t.n, t.segments, 0
#define LISTS found, lists, table
#define VALUES(k) , in##k, 0, out##k, FIRST

static void find_starts(void) {
    clp_segments_starts(OFFSETS, LISTS, t.tile, starts, total);
}

static void cut(void) {
    clp_segments_tiles(OFFSETS, LISTS, t.tile, starts, total, tiles);
}

#if CLP_VALUES > 0
static void scatter(void) {
    clp_segments_scatter(OFFSETS, keys, 0, keys, 0 CLP_EACH_VALUE(VALUES), starts, total, tiles,
                         places);
}
#endif

void run(void) {
    launch(1, CLP_GROUP, find_starts);
    launch(1 + random_below(GROUPS_MOST), CLP_GROUP, cut);
#if CLP_VALUES > 0
    launch(1 + random_below(GROUPS_MOST), CLP_GROUP, scatter);
#endif
}

#define IS_MOVED(k) is_right &= out##k[FIRST + i] == (k < CLP_PAYLOADS ? in##k[from] : from - s[0]);

static bool is_moved(uint r) {
    const CLP_OFFSET *s = offsets + FIRST + lists[CLP_CLASSES + r];
    bool is_right = true;
    for (CLP_OFFSET i = s[0]; i < s[1]; i++) {
        const CLP_OFFSET from = s[1] - 1 - (i - s[0]);
        CLP_EACH_VALUE(IS_MOVED)
    }
    return is_right;
}

bool is_right(void) {
    ulong at = 0;
    for (uint r = 0; r < t.listed && !t.is_faulty; r++) {
        const CLP_OFFSET *s = offsets + FIRST + lists[CLP_CLASSES + r];
        CHECK(starts[r] == at);
        for (CLP_OFFSET begin = s[0]; begin < s[1]; begin += t.tile, at++) {
            const ulong keys_of_tile = min((ulong)t.tile, (ulong)(s[1] - begin));
            CHECK(clp_tile_begin(tiles[at]) == begin && clp_tile_keys(tiles[at]) == keys_of_tile);
            CHECK((tiles[at].z & CLP_FIRST_TILE) == (begin == s[0] ? CLP_FIRST_TILE : 0));
            CHECK(tiles[at].w == r);
        }
        CHECK(is_moved(r));
    }
    CHECK(total[0] == at);
    return true;
}
