/* SPDX-License-Identifier: MIT */
/* Random keys that agree in some of their bits, and their stable order. The file that includes it
 * has PROGRAM, given and FIRST. */
#ifndef TESTS_EMULATED_ORDER_H
#define TESTS_EMULATED_ORDER_H

/* Bits in which the keys of a trial, or of a segment, may differ. */
static const ulong masks[] = {~0ul, 0xff, 0xff00ff00ff00ff, 0x80000001, 0, 0xfff0000000000000, 3};

static CLP_K random_mask(void) {
    return (CLP_K)masks[random_below(sizeof masks / sizeof *masks)];
}

static CLP_K random_key(void) {
    return (CLP_K)((ulong)random_below(0xffffffff) << 32 ^ random_below(0xffffffff));
}

static bool is_before(CLP_K a, CLP_K b) {
    return clp_compared(a) < clp_compared(b);
}

/* For qsort, of places in given. */
static int compare(const void *a, const void *b) {
    const uint i = *(const uint *)a, j = *(const uint *)b;
    if (is_before(given[FIRST + i], given[FIRST + j])) return -1;
    return is_before(given[FIRST + j], given[FIRST + i]) || i > j;
}

#endif
