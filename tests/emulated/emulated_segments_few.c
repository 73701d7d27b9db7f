/* SPDX-License-Identifier: MIT */
/*
 * emulated_segments_few TRIALS: segmented sort of few elements by digits and merges, one program of
 * it (PROGRAM), on the machine of machine.h, beside plain C: long segments of a few chunks and of
 * many, others of each size of teams, or short ones alone, keys that differ in some of their bits,
 * in place or not.
 */
#include "device_emulated.h"

/* clang-format off */
#include PROGRAM
/* clang-format on */

#include <stdio.h>

enum { MOST = 3 * 1024 * CLP_RADIX_ITEMS, MARGIN = 16, SEGMENTS_MOST = 8, FIRST = 3, GUARD = 0x77 };
enum { CLASS = CLP_CLASSES - 4, END_CLASS = CLP_CLASSES - 1, LEAST_BITS = 8 };

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, rows %u: not so: %s\n", t.number, t.rows, #condition);                   \
        return false;                                                                              \
    }

#include "emulated_keys.h"

static ulong lists[CLP_CLASSES * SEGMENTS_MOST];
static uint all_found[CLP_FOUND_WORDS] __attribute__((aligned(8)));
static CLP_K keys_a[MOST], keys_b[MOST];
static uint numbers_a[MOST], numbers_b[MOST];
static clp_report report;

typedef struct trial {
    uint number, segments, rows;
    ulong n;
    bool in_place, is_counted, is_faulty, is_direct;
    uint longest; /* most segments are short: of up to so many elements; 0: they are not */
} trial;

static trial t;

/* Long ones, all that a team has room for, or some rows of it. */
static uint draw_length(void) {
    const uint room = 1024 * CLP_RADIX_ITEMS;
    if (random_below(t.longest > 0 ? 12 : 3) == 0)
        return room + 1 + random_below(random_below(4) == 0 ? 2 * room : 3000);
    if (t.longest > 0) return t.longest - random_below(random_below(4) == 0 ? 2 : t.longest);
    if (random_below(8) == 0) return room - random_below(40);
    return random_below(2) == 0 ? 1 + random_below(700) : 1 + random_below(5000);
}

static void draw_segments(void) {
    static const ulong masks[] = {~0ul, 0xff, 0xff00ff00ff00ff, 0x80000001, 0, 3};
    ulong at = random_below(3);
    offsets[FIRST] = (CLP_OFFSET)at;
    for (t.segments = 0; t.segments < SEGMENTS_MOST; t.segments++) {
        const uint length = draw_length();
        const CLP_K mask = (CLP_K)masks[random_below(6)], others = (CLP_K)draw_key(~(CLP_K)0, 0);
        if (at + length > MOST) break;
        draw_segment(at, length, mask, others);
        at += length;
        offsets[FIRST + t.segments + 1] = (CLP_OFFSET)at;
    }
    t.n = at;
}

static void list_segment(uint s) {
    const ulong length = (ulong)(offsets[FIRST + s + 1] - offsets[FIRST + s]);
    uint class = CLASS;
    while (class < END_CLASS && length > (256u << (class - CLASS)) * CLP_RADIX_ITEMS) class ++;
    const uint place = all_found[class]++, other = random_below(place + 1);
    ulong *list = lists + table[2 * class];
    list[place] = list[other];
    list[other] = s;
}

static void draw(uint number) {
    static const uint longest[] = {129, 520, 1024, 1500};
    t = (trial){.number = number, .rows = 4 * (1 + random_below(CLP_RADIX_ITEMS / 4))};
    t.in_place = random_below(2) == 0;
    t.longest = number % 3 == 0 ? 0 : longest[random_below(sizeof longest / sizeof *longest)];
    t.is_direct = t.longest > 0 || random_below(2) == 0;
    t.is_counted = !t.is_direct && random_below(2) == 0;
    t.is_faulty = random_below(3) == 0;
    draw_segments();
    fill_arrays();
    memset(all_found, 0, sizeof all_found);
    memset(keys_a, GUARD, sizeof keys_a);
    memset(keys_b, GUARD, sizeof keys_b);
    memset(&report, GUARD, sizeof report);
    sizes[0] = t.n;
    sizes[1] = t.segments;
    sizes[2] = sizes[3] = 0;
    for (uint c = 0; c < CLP_CLASSES; c++) {
        table[2 * c] = c * SEGMENTS_MOST;
        table[2 * c + 1] = SEGMENTS_MOST;
    }
    for (uint s = 0; s < t.segments && !t.is_direct; s++) list_segment(s);
    if (t.is_faulty && t.is_direct) {
        offsets[FIRST + t.segments] = -1;
    } else if (t.is_faulty) {
        all_found[CLP_FAULT] = ~0u;
    }
}

static CLP_K *keys_out(void) {
    return t.in_place ? keys_in : keys_apart;
}

static void body(void) {
    clp_segments_few(offsets, FIRST, t.is_counted ? MOST : t.n, t.segments,
                     t.is_counted ? sizes : 0, keys_in, FIRST, keys_out(),
                     FIRST CLP_EACH_VALUE(ARGUMENTS), all_found, t.is_direct ? 0 : lists, table,
                     CLASS, END_CLASS, LEAST_BITS, t.rows, keys_a, keys_b, numbers_a, numbers_b,
                     &report, 0);
}

static void run(void) {
    launch(1 + random_below(3), CLP_RADIX_GROUP, body);
}

static bool is_unwritten(ulong i) {
    return t.in_place ? keys_in[i] == given_keys[i] : ((uchar *)&keys_apart[i])[0] == GUARD;
}

/* Of a run with a fault no long segment is written. */
static bool is_right(void) {
    CHECK(report.fault == (long)t.is_faulty);
    CHECK(report.index == (t.is_faulty ? (long)t.segments : -1));
    for (uint w = CLP_TASKS; w < CLP_FOUND_WORDS; w++) CHECK(all_found[w] == 0);
    CHECK((all_found[CLP_FAULT] != 0) == t.is_faulty);
    for (uint s = 0; s < t.segments; s++) {
        const ulong begin = (ulong)offsets[FIRST + s], end = (ulong)offsets[FIRST + s + 1];
        if (offsets[FIRST + s + 1] < 0) break;
        if (t.is_faulty && end - begin > 1024 * CLP_RADIX_ITEMS) {
            for (ulong i = FIRST + begin; i < FIRST + end; i++) CHECK(is_unwritten(i));
            continue;
        }
        for (ulong i = begin; i < end; i++) {
            CHECK(CLP_NO_KEYS || keys_out()[FIRST + i] == given_keys[FIRST + places[i]]);
            CLP_EACH_VALUE(CHECK_VALUE)
        }
    }
    for (ulong i = 0; i < MOST + MARGIN; i++) {
        if (i >= FIRST + (ulong)offsets[FIRST] && i < FIRST + t.n) continue;
        CHECK(is_unwritten(i));
    }
    return true;
}

int main(int argc, char **argv) {
    return run_trials(argc, argv, draw, run, is_right);
}
