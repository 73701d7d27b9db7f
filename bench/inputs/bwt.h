/* SPDX-License-Identifier: MIT */
/*
 * The Burrows-Wheeler transform and the linked list that inverts it.
 *
 * The text is ended by a sentinel that is smaller than every byte and is none, so texts of any
 * bytes, and none at all, have a transform. With n bytes there are rows = n + 1 sorted suffixes;
 * row 0 is the sentinel alone. Source: Burrows and Wheeler, "A Block-sorting Lossless Data
 * Compression Algorithm", 1994; the inversion is their mapping from a row to the row of the
 * suffix one byte shorter, read as a list whose ranks are the positions in the text.
 */
#ifndef BENCH_BWT_H
#define BENCH_BWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts may have up to BWT_MAX_BYTES bytes: rows are counted in int32. */
#define BWT_MAX_BYTES ((size_t)INT32_MAX - 1)

typedef struct bwt {
    unsigned char *last; /* for each row, the byte before its suffix */
    size_t rows;
    size_t primary; /* the row of the whole text: what stands before it is the sentinel */
} bwt;

/* Sorts the n suffixes of text that have at least one byte. False when memory is short. */
bool bwt_sort_suffixes(const unsigned char *text, int32_t *suffixes, size_t n);

/* Fills in the transform; out->last has room for n + 1 bytes. */
void bwt_transform(const unsigned char *text, const int32_t *suffixes, size_t n, bwt *out);

/*
 * next[row] = the row of the suffix one byte shorter, -1 in row 0; the list begins in row
 * `primary`. firsts[byte]: the row at which the suffixes that begin with this byte begin;
 * firsts[256] = rows.
 */
void bwt_links(const bwt *of, int32_t *next, size_t firsts[257]);

/* Puts the first byte of each row's suffix where its rank says. Returns false if a rank is out
 * of range. */
bool bwt_rebuild(const size_t firsts[257], const int32_t *rank, size_t n, unsigned char *text);

#endif
