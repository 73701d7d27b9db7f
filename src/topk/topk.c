/* SPDX-License-Identifier: MIT */
/* Top-k: plans, the checks of each call, plain arrays. cl/topk/topk.cl says how it works. */
#include "core/check.h"
#include "core/program.h"
#include "core/status.h"
#include "topk/topk_plan.h"

#include <stdlib.h>

/* ---- Create and destroy ---- */

/* The sort whose first elements are wanted. */
static clprims_sort_desc sort_like(const clprims_topk_desc *desc) {
    clprims_sort_desc like = CLPRIMS_SORT_DESC_INIT;
    like.type = desc->type;
    like.descending = !desc->least;
    like.floats = desc->floats;
    like.indices = desc->indices;
    like.max_n = desc->max_n;
    like.key = desc->key;
    like.elements = desc->elements;
    like.custom = desc->custom;
    like.parameters = desc->parameters;
    return like;
}

static clprims_status take_description(clprims_topk *plan, const clprims_topk_desc *desc) {
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(clp_sort_spec_take("topk", &like, &plan->spec));
    if (desc->no_values && desc->indices == CLPRIMS_TYPE_DEFAULT) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: no_values without indices leaves no result");
    }
    plan->spec.no_keys = plan->spec.no_elements = desc->no_values != 0;
    CLP_TRY(clp_sort_elements_check(plan->context, "topk", &like, &plan->spec));
    plan->max_k = desc->max_k;
    if (desc->max_k == 0 || desc->max_k > desc->max_n) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: max_k = %zu; it must be from 1 to max_n = %zu",
                        desc->max_k, desc->max_n);
    }
    if (desc->max_k <= INT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "topk: max_k = %zu exceeds %zu", desc->max_k,
                    (size_t)INT32_MAX);
}

static clprims_status add_scratch(clprims_topk *plan, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(clp_scratch_create(plan->context, "topk", bytes, zeroed, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

static clprims_status create_scratch(clprims_topk *plan) {
    enum { STATE_WORDS = 7 };
    const clp_topk_shape *shape = &plan->shape;
    const size_t bins = sizeof(cl_uint) << shape->bits;
    CLP_TRY(add_scratch(plan, STATE_WORDS * sizeof(cl_ulong), true, &plan->state));
    CLP_TRY(add_scratch(plan, 2 * sizeof(cl_uint), true, &plan->found));
    CLP_TRY(add_scratch(plan, sizeof(cl_ulong), true, &plan->total));
    CLP_TRY(add_scratch(plan, bins, true, &plan->low));
    CLP_TRY(add_scratch(plan, bins, true, &plan->high));
    CLP_TRY(add_scratch(plan, shape->room * plan->spec.key_bytes, false, &plan->keys));
    return add_scratch(plan, shape->room * shape->count_bytes, false, &plan->indices);
}

static clprims_status create_sort(clprims_topk *plan, const clprims_sort_desc *desc,
                                  clprims_sort **out) {
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    CLP_TRY(clp_sort_create_counted(out, plan->context, desc));
    CLP_TRY(clprims_sort_describe(*out, 0, &info));
    plan->scratch_bytes += info.scratch_bytes;
    return CLPRIMS_OK;
}

static clprims_status create_sorts(clprims_topk *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const bool is_wide = plan->shape.count_bytes == sizeof(cl_ulong);
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = is_wide ? CLPRIMS_U64 : CLPRIMS_U32;
    desc.end_bit = (unsigned)clp_sort_rounds(spec->max_n);
    desc.max_n = plan->shape.room;
    desc.payloads = 1;
    desc.payload_bytes[0] = spec->key_bytes;
    CLP_TRY(create_sort(plan, &desc, &plan->by_index));
    desc.type = spec->type;
    desc.descending = spec->descending;
    desc.floats = spec->floats;
    desc.end_bit = CLPRIMS_SORT_ALL_BITS;
    desc.payload_bytes[0] = plan->shape.count_bytes;
    return create_sort(plan, &desc, &plan->by_key);
}

/* The elements that were found come by the candidates' indices. */
static clprims_status create_elements(clprims_topk *plan, const clprims_topk_desc *desc) {
    const clprims_sort_desc like = sort_like(desc);
    clp_sort_spec *spec = &plan->spec;
    if (spec->has_expression && !spec->no_elements) {
        spec->order = plan->shape.count_bytes == sizeof(cl_uint) ? CLPRIMS_U32 : CLPRIMS_U64;
    }
    return clp_sort_elements_create(&plan->elements, plan->context, "topk", &like, spec,
                                    &plan->scratch_bytes);
}

static clprims_status fill_plan(clprims_topk *plan, const clprims_topk_desc *desc) {
    CLP_TRY(take_description(plan, desc));
    CLP_TRY(clp_topk_choose_shape(plan, desc->tuning));
    CLP_TRY(create_elements(plan, desc));
    CLP_TRY(clp_topk_build(plan));
    CLP_TRY(clp_topk_create_kernels(plan));
    CLP_TRY(create_scratch(plan));
    CLP_TRY(create_sorts(plan));
    return clp_topk_warm_up(plan);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_topk_desc, max_k, custom, "CLPRIMS_TOPK_DESC_INIT");

clprims_status clprims_topk_create(clprims_topk **out, clprims_context *context,
                                   const clprims_topk_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: out is NULL");
    *out = NULL;
    clprims_topk_desc full = CLPRIMS_TOPK_DESC_INIT;
    CLP_TRY(clp_take_desc("topk", context, &desc_layout, desc, &full));
    clprims_topk *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "topk: no host memory for a plan");
    plan->context = context;
    const clprims_status status = fill_plan(plan, &full);
    if (status == CLPRIMS_OK) {
        *out = plan;
    } else {
        clprims_topk_destroy(plan);
    }
    return status;
}

void clprims_topk_destroy(clprims_topk *plan) {
    if (plan == NULL) return;
    const cl_mem scratch[] = {plan->state, plan->found, plan->low,    plan->high,
                              plan->total, plan->keys,  plan->indices};
    for (int kind = 0; kind < CLP_TOPK_KERNEL_KINDS; kind++) {
        clp_release_kernels(plan->kernels[kind], CLP_TOPK_MOST_PASSES);
    }
    clp_release_buffers(scratch, sizeof scratch / sizeof scratch[0]);
    clp_sort_elements_destroy(&plan->elements);
    clprims_sort_destroy(plan->by_index);
    clprims_sort_destroy(plan->by_key);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    free(plan);
}

static clprims_status check_sizes(const char *who, const clprims_topk *plan, size_t n, size_t k) {
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    if (k > plan->max_k) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: k = %zu exceeds max_k = %zu", who, k,
                        plan->max_k);
    }
    if (k > 0 && k <= n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: k = %zu; it must be from 1 to n = %zu", who, k, n);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_topk_info, group, "CLPRIMS_TOPK_INFO_INIT");

clprims_status clprims_topk_describe(const clprims_topk *plan, size_t n, size_t k,
                                     clprims_topk_info *info) {
    static const char *const variants[] = {
        [CLP_TOPK_SORT] = "sort", [CLP_TOPK_BY_SAMPLE] = "sample", [CLP_TOPK_SELECT] = "select"};
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(check_sizes("topk_describe", plan, n, k));
    const clprims_topk_info full = {.group = plan->shape.group,
                                    .passes = plan->shape.passes + clp_topk_index_passes(plan, n),
                                    .room = plan->shape.room,
                                    .scratch_bytes = plan->scratch_bytes,
                                    .variant = variants[clp_topk_way_of(plan, n, k)]};
    return clp_struct_give("topk_describe", "info", &info_layout, &full, info);
}

clprims_status clprims_topk_set_parameter(clprims_topk *plan, size_t k, size_t bytes,
                                          const void *value) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: plan is NULL");
    return clp_parameters_set(&plan->elements.parameters, plan->context, "topk", k, bytes, value);
}

/* ---- Enqueue ---- */

static clprims_status check_buffers(const clprims_topk *plan, const clp_topk_run *run) {
    const clprims_topk_buffers *b = &run->buffers;
    const clp_sort_spec *spec = &plan->spec;
    const clp_array in = {"in", b->in, run->n, spec->element_bytes};
    const clp_array values = {"values", b->values, run->k, spec->element_bytes};
    const clp_array indices = {"indices", b->indices, run->k, clprims_type_bytes(spec->indices)};
    clp_array all[4]; /* the outputs, the input, the number of elements */
    size_t outs = 0;
    if (!spec->no_elements) all[outs++] = values;
    if (clp_sort_has_indices(spec)) all[outs++] = indices;
    CLP_TRY(clp_array_check(plan->context, "topk", &in));
    for (size_t o = 0; o < outs; o++) {
        CLP_TRY(clp_array_check(plan->context, "topk", &all[o]));
        CLP_TRY(clp_arrays_apart("topk", &in, &all[o]));
        if (o > 0) CLP_TRY(clp_arrays_apart("topk", &all[0], &all[o]));
    }
    CLP_TRY(clp_count_check(plan->context, "topk", run->counted, all, outs));
    all[outs] = in;
    all[outs + 1] = (clp_array){"n", run->counted, 1, sizeof(cl_ulong)};
    return clp_report_check(plan->context, "topk", run->report, sizeof(clprims_topk_report), all,
                            outs + 2);
}

static const clp_layout buffers_layout =
    CLP_LAYOUT(clprims_topk_buffers, indices, "CLPRIMS_TOPK_BUFFERS_INIT");

static clprims_status enqueue(clprims_topk *plan, const clprims_topk_buffers *buffers,
                              clp_topk_run *run) {
    if (plan == NULL || run->queue == NULL || buffers == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: %s is NULL",
                        plan == NULL         ? "plan"
                        : run->queue == NULL ? "queue"
                                             : "buffers");
    }
    run->buffers = (clprims_topk_buffers)CLPRIMS_TOPK_BUFFERS_INIT;
    CLP_TRY(clp_struct_take("topk", "buffers", &buffers_layout, buffers, &run->buffers));
    CLP_TRY(clp_check_submission(plan->context, "topk", run->queue, run->num_wait, run->wait));
    CLP_TRY(check_sizes("topk", plan, run->n, run->k));
    CLP_TRY(clp_parameters_check(&plan->elements.parameters, "topk"));
    CLP_TRY(check_buffers(plan, run));
    return clp_topk_submit(plan, run);
}

clprims_status clprims_topk_enqueue(clprims_topk *plan, cl_command_queue queue,
                                    const clprims_topk_buffers *buffers, size_t n, size_t k,
                                    cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_topk_run run = {
        .queue = queue, .n = n, .k = k, .num_wait = num_wait, .wait = wait, .event = event};
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_topk_enqueue_counted(clprims_topk *plan, cl_command_queue queue,
                                            const clprims_topk_buffers *buffers, clprims_buffer n,
                                            size_t k, clprims_buffer report, cl_uint num_wait,
                                            const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_topk_run run = {.queue = queue,
                        .n = plan != NULL ? plan->spec.max_n : 0,
                        .k = k,
                        .counted = n,
                        .report = report,
                        .num_wait = num_wait,
                        .wait = wait,
                        .event = event};
    CLP_TRY(clp_check_counted("topk", "n", n));
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_topk_check(const clprims_topk_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk_check: report is NULL");
    return clp_check_count_report("topk", report->fault, report->count);
}

/* ---- Plain arrays ---- */

static clprims_status run_on(clprims_topk *plan, const clprims_topk_arrays *arrays, size_t n,
                             size_t k, clprims_topk_buffers *b) {
    const clprims_context *context = plan->context;
    const clp_sort_spec *spec = &plan->spec;
    const size_t index_bytes = clprims_type_bytes(spec->indices), bytes = spec->element_bytes;
    CLP_TRY(clp_upload(context, "topk", arrays->in, n * bytes, &b->in.mem));
    if (!spec->no_elements) CLP_TRY(clp_upload(context, "topk", NULL, k * bytes, &b->values.mem));
    if (index_bytes > 0) {
        CLP_TRY(clp_upload(context, "topk", NULL, k * index_bytes, &b->indices.mem));
    }
    const clp_topk_run run = {.queue = context->queue, .buffers = *b, .n = n, .k = k};
    CLP_TRY(clp_topk_submit(plan, &run));
    if (!spec->no_elements) {
        CLP_TRY(clp_download(context, "topk", b->values.mem, arrays->values, k * bytes));
    }
    if (index_bytes == 0) return CLPRIMS_OK;
    return clp_download(context, "topk", b->indices.mem, arrays->indices, k * index_bytes);
}

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_topk_arrays, indices, "CLPRIMS_TOPK_ARRAYS_INIT");

clprims_status clprims_topk_run(clprims_topk *plan, const clprims_topk_arrays *arrays, size_t n,
                                size_t k) {
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    clprims_topk_arrays full = CLPRIMS_TOPK_ARRAYS_INIT;
    clp_clear_error();
    if (plan == NULL || arrays == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: %s is NULL", plan == NULL ? "plan" : "arrays");
    }
    CLP_TRY(clp_struct_take("topk", "arrays", &arrays_layout, arrays, &full));
    CLP_TRY(check_sizes("topk", plan, n, k));
    CLP_TRY(clp_parameters_check(&plan->elements.parameters, "topk"));
    const char *lacking = NULL;
    if (clp_sort_has_indices(&plan->spec) && full.indices == NULL) lacking = "indices";
    if (!plan->spec.no_elements && full.values == NULL) lacking = "values";
    if (full.in == NULL) lacking = "in";
    if (lacking != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "topk: %s is NULL, with n = %zu and k = %zu", lacking,
                        n, k);
    }
    const clprims_status status = run_on(plan, &full, n, k, &b);
    clp_release_buffers((const cl_mem[]){b.in.mem, b.values.mem, b.indices.mem}, 3);
    return status;
}
