/* SPDX-License-Identifier: MIT */
/* Draws list scans: types, operators, the user's own too, knobs, lists good and mutated. */
#include "fixtures/list/listscan_cases.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_lists.h"
#include "harness/custom_operators.h"

#include <stdlib.h>

typedef struct drawn_plan {
    clprims_listscan_desc desc;
    const custom_operand *operand; /* NULL: a built-in operator */
    char tuning[FUZZ_TUNING];
    uint64_t init;
} drawn_plan;

static void draw_custom(drawn_plan *d) {
    d->operand = fuzz_coin() ? &custom_affine : &custom_marked;
    CUSTOM_DESCRIBE(d->operand, &d->desc);
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

/* Twos and halves by turns along the list: drawn by element, products of any order would overflow.
 */
static void settle_products(clprims_type type, void *values, const fuzz_drawn_list *list,
                            size_t n) {
    int64_t i = list->head;
    for (size_t k = 0; k < n && i >= 0 && (uint64_t)i < n; k++, i = list->next[i]) {
        const double value = (k % 2 == 0 ? 2.0 : 0.5) * (fuzz_coin() ? 1.0 : -1.0);
        if (type == CLPRIMS_F32)
            ((float *)values)[i] = (float)value;
        else
            ((double *)values)[i] = value;
    }
}

static void run(clprims_listscan *plan, const drawn_plan *d) {
    const clprims_listscan_desc *desc = &d->desc;
    const size_t n = fuzz_list_size(desc->max_n);
    const fuzz_drawn_list list = fuzz_draw_list(desc->link, n);
    void *values = test_alloc(n, listscan_in_bytes(desc));
    if (d->operand != NULL)
        d->operand->fill(values, n);
    else
        test_random_values(desc->type, desc->op, values, n);
    if (desc->op == CLPRIMS_MUL && desc->type >= CLPRIMS_F32 && d->operand == NULL)
        settle_products(desc->type, values, &list, n);
    const listscan_case c = {.plan = plan,
                             .desc = desc,
                             .twin = d->operand != NULL ? &d->operand->twin : NULL,
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
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_scan_knobs(d.tuning);
        d.desc.tuning = d.tuning;
    }
    fuzz_note("listscan %s of %s, links %s, max_n %zu, tuning %s", clprims_op_name(d.desc.op),
              clprims_type_name(d.desc.type), clprims_type_name(d.desc.link), d.desc.max_n,
              d.tuning);
    if (!fuzz_created(clprims_listscan_create(&plan, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(1, 30);
    for (size_t i = 0; i < runs; i++) run(plan, &d);
    clprims_listscan_destroy(plan);
}
