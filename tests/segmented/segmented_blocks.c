/* SPDX-License-Identifier: MIT */
/* Segments that begin and end where blocks do, or one element before or behind: each covers as many
 * blocks as it may, of reductions with a team for each segment. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_buffers.h"

enum { BLOCK = 32, BLOCKS = 12, N = BLOCK * BLOCKS + 7, MOST_SEGMENTS = 12 };

typedef struct blocks_case {
    size_t first; /* of the input */
    int from; /* of the second segment's begin to a block's, in elements */
    int behind; /* the same of its end */
    bool greatest; /* of numbers below 0, not sums */
} blocks_case;

/* [low, begin), [begin, end), none, [end, a block more), none, none, the rest but one. */
static size_t fill_offsets(const blocks_case *c, size_t blocks, int64_t *offsets) {
    const int64_t begin = 2 * BLOCK + c->from, end = begin - c->from + BLOCK * (int64_t)blocks;
    const int64_t all[] = {3,           begin,       end + c->behind, end + c->behind,
                           end + BLOCK, end + BLOCK, end + BLOCK,     N - 1};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) offsets[k] = all[k];
    return sizeof all / sizeof all[0] - 1;
}

static void fill_below_zero(const subject_data *d, void *in, size_t n) {
    (void)d;
    for (size_t i = 0; i < n; i++) ((int32_t *)in)[i] = -1 - (int32_t)test_random_below(1000);
}

static void covered_blocks_are_right(const void *data) {
    const blocks_case *c = data;
    int64_t offsets[MOST_SEGMENTS + 1];
    clprims_segmented_desc desc = {.type = CLPRIMS_I32,
                                   .op = c->greatest ? CLPRIMS_MAX : CLPRIMS_ADD,
                                   .max_n = N,
                                   .max_segments = MOST_SEGMENTS,
                                   .tuning = "TEAM=1 GROUP=8 BLOCK=32"};
    for (size_t blocks = 1; blocks < BLOCKS - 3; blocks++) {
        const size_t segments = fill_offsets(c, blocks, offsets);
        const size_t firsts[SUBJECT_SLOTS] = {c->first, blocks % 3, 1};
        const subject_data like = {.of = &subject_segmented,
                                   .desc = &desc,
                                   .n = {N, segments},
                                   .most = {N, MOST_SEGMENTS},
                                   .offsets = offsets,
                                   .fill = c->greatest ? fill_below_zero : NULL};
        test_note("%zu blocks", blocks);
        subject_drawn_is_right(&like, segmented_plan(&desc), firsts, false);
    }
}

void add_block_cases(test_cases *cases) {
    for (int greatest = 0; greatest < 2 && test_bears_shapes(); greatest++) {
        for (int from = -1; from < 2; from++) {
            for (int behind = -1; behind < 2; behind++) {
                const blocks_case c = {(size_t)(from + 1), from, behind, greatest > 0};
                test_add_row(cases, covered_blocks_are_right, c,
                             "segmented/blocks/%s/from=%d/behind=%d", greatest > 0 ? "max" : "add",
                             from, behind);
            }
        }
    }
}
