/* SPDX-License-Identifier: MIT */
/*
 * emulated_scan TRIALS: the look-ahead of scan, one program of sums (PROGRAM), on the machine of
 * machine.h, beside plain C: lengths around tiles, in place or not, counts in device memory,
 * refused ones too, one state for all runs. Floats are small integers, so that each order gives the
 * same.
 */
#include "device_emulated.h"

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

enum { MOST = 40000, MARGIN = 64, STATE_WORDS = 1 << 14, GUARD = 77 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, n = %lu: not so: %s\n", t.number, t.n, #condition);                      \
        return false;                                                                              \
    }

static CLP_E in[MOST + MARGIN] __attribute__((aligned(256)));
static CLP_E given[MOST + MARGIN];
static CLP_OUT separate[MOST + MARGIN] __attribute__((aligned(256)));
static ulong state_words[STATE_WORDS], counted_word;
static uint tickets[2];
static clp_report report;

typedef struct trial {
    uint number;
    ulong n, most, in_first, out_first;
    bool is_counted, is_refused;
    CLP_OUT *out;
} trial;

static trial t;

/* Programs for aligned arrays begin at a multiple of 16 bytes. */
static ulong draw_first(size_t bytes) {
    return CLP_UNALIGNED ? random_below(16) : random_below(3) * (16 / bytes);
}

static void draw(uint number) {
    const bool in_place = sizeof(CLP_E) == sizeof(CLP_OUT) && random_below(3) == 0;
    t = (trial){.number = number,
                .n = random_length(number, CLP_TILE, MOST),
                .in_first = draw_first(sizeof(CLP_E))};
    t.out_first = in_place ? t.in_first : draw_first(sizeof(CLP_OUT));
    t.out = in_place ? (CLP_OUT *)in : separate;
    t.is_counted = random_below(3) == 0;
    t.is_refused = t.is_counted && t.n > 0 && random_below(3) == 0;
    t.most = t.is_refused ? t.n - 1 : t.is_counted ? t.n + 1000 : t.n;
    for (uint i = 0; i < MOST + MARGIN; i++) {
        in[i] = given[i] = (CLP_E)random_below(10);
        separate[i] = GUARD;
    }
}

static const CLP_A start = 3;

static void body(void) {
    clp_scan_lookahead(in, t.in_first, t.out, t.out_first, &report, 0, t.most,
                       CLP_HAS_START ? start : (CLP_A)(CLP_IDENTITY), state_words, tickets,
                       t.number + 1, t.is_counted ? &counted_word : 0, 0);
}

static void run(void) {
    const ulong tiles = max((t.most + CLP_TILE - 1) / CLP_TILE, 1ul);
    memset(&report, 99, sizeof report);
    counted_word = t.n;
    launch((uint)min(tiles, 1ul + random_below(3)), CLP_GROUP, body);
}

/* What element i of the output was before the run. */
static CLP_OUT before(ulong i) {
    return t.out == separate ? (CLP_OUT)GUARD : (CLP_OUT)given[i];
}

static bool is_right(void) {
    const ulong written = t.is_refused ? 0 : t.n;
    CLP_A sum = CLP_HAS_START ? start : 0;
    CHECK(tickets[0] == 0);
    if (t.is_counted) CHECK(report.fault == t.is_refused && report.count == (long)t.n);
    for (ulong i = 0; i < written; i++) {
        const CLP_A lower = sum;
        sum += (CLP_A)given[t.in_first + i];
        CHECK(t.out[t.out_first + i] == (CLP_OUT)(CLP_INCLUSIVE ? sum : lower));
    }
    for (ulong i = 0; i < MOST + MARGIN; i++) {
        if (i >= t.out_first && i < t.out_first + written) continue;
        CHECK(t.out[i] == before(i));
    }
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
