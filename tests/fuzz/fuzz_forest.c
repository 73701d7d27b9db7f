/* SPDX-License-Identifier: MIT */
/* Draws forests, good and mutated, with heads given or found, and the knobs that rank them. */
#include "fixtures/list/forest_cases.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_lists.h"

#include <stdlib.h>

/* Cuts a list into several: nearly all elements alone, or a few long lists. */
static void cut(int64_t *next, size_t n) {
    const size_t one_in = (size_t)1 << fuzz_between(0, 16);
    for (size_t i = 0; i < n; i++)
        if (test_random_below(one_in) == 0) next[i] = -1;
}

/* Mutated heads: one is another element, or none. */
static void mutate_heads(int64_t *heads, size_t *count, size_t n) {
    const size_t at = fuzz_between(0, *count - 1);
    switch (test_random_below(3)) {
    case 0:
        heads[at] = (int64_t)fuzz_between(0, n - 1);
        break;
    case 1:
        heads[at] = fuzz_coin() ? -1 : (int64_t)n;
        break;
    default:
        heads[at] = heads[--*count];
    }
}

static void run(clprims_forest *plan, const clprims_forest_desc *desc, const char *tuning) {
    const size_t n = fuzz_list_size(desc->max_n);
    const fuzz_drawn_list list = fuzz_draw_list(desc->link, n);
    cut(list.next, n);
    size_t count = 0;
    int64_t *heads = forest_heads(list.next, n, &count);
    const bool given = fuzz_coin();
    if (given && test_random_below(16) == 0) count = 0;
    if (given && count > 0 && test_random_below(3) == 0) mutate_heads(heads, &count, n);
    const uint64_t without = test_random_below(6);
    const forest_case c = {.plan = plan,
                           .link = desc->link,
                           .next = list.next,
                           .n = n,
                           .heads = given ? heads : NULL,
                           .num_heads = given ? count : 0,
                           .without_rank = without == 1,
                           .without_head = without == 2,
                           .first = fuzz_between(0, 5)};
    fuzz_note("forest of %s, %s, %s, n %zu of %zu, %zu heads %s, tuning %s",
              clprims_type_name(desc->link), list.name, list.mutated ? "mutated" : "not mutated", n,
              desc->max_n, count, c.heads != NULL ? "given" : "found", tuning);
    forest_expect(&c);
    free(heads);
    free(list.next);
}

void fuzz_forest(void) {
    char tuning[FUZZ_TUNING] = "";
    clprims_forest *plan = NULL;
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.max_n = fuzz_list_max_n();
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_scan_knobs(tuning);
        desc.tuning = tuning;
    }
    fuzz_note("forest of %s, max_n %zu, tuning %s", clprims_type_name(desc.link), desc.max_n,
              tuning);
    if (!fuzz_created(clprims_forest_create(&plan, test_context(), &desc))) return;
    const size_t runs = fuzz_between(1, 30);
    for (size_t i = 0; i < runs; i++) run(plan, &desc, tuning);
    clprims_forest_destroy(plan);
}
