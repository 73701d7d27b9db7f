/* SPDX-License-Identifier: MIT */
/*
 * Compression of machine code, to a third, in the block format of LZ4 (Collet 2013), which is read
 * in few lines: sequences of literals and a match, which repeats earlier bytes.
 *
 *   token     the number of literals (high half) and the length of the match less 4 (low half);
 *             of 15, bytes are added that follow, up to the first below 255
 *   literals
 *   distance  of the bytes that are repeated, 2 bytes, the low one first
 *
 * The last sequence ends behind its literals.
 *
 * LZ4's own library is not used: every program that has clprims' two files can read packs, and
 * these need nothing but OpenCL. What reads takes bytes that anyone may have damaged, and stays
 * within both spans (test store/compressed/damaged).
 */
#ifndef CLP_COMPRESS_H
#define CLP_COMPRESS_H

#include "store/digest.h"

#include <stdbool.h>

/* Returns how many bytes of `to` it wrote; 0 if fewer than `from` has are too few. to: room for as
 * many as `from` has. Without host memory there are no matches, hence 0. */
size_t clp_compress(clp_span from, uint8_t *to);

/* Whether `from` is compressed bytes, `count` of them, which are then in `to`. */
bool clp_decompress(clp_span from, uint8_t *to, size_t count);

#endif
