/* SPDX-License-Identifier: MIT */
/* Draws list scans: types, operators, the user's own too, knobs, lists good and mutated. */
#include "custom_operators.h"
#include "fuzz.h"
#include "fuzz_lists.h"
#include "listscan_cases.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct drawn_plan {
    clprims_listscan_desc desc;
    const oracle_twin *twin;
    char tuning[240];
    uint64_t init;
} drawn_plan;

static const oracle_twin affine_twin = {custom_load_affine, custom_compose, sizeof(affine)};
static const oracle_twin marked_twin = {custom_load_u32, custom_keep_last_marked, sizeof(uint32_t)};
static const affine same = {1, 0};

/* Groups of whole sub-groups, or single work-items where there are none. */
static void draw_tuning(drawn_plan *d) {
    const bool alone = test_info().layer == CLPRIMS_LAYER_LOCAL && fuzz_coin();
    const size_t group = alone ? 1 : (size_t)1 << fuzz_between(5, 8);
    if (test_random_below(4) == 0 || !test_bears_shapes()) return;
    snprintf(
        d->tuning, sizeof d->tuning,
        "GROUP=%zu WALKS=%zu LANES=%zu SUBLIST=%zu LEAST=%zu UPPER=%zu SPLITTERS=%zu LAST=%zu "
        "BATCH=%zu CHUNK=%zu BUCKET=%zu COARSE=%zu",
        group, alone ? fuzz_between(1, 16) : 1, fuzz_between(1, (size_t)1 << fuzz_between(0, 12)),
        fuzz_between(2, 100), (size_t)1 << fuzz_between(0, 12), fuzz_between(2, 20),
        (size_t)1 << fuzz_between(0, 20), (size_t)1 << fuzz_between(0, 8), fuzz_between(1, 8),
        fuzz_between(alone ? 1 : 32, 300), (size_t)1 << fuzz_between(0, 16), fuzz_between(0, 4));
    d->desc.tuning = d->tuning;
}

static void draw_custom(drawn_plan *d) {
    static const uint32_t first = 9;
    clprims_listscan_desc *desc = &d->desc;
    desc->op = CLPRIMS_CUSTOM;
    if (fuzz_coin()) {
        desc->type = CLPRIMS_STRUCT;
        desc->custom =
            (clprims_custom){"compose(a, b)", custom_affine, "affine", sizeof(affine), &same, 0};
        d->twin = &affine_twin;
    } else {
        desc->type = CLPRIMS_U32;
        desc->init = &first;
        desc->custom.op = custom_last_marked;
        d->twin = &marked_twin;
    }
}

static void draw_built_in(drawn_plan *d) {
    clprims_listscan_desc *desc = &d->desc;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    desc->op = (clprims_op)fuzz_between(CLPRIMS_ADD, is_float ? CLPRIMS_MUL : CLPRIMS_XOR);
    if (is_float) return;
    desc->accumulator = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    if (test_random_below(3) != 0) return;
    d->init = 7;
    desc->init = &d->init;
}

/* As the operators need them: below their modulus, and not zero. */
static void draw_values(const clprims_listscan_desc *desc, void *values, size_t n) {
    if (desc->op != CLPRIMS_CUSTOM) test_random_values(desc->type, desc->op, values, n);
    for (size_t i = 0; desc->op == CLPRIMS_CUSTOM && i < n; i++) {
        const uint32_t x = (uint32_t)test_random();
        if (desc->type == CLPRIMS_STRUCT)
            ((affine *)values)[i] = (affine){x % CUSTOM_PRIME, (x >> 8) % CUSTOM_PRIME};
        else
            ((uint32_t *)values)[i] = x % 1000 + 1;
    }
}

static void run(clprims_listscan *plan, const drawn_plan *d) {
    const clprims_listscan_desc *desc = &d->desc;
    const size_t n = fuzz_list_size(desc->max_n);
    const fuzz_drawn_list list = fuzz_draw_list(desc->link, n);
    void *values = test_alloc(n, listscan_in_bytes(desc));
    draw_values(desc, values, n);
    const listscan_case c = {.plan = plan,
                             .desc = desc,
                             .twin = d->twin,
                             .next = list.next,
                             .values = values,
                             .head = fuzz_coin() ? list.head : CLPRIMS_LIST_FIND_HEAD,
                             .n = n,
                             .first = fuzz_between(0, 5)};
    fuzz_note("listscan %s of %s to %s, %s, %s, n %zu of %zu, head %lld, tuning %s",
              clprims_op_name(desc->op), clprims_type_name(desc->type),
              clprims_type_name(desc->accumulator), list.name,
              list.mutated ? "mutated" : "not mutated", n, desc->max_n, (long long)c.head,
              d->tuning);
    listscan_expect(&c, NULL);
    free(values);
    free(list.next);
}

void fuzz_listscan(void) {
    drawn_plan d = {.desc = CLPRIMS_LISTSCAN_DESC_INIT};
    clprims_listscan *plan = NULL;
    d.desc.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64;
    d.desc.inclusive = fuzz_coin();
    d.desc.max_n = fuzz_list_max_n();
    if (test_random_below(4) == 0)
        draw_custom(&d);
    else
        draw_built_in(&d);
    draw_tuning(&d);
    fuzz_note("listscan %s of %s, links %s, max_n %zu, tuning %s", clprims_op_name(d.desc.op),
              clprims_type_name(d.desc.type), clprims_type_name(d.desc.link), d.desc.max_n,
              d.tuning);
    if (!fuzz_created(clprims_listscan_create(&plan, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(1, 8);
    for (size_t i = 0; i < runs; i++) run(plan, &d);
    clprims_listscan_destroy(plan);
}
