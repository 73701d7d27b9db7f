/* SPDX-License-Identifier: MIT */
/* Draws lists, good and mutated, for every primitive that reads links. */
#include "fuzz_lists.h"
#include "fuzz.h"

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
    made->fill(order, n);
    list_link(order, list.next, n);
    list.head = order[0];
    if (list.mutated) list_mutate(link, list.next, n);
    if (test_random_below(16) == 0) list.head = (int64_t)fuzz_between(0, n - 1);
    free(order);
    return list;
}

/* ---- Knobs ---- */

static size_t draw_value(const fuzz_knob *knob) {
    size_t span = 1, power = 1;
    while (span <= knob->most - knob->least && test_random_below(16) != 0) span *= 2;
    const size_t drawn = knob->least + fuzz_between(0, span - 1);
    const size_t value = drawn < knob->most ? drawn : knob->most;
    if (!knob->power) return value;
    while (2 * power <= value) power *= 2;
    return power < knob->least ? knob->least : power;
}

void fuzz_draw_knobs(const fuzz_knob *knobs, size_t count, char tuning[FUZZ_TUNING]) {
    for (size_t k = 0; k < count; k++) {
        const size_t length = strlen(tuning), value = draw_value(&knobs[k]);
        if (fuzz_coin()) continue;
        snprintf(tuning + length, FUZZ_TUNING - length, "%s%s=%zu", length > 0 ? " " : "",
                 knobs[k].name, value);
    }
}

void fuzz_draw_scan_knobs(char tuning[FUZZ_TUNING]) {
    static const fuzz_knob any[] = {
        {"LANES", 1, 1 << 13, false},     {"SUBLIST", 2, 1 << 20, false},
        {"LEAST", 1, 1 << 30, false},     {"UPPER", 2, 1 << 20, false},
        {"SPLITTERS", 1, 1 << 30, false}, {"LAST", 1, 1 << 9, false},
        {"BATCH", 1, 256, false},         {"BUCKET", 1, 1 << 30, true},
        {"WINDOW", 1, 1 << 13, true},     {"PATIENCE", 0, 1 << 20, false},
        {"COARSE", 0, 16, false},         {"ALONE", 0, 1 << 9, false},
        {"ALONE_GROUP", 1, 128, true},    {"ALONE_SUBLIST", 1, 1 << 20, false}};
    static const fuzz_knob of_one[] = {{"WALKS", 1, 32, false}, {"CHUNK", 1, 1 << 14, false}};
    static const fuzz_knob of_groups[] = {{"CHUNK", 32, 1 << 14, false}};
    const bool alone = test_info().layer == CLPRIMS_LAYER_LOCAL && fuzz_coin();
    const size_t group = alone ? 1 : (size_t)1 << fuzz_between(5, 8);
    snprintf(tuning, FUZZ_TUNING, "GROUP=%zu WALKS=1", group);
    if (alone) snprintf(tuning, FUZZ_TUNING, "GROUP=1");
    fuzz_draw_knobs(any, sizeof any / sizeof any[0], tuning);
    if (alone)
        fuzz_draw_knobs(of_one, sizeof of_one / sizeof of_one[0], tuning);
    else
        fuzz_draw_knobs(of_groups, 1, tuning);
}
