/* SPDX-License-Identifier: MIT */
/* Top-k of segments: shape, program, scratch, launches. cl/topk/topk_rows.cl says how it works. */
#include "cl_sources.h"
#include "core/status.h"
#include "plan/plan_arguments.h"
#include "topk/topk_plan.h"

/* As cl/topk/topk_rows.cl and topk_teams.cl have them. */
enum { OF_SEGMENTS, OF_PIECES, OF_LONG, CLASSES = 1, FOUND_WORDS = 2, SIZES = 4 };
enum { SUBGROUP = 32, TEAM_ROOM = 8, BLOCK = 16 };
enum { SHORT_KEYS = 32, LEAST_SHORT = 4 };

/* A piece has many times k elements, since k of it are left. */
enum { LEAST_PIECE = 8192, PIECE_OF_K = 16 };

/* ---- The shape ---- */

/* The groups that are resident together, about. */
static size_t resident_groups(const clprims_topk *plan) {
    enum { OF_UNIT = 1024, GROUPS_OF_CORE = 4 };
    const clp_device *device = &plan->head.context->device;
    const size_t units = device->info.compute_units > 0 ? device->info.compute_units : 1;
    return plan->rows.group == 1 ? GROUPS_OF_CORE * units : units * (OF_UNIT / plan->rows.group);
}

/* Elements of a piece of a long segment, at least two thirds of that. */
static size_t piece_of(const clprims_topk *plan, size_t n) {
    const clp_topk_rows *rows = &plan->rows;
    const size_t of_group = rows->by_teams ? rows->group / rows->team : rows->group;
    const size_t share = n / (rows->groups * of_group) + 1, least = PIECE_OF_K * plan->max_k;
    return clp_at_least(clp_at_most(share, plan->rows.piece), clp_at_least(least, LEAST_PIECE));
}

/* Long segments have more than two pieces' elements, and a piece more than that is whole. */
static size_t pieces_of(const clprims_topk *plan, size_t n) {
    const size_t whole = n / piece_of(plan, n);
    return whole + whole / 2 + 1;
}

/* The lanes that take a row, where rows of this mean length are short. */
static void choose_short(clprims_topk *plan, size_t mean) {
    clp_topk_rows *rows = &plan->rows;
    const size_t most = rows->by == CLPRIMS_SEGMENTS_EQUAL ? mean : 2 * mean;
    const size_t of_length = most / SHORT_KEYS + (most % SHORT_KEYS > 0),
                 of_k = (plan->max_k + 1) / 2;
    const bool suits = plan->spec.key_bytes == 4 && plan->shape.packs;
    rows->short_lanes =
        clp_at_least((size_t)1 << clp_sort_rounds(clp_at_least(of_length, of_k)), LEAST_SHORT);
    if (!suits || rows->team > SUBGROUP || rows->short_lanes > SUBGROUP) rows->short_lanes = 0;
}

/* Of rows of this mean length: enough for the guess, and for the elements. */
static void choose_teams(clprims_topk *plan, const clp_knob *knobs, size_t mean) {
    const clp_device *device = &plan->head.context->device;
    const bool packs = plan->spec.key_bytes <= 4 && plan->shape.count_bytes == 4;
    const size_t bytes = TEAM_ROOM * (packs ? sizeof(cl_ulong) : sizeof(cl_ulong2)) + 1;
    clp_topk_rows *rows = &plan->rows;
    const size_t share = clp_at_most(mean / knobs[CLP_TOPK_EACH].value, knobs[CLP_TOPK_ROWS].value);
    const size_t least = clp_at_least(clp_at_least(share, plan->max_k), SUBGROUP);
    rows->team = clp_at_most((size_t)1 << clp_sort_rounds(least), device->max_group);
    /* A group of the most work-items, whose registers the compiler has to share out. */
    rows->group = device->max_group;
    while (rows->group > SUBGROUP && rows->group * bytes > device->static_local_bytes) {
        rows->group /= 2;
    }
    rows->team = clp_at_most(rows->team, rows->group);
    plan->shape.packs = packs;
    choose_short(plan, mean);
}

void clp_topk_choose_rows(clprims_topk *plan, const clp_knob *knobs) {
    const clprims_context *context = plan->head.context;
    const bool is_cpu = context->device.is_cpu && context->layer == CLPRIMS_LAYER_LOCAL;
    clp_topk_rows *rows = &plan->rows;
    choose_teams(plan, knobs, plan->spec.max_n / clp_at_least(rows->max_segments, 1));
    if (is_cpu) rows->group = 1;
    rows->by_teams = context->layer == CLPRIMS_LAYER_NVIDIA && rows->group >= SUBGROUP &&
                     plan->max_k <= (TEAM_ROOM - 1) * rows->team;
    rows->piece = knobs[CLP_TOPK_PIECE].value;
    rows->groups = resident_groups(plan);
    plan->by_rows = rows->max_segments > 0;
    if (!plan->by_rows) {
        plan->by_rows =
            is_cpu && plan->shape.group == 1 && plan->max_k <= knobs[CLP_TOPK_ONE].value;
        rows->by = CLPRIMS_SEGMENTS_EQUAL;
    }
    if (rows->by_teams) return;
    /* Each work-item has a heap. */
    const size_t heaps = 4 * plan->spec.max_n / plan->max_k / rows->group;
    rows->groups = clp_at_least(clp_at_most(rows->groups, heaps), 1);
}

/* ---- The program ---- */

static clprims_status build(clprims_topk *plan) {
    static const clp_part heaps[] = {&clp_sort_keys_cl, &clp_segments_cl, &clp_segments_ends_cl,
                                     &clp_topk_rows_cl, NULL};
    static const clp_part teams[] = {
        &clp_sort_keys_cl,           &clp_segments_cl,   &clp_segments_ends_cl,
        &clp_device_nvidia_ranks_cl, &clp_topk_rows_cl,  &clp_topk_items_cl,
        &clp_topk_short_cl,          &clp_topk_teams_cl, NULL};
    enum { REPORT_BYTES = sizeof(clprims_topk_report) };
    const clp_topk_rows *rows = &plan->rows;
    clp_text text = {0};
    clp_topk_add_elements(&text, plan);
    clp_text_add(&text, "#define CLP_GROUP %zu\n#define CLP_TEAMS %d\n", rows->group,
                 rows->by_teams);
    clp_text_add(&text, "#define CLP_TEAM %zu\n", rows->team);
    clp_text_add(&text, "#define CLP_SHORT %zu\n#define CLP_PACKED %d\n", rows->short_lanes,
                 plan->shape.packs);
    clp_text_add(&text, "#define CLP_LOCAL_INDICES %d\n", rows->local_indices);
    clp_text_add(&text, "#define CLP_ONE_ROW %d\n#define CLP_INDEX_OF_VALID %s\n",
                 rows->max_segments == 0, rows->max_segments == 0 ? "(long)n" : "-1");
    clp_text_add(&text, "#define CLP_OFFSET %s\n#define CLP_BY_LENGTH %d\n",
                 clp_offset_text(rows->offsets), rows->by == CLPRIMS_SEGMENTS_EQUAL);
    clp_text_add(&text, "#define CLP_CLASSES %d\n#define CLP_BLOCK %d\n", CLASSES, BLOCK);
    clp_text_add(&text, "#define CLP_SEGMENTS_REPORT_BYTES %d\n#define CLP_FAULT_OFFSETS %d\n",
                 REPORT_BYTES, CLPRIMS_TOPK_OFFSETS);
    clp_text_add(&text, "#define CLP_FAULT_COUNT %d\n#define CLP_FAULT_SEGMENTS %d\n",
                 CLPRIMS_TOPK_COUNT, CLPRIMS_TOPK_SEGMENTS);
    return clp_plan_build(&plan->head, &text, rows->by_teams ? teams : heaps, 0, &plan->program);
}

clprims_status clp_topk_create_rows(clprims_topk *plan) {
    clp_topk_rows *rows = &plan->rows;
    const size_t pieces = pieces_of(plan, plan->spec.max_n), found = pieces * plan->max_k;
    const size_t heaps = rows->by_teams ? 1 : rows->groups * rows->group * plan->max_k;
    const size_t count_bytes = plan->shape.count_bytes, key_bytes = plan->spec.key_bytes;
    clp_plan *head = &plan->head;
    CLP_TRY(build(plan));
    CLP_TRY(clp_plan_kernel(head, plan->program, "clp_segments_begin", &rows->begin));
    CLP_TRY(clp_plan_kernel(head, plan->program, "clp_segments_finish", &rows->finish));
    for (size_t k = 0; k < CLP_TOPK_ROW_LAUNCHES; k++) {
        CLP_TRY(clp_plan_kernel(head, plan->program, "clp_topk_rows", &rows->kernels[k]));
    }
    CLP_TRY(clp_plan_scratch(head, FOUND_WORDS * sizeof(cl_uint), true, &plan->found));
    CLP_TRY(clp_plan_scratch(head, SIZES * sizeof(cl_ulong), false, &rows->sizes));
    CLP_TRY(clp_plan_scratch(head, pieces * sizeof(cl_ulong2), false, &rows->pieces));
    CLP_TRY(clp_plan_scratch(head, found * key_bytes, false, &plan->keys));
    CLP_TRY(clp_plan_scratch(head, found * count_bytes, false, &plan->indices));
    CLP_TRY(clp_plan_scratch(head, heaps * key_bytes, false, &rows->heap_keys));
    return clp_plan_scratch(head, heaps * count_bytes, false, &rows->heap_numbers);
}

/* ---- A run ---- */

/* A run under construction. */
typedef struct chain {
    clprims_topk *plan;
    const clp_topk_run *run;
    size_t segments;
    bool is_counted;
    clp_step steps[CLP_SORT_MAKE_STEPS + CLP_TOPK_ROW_LAUNCHES + 2];
    size_t count;
} chain;

static clprims_status add(chain *c, const clp_arguments *a, cl_kernel kernel, size_t groups,
                          size_t group) {
    CLP_TRY(clp_arguments_set(a, &c->plan->head, kernel));
    c->steps[c->count++] = (clp_step){kernel, groups, group};
    return CLPRIMS_OK;
}

static bool is_by_length(const clprims_topk *plan) {
    return plan->rows.by == CLPRIMS_SEGMENTS_EQUAL;
}

static void put_offsets(clp_arguments *a, const chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    const clprims_buffer length = {c->plan->head.context->blank, b->sizes.length};
    CLP_PUT(a, is_by_length(c->plan) ? length : b->offsets, c->run->n, c->segments,
            c->is_counted ? c->plan->rows.sizes : NULL);
}

static clprims_status add_begin(chain *c) {
    const clprims_topk_buffers *b = &c->run->buffers;
    clp_arguments a = {.count = 0};
    CLP_PUT(&a, c->plan->found, c->is_counted ? c->plan->rows.sizes : NULL, c->run->n, c->segments,
            b->n, b->segments, b->sizes.length);
    return add(c, &a, c->plan->rows.begin, 1, 1);
}

/* most: of the rows. */
static clprims_status add_rows(chain *c, cl_uint what, size_t most, size_t piece) {
    clprims_topk *plan = c->plan;
    const clp_topk_rows *rows = &plan->rows;
    const clprims_topk_buffers *b = &c->run->buffers;
    const size_t of_group = rows->by_teams ? rows->group / rows->team : rows->group;
    const clprims_buffer made = {plan->elements.keys, 0};
    clp_arguments a = {.count = 0};
    put_offsets(&a, c);
    CLP_PUT(&a, plan->spec.has_expression ? made : b->in, b->in, b->values, b->indices, b->counts,
            plan->found, rows->pieces, plan->keys);
    CLP_PUT(&a, plan->indices, b->sizes.k, piece, pieces_of(plan, plan->spec.max_n), what);
    if (!rows->by_teams) CLP_PUT(&a, rows->heap_keys, rows->heap_numbers);
    return add(c, &a, rows->kernels[what], clp_at_most((most - 1) / of_group + 1, rows->groups),
               rows->group);
}

static clprims_status list_steps(chain *c, bool all) {
    enum { NONE_IS_LONG = 62 }; /* bits of a number of elements that no segment has */
    clprims_topk *plan = c->plan;
    const clprims_topk_buffers *b = &c->run->buffers;
    const clp_sort_elements_run made = {b->in, c->run->n, b->n};
    const size_t n = c->run->n, piece = piece_of(plan, n);
    const size_t longest = is_by_length(plan) ? clp_at_most(n, b->sizes.length) : n;
    const bool is_long = longest > 2 * piece;
    CLP_TRY(clp_sort_elements_make(&plan->elements, &made, c->steps, &c->count));
    const bool is_one = plan->rows.max_segments == 0;
    const bool reports = b->report.mem != NULL && (c->is_counted || !is_one);
    /* By length nothing is at fault; one long array has its pieces without a list. */
    const bool lists = is_long && !is_one;
    if (all || c->is_counted || reports || lists || !is_by_length(plan)) CLP_TRY(add_begin(c));
    if (all || !is_one || !is_long) {
        CLP_TRY(add_rows(c, OF_SEGMENTS, clp_at_least(c->segments, 1),
                         is_long ? piece : (size_t)1 << NONE_IS_LONG));
    }
    if (is_long || all) {
        CLP_TRY(add_rows(c, OF_PIECES, pieces_of(plan, n), piece));
        CLP_TRY(add_rows(c, OF_LONG, pieces_of(plan, n), piece));
    }
    if (!reports && !all) return CLPRIMS_OK;
    clp_arguments a = {.count = 0};
    put_offsets(&a, c);
    CLP_PUT(&a, plan->found, b->report);
    return add(c, &a, plan->rows.finish, 1, 1);
}

clprims_status clp_topk_submit_rows(clprims_topk *plan, const clp_topk_run *run) {
    clp_topk_run own = *run;
    clprims_topk_sizes *sizes = &own.buffers.sizes;
    if (plan->rows.max_segments == 0) sizes->length = clp_at_least(run->n, 1);
    chain c = {.plan = plan,
               .run = &own,
               .segments = is_by_length(plan) ? clp_rows(run->n, sizes->length) : sizes->segments,
               .is_counted = own.buffers.n.mem != NULL || own.buffers.segments.mem != NULL};
    CLP_TRY(list_steps(&c, false));
    return clp_plan_enqueue_steps(&plan->head, &run->call, c.steps, c.count);
}

clprims_status clp_topk_warm_up_rows(clprims_topk *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0};
    const clp_topk_run run = {
        .buffers = {.in = blank, .values = blank, .indices = blank, .offsets = blank}};
    chain c = {.plan = plan, .run = &run};
    CLP_TRY(list_steps(&c, true));
    return clp_plan_warm_up(&plan->head, c.steps, c.count);
}
