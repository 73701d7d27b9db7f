/* SPDX-License-Identifier: MIT */
/* The Burrows-Wheeler transform on the host, and the list that inverts it. */
#include "inputs/bwt.h"
#include <divsufsort.h>

bool bwt_sort_suffixes(const unsigned char *text, int32_t *suffixes, size_t n) {
    return n == 0 || divsufsort(text, suffixes, (saidx_t)n) == 0;
}

void bwt_transform(const unsigned char *text, const int32_t *suffixes, size_t n, bwt *out) {
    out->rows = n + 1;
    out->primary = 0;
    out->last[0] = n > 0 ? text[n - 1] : 0;
    for (size_t row = 1; row <= n; row++) {
        const int32_t suffix = suffixes[row - 1];
        if (suffix == 0) out->primary = row;
        out->last[row] = suffix > 0 ? text[suffix - 1] : 0;
    }
}

void bwt_links(const bwt *of, int32_t *next, size_t firsts[257]) {
    size_t place[256] = {0};
    for (size_t row = 0; row < of->rows; row++)
        if (row != of->primary) place[of->last[row]]++;
    firsts[0] = 1;
    for (size_t byte = 0; byte < 256; byte++) {
        firsts[byte + 1] = firsts[byte] + place[byte];
        place[byte] = firsts[byte];
    }
    next[0] = -1;
    for (size_t row = 0; row < of->rows; row++)
        if (row != of->primary) next[place[of->last[row]]++] = (int32_t)row;
}

bool bwt_rebuild(const size_t firsts[257], const int32_t *rank, size_t n, unsigned char *text) {
    for (size_t byte = 0; byte < 256; byte++)
        for (size_t row = firsts[byte]; row < firsts[byte + 1]; row++) {
            if (rank[row] < 0 || (size_t)rank[row] >= n) return false;
            text[rank[row]] = (unsigned char)byte;
        }
    return true;
}
