/* SPDX-License-Identifier: MIT */
/* Median and 90th percentile, by nearest rank, of each of 200 000 segments: a sort within segments.
 */
#include "../examples/call.h"

#include <clprims/clprims.h>
#include <stdio.h>

enum { SEGMENTS = 200000, LONGEST = 32 };
static float value[SEGMENTS * LONGEST], sorted[SEGMENTS * LONGEST];
static int64_t offsets[SEGMENTS + 1];

/* Whether a value has the rank k, from 0 on, among the values of a segment. */
static int has_rank(float x, int64_t k, const float *begin, const float *end) {
    int64_t less = 0, equal = 0;
    for (; begin < end; begin++) less += *begin < x, equal += *begin == x;
    return less <= k && k < less + equal;
}

int main(void) {
    clprims_context *context;
    clprims_segmented_sort *sort;
    size_t n = 0, wrong = 0;
    for (cl_uint s = 0, h = 1; s < SEGMENTS; s++, offsets[s] = (int64_t)n)
        for (cl_uint k = 0; k <= s % LONGEST; k++, h = h * 1664525u + 1013904223u)
            value[n++] = (float)(h >> 12);
    const clprims_segmented_sort_desc desc = {
        .type = CLPRIMS_F32, .max_n = n, .max_segments = SEGMENTS};
    const clprims_segmented_sort_arrays arrays = {offsets, .keys_in = value, .keys_out = sorted,
                                                  .sizes.segments = SEGMENTS};
    call(clprims_context_create(&context, NULL));
    call(clprims_segmented_sort_create(&sort, context, &desc));
    call(clprims_segmented_sort_run(sort, &arrays, n));
    clprims_context_destroy(context);
    for (int s = 0; s < SEGMENTS; s++) {
        const int64_t first = offsets[s], last = offsets[s + 1] - 1;
        const int64_t ranks[] = {(last - first) / 2, (last - first + 1) * 9 / 10};
        for (int k = 0; k < 2; k++)
            wrong += !has_rank(sorted[first + ranks[k]], ranks[k], value + first, value + last + 1);
    }
    printf("%d segments, %s plain C\n", SEGMENTS, wrong ? "unlike" : "as by");
    return wrong != 0;
}
