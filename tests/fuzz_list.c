/* SPDX-License-Identifier: MIT */
/* Draws lists, good and spoiled, and the knobs that rank them. */
#include "fuzz.h"
#include "list_cases.h"

#include <stdio.h>
#include <stdlib.h>

static void draw_tuning(char *tuning, size_t bytes) {
    snprintf(tuning, bytes,
             "GROUP=%zu WALKS=%zu LANES=%zu SUBLIST=%zu UPPER=%zu SPLITTERS=%zu LAST=%zu BATCH=%zu "
             "COARSE=%zu",
             (size_t)1 << fuzz_between(0, 8), fuzz_between(1, 16),
             fuzz_between(1, (size_t)1 << fuzz_between(0, 12)), fuzz_between(2, 100),
             fuzz_between(2, 20), (size_t)1 << fuzz_between(0, 20),
             (size_t)1 << fuzz_between(0, 11), fuzz_between(1, 8), fuzz_between(0, 4));
}

/* Spoils a few links: values that are none, ends, exchanges, or any element. */
static void spoil(clprims_type link, int64_t *next, size_t n) {
    static const int64_t odd[] = {-2, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, INT64_C(1) << 32};
    const size_t changes = fuzz_between(1, 8);
    for (size_t k = 0; k < changes; k++) {
        const size_t a = fuzz_between(0, n - 1), b = fuzz_between(0, n - 1);
        const int64_t kept = next[a];
        switch (test_random_below(5)) {
        case 0:
            next[a] = odd[test_random_below(link == CLPRIMS_I32 ? 3 : 6)];
            break;
        case 1:
            next[a] = -1;
            break;
        case 2:
            next[a] = (int64_t)b;
            break;
        default:
            next[a] = next[b];
            next[b] = kept;
        }
    }
}

static void run(clprims_list *plan, const clprims_list_desc *desc, const char *tuning) {
    const clprims_type link = desc->link;
    const size_t max_n = desc->max_n;
    const size_t n = fuzz_size(max_n);
    const list_order *made = &list_orders[test_random_below(LIST_ORDERS)];
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    list_case c = {plan,
                   link,
                   next,
                   CLPRIMS_LIST_FIND_HEAD,
                   n,
                   fuzz_between(0, 5),
                   fuzz_between(0, 5),
                   fuzz_between(0, 2),
                   desc->result};
    if (n > 0) {
        made->fill(order, n);
        list_link(order, next, n);
        if (fuzz_coin()) c.head = order[0];
        if (fuzz_coin()) spoil(link, next, n);
        if (test_random_below(16) == 0) c.head = (int64_t)fuzz_between(0, n - 1);
    }
    fuzz_note("list of %s, %s, n %zu of %zu, head %lld, tuning %s", clprims_type_name(link),
              made->name, n, max_n, (long long)c.head, tuning);
    if (n > 0) list_expect(&c);
    free(order);
    free(next);
}

void fuzz_list(void) {
    char tuning[160] = "";
    clprims_list *plan = NULL;
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.max_n = 1 + fuzz_size(test_small() ? 300 : 60000);
    desc.result = fuzz_coin() ? CLPRIMS_LIST_RANKS : CLPRIMS_LIST_ORDER;
    desc.algorithm = (clprims_list_algorithm)fuzz_between(CLPRIMS_LIST_AUTO, CLPRIMS_LIST_IN_PLACE);
    if (desc.algorithm == CLPRIMS_LIST_IN_PLACE) desc.result = CLPRIMS_LIST_RANKS;
    if (test_random_below(4) != 0) {
        draw_tuning(tuning, sizeof tuning);
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
