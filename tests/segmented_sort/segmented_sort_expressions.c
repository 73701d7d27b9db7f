/* SPDX-License-Identifier: MIT */
/* Segmented sorts by keys that an expression with parameters makes of elements. */
#include "fixtures/key_cases.h"
#include "segmented_sort/segmented_sort_suite.h"

/* ---- One key ---- */

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

static void add_one_key(test_cases *cases) {
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

/* ---- Several keys ---- */

#define SEVERAL(...)                                                                               \
    { __VA_ARGS__ }
#define SERIAL .algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL, .tuning = "MOST=50"

/* Keys of up to 64 bits together, and of more. */
static const struct {
    const char *name;
    size_t keys;
    clprims_type types[CLPRIMS_SORT_KEYS];
    clprims_segmented_sort_desc desc;
} several[] = {
    {"packed", 3, SEVERAL(CLPRIMS_I16, CLPRIMS_F32, CLPRIMS_U8),
     SEVERAL(SERIAL, PAYLOAD, .begin_bit = 2, .end_bit = 13, .indices = CLPRIMS_I32)},
    {"window", 2, SEVERAL(CLPRIMS_F64, CLPRIMS_F32),
     SEVERAL(GROUPS, .descending = 1, .begin_bit = 32, .indices = CLPRIMS_I64, .local_indices = 1)},
    {"ranks", 4, SEVERAL(CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_U32, CLPRIMS_I32),
     SEVERAL(SERIAL, PAYLOAD, .begin_bit = 3)},
    {"two-longs", 2, SEVERAL(CLPRIMS_U64, CLPRIMS_F64),
     SEVERAL(GROUPS, .floats = CLPRIMS_SORT_TOTAL_ORDER, .descending = 1, .no_keys = 1,
             .indices = CLPRIMS_U32)},
};
enum { SEVERAL_ROWS = sizeof several / sizeof several[0], RANKS = 2 };

static clprims_segmented_sort_desc describe(size_t row) {
    static char texts[SEVERAL_ROWS][SORT_KEYS_TEXT];
    clprims_segmented_sort_desc desc = several[row].desc;
    clprims_sort_desc like = {.floats = desc.floats};
    desc.max_n = test_small() ? 400 : 3000;
    desc.max_segments = 40;
    desc.parameters = element_parameters;
    sort_by_keys(&like, several[row].types, several[row].keys, texts[row]);
    SORT_TAKE_KEYS(&desc, &like);
    return desc;
}

static void spoil_several(void *desc, subject_refusal *r) {
    clprims_segmented_sort_desc *d = desc;
    THEN_REFUSED(segmented_sort)
}

static void add_several_keys(test_cases *cases) {
    for (size_t row = 0; row < SEVERAL_ROWS; row++) {
        segmented_sort_case c = {.desc = describe(row), .segments = 40, .lead = 5};
        if (row % 2 != 0 && !test_long() && test_info().layer != CLPRIMS_LAYER_NVIDIA) continue;
        key_add_case(cases, &subject_segmented_sort, &c.desc, "segmented-sort/then",
                     several[row].name);
        if (row == RANKS) {
            subject_add_refused(cases, &subject_segmented_sort, &c.desc, spoil_several,
                                "segmented-sort/then/refused");
        }
        c.desc.parameters = NULL;
        c.n = c.desc.max_n - 2 * c.lead;
        for (int lengths = 0; lengths < LENGTHS_KINDS; lengths++) {
            c.lengths = (segment_lengths)lengths;
            c.length = 60;
            c.data = lengths % 2 == 0 ? SORT_SPRINKLED : SORT_FEW;
            c.in_place = lengths % 3 == 1;
            c.first = (size_t)lengths % 4;
            test_add_row(cases, segmented_sort_is_right, c, "segmented-sort/then/lengths/%s/%s",
                         several[row].name, segment_lengths_names[lengths]);
        }
    }
}

void segmented_sort_add_expressions(test_cases *cases) {
    add_one_key(cases);
    add_several_keys(cases);
}
