/* SPDX-License-Identifier: MIT */
/*
 * A run of sort: one chain of kernels, whose sizes depend on n alone. add_sort chooses it:
 *   few keys         one work-group, or of onesweep networks: tiles, then merges of them
 *   onesweep         digits, each pass, in place copy, and where there may be few keys distinct
 *   other algorithms digits, bases, then of each pass count, [rows,] scatter, and at last copy
 * Kernels find out on the device whether they have something to do. sort_plan.h has the map.
 */
#include "plan/plan_arguments.h"
#include "sort/sort_plan.h"

#include <assert.h>
#include <string.h>

/* ---- Kernels ---- */

const char *clp_sort_variant(const clprims_sort *plan, size_t n) {
    if (clp_sort_is_few(plan, n)) {
        const bool by_tiles = clp_sort_is_onesweep(plan) && n > CLP_NETWORK_SINGLE;
        return by_tiles ? "tiles" : "single-group";
    }
    return clp_sort_is_serial(plan)     ? "serial-parts"
           : clp_sort_is_onesweep(plan) ? "onesweep"
                                        : "count-scan-scatter";
}

clprims_status clp_sort_create_kernels(clprims_sort *plan) {
    const size_t passes = plan->shape.passes;
    const bool many = !clp_sort_is_few(plan, plan->spec.max_n);
    const bool onesweep = clp_sort_is_onesweep(plan), segments = plan->most_segments > 0;
    const bool whole = many && onesweep && !segments;
    const bool runs = clp_sort_writes_runs(plan), counts = plan->shape.count_parts > 0;
    const bool network = plan->shape.network > 0, tiles = clp_sort_merges_tiles(plan);
    const size_t each = many && !onesweep ? passes : 0;
    const size_t passes_of_onesweep = many && onesweep && !runs ? passes : 0;
    const struct {
        const char *name;
        size_t count;
        cl_program other; /* NULL: plan->program */
    } kinds[CLP_SORT_KERNEL_KINDS] = {
        [CLP_SORT_KERNEL_SINGLE] = {"clp_sort_single", !onesweep && plan->shape.single > 0},
        [CLP_SORT_KERNEL_DIGITS] = {"clp_sort_digits", many && !onesweep},
        [CLP_SORT_KERNEL_BASES] = {clp_sort_is_serial(plan) ? "clp_sort_live" : "clp_sort_bases",
                                   many && !onesweep},
        [CLP_SORT_KERNEL_COUNT] = {"clp_sort_count", each},
        [CLP_SORT_KERNEL_ROWS] = {"clp_sort_rows", clp_sort_is_serial(plan) ? 0 : each},
        [CLP_SORT_KERNEL_SCATTER] = {"clp_sort_scatter", each},
        [CLP_SORT_KERNEL_COPY] = {"clp_sort_copy", (many && !(onesweep && (runs || segments))) ||
                                                       (tiles && clp_sort_packs(&plan->spec))},
        [CLP_SORT_KERNEL_ONESWEEP_DIGITS] = {counts ? "clp_sort_onesweep_counts"
                                                    : "clp_sort_onesweep_digits",
                                             whole},
        [CLP_SORT_KERNEL_ONESWEEP_PASS] = {"clp_sort_onesweep_pass", passes_of_onesweep},
        [CLP_SORT_KERNEL_ONESWEEP_SMALL_PASS] = {"clp_sort_onesweep_pass",
                                                 plan->small_program != NULL ? passes_of_onesweep
                                                                             : 0,
                                                 plan->small_program},
        [CLP_SORT_KERNEL_NETWORK_SINGLE] = {"clp_sort_network_single", network},
        [CLP_SORT_KERNEL_NETWORK_TILES] = {"clp_sort_network_tiles", tiles},
        [CLP_SORT_KERNEL_NETWORK_MERGE] = {"clp_sort_network_merge", tiles},
        [CLP_SORT_KERNEL_ONESWEEP_RUNS] = {counts ? "clp_sort_onesweep_counted"
                                                  : "clp_sort_onesweep_runs",
                                           whole && runs},
        [CLP_SORT_KERNEL_ONESWEEP_DISTINCT] = {"clp_sort_onesweep_distinct",
                                               many && plan->shape.table_columns > 0},
        [CLP_SORT_KERNEL_SEGMENTS_DIGITS] = {"clp_sort_segments_digits", segments},
        [CLP_SORT_KERNEL_SEGMENTS_BASES] = {"clp_sort_segments_bases", segments},
        [CLP_SORT_KERNEL_SEGMENTS_COPY] = {"clp_sort_segments_copy", segments},
    };
    for (size_t kind = 0; kind < CLP_SORT_KERNEL_KINDS; kind++) {
        const cl_program other = kinds[kind].other;
        for (size_t i = 0; i < kinds[kind].count; i++) {
            CLP_TRY(clp_plan_kernel(&plan->head, other != NULL ? other : plan->program,
                                    kinds[kind].name, &plan->kernels[kind][i]));
        }
    }
    return CLPRIMS_OK;
}

/* ---- Arguments ---- */

/* A run under construction. */
typedef struct run {
    clprims_sort *plan;
    clprims_buffer keys_in, keys_out, in[CLP_SORT_VALUES], out[CLP_SORT_VALUES];
    cl_ulong n;
    size_t launched; /* elements that the launches are for: n, or 1 where n is 0 */
    clprims_buffer counted, report;
    cl_mem tiles;
    cl_uint in_place;
    bool warms_up;
    clp_step steps[CLP_SORT_MOST_STEPS];
    size_t count;
} run;

static clprims_status add_of(run *r, int kind, size_t number, const clp_arguments *a, size_t groups,
                             size_t group) {
    cl_kernel kernel = r->plan->kernels[kind][number];
    assert(r->count < CLP_SORT_MOST_STEPS && kernel != NULL);
    CLP_TRY(clp_arguments_set(a, &r->plan->head, kernel));
    r->steps[r->count++] = (clp_step){kernel, r->warms_up ? 1 : groups, group};
    return CLPRIMS_OK;
}

static clprims_status add(run *r, int kind, size_t number, const clp_arguments *a, size_t groups) {
    return add_of(r, kind, number, a, groups, r->plan->shape.group);
}

/* CLP_ARRAY_PARAMETERS, with the spare copies as output if `to_spare`. */
static void put_arrays_to(clp_arguments *a, const run *r, bool to_spare) {
    const clprims_sort *plan = r->plan;
    const clprims_buffer keys = {plan->keys, 0};
    CLP_PUT(a, r->keys_in, to_spare ? keys : r->keys_out, plan->keys);
    for (size_t k = 0; k < plan->spec.values; k++) {
        const clprims_buffer values = {plan->values[k], 0};
        CLP_PUT(a, r->in[k], to_spare ? values : r->out[k], plan->values[k]);
    }
}

static void put_arrays(clp_arguments *a, const run *r) {
    put_arrays_to(a, r, false);
}

/* ---- Steps ---- */

static clprims_status add_single(run *r) {
    clp_arguments a = {.count = 0};
    put_arrays(&a, r);
    CLP_PUT(&a, r->n, r->counted, r->report, r->in_place);
    return add(r, CLP_SORT_KERNEL_SINGLE, 0, &a, 1);
}

static clprims_status add_network(run *r) {
    clp_arguments a = {.count = 0};
    put_arrays(&a, r);
    CLP_PUT(&a, r->n, r->counted, r->report);
    return add_of(r, CLP_SORT_KERNEL_NETWORK_SINGLE, 0, &a, 1, CLP_NETWORK_SINGLE_GROUP);
}

/* Values of in_place for clp_sort_copy, besides 0 and 1. */
enum { MERGED_TO_SPARE = 2 };

static clprims_status add_copy(run *r, cl_uint in_place) {
    clp_arguments a = {.count = 0};
    put_arrays(&a, r);
    CLP_PUT(&a, r->n, r->counted, in_place, r->plan->live);
    return add(r, CLP_SORT_KERNEL_COPY, 0, &a, r->plan->shape.counters);
}

/* Tiles are merged from the input to the output. In place, where the merge reads values of the
 * input, tiles are merged to the spare copies, which are then copied. */
static clprims_status add_network_tiles(run *r) {
    const size_t n = r->launched;
    const bool to_spare = r->in_place != 0 && clp_sort_packs(&r->plan->spec);
    clp_arguments tiles = {.count = 0}, merged = {.count = 0};
    CLP_PUT(&tiles, r->keys_in, r->n, r->counted, r->report, r->plan->words);
    put_arrays_to(&merged, r, to_spare);
    CLP_PUT(&merged, r->n, r->counted, r->plan->words);
    CLP_TRY(add_of(r, CLP_SORT_KERNEL_NETWORK_TILES, 0, &tiles,
                   (n + CLP_NETWORK_TILE - 1) / CLP_NETWORK_TILE, CLP_NETWORK_TILE_GROUP));
    CLP_TRY(add_of(r, CLP_SORT_KERNEL_NETWORK_MERGE, 0, &merged,
                   (n + CLP_NETWORK_MERGED - 1) / CLP_NETWORK_MERGED, CLP_NETWORK_MERGE_GROUP));
    return to_spare ? add_copy(r, MERGED_TO_SPARE) : CLPRIMS_OK;
}

static clprims_status add_bases(run *r) {
    clprims_sort *plan = r->plan;
    const size_t pairs = clp_sort_tiles(plan, &plan->shape, r->launched) / 2 + 1;
    const size_t groups =
        clp_sort_is_serial(plan) ? plan->shape.counters : clp_at_most(pairs, plan->shape.counters);
    cl_ulong counters = r->warms_up ? 1 : groups;
    clp_arguments digits = {.count = 0};
    CLP_PUT(&digits, r->keys_in, r->n, r->counted, r->report, counters, plan->digits);
    CLP_TRY(add(r, CLP_SORT_KERNEL_DIGITS, 0, &digits, groups));
    clp_arguments live = {.count = 0};
    CLP_PUT(&live, plan->digits, counters, plan->live);
    if (clp_sort_is_serial(plan)) return add(r, CLP_SORT_KERNEL_BASES, 0, &live, 1);
    clp_arguments bases = {.count = 0};
    CLP_PUT(&bases, plan->digits, counters, r->n, r->counted, plan->bases, plan->live);
    return add(r, CLP_SORT_KERNEL_BASES, 0, &bases, plan->shape.passes);
}

static clprims_status add_pass(run *r, cl_uint pass) {
    clprims_sort *plan = r->plan;
    const size_t all = clp_sort_tiles(plan, &plan->shape, r->launched);
    const bool stays = r->counted.mem != NULL && !plan->head.context->device.is_cpu;
    const size_t groups = stays ? clp_at_most(all, 4 * plan->shape.counters) : all;
    cl_ulong row = clp_sort_row(plan, r->warms_up ? 1 : all);
    clp_arguments count = {.count = 0};
    CLP_PUT(&count, r->keys_in, r->keys_out, plan->keys, r->n, r->counted, pass, r->in_place,
            plan->live);
    CLP_PUT(&count, plan->digits, plan->counts, row);
    CLP_TRY(add(r, CLP_SORT_KERNEL_COUNT, pass, &count, groups));
    clp_arguments rows = {.count = 0};
    CLP_PUT(&rows, plan->counts, row, pass, plan->bases, plan->live, r->n, r->counted);
    if (!clp_sort_is_serial(plan)) {
        CLP_TRY(add(r, CLP_SORT_KERNEL_ROWS, pass, &rows, plan->shape.digits));
    }
    clp_arguments scatter = {.count = 0};
    put_arrays(&scatter, r);
    CLP_PUT(&scatter, r->n, r->counted, pass, r->in_place, plan->live, plan->counts, row);
    return add(r, CLP_SORT_KERNEL_SCATTER, pass, &scatter, groups);
}

/* ---- Onesweep ---- */

static clprims_status add_onesweep_digits(run *r, size_t tiles) {
    enum { KEYS_OF_GROUP = 1 << 14, QUAD = 16 };
    clprims_sort *plan = r->plan;
    const size_t groups = (r->launched + KEYS_OF_GROUP - 1) / KEYS_OF_GROUP;
    cl_uint distinct = clp_sort_looks_for_distinct(plan, (size_t)r->n);
    const cl_ulong state_quads = tiles * plan->shape.digits * plan->shape.count_bytes / QUAD;
    clp_arguments digits = {.count = 0};
    CLP_PUT(&digits, r->keys_in, r->n, r->counted, r->report, plan->digits, plan->bases, plan->live,
            plan->counts);
    CLP_PUT(&digits, state_quads, distinct, plan->found_keys, plan->found_counts);
    return add(r, CLP_SORT_KERNEL_ONESWEEP_DIGITS, 0, &digits,
               clp_at_most(groups, plan->shape.counters));
}

/* Each slice of the keys is counted by count_parts groups. */
static clprims_status add_onesweep_counts(run *r) {
    enum { KEYS_OF_SLICE = 1 << 16 };
    clprims_sort *plan = r->plan;
    const size_t parts = plan->shape.count_parts, most = plan->shape.counters / parts;
    const size_t slices = clp_at_most((r->launched + KEYS_OF_SLICE - 1) / KEYS_OF_SLICE, most);
    clp_arguments counts = {.count = 0};
    CLP_PUT(&counts, r->keys_in, r->n, r->counted, r->report, plan->digits, plan->bases,
            plan->live);
    return add(r, CLP_SORT_KERNEL_ONESWEEP_DIGITS, 0, &counts, parts * (slices > 0 ? slices : 1));
}

static clprims_status add_onesweep_runs(run *r) {
    clp_arguments runs = {.count = 0};
    CLP_PUT(&runs, r->keys_out, r->n, r->counted, r->plan->bases);
    return add(r, CLP_SORT_KERNEL_ONESWEEP_RUNS, 0, &runs, 2 * r->plan->shape.counters);
}

static clprims_status add_onesweep_passes(run *r, const clp_sort_shape *shape) {
    clprims_sort *plan = r->plan;
    const bool segments = plan->most_segments > 0;
    const size_t tiles = segments ? r->launched : clp_sort_tiles(plan, shape, r->launched);
    const int kind =
        shape == &plan->small ? CLP_SORT_KERNEL_ONESWEEP_SMALL_PASS : CLP_SORT_KERNEL_ONESWEEP_PASS;
    for (cl_uint pass = 0; pass < plan->shape.passes; pass++) {
        clp_arguments a = {.count = 0};
        put_arrays(&a, r);
        CLP_PUT(&a, r->n, r->counted, pass, r->in_place, plan->live, plan->bases, plan->counts,
                tiles);
        CLP_PUT(&a, (cl_uint)plan->spec.key_bytes);
        if (segments) CLP_PUT(&a, r->tiles);
        CLP_TRY(add_of(r, kind, pass, &a, clp_at_most(tiles, shape->counters), shape->group));
    }
    return CLPRIMS_OK;
}

/* What the passes leave to do where there are few distinct keys. */
static clprims_status add_onesweep_distinct(run *r) {
    clprims_sort *plan = r->plan;
    clp_arguments found = {.count = 0};
    CLP_PUT(&found, r->keys_out, r->n, r->counted, plan->found_keys, plan->found_counts,
            plan->live);
    return add(r, CLP_SORT_KERNEL_ONESWEEP_DISTINCT, 0, &found, 2 * plan->shape.counters);
}

static clprims_status add_onesweep(run *r) {
    clprims_sort *plan = r->plan;
    const clp_sort_shape *shape = clp_sort_shape_of(plan, (size_t)r->n);
    const size_t tiles = clp_sort_tiles(plan, shape, r->launched);
    CLP_TRY(plan->shape.count_parts > 0 ? add_onesweep_counts(r) : add_onesweep_digits(r, tiles));
    if (clp_sort_writes_runs(plan)) return add_onesweep_runs(r);
    CLP_TRY(add_onesweep_passes(r, shape));
    if (r->warms_up && shape != &plan->shape) CLP_TRY(add_onesweep_passes(r, &plan->shape));
    if (r->in_place) CLP_TRY(add_copy(r, r->in_place));
    const bool looks = clp_sort_looks_for_distinct(plan, (size_t)r->n);
    return looks || (r->warms_up && plan->shape.table_columns > 0) ? add_onesweep_distinct(r)
                                                                   : CLPRIMS_OK;
}

/* Segments, of which r->n is the number of tiles, or the most there may be. */
static clprims_status add_segments(run *r) {
    enum { QUAD = 16 };
    clprims_sort *plan = r->plan;
    const clp_sort_shape *shape = &plan->shape;
    const size_t tiles = r->launched, groups = clp_at_most(tiles, shape->counters);
    cl_ulong state_quads = tiles * shape->digits * shape->count_bytes / QUAD;
    clp_arguments digits = {.count = 0};
    CLP_PUT(&digits, r->keys_in, r->n, r->counted, plan->digits, plan->live, plan->counts,
            state_quads, r->tiles);
    clp_arguments bases = {.count = 0};
    CLP_PUT(&bases, r->n, r->counted, plan->digits, plan->bases, plan->live, r->tiles);
    clp_arguments copy = {.count = 0};
    put_arrays(&copy, r);
    CLP_PUT(&copy, r->n, r->counted, r->in_place, plan->live, r->tiles);
    CLP_TRY(add(r, CLP_SORT_KERNEL_SEGMENTS_DIGITS, 0, &digits, groups));
    CLP_TRY(add(r, CLP_SORT_KERNEL_SEGMENTS_BASES, 0, &bases, groups));
    CLP_TRY(add_onesweep_passes(r, shape));
    return add(r, CLP_SORT_KERNEL_SEGMENTS_COPY, 0, &copy, groups);
}

static clprims_status add_many(run *r) {
    if (r->plan->most_segments > 0) return add_segments(r);
    if (clp_sort_is_onesweep(r->plan)) return add_onesweep(r);
    CLP_TRY(add_bases(r));
    for (size_t pass = 0; pass < r->plan->shape.passes; pass++) {
        CLP_TRY(add_pass(r, (cl_uint)pass));
    }
    return add_copy(r, r->in_place);
}

static void begin(run *r, clprims_sort *plan, const clp_sort_run *what) {
    const clprims_sort_buffers *b = &what->buffers;
    const size_t payloads = plan->spec.payloads;
    const clprims_buffer made = {plan->elements.keys, 0}, other = {plan->other_keys, 0};
    size_t value = payloads;
    r->plan = plan;
    r->n = what->n;
    r->launched = what->n > 0 ? what->n : 1;
    r->counted = b->n;
    r->report = b->report;
    r->tiles = what->tiles;
    r->in_place = what->in_place;
    r->keys_in = plan->spec.has_expression ? made : b->keys_in;
    r->keys_out = plan->spec.no_keys ? other : b->keys_out;
    for (size_t k = 0; k < payloads; k++) {
        r->in[k] = b->payload_in[k];
        r->out[k] = b->payload_out[k];
    }
    if (clp_sort_moves_elements(&plan->spec)) {
        r->in[value] = b->keys_in;
        r->out[value++] = b->keys_out;
    }
    if (clp_sort_has_order(&plan->spec)) {
        r->out[value++] = (clprims_buffer){plan->elements.order, 0};
    }
    if (clp_sort_has_indices(&plan->spec)) r->out[value] = b->indices;
}

static clprims_status add_sort(run *r) {
    const clprims_sort *plan = r->plan;
    if (!clp_sort_is_few(plan, (size_t)r->n)) return add_many(r);
    if (!clp_sort_is_onesweep(plan)) return add_single(r);
    return r->n <= CLP_NETWORK_SINGLE ? add_network(r) : add_network_tiles(r);
}

static clp_sort_elements_run elements_of(const clp_sort_run *what) {
    return (clp_sort_elements_run){what->buffers.keys_in, what->n, what->buffers.n};
}

/* Large elements by their sorted indices. */
static clprims_status add_elements(run *r, const clp_sort_run *what, bool in_place) {
    clp_sort_elements *elements = &r->plan->elements;
    const clp_sort_elements_run moved = elements_of(what);
    const clp_sort_moves moves = {{what->buffers.keys_in}, {what->buffers.keys_out}};
    return clp_sort_elements_move(elements, &moved, (clprims_buffer){elements->order, 0}, &moves,
                                  in_place, r->steps, &r->count);
}

static clprims_status list_steps(run *r, clprims_sort *plan, const clp_sort_run *what) {
    const clp_sort_elements_run made = elements_of(what);
    begin(r, plan, what);
    if (what->n == 0 && what->buffers.n.mem == NULL) return CLPRIMS_OK;
    CLP_TRY(clp_sort_elements_make(&plan->elements, &made, r->steps, &r->count));
    CLP_TRY(add_sort(r));
    return add_elements(r, what, what->in_place);
}

clprims_status clp_sort_submit(clprims_sort *plan, const clp_sort_run *what) {
    run r = {.plan = plan};
    if (plan->spec.keys > 1) return clp_sort_then_submit(plan, what);
    CLP_TRY(list_steps(&r, plan, what));
    return clp_plan_enqueue_steps(&plan->head, &what->call, r.steps, r.count);
}

clprims_status clp_sort_add_steps(clprims_sort *plan, const clp_sort_run *what, clp_step *steps,
                                  size_t *count) {
    run r = {.plan = plan};
    CLP_TRY(list_steps(&r, plan, what));
    memcpy(steps + *count, r.steps, r.count * sizeof *steps);
    *count += r.count;
    return CLPRIMS_OK;
}

clprims_status clp_sort_warm_up(clprims_sort *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0};
    const clp_sort_run what = {.buffers = {.keys_in = blank,
                                           .keys_out = blank,
                                           .payload_in = {blank, blank, blank, blank},
                                           .payload_out = {blank, blank, blank, blank},
                                           .indices = blank}};
    run r = {.warms_up = true};
    if (plan->spec.keys > 1) return clp_sort_then_warm_up(plan, &what);
    begin(&r, plan, &what);
    const clp_sort_elements_run made = elements_of(&what);
    CLP_TRY(clp_sort_elements_make(&plan->elements, &made, r.steps, &r.count));
    if (plan->kernels[CLP_SORT_KERNEL_NETWORK_SINGLE][0] != NULL) CLP_TRY(add_network(&r));
    if (plan->kernels[CLP_SORT_KERNEL_NETWORK_TILES][0] != NULL) CLP_TRY(add_network_tiles(&r));
    if (plan->kernels[CLP_SORT_KERNEL_SINGLE][0] != NULL) CLP_TRY(add_single(&r));
    /* Other algorithms copy behind their passes, in place or not. */
    const bool copies = plan->kernels[CLP_SORT_KERNEL_COPY][0] != NULL;
    if (copies && clp_sort_is_onesweep(plan)) CLP_TRY(add_copy(&r, 0));
    if (plan->kernels[CLP_SORT_KERNEL_DIGITS][0] != NULL ||
        plan->kernels[CLP_SORT_KERNEL_ONESWEEP_DIGITS][0] != NULL || plan->most_segments > 0)
        CLP_TRY(add_many(&r));
    CLP_TRY(add_elements(&r, &what, true));
    return clp_plan_warm_up(&plan->head, r.steps, r.count);
}
