/* SPDX-License-Identifier: MIT */
/* Segmented sort: plans, the checks of each call. cl/segmented_sort/segments.cl says how it works.
 */
#include "core/check.h"
#include "core/program.h"
#include "core/status.h"
#include "segmented_sort/segments_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The description ---- */

static clprims_status check_own(const clprims_segmented_sort_desc *desc) {
    if (desc->offsets != CLPRIMS_TYPE_DEFAULT && desc->offsets != CLPRIMS_I32 &&
        desc->offsets != CLPRIMS_I64) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented_sort: offsets = %d (%s); offsets are int32 or int64",
                        (int)desc->offsets, clprims_type_name(desc->offsets));
    }
    if ((unsigned)desc->algorithm > CLPRIMS_SEGMENTED_SORT_SERIAL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented_sort: algorithm = %d is none of "
                        "clprims_segmented_sort_algorithm",
                        (int)desc->algorithm);
    }
    if (desc->local_indices && desc->indices == CLPRIMS_TYPE_DEFAULT) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented_sort: local_indices = %d without a type of indices",
                        desc->local_indices);
    }
    if (desc->max_segments <= UINT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "segmented_sort: max_segments = %zu exceeds %zu",
                    desc->max_segments, (size_t)UINT32_MAX);
}

/* The sort of one segment. */
static clprims_sort_desc sort_like(const clprims_segmented_sort_desc *desc) {
    clprims_sort_desc like = CLPRIMS_SORT_DESC_INIT;
    like.type = desc->type;
    like.descending = desc->descending;
    like.floats = desc->floats;
    like.payloads = desc->payloads;
    memcpy(like.payload_bytes, desc->payload_bytes, sizeof like.payload_bytes);
    like.indices = desc->indices;
    like.no_keys = desc->no_keys;
    like.max_n = desc->max_n;
    like.begin_bit = desc->begin_bit;
    like.end_bit = desc->end_bit;
    like.key = desc->key;
    like.elements = desc->elements;
    like.custom = desc->custom;
    like.parameters = desc->parameters;
    return like;
}

static clprims_status take_description(clprims_segmented_sort *plan,
                                       const clprims_segmented_sort_desc *desc) {
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(clp_sort_spec_take("segmented_sort", &like, &plan->spec));
    CLP_TRY(clp_sort_elements_check(plan->context, "segmented_sort", &like, &plan->spec));
    clp_sort_spec_add_values(&plan->spec);
    CLP_TRY(check_own(desc));
    const clprims_context *context = plan->context;
    const bool suits_cpu = context->device.is_cpu && context->layer == CLPRIMS_LAYER_LOCAL;
    plan->offsets = desc->offsets == CLPRIMS_I32 ? CLPRIMS_I32 : CLPRIMS_I64;
    plan->local_indices = desc->local_indices != 0;
    plan->max_segments = desc->max_segments;
    plan->shape.is_serial = desc->algorithm == CLPRIMS_SEGMENTED_SORT_SERIAL ||
                            (desc->algorithm == CLPRIMS_SEGMENTED_SORT_AUTO && suits_cpu);
    return CLPRIMS_OK;
}

/* ---- Scratch ---- */

static clprims_status add_scratch(clprims_segmented_sort *plan, size_t elements, size_t bytes,
                                  bool zeroed, cl_mem *out) {
    const size_t all = (elements > 0 ? elements : 1) * bytes;
    CLP_TRY(clp_scratch_create(plan->context, "segmented_sort", all, zeroed, out));
    plan->scratch_bytes += all;
    return CLPRIMS_OK;
}

/* Of each class: where its list begins, and its room. */
static clprims_status create_lists(clprims_segmented_sort *plan) {
    enum { SIZES = 4, FOUND_WORDS = 60 }; /* as cl/segmented_sort/segments.cl has them */
    const clp_segments_shape *shape = &plan->shape;
    cl_ulong table[2 * CLP_SEGMENTS_CLASSES], all = 0;
    for (size_t c = 0; c < shape->classes; c++) {
        const size_t most = plan->spec.max_n / (shape->class[c].least + 1);
        plan->list_room[c] = most < plan->max_segments ? most : plan->max_segments;
        table[2 * c] = all;
        table[2 * c + 1] = plan->list_room[c];
        all += plan->list_room[c];
    }
    const size_t table_bytes = 2 * shape->classes * sizeof table[0];
    CLP_TRY(clp_upload(plan->context, "segmented_sort", table, table_bytes, &plan->table));
    plan->scratch_bytes += table_bytes;
    CLP_TRY(add_scratch(plan, (size_t)all, sizeof(cl_ulong), false, &plan->lists));
    CLP_TRY(add_scratch(plan, SIZES, sizeof(cl_ulong), false, &plan->sizes));
    return add_scratch(plan, FOUND_WORDS, sizeof(cl_uint), true, &plan->found);
}

/* A sort of long segments' keys. */
static clprims_sort_desc sort_of_long(const clp_sort_spec *spec) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = spec->type;
    desc.descending = spec->descending;
    desc.floats = spec->floats;
    desc.max_n = spec->max_n;
    desc.begin_bit = spec->begin;
    desc.end_bit = spec->end;
    desc.no_keys = spec->no_keys;
    return desc;
}

/* One that leaves the places where elements were. */
static clprims_status create_sort_by_tiles(clprims_segmented_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const size_t long_room = plan->list_room[plan->shape.classes - 1];
    clprims_sort_desc desc = sort_of_long(spec);
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    desc.algorithm = CLPRIMS_SORT_ONESWEEP;
    if (spec->values > 0) {
        desc.indices = plan->shape.count_bytes == sizeof(cl_uint) ? CLPRIMS_U32 : CLPRIMS_I64;
    }
    CLP_TRY(clp_sort_create_in_segments(&plan->by_key, plan->context, &desc, long_room));
    CLP_TRY(clprims_sort_describe(plan->by_key, 0, &info));
    plan->scratch_bytes += info.scratch_bytes;
    const size_t tiles = clp_sort_tiles_of_segments(&plan->by_key->shape, spec->max_n, long_room);
    return add_scratch(plan, tiles, CLP_SEGMENTS_TILE_BYTES, false, &plan->tiles);
}

/* Two that take gathered elements. */
static clprims_status create_sorts(clprims_segmented_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const size_t long_room = plan->list_room[plan->shape.classes - 1];
    const size_t place_bytes = plan->shape.count_bytes;
    clprims_sort_desc desc = sort_of_long(spec);
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    desc.payload_bytes[desc.payloads++] = sizeof(cl_uint);
    if (spec->values > 0) desc.payload_bytes[desc.payloads++] = place_bytes;
    CLP_TRY(clp_sort_create_counted(&plan->by_key, plan->context, &desc));
    CLP_TRY(clprims_sort_describe(plan->by_key, 0, &info));
    plan->scratch_bytes += info.scratch_bytes;
    if (long_room < 2) return CLPRIMS_OK;
    desc = (clprims_sort_desc)CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.end_bit = (unsigned)clp_sort_rounds(long_room);
    desc.max_n = spec->max_n;
    desc.no_keys = 1;
    if (!spec->no_keys) desc.payload_bytes[desc.payloads++] = spec->key_bytes;
    if (spec->values > 0) desc.payload_bytes[desc.payloads++] = place_bytes;
    CLP_TRY(clp_sort_create_counted(&plan->by_number, plan->context, &desc));
    CLP_TRY(clprims_sort_describe(plan->by_number, 0, &info));
    plan->scratch_bytes += info.scratch_bytes;
    return CLPRIMS_OK;
}

static clprims_status create_long(clprims_segmented_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const size_t count_bytes = plan->shape.count_bytes;
    const size_t long_room = plan->list_room[plan->shape.classes - 1];
    const size_t few = spec->max_n < plan->shape.few ? spec->max_n : plan->shape.few;
    const bool sorts = clp_segments_may_sort_long(plan);
    const bool gathers = sorts && !plan->shape.long_by_tiles, has_values = spec->values > 0;
    const size_t keys = gathers ? spec->max_n : few;
    CLP_TRY(add_scratch(plan, keys, spec->key_bytes, false, &plan->keys[0]));
    CLP_TRY(add_scratch(plan, gathers || has_values ? keys : 0, sizeof(cl_uint), false,
                        &plan->numbers[0]));
    CLP_TRY(add_scratch(plan, few, spec->key_bytes, false, &plan->keys[1]));
    CLP_TRY(add_scratch(plan, has_values ? few : 0, sizeof(cl_uint), false, &plan->numbers[1]));
    if (!sorts) return CLPRIMS_OK;
    CLP_TRY(add_scratch(plan, long_room + 1, count_bytes, false, &plan->starts));
    CLP_TRY(add_scratch(plan, 1, sizeof(cl_ulong), true, &plan->total));
    CLP_TRY(
        add_scratch(plan, spec->values > 0 ? spec->max_n : 1, count_bytes, false, &plan->places));
    return gathers ? create_sorts(plan) : create_sort_by_tiles(plan);
}

/* ---- Create and destroy ---- */

static clprims_status create_kernels(clprims_segmented_sort *plan) {
    const clp_segments_shape *shape = &plan->shape;
    const bool is_long = clp_segments_may_sort_long(plan);
    const bool by_tiles = shape->long_by_tiles;
    const bool scatters = is_long && (!by_tiles || plan->spec.values > 0);
    static const char *const by[] = {[CLP_SEGMENTS_BY_LANES_128] = "clp_segments_lanes_128",
                                     [CLP_SEGMENTS_BY_LANES_512] = "clp_segments_lanes_512",
                                     [CLP_SEGMENTS_BY_LANES_1024] = "clp_segments_lanes_1024",
                                     [CLP_SEGMENTS_BY_TEAMS] = "clp_segments_teams",
                                     [CLP_SEGMENTS_BY_LARGE] = "clp_segments_large",
                                     [CLP_SEGMENTS_BY_RADIX] = "clp_segments_radix"};
    const char *names[CLP_SEGMENTS_KERNELS] = {
        [CLP_SEGMENTS_KERNEL_BEGIN] = "clp_segments_begin",
        [CLP_SEGMENTS_KERNEL_FIRST] =
            shape->is_serial ? "clp_segments_serial" : "clp_segments_short",
        [CLP_SEGMENTS_KERNEL_STARTS] = is_long ? "clp_segments_starts" : NULL,
        [CLP_SEGMENTS_KERNEL_TILES] = is_long && by_tiles ? "clp_segments_tiles" : NULL,
        [CLP_SEGMENTS_KERNEL_GATHER] = is_long && !by_tiles ? "clp_segments_gather" : NULL,
        [CLP_SEGMENTS_KERNEL_SCATTER] = scatters ? "clp_segments_scatter" : NULL,
        [CLP_SEGMENTS_KERNEL_COPY] =
            clp_segments_moved(&plan->spec) > 0 ? "clp_segments_copy" : NULL,
        [CLP_SEGMENTS_KERNEL_FINISH] = "clp_segments_finish",
        [CLP_SEGMENTS_KERNEL_LANES] =
            shape->few > 0 && shape->by_lanes ? "clp_segments_lanes" : NULL,
        [CLP_SEGMENTS_KERNEL_FEW] = shape->few > 0 ? "clp_segments_few" : NULL};
    for (size_t c = 0; c + 1 < shape->classes; c++) {
        if (plan->list_room[c] == 0) continue;
        names[CLP_SEGMENTS_KERNEL_CLASSES + c] = by[shape->class[c].by];
    }
    for (size_t k = 0; k < CLP_SEGMENTS_KERNELS; k++) {
        if (names[k] == NULL) continue;
        const bool is_class = k >= CLP_SEGMENTS_KERNEL_CLASSES;
        const size_t class = is_class ? k - CLP_SEGMENTS_KERNEL_CLASSES : 0;
        const bool is_radix = k == CLP_SEGMENTS_KERNEL_FEW ||
                              (is_class && shape->class[class].by == CLP_SEGMENTS_BY_RADIX);
        CLP_TRY(clp_kernel_create(is_radix ? plan->radix_program : plan->program, "segmented_sort",
                                  names[k], &plan->kernels[k]));
    }
    return CLPRIMS_OK;
}

static clprims_status fill_plan(clprims_segmented_sort *plan,
                                const clprims_segmented_sort_desc *desc) {
    const clp_sort_spec *spec = &plan->spec;
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(take_description(plan, desc));
    CLP_TRY(clp_segments_choose_shape(plan, desc->tuning));
    CLP_TRY(clp_sort_elements_create(&plan->elements, plan->context, "segmented_sort", &like, spec,
                                     &plan->scratch_bytes));
    CLP_TRY(clp_segments_build(plan));
    CLP_TRY(create_lists(plan));
    CLP_TRY(create_kernels(plan));
    for (size_t k = 0; k < clp_segments_moved(spec); k++) {
        CLP_TRY(add_scratch(plan, spec->max_n, spec->value_bytes[k], false, &plan->payloads[k]));
    }
    if (clp_segments_may_be_long(plan, spec->max_n)) CLP_TRY(create_long(plan));
    return clp_segments_warm_up(plan);
}

static const clp_layout desc_layout = CLP_LAYOUT_AROUND(clprims_segmented_sort_desc, max_segments,
                                                        custom, "CLPRIMS_SEGMENTED_SORT_DESC_INIT");

clprims_status clprims_segmented_sort_create(clprims_segmented_sort **out, clprims_context *context,
                                             const clprims_segmented_sort_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_sort: out is NULL");
    *out = NULL;
    clprims_segmented_sort_desc full = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    CLP_TRY(clp_take_desc("segmented_sort", context, &desc_layout, desc, &full));
    clprims_segmented_sort *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "segmented_sort: no host memory for a plan");
    }
    plan->context = context;
    const clprims_status status = fill_plan(plan, &full);
    if (status == CLPRIMS_OK) {
        *out = plan;
    } else {
        clprims_segmented_sort_destroy(plan);
    }
    return status;
}

void clprims_segmented_sort_destroy(clprims_segmented_sort *plan) {
    if (plan == NULL) return;
    const cl_mem scratch[] = {plan->sizes,  plan->found,   plan->lists,      plan->table,
                              plan->starts, plan->total,   plan->numbers[0], plan->keys[0],
                              plan->places, plan->keys[1], plan->numbers[1], plan->tiles};
    clp_release_kernels(plan->kernels, CLP_SEGMENTS_KERNELS);
    clp_release_buffers(scratch, sizeof scratch / sizeof scratch[0]);
    clp_release_buffers(plan->payloads, CLPRIMS_SORT_PAYLOADS + 1);
    clp_sort_elements_destroy(&plan->elements);
    clprims_sort_destroy(plan->by_key);
    clprims_sort_destroy(plan->by_number);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    if (plan->radix_program != NULL) clReleaseProgram(plan->radix_program);
    free(plan);
}

clprims_status clp_segments_check_sizes(const char *who, const clprims_segmented_sort *plan,
                                        size_t n, size_t segments) {
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    if (segments <= plan->max_segments) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: segments = %zu exceeds max_segments = %zu", who,
                    segments, plan->max_segments);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_segmented_sort_info, algorithm, "CLPRIMS_SEGMENTED_SORT_INFO_INIT");

clprims_status clprims_segmented_sort_describe(const clprims_segmented_sort *plan, size_t n,
                                               size_t segments, clprims_segmented_sort_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_sort_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(clp_segments_check_sizes("segmented_sort_describe", plan, n, segments));
    const clprims_segmented_sort_info full = {
        .algorithm =
            plan->shape.is_serial ? CLPRIMS_SEGMENTED_SORT_SERIAL : CLPRIMS_SEGMENTED_SORT_GROUPS,
        .local = plan->shape.most,
        .scratch_bytes = plan->scratch_bytes,
        .variant = clp_segments_may_be_long(plan, n) ? "short-and-long" : "short"};
    return clp_struct_give("segmented_sort_describe", "info", &info_layout, &full, info);
}

clprims_status clprims_segmented_sort_set_parameter(clprims_segmented_sort *plan, size_t k,
                                                    size_t bytes, const void *value) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_sort: plan is NULL");
    return clp_parameters_set(&plan->elements.parameters, plan->context, "segmented_sort", k, bytes,
                              value);
}

/* ---- Enqueue ---- */

static clprims_status check_buffers(const clprims_segmented_sort *plan, clp_segments_run *run) {
    const clprims_context *context = plan->context;
    const clprims_segmented_sort_buffers *b = &run->buffers;
    clprims_sort_buffers like = CLPRIMS_SORT_BUFFERS_INIT;
    clp_array inputs[CLP_SORT_INPUTS + 2], all[CLP_SORT_OUTPUTS + CLP_SORT_INPUTS + 3];
    size_t ins = 0, outs = 0;
    like.keys_in = b->keys_in;
    like.keys_out = b->keys_out;
    memcpy(like.payload_in, b->payload_in, sizeof like.payload_in);
    memcpy(like.payload_out, b->payload_out, sizeof like.payload_out);
    like.indices = b->indices;
    if (run->n > 0) {
        ins = clp_sort_list_inputs(&plan->spec, &like, run->n, inputs);
        outs = clp_sort_list_outputs(&plan->spec, &like, run->n, all);
    }
    inputs[ins++] =
        (clp_array){"offsets", b->offsets, run->segments + 1, clprims_type_bytes(plan->offsets)};
    if (run->counted_segments.mem != NULL) {
        inputs[ins++] = (clp_array){"segments", run->counted_segments, 1, sizeof(cl_ulong)};
    }
    for (size_t i = 0; i < ins; i++) {
        CLP_TRY(clp_array_check(context, "segmented_sort", &inputs[i]));
    }
    CLP_TRY(clp_sort_check_outputs(context, "segmented_sort", &plan->spec, inputs, ins, all, outs,
                                   &run->in_place));
    CLP_TRY(clp_count_check(context, "segmented_sort", run->counted_n, all, outs));
    memcpy(all + outs, inputs, ins * sizeof *inputs);
    all[outs + ins] = (clp_array){"n", run->counted_n, 1, sizeof(cl_ulong)};
    return clp_report_check(context, "segmented_sort", b->report,
                            sizeof(clprims_segmented_sort_report), all, outs + ins + 1);
}

clprims_status clp_segments_enqueue(clprims_segmented_sort *plan, clp_segments_run *run) {
    CLP_TRY(clp_segments_check_sizes("segmented_sort", plan, run->n, run->segments));
    CLP_TRY(clp_parameters_check(&plan->elements.parameters, "segmented_sort"));
    CLP_TRY(check_buffers(plan, run));
    const clprims_segmented_sort_buffers *b = &run->buffers;
    if (run->n == 0) {
        run->buffers = (clprims_segmented_sort_buffers){.offsets = b->offsets, .report = b->report};
    }
    return clp_segments_submit(plan, run);
}

static const clp_layout buffers_layout =
    CLP_LAYOUT(clprims_segmented_sort_buffers, report, "CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT");

static clprims_status enqueue(clprims_segmented_sort *plan,
                              const clprims_segmented_sort_buffers *buffers,
                              clp_segments_run *run) {
    const clprims_segmented_sort_buffers init = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    if (plan == NULL || run->queue == NULL || buffers == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_sort: %s is NULL",
                        plan == NULL         ? "plan"
                        : run->queue == NULL ? "queue"
                                             : "buffers");
    }
    run->buffers = init;
    CLP_TRY(clp_struct_take("segmented_sort", "buffers", &buffers_layout, buffers, &run->buffers));
    CLP_TRY(clp_check_submission(plan->context, "segmented_sort", run->queue, run->num_wait,
                                 run->wait));
    return clp_segments_enqueue(plan, run);
}

clprims_status clprims_segmented_sort_enqueue(clprims_segmented_sort *plan, cl_command_queue queue,
                                              const clprims_segmented_sort_buffers *buffers,
                                              size_t n, size_t segments, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_segments_run run = {.queue = queue,
                            .n = n,
                            .segments = segments,
                            .num_wait = num_wait,
                            .wait = wait,
                            .event = event};
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_segmented_sort_enqueue_counted(clprims_segmented_sort *plan,
                                                      cl_command_queue queue,
                                                      const clprims_segmented_sort_buffers *buffers,
                                                      clprims_buffer n, clprims_buffer segments,
                                                      cl_uint num_wait, const cl_event *wait,
                                                      cl_event *event) {
    clp_clear_error();
    clp_segments_run run = {.queue = queue,
                            .n = plan != NULL ? plan->spec.max_n : 0,
                            .segments = plan != NULL ? plan->max_segments : 0,
                            .counted_n = n,
                            .counted_segments = segments,
                            .num_wait = num_wait,
                            .wait = wait,
                            .event = event};
    if (n.mem == NULL && segments.mem == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented_sort: n.mem and segments.mem are NULL; give a buffer with one "
                        "uint64 for either");
    }
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_segmented_sort_check(const clprims_segmented_sort_report *report) {
    clp_clear_error();
    if (report == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_sort_check: report is NULL");
    }
    switch (report->fault) {
    case CLPRIMS_SEGMENTED_SORT_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_SEGMENTED_SORT_OFFSETS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "segmented_sort: offsets[%" PRId64 "] is less than the offset before, less "
                        "than 0, or beyond the elements",
                        report->index);
    case CLPRIMS_SEGMENTED_SORT_COUNT:
        return clp_check_count_report("segmented_sort", 1, report->index);
    case CLPRIMS_SEGMENTED_SORT_SEGMENTS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "segmented_sort: segments = %" PRIu64
                        ", as read on the device, exceeds max_segments",
                        (uint64_t)report->index);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented_sort_check: report.fault = %" PRId64
                        " is none of clprims_segmented_sort_fault; was the report read after its "
                        "event?",
                        report->fault);
    }
}
