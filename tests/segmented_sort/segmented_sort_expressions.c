/* SPDX-License-Identifier: MIT */
/* Segmented sorts by keys that an expression with parameters makes of elements. */
#include "fixtures/key_cases.h"
#include "segmented_sort/segmented_sort_suite.h"

static void spoil(void *desc, subject_refusal *r) {
    clprims_segmented_sort_desc *d = desc;
    KEY_REFUSED(segmented_sort)
}

#define KEYS(words, ...)                                                                           \
    { .indices = CLPRIMS_I64, .max_segments = 40, ELEMENT_MEMBERS(words), __VA_ARGS__ }
#define GROUPS                                                                                     \
    .algorithm = CLPRIMS_SEGMENTED_SORT_GROUPS,                                                    \
    .tuning = "GROUP=32 TEAMS=32 ITEMS=5 LARGE=64 LARGE_ITEMS=5 RADIX=0"
#define PAYLOAD .payloads = 1, .payload_bytes = {2}

void segmented_sort_add_expressions(test_cases *cases) {
    const struct {
        const char *name;
        clprims_segmented_sort_desc desc;
    } ways[] = {
        {"serial", KEYS(3, .algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL, .tuning = "MOST=50",
                        .type = CLPRIMS_U32, PAYLOAD, .max_n = 400)},
        {"groups",
         KEYS(1, GROUPS, .type = CLPRIMS_F32, .descending = 1, .local_indices = 1, .max_n = 2000)},
        {"groups-large",
         KEYS(10, GROUPS, .type = CLPRIMS_U16, PAYLOAD, .begin_bit = 3, .max_n = 3000)},
        {"no-elements", KEYS(2, .type = CLPRIMS_I64, .descending = 1, .no_keys = 1,
                             .local_indices = 1, PAYLOAD, .max_n = 5000)},
        {"chosen", KEYS(10, .type = CLPRIMS_U32, .descending = 1, .max_n = 9000)},
    };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? sizeof ways / sizeof ways[0] : 1); w++) {
        key_add_case(cases, &subject_segmented_sort, &ways[w].desc, "segmented-sort", ways[w].name);
    }
    key_add_values(cases, &subject_segmented_sort, &ways[0].desc, "segmented-sort");
    subject_add_refused(cases, &subject_segmented_sort, &ways[0].desc, spoil,
                        "segmented-sort/expressions/refused");
}
