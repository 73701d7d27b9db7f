/* SPDX-License-Identifier: MIT */
/*
 * emulated_segmented TRIALS: the look-ahead of segmented, one program of it (PROGRAM), on the
 * machine of machine.h, beside plain C: lengths around tiles, arrays that begin anywhere, in place
 * or not, outputs with less room than there are runs, counts in device memory, refused ones too,
 * one state for all runs.
 */
#include "device_emulated.h"

enum { MOST = 40000, MARGIN = 400, TILES_MOST = 4096 };

#define TRIAL "n = %lu", t.n

/* ---- Arrays ---- */

typedef struct arrays {
    CLP_E in[MOST + MARGIN];
    CLP_HEAD heads[MOST + MARGIN];
    CLP_OUT out[MOST + MARGIN], before[MOST + MARGIN];
    CLP_HEAD keys[MOST + MARGIN];
} arrays;

static arrays data __attribute__((aligned(256)));
static bool begins[MOST]; /* a run */
static ulong state_words[4 * TILES_MOST], count_word, counted_word;
static uint tickets[2];
static clp_report report;
#if CLP_MARKED
static CLP_OFFSET offsets[2 * MOST + 2];
static ulong counted_segments;
static uint fault;
#endif

/* ---- A trial ---- */

static struct trial {
    uint number;
    ulong n, low, high; /* elements [low, high) are in segments */
    ulong in_first, heads_first, out_first, room, runs, segments;
    bool in_place, is_counted, is_refused, is_broken;
    CLP_OUT *out;
} t;

enum { KEYS_FIRST = 3, COUNTED_FIRST = 0, BROKEN = 77 };

static ulong draw_length(uint number) {
    switch (number % 5) {
    case 0:
        return number == 0 ? 0 : random_below(MOST);
    case 1:
        return random_below(50);
    case 2:
        return min((ulong)CLP_TILE * (1 + random_below(4)) + random_below(3) - 1, (ulong)MOST);
    default:
        return random_below(MOST);
    }
}

static void set_head(ulong i, bool begins_here, CLP_HEAD key) {
#if CLP_BY_KEYS
    (void)begins_here;
    data.heads[t.heads_first + i] = key;
#elif CLP_BY_BITS
    const ulong bit = t.heads_first + i - t.low;
    uchar *byte = (uchar *)data.heads + bit / 8;
    (void)key;
    *byte = (uchar)((*byte & ~(1u << bit % 8)) | (uint)begins_here << bit % 8);
#else
    data.heads[t.heads_first + i] = begins_here ? (CLP_HEAD)(1 + key % 200) : 0;
#endif
}

/* Runs of `mean` elements on average. */
static void draw_runs(uint mean) {
    CLP_HEAD key = 5;
    for (ulong i = 0; i < t.n; i++) {
        const bool is_in = i >= t.low && i < t.high;
        const CLP_HEAD last = key;
        bool begins_here = is_in && (i == t.low || random_below(mean) == 0);
        if (begins_here) key = (CLP_HEAD)(mean < 3 ? key + 1 : random_below(100));
        if (CLP_BY_KEYS) begins_here = i == 0 || key != last;
        if (is_in) set_head(i, begins_here, key);
        begins[i] = begins_here;
        t.runs += begins_here;
        data.in[t.in_first + i] = (CLP_E)(1 + random_below(9));
    }
}

/* The offsets of the runs, with empty segments among them. */
static void draw_offsets(void) {
#if CLP_MARKED
    offsets[0] = (CLP_OFFSET)t.low;
    for (ulong i = t.low + 1; i <= t.high; i++) {
        if (i < t.high && !begins[i]) continue;
        while (random_below(4) == 0 && t.segments < MOST) {
            offsets[t.segments + 1] = offsets[t.segments];
            t.segments++;
        }
        offsets[++t.segments] = (CLP_OFFSET)i;
    }
    t.is_broken = random_below(8) == 0;
    fault = t.is_broken ? BROKEN : CLP_NO_FAULT;
    counted_segments = t.segments;
#endif
}

void draw(uint number) {
    static const uint means[] = {1, 2, 8, 100, 1000, 100000};
    t = (struct trial){.number = number, .n = draw_length(number), .in_first = random_below(9)};
    t.high = t.n;
    t.heads_first = CLP_MARKED ? 0 : random_below(CLP_BY_BITS ? 300 : 9);
    if (CLP_MARKED && random_below(2) == 0) t.low = random_below((uint)t.n + 1);
    if (CLP_MARKED && random_below(2) == 0) t.high -= random_below((uint)(t.n - t.low) + 1);
    for (uint i = 0; i < sizeof data.heads; i++)
        ((uchar *)data.heads)[i] = (uchar)random_below(256);
    draw_runs(means[random_below(6)]);
    draw_offsets();
    t.room = random_below(3) == 0 ? random_below((uint)t.runs + 1) : t.runs + random_below(3);
    t.in_place = !CLP_REDUCES && sizeof(CLP_OUT) == sizeof(CLP_E) && random_below(3) == 0;
    t.is_counted = random_below(3) == 0;
    t.is_refused = t.is_counted && t.n > 0 && random_below(3) == 0;
    t.out = t.in_place ? (CLP_OUT *)data.in : data.out;
    t.out_first = t.in_place ? t.in_first : 2 + random_below(5);
}

/* ---- The launch ---- */

static ulong most_n(void) {
    return t.is_refused ? t.n - 1 : t.is_counted ? t.n + 1000 : t.n;
}

static const clp_value start = 3;

#if CLP_MARKED
#define OF_OFFSETS , offsets, 0, t.segments, t.number % 2 ? &counted_segments : 0, 0, &fault
#else
#define OF_OFFSETS
#endif

static void body(void) {
    clp_segmented_lookahead(data.in, t.in_first, data.heads, t.heads_first, t.out, t.out_first,
                            data.keys, KEYS_FIRST, &count_word, 0, &report, 0, most_n(), t.room,
                            start OF_OFFSETS, state_words, tickets, t.number + 1,
                            t.is_counted ? &counted_word : 0, COUNTED_FIRST);
}

void run(void) {
    const ulong tiles = max((most_n() + CLP_TILE - 1) / CLP_TILE, 1ul);
    for (uint i = 0; i < MOST + MARGIN; i++) {
        data.out[i] = (CLP_OUT)77;
        data.keys[i] = (CLP_HEAD)77;
    }
    memcpy(data.before, t.out, sizeof data.before);
    memset(&report, 99, sizeof report);
    count_word = BROKEN;
    counted_word = t.n;
    launch((uint)min(tiles, 1ul + random_below(3)), CLP_GROUP, body);
}

/* ---- What came of it ---- */

static bool is_untouched(ulong first, ulong end) {
    const ulong bytes = sizeof t.out[0];
    return memcmp(t.out, data.before, first * bytes) == 0 &&
           memcmp(t.out + end, data.before + end, (MOST + MARGIN - end) * bytes) == 0;
}

static bool reports_refusal(void) {
    CHECK(report.fault == CLP_FAULT_COUNT && report.index == (long)t.n);
    CHECK(!CLP_REDUCES || count_word == ~0ul);
    CHECK(is_untouched(0, 0));
    return true;
}

static bool has_reduced(void) {
    const ulong written = min(t.room, t.runs);
    ulong run = 0;
    CHECK(count_word == t.runs);
    for (ulong i = 0; i < t.n; run++) {
        const ulong first = i;
        clp_value sum = CLP_STARTS ? start : 0;
        do sum += (clp_value)data.in[t.in_first + i++];
        while (i < t.n && !begins[i]);
        if (run >= t.room) continue;
        CHECK(t.out[t.out_first + run] == (CLP_OUT)sum);
        CHECK(!CLP_UNIQUE || data.keys[KEYS_FIRST + run] == data.heads[t.heads_first + first]);
    }
    CHECK(data.keys[KEYS_FIRST - 1] == (CLP_HEAD)77);
    CHECK(data.keys[KEYS_FIRST + (CLP_UNIQUE ? written : 0)] == (CLP_HEAD)77);
    CHECK(is_untouched(t.out_first, t.out_first + written));
    return true;
}

static bool has_scanned(void) {
    clp_value sum = 0;
    for (ulong i = t.low; i < t.high; i++) {
        const CLP_OUT *in = t.in_place ? data.before : (const CLP_OUT *)data.in;
        if (begins[i]) sum = CLP_STARTS ? start : 0;
        const clp_value before = sum;
        sum += (clp_value)in[t.in_first + i];
        CHECK(t.out[t.out_first + i] == (CLP_OUT)(CLP_INCLUSIVE ? sum : before));
    }
    CHECK(is_untouched(t.out_first + t.low, t.out_first + t.high));
    return true;
}

bool is_right(void) {
    CHECK(tickets[0] == 0 && !saw_padding);
    if (t.is_refused) return reports_refusal();
    if (t.is_broken) {
        CHECK(report.fault == CLP_FAULT_OFFSETS && report.index == BROKEN);
        CHECK(is_untouched(0, 0));
        return true;
    }
    CHECK(report.fault == 0 && report.index == -1);
    CHECK(report.segments == (CLP_MARKED ? (long)t.segments : CLP_REDUCES ? (long)t.runs : -1));
    return CLP_REDUCES ? has_reduced() : has_scanned();
}
