/* SPDX-License-Identifier: MIT */
/* A run of histogram: [clear,] [largest,] count, [finish]. */
#include "histogram/histogram_plan.h"
#include "plan/plan_arguments.h"

#include <float.h>

/* A chain under construction. */
typedef struct chain {
    clprims_histogram *plan;
    const clp_histogram_run *run;
    size_t bins; /* 0 for a warm-up, which writes no output */
    bool warms_up;
    clp_step steps[CLP_HISTOGRAM_KERNELS];
    size_t count;
} chain;

/* Arguments under construction, and the vectors among them. */
typedef struct arguments {
    clp_arguments all;
    cl_uint4 product;
    cl_double4 range;
} arguments;

/* CLP_RANGE_PARAMETERS */
static void put_range(arguments *a, const clprims_histogram *plan) {
    const clp_histogram_spec *spec = &plan->spec;
    const clp_histogram_product *p = &spec->product;
    const double width = spec->most - spec->least, scale = (double)spec->bins / width;
    if (spec->by == CLPRIMS_HISTOGRAM_EDGES) clp_put_mem(&a->all, plan->edges);
    if (spec->by != CLPRIMS_HISTOGRAM_EVEN || p->is_shift) return;
    if (p->is_exact) {
        a->product = (cl_uint4){{(cl_uint)p->first, p->span, p->factor, p->shift}};
        clp_put_bytes(&a->all, sizeof a->product, &a->product);
        clp_put_value(&a->all, p->addend);
    } else {
        a->range = (cl_double4){{spec->least, spec->most, width / (double)spec->bins,
                                 scale < DBL_MAX ? scale : DBL_MAX}};
        clp_put_bytes(&a->all, sizeof a->range, &a->range);
    }
}

/* CLP_IO_PARAMETERS */
static void put_io(arguments *a, const chain *c) {
    const clprims_histogram *plan = c->plan;
    const clprims_context *context = plan->head.context;
    const clp_histogram_run *run = c->run;
    const clprims_buffer none = {NULL, 0};
    clp_put_array(&a->all, context, run->n > 0 ? run->buffers.in : none);
    if (plan->spec.weights != CLPRIMS_TYPE_DEFAULT) {
        clp_put_array(&a->all, context, run->n > 0 ? run->buffers.weights : none);
    }
    put_range(a, plan);
    /* CLP_N_PARAMETERS */
    CLP_PUT(&a->all, run->n, run->buffers.n);
}

/* CLP_END_PARAMETERS */
static void put_end(arguments *a, const chain *c) {
    CLP_PUT(&a->all, c->bins, c->run->buffers.out);
    clp_put_report(&a->all, &c->plan->head, c->run->buffers.report);
}

static clprims_status add(chain *c, int kind, const arguments *a, size_t groups) {
    cl_kernel kernel = c->plan->kernels[kind];
    CLP_TRY(clp_arguments_set(&a->all, &c->plan->head, kernel));
    const clp_histogram_shape *shape = &c->plan->shape;
    const size_t group = kind == CLP_HISTOGRAM_COUNT_FEW ? shape->few_group : shape->group;
    c->steps[c->count++] = (clp_step){kernel, c->warms_up ? 1 : groups, group};
    return CLPRIMS_OK;
}

/* Work-groups for kernels whose work-items take element after element. */
static size_t groups_for(const clprims_histogram *plan, size_t elements) {
    const size_t most = 4 * (size_t)plan->head.context->device.info.compute_units;
    const size_t groups = elements / plan->shape.group + (elements % plan->shape.group > 0);
    return groups == 0 ? 1 : groups < most ? groups : most;
}

static clprims_status add_clear(chain *c) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.all.count = 0};
    CLP_PUT(&a.all, plan->sums, plan->found, c->bins);
    return add(c, CLP_HISTOGRAM_CLEAR, &a, groups_for(plan, c->bins));
}

static clprims_status add_largest(chain *c) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.all.count = 0};
    put_io(&a, c);
    clp_put_mem(&a.all, plan->found);
    clp_put_parameters(&a.all, &plan->head);
    return add(c, CLP_HISTOGRAM_LARGEST, &a, groups_for(plan, c->run->n));
}

static clprims_status add_count(chain *c, int kind) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.all.count = 0};
    put_io(&a, c);
    if (plan->shape.ends_itself) put_end(&a, c);
    CLP_PUT(&a.all, plan->sums, plan->found);
    if (plan->shape.way == CLP_HISTOGRAM_SERIAL) clp_put_mem(&a.all, plan->counters);
    clp_put_parameters(&a.all, &plan->head);
    const size_t groups = clp_histogram_groups(&plan->shape, c->run->n);
    return add(c, kind, &a, groups);
}

static clprims_status add_finish(chain *c) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.all.count = 0};
    put_io(&a, c);
    put_end(&a, c);
    CLP_PUT(&a.all, plan->sums, plan->found);
    if (plan->shape.leaves_counters) {
        CLP_PUT(&a.all, plan->counters, clp_histogram_groups(&plan->shape, c->run->n));
    }
    clp_put_parameters(&a.all, &plan->head);
    return add(c, CLP_HISTOGRAM_FINISH, &a, groups_for(plan, c->bins));
}

static clprims_status add_all(chain *c) {
    const clprims_histogram *plan = c->plan;
    if (plan->clears || c->warms_up) CLP_TRY(add_clear(c));
    const bool counts = c->run->n > 0 || c->warms_up;
    if (plan->spec.floats && counts) CLP_TRY(add_largest(c));
    const bool is_few = clp_histogram_is_few(&plan->shape, c->run->n);
    if (counts && (!is_few || c->warms_up)) CLP_TRY(add_count(c, CLP_HISTOGRAM_COUNT));
    if (counts && is_few) CLP_TRY(add_count(c, CLP_HISTOGRAM_COUNT_FEW));
    return counts && plan->shape.ends_itself && !c->warms_up ? CLPRIMS_OK : add_finish(c);
}

clprims_status clp_histogram_submit(clprims_histogram *plan, const clp_histogram_run *run) {
    chain c = {.plan = plan, .run = run, .bins = plan->spec.bins};
    CLP_TRY(add_all(&c));
    const clprims_status status = clp_plan_enqueue_steps(&plan->head, &run->call, c.steps, c.count);
    /* For good: the next run, which clears, may be dropped. */
    if (status != CLPRIMS_OK) plan->clears = true;
    return status;
}

clprims_status clp_histogram_warm_up(clprims_histogram *plan) {
    const clp_histogram_run run = {.buffers.out = {plan->sums, 0}};
    chain c = {.plan = plan, .run = &run, .warms_up = true};
    CLP_TRY(add_all(&c));
    return clp_plan_warm_up(&plan->head, c.steps, c.count);
}
