/* SPDX-License-Identifier: MIT */
/*
 * emulated_wave TRIALS: few elements by keys in a single wave of groups, one program of it
 * (PROGRAM), on the machine of machine.h, beside plain C: runs of any length, arrays that begin
 * anywhere, shares of any size, outputs without room, counts in device memory.
 */
#include "device_emulated.h"

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

static const CLP_RESULT NEVER = 12345678;

enum { GROUPS = 4, MOST = GROUPS * CLP_SHARE, MARGIN = 64 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, n = %lu, shares of %lu: not so: %s\n", t.number, t.n, t.share,           \
               #condition);                                                                        \
        return false;                                                                              \
    }

/* ---- Arrays ---- */

static struct {
    CLP_E in[MOST + MARGIN];
    CLP_HEAD heads[MOST + MARGIN], keys[MOST + MARGIN];
    CLP_RESULT out[MOST + MARGIN];
} data __attribute__((aligned(256)));
static ulong words[GROUPS * CLP_GROUP_WORDS], counted_n, count[2];
static clp_report report;
static uint tickets[2], number;

/* ---- A trial ---- */

typedef struct trial {
    uint number;
    ulong n, room, share, runs;
    ulong in_first, heads_first, out_first;
    bool n_counts, is_refused;
} trial;

static trial t;

static void draw(uint trial_number) {
    static const uint means[] = {1, 2, 8, 20, 100, 1000, 30000};
    const uint mean = means[random_below(7)];
    uint key = 5;
    t = (trial){.number = trial_number, .n = random_length(trial_number, CLP_GROUP, MOST)};
    t.in_first = random_below(20);
    t.heads_first = random_below(20);
    t.out_first = 1 + random_below(9);
    t.n_counts = random_below(3) == 0;
    t.is_refused = t.n_counts && t.n > 0 && random_below(4) == 0;
    t.share = max((t.n + GROUPS - 1) / GROUPS, 1ul) + random_below(3) * random_below(300);
    for (ulong i = 0; i < t.n; i++) {
        const bool begins = i == 0 || random_below(mean) == 0;
        if (begins && i > 0) key += 1 + random_below(3);
        t.runs += begins;
        data.heads[t.heads_first + i] = (CLP_HEAD)key;
        data.in[t.in_first + i] = (CLP_E)((int)random_below(20) - 9);
    }
    t.room = random_below(4) == 0 ? random_below((uint)t.runs + 1) : t.runs + random_below(3);
}

/* ---- The launch ---- */

static ulong most_n(void) {
    return t.is_refused ? t.n - 1 : t.n;
}

static uint workers(void) {
    return (uint)max(1ul, (most_n() + t.share - 1) / t.share);
}

static void body(void) {
    clp_segmented_go(data.in, t.in_first, data.heads, t.heads_first, data.out, t.out_first,
                     data.keys, t.out_first, count, 1, &report, 0, most_n(), t.room, workers(),
                     t.share, 0, 0, 0, (clp_value *)words, 0, 0, tickets,
                     t.n_counts ? &counted_n : 0, 0, 0, 0, number);
}

static void run(void) {
    for (uint i = 0; i < MOST + MARGIN; i++) {
        data.out[i] = NEVER;
        data.keys[i] = 777;
    }
    memset(&report, 99, sizeof report);
    count[1] = 99;
    number++;
    counted_n = t.n;
    launch(workers(), CLP_GROUP, body);
}

/* ---- What came of it ---- */

static bool is_untouched(ulong first, ulong end) {
    for (ulong i = first; i < end; i++) CHECK(data.out[i] == NEVER);
    for (ulong i = first; i < end && CLP_REDUCES; i++) CHECK(data.keys[i] == 777);
    return true;
}

/* The output of element i, or of run number k, which ends with it. */
static bool is_output(ulong i, ulong k, clp_value total, bool ends) {
    const ulong at = CLP_REDUCES ? k : i;
    if (CLP_REDUCES && (!ends || k >= t.room)) return true;
    CHECK(data.out[t.out_first + at] == (CLP_RESULT)total);
#if CLP_REDUCES && CLP_UNIQUE
    CHECK(data.keys[t.out_first + k] == data.heads[t.heads_first + i]);
#endif
    return true;
}

static bool is_right(void) {
    const ulong outputs = CLP_REDUCES ? min(t.room, t.runs) : t.n;
    const CLP_HEAD *heads = data.heads + t.heads_first;
    clp_value total = 0;
    ulong runs = 0;
    if (t.is_refused) {
        CHECK(report.fault == CLP_FAULT_COUNT && report.index == (long)t.n);
        CHECK(!CLP_REDUCES || count[1] == CLP_REFUSED);
        return is_untouched(0, MOST + MARGIN);
    }
    CHECK(is_untouched(0, t.out_first) && is_untouched(t.out_first + outputs, MOST + MARGIN));
    for (ulong i = 0; i < t.n; i++) {
        const clp_value value = (clp_value)data.in[t.in_first + i];
        const bool begins = i == 0 || heads[i] != heads[i - 1];
        runs += begins;
        total = begins ? value : total + value;
        CHECK(is_output(i, runs - 1, total, i + 1 == t.n || heads[i] != heads[i + 1]));
    }
    CHECK(report.fault == 0 && report.index == -1);
    CHECK(report.segments == (CLP_REDUCES ? (long)t.runs : -1));
    CHECK(!CLP_REDUCES || count[1] == t.runs);
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
