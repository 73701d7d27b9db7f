/* SPDX-License-Identifier: MIT */
/* An array that the plan has no use for is refused: a caller who gives one waits for its results.
 */
#include "calls/calls.h"

enum { N = 4 };
#define UNUSED "the plan has no use for it"

/* name: of the member that `one` and `buffers` give in vain. why: what the message says. */
#define EXPECT_UNUSED(primitive, name, why, one, buffers, ...)                                     \
    do {                                                                                           \
        const clprims_##primitive##_desc desc = {.max_n = N, __VA_ARGS__};                         \
        clprims_##primitive *plan = subject_made_plan(&subject_##primitive, &desc);                \
        expect_failure(clprims_##primitive##_run(plan, &(one), N), CLPRIMS_ERR_ARGUMENT,           \
                       #primitive ": " name);                                                      \
        expect_contains(clprims_last_error()->message, " is not NULL, but " why);                  \
        expect_failure(                                                                            \
            clprims_##primitive##_enqueue(plan, test_queue(), &(buffers), N, 0, NULL, NULL),       \
            CLPRIMS_ERR_ARGUMENT, #primitive ": " name ".mem");                                    \
        expect_contains(clprims_last_error()->message, " is not NULL, but " why);                  \
    } while (0)

static void unused_arrays_are_refused(void) {
    int32_t x[N] = {0};
    const clprims_buffer b = subject_no_buffer();
    EXPECT_UNUSED(sort, "indices", UNUSED, ((clprims_sort_arrays){.indices = x}),
                  ((clprims_sort_buffers){.indices = b}), .type = CLPRIMS_I32);
    EXPECT_UNUSED(sort, "payload_in[0]", UNUSED, ((clprims_sort_arrays){.payload_in = {x}}),
                  ((clprims_sort_buffers){.payload_in = {b}}), .type = CLPRIMS_I32);
    EXPECT_UNUSED(sort, "keys_out", UNUSED, ((clprims_sort_arrays){.keys_out = x}),
                  ((clprims_sort_buffers){.keys_out = b}), .type = CLPRIMS_I32, .no_keys = 1,
                  .indices = CLPRIMS_I32);
    EXPECT_UNUSED(
        segmented_sort, "indices", UNUSED, ((clprims_segmented_sort_arrays){.indices = x}),
        ((clprims_segmented_sort_buffers){.indices = b}), .type = CLPRIMS_I32, .max_segments = 1);
    EXPECT_UNUSED(topk, "indices", UNUSED, ((clprims_topk_arrays){.indices = x, .sizes.k = 1}),
                  ((clprims_topk_buffers){.indices = b, .sizes.k = 1}), .type = CLPRIMS_I32,
                  .max_k = 1);
    size_t count;
    EXPECT_UNUSED(
        select, "in[1]", UNUSED, ((clprims_select_arrays){.in = {NULL, x}, .count = &count}),
        ((clprims_select_buffers){.in = {{NULL, 0}, b}}), .arrays = 1, .type = {CLPRIMS_I32});
    EXPECT_UNUSED(select, "lengths", UNUSED,
                  ((clprims_select_arrays){.lengths = x, .count = &count}),
                  ((clprims_select_buffers){.lengths = b}), .arrays = 1, .type = {CLPRIMS_I32});
    EXPECT_UNUSED(select, "flags", UNUSED, ((clprims_select_arrays){.flags = x, .count = &count}),
                  ((clprims_select_buffers){.flags = b}), .arrays = 1, .type = {CLPRIMS_I32},
                  .by = CLPRIMS_SELECT_NONZERO);
    EXPECT_UNUSED(segmented, "keys", UNUSED, ((clprims_segmented_arrays){.keys = x}),
                  ((clprims_segmented_buffers){.keys = b}), .type = CLPRIMS_I32, .max_segments = 1);
    EXPECT_UNUSED(histogram, "weights", "the plan has no weights",
                  ((clprims_histogram_arrays){.in = x, .weights = x, .out = x}),
                  ((clprims_histogram_buffers){.weights = b}), .type = CLPRIMS_I32, .bins = 2,
                  .most = 1);
    EXPECT_UNUSED(offsets, "starts", "the plan takes counts",
                  ((clprims_offsets_arrays){.starts = x, .stops = x}),
                  ((clprims_offsets_buffers){.starts = b}), .type = CLPRIMS_I32, .counts = 1);
    EXPECT_UNUSED(merge, "payload_a", "the plan has no payload",
                  ((clprims_merge_arrays){.payload_a = x}),
                  ((clprims_merge_buffers){.payload_a = b}), .type = CLPRIMS_I32);
    EXPECT_UNUSED(map, "out[1]", "the plan has no output of this number",
                  ((clprims_map_arrays){x, {x, x}}), ((clprims_map_buffers){.out = {{NULL, 0}, b}}),
                  .type = CLPRIMS_I32, .output[0].value = "x");
    EXPECT_UNUSED(parents, "local_index", "the plan does not write it",
                  ((clprims_parents_arrays){.local_index = x}),
                  ((clprims_parents_buffers){.local_index = b}), .max_segments = 1);
    EXPECT_UNUSED(parents, "parents", "the plan does not write it",
                  ((clprims_parents_arrays){.parents = x}),
                  ((clprims_parents_buffers){.parents = b}), .max_segments = 1,
                  .result = CLPRIMS_PARENTS_LOCAL_INDEX);
}

void calls_add_unused(test_cases *cases) {
    test_add_plain(cases, unused_arrays_are_refused, "calls/unused");
}
