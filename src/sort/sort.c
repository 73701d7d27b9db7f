/* SPDX-License-Identifier: MIT */
/* Sort: plans, the checks of each call, plain arrays. cl/sort/sort.cl says how it works. */
#include "core/check.h"
#include "core/status.h"
#include "sort/sort_plan.h"

#include <stdlib.h>

/* ---- Create and destroy ---- */

const char *clprims_sort_algorithm_name(clprims_sort_algorithm algorithm) {
    static const char *const names[] = {"auto", "count-scatter", "serial", "onesweep"};
    const size_t index = (size_t)algorithm;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}

static clprims_status create_scratch(clprims_sort *plan, size_t elements, size_t element_bytes,
                                     cl_mem *out) {
    const size_t bytes = elements * element_bytes;
    CLP_TRY(clp_scratch_create(plan->context, "sort", bytes, false, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* Of the digits' counts, unless one work-group sorts all. */
static clprims_status create_counts(clprims_sort *plan) {
    const clp_sort_shape *shape = &plan->shape;
    const size_t all = shape->passes * shape->digits;
    const size_t many = clp_sort_tiles(plan, shape, plan->spec.max_n);
    const size_t few = clp_sort_tiles(plan, &plan->small, shape->small_n);
    const size_t segments = plan->most_segments;
    size_t tiles = many > few ? many : few;
    if (segments > 0) tiles = clp_sort_tiles_of_segments(shape, plan->spec.max_n, segments);
    if (clp_sort_is_onesweep(plan)) {
        const size_t rows = segments > 0 ? segments * all : all;
        const size_t sums = shape->count_parts > 0 ? (size_t)1 << 8 * plan->spec.key_bytes : rows;
        const size_t bytes = sums * shape->count_bytes;
        CLP_TRY(clp_scratch_create(plan->context, "sort", bytes, true, &plan->digits));
        plan->scratch_bytes += bytes;
        CLP_TRY(create_scratch(plan, sums, shape->count_bytes, &plan->bases));
        if (shape->table_columns > 0) {
            const size_t found = shape->counters * CLP_DISTINCT_ROW;
            CLP_TRY(create_scratch(plan, found, plan->spec.key_bytes, &plan->found_keys));
            CLP_TRY(create_scratch(plan, found, shape->count_bytes, &plan->found_counts));
        }
        if (shape->count_parts > 0) return CLPRIMS_OK;
        return create_scratch(plan, 2 * tiles * shape->digits, shape->count_bytes, &plan->counts);
    }
    const bool serial = clp_sort_is_serial(plan);
    CLP_TRY(create_scratch(plan, shape->counters * (serial ? shape->digits + 1 : all),
                           shape->count_bytes, &plan->digits));
    if (!serial) CLP_TRY(create_scratch(plan, all, shape->count_bytes, &plan->bases));
    return create_scratch(plan, tiles * shape->digits, shape->count_bytes, &plan->counts);
}

static clprims_status create_buffers(clprims_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const clp_sort_shape *shape = &plan->shape;
    const size_t live_bytes = 4 * CLP_SORT_MOST_PASSES * sizeof(cl_uint);
    /* Without passes nothing else sets it. */
    CLP_TRY(clp_scratch_create(plan->context, "sort", live_bytes, true, &plan->live));
    plan->scratch_bytes = live_bytes;
    if (shape->passes == 0) return CLPRIMS_OK;
    if (shape->count_parts == 0) {
        CLP_TRY(create_scratch(plan, spec->max_n, spec->key_bytes, &plan->keys));
    }
    if (spec->no_keys && shape->passes > 1) {
        CLP_TRY(create_scratch(plan, spec->max_n, spec->key_bytes, &plan->other_keys));
    }
    if (clp_sort_merges_tiles(plan)) {
        const size_t word = clp_sort_word_bytes(spec);
        const bool by_blocks = clp_sort_merges_blocks(plan);
        const size_t words = by_blocks ? CLP_NETWORK_BLOCKS_MOST : CLP_NETWORK_MOST;
        CLP_TRY(create_scratch(plan, words, word, &plan->words));
        if (by_blocks) CLP_TRY(create_scratch(plan, words, word, &plan->blocks));
    }
    for (size_t k = 0; k < spec->values; k++) {
        CLP_TRY(create_scratch(plan, spec->max_n, spec->value_bytes[k], &plan->values[k]));
    }
    return spec->max_n > shape->single ? create_counts(plan) : CLPRIMS_OK;
}

static clprims_status fill_plan(clprims_sort *plan, const clprims_sort_desc *desc) {
    CLP_TRY(clp_sort_spec_fill(plan->context, desc, &plan->spec, &plan->reason));
    CLP_TRY(clp_sort_is_onesweep(plan) ? clp_onesweep_choose_shape(plan, desc->tuning)
                                       : clp_sort_choose_shape(plan, desc->tuning));
    CLP_TRY(clp_sort_build(plan));
    CLP_TRY(clp_sort_create_kernels(plan));
    CLP_TRY(create_buffers(plan));
    CLP_TRY(clp_sort_elements_create(&plan->elements, plan->context, "sort", desc, &plan->spec,
                                     &plan->scratch_bytes));
    CLP_TRY(clp_sort_elements_create_order(&plan->elements, &plan->spec, &plan->scratch_bytes));
    return clp_sort_warm_up(plan);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_sort_desc, max_n, custom, "CLPRIMS_SORT_DESC_INIT");

static clprims_status create(clprims_sort **out, clprims_context *context,
                             const clprims_sort_desc *desc, bool always_counted,
                             size_t most_segments) {
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort: out is NULL");
    *out = NULL;
    clprims_sort_desc full = CLPRIMS_SORT_DESC_INIT;
    CLP_TRY(clp_take_desc("sort", context, &desc_layout, desc, &full));
    clprims_sort *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "sort: no host memory for a plan");
    plan->context = context;
    plan->always_counted = always_counted;
    plan->most_segments = most_segments;
    const clprims_status status = fill_plan(plan, &full);
    if (status == CLPRIMS_OK) {
        *out = plan;
    } else {
        clprims_sort_destroy(plan);
    }
    return status;
}

clprims_status clprims_sort_create(clprims_sort **out, clprims_context *context,
                                   const clprims_sort_desc *desc) {
    clp_clear_error();
    return create(out, context, desc, false, 0);
}

clprims_status clp_sort_create_counted(clprims_sort **out, clprims_context *context,
                                       const clprims_sort_desc *desc) {
    return create(out, context, desc, true, 0);
}

clprims_status clp_sort_create_in_segments(clprims_sort **out, clprims_context *context,
                                           const clprims_sort_desc *desc, size_t most_segments) {
    return create(out, context, desc, true, most_segments);
}

void clprims_sort_destroy(clprims_sort *plan) {
    if (plan == NULL) return;
    const cl_mem scratch[] = {plan->digits,     plan->bases,       plan->live,  plan->counts,
                              plan->keys,       plan->other_keys,  plan->words, plan->blocks,
                              plan->found_keys, plan->found_counts};
    for (size_t kind = 0; kind < CLP_SORT_KERNEL_KINDS; kind++) {
        clp_release_kernels(plan->kernels[kind], CLP_SORT_MOST_PASSES);
    }
    clp_release_buffers(scratch, sizeof scratch / sizeof scratch[0]);
    clp_release_buffers(plan->values, CLP_SORT_VALUES);
    clp_sort_elements_destroy(&plan->elements);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    if (plan->small_program != NULL) clReleaseProgram(plan->small_program);
    free(plan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_sort_info, algorithm, "CLPRIMS_SORT_INFO_INIT");

clprims_status clprims_sort_describe(const clprims_sort *plan, size_t n, clprims_sort_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(clp_check_n("sort_describe", n, plan->spec.max_n));
    const clp_sort_shape *shape = clp_sort_shape_of(plan, n);
    const clprims_sort_info full = {.algorithm = plan->spec.algorithm,
                                    .passes = plan->shape.passes,
                                    .digit_bits = plan->shape.bits,
                                    .group = shape->group,
                                    .tile = clp_sort_is_serial(plan) ? 0 : clp_sort_tile(shape),
                                    .scratch_bytes = plan->scratch_bytes,
                                    .variant = clp_sort_variant(plan, n),
                                    .reason = plan->reason};
    return clp_struct_give("sort_describe", "info", &info_layout, &full, info);
}

clprims_status clprims_sort_set_parameter(clprims_sort *plan, size_t k, size_t bytes,
                                          const void *value) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort: plan is NULL");
    return clp_parameters_set(&plan->elements.parameters, plan->context, "sort", k, bytes, value);
}

/* ---- Enqueue ---- */

static const clp_layout buffers_layout =
    CLP_LAYOUT(clprims_sort_buffers, indices, "CLPRIMS_SORT_BUFFERS_INIT");

static clprims_status enqueue(clprims_sort *plan, const clprims_sort_buffers *buffers,
                              clp_sort_run *run) {
    if (plan == NULL || run->queue == NULL || buffers == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort: %s is NULL",
                        plan == NULL         ? "plan"
                        : run->queue == NULL ? "queue"
                                             : "buffers");
    }
    run->buffers = (clprims_sort_buffers)CLPRIMS_SORT_BUFFERS_INIT;
    CLP_TRY(clp_struct_take("sort", "buffers", &buffers_layout, buffers, &run->buffers));
    CLP_TRY(clp_check_submission(plan->context, "sort", run->queue, run->num_wait, run->wait));
    CLP_TRY(clp_check_n("sort", run->n, plan->spec.max_n));
    CLP_TRY(clp_parameters_check(&plan->elements.parameters, "sort"));
    CLP_TRY(clp_sort_check_buffers(plan, run));
    return clp_sort_submit(plan, run);
}

clprims_status clprims_sort_enqueue(clprims_sort *plan, cl_command_queue queue,
                                    const clprims_sort_buffers *buffers, size_t n, cl_uint num_wait,
                                    const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_sort_run run = {.queue = queue, .n = n, .num_wait = num_wait, .wait = wait, .event = event};
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_sort_enqueue_counted(clprims_sort *plan, cl_command_queue queue,
                                            const clprims_sort_buffers *buffers, clprims_buffer n,
                                            clprims_buffer report, cl_uint num_wait,
                                            const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_sort_run run = {.queue = queue,
                        .n = plan != NULL ? plan->spec.max_n : 0,
                        .counted = n,
                        .report = report,
                        .num_wait = num_wait,
                        .wait = wait,
                        .event = event};
    CLP_TRY(clp_check_counted("sort", "n", n));
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_sort_check(const clprims_sort_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort_check: report is NULL");
    return clp_check_count_report("sort", report->fault, report->count);
}

/* ---- Plain arrays ---- */

static clprims_status check_arrays(const clprims_sort *plan, const clprims_sort_arrays *arrays,
                                   size_t n) {
    const clp_sort_spec *spec = &plan->spec;
    const char *lacking = NULL;
    if (n == 0) return CLPRIMS_OK;
    if (clp_sort_has_indices(spec) && arrays->indices == NULL) lacking = "indices";
    for (size_t k = 0; k < spec->payloads; k++) {
        if (arrays->payload_in[k] == NULL) lacking = "an array of payload_in";
        if (arrays->payload_out[k] == NULL) lacking = "an array of payload_out";
    }
    if (!spec->no_elements && arrays->keys_out == NULL) lacking = "keys_out";
    if (arrays->keys_in == NULL) lacking = "keys_in";
    if (lacking == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort: %s is NULL, with n = %zu", lacking, n);
}

/* Sorted in the device's copies of the inputs, where they have outputs. */
static clprims_status run_on(clprims_sort *plan, const clprims_sort_arrays *arrays, size_t n,
                             clprims_sort_buffers *b) {
    const clprims_context *context = plan->context;
    const clp_sort_spec *spec = &plan->spec;
    const size_t index_bytes = clprims_type_bytes(spec->indices);
    const bool in_place = !spec->no_elements || spec->payloads > 0;
    CLP_TRY(clp_upload(context, "sort", arrays->keys_in, n * spec->element_bytes, &b->keys_in.mem));
    if (!spec->no_elements) b->keys_out = b->keys_in;
    for (size_t k = 0; k < spec->payloads; k++) {
        CLP_TRY(clp_upload(context, "sort", arrays->payload_in[k], n * spec->value_bytes[k],
                           &b->payload_in[k].mem));
        b->payload_out[k] = b->payload_in[k];
    }
    if (index_bytes > 0) {
        CLP_TRY(clp_upload(context, "sort", NULL, n * index_bytes, &b->indices.mem));
    }
    const clp_sort_run run = {.queue = context->queue, .buffers = *b, .n = n, .in_place = in_place};
    CLP_TRY(clp_sort_submit(plan, &run));
    if (!spec->no_elements) {
        CLP_TRY(clp_download(context, "sort", b->keys_in.mem, arrays->keys_out,
                             n * spec->element_bytes));
    }
    for (size_t k = 0; k < spec->payloads; k++) {
        CLP_TRY(clp_download(context, "sort", b->payload_in[k].mem, arrays->payload_out[k],
                             n * spec->value_bytes[k]));
    }
    if (index_bytes == 0) return CLPRIMS_OK;
    return clp_download(context, "sort", b->indices.mem, arrays->indices, n * index_bytes);
}

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_sort_arrays, indices, "CLPRIMS_SORT_ARRAYS_INIT");

clprims_status clprims_sort_run(clprims_sort *plan, const clprims_sort_arrays *arrays, size_t n) {
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    clprims_sort_arrays full = CLPRIMS_SORT_ARRAYS_INIT;
    clp_clear_error();
    if (plan == NULL || arrays == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "sort: %s is NULL", plan == NULL ? "plan" : "arrays");
    }
    CLP_TRY(clp_struct_take("sort", "arrays", &arrays_layout, arrays, &full));
    CLP_TRY(clp_check_n("sort", n, plan->spec.max_n));
    CLP_TRY(clp_parameters_check(&plan->elements.parameters, "sort"));
    CLP_TRY(check_arrays(plan, &full, n));
    if (n == 0) return CLPRIMS_OK;
    const clprims_status status = run_on(plan, &full, n, &b);
    clp_release_buffers((const cl_mem[]){b.keys_in.mem, b.indices.mem}, 2);
    for (size_t k = 0; k < CLPRIMS_SORT_PAYLOADS; k++) {
        clp_release_buffers((const cl_mem[]){b.payload_in[k].mem}, 1);
    }
    return status;
}
