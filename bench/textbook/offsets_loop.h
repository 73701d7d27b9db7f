/* SPDX-License-Identifier: MIT */
/* The loop of seed 001, as the seed has it: a sum that goes through memory, and a way out. */
#include "offsets_cpu.h"

#define OFFSETS_LOOP(NAME, C)                                                                      \
    static uint64_t NAME(const void *from_starts, const void *from_stops, size_t n,                \
                         int64_t *offsets) {                                                       \
        const C *starts = from_starts, *stops = from_stops;                                        \
        uint64_t fault = UINT64_MAX;                                                               \
        size_t i = 0;                                                                              \
        offsets[0] = 0;                                                                            \
        for (; i < n; i++) {                                                                       \
            const C start = starts[i], stop = stops[i];                                            \
            if (stop < start) {                                                                    \
                fault = i;                                                                         \
                break;                                                                             \
            }                                                                                      \
            offsets[i + 1] = offsets[i] + ((int64_t)stop - (int64_t)start);                        \
        }                                                                                          \
        for (; i < n; i++) offsets[i + 1] = offsets[i] + ((int64_t)stops[i] - (int64_t)starts[i]); \
        return fault;                                                                              \
    }

OFFSETS_LOOP(loop_i32, int32_t)
OFFSETS_LOOP(loop_u32, uint32_t)
OFFSETS_LOOP(loop_i64, int64_t)
