/* SPDX-License-Identifier: MIT */
/* Select: plans, launches, plain arrays. cl/select/select.cl says how it works. */
#include "core/check.h"
#include "select/select_plan.h"

#include <stdlib.h>

/* ---- Create ---- */

/* The same decision with no result but the count. */
static clp_select_spec counter_spec(const clprims_select *plan) {
    clp_select_spec spec = plan->spec;
    spec.partition = spec.values = false;
    spec.arrays = clp_select_has_flags(&spec) ? 0 : 1;
    return spec;
}

static clprims_status prepare_counter(clprims_select *plan, const clp_pass_need *need) {
    const clp_select_spec spec = counter_spec(plan);
    clp_pass_need own = clp_select_need(&spec, plan->context, NULL);
    own.is_auto = need->is_auto;
    CLP_TRY(clp_pass_prepare(&plan->counter, plan->context, &own));
    return clp_scratch_create(plan->context, "select", sizeof(cl_ulong), true, &plan->total);
}

static clprims_status fill_plan(clprims_select *plan, const clprims_select_desc *desc) {
    CLP_TRY(clp_select_spec_fill(plan->context, desc, &plan->spec));
    CLP_TRY(clp_parameters_read("select", desc->parameters, &plan->parameters));
    if (plan->parameters.count > 0 && desc->predicate == NULL && desc->equal == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: %zu parameters, but neither desc.predicate nor desc.equal",
                        plan->parameters.count);
    }
    plan->spec.parameters = plan->pass.parameters = plan->counter.parameters = &plan->parameters;
    clp_pass_need need = clp_select_need(&plan->spec, plan->context, desc->tuning);
    need.is_auto = desc->algorithm == CLPRIMS_ALGORITHM_AUTO;
    CLP_TRY(clp_pass_prepare(&plan->pass, plan->context, &need));
    if (plan->spec.partition) CLP_TRY(prepare_counter(plan, &need));
    return clp_scratch_create(plan->context, "select", sizeof(cl_ulong), true, &plan->counted);
}

/* `first` as kernels take it. */
typedef struct firsts {
    cl_ulong in[CLPRIMS_SELECT_ARRAYS], out[CLPRIMS_SELECT_ARRAYS];
    cl_ulong flags, indices, lengths, count;
} firsts;

/* Runs one of the plan's passes over `arrays` arrays. */
static clprims_status enqueue_pass(clprims_select *plan, clp_pass *pass, size_t arrays,
                                   const clprims_select_buffers *b, size_t capacity,
                                   const clp_pass_run *run) {
    firsts first = {.flags = b->flags.first,
                    .indices = b->indices.first,
                    .lengths = b->lengths.first,
                    .count = b->count.first};
    const cl_ulong room = capacity, n = run->n;
    clp_argument arguments[CLP_PASS_MOST_ARGUMENTS];
    size_t count = 0;
    for (size_t k = 0; k < arrays; k++) {
        first.in[k] = b->in[k].first;
        first.out[k] = b->out[k].first;
        arguments[count++] = (clp_argument)CLP_ARGUMENT(b->in[k].mem);
        arguments[count++] = (clp_argument)CLP_ARGUMENT(first.in[k]);
        arguments[count++] = (clp_argument)CLP_ARGUMENT(b->out[k].mem);
        arguments[count++] = (clp_argument)CLP_ARGUMENT(first.out[k]);
    }
    const clp_argument rest[] = {CLP_ARGUMENT(b->flags.mem),
                                 CLP_ARGUMENT(first.flags),
                                 CLP_ARGUMENT(b->indices.mem),
                                 CLP_ARGUMENT(first.indices),
                                 CLP_ARGUMENT(b->lengths.mem),
                                 CLP_ARGUMENT(first.lengths),
                                 CLP_ARGUMENT(b->count.mem),
                                 CLP_ARGUMENT(first.count),
                                 CLP_ARGUMENT(plan->total),
                                 CLP_ARGUMENT(room),
                                 CLP_ARGUMENT(n)};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) arguments[count++] = rest[i];
    return clp_pass_enqueue(pass, arguments, count, run);
}

/* Launches the plan's kernels once. */
static clprims_status warm_up(clprims_select *plan) {
    const clprims_buffer blank = {plan->context->blank, 0};
    const clprims_select_buffers b = {.in = {blank, blank, blank, blank},
                                      .out = {blank, blank, blank, blank},
                                      .flags = blank,
                                      .indices = blank,
                                      .lengths = blank,
                                      .count = {plan->counted, 0}};
    const clp_pass_run run = {.warms_up = true};
    if (plan->spec.partition) {
        CLP_TRY(enqueue_pass(plan, &plan->counter, counter_spec(plan).arrays, &b, 0, &run));
    }
    return enqueue_pass(plan, &plan->pass, plan->spec.arrays, &b, 0, &run);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_select_desc, max_n, custom, "CLPRIMS_SELECT_DESC_INIT");

clprims_status clprims_select_create(clprims_select **out, clprims_context *context,
                                     const clprims_select_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: out is NULL");
    *out = NULL;
    clprims_select_desc full = CLPRIMS_SELECT_DESC_INIT;
    CLP_TRY(clp_take_desc("select", context, &desc_layout, desc, &full));
    clprims_select *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "select: no host memory for a plan");
    }
    plan->context = context;
    clprims_status status = fill_plan(plan, &full);
    if (status == CLPRIMS_OK) status = warm_up(plan);
    plan->spec.custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    plan->spec.predicate = plan->spec.equal = NULL;
    if (status == CLPRIMS_OK) {
        *out = plan;
    } else {
        clprims_select_destroy(plan);
    }
    return status;
}

void clprims_select_destroy(clprims_select *plan) {
    if (plan == NULL) return;
    clp_pass_release(&plan->pass);
    clp_pass_release(&plan->counter);
    if (plan->total != NULL) clReleaseMemObject(plan->total);
    if (plan->counted != NULL) clReleaseMemObject(plan->counted);
    free(plan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_select_info, algorithm, "CLPRIMS_SELECT_INFO_INIT");

clprims_status clprims_select_describe(const clprims_select *plan, size_t n,
                                       clprims_select_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(clp_check_n("select_describe", n, plan->spec.max_n));
    const clp_shape *shape = &clp_pass_choose_kernel(&plan->pass, n, false)->shape;
    const size_t counts = sizeof(cl_ulong) * (plan->spec.partition ? 2 : 1);
    const clprims_select_info full = {.algorithm = plan->spec.algorithm,
                                      .group = shape->group,
                                      .tile = shape->tile,
                                      .scratch_bytes = plan->pass.scratch_bytes +
                                                       plan->counter.scratch_bytes + counts,
                                      .variant = clp_variants[shape->variant].name};
    return clp_struct_give("select_describe", "info", &info_layout, &full, info);
}

/* ---- Parameters ---- */

clprims_status clprims_select_set_parameter(clprims_select *plan, size_t k, size_t bytes,
                                            const void *value) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: plan is NULL");
    return clp_parameters_set(&plan->parameters, plan->context, "select", k, bytes, value);
}

/* ---- Enqueue ---- */

/* Counts, then partitions. */
static clprims_status enqueue_partition(clprims_select *plan, const clprims_select_buffers *buffers,
                                        const clp_pass_run *run) {
    cl_event counted = NULL;
    clprims_select_buffers only = *buffers;
    only.count = (clprims_buffer){plan->total, 0};
    const size_t arrays = counter_spec(plan).arrays;
    clp_pass_run first = *run, second = *run;
    first.event = &counted;
    CLP_TRY(enqueue_pass(plan, &plan->counter, arrays, &only, 0, &first));
    second.num_wait = 1;
    second.wait = &counted;
    const clprims_status status =
        enqueue_pass(plan, &plan->pass, plan->spec.arrays, buffers, run->n, &second);
    if (status != CLPRIMS_OK) clp_steps_abandon(run->queue, counted, run->num_wait, run->wait);
    clReleaseEvent(counted);
    return status;
}

static clprims_status enqueue(clprims_select *plan, const clprims_select_buffers *buffers,
                              size_t capacity, const clp_pass_run *run) {
    clprims_select_buffers used = *buffers;
    const clprims_buffer none = {NULL, 0};
    const clp_select_spec *spec = &plan->spec;
    if (run->n == 0) capacity = 0; /* as much as there is */
    const bool has_values = spec->values && (spec->partition ? run->n : capacity) > 0;
    CLP_TRY(clp_parameters_check(&plan->parameters, "select"));
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        if (run->n == 0) used.in[k] = none;
        if (!has_values) used.out[k] = none;
    }
    if (!clp_select_has_flags(spec) || run->n == 0) used.flags = none;
    if (spec->indices == CLPRIMS_TYPE_DEFAULT || capacity == 0) used.indices = none;
    if (spec->lengths == CLPRIMS_TYPE_DEFAULT || capacity == 0) used.lengths = none;
    CLP_TRY(clp_select_check_buffers(plan->context, spec, &used, run->n, run->counted, capacity));
    if (spec->partition) return enqueue_partition(plan, &used, run);
    return enqueue_pass(plan, &plan->pass, spec->arrays, &used, capacity, run);
}

static const clp_layout buffers_layout =
    CLP_LAYOUT(clprims_select_buffers, count, "CLPRIMS_SELECT_BUFFERS_INIT");

/* What the caller gave, as far as it does not depend on n. */
static clprims_status take_buffers(const clprims_select *plan,
                                   const clprims_select_buffers *buffers, const clp_pass_run *run,
                                   clprims_select_buffers *full) {
    if (plan == NULL || run->queue == NULL || buffers == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: %s is NULL",
                        plan == NULL         ? "plan"
                        : run->queue == NULL ? "queue"
                                             : "buffers");
    }
    CLP_TRY(clp_struct_take("select", "buffers", &buffers_layout, buffers, full));
    return clp_check_submission(plan->context, "select", run->queue, run->num_wait, run->wait);
}

clprims_status clprims_select_enqueue(clprims_select *plan, cl_command_queue queue,
                                      const clprims_select_buffers *buffers, size_t n,
                                      size_t capacity, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    clprims_select_buffers full = CLPRIMS_SELECT_BUFFERS_INIT;
    const clp_pass_run run = {
        .queue = queue, .n = n, .num_wait = num_wait, .wait = wait, .event = event};
    clp_clear_error();
    CLP_TRY(take_buffers(plan, buffers, &run, &full));
    CLP_TRY(clp_check_n("select", n, plan->spec.max_n));
    return enqueue(plan, &full, capacity, &run);
}

clprims_status clprims_select_enqueue_counted(clprims_select *plan, cl_command_queue queue,
                                              const clprims_select_buffers *buffers,
                                              clprims_buffer n, size_t capacity, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event) {
    clprims_select_buffers full = CLPRIMS_SELECT_BUFFERS_INIT;
    clp_pass_run run = {
        .queue = queue, .counted = n, .num_wait = num_wait, .wait = wait, .event = event};
    clp_clear_error();
    CLP_TRY(take_buffers(plan, buffers, &run, &full));
    CLP_TRY(clp_check_counted("select", "n", n));
    run.n = plan->spec.max_n;
    return enqueue(plan, &full, capacity, &run);
}

/* ---- Plain arrays ---- */

static clprims_status check_arrays(const clprims_select *plan, const clprims_select_arrays *arrays,
                                   size_t n, size_t capacity) {
    const clp_select_spec *spec = &plan->spec;
    const char *lacking = NULL;
    for (size_t k = 0; k < spec->arrays; k++) {
        if (arrays->in[k] == NULL && n > 0) lacking = "an array of in";
        if (spec->values && arrays->out[k] == NULL && capacity > 0) lacking = "an array of out";
    }
    if (clp_select_has_flags(spec) && arrays->flags == NULL && n > 0) lacking = "flags";
    if (spec->indices && arrays->indices == NULL && capacity > 0) lacking = "indices";
    if (spec->lengths && arrays->lengths == NULL && capacity > 0) lacking = "lengths";
    if (lacking != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: %s is NULL, with n = %zu and capacity = %zu",
                        lacking, n, capacity);
    }
    if (spec->partition && capacity < n) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: capacity = %zu; a partition of n = %zu needs room for all",
                        capacity, n);
    }
    return CLPRIMS_OK;
}

static clprims_status upload(const clprims_select *plan, const void *host, size_t bytes,
                             clprims_buffer *buffer) {
    if (bytes == 0) return CLPRIMS_OK;
    return clp_upload(plan->context, "select", host, bytes, &buffer->mem);
}

static clprims_status upload_all(const clprims_select *plan, const clprims_select_arrays *arrays,
                                 size_t n, size_t room, clprims_select_buffers *b) {
    const clp_select_spec *spec = &plan->spec;
    for (size_t k = 0; k < spec->arrays; k++) {
        CLP_TRY(upload(plan, arrays->in[k], n * spec->bytes[k], &b->in[k]));
        if (spec->values) CLP_TRY(upload(plan, NULL, room * spec->bytes[k], &b->out[k]));
    }
    if (clp_select_has_flags(spec)) {
        CLP_TRY(upload(plan, arrays->flags, clp_select_flag_bytes(spec, n), &b->flags));
    }
    CLP_TRY(upload(plan, NULL, room * clprims_type_bytes(spec->indices), &b->indices));
    return upload(plan, NULL, room * clprims_type_bytes(spec->lengths), &b->lengths);
}

static clprims_status download(const clprims_select *plan, clprims_buffer buffer, void *host,
                               size_t bytes) {
    if (bytes == 0) return CLPRIMS_OK;
    return clp_download(plan->context, "select", buffer.mem, host, bytes);
}

static clprims_status download_all(const clprims_select *plan, const clprims_select_arrays *arrays,
                                   size_t n, size_t kept, const clprims_select_buffers *b) {
    const clp_select_spec *spec = &plan->spec;
    const size_t written = spec->partition ? n : kept;
    for (size_t k = 0; k < spec->arrays && spec->values; k++) {
        CLP_TRY(download(plan, b->out[k], arrays->out[k], written * spec->bytes[k]));
    }
    CLP_TRY(download(plan, b->indices, arrays->indices, kept * clprims_type_bytes(spec->indices)));
    return download(plan, b->lengths, arrays->lengths, kept * clprims_type_bytes(spec->lengths));
}

static clprims_status run_on(clprims_select *plan, const clprims_select_arrays *arrays, size_t n,
                             size_t capacity, size_t *count, clprims_select_buffers *b) {
    const size_t room = capacity < n ? capacity : n;
    const clp_pass_run run = {.queue = plan->context->queue, .n = n};
    cl_ulong kept = 0;
    CLP_TRY(upload_all(plan, arrays, n, room, b));
    b->count.mem = plan->counted;
    CLP_TRY(enqueue(plan, b, room, &run));
    CLP_TRY(clp_download(plan->context, "select", plan->counted, &kept, sizeof kept));
    *count = (size_t)kept;
    if (clp_select_has_outputs(&plan->spec) && !plan->spec.partition && kept > capacity) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "select: %zu elements are kept, more than capacity = %zu; give more room",
                        *count, capacity);
    }
    return download_all(plan, arrays, n, (size_t)kept, b);
}

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_select_arrays, lengths, "CLPRIMS_SELECT_ARRAYS_INIT");

clprims_status clprims_select_run(clprims_select *plan, const clprims_select_arrays *arrays,
                                  size_t n, size_t capacity, size_t *count) {
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    clprims_select_arrays full = CLPRIMS_SELECT_ARRAYS_INIT;
    clp_clear_error();
    if (plan == NULL || arrays == NULL || count == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: %s is NULL",
                        plan == NULL     ? "plan"
                        : arrays == NULL ? "arrays"
                                         : "count");
    }
    *count = 0;
    CLP_TRY(clp_struct_take("select", "arrays", &arrays_layout, arrays, &full));
    CLP_TRY(clp_check_n("select", n, plan->spec.max_n));
    CLP_TRY(check_arrays(plan, &full, n, capacity));
    const clprims_status status = run_on(plan, &full, n, capacity, count, &b);
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        clp_release_buffers((const cl_mem[]){b.in[k].mem, b.out[k].mem}, 2);
    }
    clp_release_buffers((const cl_mem[]){b.flags.mem, b.indices.mem, b.lengths.mem}, 3);
    return status;
}
