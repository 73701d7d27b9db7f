/* SPDX-License-Identifier: MIT */
/*
 * emulated_histogram TRIALS: bytes counted by products of bit matrices (PROGRAM), on the machine of
 * machine.h, beside plain C: lengths around tiles, arrays that begin anywhere, values that differ
 * or not, run after run.
 */
#include "device_emulated.h"

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

enum { MOST = 20000, FIRST_MOST = 40, OUT_FIRST = 2, GUARD = 77 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, n = %lu: not so: %s\n", t.number, t.n, #condition);                      \
        return false;                                                                              \
    }

static CLP_E in[MOST + FIRST_MOST] __attribute__((aligned(256)));
static CLP_OUT out[OUT_FIRST + CLP_BINS + 1];
static uint sums[CLP_BINS * CLP_WORDS], found[CLP_TICKETS + 1];
static ulong counted_word;
static clp_report report;

typedef struct trial {
    uint number;
    ulong n, first;
    bool is_counted;
} trial;

static trial t;

static void draw(uint number) {
    static const uint values[] = {1, 2, 8, 200, 256};
    const uint below = values[random_below(5)], least = random_below(256);
    const ulong tiles = 1024 * random_below(MOST / 1024);
    t = (trial){.number = number,
                .n = number % 2 == 0 ? random_below(MOST) : tiles + random_below(3)};
    t.first = random_below(FIRST_MOST);
    t.is_counted = random_below(2) == 0;
    counted_word = t.n;
    for (uint i = 0; i < MOST + FIRST_MOST; i++) in[i] = (CLP_E)(least + random_below(below));
    for (uint i = 0; i < sizeof out / sizeof out[0]; i++) out[i] = GUARD;
}

static void body(void) {
    clp_histogram_bits(in, t.first, t.is_counted ? MOST : t.n, t.is_counted ? &counted_word : 0, 0,
                       CLP_BINS, out, OUT_FIRST, &report, 0, sums, found, t.number);
}

static void run(void) {
    launch(1 + random_below(3), CLP_GROUP, body);
}

static bool is_right(void) {
    static ulong expected[CLP_BINS];
    memset(expected, 0, sizeof expected);
    for (ulong i = 0; i < t.n; i++) expected[clp_bin(0, in[t.first + i], 0)]++;
    CHECK(report.outside == 0 && report.fault == 0 && report.index == -1);
    for (uint b = 0; b < CLP_BINS; b++) CHECK(out[OUT_FIRST + b] == (CLP_OUT)expected[b]);
    CHECK(out[OUT_FIRST - 1] == GUARD && out[OUT_FIRST + CLP_BINS] == GUARD);
    for (uint w = 0; w < CLP_BINS * CLP_WORDS; w++) CHECK(sums[w] == 0);
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
