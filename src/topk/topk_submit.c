/* SPDX-License-Identifier: MIT */
/* A run of top-k: one chain of kernels; the device finds out which of them have something to do. */
#include "topk/topk_plan.h"

#include <assert.h>

enum { MOST_STEPS = 4 * CLP_TOPK_MOST_PASSES + 2 * CLP_SORT_MOST_STEPS + CLP_SORT_MAKE_STEPS + 1 };
enum { STATE_K = 6 }; /* CLP_STATE_K of cl/topk/topk.cl */

/* A run under construction. */
typedef struct chain {
    clprims_topk *plan;
    bool warms_up;
    cl_mem in, values, indices, counted, report;
    cl_ulong in_first, values_first, indices_first, counted_first, report_first, n, k, room;
    size_t used[CLP_TOPK_KERNEL_KINDS]; /* kernel objects of each kind */
    clp_step steps[MOST_STEPS];
    size_t count;
} chain;

#define COUNT(arguments) (sizeof(arguments) / sizeof(arguments)[0])

/* How many launches of each kind a run may have. */
static size_t launches_of(const clprims_topk *plan, int kind) {
    switch (kind) {
    case CLP_TOPK_KERNEL_COUNT:
        return plan->shape.passes + clp_topk_index_passes(plan, plan->spec.max_n);
    case CLP_TOPK_KERNEL_GATHER:
        return 2;
    default:
        return 1;
    }
}

clprims_status clp_topk_create_kernels(clprims_topk *plan) {
    static const char *const names[CLP_TOPK_KERNEL_KINDS] = {
        [CLP_TOPK_KERNEL_BEGIN] = "clp_topk_begin",
        [CLP_TOPK_KERNEL_COUNT] = "clp_topk_count",
        [CLP_TOPK_KERNEL_GATHER] = "clp_topk_gather",
        [CLP_TOPK_KERNEL_WRITE] = "clp_topk_write"};
    for (int kind = 0; kind < CLP_TOPK_KERNEL_KINDS; kind++) {
        for (size_t i = 0; i < launches_of(plan, kind); i++) {
            CLP_TRY(
                clp_plan_kernel(&plan->head, plan->program, names[kind], &plan->kernels[kind][i]));
        }
    }
    return CLPRIMS_OK;
}

static clprims_status add(chain *c, int kind, const clp_argument *arguments, size_t count,
                          size_t groups, size_t group) {
    cl_kernel kernel = c->plan->kernels[kind][c->used[kind]++];
    assert(c->count < MOST_STEPS && kernel != NULL);
    CLP_TRY(clp_kernel_arguments(kernel, "topk", arguments, (cl_uint)count));
    c->steps[c->count++] = (clp_step){kernel, c->warms_up || groups == 0 ? 1 : groups, group};
    return CLPRIMS_OK;
}

/* The work-groups that n elements need, a tile each. */
static size_t groups_for(const chain *c, size_t n) {
    const clp_topk_shape *shape = &c->plan->shape;
    const size_t tile = shape->group * shape->items;
    return n / tile + (n % tile > 0);
}

/* samples: whether the device takes one, if the number of elements suits it. */
static clprims_status add_begin(chain *c, cl_uint samples) {
    clprims_topk *plan = c->plan;
    const clp_topk_shape *shape = &plan->shape;
    const size_t cells = shape->group > 1 ? shape->cells : clp_at_most(shape->groups, shape->cells);
    const clp_argument begin[] = {CLP_ARGUMENT(c->in),
                                  CLP_ARGUMENT(c->in_first),
                                  CLP_ARGUMENT(plan->state),
                                  CLP_ARGUMENT(plan->found),
                                  CLP_ARGUMENT(plan->low),
                                  CLP_ARGUMENT(plan->high),
                                  CLP_ARGUMENT(plan->keys),
                                  CLP_ARGUMENT(plan->indices),
                                  CLP_ARGUMENT(c->n),
                                  CLP_ARGUMENT(c->counted),
                                  CLP_ARGUMENT(c->counted_first),
                                  CLP_ARGUMENT(c->report),
                                  CLP_ARGUMENT(c->report_first),
                                  CLP_ARGUMENT(c->k),
                                  CLP_ARGUMENT(c->room),
                                  CLP_ARGUMENT(samples)};
    return add(c, CLP_TOPK_KERNEL_BEGIN, begin, COUNT(begin), samples > 0 ? cells : 1,
               shape->group);
}

/* A pass over bits of the keys or indices, as cl/topk/topk.cl has it. */
static clprims_status add_pass(chain *c, cl_uint shift, cl_uint bits, cl_uint of_index) {
    clprims_topk *plan = c->plan;
    const size_t groups = groups_for(c, (size_t)c->n);
    const clp_argument count[] = {CLP_ARGUMENT(c->in),       CLP_ARGUMENT(c->in_first),
                                  CLP_ARGUMENT(plan->state), CLP_ARGUMENT(plan->found),
                                  CLP_ARGUMENT(plan->low),   CLP_ARGUMENT(plan->high),
                                  CLP_ARGUMENT(c->room),     CLP_ARGUMENT(shift),
                                  CLP_ARGUMENT(bits),        CLP_ARGUMENT(of_index)};
    return add(c, CLP_TOPK_KERNEL_COUNT, count, COUNT(count),
               clp_at_most(groups, plan->shape.groups), plan->shape.group);
}

/* The candidates, and whether they are right. */
static clprims_status add_gather(chain *c) {
    clprims_topk *plan = c->plan;
    const clp_topk_shape *shape = &plan->shape;
    const size_t groups = groups_for(c, (size_t)c->n);
    const clp_argument gather[] = {CLP_ARGUMENT(c->in),       CLP_ARGUMENT(c->in_first),
                                   CLP_ARGUMENT(plan->state), CLP_ARGUMENT(plan->found),
                                   CLP_ARGUMENT(plan->keys),  CLP_ARGUMENT(plan->indices),
                                   CLP_ARGUMENT(plan->total), CLP_ARGUMENT(c->room)};
    return add(c, CLP_TOPK_KERNEL_GATHER, gather, COUNT(gather),
               shape->stays ? clp_at_most(groups, shape->groups) : groups, shape->group);
}

static clprims_status add_select(chain *c) {
    const clp_topk_shape *shape = &c->plan->shape;
    size_t above = 8 * c->plan->spec.key_bytes;
    while (above > 0) {
        const size_t bits = clp_at_most(above, shape->bits);
        above -= bits;
        CLP_TRY(add_pass(c, (cl_uint)above, (cl_uint)bits, 0));
    }
    above = clp_sort_rounds((size_t)c->n);
    const size_t passes = clp_topk_index_passes(c->plan, (size_t)c->n);
    for (size_t pass = 0; pass < passes; pass++) {
        const size_t bits = clp_at_most(above, shape->bits);
        above -= bits;
        CLP_TRY(add_pass(c, (cl_uint)above, (cl_uint)bits, pass == 0 ? 1 : 2));
    }
    return CLPRIMS_OK;
}

static clprims_status add_sorts(chain *c) {
    clprims_topk *plan = c->plan;
    clp_sort_run run = {.n = plan->shape.room, .buffers.n = {plan->total, 0}, .in_place = true};
    clprims_sort_buffers *b = &run.buffers;
    b->keys_in.mem = b->keys_out.mem = plan->indices;
    b->payload_in[0].mem = b->payload_out[0].mem = plan->keys;
    CLP_TRY(clp_sort_add_steps(plan->by_index, &run, c->steps, &c->count));
    b->keys_in.mem = b->keys_out.mem = plan->keys;
    b->payload_in[0].mem = b->payload_out[0].mem = plan->indices;
    return clp_sort_add_steps(plan->by_key, &run, c->steps, &c->count);
}

static clprims_status add_make(chain *c, const clp_topk_run *run) {
    const clp_sort_elements_run made = {run->buffers.in, run->n, run->buffers.n};
    return clp_sort_elements_make(&c->plan->elements, &made, c->steps, &c->count);
}

/* As many elements as the device found to be wanted, up to k. */
static clprims_status add_elements(chain *c, const clp_topk_run *run) {
    clprims_topk *plan = c->plan;
    const clp_sort_elements_run wanted = {
        run->buffers.in, run->buffers.sizes.k, {plan->state, STATE_K}};
    const clp_sort_moves moves = {{run->buffers.in}, {run->buffers.values}};
    return clp_sort_elements_move(&plan->elements, &wanted, (clprims_buffer){plan->indices, 0},
                                  &moves, false, c->steps, &c->count);
}

static clprims_status add_write(chain *c) {
    clprims_topk *plan = c->plan;
    const clp_argument write[] = {CLP_ARGUMENT(plan->keys),      CLP_ARGUMENT(plan->indices),
                                  CLP_ARGUMENT(plan->state),     CLP_ARGUMENT(c->values),
                                  CLP_ARGUMENT(c->values_first), CLP_ARGUMENT(c->indices),
                                  CLP_ARGUMENT(c->indices_first)};
    return add(c, CLP_TOPK_KERNEL_WRITE, write, COUNT(write),
               clp_at_most(groups_for(c, (size_t)c->k), plan->shape.groups), plan->shape.group);
}

static void begin(chain *c, const clp_topk_run *run) {
    const clprims_topk_buffers *b = &run->buffers;
    c->n = run->n;
    c->k = b->sizes.k;
    c->room = c->plan->shape.room;
    c->in = b->in.mem;
    c->in_first = b->in.first;
    if (c->plan->spec.has_expression) {
        c->in = c->plan->elements.keys;
        c->in_first = 0;
    }
    c->values = b->values.mem;
    c->values_first = b->values.first;
    c->indices = b->indices.mem;
    c->indices_first = b->indices.first;
    c->counted = b->n.mem;
    c->counted_first = b->n.first;
    c->report = b->report.mem;
    c->report_first = b->report.first;
}

clprims_status clp_topk_submit(clprims_topk *plan, const clp_topk_run *run) {
    chain c = {.plan = plan};
    begin(&c, run);
    const clp_topk_way way = clp_topk_way_of(plan, run->n, run->buffers.sizes.k);
    CLP_TRY(add_make(&c, run));
    CLP_TRY(add_begin(&c, way == CLP_TOPK_BY_SAMPLE));
    if (way == CLP_TOPK_BY_SAMPLE) CLP_TRY(add_gather(&c));
    if (way != CLP_TOPK_SORT) CLP_TRY(add_select(&c));
    CLP_TRY(add_gather(&c));
    CLP_TRY(add_sorts(&c));
    CLP_TRY(add_write(&c));
    CLP_TRY(add_elements(&c, run));
    return clp_plan_enqueue_steps(&plan->head, &run->call, c.steps, c.count);
}

clprims_status clp_topk_warm_up(clprims_topk *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0};
    const clp_topk_run run = {.buffers = {.in = blank, .values = blank, .indices = blank}};
    chain c = {.plan = plan, .warms_up = true};
    begin(&c, &run);
    CLP_TRY(add_make(&c, &run));
    CLP_TRY(add_begin(&c, false));
    CLP_TRY(add_gather(&c));
    CLP_TRY(add_select(&c));
    CLP_TRY(add_gather(&c));
    CLP_TRY(add_write(&c));
    CLP_TRY(add_elements(&c, &run));
    return clp_plan_warm_up(&plan->head, c.steps, c.count);
}
