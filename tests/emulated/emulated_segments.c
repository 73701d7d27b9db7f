/* SPDX-License-Identifier: MIT */
/*
 * emulated_segments TRIALS: segmented sort by digits, one program of it (PROGRAM), on the machine
 * of machine.h, beside an insertion of plain C: teams of each size, lengths around whole rows, keys
 * that differ in some of their bits, in place or not, segments in any order of the list.
 */
#include "device_emulated.h"

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

enum { MOST = 30000, MARGIN = 16, SEGMENTS_MOST = 6, FIRST = 3, CLASS = 1, GUARD = 0x77 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, bits %u: not so: %s\n", t.number, t.bits, #condition);                   \
        return false;                                                                              \
    }

#include "emulated_keys.h"

static ulong lists[SEGMENTS_MOST + 5];

typedef struct trial {
    uint number, bits, segments;
    ulong n;
    bool in_place, is_counted;
} trial;

static trial t;

/* Up to some rows of the team; once in a while all that it has room for. */
static uint draw_length(void) {
    const uint team = 1u << t.bits, rows = 1 + random_below(3);
    if (random_below(25) == 0) return team * CLP_RADIX_ITEMS - random_below(40);
    if (random_below(3) == 0) return 1 + random_below(40);
    return max(1u, team * rows + random_below(3) - 1 - random_below(2) * random_below(team));
}

static void draw_segments(void) {
    static const ulong masks[] = {~0ul, 0xff, 0xff00ff00ff00ff, 0x80000001, 0, 0xfff0000000000000,
                                  3};
    ulong at = random_below(3);
    offsets[FIRST] = (CLP_OFFSET)at;
    for (t.segments = 0; t.segments < SEGMENTS_MOST; t.segments++) {
        const uint length = draw_length();
        const CLP_K mask = (CLP_K)masks[random_below(7)], others = (CLP_K)draw_key(~(CLP_K)0, 0);
        if (at + length > MOST) break;
        draw_segment(at, length, mask, others);
        at += length;
        offsets[FIRST + t.segments + 1] = (CLP_OFFSET)at;
    }
    t.n = at;
}

static void draw(uint number) {
    t = (trial){.number = number, .bits = 8 + random_below(3)};
    t.in_place = random_below(2) == 0;
    t.is_counted = random_below(2) == 0;
    draw_segments();
    fill_arrays();
    sizes[0] = t.n;
    sizes[1] = t.segments;
    found[CLASS] = t.segments;
    table[2 * CLASS] = 2;
    table[2 * CLASS + 1] = SEGMENTS_MOST;
    for (uint s = 0; s < t.segments; s++) {
        const uint other = random_below(s + 1);
        lists[2 + s] = lists[2 + other];
        lists[2 + other] = s;
    }
}

static CLP_K *keys_out(void) {
    return t.in_place ? keys_in : keys_apart;
}

static void body(void) {
    clp_segments_radix(offsets, FIRST, t.is_counted ? MOST : t.n, t.segments,
                       t.is_counted ? sizes : 0, keys_in, FIRST, keys_out(),
                       FIRST CLP_EACH_VALUE(ARGUMENTS), found, lists, table, CLASS, t.bits);
}

static void run(void) {
    launch(1 + random_below(2), CLP_RADIX_GROUP, body);
}

static bool is_right(void) {
    for (uint s = 0; s < t.segments; s++) {
        const ulong begin = (ulong)offsets[FIRST + s];
        for (ulong i = begin; i < (ulong)offsets[FIRST + s + 1]; i++) {
            CHECK(CLP_NO_KEYS || keys_out()[FIRST + i] == given_keys[FIRST + places[i]]);
            CLP_EACH_VALUE(CHECK_VALUE)
        }
    }
    for (ulong i = 0; i < MOST + MARGIN; i++) {
        if (i >= FIRST + (ulong)offsets[FIRST] && i < FIRST + t.n) continue;
        CHECK(t.in_place ? keys_in[i] == given_keys[i] : ((uchar *)&keys_apart[i])[0] == GUARD);
    }
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
