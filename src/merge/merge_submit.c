/* SPDX-License-Identifier: MIT */
/* A run of merge or search: [the splits of its tiles, or levels,] the tiles or pieces. */
#include "merge/merge_plan.h"
#include "plan/plan_arguments.h"

enum { MOST_STEPS = 2 };

/* CLP_IO_PARAMETERS */
static void put_io(clp_arguments *a, const clp_merge_plan *plan, const clp_merge_run *run) {
    const clprims_merge_buffers *at = &run->buffers;
    const clprims_buffer none = {NULL, 0};
    clp_put_array(a, plan->head.context, run->n > 0 ? at->a : none);
    clp_put_array(a, plan->head.context, at->sizes.n_b > 0 ? at->b : none);
    CLP_PUT(a, run->n, at->sizes.n_b, at->n, at->n_b);
}

/* What the first kernel writes and the second one reads; NULL for splits that are not made. */
static void put_scratch(clp_arguments *a, const clp_merge_plan *plan, cl_mem scratch,
                        size_t levels) {
    clp_put_mem(a, scratch);
    if (!clp_merge_splits(plan)) clp_put_value(a, levels);
}

/* Whether a kernel finds the splits of `groups` tiles. */
static bool makes_splits(const clp_merge_plan *plan, size_t groups) {
    return clp_merge_splits(plan) && groups > 1 && groups > plan->shape.searching_groups;
}

static clprims_status set_prepare(const clp_merge_plan *plan, const clp_merge_run *run,
                                  size_t levels) {
    clp_arguments a = {.count = 0};
    put_io(&a, plan, run);
    put_scratch(&a, plan, plan->scratch, levels);
    clp_put_parameters(&a, &plan->head);
    return clp_arguments_set(&a, &plan->head, plan->prepare);
}

static clprims_status set_kernel(const clp_merge_plan *plan, const clp_merge_run *run,
                                 size_t levels) {
    const clprims_context *context = plan->head.context;
    const clprims_merge_buffers *at = &run->buffers;
    const bool merges = plan->spec.kind == CLP_MERGE_ARRAYS;
    const size_t n_b = at->sizes.n_b, outputs = merges ? run->n + n_b : run->n;
    const size_t groups = clp_merge_groups(plan, run->n, n_b);
    const clprims_buffer none = {NULL, 0}, unused = {plan->scratch, 0};
    const bool reads = makes_splits(plan, groups) || !clp_merge_splits(plan);
    clp_arguments a = {.count = 0};
    put_io(&a, plan, run);
    if (clp_merge_splits(plan) || plan->shape.pivots > 0) {
        put_scratch(&a, plan, reads ? plan->scratch : NULL, levels);
    }
    clp_put_buffer(&a, outputs > 0 ? at->out : unused);
    if (plan->spec.bound == CLPRIMS_SEARCH_BOTH) {
        clp_put_buffer(&a, outputs > 0 ? at->payload_out : unused);
    }
    if (plan->spec.payload_bytes > 0) {
        clp_put_array(&a, context, run->n > 0 ? at->payload_a : none);
        clp_put_array(&a, context, n_b > 0 ? at->payload_b : none);
        clp_put_buffer(&a, outputs > 0 ? at->payload_out : unused);
    }
    clp_put_buffer(&a, at->report);
    clp_put_parameters(&a, &plan->head);
    return clp_arguments_set(&a, &plan->head, plan->kernel);
}

/* The steps of a run; each step of the warm-up has one group. */
static clprims_status list_steps(const clp_merge_plan *plan, const clp_merge_run *run,
                                 bool warms_up, clp_step steps[MOST_STEPS], size_t *count) {
    const size_t group = plan->shape.group;
    const size_t n_b = run->buffers.sizes.n_b, groups = clp_merge_groups(plan, run->n, n_b);
    const size_t levels = clp_search_levels(plan, run->n, n_b);
    const bool prepares = makes_splits(plan, groups) || levels > 0;
    *count = 0;
    if (prepares || (warms_up && plan->prepare != NULL)) {
        const size_t first_groups = levels > 0 ? groups : (groups + group - 1) / group;
        CLP_TRY(set_prepare(plan, run, levels));
        steps[(*count)++] = (clp_step){plan->prepare, first_groups, group};
    }
    CLP_TRY(set_kernel(plan, run, levels));
    steps[(*count)++] = (clp_step){plan->kernel, groups, group};
    return CLPRIMS_OK;
}

clprims_status clp_merge_submit(clp_plan *plan, clp_call *run) {
    clp_step steps[MOST_STEPS];
    size_t count;
    CLP_TRY(
        list_steps((const clp_merge_plan *)plan, (const clp_merge_run *)run, false, steps, &count));
    return clp_plan_enqueue_steps(plan, run, steps, count);
}

clprims_status clp_merge_plan_fill(clp_merge_plan *plan, const char *parameters,
                                   const char *tuning) {
    clp_merge_spec *spec = &plan->spec;
    clp_plan *head = &plan->head;
    clp_step steps[MOST_STEPS];
    size_t count;
    const clp_user_text texts[] = {
        {"desc.less", spec->less, "a b", NULL},
        {"custom.op", spec->custom->op, NULL, "a merge and a search have no operator"},
        {NULL}};
    CLP_TRY(clp_plan_read_texts(head, texts, spec->custom, parameters));
    CLP_TRY(clp_merge_shape_choose(head->context, spec, tuning, &plan->shape));
    CLP_TRY(clp_merge_build(plan));
    spec->custom = NULL;
    spec->less = NULL;
    CLP_TRY(clp_plan_scratch(head, clp_merge_scratch_bytes(plan), false, &plan->scratch));
    CLP_TRY(list_steps(plan, &(clp_merge_run){.n = 0}, true, steps, &count));
    return clp_plan_warm_up(head, steps, count);
}
