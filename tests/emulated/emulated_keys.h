/* SPDX-License-Identifier: MIT */
/* Keys and values of segmented sorts, and where they are expected. The file that includes it has
 * PROGRAM, MOST, MARGIN, FIRST, GUARD and SEGMENTS_MOST. */
#ifndef TESTS_EMULATED_KEYS_H
#define TESTS_EMULATED_KEYS_H

#include <stdlib.h>

static CLP_K keys_in[MOST + MARGIN], keys_apart[MOST + MARGIN], given_keys[MOST + MARGIN];
static CLP_OFFSET offsets[SEGMENTS_MOST + 1 + FIRST];
static ulong sizes[4];
static uint found[CLP_CLASSES + 1];
static ulong table[2 * CLP_CLASSES];
static uint places[MOST]; /* which element is expected there, by its place */

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

/* Keys that agree in some of their bits, or in all. */
static CLP_K draw_key(CLP_K mask, CLP_K others) {
    const CLP_K bits = (CLP_K)((ulong)random_below(0xffffffff) << 32 ^ random_below(0xffffffff));
    return (bits & mask) | (others & ~mask);
}

static bool is_before(CLP_K a, CLP_K b) {
    return clp_compared(a) < clp_compared(b);
}

static int compare_places(const void *a, const void *b) {
    const uint i = *(const uint *)a, j = *(const uint *)b;
    if (is_before(given_keys[FIRST + i], given_keys[FIRST + j])) return -1;
    if (is_before(given_keys[FIRST + j], given_keys[FIRST + i])) return 1;
    return i < j ? -1 : 1;
}

static void draw_segment(ulong at, uint length, CLP_K mask, CLP_K others) {
    for (uint i = 0; i < length; i++) {
        given_keys[FIRST + at + i] = draw_key(mask, others);
        places[at + i] = (uint)at + i;
    }
    qsort(places + at, length, sizeof places[0], compare_places);
}

static void fill_arrays(void) {
    memcpy(keys_in, given_keys, sizeof keys_in);
    memset(keys_apart, GUARD, sizeof keys_apart);
    CLP_EACH_VALUE(FILL)
    memset(found, 0, sizeof found);
}

#endif
