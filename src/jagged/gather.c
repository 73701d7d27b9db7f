/* SPDX-License-Identifier: MIT */
/* Gather: plans, checks, runs. cl/jagged/indexed.cl says how it works. */
#include "cl_sources.h"
#include "jagged/indexed.h"
#include "jagged/jagged_knobs.h"

enum { VECTOR_BYTES = 16 };

struct clprims_gather {
    clp_indexed base;
    size_t vec; /* indices of a vector */
    size_t depth;
    cl_kernel kernel;
};

/* ---- Create ---- */

static clprims_status take_desc(clprims_gather *plan, const clprims_gather_desc *desc) {
    return clp_indexed_take(&plan->base, desc->type, &desc->custom, desc->index_type, desc->max_n);
}

enum { MOST_HELD = 64 }; /* bytes of elements that a work-item has in registers */

static clprims_status choose_shape(clprims_gather *plan, const char *tuning) {
    clp_indexed *base = &plan->base;
    const size_t bytes = base->type_bytes;
    const size_t indices = VECTOR_BYTES / clprims_type_bytes(base->index_type);
    size_t elements = 1; /* of a vector: as many as one access stores */
    while (VECTOR_BYTES % (2 * elements * bytes) == 0) elements *= 2;
    CLP_KNOBS(knobs, clp_gather_knobs);
    while (knobs[CLP_GATHER_DEPTH].value * bytes > MOST_HELD && knobs[CLP_GATHER_DEPTH].value > 1) {
        knobs[CLP_GATHER_DEPTH].value /= 2;
    }
    CLP_TRY(clp_indexed_choose(base, tuning, knobs, CLP_GATHER_KNOBS));
    plan->depth = knobs[CLP_GATHER_DEPTH].value;
    plan->vec = elements < indices ? elements : indices;
    /* One group must have a work-item for each index in front of the first vector. */
    if (plan->vec > base->group) plan->vec = base->group;
    base->tile = base->group == 1 ? CLP_INDEXED_SERIAL_TILE : base->group * plan->depth * plan->vec;
    return CLPRIMS_OK;
}

static const clp_part serial[] = {CLP_INDEXED_PARTS(&clp_gather_cl), &clp_indexed_serial_cl,
                                  &clp_indexed_kernel_cl, NULL};
static const clp_part vectors[] = {CLP_INDEXED_PARTS(&clp_gather_cl), &clp_gather_vectors_cl,
                                   &clp_indexed_kernel_cl, NULL};

static clprims_status build(clprims_gather *plan) {
    clp_indexed *base = &plan->base;
    const bool is_serial = base->group == 1;
    clp_text prelude = {0};
    clp_indexed_add_text(base, &prelude);
    clp_text_add(&prelude, "#define CLP_E_BYTES %zu\n", base->type_bytes);
    if (is_serial) {
        clp_text_add(&prelude, "#define CLP_INDEXED_TILE %zu\n", base->tile);
    } else {
        clp_text_add(&prelude, "#define CLP_INDEX_BYTES %zu\n#define CLP_VEC %zu\n",
                     clprims_type_bytes(base->index_type), plan->vec);
        clp_text_add(&prelude, "#define CLP_DEPTH %zu\n", plan->depth);
    }
    cl_program program;
    CLP_TRY(clp_plan_build(&base->head, &prelude, is_serial ? serial : vectors, 0, &program));
    return clp_plan_kernel(&base->head, program, "clp_gather", &plan->kernel);
}

/* ---- Launches ---- */

static clprims_status submit(clp_plan *head, clp_call *call) {
    const clprims_gather *plan = (const clprims_gather *)head;
    const clp_indexed_run *run = (const clp_indexed_run *)call;
    const clp_step step = {plan->kernel, clp_indexed_groups(&plan->base, run->n), plan->base.group};
    CLP_TRY(clp_indexed_set_arguments(&plan->base, run, NULL, 0, plan->kernel));
    return clp_plan_enqueue_steps(head, call, &step, 1);
}

static clprims_status warm_up(const clprims_gather *plan) {
    const clp_indexed_run run = {.n = 0};
    const clp_step step = {plan->kernel, 1, plan->base.group};
    CLP_TRY(clp_indexed_set_arguments(&plan->base, &run, NULL, 0, plan->kernel));
    return clp_plan_warm_up(&plan->base.head, &step, 1);
}

/* ---- The plan ---- */

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    clp_indexed_run *run = (clp_indexed_run *)call;
    return clp_indexed_list((const clp_indexed *)head, run, run->buffers.sizes.length, run->n,
                            rows);
}

CLP_PLAN_CHECK_N(gather, clp_indexed_run, base.max_n)

CLP_PLAN_FINISH(gather)

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_gather *plan = (clprims_gather *)head;
    const clprims_gather_desc *desc = description;
    CLP_TRY(take_desc(plan, desc));
    CLP_TRY(choose_shape(plan, desc->tuning));
    CLP_TRY(build(plan));
    CLP_TRY(clp_indexed_scratch(&plan->base));
    return warm_up(plan);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(gather),
                                   CLP_PLAN_HOOKS(fill, gather_check_sizes, list_arrays, submit),
                                   .finish = gather_finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(gather, kind)
CLP_PLAN_ENQUEUE(gather, kind, clp_indexed_run)

static clprims_status describe(const clprims_gather *plan, const char *who, size_t n,
                               clprims_gather_sizes sizes, clprims_gather_info *info) {
    (void)sizes;
    info->group = plan->base.group;
    info->groups = clp_indexed_groups(&plan->base, n);
    info->tile = plan->base.tile;
    info->variant = plan->base.group == 1 ? "serial" : "vectors";
    return clp_check_n(who, n, plan->base.max_n);
}

CLP_PLAN_DESCRIBE_SIZED(gather, describe)

clprims_status clprims_gather_check(const clprims_gather_report *report) {
    CLP_TRY(clp_begin("gather_check", "report", report));
    return clp_indexed_check("gather", report);
}

CLP_PLAN_RUN_SIZED(gather, kind, clp_indexed_run)
