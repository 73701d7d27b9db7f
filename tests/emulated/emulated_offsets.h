/* SPDX-License-Identifier: MIT */
/* Reductions by offsets: arrays, how a trial draws them, and what is expected of them. The file
 * that includes it has PROGRAM, MOST, MARGIN, SEGMENTS_MOST, draw_mixed() and run_once(). */
#ifndef TESTS_EMULATED_OFFSETS_H
#define TESTS_EMULATED_OFFSETS_H

static const CLP_OUT NEVER = 12345678;

#define TRIAL "n = %lu, %lu segments", t.n, t.segments

typedef struct arrays {
    CLP_E in[MOST + MARGIN];
    CLP_HEAD offsets[MOST + MARGIN];
    CLP_OUT out[MOST + MARGIN], again[MOST + MARGIN];
} arrays;

static arrays data __attribute__((aligned(256)));
static ulong counted_n, counted_segments;
static uint tickets[2];
static clp_report report;

/* ---- A trial ---- */

static struct trial {
    uint number;
    ulong n, low, segments;
    ulong in_first, offsets_first, out_first;
    bool n_counts, segments_count, is_refused;
    long fault; /* the lowest offset at fault; -1: none is */
} t;

/* A length of the kind that only one test draws; a launch, behind fill_results(). */
static ulong draw_mixed(ulong s);
static void run_once(void);

static CLP_HEAD *offsets(void) {
    return data.offsets + t.offsets_first;
}

/* The length of segment s where they are `mean` on average; kind: alike, random, some long, some
 * empty; or what the test mixes. */
static ulong draw_length(uint kind, uint mean, ulong s) {
    if (kind == 4) return draw_mixed(s);
    if (kind == 0) return mean;
    if (kind == 1) return random_below(2 * mean + 1);
    if (kind == 2) return random_below(30) == 0 ? random_below(3000) : random_below(mean + 1);
    return random_below(3) > 0 ? 0 : random_below(3 * mean + 1);
}

static void draw_offsets(void) {
    static const uint means[] = {0, 1, 1, 2, 8, 20, 33, 60, 100, 300, 1000, 5000, 100000};
    const ulong most = random_below(3) == 0 ? random_below(300) : random_below(SEGMENTS_MOST);
    uint kind = t.number % 3 == 0 ? 4 : random_below(4), mean = means[random_below(13)];
    ulong at = t.low;
    t.segments = 0;
    offsets()[0] = (CLP_HEAD)at;
    while (t.segments < most && at <= t.n) {
        const ulong length = draw_length(kind, mean, t.segments);
        if (at + length > t.n && random_below(2) == 0) break;
        at = min(at + length, t.n);
        offsets()[++t.segments] = (CLP_HEAD)at;
        if (kind < 4 && random_below(500) == 0) {
            kind = random_below(4);
            mean = means[random_below(13)];
        }
    }
}

/* Makes one offset wrong, at times. */
static void draw_fault(void) {
    t.fault = -1;
    if (random_below(6) > 0) return;
    const ulong k = random_below((uint)t.segments + 1);
    const CLP_HEAD wrong[] = {-1, (CLP_HEAD)(t.n + 1), (CLP_HEAD)random_below((uint)t.n + 1),
                              (CLP_HEAD)0x7ffffff0, offsets()[k > 0 ? k - 1 : 0] - 1};
    offsets()[k] = wrong[random_below(5)];
    for (ulong s = 0; s <= t.segments && t.fault < 0; s++) {
        const long offset = (long)offsets()[s], before = s == 0 ? 0 : (long)offsets()[s - 1];
        if (offset < before || (ulong)offset > t.n) t.fault = (long)s;
    }
}

static void draw_arrays(uint number) {
    t = (struct trial){.number = number, .n = random_below(MOST)};
    if (random_below(4) == 0) t.n = random_below(3000);
    if (random_below(3) == 0) t.low = random_below((uint)t.n + 1);
    t.in_first = random_below(40);
    t.offsets_first = random_below(2) == 0 ? 0 : random_below(40);
    t.out_first = 1 + random_below(9);
    sign_of_elements = random_below(2) == 0 ? -1 : 1;
    for (uint i = 0; i < MOST + MARGIN; i++) {
        data.in[i] = (CLP_E)(sign_of_elements * (int)(1 + random_below(20)));
    }
    for (uint i = 0; i < MOST + MARGIN; i++) data.offsets[i] = (CLP_HEAD)12345;
    draw_offsets();
    draw_fault();
    t.n_counts = random_below(3) == 0;
    t.segments_count = random_below(3) == 0;
    t.is_refused = t.n_counts && t.n > 0 && random_below(4) == 0;
}

static ulong most_n(void) {
    return t.is_refused ? t.n - 1 : t.n_counts ? t.n + 1000 : t.n;
}

static ulong most_segments(void) {
    return t.segments + (t.segments_count ? 100 : 0);
}

static void fill_results(void) {
    for (uint i = 0; i < MOST + MARGIN; i++) data.out[i] = NEVER;
    memset(&report, 99, sizeof report);
    counted_n = t.n;
    counted_segments = t.segments;
}

void run(void) {
    run_once();
    memcpy(data.again, data.out, sizeof data.out);
    if (t.number % 8 == 0 && t.fault < 0) run_once();
}

/* ---- What came of it ---- */

static bool is_untouched(ulong first, ulong end) {
    for (ulong i = first; i < end; i++) CHECK(data.out[i] == NEVER);
    return true;
}

bool is_right(void) {
    CHECK(tickets[0] == 0 && !saw_padding);
    if (t.is_refused) {
        CHECK(report.fault == CLP_FAULT_COUNT && report.index == (long)t.n);
        return is_untouched(0, MOST + MARGIN);
    }
    CHECK(is_untouched(0, t.out_first));
    CHECK(is_untouched(t.out_first + t.segments, MOST + MARGIN));
    CHECK(report.index == t.fault && report.segments == (long)t.segments);
    CHECK(report.fault == (t.fault < 0 ? 0 : CLP_FAULT_OFFSETS));
    if (t.fault >= 0) return true;
    for (ulong s = 0; s < t.segments; s++) {
        const ulong first = (ulong)offsets()[s], last = (ulong)offsets()[s + 1];
        clp_value total = 0;
        for (ulong i = first; i < last; i++) {
            const clp_value value = (clp_value)data.in[t.in_first + i];
            total = i == first ? value : clp_op(total, value);
        }
        CHECK(data.out[t.out_first + s] == (first < last ? (CLP_OUT)total : 77));
    }
    CHECK(memcmp(data.again, data.out, sizeof data.out) == 0);
    return true;
}

#endif
