/* SPDX-License-Identifier: MIT */
/* Sizes of lists, and knobs of every primitive. */
#include "fuzz/fuzz_lists.h"
#include "fuzz/fuzz.h"
#include "list/list_engine.h"

enum { MOST = 1000000, MOST_OFTEN = 60000, MOST_SMALL = 300 };

size_t fuzz_list_max_n(void) {
    if (test_small()) return 1 + fuzz_size(MOST_SMALL);
    return test_random_below(16) == 0 ? MOST : 1 + fuzz_size(MOST_OFTEN);
}

/* ---- Knobs ---- */

static size_t draw_value(const clp_knob *knob, size_t most) {
    size_t span = 1, power = 1;
    while (span <= most - knob->least && span <= SIZE_MAX / 2 && test_random_below(16) != 0)
        span *= 2;
    const size_t drawn = knob->least + fuzz_between(0, span - 1);
    const size_t value = drawn < most ? drawn : most;
    if (!knob->power_of_two) return value;
    while (2 * power <= value) power *= 2;
    return power < knob->least ? knob->least : power;
}

void fuzz_draw_knobs(const clp_knob *knobs, size_t count, const fuzz_cap *caps,
                     char tuning[FUZZ_TUNING]) {
    for (size_t k = 0; k < count; k++) {
        size_t most = knobs[k].most;
        for (const fuzz_cap *cap = caps; cap->name != NULL; cap++)
            if (strcmp(cap->name, knobs[k].name) == 0) most = cap->most;
        const size_t length = strlen(tuning), value = draw_value(&knobs[k], most);
        if (fuzz_coin()) continue;
        snprintf(tuning + length, FUZZ_TUNING - length, "%s%s=%zu", length > 0 ? " " : "",
                 knobs[k].name, value);
    }
}

void fuzz_draw_scan_knobs(char tuning[FUZZ_TUNING]) {
    static const fuzz_cap caps[] = {
        {"LANES", 1 << 13}, {"LAST", 1 << 9},      {"CHUNK", 1 << 14}, {"WINDOW", 1 << 13},
        {"SINGLE", 1 << 9}, {"SINGLE_GROUP", 128}, {NULL, 0}};
    clp_knob knobs[CLP_LISTSCAN_KNOBS];
    const bool alone = test_info().layer == CLPRIMS_LAYER_LOCAL && fuzz_coin();
    memcpy(knobs, clp_listscan_knobs, sizeof knobs);
    if (alone) {
        knobs[CLP_LIST_GROUP].most = 1;
    } else {
        knobs[CLP_LIST_GROUP].least = knobs[CLP_LISTSCAN_CHUNK].least = 32;
        knobs[CLP_LIST_WALKS].most = 1;
        snprintf(tuning, FUZZ_TUNING, "GROUP=64 WALKS=1");
    }
    fuzz_draw_knobs(knobs, CLP_LISTSCAN_KNOBS, caps, tuning);
}
