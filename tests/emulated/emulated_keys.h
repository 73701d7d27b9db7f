/* SPDX-License-Identifier: MIT */
/* Keys and values of segmented sorts, and where they are expected. The file that includes it has
 * MOST, MARGIN, FIRST, GUARD, SEGMENTS_MOST and the trial `t`. */
#ifndef TESTS_EMULATED_KEYS_H
#define TESTS_EMULATED_KEYS_H

static CLP_K keys_in[MOST + MARGIN], keys_apart[MOST + MARGIN], given[MOST + MARGIN];
static CLP_OFFSET offsets[SEGMENTS_MOST + 1 + FIRST];
static ulong sizes[4];
static uint found[CLP_FOUND_WORDS] __attribute__((aligned(8)));
static ulong table[2 * CLP_CLASSES];
static uint places[MOST]; /* which element is expected there, by its place */

#include "emulated_order.h"

#define ARRAYS(k) static CLP_VALUE##k##_TYPE in##k[MOST + MARGIN], out##k[MOST + MARGIN];
CLP_EACH_VALUE(ARRAYS)

#define FILL(k)                                                                                    \
    for (uint i = 0; i < sizeof in##k; i++) ((uchar *)in##k)[i] = (uchar)random_below(256);        \
    memset(out##k, GUARD, sizeof out##k);

#define ARGUMENTS(k) , in##k, FIRST, out##k, FIRST

/* begin, i: of a segment, and a place in it */
#define CHECK_VALUE(k)                                                                             \
    {                                                                                              \
        const CLP_VALUE##k##_TYPE expected =                                                       \
            CLP_VALUE##k##_OF(in##k + FIRST, begin, places[i] - begin);                            \
        CHECK(memcmp(&out##k[FIRST + i], &expected, sizeof expected) == 0);                        \
    }

static void draw_segment(ulong at, uint length, CLP_K mask, CLP_K others) {
    for (uint i = 0; i < length; i++) {
        given[FIRST + at + i] = (random_key() & mask) | (others & ~mask);
        places[at + i] = (uint)at + i;
    }
    qsort(places + at, length, sizeof places[0], compare);
}

static void begin_segments(void) {
    t.n = random_below(3);
    t.segments = 0;
    offsets[FIRST] = (CLP_OFFSET)t.n;
}

/* Behind those that were drawn, if there is room. */
static bool append_segment(uint length, CLP_K mask, CLP_K others) {
    if (t.n + length > MOST) return false;
    draw_segment(t.n, length, mask, others);
    t.n += length;
    offsets[FIRST + ++t.segments] = (CLP_OFFSET)t.n;
    return true;
}

static void fill_arrays(void) {
    memcpy(keys_in, given, sizeof keys_in);
    memset(keys_apart, GUARD, sizeof keys_apart);
    CLP_EACH_VALUE(FILL)
    memset(found, 0, sizeof found);
    sizes[0] = t.n;
    sizes[1] = t.segments;
    sizes[2] = sizes[3] = 0;
}

static CLP_K *keys_out(void) {
    return t.in_place ? keys_in : keys_apart;
}

static bool is_sorted(uint s) {
    const ulong begin = (ulong)offsets[FIRST + s];
    for (ulong i = begin; i < (ulong)offsets[FIRST + s + 1]; i++) {
        CHECK(CLP_NO_KEYS || keys_out()[FIRST + i] == given[FIRST + places[i]]);
        CLP_EACH_VALUE(CHECK_VALUE)
    }
    return true;
}

static bool is_unwritten(ulong first, ulong end) {
    for (ulong i = first; i < end; i++) {
        CHECK(t.in_place ? keys_in[i] == given[i] : ((uchar *)&keys_apart[i])[0] == GUARD);
    }
    return true;
}

#endif
