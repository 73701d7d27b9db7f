/* SPDX-License-Identifier: MIT */
/* A run of segmented sort: one chain of kernels, which the sizes of the run decide; what they find
 * to do is found out on the device. */
#include "plan/plan_arguments.h"
#include "segmented_sort/segments_plan.h"

#include <assert.h>

enum { MOST_STEPS = CLP_SEGMENTS_KERNELS + 2 * CLP_SORT_MOST_STEPS + CLP_SORT_MAKE_STEPS };

/* A run under construction. */
typedef struct chain {
    clprims_segmented_sort *plan;
    bool warms_up;
    clprims_buffer offsets, keys_in, keys_out, report, counted_n, counted_segments;
    cl_mem sizes; /* NULL: the run is not counted */
    cl_ulong n, segments, length;
    clprims_buffer in[CLP_SORT_VALUES], out[CLP_SORT_VALUES];
    clp_step steps[MOST_STEPS];
    size_t count;
} chain;

static clprims_status add(chain *c, int kernel, const clp_arguments *a, size_t groups,
                          size_t group) {
    cl_kernel what = c->plan->kernels[kernel];
    assert(c->count < MOST_STEPS && what != NULL);
    CLP_TRY(clp_arguments_set(a, &c->plan->head, what));
    c->steps[c->count++] = (clp_step){what, c->warms_up || groups == 0 ? 1 : groups, group};
    return CLPRIMS_OK;
}

/* CLP_SEGMENT_PARAMETERS */
static void put_arrays(clp_arguments *a, const chain *c) {
    CLP_PUT(a, c->offsets, c->n, c->segments, c->sizes, c->keys_in, c->keys_out);
    for (size_t k = 0; k < c->plan->spec.values; k++) CLP_PUT(a, c->in[k], c->out[k]);
}

static size_t share_of(size_t all, size_t each) {
    return all / each + (all % each > 0);
}

/* ---- Segments in local memory ---- */

static clprims_status add_first(chain *c) {
    const clp_segments_shape *shape = &c->plan->shape;
    const size_t blocks = (size_t)c->segments / shape->block + 1;
    clp_arguments found = {.count = 0};
    CLP_PUT(&found, c->plan->found, c->sizes, c->n, c->segments, c->counted_n, c->counted_segments,
            c->length);
    CLP_TRY(add(c, CLP_SEGMENTS_KERNEL_BEGIN, &found, 1, 1));
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, c->plan->found, c->plan->lists, c->plan->table);
    return add(c, CLP_SEGMENTS_KERNEL_FIRST, &a,
               shape->is_serial ? clp_at_most(blocks, 8 * shape->units) : blocks, shape->group);
}

/* Groups that stay are as many as the device holds, or some more. */
static clprims_status add_class(chain *c, cl_uint number) {
    enum { STAYING = 2048, STAYING_LARGE = 2 };
    const clp_segments_shape *shape = &c->plan->shape;
    const clp_segments_class *class = &shape->class[number];
    const size_t group = clp_segments_class_group(shape, class->by);
    const size_t most = clp_at_most((size_t)c->segments, (size_t)c->n / (class->least + 1));
    const size_t turns = share_of(most, group >> class->bits);
    const size_t each = class->by == CLP_SEGMENTS_BY_LARGE ? STAYING_LARGE : STAYING / group;
    cl_uint bits = class->bits;
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, c->plan->found, c->plan->lists, c->plan->table, number, bits);
    return add(c, CLP_SEGMENTS_KERNEL_CLASSES + (int)number, &a,
               shape->stays ? clp_at_most(turns, each * shape->units) : turns, group);
}

/* All classes of lanes of few elements. */
static clprims_status add_lanes(chain *c) {
    enum { GROUPS_OF_UNIT = 4 };
    const clp_segments_shape *shape = &c->plan->shape;
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, c->plan->found, c->plan->lists, c->plan->table);
    const size_t most = clp_at_most((size_t)c->segments, (size_t)c->n / (CLP_SEGMENTS_SHORT + 1));
    return add(c, CLP_SEGMENTS_KERNEL_LANES, &a,
               clp_at_most(share_of(most, 4), GROUPS_OF_UNIT * shape->units), shape->lanes_group);
}

/* All classes by digits. lists: NULL where no launch came before. by_chunks: of few elements;
 * longer segments are sorted too, by rounds of merges, and the launch reports. */
static clprims_status add_few(chain *c, cl_mem lists, bool by_chunks) {
    clprims_segmented_sort *plan = c->plan;
    const clp_segments_shape *shape = &plan->shape;
    const size_t group = CLP_SEGMENTS_RADIX_GROUP, first = clp_segments_first_by_digits(shape);
    size_t end = first;
    while (end + 1 < shape->classes && shape->class[end].by == CLP_SEGMENTS_BY_RADIX) end++;
    const bool is_much = (size_t)c->n > 4 * 8 * group * shape->units;
    const cl_uint first_class = (cl_uint)first, end_class = (cl_uint)end;
    const cl_uint bits = shape->class[first].bits;
    const cl_uint rows = (cl_uint)(!by_chunks ? 0
                                   : is_much  ? shape->radix_items
                                              : clp_at_most(8, shape->radix_items));
    const clprims_buffer untold = {NULL, 0};
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, plan->found, lists, plan->table, first_class, end_class, bits, rows, plan->keys[0]);
    CLP_PUT(&a, plan->keys[1], plan->numbers[0], plan->numbers[1], by_chunks ? c->report : untold);
    const size_t least = lists != NULL ? shape->class[first].least : 0;
    const size_t most = clp_at_most((size_t)c->segments, (size_t)c->n / (least + 1));
    return add(c, CLP_SEGMENTS_KERNEL_FEW, &a,
               clp_at_most(most + share_of((size_t)c->n, 4 * group), shape->units), group);
}

/* ---- Long segments ---- */

/* tile: elements of a tile; 1: elements are counted. */
static clprims_status add_starts(chain *c, cl_ulong tile) {
    clprims_segmented_sort *plan = c->plan;
    clp_arguments starts = {.count = 0};
    CLP_PUT(&starts, c->offsets, c->n, c->segments, c->sizes, plan->found, plan->lists, plan->table,
            tile);
    CLP_PUT(&starts, plan->starts, plan->total);
    return add(c, CLP_SEGMENTS_KERNEL_STARTS, &starts, 1, plan->shape.group);
}

/* ---- Long segments by two sorts ---- */

static clprims_status add_gather(chain *c) {
    clprims_segmented_sort *plan = c->plan;
    const size_t group = plan->shape.group;
    const size_t groups = clp_at_most(share_of((size_t)c->n, 16 * group), 16 * plan->shape.units);
    clp_arguments gather = {.count = 0};
    CLP_PUT(&gather, c->offsets, c->keys_in, plan->found, plan->lists, plan->table, plan->starts,
            plan->total, plan->keys[0]);
    CLP_PUT(&gather, plan->numbers[0], plan->places);
    return add(c, CLP_SEGMENTS_KERNEL_GATHER, &gather, groups, group);
}

/* The sorts read how many elements were gathered. */
static clprims_status add_sorts(chain *c) {
    clprims_segmented_sort *plan = c->plan;
    const bool has_values = plan->spec.values > 0;
    clp_sort_run run = {.n = plan->spec.max_n, .buffers.n = {plan->total, 0}, .in_place = true};
    clprims_sort_buffers *b = &run.buffers;
    b->keys_in.mem = b->keys_out.mem = plan->keys[0];
    b->payload_in[0].mem = b->payload_out[0].mem = plan->numbers[0];
    if (has_values) b->payload_in[1].mem = b->payload_out[1].mem = plan->places;
    CLP_TRY(clp_sort_add_steps(plan->by_key, &run, c->steps, &c->count));
    if (plan->by_number == NULL) return CLPRIMS_OK;
    size_t count = 0;
    b->keys_in.mem = plan->numbers[0];
    if (!plan->spec.no_keys) {
        b->payload_in[count].mem = b->payload_out[count].mem = plan->keys[0];
        count++;
    }
    if (has_values) b->payload_in[count].mem = b->payload_out[count].mem = plan->places;
    return clp_sort_add_steps(plan->by_number, &run, c->steps, &c->count);
}

static clprims_status add_scatter(chain *c) {
    clprims_segmented_sort *plan = c->plan;
    const size_t group = plan->shape.group;
    const size_t groups = clp_at_most(share_of((size_t)c->n, 16 * group), 16 * plan->shape.units);
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, plan->found, plan->lists, plan->table, plan->starts, plan->total, plan->keys[0],
            plan->places);
    return add(c, CLP_SEGMENTS_KERNEL_SCATTER, &a, groups, group);
}

/* ---- Long segments by tiles ---- */

static clprims_status add_tiles(chain *c) {
    clprims_segmented_sort *plan = c->plan;
    cl_uint tile = (cl_uint)clp_sort_tile(&plan->by_key->shape);
    clp_arguments tiles = {.count = 0};
    CLP_PUT(&tiles, c->offsets, c->n, c->segments, c->sizes, plan->found, plan->lists, plan->table,
            tile);
    CLP_PUT(&tiles, plan->starts, plan->total, plan->tiles);
    return add(c, CLP_SEGMENTS_KERNEL_TILES, &tiles, plan->shape.units, plan->shape.group);
}

/* in_place: whether the sorted keys take the place of the keys. */
static clprims_status add_sort_by_tiles(chain *c, bool in_place) {
    clprims_segmented_sort *plan = c->plan;
    const size_t most = clp_at_most((size_t)c->segments, (size_t)c->n / (plan->shape.most + 1));
    clp_sort_run run = {.n = clp_sort_tiles_of_segments(&plan->by_key->shape, (size_t)c->n, most),
                        .buffers.n = {plan->total, 0},
                        .tiles = plan->tiles,
                        .in_place = in_place};
    run.buffers.keys_in = c->keys_in;
    run.buffers.keys_out = c->keys_out;
    run.buffers.indices.mem = plan->places;
    return clp_sort_add_steps(plan->by_key, &run, c->steps, &c->count);
}

static clprims_status add_scatter_by_tiles(chain *c) {
    enum { GROUPS_OF_UNIT = 8 };
    clprims_segmented_sort *plan = c->plan;
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, plan->starts, plan->total, plan->tiles, plan->places);
    return add(c, CLP_SEGMENTS_KERNEL_SCATTER, &a, GROUPS_OF_UNIT * plan->shape.units,
               plan->shape.group);
}

static clprims_status add_long(chain *c, bool in_place) {
    const clprims_segmented_sort *plan = c->plan;
    if (!plan->shape.long_by_tiles) {
        CLP_TRY(add_starts(c, 1));
        CLP_TRY(add_gather(c));
        if (!c->warms_up) CLP_TRY(add_sorts(c));
        return add_scatter(c);
    }
    CLP_TRY(add_starts(c, clp_sort_tile(&plan->by_key->shape)));
    CLP_TRY(add_tiles(c));
    if (!c->warms_up) CLP_TRY(add_sort_by_tiles(c, in_place));
    return plan->spec.values > 0 ? add_scatter_by_tiles(c) : CLPRIMS_OK;
}

/* ---- Ends ---- */

/* Payloads and elements from scratch to where the run wants them. */
static clprims_status add_copy(chain *c, const clp_segments_run *run) {
    clprims_segmented_sort *plan = c->plan;
    const clprims_segmented_sort_buffers *b = &run->buffers;
    const size_t group = plan->shape.group;
    for (size_t k = 0; k < clp_segments_moved(&plan->spec); k++) {
        c->in[k] = (clprims_buffer){plan->payloads[k], 0};
        c->out[k] = k < plan->spec.payloads ? b->payload_out[k] : b->keys_out;
    }
    clp_arguments a = {.count = 0};
    put_arrays(&a, c);
    CLP_PUT(&a, plan->found);
    return add(c, CLP_SEGMENTS_KERNEL_COPY, &a,
               clp_at_most(share_of((size_t)c->n, group), 16 * plan->shape.units), group);
}

static clprims_status add_finish(chain *c) {
    clp_arguments arguments = {.count = 0};
    CLP_PUT(&arguments, c->offsets, c->n, c->segments, c->sizes, c->plan->found, c->report);
    return add(c, CLP_SEGMENTS_KERNEL_FINISH, &arguments, 1, 1);
}

static void begin(chain *c, const clp_segments_run *run) {
    const clprims_segmented_sort *plan = c->plan;
    const clprims_segmented_sort_buffers *b = &run->buffers;
    const size_t moved = clp_segments_moved(&plan->spec);
    const clprims_buffer made = {plan->elements.keys, 0};
    const clprims_buffer length = {plan->head.context->blank, b->sizes.length};
    c->n = run->n;
    c->length = b->sizes.length;
    c->segments = plan->by_length ? clp_rows(run->n, b->sizes.length) : b->sizes.segments;
    c->counted_n = b->n;
    c->counted_segments = b->segments;
    if (b->n.mem != NULL || b->segments.mem != NULL) c->sizes = plan->sizes;
    c->offsets = plan->by_length ? length : b->offsets;
    c->keys_in = plan->spec.has_expression ? made : b->keys_in;
    c->keys_out = b->keys_out;
    c->report = b->report;
    for (size_t k = 0; k < moved; k++) {
        const clprims_buffer scratch = {plan->payloads[k], 0};
        const bool is_payload = k < plan->spec.payloads;
        c->in[k] = is_payload ? b->payload_in[k] : b->keys_in;
        c->out[k] = run->in_place ? scratch : is_payload ? b->payload_out[k] : b->keys_out;
    }
    if (clp_sort_has_indices(&plan->spec)) c->out[moved] = b->indices;
}

/* Whether a launch of several classes has that one. With more elements each class of lanes has a
 * launch, whose sub-groups have fewer registers, so that more of them are resident. */
static bool is_of_few(const chain *c, clp_segments_by by) {
    enum { MOST_BY_ALL_LANES = 1 << 22 };
    return by != CLP_SEGMENTS_BY_TEAMS && by != CLP_SEGMENTS_BY_LARGE && c->n <= MOST_BY_ALL_LANES;
}

/* Segments by classes, all classes of few elements by few launches. told: whether one reports. */
static clprims_status add_classes(chain *c, bool is_few, bool *told) {
    const clprims_segmented_sort *plan = c->plan;
    const clp_segments_shape *shape = &plan->shape;
    const size_t n = (size_t)c->n, least = shape->class[clp_segments_first_by_digits(shape)].least;
    CLP_TRY(add_first(c));
    for (cl_uint number = 0; number + 1 < shape->classes; number++) {
        const clp_segments_by by = shape->class[number].by;
        const bool is_asked = c->warms_up || n > shape->class[number].least;
        const bool by_itself = c->warms_up || !is_few || !is_of_few(c, by);
        if (by == CLP_SEGMENTS_BY_RADIX) continue;
        if (is_asked && by_itself && plan->list_room[number] > 0) CLP_TRY(add_class(c, number));
    }
    const bool has_lanes = is_few && shape->by_lanes && is_of_few(c, CLP_SEGMENTS_BY_LANES_128);
    if (has_lanes && (c->warms_up || n > CLP_SEGMENTS_SHORT)) {
        CLP_TRY(add_lanes(c));
    }
    const bool by_digits = shape->radix_items > 0 && (c->warms_up || n > least);
    *told = is_few && by_digits;
    return by_digits ? add_few(c, plan->lists, is_few) : CLPRIMS_OK;
}

static clprims_status list_steps(chain *c, const clp_segments_run *run) {
    clprims_segmented_sort *plan = c->plan;
    const clp_sort_elements_run made = {run->buffers.keys_in, run->n, run->buffers.n};
    bool told = false;
    begin(c, run);
    const size_t segments = (size_t)c->segments;
    const bool is_few = clp_segments_is_few(plan, run->n, segments);
    if (run->n > 0 || c->warms_up) {
        CLP_TRY(clp_sort_elements_make(&plan->elements, &made, c->steps, &c->count));
    }
    const size_t most_direct = clp_at_most(CLP_SEGMENTS_DIRECT, 4 * plan->shape.units);
    if (is_few && !c->warms_up && c->sizes == NULL && segments <= most_direct) {
        told = true;
        CLP_TRY(add_few(c, NULL, true));
    } else {
        CLP_TRY(add_classes(c, is_few, &told));
    }
    const bool all = c->warms_up && clp_segments_may_sort_long(plan);
    if (all || clp_segments_sorts_long(plan, run->n, segments)) {
        CLP_TRY(add_long(c, run->in_place));
    }
    if (clp_segments_moved(&plan->spec) > 0 && (run->in_place || c->warms_up))
        CLP_TRY(add_copy(c, run));
    return told && !c->warms_up ? CLPRIMS_OK : add_finish(c);
}

clprims_status clp_segments_submit(clprims_segmented_sort *plan, const clp_segments_run *run) {
    chain c = {.plan = plan};
    CLP_TRY(list_steps(&c, run));
    return clp_plan_enqueue_steps(&plan->head, &run->call, c.steps, c.count);
}

clprims_status clp_segments_warm_up(clprims_segmented_sort *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0};
    const clp_segments_run run = {.buffers = {.offsets = blank,
                                              .keys_in = blank,
                                              .keys_out = blank,
                                              .payload_in = {blank, blank, blank, blank},
                                              .payload_out = {blank, blank, blank, blank},
                                              .indices = blank}};
    chain c = {.plan = plan, .warms_up = true};
    CLP_TRY(list_steps(&c, &run));
    return clp_plan_warm_up(&plan->head, c.steps, c.count);
}
