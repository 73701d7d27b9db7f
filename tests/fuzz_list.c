/* SPDX-License-Identifier: MIT */
/* Draws lists, good and mutated, and the knobs that rank them. */
#include "fuzz.h"
#include "fuzz_lists.h"

#include <stdlib.h>

static void draw_tuning(char tuning[FUZZ_TUNING]) {
    static const fuzz_knob knobs[] = {
        {"SUBLIST", 2, 1 << 20, false},  {"SHORT", 2, 1 << 20, false},
        {"UPPER", 2, 1 << 20, false},    {"SPLITTERS", 1, 1 << 30, false},
        {"LAST", 1, 1 << 11, false},     {"LAST_GROUP", 1, 256, true},
        {"GROUP", 1, 256, true},         {"LANES", 1, 1 << 13, false},
        {"WIDE", 1, 1 << 13, false},     {"WALKS", 1, 32, false},
        {"BATCH", 1, 256, false},        {"FIXED", 0, 100, false},
        {"FEW", 0, 1 << 20, false},      {"SEED", 0, 1 << 30, false},
        {"PATIENCE", 0, 1 << 20, false}, {"COARSE", 0, 16, false},
        {"LEAST", 1, 1 << 30, false},    {"ROWS", 4, 32, true},
        {"SORT_GROUP", 1, 64, true},     {"BUCKETS", 64, 1 << 11, true},
        {"WINDOW", 1, 1 << 13, false},   {"PLACE_GROUP", 1, 256, true},
        {"NEAR", 0, 1 << 30, false},
    };
    fuzz_draw_knobs(knobs, sizeof knobs / sizeof knobs[0], tuning);
}

static void run(clprims_list *plan, const clprims_list_desc *desc, const char *tuning) {
    const size_t n = fuzz_list_size(desc->max_n);
    const fuzz_drawn_list list = fuzz_draw_list(desc->link, n);
    const list_case c = {plan,
                         desc->link,
                         list.next,
                         fuzz_coin() ? list.head : CLPRIMS_LIST_FIND_HEAD,
                         n,
                         fuzz_between(0, 5),
                         fuzz_between(0, 5),
                         fuzz_between(0, 2),
                         desc->result};
    fuzz_note("list of %s, %s, %s, n %zu of %zu, head %lld, tuning %s",
              clprims_type_name(desc->link), list.name, list.mutated ? "mutated" : "not mutated", n,
              desc->max_n, (long long)c.head, tuning);
    list_expect(&c);
    free(list.next);
}

void fuzz_list(void) {
    char tuning[FUZZ_TUNING] = "";
    clprims_list *plan = NULL;
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.max_n = fuzz_list_max_n();
    desc.result = fuzz_coin() ? CLPRIMS_LIST_RANKS : CLPRIMS_LIST_ORDER;
    desc.algorithm = (clprims_list_algorithm)fuzz_between(CLPRIMS_LIST_AUTO, CLPRIMS_LIST_IN_PLACE);
    if (desc.algorithm == CLPRIMS_LIST_IN_PLACE) desc.result = CLPRIMS_LIST_RANKS;
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        draw_tuning(tuning);
        desc.tuning = tuning;
    }
    fuzz_note("list of %s, result %d, algorithm %d, max_n %zu, tuning %s",
              clprims_type_name(desc.link), (int)desc.result, (int)desc.algorithm, desc.max_n,
              tuning);
    if (!fuzz_created(clprims_list_create(&plan, test_context(), &desc))) return;
    const size_t runs = fuzz_between(1, 12);
    for (size_t i = 0; i < runs; i++) run(plan, &desc, tuning);
    clprims_list_destroy(plan);
}
