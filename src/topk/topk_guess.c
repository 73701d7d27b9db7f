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
enum { STATE_TOTAL = 2, STATE_WORDS = 3, FOUND_WORDS = 2, STEP_CELLS = 1, STEP_REST = 2 };

enum { CELLS = 4096, FEW_CELLS = 512, LEAST_SORTED = 128, ALL_SAMPLED = 1 << 20 };

/* ---- The shape ---- */

/* Few results are sorted by the last work-group, where it has room. Not on CPUs: PoCL 3.1 takes
 * minutes to compile it. */
static void choose_sorted(clprims_topk *plan, const clp_knob *knobs) {
    enum { ITEM_BYTES = 16, OTHER_BYTES = 8192, MOST_SORTED = 1024 };
    const size_t most = clp_at_most(knobs[CLP_TOPK_ONE].value, MOST_SORTED);
    const size_t sorted = (size_t)1 << clp_sort_rounds(clp_at_least(plan->max_k, LEAST_SORTED));
    const size_t item = plan->shape.packs ? sizeof(cl_ulong) : ITEM_BYTES;
    const size_t bytes = 2 * sorted * item + OTHER_BYTES;
    const clp_device *device = &plan->head.context->device;
    const bool suits = !device->is_cpu && plan->shape.group > 1 && plan->max_k <= most &&
                       bytes <= device->static_local_bytes;
    plan->shape.sorted = suits ? sorted : 0;
}

/* Candidates are some 1.3 times k and 50 sampled elements' distances; twice k where there is a cell
 * for each sampled element. Failures are then as rare as six standard deviations. */
clprims_status clp_topk_choose_room(clprims_topk *plan, const clp_knob *knobs) {
    clp_topk_shape *shape = &plan->shape;
    const clprims_context *context = plan->head.context;
    const size_t max_n = plan->spec.max_n, max_k = plan->max_k, sample = shape->sample;
    shape->cells = shape->group == 1 ? FEW_CELLS : CELLS;
    while (shape->cells > sample) shape->cells /= 2;
    const size_t apart = clp_at_least(clp_at_least(max_n / sample, 4), 8 * max_k / shape->cells);
    /* Where many are wanted, a sort of all elements costs less than one of packed candidates. */
    const bool sorts_all = max_k > max_n / 4;
    shape->packs = plan->spec.key_bytes <= 4 && shape->count_bytes == 4;
    choose_sorted(plan, knobs);
    shape->packs = shape->packs && (shape->sorted > 0 || !sorts_all);
    shape->all_sampled =
        shape->group == 1 || knobs[CLP_TOPK_SAMPLE].given ? 0 : (size_t)ALL_SAMPLED;
    /* One launch sets its state back; of several, some may be dropped. */
    shape->waits = shape->sorted > 0 && context->words_arrive && context->device.has_int64_atomics;
    shape->single = shape->sorted > 0 ? knobs[CLP_TOPK_SINGLE].value : 0;
    shape->room = sorts_all ? max_n : max_k + max_k * 3 / 4 + 80 * apart;
    if (knobs[CLP_TOPK_ROOM].given) shape->room = max_k + knobs[CLP_TOPK_ROOM].value;
    shape->room = clp_at_most(shape->room, max_n);
    if (shape->room < UINT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "topk: max_k = %zu of max_n = %zu need room for %zu candidates; at most %zu",
                    max_k, max_n, shape->room, (size_t)UINT32_MAX - 1);
}

/* ---- The plan ---- */

/* Of what a candidate's key is sorted as. */
static size_t word_bytes(const clprims_topk *plan) {
    return plan->shape.packs || plan->shape.sorted > 0 ? sizeof(cl_ulong) : plan->spec.key_bytes;
}

static clprims_status build(clprims_topk *plan) {
    enum { REPORT_BYTES = sizeof(clprims_topk_report) };
    static const clp_part parts[] = {&clp_count_report_cl,
                                     &clp_count_cl,
                                     &clp_sort_keys_cl,
                                     &clp_topk_items_cl,
                                     &clp_topk_select_cl,
                                     &clp_topk_cl,
                                     NULL};
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
    clp_text_add(&prelude, "#define CLP_SORTED %zu\n#define CLP_SPACE %zu\n", shape->sorted,
                 clp_at_least(2 * shape->sorted, shape->group));
    clp_text_add(&prelude, "#define CLP_SAMPLE_ALL %zuu\n#define CLP_WAITS %d\n",
                 shape->all_sampled, shape->waits);
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
    static const char *const names[CLP_TOPK_KERNELS] = {[CLP_TOPK_KERNEL_CELLS] = "clp_topk_find",
                                                        [CLP_TOPK_KERNEL_REST] = "clp_topk_find",
                                                        [CLP_TOPK_KERNEL_CHECK] = "clp_topk_check",
                                                        [CLP_TOPK_KERNEL_WRITE] = "clp_topk_write"};
    const clp_topk_shape *shape = &plan->shape;
    const bool has_indices = !shape->packs && shape->sorted == 0;
    clp_plan *head = &plan->head;
    CLP_TRY(build(plan));
    for (int k = 0; k < CLP_TOPK_KERNELS; k++) {
        if (k >= CLP_TOPK_KERNEL_CHECK && shape->sorted > 0) continue;
        CLP_TRY(clp_plan_kernel(head, plan->program, names[k], &plan->kernels[k]));
    }
    CLP_TRY(clp_plan_scratch(head, STATE_WORDS * sizeof(cl_ulong), true, &plan->state));
    CLP_TRY(clp_plan_scratch(head, FOUND_WORDS * sizeof(cl_uint), true, &plan->found));
    CLP_TRY(clp_plan_scratch(head, shape->cells * sizeof(cl_ulong), true, &plan->cells));
    CLP_TRY(clp_plan_scratch(head, shape->room * word_bytes(plan), false, &plan->keys));
    CLP_TRY(clp_plan_scratch(head, has_indices ? shape->room * shape->count_bytes : 1, false,
                             &plan->indices));
    return shape->sorted > 0 ? CLPRIMS_OK : create_sorts(plan);
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

static clprims_status add_find(chain *c, int kernel, cl_uint steps) {
    const clprims_topk *plan = c->plan;
    const clp_topk_shape *shape = &plan->shape;
    const clprims_topk_buffers *b = &c->run->buffers;
    const clprims_buffer made = {plan->elements.keys, 0};
    const size_t n = c->run->n;
    clp_arguments a = {.count = 0};
    CLP_PUT(&a, plan->spec.has_expression ? made : b->in, b->in, b->values, b->indices, plan->state,
            plan->found, plan->cells, plan->keys);
    CLP_PUT(&a, plan->indices, shape->room, shape->single, steps, b->sizes.k, n, b->n, b->report);
    return add(c, kernel, &a, n <= shape->single ? 1 : groups_for(c, n));
}

static clprims_status add_check(chain *c) {
    const clprims_topk *plan = c->plan;
    const clprims_buffer made = {plan->elements.keys, 0};
    clp_arguments a = {.count = 0};
    CLP_PUT(&a, plan->spec.has_expression ? made : c->run->buffers.in, plan->state, plan->found,
            plan->cells, plan->keys, plan->indices, plan->shape.room);
    return add(c, CLP_TOPK_KERNEL_CHECK, &a, 1);
}

static clprims_status add_candidates(chain *c) {
    const clp_topk_shape *shape = &c->plan->shape;
    const bool has_cells = c->run->n > (shape->sorted > 0 ? shape->single : shape->room);
    const bool apart = (has_cells && !shape->waits) || c->warms_up;
    if (apart) CLP_TRY(add_find(c, CLP_TOPK_KERNEL_CELLS, STEP_CELLS));
    return add_find(c, CLP_TOPK_KERNEL_REST, apart ? STEP_REST : STEP_CELLS | STEP_REST);
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
    const clprims_topk *plan = c->plan;
    const clprims_topk_buffers *b = &c->run->buffers;
    clp_arguments a = {.count = 0};
    CLP_PUT(&a, plan->state, plan->keys, plan->indices, b->in, b->values, b->indices);
    return add(c, CLP_TOPK_KERNEL_WRITE, &a, groups_for(c, b->sizes.k));
}

static clprims_status list_steps(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    const clp_sort_elements_run made = {b->in, c->run->n, b->n};
    CLP_TRY(clp_sort_elements_make(&c->plan->elements, &made, c->steps, &c->count));
    CLP_TRY(add_candidates(c));
    if (c->plan->shape.sorted > 0) return CLPRIMS_OK;
    if (!clp_topk_takes_all(c->plan, c->run->n) || c->warms_up) CLP_TRY(add_check(c));
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
