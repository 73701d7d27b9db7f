/* SPDX-License-Identifier: MIT */
/*
 * emulated_select_bytes TRIALS: the look-ahead or the single wave (KERNEL) of select of bytes below
 * 100 (PROGRAM), on the machine of machine.h, beside plain C: few, some or all kept, lengths around
 * tiles, inputs and outputs that begin anywhere, room for fewer than are kept, counts in device
 * memory.
 */
#include "device_emulated.h"
#include "emulated_wave.h"

enum { MOST = RUN_MOST, LIMIT = 100 };

#define TRIAL "n = %lu, in %lu, out %lu", t.n, t.first_in, t.first_out

static uchar in[MOST + MARGIN] __attribute__((aligned(256)));
static uchar out[MOST + MARGIN] __attribute__((aligned(256)));

static struct trial {
    uint number;
    ulong n, most, room, first_in, first_out;
    bool is_counted;
} t;

void draw(uint number) {
    const uint kept_of_8 = number % 4 == 0 ? 8 * random_below(2) : random_below(9);
    t = (struct trial){.number = number,
                       .n = random_length(number, CLP_TILE, MOST),
                       .first_in = random_below(3) == 0 ? random_below(33) : 16 * random_below(3),
                       .first_out = random_below(33),
                       .is_counted = random_below(3) == 0};
    t.most = t.is_counted ? t.n + 1000 : t.n;
    t.room = random_below(3) == 0 ? random_below((uint)t.n + 1) : t.n;
    for (uint i = 0; i < MOST + MARGIN; i++) {
        const bool keeps = random_below(8) < kept_of_8;
        in[i] = (uchar)(keeps ? random_below(LIMIT) : LIMIT + random_below(256 - LIMIT));
        out[i] = GUARD;
    }
}

static void body(void) {
    KERNEL(in, t.first_in, out, t.first_out, 0, 0, 0, 0, 0, 0, &count, 0, 0, t.room, t.most,
           state_words, tickets, t.number + 1, t.is_counted ? &counted_word : 0, 0);
}

void run(void) {
    counted_word = t.n;
    launch_tiles(IS_WAVE ? t.n : t.most, body);
}

bool is_right(void) {
    ulong kept = 0;
    CHECK(tickets[0] == 0);
    for (ulong i = 0; i < t.n; i++) {
        if (in[t.first_in + i] >= LIMIT) continue;
        if (kept++ < t.room) CHECK(out[t.first_out + kept - 1] == in[t.first_in + i]);
    }
    CHECK(count == kept);
    for (ulong i = 0; i < MOST + MARGIN; i++) {
        const ulong end = t.first_out + min(kept, t.room);
        if (i < t.first_out || i >= end) CHECK(out[i] == GUARD);
    }
    return true;
}
