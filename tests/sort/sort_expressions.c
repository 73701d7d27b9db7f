/* SPDX-License-Identifier: MIT */
/* Keys that an expression with parameters makes of elements, structures and numbers. */
#include "fixtures/key_cases.h"
#include "sort/sort_suite.h"

static void spoil(void *desc, subject_refusal *r) {
    clprims_sort_desc *d = desc;
    KEY_REFUSED(sort)
    REFUSED("size-of-element", ARGUMENT, "sort: custom.type_bytes = 16, the device's sizeof is 12",
            d->custom.type_bytes = 16)
}

#define KEYS(words, ...)                                                                           \
    { ELEMENT_MEMBERS(words), __VA_ARGS__ }
#define MOVED .indices = CLPRIMS_I64, .payloads = 1, .payload_bytes = {2}
#define SERIAL .algorithm = CLPRIMS_SORT_SERIAL, .tuning = test_small() ? NULL : "PARTS=3 SINGLE=0"
#define TILES                                                                                      \
    .algorithm = CLPRIMS_SORT_COUNT_SCATTER,                                                       \
    .tuning = test_small() ? NULL : "GROUP=8 ITEMS=3 SINGLE=0"

void sort_add_expressions(test_cases *cases) {
    const struct {
        const char *name;
        clprims_sort_desc desc;
    } ways[] = {
        {"numbers", KEYS(1, SERIAL, .type = CLPRIMS_U32, .max_n = 300)},
        {"moved", KEYS(2, TILES, .type = CLPRIMS_F32, .descending = 1, MOVED, .max_n = 100)},
        {"gathered", KEYS(3, SERIAL, .type = CLPRIMS_U32, MOVED, .max_n = 300)},
        {"gathered-alone", KEYS(3, SERIAL, .type = CLPRIMS_U32, .max_n = 300)},
        {"indices-alone", KEYS(10, .algorithm = CLPRIMS_SORT_SERIAL, .type = CLPRIMS_U16,
                               .descending = 1, .no_keys = 1, .indices = CLPRIMS_I64, .max_n = 99)},
        {"chosen", KEYS(10, .type = CLPRIMS_I64, .descending = 1, MOVED, .max_n = 300)},
    };
    enum { WAYS = sizeof ways / sizeof ways[0], GATHERED = 3 };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? WAYS : WAYS - 1); w++) {
        key_add_case(cases, &subject_sort, &ways[w].desc, "sort", ways[w].name);
    }
    key_add_values(cases, &subject_sort, &ways[GATHERED].desc, "sort");
    subject_add_refused(cases, &subject_sort, &ways[GATHERED].desc, spoil,
                        "sort/expressions/refused");
}
