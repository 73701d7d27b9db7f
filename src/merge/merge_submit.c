/* SPDX-License-Identifier: MIT */
/* A run of merge or search: [the splits of its tiles, or levels,] the tiles or pieces. */
#include "core/check.h"
#include "core/context.h"
#include "core/status.h"
#include "merge/merge_plan.h"

enum { MOST_ARGUMENTS = 24 + CLP_MOST_PARAMETERS, MOST_STEPS = 2 };

/* Arguments under construction. values: the integers that they point to. */
typedef struct arguments {
    const clp_merge_plan *plan;
    clp_argument list[MOST_ARGUMENTS];
    size_t count;
    cl_ulong values[16];
    size_t value_count;
} arguments;

static void put_mem(arguments *a, const cl_mem *mem) {
    a->list[a->count++] = (clp_argument){sizeof *mem, mem};
}

static void put_value(arguments *a, size_t value) {
    cl_ulong *place = &a->values[a->value_count++];
    *place = value;
    a->list[a->count++] = (clp_argument){sizeof *place, place};
}

/* An array, or what stands for one that is empty. */
static void put_array(arguments *a, const clprims_buffer *array, size_t n) {
    put_mem(a, n > 0 ? &array->mem : &a->plan->context->blank);
    put_value(a, n > 0 ? array->first : 0);
}

/* One that may be missing. */
static void put_optional(arguments *a, const clprims_buffer *array) {
    put_mem(a, &array->mem);
    put_value(a, array->first);
}

/* CLP_IO_PARAMETERS */
static void put_io(arguments *a, const clp_merge_run *run) {
    put_array(a, &run->a, run->n_a);
    put_array(a, &run->b, run->n_b);
    put_value(a, run->n_a);
    put_value(a, run->n_b);
    put_optional(a, &run->counted_a);
    put_optional(a, &run->counted_b);
}

static void put_parameters(arguments *a) {
    clp_parameters_append(&a->plan->parameters, &a->plan->context->blank, a->list, &a->count);
}

/* What the first kernel writes and the second one reads; NULL for splits that are not made. */
static void put_scratch(arguments *a, const cl_mem *scratch, size_t levels) {
    put_mem(a, scratch);
    if (!clp_merge_splits(a->plan)) put_value(a, levels);
}

/* Whether a kernel finds the splits of `groups` tiles. */
static bool makes_splits(const clp_merge_plan *plan, size_t groups) {
    return clp_merge_splits(plan) && groups > 1 && groups > plan->shape.searching_groups;
}

static clprims_status set_prepare(const clp_merge_plan *plan, const clp_merge_run *run,
                                  size_t levels) {
    arguments a = {.plan = plan};
    put_io(&a, run);
    put_scratch(&a, &plan->scratch, levels);
    put_parameters(&a);
    return clp_kernel_arguments(plan->prepare, plan->spec.who, a.list, (cl_uint)a.count);
}

static clprims_status set_kernel(const clp_merge_plan *plan, const clp_merge_run *run,
                                 size_t levels) {
    const bool merges = plan->spec.kind == CLP_MERGE_ARRAYS;
    const size_t outputs = merges ? run->n_a + run->n_b : run->n_a;
    const size_t groups = clp_merge_groups(plan, run->n_a, run->n_b);
    const cl_mem none = NULL;
    const bool reads = makes_splits(plan, groups) || !clp_merge_splits(plan);
    arguments a = {.plan = plan};
    put_io(&a, run);
    if (clp_merge_splits(plan) || plan->shape.pivots > 0)
        put_scratch(&a, reads ? &plan->scratch : &none, levels);
    put_mem(&a, outputs > 0 ? &run->out.mem : &plan->scratch);
    put_value(&a, outputs > 0 ? run->out.first : 0);
    if (plan->spec.payload_bytes > 0) {
        put_array(&a, &run->payload_a, run->n_a);
        put_array(&a, &run->payload_b, run->n_b);
        put_mem(&a, outputs > 0 ? &run->payload_out.mem : &plan->scratch);
        put_value(&a, outputs > 0 ? run->payload_out.first : 0);
    }
    put_optional(&a, &run->report);
    put_parameters(&a);
    return clp_kernel_arguments(plan->kernel, plan->spec.who, a.list, (cl_uint)a.count);
}

/* The steps of a run; those of the warm-up have one group each. */
static clprims_status list_steps(const clp_merge_plan *plan, const clp_merge_run *run,
                                 bool warms_up, clp_step steps[MOST_STEPS], size_t *count) {
    const size_t group = plan->shape.group;
    const size_t groups = clp_merge_groups(plan, run->n_a, run->n_b);
    const size_t levels = clp_search_levels(plan, run->n_a, run->n_b);
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

clprims_status clp_merge_submit(const clp_merge_plan *plan, const clp_merge_run *run) {
    clp_step steps[MOST_STEPS];
    size_t count;
    CLP_TRY(list_steps(plan, run, false, steps, &count));
    return clp_steps_enqueue(run->queue, plan->spec.who, steps, count, run->num_wait, run->wait,
                             run->event);
}

clprims_status clp_merge_check_run(const clp_merge_plan *plan, const clp_merge_run *run) {
    CLP_TRY(
        clp_check_submission(plan->context, plan->spec.who, run->queue, run->num_wait, run->wait));
    return clp_parameters_check(&plan->parameters, plan->spec.who);
}

/* ---- Plans ---- */

clprims_status clp_merge_plan_fill(clp_merge_plan *plan, const char *parameters,
                                   const char *tuning) {
    const clp_merge_spec *spec = &plan->spec;
    clp_step steps[MOST_STEPS];
    size_t count;
    CLP_TRY(clp_parameters_read(spec->who, parameters, &plan->parameters));
    if (plan->parameters.count > 0 && spec->less == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %zu parameters and no desc.less that could name them", spec->who,
                        plan->parameters.count);
    }
    CLP_TRY(clp_merge_shape_choose(plan->context, spec, tuning, &plan->shape));
    CLP_TRY(clp_merge_build(plan));
    plan->scratch_bytes = clp_merge_scratch_bytes(plan);
    CLP_TRY(
        clp_scratch_create(plan->context, spec->who, plan->scratch_bytes, false, &plan->scratch));
    CLP_TRY(list_steps(plan, &(clp_merge_run){.n_a = 0}, true, steps, &count));
    return clp_steps_warm_up(plan->context, spec->who, steps, count);
}

void clp_merge_plan_release(clp_merge_plan *plan) {
    clp_release_buffers(&plan->scratch, 1);
    clp_release_kernels((const cl_kernel[]){plan->prepare, plan->kernel}, 2);
    if (plan->program != NULL) clReleaseProgram(plan->program);
}
