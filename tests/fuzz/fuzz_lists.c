/* SPDX-License-Identifier: MIT */
/* Draws lists, good and mutated, for every primitive that reads links. */
#include "fuzz/fuzz_lists.h"
#include "fuzz/fuzz.h"
#include "list/list_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000, MOST_OFTEN = 60000, MOST_SMALL = 300 };

size_t fuzz_list_max_n(void) {
    if (test_small()) return 1 + fuzz_size(MOST_SMALL);
    return test_random_below(16) == 0 ? MOST : 1 + fuzz_size(MOST_OFTEN);
}

size_t fuzz_list_size(size_t max_n) {
    const uint64_t kind = test_random_below(8);
    const size_t n = kind == 0 ? fuzz_between(1, 4) : kind == 1 ? max_n : fuzz_size(max_n);
    return n < 1 ? 1 : n < max_n ? n : max_n;
}

fuzz_drawn_list fuzz_draw_list(clprims_type link, size_t n) {
    const list_order *made = &list_orders[test_random_below(LIST_ORDERS)];
    int64_t *order = test_alloc(n, sizeof *order);
    fuzz_drawn_list list = {made->name, test_alloc(n, sizeof *list.next), 0, fuzz_coin()};
    list_fill(made, order, n);
    list_link(order, list.next, n);
    list.head = order[0];
    if (list.mutated) list_mutate(link, list.next, n);
    if (test_random_below(16) == 0) list.head = (int64_t)fuzz_between(0, n - 1);
    free(order);
    return list;
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
