/* SPDX-License-Identifier: MIT */
/*
 * Sorting suffixes by prefix doubling, for where no better sorter is installed. Source: Larsson
 * and Sadakane, "Faster Suffix Sorting", 1999 (their groups; sorted here by merging).
 */
#ifndef BENCH_SUFFIXES_H
#define BENCH_SUFFIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the n suffixes of text, n below 2^31, in order. False when memory is short. */
bool suffixes_sort(const unsigned char *text, int32_t *suffixes, size_t n);

#endif
