/* SPDX-License-Identifier: MIT */
/*
 * emulated_marks TRIALS: bits of offsets, one program that makes them (PROGRAM), on the machine of
 * machine.h, beside plain C: offsets close together, far apart, equal, at fault, with elements in
 * front of the first one and behind the last.
 */
#include "device_emulated.h"

enum { MOST = 6000, FIRST = 3, ELEMENTS = 60000, WORDS = ELEMENTS / 32 + 4 };

#define TRIAL "%lu segments", t.segments

static CLP_OFFSET offsets[FIRST + MOST + 1];
static uint bits[WORDS], wanted[WORDS], fault;
static ulong counted_segments;

static struct trial {
    uint number;
    ulong n, segments;
    uint fault; /* the lowest offset at fault */
    bool segments_count;
} t;

/* Distances that are `most` at most, now and then much more. */
void draw(uint number) {
    static const uint distances[] = {0, 1, 3, 17, 80, 3000};
    uint most = distances[random_below(6)];
    ulong at = random_below(3) == 0 ? random_below(2000) : 0;
    t = (struct trial){.number = number, .segments = random_below(MOST), .fault = CLP_NO_FAULT};
    for (ulong k = 0; k <= t.segments; k++) {
        offsets[FIRST + k] = (CLP_OFFSET)at;
        if (random_below(300) == 0) most = distances[random_below(6)];
        at = min(at + random_below(most + 1), (ulong)ELEMENTS);
    }
    t.n = (ulong)offsets[FIRST + t.segments] + random_below(100);
    t.segments_count = random_below(3) == 0;
    if (random_below(4) > 0) return;
    const CLP_OFFSET wrong[] = {-1, (CLP_OFFSET)(t.n + 1), (CLP_OFFSET)random_below((uint)t.n + 1)};
    const ulong at_fault = random_below((uint)t.segments + 1), other = at_fault + 32;
    offsets[FIRST + at_fault] = wrong[random_below(3)];
    if (other <= t.segments && random_below(2) == 0) offsets[FIRST + other] = wrong[0];
    for (ulong k = 0; k <= t.segments && t.fault == CLP_NO_FAULT; k++) {
        const long offset = (long)offsets[FIRST + k];
        const long before = k == 0 ? 0 : (long)offsets[FIRST + k - 1];
        if (offset < before || (ulong)offset > t.n) t.fault = (uint)k;
    }
}

#define ARGUMENTS                                                                                  \
    offsets, FIRST, t.n, t.segments + (t.segments_count ? 10 : 0), bits, &fault, 0, 0,             \
        t.segments_count ? &counted_segments : 0, 0

static void clear(void) {
    clp_segmented_clear(ARGUMENTS);
}

static void mark(void) {
    clp_segmented_mark(ARGUMENTS);
}

void run(void) {
    memset(bits, 0x5a, sizeof bits);
    fault = 5;
    counted_segments = t.segments;
    launch(1 + random_below(3), CLP_GROUP, clear);
    launch(1 + random_below(3), CLP_GROUP, mark);
}

bool is_right(void) {
    const long low = (long)offsets[FIRST];
    CHECK(fault == t.fault);
    if (t.fault != CLP_NO_FAULT) return true;
    const ulong span = (ulong)((long)offsets[FIRST + t.segments] - low);
    memset(wanted, 0, sizeof wanted);
    for (ulong k = 0; k < t.segments; k++) {
        const ulong place = (ulong)((long)offsets[FIRST + k] - low);
        if (place < span) wanted[place / 32] |= 1u << place % 32;
    }
    CHECK(memcmp(bits, wanted, (span / 32 + 1) * sizeof *bits) == 0);
    CHECK(bits[span / 32 + 2] == 0x5a5a5a5a);
    return true;
}
