/* SPDX-License-Identifier: MIT */
/* Top-k by keys that an expression with parameters makes of elements. */
#include "fixtures/key_cases.h"
#include "topk/topk_suite.h"

static void spoil(void *desc, subject_refusal *r) {
    clprims_topk_desc *d = desc;
    KEY_REFUSED(topk)
}

#define KEYS(words, ...)                                                                           \
    { .indices = CLPRIMS_I64, .max_k = 300, ELEMENT_MEMBERS(words), __VA_ARGS__ }

void topk_add_expressions(test_cases *cases) {
    const struct {
        const char *name;
        clprims_topk_desc desc;
    } ways[] = {
        {"serial", KEYS(3, .type = CLPRIMS_U32, .max_n = test_small() ? 700 : 5000,
                        .tuning = "GROUP=1 ITEMS=3 BITS=6 GROUPS=5 ROOM=100 FEW=0 SAMPLE=256")},
        {"groups", KEYS(1, .type = CLPRIMS_F32, .least = 1, .max_n = 3000,
                        .tuning = "GROUP=16 ITEMS=4 BITS=5 GROUPS=7 ROOM=60 FEW=0 SAMPLE=0")},
        {"sample", KEYS(10, .type = CLPRIMS_U16, .least = 1, .no_values = 1, .max_n = 4000,
                        .tuning = "GROUP=8 ITEMS=8 BITS=8 GROUPS=3 ROOM=500 FEW=0 SAMPLE=100")},
        {"chosen", KEYS(2, .type = CLPRIMS_I64, .max_n = 2000)},
    };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? sizeof ways / sizeof ways[0] : 1); w++) {
        key_add_case(cases, &subject_topk, &ways[w].desc, "topk", ways[w].name);
    }
    key_add_values(cases, &subject_topk, &ways[0].desc, "topk");
    subject_add_refused(cases, &subject_topk, &ways[0].desc, spoil, "topk/expressions/refused");
}
