/* SPDX-License-Identifier: MIT */
/* Top-k by keys that an expression with parameters makes of elements. */
#include "fixtures/key_cases.h"
#include "topk/topk_suite.h"

/* ---- One key ---- */

static void spoil(void *desc, subject_refusal *r) {
    clprims_topk_desc *d = desc;
    KEY_REFUSED(topk)
}

#define KEYS(words, ...)                                                                           \
    { .indices = CLPRIMS_I64, .max_k = 300, ELEMENT_MEMBERS(words), __VA_ARGS__ }

static void add_one_key(test_cases *cases) {
    const struct {
        const char *name;
        clprims_topk_desc desc;
    } ways[] = {
        {"serial", KEYS(3, .type = CLPRIMS_U32, .max_n = test_small() ? 700 : 5000,
                        .tuning = "GROUP=1 ITEMS=3 GROUPS=5 ROOM=100 ONE=0 SAMPLE=256")},
        {"groups", KEYS(1, .type = CLPRIMS_F32, .least = 1, .max_n = 3000,
                        .tuning = "GROUP=16 ITEMS=4 GROUPS=7 ROOM=60 ONE=0 SAMPLE=1")},
        {"sample", KEYS(10, .type = CLPRIMS_U16, .least = 1, .no_values = 1, .max_n = 4000,
                        .tuning = "GROUP=8 ITEMS=8 GROUPS=3 ROOM=500 ONE=0 SAMPLE=100")},
        {"chosen", KEYS(2, .type = CLPRIMS_I64, .max_n = 2000)},
    };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? sizeof ways / sizeof ways[0] : 1); w++) {
        key_add_case(cases, &subject_topk, &ways[w].desc, "topk", ways[w].name);
    }
    key_add_values(cases, &subject_topk, &ways[0].desc, "topk");
    subject_add_refused(cases, &subject_topk, &ways[0].desc, spoil, "topk/expressions/refused");
}

/* ---- Several keys ---- */

#define SEVERAL(...)                                                                               \
    { __VA_ARGS__ }
#define SERIAL "GROUP=1 ITEMS=3 GROUPS=5 ROOM=100 ONE=0 SAMPLE=256"
#define GROUPS "GROUP=16 ITEMS=4 GROUPS=7 ROOM=60 ONE=0 SAMPLE=1"

/* Keys of up to 64 bits together, and of more. */
static const struct {
    const char *name;
    size_t keys;
    clprims_type types[CLPRIMS_SORT_KEYS];
    clprims_topk_desc desc;
} several[] = {
    {"packed", 3, SEVERAL(CLPRIMS_I16, CLPRIMS_U16, CLPRIMS_F32),
     SEVERAL(.indices = CLPRIMS_I32, .tuning = SERIAL)},
    {"narrow", 2, SEVERAL(CLPRIMS_I8, CLPRIMS_U8),
     SEVERAL(.least = 1, .no_values = 1, .indices = CLPRIMS_I64, .tuning = GROUPS)},
    {"ranks", 4, SEVERAL(CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_U32, CLPRIMS_U32),
     SEVERAL(.floats = CLPRIMS_SORT_NAN_BY_BITS, .tuning = SERIAL)},
    {"two-longs", 2, SEVERAL(CLPRIMS_I64, CLPRIMS_I64),
     SEVERAL(.least = 1, .indices = CLPRIMS_U64, .tuning = GROUPS)},
};
enum { SEVERAL_ROWS = sizeof several / sizeof several[0], RANKS = 2 };

static clprims_topk_desc describe(size_t row) {
    static char texts[SEVERAL_ROWS][SORT_KEYS_TEXT];
    clprims_topk_desc desc = several[row].desc;
    clprims_sort_desc like = {.floats = desc.floats};
    desc.max_n = test_small() ? 700 : 3000;
    desc.max_k = 300;
    desc.parameters = element_parameters;
    sort_by_keys(&like, several[row].types, several[row].keys, texts[row]);
    SORT_TAKE_KEYS(&desc, &like);
    return desc;
}

static void spoil_several(void *desc, subject_refusal *r) {
    clprims_topk_desc *d = desc;
    THEN_REFUSED(topk)
}

static void add_several_keys(test_cases *cases) {
    static const struct {
        size_t n, k;
        sort_data data;
    } sizes[] = {{1, 1, SORT_RANDOM},
                 {99, 99, SORT_FEW},
                 {400, 300, SORT_ZEROS},
                 {401, 1, SORT_FEW},
                 {3000, 150, SORT_SPRINKLED}};
    for (size_t row = 0; row < SEVERAL_ROWS; row++) {
        topk_case c = {.desc = describe(row)};
        if (row % 2 != 0 && !test_long() && test_info().layer != CLPRIMS_LAYER_NVIDIA) continue;
        key_add_case(cases, &subject_topk, &c.desc, "topk/then", several[row].name);
        if (row == RANKS) {
            subject_add_refused(cases, &subject_topk, &c.desc, spoil_several, "topk/then/refused");
        }
        c.desc.parameters = NULL;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !test_small(); i++) {
            c.n = sizes[i].n;
            c.k = sizes[i].k;
            c.data = sizes[i].data;
            c.first = i % 3;
            test_add(cases, topk_is_right, &c, sizeof c, "topk/then/sizes/%s/n=%zu/k=%zu",
                     several[row].name, c.n, c.k);
        }
    }
}

void topk_add_expressions(test_cases *cases) {
    add_one_key(cases);
    add_several_keys(cases);
}
