/* SPDX-License-Identifier: MIT */
/*
 * emulated_select TRIALS: the look-ahead of select by flags, of two arrays with their indices
 * (PROGRAM), on the machine of machine.h, beside plain C: few, some or all kept, lengths around
 * tiles, room for fewer than are kept, counts in device memory, refused ones too, one state for all
 * runs.
 */
#include "device_emulated.h"

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

enum { MOST = 20000, MARGIN = 64, STATE_WORDS = 1 << 12, GUARD = 77 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, n = %lu: not so: %s\n", t.number, t.n, #condition);                      \
        return false;                                                                              \
    }

static clp_t0 in0[MOST + MARGIN] __attribute__((aligned(256))), out0[MOST + MARGIN];
static clp_t1 in1[MOST + MARGIN] __attribute__((aligned(256))), out1[MOST + MARGIN];
static uchar flags[MOST + MARGIN] __attribute__((aligned(256)));
static CLP_INDEX indices[MOST + MARGIN];
static ulong state_words[STATE_WORDS], counted_word;
static uint tickets[2];
static clp_report count;

typedef struct trial {
    uint number;
    ulong n, most, room, first0, first1, first_flag, first_out;
    bool is_counted, is_refused;
} trial;

static trial t;

static void draw(uint number) {
    const uint kept_of_8 = number % 4 == 0 ? 8 * random_below(2) : random_below(9);
    /* What is read begins at a multiple of 16 bytes; what is written anywhere. */
    t = (trial){.number = number,
                .n = random_length(number, CLP_TILE, MOST),
                .first0 = random_below(3) * 4,
                .first1 = random_below(3) * 8,
                .first_flag = random_below(3) * 16,
                .first_out = random_below(16)};
    t.is_counted = random_below(3) == 0;
    t.is_refused = t.is_counted && t.n > 0 && random_below(3) == 0;
    t.most = t.is_refused ? t.n - 1 : t.is_counted ? t.n + 1000 : t.n;
    t.room = random_below(3) == 0 ? random_below((uint)t.n + 1) : t.n;
    for (uint i = 0; i < MOST + MARGIN; i++) {
        in0[i] = random_below(1u << 30);
        in1[i] = (clp_t1)random_below(1 << 15);
        flags[i] = random_below(8) < kept_of_8 ? (uchar)(1 + random_below(255)) : 0;
        out0[i] = GUARD;
        out1[i] = GUARD;
        indices[i] = GUARD;
    }
}

static void body(void) {
    clp_select_lookahead(in0, t.first0, out0, t.first_out, in1, t.first1, out1, t.first_out + 1,
                         flags, t.first_flag, indices, t.first_out + 2, 0, 0, &count, 0, 0, t.room,
                         t.most, state_words, tickets, t.number + 1,
                         t.is_counted ? &counted_word : 0, 0);
}

static void run(void) {
    const ulong tiles = max((t.most + CLP_TILE - 1) / CLP_TILE, 1ul);
    count = 99;
    counted_word = t.n;
    launch((uint)min(tiles, 1ul + random_below(3)), CLP_GROUP, body);
}

static bool is_right(void) {
    const ulong read = t.is_refused ? 0 : t.n;
    ulong kept = 0;
    CHECK(tickets[0] == 0);
    for (ulong i = 0; i < read; i++) {
        if (flags[t.first_flag + i] == 0) continue;
        const ulong at = t.first_out + kept++;
        if (kept > t.room) continue;
        CHECK(out0[at] == in0[t.first0 + i]);
        CHECK(out1[at + 1] == in1[t.first1 + i]);
        CHECK(indices[at + 2] == (CLP_INDEX)i);
    }
    CHECK(count == (t.is_refused ? CLP_REFUSED : kept));
    for (ulong i = 0; i < MOST + MARGIN; i++) {
        const ulong end = t.first_out + min(kept, t.room);
        if (i < t.first_out || i >= end) CHECK(out0[i] == GUARD);
        if (i < t.first_out + 1 || i >= end + 1) CHECK(out1[i] == GUARD);
        if (i < t.first_out + 2 || i >= end + 2) CHECK(indices[i] == GUARD);
    }
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
