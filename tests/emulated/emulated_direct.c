/* SPDX-License-Identifier: MIT */
/*
 * emulated_direct TRIALS: reductions by offsets with a team for each segment, one program of them
 * (PROGRAM), on the machine of machine.h, beside plain C: segments of about one length, of none, of
 * all, arrays that begin anywhere, counts in device memory, refused ones too, offsets at fault.
 * Some groups run at a time, lower ones first.
 */
#include "device_emulated.h"

static uint first_group, all_groups; /* of those that run; of the launch */
#undef get_group_id
#undef get_num_groups
#undef get_global_id
#define get_group_id(d) ((ulong)(first_group + here.group))
#define get_num_groups(d) ((ulong)all_groups)
#define get_global_id(d) (get_group_id(d) * items_of_group + here.item)

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

static const CLP_RESULT NEVER = 12345678;

enum { MOST = 20000, MARGIN = 200, AT_ONCE = 3, BLOCKS_MOST = MOST / CLP_LONG_BLOCK + 40 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, n = %lu, %lu segments: not so: %s\n", t.number, t.n, t.segments,         \
               #condition);                                                                        \
        return false;                                                                              \
    }

/* ---- Arrays ---- */

typedef struct arrays {
    CLP_E in[MOST + MARGIN];
    CLP_HEAD offsets[MOST + MARGIN];
    CLP_RESULT out[MOST + MARGIN], again[MOST + MARGIN];
} arrays;

static arrays data __attribute__((aligned(256)));
static ulong words[2 * CLP_MOST_CHECKERS + 3 * BLOCKS_MOST * CLP_VALUE_WORDS];
static ulong counted_n, counted_segments;
static uint tickets[2], number;
static clp_report report;

/* ---- A trial ---- */

typedef struct trial {
    uint number;
    ulong n, low, segments;
    ulong in_first, offsets_first, out_first;
    bool n_counts, segments_count, is_refused;
    long fault; /* the lowest offset at fault; -1: none is */
} trial;

static trial t;

static CLP_HEAD *offsets(void) {
    return data.offsets + t.offsets_first;
}

/* The length of segment s where they are `mean` on average; kind: alike, random, some long, some
 * empty; short ones and one that covers blocks in turn. */
static ulong draw_length(uint kind, uint mean, ulong s) {
    if (kind == 4) return s % 40 < 39 ? random_below(4) : random_below(8 * CLP_LONG_BLOCK);
    if (kind == 0) return mean;
    if (kind == 1) return random_below(2 * mean + 1);
    if (kind == 2) return random_below(30) == 0 ? random_below(3000) : random_below(mean + 1);
    return random_below(3) > 0 ? 0 : random_below(3 * mean + 1);
}

static void draw_offsets(void) {
    static const uint means[] = {0, 1, 1, 2, 8, 20, 33, 60, 100, 300, 1000, 5000, 100000};
    const ulong most =
        random_below(3) == 0 ? random_below(300) : random_below(CLP_IS_WIDE ? 900 : MOST - 1);
    uint kind = random_below(5), mean = means[random_below(13)];
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

static void draw(uint number) {
    t = (trial){.number = number, .n = random_below(MOST)};
    if (random_below(4) == 0) t.n = random_below(3000);
    if (random_below(3) == 0) t.low = random_below((uint)t.n + 1);
    t.in_first = random_below(40);
    t.offsets_first = random_below(2) == 0 ? 0 : random_below(40);
    t.out_first = 1 + random_below(9);
    for (uint i = 0; i < MOST + MARGIN; i++) data.in[i] = (CLP_E)((int)random_below(20) - 15);
    for (uint i = 0; i < MOST + MARGIN; i++) data.offsets[i] = (CLP_HEAD)12345;
    draw_offsets();
    draw_fault();
    t.n_counts = random_below(3) == 0;
    t.segments_count = random_below(3) == 0;
    t.is_refused = t.n_counts && t.n > 0 && random_below(4) == 0;
}

/* ---- The launch ---- */

static ulong most_n(void) {
    return t.is_refused ? t.n - 1 : t.n_counts ? t.n + 1000 : t.n;
}

static ulong most_segments(void) {
    return t.segments + (t.segments_count ? 100 : 0);
}

static void body(void) {
    clp_segmented_go(data.in, t.in_first, data.offsets, t.offsets_first, data.out, t.out_first, 0,
                     0, 0, 0, &report, 0, most_n(), most_segments(), 1, 1 << 30, 0, 77, 0,
                     (clp_value *)words, 0, 0, tickets, t.n_counts ? &counted_n : 0, 0,
                     t.segments_count ? &counted_segments : 0, 0, number);
}

static void run_once(void) {
    const ulong blocks = most_n() / CLP_LONG_BLOCK;
    for (uint i = 0; i < MOST + MARGIN; i++) data.out[i] = NEVER;
    memset(&report, 99, sizeof report);
    number++;
    counted_n = t.n;
    counted_segments = t.segments;
    all_groups = (uint)(clp_checkers(most_segments()) + (blocks + CLP_WORKERS - 1) / CLP_WORKERS +
                        (most_segments() + CLP_SEGMENTS - 1) / CLP_SEGMENTS);
    for (first_group = 0; first_group < all_groups; first_group += AT_ONCE) {
        launch(min(all_groups - first_group, (uint)AT_ONCE), CLP_GROUP, body);
    }
}

static void run(void) {
    run_once();
    memcpy(data.again, data.out, sizeof data.out);
    if (t.number % 8 == 0 && t.fault < 0) run_once();
}

/* ---- What came of it ---- */

static bool is_untouched(ulong first, ulong end) {
    for (ulong i = first; i < end; i++) CHECK(data.out[i] == NEVER);
    return true;
}

static bool is_right(void) {
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
        CHECK(data.out[t.out_first + s] == (first < last ? (CLP_RESULT)total : 77));
    }
    CHECK(memcmp(data.again, data.out, sizeof data.out) == 0);
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
