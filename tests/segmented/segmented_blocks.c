/* SPDX-License-Identifier: MIT */
/* Segments that begin and end where blocks do, or one element before or behind: each covers as many
 * blocks as it may, of reductions with a team for each segment. */
#include "segmented/segmented_tries.h"

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

static int32_t twin(const blocks_case *c, const int32_t *in, int64_t begin, int64_t end) {
    uint32_t sum = 0;
    int32_t greatest = INT32_MIN;
    for (int64_t i = begin; i < end; i++) {
        sum += (uint32_t)in[i];
        if (in[i] > greatest) greatest = in[i];
    }
    return c->greatest ? greatest : (int32_t)sum;
}

static void covered_blocks_are_right(const void *data) {
    const blocks_case *c = data;
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    int64_t offsets[MOST_SEGMENTS + 1];
    int32_t in[N], out[MOST_SEGMENTS];
    desc.type = CLPRIMS_I32;
    desc.op = c->greatest ? CLPRIMS_MAX : CLPRIMS_ADD;
    desc.max_n = N;
    desc.max_segments = MOST_SEGMENTS;
    desc.tuning = "TEAM=1 GROUP=8 BLOCK=32";
    clprims_segmented *plan = segmented_plan(&desc);
    test_random_values(CLPRIMS_I32, CLPRIMS_ADD, in, N);
    for (size_t i = 0; i < N && c->greatest; i++) in[i] = -1 - (int32_t)test_random_below(1000);
    test_buffer from = test_buffer_create(in, N, 4, c->first);
    for (size_t blocks = 1; blocks < BLOCKS - 3; blocks++) {
        const size_t segments = fill_offsets(c, blocks, offsets);
        test_buffer by = test_buffer_create(offsets, segments + 1, 8, blocks % 3);
        test_buffer to = test_buffer_create(NULL, segments, 4, 1);
        clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
        b.in = from.at;
        b.heads = by.at;
        b.out = to.at;
        test_note("%zu blocks", blocks);
        expect_ok(clprims_segmented_enqueue(plan, test_queue(), &b, N, segments, 0, NULL, NULL));
        test_buffer_read(&to, out);
        for (size_t s = 0; s < segments; s++) {
            if (out[s] != twin(c, in, offsets[s], offsets[s + 1])) {
                test_fail("segment %zu is %d", s, out[s]);
            }
        }
        test_buffer_release(&by);
        test_buffer_release(&to);
    }
    test_buffer_expect_unchanged(&from, in);
    test_buffer_release(&from);
}

void add_block_cases(test_cases *cases) {
    for (int greatest = 0; greatest < 2 && test_bears_shapes(); greatest++) {
        for (int from = -1; from < 2; from++) {
            for (int behind = -1; behind < 2; behind++) {
                const blocks_case c = {(size_t)(from + 1), from, behind, greatest > 0};
                test_add(cases, covered_blocks_are_right, &c, sizeof c,
                         "segmented/blocks/%s/from=%d/behind=%d", greatest > 0 ? "max" : "add",
                         from, behind);
            }
        }
    }
}
