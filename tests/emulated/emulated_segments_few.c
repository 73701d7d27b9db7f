/* SPDX-License-Identifier: MIT */
/*
 * emulated_segments_few TRIALS: segmented sort of few elements by digits and merges, one program of
 * it (PROGRAM), on the machine of machine.h, beside plain C: long segments of a few chunks and of
 * many, others of each size of teams, or short ones alone, keys that differ in some of their bits,
 * in place or not.
 */
#include "device_emulated.h"

enum { MOST = 3 * 1024 * CLP_RADIX_ITEMS, MARGIN = 16, SEGMENTS_MOST = 8, FIRST = 3, GUARD = 0x77 };
enum { CLASS = CLP_CLASSES - 4, END_CLASS = CLP_CLASSES - 1, LEAST_BITS = 8 };

#define TRIAL "rows %u", t.rows

static ulong lists[CLP_CLASSES * SEGMENTS_MOST];
static CLP_K keys_a[MOST], keys_b[MOST];
static uint numbers_a[MOST], numbers_b[MOST];
static clp_report report;

static struct trial {
    uint number, segments, rows;
    ulong n;
    bool in_place, is_counted, is_faulty, is_direct;
    uint longest; /* most segments are short: of up to so many elements; 0: they are not */
} t;

#include "emulated_keys.h"

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
    begin_segments();
    while (t.segments < SEGMENTS_MOST && append_segment(draw_length(), random_mask(), random_key()))
        continue;
}

static void list_segment(uint s) {
    const ulong length = (ulong)(offsets[FIRST + s + 1] - offsets[FIRST + s]);
    uint class = CLASS;
    while (class < END_CLASS && length > (256u << (class - CLASS)) * CLP_RADIX_ITEMS) class ++;
    const uint place = found[class]++, other = random_below(place + 1);
    ulong *list = lists + table[2 * class];
    list[place] = list[other];
    list[other] = s;
}

void draw(uint number) {
    static const uint longest[] = {129, 520, 1024, 1500};
    t = (struct trial){.number = number, .rows = 4 * (1 + random_below(CLP_RADIX_ITEMS / 4))};
    t.in_place = random_below(2) == 0;
    t.longest = number % 3 == 0 ? 0 : longest[random_below(sizeof longest / sizeof *longest)];
    t.is_direct = t.longest > 0 || random_below(2) == 0;
    t.is_counted = !t.is_direct && random_below(2) == 0;
    t.is_faulty = random_below(3) == 0;
    if (!t.is_direct && random_below(4) == 0) t.rows = 0;
    draw_segments();
    fill_arrays();
    memset(keys_a, GUARD, sizeof keys_a);
    memset(keys_b, GUARD, sizeof keys_b);
    memset(&report, GUARD, sizeof report);
    for (uint c = 0; c < CLP_CLASSES; c++) {
        table[2 * c] = c * SEGMENTS_MOST;
        table[2 * c + 1] = SEGMENTS_MOST;
    }
    for (uint s = 0; s < t.segments && !t.is_direct; s++) list_segment(s);
    if (t.is_faulty && t.is_direct) {
        offsets[FIRST + t.segments] = -1;
    } else if (t.is_faulty) {
        found[CLP_FAULT] = ~0u;
    }
}

static void body(void) {
    clp_segments_few(
        offsets, FIRST, t.is_counted ? MOST : t.n, t.segments, t.is_counted ? sizes : 0, keys_in,
        FIRST, keys_out(), FIRST CLP_EACH_VALUE(ARGUMENTS), found, t.is_direct ? 0 : lists, table,
        CLASS, END_CLASS, LEAST_BITS, t.rows, keys_a, keys_b, numbers_a, numbers_b, &report, 0);
}

void run(void) {
    launch(1 + random_below(3), CLP_RADIX_GROUP, body);
}

/* Of a run with a fault, or without rows, no long segment is written. */
bool is_right(void) {
    CHECK(report.fault == (long)t.is_faulty);
    CHECK(report.index == (t.is_faulty ? (long)t.segments : -1));
    for (uint w = CLP_TASKS; w < CLP_FOUND_WORDS; w++) CHECK(found[w] == 0);
    CHECK((found[CLP_FAULT] != 0) == t.is_faulty);
    for (uint s = 0; s < t.segments; s++) {
        const ulong begin = (ulong)offsets[FIRST + s], end = (ulong)offsets[FIRST + s + 1];
        if (offsets[FIRST + s + 1] < 0) break;
        const bool is_left = (t.is_faulty || t.rows == 0) && end - begin > 1024 * CLP_RADIX_ITEMS;
        if (!(is_left ? is_unwritten(FIRST + begin, FIRST + end) : is_sorted(s))) return false;
    }
    return is_unwritten(0, FIRST + (ulong)offsets[FIRST]) &&
           is_unwritten(FIRST + t.n, MOST + MARGIN);
}
