/* SPDX-License-Identifier: MIT */
/*
 * emulated_blocks TRIALS: the blocks of a text (PROGRAM), two of which print_programs describes, on
 * the machine of machine.h, beside plain C, with any number of real elements.
 */
#include "device_emulated.h"

enum { GROUP = 128, SUMS = GROUP * 4, MAPS = GROUP * 3, GROUPS = 3, BINS = 20 };

#define TRIAL "%u elements, %u groups, %u in all", t.count, t.groups, t.n

static struct trial { uint number, count, groups, n; } t;

static uint in[SUMS + 4], sorted[SUMS], from[SUMS], places[SUMS], kept[SUMS], bins[BINS];
static uint sums_to[3][SUMS], reduced[GROUP], kept_count;
static uint2 maps[GROUPS * MAPS], maps_to[3][MAPS], map_reduced[GROUP];
static uint2 prefixes[GROUPS * MAPS];
static ulong scratch[2 + 2 * GROUPS];
static uint runs;

/* The word is drawn so that words are equal, and their low bits, which is what sorts go by. */
void draw(uint number) {
    t = (struct trial){.number = number};
    t.count = random_below(4) == 0 ? CLP_WHOLE : 1 + random_below(number % 2 ? SUMS : 40);
    t.groups = 1 + random_below(GROUPS);
    t.n = (t.groups - 1) * MAPS + 1 + random_below(MAPS);
    for (uint i = 0; i < SUMS; i++) in[i] = random_below(2) ? random_below(50) : random_below(~0u);
    for (uint i = 0; i < GROUPS * MAPS; i++) {
        maps[i] = (uint2){random_below(~0u), random_below(~0u)};
    }
    memset(sums_to, 0, sizeof sums_to);
    memset(maps_to, 0, sizeof maps_to);
}

static void sums(void) {
    static clp_sums_local room;
    const uint item = here.item, count = t.count;
    uint x[4], places_of[4], keeps = 0;
    clp_sums_load(x, in, count);
    reduced[item] = clp_sums_reduce(x, count, &room);
    clp_sums_inclusive(x, count, &room);
    clp_sums_store(x, sums_to[0], count);
    clp_sums_load(x, in, count);
    clp_sums_inclusive_from(x, 7, count, &room);
    clp_sums_store(x, sums_to[1], count);
    clp_sums_load_transposed(x, in, count, &room);
    clp_sums_exclusive(x, 7, count, &room);
    clp_sums_store_transposed(x, sums_to[2], count, &room);
    clp_sums_load(x, in, count);
    clp_sums_sort_from(x, places_of, count, &room);
    clp_sums_store(places_of, from, count);
    clp_sums_load(x, in, count);
    clp_sums_sort(x, count, &room);
    clp_sums_store(x, sorted, count);
    clp_sums_load(x, in, CLP_WHOLE);
    for (uint j = 0; j < 4; j++) keeps |= (x[j] & 1) << j;
    kept_count = clp_sums_compact(x, keeps, &room);
    clp_sums_store_striped(x, kept, kept_count);
    clp_sums_load(x, in, CLP_WHOLE);
    const uint *of = clp_sums_histogram(x, count, &room);
    for (uint b = item; b < BINS; b += GROUP) bins[b] = of[b];
    meet_group();
    clp_sums_rank(x, places_of, count, &room);
    clp_sums_store(places_of, places, CLP_WHOLE);
}

static void tile_of_maps(void) {
    static clp_maps_local room;
    const uint item = here.item, count = t.count;
    const uint2 start = {3, 5};
    uint2 x[3];
    clp_maps_load(x, maps, count);
    map_reduced[item] = clp_maps_reduce(x, count, &room);
    clp_maps_inclusive(x, count, &room);
    clp_maps_store(x, maps_to[0], count);
    clp_maps_load(x, maps, count);
    clp_maps_inclusive_from(x, start, count, &room);
    clp_maps_store(x, maps_to[1], count);
    clp_maps_load_striped(x, maps, CLP_WHOLE);
    clp_maps_to_blocked(x, &room);
    clp_maps_exclusive(x, start, count, &room);
    clp_maps_store(x, maps_to[2], count);
}

static void all_maps(void) {
    static clp_maps_local rooms[GROUPS_MOST];
    clp_maps_local *room = &rooms[here.group];
    const uint2 start = {3, 5};
    const clp_maps_turn turn = clp_maps_begin(scratch, room);
    const uint first = turn.number * MAPS, count = min((uint)MAPS, t.n - first);
    uint2 x[3];
    clp_maps_load(x, maps + first, count);
    const uint2 total = clp_maps_reduce(x, count, room);
    const uint2 before = clp_maps_prefix(turn, total, start, room);
    clp_maps_exclusive(x, before, count, room);
    clp_maps_store(x, prefixes + first, count);
    if (here.item == 0) runs = turn.run;
}

void run(void) {
    launch(1, GROUP, sums);
    launch(1, GROUP, tile_of_maps);
    launch(t.groups, GROUP, all_maps);
}

static bool same(uint2 a, uint2 b) {
    return a.x == b.x && a.y == b.y;
}

static bool sums_are_right(uint count) {
    uint sum = 0, number = 0, place = 0, expected[BINS] = {0};
    for (uint i = 0; i < count; i++) {
        CHECK(sums_to[1][i] == 7 + sum + in[i] && sums_to[2][i] == 7 + sum);
        sum += in[i];
        CHECK(sums_to[0][i] == sum);
        CHECK(in[from[i]] == sorted[i] && from[i] < count);
        CHECK(i == 0 || sorted[i - 1] < sorted[i] ||
              (sorted[i - 1] == sorted[i] && from[i - 1] < from[i]));
        if (in[i] < BINS) expected[in[i]]++;
    }
    for (uint d = 0; d < 16; d++) {
        for (uint i = 0; i < count; i++) CHECK(in[i] % 16 != d || places[i] == place++);
    }
    for (uint i = 0; i < SUMS; i++) CHECK(in[i] % 2 == 0 || kept[number++] == in[i]);
    for (uint i = 0; i < GROUP; i++) CHECK(reduced[i] == sum);
    CHECK(kept_count == number && memcmp(bins, expected, sizeof bins) == 0);
    return true;
}

bool is_right(void) {
    const uint count = min(t.count, (uint)MAPS);
    uint2 all = maps[0], onto = {3, 5};
    if (!sums_are_right(min(t.count, (uint)SUMS))) return false;
    for (uint i = 0; i < count; i++) {
        CHECK(same(maps_to[2][i], onto));
        all = i > 0 ? clp_maps_op(all, maps[i]) : all;
        onto = clp_maps_op(onto, maps[i]);
        CHECK(same(maps_to[0][i], all) && same(maps_to[1][i], onto));
    }
    for (uint i = 0; i < GROUP; i++) CHECK(same(map_reduced[i], all));
    onto = (uint2){3, 5};
    for (uint i = 0; i < t.n; i++) {
        CHECK(same(prefixes[i], onto));
        onto = clp_maps_op(onto, maps[i]);
    }
    CHECK(runs == t.number + 1);
    return true;
}
