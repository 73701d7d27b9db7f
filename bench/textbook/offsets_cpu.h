/* SPDX-License-Identifier: MIT */
/* Seed 001 on the CPU: one loop, compiled at two levels of optimization, and one with SIMD. */
#ifndef TEXTBOOK_OFFSETS_CPU_H
#define TEXTBOOK_OFFSETS_CPU_H

#include <stddef.h>
#include <stdint.h>

enum { OFFSETS_I32, OFFSETS_U32, OFFSETS_I64, OFFSETS_TYPES };

/*
 * Writes n + 1 offsets, and returns the lowest i with stops[i] < starts[i], UINT64_MAX if there is
 * none. Offsets behind a fault go on with the length that it has, below zero.
 */
typedef uint64_t offsets_loop(const void *starts, const void *stops, size_t n, int64_t *offsets);

extern offsets_loop *const offsets_at_o2[OFFSETS_TYPES], *const offsets_at_o3[OFFSETS_TYPES],
                                                             *const offsets_by_simd[OFFSETS_TYPES];

#endif
