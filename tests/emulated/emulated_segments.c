/* SPDX-License-Identifier: MIT */
/*
 * emulated_segments TRIALS: segmented sort by digits, one program of it (PROGRAM), on the machine
 * of machine.h, beside an insertion of plain C: teams of each size, lengths around whole rows, keys
 * that differ in some of their bits, in place or not, segments in any order of the list.
 */
#include "device_emulated.h"

enum { MOST = 30000, MARGIN = 16, SEGMENTS_MOST = 6, FIRST = 3, CLASS = 1, GUARD = 0x77 };

#define TRIAL "bits %u", t.bits

static ulong lists[SEGMENTS_MOST + 5];

static struct trial {
    uint number, bits, segments;
    ulong n;
    bool in_place, is_counted;
} t;

#include "emulated_keys.h"

/* Up to some rows of the team; once in a while all that it has room for. */
static uint draw_length(void) {
    const uint team = 1u << t.bits, rows = 1 + random_below(3);
    if (random_below(25) == 0) return team * CLP_RADIX_ITEMS - random_below(40);
    if (random_below(3) == 0) return 1 + random_below(40);
    return max(1u, team * rows + random_below(3) - 1 - random_below(2) * random_below(team));
}

static void draw_segments(void) {
    begin_segments();
    while (t.segments < SEGMENTS_MOST && append_segment(draw_length(), random_mask(), random_key()))
        continue;
}

void draw(uint number) {
    t = (struct trial){.number = number, .bits = 8 + random_below(3)};
    t.in_place = random_below(2) == 0;
    t.is_counted = random_below(2) == 0;
    draw_segments();
    fill_arrays();
    found[CLASS] = t.segments;
    table[2 * CLASS] = 2;
    table[2 * CLASS + 1] = SEGMENTS_MOST;
    for (uint s = 0; s < t.segments; s++) {
        const uint other = random_below(s + 1);
        lists[2 + s] = lists[2 + other];
        lists[2 + other] = s;
    }
}

static void body(void) {
    clp_segments_radix(offsets, FIRST, t.is_counted ? MOST : t.n, t.segments,
                       t.is_counted ? sizes : 0, keys_in, FIRST, keys_out(),
                       FIRST CLP_EACH_VALUE(ARGUMENTS), found, lists, table, CLASS, t.bits);
}

void run(void) {
    launch(1 + random_below(2), CLP_RADIX_GROUP, body);
}

bool is_right(void) {
    for (uint s = 0; s < t.segments; s++) {
        if (!is_sorted(s)) return false;
    }
    return is_unwritten(0, FIRST + (ulong)offsets[FIRST]) &&
           is_unwritten(FIRST + t.n, MOST + MARGIN);
}
