/* SPDX-License-Identifier: MIT */
/*
 * emulated_scan TRIALS: a scan by its kernel KERNEL, one program of it (PROGRAM), on the machine of
 * machine.h, beside plain C: lengths around tiles, in place or not, counts in device memory,
 * refused ones too, one state for all runs. Floats are small integers, whose sums do not
 * depend on their order, and values that padding would change: NaN, infinities, zeros of both
 * signs.
 */
#include "device_emulated.h"

enum { MOST = 40000, MARGIN = 64, STATE_WORDS = 1 << 14, GUARD = 77 };

#define TRIAL "n = %lu", t.n

static CLP_E in[MOST + MARGIN] __attribute__((aligned(256)));
static CLP_E given[MOST + MARGIN];
static CLP_OUT separate[MOST + MARGIN] __attribute__((aligned(256)));
static ulong state_words[STATE_WORDS], counted_word;
static uint tickets[2];
static clp_report report;

static struct trial {
    uint number;
    ulong n, most, in_first, out_first;
    bool is_counted, is_refused;
    CLP_OUT *out;
} t;

#define IS_FLOAT ((CLP_E)0.5 != 0)

/* One value nearly everywhere, or any. */
static CLP_E draw_element(uint usual, uint period) {
    static const double special[] = {__builtin_nan(""), -0.0, -__builtin_inf(), __builtin_inf(), 0};
    const uint kind = random_below(period) > 0 ? usual : random_below(10);
    if (!IS_FLOAT || kind >= 5) return (CLP_E)random_below(10);
    return (CLP_E)special[kind];
}

/* Whether the kernel's work-groups stay and take tile after tile; else each takes one. */
static bool are_persistent(void) {
#ifdef CLP_STAGES
    return true;
#else
    return false;
#endif
}

/* In half of the trials a multiple of 16 bytes, which kernels read and write in another way. */
static ulong draw_first(size_t bytes) {
    return random_below(2) == 0 ? random_below(16) : random_below(3) * (16 / bytes);
}

void draw(uint number) {
    const bool in_place = sizeof(CLP_E) == sizeof(CLP_OUT) && random_below(3) == 0;
    t = (struct trial){.number = number,
                       .n = random_length(number, CLP_TILE, MOST),
                       .in_first = draw_first(sizeof(CLP_E))};
    t.out_first = in_place ? t.in_first : draw_first(sizeof(CLP_OUT));
    t.out = in_place ? (CLP_OUT *)in : separate;
    t.is_counted = random_below(3) == 0;
    t.is_refused = t.is_counted && t.n > 0 && random_below(3) == 0;
    static const uint periods[] = {1, 20, 1u << 31};
    const uint usual = random_below(2) == 0 ? random_below(2) : random_below(10);
    const uint period = periods[random_below(3)];
    t.most = t.is_refused ? t.n - 1 : t.is_counted ? t.n + 1000 : t.n;
    for (uint i = 0; i < MOST + MARGIN; i++) {
        in[i] = given[i] = draw_element(usual, period);
        separate[i] = GUARD;
    }
}

static const CLP_A start = 3;

static void body(void) {
    KERNEL(in, t.in_first, t.out, t.out_first, &report, 0, t.most, start, state_words, tickets,
           t.number + 1, t.is_counted ? &counted_word : 0, 0);
}

void run(void) {
    const ulong tiles = max((t.most + CLP_TILE - 1) / CLP_TILE, 1ul);
    memset(&report, 99, sizeof report);
    counted_word = t.n;
    if (are_persistent()) {
        launch((uint)min(tiles, 1ul + random_below(3)), CLP_GROUP, body);
    } else {
        launch_in_turn((uint)tiles, 1 + random_below(GROUPS_MOST), CLP_GROUP, body);
    }
}

/* What element i of the output was before the run. */
static CLP_OUT before(ulong i) {
    return t.out == separate ? (CLP_OUT)GUARD : (CLP_OUT)given[i];
}

/* The same bits, or both NaN. */
static bool are_same(CLP_OUT a, CLP_OUT b) {
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

bool is_right(void) {
    const ulong written = t.is_refused ? 0 : t.n;
    CLP_A total = start;
    CHECK(tickets[0] == 0);
    if (t.is_counted) CHECK(report.fault == t.is_refused && report.count == (long)t.n);
    for (ulong i = 0; i < written; i++) {
        const CLP_A lower = total, own = (CLP_A)given[t.in_first + i];
        total = CLP_HAS_START || i > 0 ? clp_op(lower, own) : own;
        CHECK(are_same(t.out[t.out_first + i], (CLP_OUT)(CLP_INCLUSIVE ? total : lower)));
    }
    for (ulong i = 0; i < MOST + MARGIN; i++) {
        if (i >= t.out_first && i < t.out_first + written) continue;
        CHECK(are_same(t.out[i], before(i)));
    }
    return true;
}
