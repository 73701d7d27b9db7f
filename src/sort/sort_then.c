/* SPDX-License-Identifier: MIT */
/*
 * A sort by several keys: sorts of the elements' indices by each key, from the last one to the
 * first. As each sort is stable, elements with equal keys keep the order of the keys behind that
 * one. A sort by one key takes the keys of elements in the order so far, and a copy of that order,
 * and writes the next order; so its arguments are always the same, and keys of one type share a
 * plan. At last payloads and elements come by their indices, which may be results themselves.
 * Segmented sort and top-k take the same order for ranks (sort_elements.c).
 */
#include "core/status.h"
#include "sort/sort_plan.h"

/* The order, then what moves. */
enum { MOST_STEPS = CLP_SORT_MAKE_STEPS + 2 };

/* Which key's plan sorts by key k: the first one's of the type, unless it has a window of bits. */
static size_t sort_of(const clp_sort_spec *spec, size_t k) {
    const bool is_whole = spec->key_bits[0] == 8 * clprims_type_bytes(spec->key_types[0]);
    size_t first = k == 0 || is_whole ? 0 : 1;
    while (spec->key_types[first] != spec->key_types[k]) first++;
    return first;
}

static clprims_status create_sort(clp_sort_elements *elements, const clprims_sort_desc *desc,
                                  size_t k) {
    clp_plan *plan = elements->plan;
    clprims_sort_desc own = {0};
    clprims_sort_info info = {0};
    own.type = elements->spec->key_types[k];
    own.descending = desc->descending;
    own.floats = desc->floats;
    own.begin_bit = k == 0 ? desc->begin_bit : 0;
    own.end_bit = k == 0 ? desc->end_bit : 0;
    own.payloads = 1;
    own.payload_bytes[0] = clprims_type_bytes(clp_sort_order_type(elements->spec));
    own.no_keys = 1;
    own.max_n = desc->max_n;
    own.algorithm = desc->algorithm;
    own.tuning = desc->tuning;
    CLP_TRY(clprims_sort_create(&elements->sorts[k], plan->context, &own));
    CLP_TRY(clprims_sort_describe(elements->sorts[k], 0, &info));
    plan->scratch_bytes += info.scratch_bytes;
    return CLPRIMS_OK;
}

clprims_status clp_sort_then_create_sorts(clp_sort_elements *elements,
                                          const clprims_sort_desc *desc) {
    const clp_sort_spec *spec = elements->spec;
    const size_t order_bytes = spec->max_n * clprims_type_bytes(clp_sort_order_type(spec));
    CLP_TRY(clp_plan_scratch(elements->plan, order_bytes, false, &elements->before));
    for (size_t k = 0; k < spec->keys; k++) {
        if (sort_of(spec, k) == k) CLP_TRY(create_sort(elements, desc, k));
    }
    return CLPRIMS_OK;
}

clprims_status clp_sort_then_add_order(clp_sort_elements *elements,
                                       const clp_sort_elements_run *run, clprims_buffer order,
                                       clprims_buffer report, clp_step *steps, size_t *count) {
    const clp_sort_run by_key = {.n = run->n,
                                 .buffers = {.keys_in = {elements->keys, 0},
                                             .payload_in = {{elements->before, 0}},
                                             .payload_out = {order},
                                             .n = run->counted,
                                             .report = report}};
    clprims_buffer before = {NULL, 0};
    for (size_t k = elements->spec->keys; k-- > 0; before = order) {
        clprims_sort *sort = elements->sorts[sort_of(elements->spec, k)];
        CLP_TRY(clp_sort_elements_make_in_order(elements, run, k, before, steps, count));
        CLP_TRY(clp_sort_add_steps(sort, &by_key, steps, count));
    }
    return CLPRIMS_OK;
}

/* ---- Plans of sort ---- */

clprims_status clp_sort_then_create(clprims_sort *plan, const clprims_sort_desc *desc) {
    CLP_TRY(clp_sort_elements_create(&plan->elements, &plan->head, desc, &plan->spec));
    CLP_TRY(clp_sort_elements_create_order(&plan->elements));
    CLP_TRY(clp_sort_then_create_sorts(&plan->elements, desc));
    return clp_sort_warm_up(plan);
}

clprims_status clp_sort_then_describe(const clprims_sort *plan, size_t n, clprims_sort_info *info) {
    const clprims_sort_info whole = *info;
    size_t passes = 0;
    for (size_t k = plan->spec.keys; k-- > 0;) {
        CLP_TRY(clprims_sort_describe(plan->elements.sorts[sort_of(&plan->spec, k)], n, info));
        passes += info->passes;
    }
    info->passes = passes;
    info->scratch_bytes = whole.scratch_bytes;
    info->programs = whole.programs;
    return CLPRIMS_OK;
}

static clprims_status list_steps(clprims_sort *plan, const clp_sort_run *what, clp_step *steps,
                                 size_t *count) {
    const clprims_sort_buffers *b = &what->buffers;
    const clp_sort_elements_run elements = {b->keys_in, what->n, b->n};
    const clprims_buffer own = {plan->elements.order, 0};
    const clprims_buffer order = clp_sort_has_indices(&plan->spec) ? b->indices : own;
    clp_sort_moves moves = {{{NULL, 0}}, {{NULL, 0}}};
    CLP_TRY(clp_sort_then_add_order(&plan->elements, &elements, order, b->report, steps, count));
    for (size_t k = 0; k < plan->spec.payloads; k++) {
        moves.from[k] = b->payload_in[k];
        moves.to[k] = b->payload_out[k];
    }
    moves.from[plan->spec.payloads] = b->keys_in;
    moves.to[plan->spec.payloads] = b->keys_out;
    return clp_sort_elements_move(&plan->elements, &elements, order, &moves, what->in_place, steps,
                                  count);
}

clprims_status clp_sort_then_submit(clprims_sort *plan, const clp_sort_run *run) {
    clp_step steps[MOST_STEPS];
    size_t count = 0;
    if (run->n > 0 || run->buffers.n.mem != NULL) {
        CLP_TRY(list_steps(plan, run, steps, &count));
    }
    return clp_plan_enqueue_steps(&plan->head, &run->call, steps, count);
}

clprims_status clp_sort_then_warm_up(clprims_sort *plan, const clp_sort_run *blank) {
    clp_step steps[MOST_STEPS];
    clp_sort_run run = *blank;
    size_t count = 0;
    run.in_place = true;
    CLP_TRY(list_steps(plan, &run, steps, &count));
    return clp_plan_warm_up(&plan->head, steps, count);
}
