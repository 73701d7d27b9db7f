/* SPDX-License-Identifier: MIT */
/* Draws merges and searches: types, orders, payloads, positions, knobs, sizes, places. */
#include "fixtures/merge_cases.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "merge/merge_plan.h"

static merge_order draw_order(void) {
    const size_t type = fuzz_between(CLPRIMS_I8, CLPRIMS_STRUCT);
    return type == CLPRIMS_STRUCT ? merge_weights : merge_order_of((clprims_type)type);
}

/* What a plan is run with. */
static merge_case draw_run(const merge_order *order, size_t max_a, size_t max_b) {
    return (merge_case){.order = *order,
                        .data = (merge_data)fuzz_between(0, MERGE_DATA_KINDS - 1),
                        .n_a = fuzz_pass_size(max_a),
                        .n_b = fuzz_pass_size(max_b),
                        .first = fuzz_between(0, 9),
                        .by_run = test_random_below(4) == 0};
}

void fuzz_merge(void) {
    const fuzz_cap caps[] = {{"GROUP", 64}, {"ITEMS", 9}, {"GROUPS", 9}, {NULL, 0}};
    const merge_order order = draw_order();
    char tuning[FUZZ_TUNING] = "";
    clprims_merge *plan = NULL;
    clprims_merge_desc desc = {.type = order.type, .custom = order.custom, .less = order.text};
    desc.payload_bytes = fuzz_coin() ? fuzz_between(1, fuzz_coin() ? 16 : 256) : 0;
    desc.max_n = fuzz_size(test_small() ? 300 : 100000);
    desc.max_n_b = 1 + fuzz_size(test_small() ? 300 : 100000);
    if (test_bears_shapes() && fuzz_coin()) {
        fuzz_draw_knobs(clp_merge_knobs, CLP_MERGE_KNOBS, caps, tuning);
        desc.tuning = tuning;
    }
    fuzz_note("merge of %s, payload %zu, max_n %zu, max_n_b %zu, tuning %s", order.name,
              desc.payload_bytes, desc.max_n, desc.max_n_b, tuning);
    if (!fuzz_created(clprims_merge_create(&plan, test_context(), &desc))) return;
    for (size_t runs = fuzz_between(4, 12); runs > 0; runs--) {
        merge_case c = draw_run(&order, desc.max_n, desc.max_n_b);
        c.payload_bytes = desc.payload_bytes;
        merge_run_is_right(plan, &c);
    }
    clprims_merge_destroy(plan);
}

static void draw_search_knobs(const clprims_search_desc *desc, char tuning[FUZZ_TUNING]) {
    const fuzz_cap caps[] = {
        {"GROUP", 64}, {"ITEMS", 9}, {"GROUPS", 9}, {"PIVOTS", 3000}, {NULL, 0}};
    if (desc->needles_sorted) {
        fuzz_draw_knobs(clp_merge_knobs, CLP_MERGE_KNOBS, caps, tuning);
    } else {
        fuzz_draw_knobs(clp_search_knobs, CLP_SEARCH_KNOBS, caps, tuning);
    }
}

void fuzz_search(void) {
    const merge_order order = draw_order();
    char tuning[FUZZ_TUNING] = "";
    clprims_search *plan = NULL;
    clprims_search_desc desc = {.type = order.type, .custom = order.custom, .less = order.text};
    desc.bound = (clprims_search_bound)test_random_below(3);
    desc.needles_sorted = fuzz_coin();
    desc.positions = fuzz_index_type();
    /* The twin counts all elements for each needle. */
    desc.max_n = fuzz_size(test_small() ? 100 : 2000);
    desc.max_length = 1 + fuzz_size(test_small() ? 300 : 4000);
    if (test_bears_shapes() && fuzz_coin()) {
        draw_search_knobs(&desc, tuning);
        desc.tuning = tuning;
    }
    fuzz_note("search among %s, bound %d, needles_sorted %d, positions %s, max_n %zu, max_length "
              "%zu, tuning %s",
              order.name, (int)desc.bound, desc.needles_sorted, clprims_type_name(desc.positions),
              desc.max_n, desc.max_length, tuning);
    if (!fuzz_created(clprims_search_create(&plan, test_context(), &desc))) return;
    for (size_t runs = fuzz_between(4, 12); runs > 0; runs--) {
        const search_case c = {.arrays = draw_run(&order, desc.max_n, desc.max_length),
                               .bound = desc.bound,
                               .needles_sorted = desc.needles_sorted,
                               .positions = desc.positions};
        search_run_is_right(plan, &c);
    }
    clprims_search_destroy(plan);
}
