/* SPDX-License-Identifier: MIT */
/* Draws lists, good and mutated, and the knobs that rank them. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_lists.h"
#include "list/list_engine.h"

static void draw_tuning(char tuning[FUZZ_TUNING]) {
    static const fuzz_cap caps[] = {{"LAST", 1 << 11},     {"LAST_GROUP", 256},
                                    {"GROUP", 256},        {"LANES", 1 << 13},
                                    {"WIDE", 1 << 13},     {"SORT_GROUP", 64},
                                    {"BUCKETS", 1 << 11},  {"WINDOW", 1 << 13},
                                    {"WINDOW_GROUP", 256}, {NULL, 0}};
    clp_knob knobs[CLP_LIST_KNOBS];
    memcpy(knobs, clp_list_knobs, sizeof knobs);
    knobs[CLP_LIST_BUCKETS].least = 64;
    fuzz_draw_knobs(knobs, CLP_LIST_KNOBS, caps, tuning);
}

void fuzz_list(void) {
    char tuning[FUZZ_TUNING] = "";
    clprims_list_desc desc = {.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64};
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
    fuzz_runs(&(subject_data){.of = &subject_list, .desc = &desc, .most = {desc.max_n}},
              fuzz_between(1, 40));
}
