/* SPDX-License-Identifier: MIT */
/* The min-plus product: plans, launches, plain arrays. */
#include "minplus/minplus_plan.h"

struct clprims_minplus {
    clp_plan head;
    clp_minplus_spec spec; /* create clears its pointers into the description */
    clp_minplus_choice choice;
};

/* ---- Create ---- */

static clprims_status warm_up(const clprims_minplus *minplus) {
    const clp_minplus_choice *choice = &minplus->choice;
    clp_step steps[CLP_MINPLUS_RANKS];
    for (size_t i = 0; i < choice->count; i++) {
        CLP_TRY(
            clp_minplus_blank_step(minplus->head.context, &choice->tiles[i], "minplus", &steps[i]));
    }
    return clp_plan_warm_up(&minplus->head, steps, choice->count);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_minplus *minplus = (clprims_minplus *)head;
    const clprims_minplus_desc *desc = description;
    clp_minplus_spec *spec = &minplus->spec;
    CLP_TRY(clp_minplus_spec_fill(head->context, desc, spec));
    CLP_TRY(clp_minplus_choice_build(head->context, spec, desc->tuning, &minplus->choice));
    spec->custom = (clprims_semiring_custom){0};
    return warm_up(minplus);
}

static void release(clp_plan *head) {
    clp_minplus_choice_free(&((clprims_minplus *)head)->choice);
}

/* ---- A run ---- */

enum { A, B, C, ARGMIN, ARRAYS };

typedef struct minplus_run {
    clp_call call;
    clprims_minplus_buffers buffers;
    clprims_minplus_arrays arrays; /* of a run on plain arrays */
    clp_minplus_size size; /* all 0 if there is no element to write */
    clprims_buffer at[ARRAYS]; /* for the checks of arrays */
} minplus_run;

static clp_minplus_size size_of(size_t n, clprims_minplus_sizes sizes) {
    if (sizes.m == 0 || n == 0) return (clp_minplus_size){0};
    return (clp_minplus_size){sizes.m, n, sizes.k, sizes.batch > 0 ? sizes.batch : 1};
}

/* Returns the number of operands. */
static size_t list_operands(const clp_minplus_spec *spec, const minplus_run *run,
                            clp_minplus_operand *all) {
    const clprims_minplus_buffers *from = &run->buffers;
    const clp_minplus_size s = run->size;
    const size_t bytes = clprims_type_bytes(spec->type);
    all[A] = (clp_minplus_operand){"a", from->a, s.m, s.k, bytes};
    all[B] = (clp_minplus_operand){"b", from->b, s.k, s.n, bytes};
    all[C] = (clp_minplus_operand){"c", from->c, s.m, s.n, bytes};
    all[ARGMIN] = (clp_minplus_operand){"argmin", from->argmin, s.m, s.n, sizeof(cl_int)};
    return spec->argmin ? ARRAYS : ARGMIN;
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_minplus_spec *spec = &((const clprims_minplus *)head)->spec;
    const minplus_run *run = (const minplus_run *)call;
    clp_minplus_operand all[ARRAYS];
    const size_t count = list_operands(spec, run, all);
    CLP_TRY(clp_minplus_check_size(spec, run->size));
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(clp_minplus_check_place("minplus", &all[i], run->size.batch));
    }
    return CLPRIMS_OK;
}

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_minplus_spec *spec = &((const clprims_minplus *)head)->spec;
    minplus_run *run = (minplus_run *)call;
    clp_minplus_operand all[ARRAYS];
    const size_t count = list_operands(spec, run, all);
    for (size_t i = 0; i < ARRAYS; i++) {
        const unsigned role = i < C              ? CLP_READ
                              : spec->accumulate ? CLP_READ | CLP_WRITTEN
                                                 : CLP_WRITTEN;
        rows[i] = clp_minplus_row(&all[i], run->size.batch, role | CLP_WITH_GAPS, &run->at[i]);
    }
    rows[A].from = run->arrays.a;
    rows[B].from = run->arrays.b;
    rows[C].to = run->arrays.c;
    rows[ARGMIN].to = run->arrays.argmin;
    if (count == ARGMIN) rows[ARGMIN].lacks = "was made without argmin";
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    const clprims_minplus *minplus = (const clprims_minplus *)head;
    const minplus_run *run = (const minplus_run *)call;
    const size_t batch = run->size.batch;
    clp_minplus_operand all[ARRAYS];
    clp_step step;
    if (batch == 0) return clp_plan_enqueue_steps(head, call, NULL, 0);
    const size_t count = list_operands(&minplus->spec, run, all);
    for (size_t i = 0; i < ARRAYS; i++) all[i].at.mem = call->rows[i].buffer->mem;
    for (size_t i = C; i < count; i++) CLP_TRY(clp_minplus_check_apart("minplus", all, i, batch));
    const clp_minplus_operands operands = {
        .a = all[A].at, .b = all[B].at, .c = all[C].at, .best = all[ARGMIN].at, .size = run->size};
    CLP_TRY(clp_minplus_step(&minplus->choice, "minplus", &operands, &step));
    return clp_plan_enqueue_steps(head, call, &step, 1);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND(minplus),
                                   CLP_PLAN_HOOKS(fill, check_sizes, list_arrays, submit),
                                   .runs_share_nothing = true, .release = release};

/* ---- The interface ---- */

CLP_PLAN_CREATE(minplus, kind)

clprims_status clprims_minplus_describe_sized(const clprims_minplus *minplus, size_t n,
                                              clprims_minplus_sizes sizes,
                                              clprims_minplus_info *info, size_t info_bytes) {
    CLP_TRY(clp_begin("minplus_describe", "plan", minplus));
    if (sizes.m == 0) sizes.m = 1;
    const clp_minplus_size size = size_of(n > 0 ? n : 1, sizes);
    CLP_TRY(clp_minplus_check_size(&minplus->spec, size));
    const clp_minplus_shape *shape = &clp_minplus_choose_tiles(&minplus->choice, size)->shape;
    const clprims_minplus_info full = {.group = shape->group,
                                       .tile_rows = shape->tile_rows,
                                       .tile_columns = shape->tile_columns,
                                       .tile_depth = shape->depth,
                                       .programs = clp_plan_programs(&minplus->head)};
    return clp_give("minplus_describe", "info", &full, sizeof full, info, info_bytes);
}

static minplus_run run_of(const clprims_minplus *plan, const clprims_minplus_buffers *at,
                          size_t n) {
    (void)plan;
    return (minplus_run){.buffers = *at, .size = size_of(n, at->sizes)};
}

CLP_PLAN_ENQUEUE_AS(minplus, kind, minplus_run, run_of)

/* Refuses integers out of range, which enqueue would clamp. */
static clprims_status check_values(const clp_minplus_spec *spec, const minplus_run *run) {
    const void *const plain[] = {run->arrays.a, run->arrays.b, run->arrays.c};
    clp_minplus_operand all[ARRAYS];
    list_operands(spec, run, all);
    for (size_t i = A; i <= (spec->accumulate ? C : B); i++) {
        CLP_TRY(clp_minplus_check_values(spec, &all[i], plain[i], run->size.batch, i == C));
    }
    return CLPRIMS_OK;
}

static clprims_matrix packed(size_t rows, size_t columns) {
    return (clprims_matrix){.ld = columns, .stride = rows * columns};
}

clprims_status clprims_minplus_run_sized(clprims_minplus *minplus,
                                         const clprims_minplus_arrays *arrays, size_t arrays_bytes,
                                         size_t n) {
    minplus_run run = {.size = {0}};
    CLP_TRY(clp_plan_take_arrays(minplus, &kind, arrays, arrays_bytes, &run.arrays));
    const clprims_minplus_sizes sizes = run.arrays.sizes;
    const size_t m = sizes.m, k = sizes.k;
    run.buffers =
        (clprims_minplus_buffers){packed(m, k), packed(k, n), packed(m, n), packed(m, n), sizes};
    run.size = size_of(n, sizes);
    CLP_TRY(check_sizes(&minplus->head, &run.call));
    CLP_TRY(check_values(&minplus->spec, &run));
    return clp_plan_run(&minplus->head, &run.call);
}
