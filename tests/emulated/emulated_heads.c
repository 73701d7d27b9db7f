/* SPDX-License-Identifier: MIT */
/*
 * emulated_heads TRIALS: reductions and scans by keys in two launches, one program of them
 * (PROGRAM), on the machine of machine.h, beside plain C: runs of any length, arrays that
 * begin anywhere, shares of any size, outputs without room, counts in device memory.
 */
#include "device_emulated.h"

static const CLP_OUT NEVER = 12345678;

enum { GROUPS = 4, MARGIN = 64, MOST = 40000 };
enum { ENTRIES = GROUPS + CLP_GROUP + 1 };

#define TRIAL "n = %lu, shares of %lu", t.n, t.share

/* ---- Arrays ---- */

static struct {
    CLP_E in[MOST + MARGIN];
    CLP_HEAD heads[MOST + MARGIN], keys[MOST + MARGIN];
    CLP_OUT out[MOST + MARGIN];
} data __attribute__((aligned(256)));
static ulong counted_n, count[2];
static clp_report report;
static uint tickets[2];
static clp_value firsts[GROUPS], tails[ENTRIES];
static clp_part parts[ENTRIES];

/* ---- A trial ---- */

static struct trial {
    uint number;
    ulong n, room, share, runs;
    ulong in_first, heads_first, out_first;
    bool n_counts, is_refused;
} t;

void draw(uint trial_number) {
    static const uint means[] = {1, 2, 8, 20, 100, 1000, 30000};
    const uint mean = means[random_below(7)];
    uint key = 5;
    t = (struct trial){.number = trial_number, .n = random_length(trial_number, CLP_GROUP, MOST)};
    t.in_first = random_below(20);
    t.heads_first = random_below(20);
    t.out_first = 1 + random_below(9);
    t.n_counts = random_below(3) == 0;
    t.is_refused = t.n_counts && t.n > 0 && random_below(4) == 0;
    t.share = max(random_below(3000), 1u) + random_below(3) * random_below(300);
    sign_of_elements = random_below(2) == 0 ? -1 : 1;
    for (ulong i = 0; i < t.n; i++) {
        const bool begins = i == 0 || random_below(mean) == 0;
        if (begins && i > 0) key += 1 + random_below(3);
        t.runs += begins;
        data.heads[t.heads_first + i] = (CLP_HEAD)key;
        data.in[t.in_first + i] = (CLP_E)(sign_of_elements * (int)(1 + random_below(20)));
    }
    t.room = random_below(4) == 0 ? random_below((uint)t.runs + 1) : t.runs + random_below(3);
}

/* ---- The launch ---- */

static ulong most_n(void) {
    return t.is_refused ? t.n - 1 : t.n;
}

static uint workers(void) {
    return (uint)clamp((most_n() + t.share - 1) / t.share, 1ul, (ulong)GROUPS);
}

#define ARRAYS                                                                                     \
    data.in, t.in_first, data.heads, t.heads_first, data.out, t.out_first, data.keys, t.out_first, \
        count, 1, &report, 0, most_n(), t.room, workers(), t.share, 0, 0
#define COUNTED t.n_counts ? &counted_n : 0, 0, 0, 0

static void look(void) {
    clp_segmented_prefixes(ARRAYS, firsts, tails, parts, tickets, COUNTED);
}

static void go(void) {
    clp_segmented_outputs(ARRAYS, firsts, tails, parts, tickets, COUNTED);
}

static void launch_all(void) {
    launch(workers(), CLP_GROUP, look);
    launch(workers(), CLP_GROUP, go);
}

void run(void) {
    for (uint i = 0; i < MOST + MARGIN; i++) {
        data.out[i] = NEVER;
        data.keys[i] = 777;
    }
    memset(&report, 99, sizeof report);
    count[1] = 99;
    counted_n = t.n;
    launch_all();
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
    CHECK(data.out[t.out_first + at] == (CLP_OUT)total);
#if CLP_REDUCES && CLP_UNIQUE
    CHECK(data.keys[t.out_first + k] == data.heads[t.heads_first + i]);
#endif
    return true;
}

bool is_right(void) {
    const ulong outputs = CLP_REDUCES ? min(t.room, t.runs) : t.n;
    const CLP_HEAD *heads = data.heads + t.heads_first;
    clp_value total = 0;
    ulong runs = 0;
    CHECK(!saw_padding);
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
