/* SPDX-License-Identifier: MIT */
/* Draws lists, good and mutated, for every primitive that reads links. */
#include "fuzz_lists.h"
#include "fuzz.h"

#include <stdlib.h>

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
