/* SPDX-License-Identifier: MIT */
/* A run of top-k: one chain of kernels; the device finds out which of them have something to do. */
#include "plan/plan_arguments.h"
#include "topk/topk_plan.h"

#include <assert.h>

enum { MOST_STEPS = 4 * CLP_TOPK_MOST_PASSES + 2 * CLP_SORT_MOST_STEPS + CLP_SORT_MAKE_STEPS + 1 };
enum { STATE_K = 6 }; /* CLP_STATE_K of cl/topk/topk.cl */

/* A run under construction. */
typedef struct chain {
    clprims_topk *plan;
    const clp_topk_run *run;
    bool warms_up;
    clprims_buffer in; /* keys */
    size_t used[CLP_TOPK_KERNEL_KINDS]; /* kernel objects of each kind */
    clp_step steps[MOST_STEPS];
    size_t count;
} chain;

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

static clprims_status add(chain *c, int kind, const clp_arguments *a, size_t groups) {
    const clp_topk_shape *shape = &c->plan->shape;
    cl_kernel kernel = c->plan->kernels[kind][c->used[kind]++];
    /* Else a group has one tile, or one cell of the sample. */
    const bool stays = kind == CLP_TOPK_KERNEL_BEGIN    ? shape->group == 1
                       : kind == CLP_TOPK_KERNEL_GATHER ? shape->stays
                                                        : true;
    assert(c->count < MOST_STEPS && kernel != NULL);
    CLP_TRY(clp_arguments_set(a, &c->plan->head, kernel));
    if (stays) groups = clp_at_most(groups, shape->groups);
    c->steps[c->count++] =
        (clp_step){kernel, c->warms_up || groups == 0 ? 1 : groups, shape->group};
    return CLPRIMS_OK;
}

/* The work-groups that n elements need, a tile each. */
static size_t groups_for(const chain *c, size_t n) {
    const clp_topk_shape *shape = &c->plan->shape;
    const size_t tile = shape->group * shape->items;
    return n / tile + (n % tile > 0);
}

/* What a kernel that reads the keys begins with. */
static void put_keys_and_state(const chain *c, clp_arguments *a) {
    clp_put_buffer(a, c->in);
    clp_put_mem(a, c->plan->state);
    clp_put_mem(a, c->plan->found);
}

/* samples: whether the device takes one, if the number of elements suits it. */
static clprims_status add_begin(chain *c, cl_uint samples) {
    const clprims_topk *plan = c->plan;
    const clprims_topk_buffers *b = &c->run->buffers;
    clp_arguments a = {.count = 0};
    put_keys_and_state(c, &a);
    clp_put_mem(&a, plan->low);
    clp_put_mem(&a, plan->high);
    clp_put_mem(&a, plan->keys);
    clp_put_mem(&a, plan->indices);
    clp_put_value(&a, c->run->n);
    clp_put_buffer(&a, b->n);
    clp_put_buffer(&a, b->report);
    clp_put_value(&a, b->sizes.k);
    clp_put_value(&a, plan->shape.room);
    clp_put_uint(&a, samples);
    return add(c, CLP_TOPK_KERNEL_BEGIN, &a, samples > 0 ? plan->shape.cells : 1);
}

/* A pass over bits of the keys or indices, as cl/topk/topk.cl has it. */
static clprims_status add_pass(chain *c, cl_uint shift, cl_uint bits, cl_uint of_index) {
    clp_arguments a = {.count = 0};
    put_keys_and_state(c, &a);
    clp_put_mem(&a, c->plan->low);
    clp_put_mem(&a, c->plan->high);
    clp_put_value(&a, c->plan->shape.room);
    clp_put_uint(&a, shift);
    clp_put_uint(&a, bits);
    clp_put_uint(&a, of_index);
    return add(c, CLP_TOPK_KERNEL_COUNT, &a, groups_for(c, c->run->n));
}

/* The candidates, and whether they are right. */
static clprims_status add_gather(chain *c) {
    clp_arguments a = {.count = 0};
    put_keys_and_state(c, &a);
    clp_put_mem(&a, c->plan->keys);
    clp_put_mem(&a, c->plan->indices);
    clp_put_mem(&a, c->plan->total);
    clp_put_value(&a, c->plan->shape.room);
    return add(c, CLP_TOPK_KERNEL_GATHER, &a, groups_for(c, c->run->n));
}

static clprims_status add_select(chain *c) {
    const clp_topk_shape *shape = &c->plan->shape;
    size_t above = 8 * c->plan->spec.key_bytes;
    while (above > 0) {
        const size_t bits = clp_at_most(above, shape->bits);
        above -= bits;
        CLP_TRY(add_pass(c, (cl_uint)above, (cl_uint)bits, 0));
    }
    above = clp_sort_rounds(c->run->n);
    const size_t passes = clp_topk_index_passes(c->plan, c->run->n);
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

static clprims_status add_make(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    const clp_sort_elements_run made = {b->in, c->run->n, b->n};
    return clp_sort_elements_make(&c->plan->elements, &made, c->steps, &c->count);
}

/* As many elements as the device found to be wanted, up to k. */
static clprims_status add_elements(chain *c) {
    clprims_topk *plan = c->plan;
    const clprims_topk_buffers *b = &c->run->buffers;
    const clp_sort_elements_run wanted = {b->in, b->sizes.k, {plan->state, STATE_K}};
    const clp_sort_moves moves = {{b->in}, {b->values}};
    return clp_sort_elements_move(&plan->elements, &wanted, (clprims_buffer){plan->indices, 0},
                                  &moves, false, c->steps, &c->count);
}

static clprims_status add_write(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    clp_arguments a = {.count = 0};
    clp_put_mem(&a, c->plan->keys);
    clp_put_mem(&a, c->plan->indices);
    clp_put_mem(&a, c->plan->state);
    clp_put_buffer(&a, b->values);
    clp_put_buffer(&a, b->indices);
    return add(c, CLP_TOPK_KERNEL_WRITE, &a, groups_for(c, b->sizes.k));
}

static chain begin(clprims_topk *plan, const clp_topk_run *run) {
    const clprims_buffer made = {plan->elements.keys, 0};
    return (chain){
        .plan = plan, .run = run, .in = plan->spec.has_expression ? made : run->buffers.in};
}

clprims_status clp_topk_submit(clprims_topk *plan, const clp_topk_run *run) {
    chain c = begin(plan, run);
    const clp_topk_way way = clp_topk_way_of(plan, run->n, run->buffers.sizes.k);
    CLP_TRY(add_make(&c));
    CLP_TRY(add_begin(&c, way == CLP_TOPK_BY_SAMPLE));
    if (way == CLP_TOPK_BY_SAMPLE) CLP_TRY(add_gather(&c));
    if (way != CLP_TOPK_SORT) CLP_TRY(add_select(&c));
    CLP_TRY(add_gather(&c));
    CLP_TRY(add_sorts(&c));
    CLP_TRY(add_write(&c));
    CLP_TRY(add_elements(&c));
    return clp_plan_enqueue_steps(&plan->head, &run->call, c.steps, c.count);
}

clprims_status clp_topk_warm_up(clprims_topk *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0};
    const clp_topk_run run = {.buffers = {.in = blank, .values = blank, .indices = blank}};
    chain c = begin(plan, &run);
    c.warms_up = true;
    CLP_TRY(add_make(&c));
    CLP_TRY(add_begin(&c, false));
    CLP_TRY(add_gather(&c));
    CLP_TRY(add_select(&c));
    CLP_TRY(add_gather(&c));
    CLP_TRY(add_write(&c));
    CLP_TRY(add_elements(&c));
    return clp_plan_warm_up(&plan->head, c.steps, c.count);
}
