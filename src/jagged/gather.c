/* SPDX-License-Identifier: MIT */
/* Gather: plans, checks, runs. cl/jagged/indexed.cl says how it works. */
#include "cl_sources.h"
#include "jagged/indexed.h"

struct clprims_gather {
    clp_indexed base;
    cl_kernel kernel;
};

/* ---- Create ---- */

static clprims_status take_desc(clprims_gather *plan, const clprims_gather_desc *desc) {
    return clp_indexed_take(&plan->base, desc->type, &desc->custom, desc->index_type, desc->max_n);
}

/* The elements that a work-item holds shall stay in registers. */
static size_t depth_of(size_t type_bytes) {
    enum { MOST = 8, MOST_HELD = 64 };
    size_t depth = MOST;
    while (depth > 1 && depth * type_bytes > MOST_HELD) depth /= 2;
    return depth;
}

static const clp_part serial[] = {CLP_INDEXED_PARTS(&clp_gather_cl), &clp_indexed_serial_cl,
                                  &clp_indexed_kernel_cl, NULL};
static const clp_part batches[] = {CLP_INDEXED_PARTS(&clp_gather_cl), &clp_indexed_batches_cl,
                                   &clp_indexed_kernel_cl, NULL};

static clprims_status build(clprims_gather *plan) {
    clp_indexed *base = &plan->base;
    clp_text prelude = {0};
    cl_program program;
    clp_indexed_add_text(base, &prelude);
    clp_text_add(&prelude, "#define CLP_E_BYTES %zu\n", base->type_bytes);
    CLP_TRY(
        clp_plan_build(&base->head, &prelude, base->group == 1 ? serial : batches, 0, &program));
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
    CLP_TRY(clp_indexed_choose(&plan->base, desc->tuning, depth_of(plan->base.type_bytes)));
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
    info->variant = plan->base.group == 1 ? "serial" : "batches";
    return clp_check_n(who, n, plan->base.max_n);
}

CLP_PLAN_DESCRIBE_SIZED(gather, describe)

clprims_status clprims_gather_check(const clprims_gather_report *report) {
    CLP_TRY(clp_begin("gather_check", "report", report));
    return clp_indexed_check("gather", report);
}

CLP_PLAN_RUN_SIZED(gather, kind, clp_indexed_run)
