/* SPDX-License-Identifier: MIT */
/* A run of histogram: [clear,] [largest,] count, [finish]. */
#include "histogram/histogram_plan.h"

#include <float.h>

enum { MOST_ARGUMENTS = 19 + CLP_MOST_PARAMETERS };

/* A chain under construction. */
typedef struct chain {
    clprims_histogram *plan;
    const clp_histogram_run *run;
    size_t bins; /* 0 for a warm-up, which writes no output */
    bool warms_up;
    clp_step steps[CLP_HISTOGRAM_KERNELS];
    size_t count;
} chain;

/* Arguments under construction. values: the integers that they point to. */
typedef struct arguments {
    clp_argument list[MOST_ARGUMENTS];
    size_t count;
    cl_ulong values[9];
    size_t value_count;
    cl_uint4 product;
    cl_double4 range;
} arguments;

static void put_mem(arguments *a, const cl_mem *mem) {
    a->list[a->count++] = (clp_argument){sizeof *mem, mem};
}

static void put_value(arguments *a, size_t value) {
    cl_ulong *place = &a->values[a->value_count++];
    *place = value;
    a->list[a->count++] = (clp_argument){sizeof *place, place};
}

/* CLP_N_PARAMETERS */
static void put_n(arguments *a, const clp_histogram_run *run) {
    put_value(a, run->n);
    put_mem(a, &run->counted.mem);
    put_value(a, run->counted.first);
}

/* CLP_RANGE_PARAMETERS */
static void put_range(arguments *a, const clprims_histogram *plan) {
    const clp_histogram_spec *spec = &plan->spec;
    const clp_histogram_product *p = &spec->product;
    const double width = spec->most - spec->least, scale = (double)spec->bins / width;
    if (spec->by == CLPRIMS_HISTOGRAM_EDGES) put_mem(a, &plan->edges);
    if (spec->by != CLPRIMS_HISTOGRAM_EVEN || p->is_shift) return;
    if (p->is_exact) {
        a->product = (cl_uint4){{(cl_uint)p->first, p->span, p->factor, p->shift}};
        a->list[a->count++] = (clp_argument)CLP_ARGUMENT(a->product);
        put_value(a, p->addend);
    } else {
        a->range = (cl_double4){{spec->least, spec->most, width / (double)spec->bins,
                                 scale < DBL_MAX ? scale : DBL_MAX}};
        a->list[a->count++] = (clp_argument)CLP_ARGUMENT(a->range);
    }
}

/* CLP_IO_PARAMETERS. A run without elements reads none, whatever stands here. */
static void put_io(arguments *a, const chain *c) {
    const clprims_histogram *plan = c->plan;
    const clp_histogram_run *run = c->run;
    put_mem(a, run->n > 0 ? &run->in.mem : &plan->context->blank);
    put_value(a, run->n > 0 ? run->in.first : 0);
    if (plan->spec.weights != CLPRIMS_TYPE_DEFAULT) {
        put_mem(a, run->n > 0 ? &run->weights.mem : &plan->context->blank);
        put_value(a, run->n > 0 ? run->weights.first : 0);
    }
    put_range(a, plan);
    put_n(a, run);
}

/* CLP_END_PARAMETERS */
static void put_end(arguments *a, const chain *c) {
    put_value(a, c->bins);
    put_mem(a, &c->run->out.mem);
    put_value(a, c->run->out.first);
    put_mem(a, &c->run->report.mem);
    put_value(a, c->run->report.first);
}

static void put_parameters(arguments *a, const chain *c) {
    clp_parameters_append(&c->plan->parameters, &c->plan->context->blank, a->list, &a->count);
}

static clprims_status add(chain *c, int kind, const arguments *a, size_t groups) {
    cl_kernel kernel = c->plan->kernels[kind];
    CLP_TRY(clp_kernel_arguments(kernel, "histogram", a->list, (cl_uint)a->count));
    const clp_histogram_shape *shape = &c->plan->shape;
    const size_t group = kind == CLP_HISTOGRAM_COUNT_FEW ? shape->few_group : shape->group;
    c->steps[c->count++] = (clp_step){kernel, c->warms_up ? 1 : groups, group};
    return CLPRIMS_OK;
}

/* Work-groups for kernels whose work-items take element after element. */
static size_t groups_for(const clprims_histogram *plan, size_t elements) {
    const size_t most = 4 * (size_t)plan->context->device.info.compute_units;
    const size_t groups = elements / plan->shape.group + (elements % plan->shape.group > 0);
    return groups == 0 ? 1 : groups < most ? groups : most;
}

static clprims_status add_clear(chain *c) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.count = 0};
    put_mem(&a, &plan->sums);
    put_mem(&a, &plan->found);
    put_value(&a, c->bins);
    return add(c, CLP_HISTOGRAM_CLEAR, &a, groups_for(plan, c->bins));
}

static clprims_status add_largest(chain *c) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.count = 0};
    put_io(&a, c);
    put_mem(&a, &plan->found);
    put_parameters(&a, c);
    return add(c, CLP_HISTOGRAM_LARGEST, &a, groups_for(plan, c->run->n));
}

static clprims_status add_count(chain *c, int kind) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.count = 0};
    put_io(&a, c);
    if (plan->shape.ends_itself) put_end(&a, c);
    put_mem(&a, &plan->sums);
    put_mem(&a, &plan->found);
    if (plan->shape.way == CLP_HISTOGRAM_SERIAL) put_mem(&a, &plan->counters);
    put_parameters(&a, c);
    const size_t groups = clp_histogram_groups(&plan->shape, c->run->n);
    return add(c, kind, &a, groups);
}

static clprims_status add_finish(chain *c) {
    const clprims_histogram *plan = c->plan;
    arguments a = {.count = 0};
    put_io(&a, c);
    put_end(&a, c);
    put_mem(&a, &plan->sums);
    put_mem(&a, &plan->found);
    if (plan->shape.leaves_counters) {
        put_mem(&a, &plan->counters);
        put_value(&a, clp_histogram_groups(&plan->shape, c->run->n));
    }
    put_parameters(&a, c);
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
    const clprims_status status = clp_steps_enqueue(run->queue, "histogram", c.steps, c.count,
                                                    run->num_wait, run->wait, run->event);
    /* For good: the next run, which clears, may be dropped. */
    if (status != CLPRIMS_OK) plan->clears = true;
    return status;
}

clprims_status clp_histogram_warm_up(clprims_histogram *plan) {
    const clp_histogram_run run = {.out = {plan->sums, 0}, .report = {plan->report, 0}};
    chain c = {.plan = plan, .run = &run, .warms_up = true};
    CLP_TRY(add_all(&c));
    return clp_steps_warm_up(plan->context, "histogram", c.steps, c.count);
}
