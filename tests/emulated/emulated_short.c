/* SPDX-License-Identifier: MIT */
/*
 * emulated_short TRIALS: segmented sort by sub-groups in registers, one program of it (PROGRAM), on
 * the machine of machine.h, beside an insertion of plain C: short segments that are neighbours,
 * with longer ones among them that are listed, or with offsets at fault; then the list by lanes.
 * Keys differ in some of their bits; in place or not.
 */
#include "device_emulated.h"

enum { SEGMENTS_MOST = GROUPS_MOST * CLP_GROUP, LENGTH_MOST = 128 };
enum { MOST = SEGMENTS_MOST * 40, MARGIN = 16, FIRST = 3, GUARD = 0x77 };

#define TRIAL "segments %u", t.segments

static ulong lists[CLP_CLASSES * SEGMENTS_MOST];
static bool is_checked[SEGMENTS_MOST];

static struct trial {
    uint number, segments;
    ulong n;
    bool in_place, is_counted, is_faulty;
    bool by_all; /* classes of lanes at once */
} t;

#include "emulated_keys.h"

/* All of one length, or up to it; where longer ones are wanted, one in `every` is. */
static uint draw_length(uint most, bool all, uint of_longer) {
    const uint longest = t.by_all ? 32 * CLP_MOST_WORDS : LENGTH_MOST;
    if (of_longer > 0 && random_below(of_longer) == 0) return 33 + random_below(longest - 32);
    return all ? most : random_below(most + 1);
}

static void draw_segments(void) {
    static const uint lengths[] = {0, 1, 7, 8, 9, 16, 17, 30, 32}, longer[] = {0, 0, 100, 3};
    const uint wanted = 1 + random_below(SEGMENTS_MOST), of_longer = longer[random_below(4)];
    const bool all = random_below(2) == 0;
    const CLP_K mask = random_mask(), others = random_key();
    uint most = lengths[random_below(9)];
    begin_segments();
    while (t.segments < wanted && append_segment(draw_length(most, all, of_longer), mask, others)) {
        is_checked[t.segments - 1] = true;
        if (random_below(80) == 0) most = lengths[random_below(9)];
    }
}

/* Of the segments on either side of a wrong offset nothing is expected. */
static void spoil_offset(void) {
    const uint s = random_below(t.segments + 1);
    if (offsets[FIRST + s] == 0) return;
    t.is_faulty = true;
    offsets[FIRST + s] = random_below(2) == 0 ? -1 : (CLP_OFFSET)t.n + 1;
    if (s > 0) is_checked[s - 1] = false;
    if (s < t.segments) is_checked[s] = false;
}

void draw(uint number) {
    t = (struct trial){.number = number};
    t.in_place = random_below(2) == 0;
    t.is_counted = random_below(2) == 0;
    t.by_all = random_below(2) == 0;
    draw_segments();
    if (random_below(4) == 0) spoil_offset();
    fill_arrays();
    for (uint c = 0; c < CLP_CLASSES; c++) {
        table[2 * c] = c * SEGMENTS_MOST;
        table[2 * c + 1] = SEGMENTS_MOST;
    }
}

#define ALL_ARGUMENTS                                                                              \
    offsets, FIRST, t.is_counted ? MOST : t.n, t.is_counted ? SEGMENTS_MOST : t.segments,          \
        t.is_counted ? sizes : 0, keys_in, FIRST, keys_out(), FIRST CLP_EACH_VALUE(ARGUMENTS),     \
        found, lists, table

static void short_body(void) {
    clp_segments_short(ALL_ARGUMENTS);
}

static void lanes_body(void) {
    if (t.by_all) {
        clp_segments_lanes(ALL_ARGUMENTS);
    } else {
        clp_segments_lanes_128(ALL_ARGUMENTS, 0, 5);
    }
}

void run(void) {
    launch(min(t.segments / CLP_GROUP + 1, (uint)GROUPS_MOST), CLP_GROUP, short_body);
    launch(1 + random_below(2), CLP_LANES_GROUP, lanes_body);
}

bool is_right(void) {
    for (uint s = 0; s < t.segments; s++) {
        if (is_checked[s] && !is_sorted(s)) return false;
    }
    CHECK(t.is_faulty == (found[CLP_FAULT] != 0));
    return is_unwritten(0, FIRST) && is_unwritten(FIRST + t.n, MOST + MARGIN);
}
