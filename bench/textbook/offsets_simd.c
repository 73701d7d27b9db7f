/* SPDX-License-Identifier: MIT */
/*
 * Seed 001 with SIMD: four offsets at a time, by two shifted additions and a carry, where the file
 * is compiled for AVX2 and the CPU has it; the plain loop elsewhere.
 */
#include "offsets_loop.h"

#if defined(__AVX2__)
#include <immintrin.h>

/* The four running sums of x. */
static inline __m256i running_sums(__m256i x) {
    const __m256i pairs = _mm256_add_epi64(x, _mm256_slli_si256(x, 8));
    const __m256i low = _mm256_permute4x64_epi64(pairs, 0x50);
    return _mm256_add_epi64(pairs, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
}

#define LOAD_I32(at) _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(at)))
#define LOAD_U32(at) _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(at)))
#define LOAD_I64(at) _mm256_loadu_si256((const __m256i *)(const void *)(at))

#define OFFSETS_SIMD(NAME, C, LOAD, LOOP)                                                          \
    static uint64_t NAME(const void *from_starts, const void *from_stops, size_t n,                \
                         int64_t *offsets) {                                                       \
        const C *starts = from_starts, *stops = from_stops;                                        \
        if (!__builtin_cpu_supports("avx2")) return LOOP(starts, stops, n, offsets);               \
        __m256i carry = _mm256_setzero_si256();                                                    \
        size_t i = 0;                                                                              \
        offsets[0] = 0;                                                                            \
        for (; i + 4 <= n; i += 4) {                                                               \
            const __m256i start = LOAD(starts + i), stop = LOAD(stops + i);                        \
            if (_mm256_movemask_epi8(_mm256_cmpgt_epi64(start, stop)) != 0) break;                 \
            carry = _mm256_add_epi64(running_sums(_mm256_sub_epi64(stop, start)), carry);          \
            _mm256_storeu_si256((__m256i *)(void *)(offsets + i + 1), carry);                      \
            carry = _mm256_permute4x64_epi64(carry, 0xff);                                         \
        }                                                                                          \
        /* The last few, or from the four with a fault on, after the offset that is there. */      \
        const int64_t before = offsets[i];                                                         \
        const uint64_t fault = LOOP(starts + i, stops + i, n - i, offsets + i);                    \
        for (size_t k = i; k <= n; k++) offsets[k] += before;                                      \
        return fault == UINT64_MAX ? fault : fault + i;                                            \
    }

OFFSETS_SIMD(simd_i32, int32_t, LOAD_I32, loop_i32)
OFFSETS_SIMD(simd_u32, uint32_t, LOAD_U32, loop_u32)
OFFSETS_SIMD(simd_i64, int64_t, LOAD_I64, loop_i64)

offsets_loop *const offsets_by_simd[OFFSETS_TYPES] = {simd_i32, simd_u32, simd_i64};
#else
offsets_loop *const offsets_by_simd[OFFSETS_TYPES] = {loop_i32, loop_u32, loop_i64};
#endif
