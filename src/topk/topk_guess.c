/* SPDX-License-Identifier: MIT */
/* Top-k of one array by a guess: room, program, scratch, launches. cl/topk/topk.cl says how it
 * works. */
#include "cl_sources.h"
#include "core/status.h"
#include "plan/plan_arguments.h"
#include "topk/topk_plan.h"

#include <assert.h>

enum { MOST_STEPS = CLP_TOPK_KERNELS + 2 * CLP_SORT_MOST_STEPS + CLP_SORT_MAKE_STEPS };

/* As cl/topk/topk.cl has them. */
enum { STATE_TOTAL = 6, STATE_WORDS = 7 };

enum { CELLS = 4096, FEW_CELLS = 512, CELLS_OF_GROUP = 32 };

/* ---- The shape ---- */

/* Candidates are some 1.3 times k and 50 sampled elements' distances; twice k where there is a cell
 * for each sampled element. Failures are then as rare as six standard deviations. */
clprims_status clp_topk_choose_room(clprims_topk *plan, const clp_knob *knobs) {
    clp_topk_shape *shape = &plan->shape;
    const size_t max_n = plan->spec.max_n, max_k = plan->max_k, sample = shape->sample;
    /* The guess compares each cell with each one, which a CPU does for large sorts alone. */
    const bool is_few = plan->head.context->device.is_cpu && max_k < (size_t)1 << 20;
    shape->cells = clp_at_most(is_few ? FEW_CELLS : CELLS, sample);
    const size_t apart = clp_at_least(clp_at_least(max_n / sample, 4), 8 * max_k / shape->cells);
    /* Where many are wanted, a sort of all elements costs less than one of packed candidates. */
    const bool sorts_all = max_k > max_n / 4;
    shape->room = sorts_all ? max_n : max_k + max_k * 3 / 4 + 80 * apart;
    if (knobs[CLP_TOPK_ROOM].given) shape->room = max_k + knobs[CLP_TOPK_ROOM].value;
    shape->room = clp_at_most(shape->room, max_n);
    shape->packs = !sorts_all && plan->spec.key_bytes <= 4 && shape->count_bytes == 4;
    if (shape->room < UINT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "topk: max_k = %zu of max_n = %zu need room for %zu candidates; at most %zu",
                    max_k, max_n, shape->room, (size_t)UINT32_MAX - 1);
}

/* ---- The plan ---- */

/* Of what a candidate's key is sorted as. */
static size_t word_bytes(const clprims_topk *plan) {
    return plan->shape.packs ? sizeof(cl_ulong) : plan->spec.key_bytes;
}

static clprims_status build(clprims_topk *plan) {
    enum { REPORT_BYTES = sizeof(clprims_topk_report) };
    static const clp_part parts[] = {&clp_count_report_cl, &clp_count_cl, &clp_sort_keys_cl,
                                     &clp_topk_cl, NULL};
    const clp_topk_shape *shape = &plan->shape;
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_EXTRA 0\n#define CLP_COUNT_REPORT_BYTES %d\n",
                 REPORT_BYTES);
    clp_topk_add_elements(&prelude, plan);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n#define CLP_ITEMS %zu\n", shape->group,
                 shape->items);
    clp_text_add(&prelude, "#define CLP_SAMPLE %zuu\n#define CLP_CELLS %zuu\n", shape->sample,
                 shape->cells);
    clp_text_add(&prelude, "#define CLP_KEYS_ARE_ELEMENTS %d\n",
                 !shape->packs && !plan->spec.has_expression && !plan->spec.no_elements);
    clp_text_add(&prelude, "#define CLP_PACKED %d\n#define CLP_WORD %s\n", shape->packs,
                 clp_sort_unsigned(word_bytes(plan)));
    return clp_plan_build(&plan->head, &prelude, parts, 0, &plan->program);
}

static clprims_status create_sort(clprims_topk *plan, const clprims_sort_desc *desc,
                                  clprims_sort **out) {
    clprims_sort_info info = {0};
    CLP_TRY(clp_sort_create_counted(out, plan->head.context, desc));
    CLP_TRY(clprims_sort_describe(*out, 0, &info));
    plan->head.scratch_bytes += info.scratch_bytes;
    return CLPRIMS_OK;
}

/* One sort of the packed candidates, or one by index and then one by key. */
static clprims_status create_sorts(clprims_topk *plan) {
    const clp_sort_spec *spec = &plan->spec;
    clprims_sort_desc desc = {.type = CLPRIMS_U64, .max_n = plan->shape.room};
    if (plan->shape.packs) return create_sort(plan, &desc, &plan->by_key);
    desc.type = plan->shape.count_bytes == sizeof(cl_ulong) ? CLPRIMS_U64 : CLPRIMS_U32;
    desc.end_bit = (unsigned)clp_sort_rounds(spec->max_n);
    desc.payloads = 1;
    desc.payload_bytes[0] = spec->key_bytes;
    CLP_TRY(create_sort(plan, &desc, &plan->by_index));
    desc.type = spec->type;
    desc.descending = spec->descending;
    desc.floats = spec->floats;
    desc.end_bit = 0;
    desc.payload_bytes[0] = plan->shape.count_bytes;
    return create_sort(plan, &desc, &plan->by_key);
}

clprims_status clp_topk_create_guess(clprims_topk *plan) {
    static const char *const names[CLP_TOPK_KERNELS] = {
        [CLP_TOPK_KERNEL_SAMPLE] = "clp_topk_sample", [CLP_TOPK_KERNEL_GUESS] = "clp_topk_guess",
        [CLP_TOPK_KERNEL_GATHER] = "clp_topk_gather", [CLP_TOPK_KERNEL_SELECT] = "clp_topk_select",
        [CLP_TOPK_KERNEL_AGAIN] = "clp_topk_gather",  [CLP_TOPK_KERNEL_WRITE] = "clp_topk_write"};
    const clp_topk_shape *shape = &plan->shape;
    const size_t held = clp_at_least(shape->room, shape->cells);
    clp_plan *head = &plan->head;
    CLP_TRY(build(plan));
    for (int k = 0; k < CLP_TOPK_KERNELS; k++) {
        CLP_TRY(clp_plan_kernel(head, plan->program, names[k], &plan->kernels[k]));
    }
    CLP_TRY(clp_plan_scratch(head, STATE_WORDS * sizeof(cl_ulong), true, &plan->state));
    CLP_TRY(clp_plan_scratch(head, sizeof(cl_uint), true, &plan->found));
    CLP_TRY(clp_plan_scratch(head, held * word_bytes(plan), false, &plan->keys));
    CLP_TRY(clp_plan_scratch(head, shape->packs ? 1 : held * shape->count_bytes, false,
                             &plan->indices));
    return create_sorts(plan);
}

/* ---- A run ---- */

/* A run under construction. */
typedef struct chain {
    clprims_topk *plan;
    const clp_topk_run *run;
    bool warms_up;
    clp_step steps[MOST_STEPS];
    size_t count;
} chain;

/* What each kernel begins with. */
static void begin(clp_arguments *a, const chain *c) {
    const clprims_topk *plan = c->plan;
    const clprims_buffer made = {plan->elements.keys, 0};
    a->count = 0;
    CLP_PUT(a, plan->spec.has_expression ? made : c->run->buffers.in, plan->state, plan->found,
            plan->keys, plan->indices, plan->shape.room);
}

static clprims_status add(chain *c, int kernel, const clp_arguments *a, size_t groups) {
    const size_t most = clp_at_most(clp_at_least(groups, 1), c->plan->shape.groups);
    assert(c->count < MOST_STEPS);
    CLP_TRY(clp_arguments_set(a, &c->plan->head, c->plan->kernels[kernel]));
    c->steps[c->count++] =
        (clp_step){c->plan->kernels[kernel], c->warms_up ? 1 : most, c->plan->shape.group};
    return CLPRIMS_OK;
}

/* The work-groups that n elements need, a tile each. */
static size_t groups_for(const chain *c, size_t n) {
    const size_t tile = c->plan->shape.group * c->plan->shape.items;
    return n / tile + (n % tile > 0);
}

static clprims_status add_sample(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    clp_arguments a;
    begin(&a, c);
    CLP_PUT(&a, b->sizes.k, c->run->n, b->n, b->report);
    return add(c, CLP_TOPK_KERNEL_SAMPLE, &a, c->plan->shape.cells / CELLS_OF_GROUP);
}

static clprims_status add_gather(chain *c, int kernel) {
    clp_arguments a;
    begin(&a, c);
    clp_put_uint(&a, kernel == CLP_TOPK_KERNEL_AGAIN);
    return add(c, kernel, &a, groups_for(c, c->run->n));
}

static clprims_status add_candidates(chain *c) {
    clp_arguments a;
    begin(&a, c);
    CLP_TRY(add_sample(c));
    if (clp_topk_takes_all(c->plan, c->run->n) && !c->warms_up) {
        return add_gather(c, CLP_TOPK_KERNEL_GATHER);
    }
    CLP_TRY(add(c, CLP_TOPK_KERNEL_GUESS, &a, c->plan->shape.cells));
    CLP_TRY(add_gather(c, CLP_TOPK_KERNEL_GATHER));
    CLP_TRY(add(c, CLP_TOPK_KERNEL_SELECT, &a, 1));
    return add_gather(c, CLP_TOPK_KERNEL_AGAIN);
}

static clprims_status add_sorts(chain *c) {
    clprims_topk *plan = c->plan;
    clp_sort_run run = {.n = clp_at_most(plan->shape.room, c->run->n),
                        .buffers.n = {plan->state, STATE_TOTAL},
                        .in_place = true};
    clprims_sort_buffers *b = &run.buffers;
    if (!plan->shape.packs) {
        b->keys_in.mem = b->keys_out.mem = plan->indices;
        b->payload_in[0].mem = b->payload_out[0].mem = plan->keys;
        if (!clp_topk_takes_all(plan, c->run->n)) {
            CLP_TRY(clp_sort_add_steps(plan->by_index, &run, c->steps, &c->count));
        }
        b->payload_in[0].mem = b->payload_out[0].mem = plan->indices;
    }
    b->keys_in.mem = b->keys_out.mem = plan->keys;
    return clp_sort_add_steps(plan->by_key, &run, c->steps, &c->count);
}

static clprims_status add_write(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    clp_arguments a;
    begin(&a, c);
    CLP_PUT(&a, b->in, b->values, b->indices);
    return add(c, CLP_TOPK_KERNEL_WRITE, &a, groups_for(c, b->sizes.k));
}

static clprims_status list_steps(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    const clp_sort_elements_run made = {b->in, c->run->n, b->n};
    CLP_TRY(clp_sort_elements_make(&c->plan->elements, &made, c->steps, &c->count));
    CLP_TRY(add_candidates(c));
    if (!c->warms_up) CLP_TRY(add_sorts(c));
    return add_write(c);
}

clprims_status clp_topk_submit_guess(clprims_topk *plan, const clp_topk_run *run) {
    chain c = {.plan = plan, .run = run};
    CLP_TRY(list_steps(&c));
    return clp_plan_enqueue_steps(&plan->head, &run->call, c.steps, c.count);
}

clprims_status clp_topk_warm_up_guess(clprims_topk *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0};
    const clp_topk_run run = {.buffers = {.in = blank, .values = blank, .indices = blank}};
    chain c = {.plan = plan, .run = &run, .warms_up = true};
    CLP_TRY(list_steps(&c));
    return clp_plan_warm_up(&plan->head, c.steps, c.count);
}
