/* SPDX-License-Identifier: MIT */
/*
 * emulated_select_runs TRIALS: the look-ahead or the single wave (KERNEL) of select's runs of
 * float64 with their lengths (PROGRAM), on the machine of machine.h, beside plain C: short and long
 * runs, lengths around tiles, inputs and outputs that begin anywhere, room for fewer runs. Of a
 * wave only the last tiles run, as in emulated_select.c.
 */
#include "device_emulated.h"
#include "emulated_wave.h"

enum { MOST = EARLIER_MOST * CLP_TILE + RUN_MOST };

#define TRIAL "n = %lu, of them %lu earlier", t.n, t.earlier

static clp_t0 in[MOST + MARGIN] __attribute__((aligned(256))), out[MOST + MARGIN];
static CLP_LENGTH lengths[MOST + MARGIN], wanted[MOST + MARGIN];

static struct trial {
    uint number;
    ulong n, room, first_in, first_out, earlier, reach; /* elements */
} t;

static bool begins(ulong i) {
    const clp_t0 *x = in + t.first_in;
    return i == 0 || x[i - 1] != x[i];
}

void draw(uint number) {
    static const uint means[] = {1, 2, 8, 100, 3000, 1000000};
    const uint mean = means[random_below(6)];
    t = (struct trial){.number = number,
                       .n = random_length(number, CLP_TILE, RUN_MOST),
                       .first_in = random_below(33),
                       .first_out = random_below(33)};
    if (IS_WAVE && t.n > 0) t.earlier = draw_earlier() * CLP_TILE;
    t.n += t.earlier;
    t.reach = min(t.n + 2 * MARGIN, MOST + 1ul * MARGIN);
    t.room = random_below(3) == 0 ? random_below((uint)t.n / mean + 2) : t.n;
    for (uint i = 0; i < t.reach; i++) {
        in[i] = i == 0 ? 0 : in[i - 1] + (random_below(mean) == 0);
        out[i] = lengths[i] = GUARD;
    }
}

static void body(void) {
    KERNEL(in, t.first_in, out, t.first_out, 0, 0, 0, 0, lengths, t.first_out + 1, &count, 0, 0,
           t.room, t.n, state_words, tickets, t.number + 1, 0, 0);
}

/* Tiles that do not run have published, and taken tickets. */
static void publish_earlier(void) {
    tickets[0] = (uint)(t.earlier / CLP_TILE);
    for (ulong tile = 0; tile < tickets[0]; tile++) {
        const ulong tag = (t.number + 1) << 2 | CLP_AGGREGATE;
        ulong runs = 0, place = 0;
        for (ulong i = 0; i < CLP_TILE; i++) {
            if (!begins(tile * CLP_TILE + i)) continue;
            runs++;
            place = i + 1;
        }
        state_words[tile] = tag << 32 | place << 16 | runs;
    }
}

void run(void) {
    publish_earlier();
    launch_tiles(t.n - t.earlier, body);
}

bool is_right(void) {
    ulong runs = 0, earlier = 0; /* earlier: whose elements are not stored by tiles that run */
    CHECK(tickets[0] == 0);
    for (ulong i = 0; i < t.n; i++) {
        if (begins(i)) {
            if (i < t.earlier) earlier++;
            if (i >= t.earlier && runs < t.room) {
                CHECK(out[t.first_out + runs] == in[t.first_in + i]);
            }
            wanted[runs++] = 0;
        }
        wanted[runs - 1]++;
    }
    CHECK(count == runs);
    const ulong stored = min(runs, t.room), before = earlier > 0 ? earlier - 1 : 0;
    for (ulong k = before; k < stored; k++) CHECK(lengths[t.first_out + 1 + k] == wanted[k]);
    for (ulong i = 0; i < t.reach; i++) {
        if (i < t.first_out + earlier || i >= t.first_out + stored) CHECK(out[i] == GUARD);
        if (i < t.first_out + 1 + before || i >= t.first_out + 1 + stored) {
            CHECK(lengths[i] == GUARD);
        }
    }
    return true;
}
