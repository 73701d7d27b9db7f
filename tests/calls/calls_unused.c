/* SPDX-License-Identifier: MIT */
/* An array that the plan has no use for is refused: a caller who gives one waits for its results.
 */
#include "calls/calls.h"

enum { N = 4 };
static const char refusal[] = " is not NULL, but the plan has no use for it";

/* name: of the member that `one` and `buffers` give in vain. */
#define EXPECT_UNUSED(primitive, name, one, buffers, ...)                                          \
    do {                                                                                           \
        const clprims_##primitive##_desc desc = {.max_n = N, __VA_ARGS__};                         \
        clprims_##primitive *plan = subject_made_plan(&subject_##primitive, &desc);                \
        expect_failure(clprims_##primitive##_run(plan, &(one), N), CLPRIMS_ERR_ARGUMENT,           \
                       #primitive ": " name);                                                      \
        expect_contains(clprims_last_error()->message, refusal);                                   \
        expect_failure(                                                                            \
            clprims_##primitive##_enqueue(plan, test_queue(), &(buffers), N, 0, NULL, NULL),       \
            CLPRIMS_ERR_ARGUMENT, #primitive ": " name ".mem");                                    \
        expect_contains(clprims_last_error()->message, refusal);                                   \
    } while (0)

static void unused_arrays_are_refused(void) {
    int32_t x[N] = {0};
    const clprims_buffer b = subject_no_buffer();
    EXPECT_UNUSED(sort, "indices", ((clprims_sort_arrays){.indices = x}),
                  ((clprims_sort_buffers){.indices = b}), .type = CLPRIMS_I32);
    EXPECT_UNUSED(sort, "payload_in[0]", ((clprims_sort_arrays){.payload_in = {x}}),
                  ((clprims_sort_buffers){.payload_in = {b}}), .type = CLPRIMS_I32);
    EXPECT_UNUSED(sort, "keys_out", ((clprims_sort_arrays){.keys_out = x}),
                  ((clprims_sort_buffers){.keys_out = b}), .type = CLPRIMS_I32, .no_keys = 1,
                  .indices = CLPRIMS_I32);
    EXPECT_UNUSED(segmented_sort, "indices", ((clprims_segmented_sort_arrays){.indices = x}),
                  ((clprims_segmented_sort_buffers){.indices = b}), .type = CLPRIMS_I32,
                  .max_segments = 1);
    EXPECT_UNUSED(topk, "indices", ((clprims_topk_arrays){.indices = x, .sizes.k = 1}),
                  ((clprims_topk_buffers){.indices = b, .sizes.k = 1}), .type = CLPRIMS_I32,
                  .max_k = 1);
    size_t count;
    EXPECT_UNUSED(select, "in[1]", ((clprims_select_arrays){.in = {NULL, x}, .count = &count}),
                  ((clprims_select_buffers){.in = {{NULL, 0}, b}}), .arrays = 1,
                  .type = {CLPRIMS_I32});
    EXPECT_UNUSED(select, "lengths", ((clprims_select_arrays){.lengths = x, .count = &count}),
                  ((clprims_select_buffers){.lengths = b}), .arrays = 1, .type = {CLPRIMS_I32});
    EXPECT_UNUSED(select, "flags", ((clprims_select_arrays){.flags = x, .count = &count}),
                  ((clprims_select_buffers){.flags = b}), .arrays = 1, .type = {CLPRIMS_I32},
                  .by = CLPRIMS_SELECT_NONZERO);
    EXPECT_UNUSED(segmented, "keys", ((clprims_segmented_arrays){.keys = x}),
                  ((clprims_segmented_buffers){.keys = b}), .type = CLPRIMS_I32, .max_segments = 1);
}

void calls_add_unused(test_cases *cases) {
    test_add_plain(cases, unused_arrays_are_refused, "calls/unused");
}
