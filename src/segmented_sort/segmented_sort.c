/* SPDX-License-Identifier: MIT */
/* Segmented sort: plans, the checks of each call. cl/segmented_sort/segments.cl says how it works.
 */
#include "core/status.h"
#include "segmented_sort/segments_plan.h"

#include <string.h>

/* ---- The description ---- */

static clprims_status check_own(const clprims_segmented_sort_desc *desc) {
    CLP_TRY(clp_check_by("segmented_sort", desc->by, desc->offsets));
    CLP_TRY(clp_check_enumerator("segmented_sort", "algorithm", (int)desc->algorithm,
                                 CLPRIMS_SEGMENTED_SORT_SERIAL,
                                 "clprims_segmented_sort_algorithm"));
    CLP_FAIL_IF(desc->local_indices && desc->indices == CLPRIMS_TYPE_DEFAULT, CLPRIMS_ERR_ARGUMENT,
                "segmented_sort: local_indices = %d without a type of indices",
                desc->local_indices);
    return clp_check_max_segments("segmented_sort", desc->max_segments, UINT32_MAX);
}

/* The sort of one segment. */
static clprims_sort_desc sort_like(const clprims_segmented_sort_desc *desc) {
    clprims_sort_desc like = {CLP_SORT_LIKE(desc),          .descending = desc->descending,
                              .payloads = desc->payloads,   .no_keys = desc->no_keys,
                              .begin_bit = desc->begin_bit, .end_bit = desc->end_bit};
    memcpy(like.payload_bytes, desc->payload_bytes, sizeof like.payload_bytes);
    return like;
}

static clprims_status take_description(clprims_segmented_sort *plan,
                                       const clprims_segmented_sort_desc *desc) {
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(clp_sort_spec_take("segmented_sort", &like, &plan->spec));
    CLP_TRY(clp_sort_elements_check(plan->head.context, "segmented_sort", &like, &plan->spec));
    clp_sort_combine_keys(&plan->spec);
    clp_sort_spec_add_values(&plan->spec);
    CLP_TRY(check_own(desc));
    const clprims_context *context = plan->head.context;
    const bool suits_serial = (context->device.is_cpu && context->layer == CLPRIMS_LAYER_LOCAL) ||
                              context->device.max_group < CLP_SEGMENTS_SHORT;
    CLP_TRY(
        clp_check_offsets("segmented_sort", "offsets", desc->offsets, desc->max_n, &plan->offsets));
    plan->by_length = desc->by == CLPRIMS_SEGMENTS_EQUAL;
    plan->local_indices = desc->local_indices != 0;
    plan->max_segments = desc->max_segments;
    plan->shape.is_serial = desc->algorithm == CLPRIMS_SEGMENTED_SORT_SERIAL ||
                            (desc->algorithm == CLPRIMS_SEGMENTED_SORT_AUTO && suits_serial);
    return CLPRIMS_OK;
}

/* ---- Scratch ---- */

static clprims_status add_scratch(clprims_segmented_sort *plan, size_t elements, size_t bytes,
                                  bool zeroed, cl_mem *out) {
    return clp_plan_scratch(&plan->head, (elements > 0 ? elements : 1) * bytes, zeroed, out);
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
    CLP_TRY(clp_plan_upload(&plan->head, table, table_bytes, &plan->table));
    CLP_TRY(add_scratch(plan, (size_t)all, sizeof(cl_ulong), false, &plan->lists));
    CLP_TRY(add_scratch(plan, SIZES, sizeof(cl_ulong), false, &plan->sizes));
    return add_scratch(plan, FOUND_WORDS, sizeof(cl_uint), true, &plan->found);
}

/* A sort of long segments' keys. */
static clprims_sort_desc sort_of_long(const clp_sort_spec *spec) {
    clprims_sort_desc desc = {0};
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
    clprims_sort_info info = {0};
    desc.algorithm = CLPRIMS_SORT_ONESWEEP;
    if (spec->values > 0) {
        desc.indices = plan->shape.count_bytes == sizeof(cl_uint) ? CLPRIMS_U32 : CLPRIMS_I64;
    }
    CLP_TRY(clp_sort_create_in_segments(&plan->by_key, plan->head.context, &desc, long_room));
    CLP_TRY(clprims_sort_describe(plan->by_key, 0, &info));
    plan->head.scratch_bytes += info.scratch_bytes;
    const size_t tiles = clp_sort_tiles_of_segments(&plan->by_key->shape, spec->max_n, long_room);
    return add_scratch(plan, tiles, CLP_SEGMENTS_TILE_BYTES, false, &plan->tiles);
}

/* Two that take gathered elements. */
static clprims_status create_sorts(clprims_segmented_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const size_t long_room = plan->list_room[plan->shape.classes - 1];
    const size_t place_bytes = plan->shape.count_bytes;
    clprims_sort_desc desc = sort_of_long(spec);
    clprims_sort_info info = {0};
    desc.payload_bytes[desc.payloads++] = sizeof(cl_uint);
    if (spec->values > 0) desc.payload_bytes[desc.payloads++] = place_bytes;
    CLP_TRY(clp_sort_create_counted(&plan->by_key, plan->head.context, &desc));
    CLP_TRY(clprims_sort_describe(plan->by_key, 0, &info));
    plan->head.scratch_bytes += info.scratch_bytes;
    if (long_room < 2) return CLPRIMS_OK;
    desc = (clprims_sort_desc){0};
    desc.type = CLPRIMS_U32;
    desc.end_bit = (unsigned)clp_sort_rounds(long_room);
    desc.max_n = spec->max_n;
    desc.no_keys = 1;
    if (!spec->no_keys) desc.payload_bytes[desc.payloads++] = spec->key_bytes;
    if (spec->values > 0) desc.payload_bytes[desc.payloads++] = place_bytes;
    CLP_TRY(clp_sort_create_counted(&plan->by_number, plan->head.context, &desc));
    CLP_TRY(clprims_sort_describe(plan->by_number, 0, &info));
    plan->head.scratch_bytes += info.scratch_bytes;
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
                                     [CLP_SEGMENTS_BY_LARGE] = "clp_segments_large"};
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
        [CLP_SEGMENTS_KERNEL_FEW] = shape->radix_items > 0 ? "clp_segments_few" : NULL};
    for (size_t c = 0; c + 1 < shape->classes; c++) {
        if (plan->list_room[c] == 0 || shape->class[c].by == CLP_SEGMENTS_BY_RADIX) continue;
        names[CLP_SEGMENTS_KERNEL_CLASSES + c] = by[shape->class[c].by];
    }
    for (size_t k = 0; k < CLP_SEGMENTS_KERNELS; k++) {
        if (names[k] == NULL) continue;
        const cl_program program =
            k == CLP_SEGMENTS_KERNEL_FEW ? plan->radix_program : plan->program;
        CLP_TRY(clp_plan_kernel(&plan->head, program, names[k], &plan->kernels[k]));
    }
    return CLPRIMS_OK;
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_segmented_sort *plan = (clprims_segmented_sort *)head;
    const clprims_segmented_sort_desc *desc = description;
    const clp_sort_spec *spec = &plan->spec;
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(take_description(plan, desc));
    CLP_TRY(clp_segments_choose_shape(plan, desc->tuning));
    CLP_TRY(clp_sort_elements_create(&plan->elements, head, &like, spec));
    CLP_TRY(clp_segments_build(plan));
    CLP_TRY(create_lists(plan));
    CLP_TRY(create_kernels(plan));
    for (size_t k = 0; k < clp_segments_moved(spec); k++) {
        CLP_TRY(add_scratch(plan, spec->max_n, spec->value_bytes[k], false, &plan->payloads[k]));
    }
    if (clp_segments_may_be_long(plan, spec->max_n)) CLP_TRY(create_long(plan));
    return clp_segments_warm_up(plan);
}

static void release(clp_plan *head) {
    clprims_segmented_sort *plan = (clprims_segmented_sort *)head;
    clprims_sort_destroy(plan->by_key);
    clprims_sort_destroy(plan->by_number);
    clp_sort_elements_release(&plan->elements);
}

/* ---- Runs ---- */

static clprims_status check_numbers(const char *who, const clprims_segmented_sort *plan, size_t n,
                                    clprims_segmented_sort_sizes sizes) {
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    CLP_TRY(clp_check_segment_sizes(
        who, plan->by_length ? CLPRIMS_SEGMENTS_EQUAL : CLPRIMS_SEGMENTS_OFFSETS, sizes.segments,
        sizes.length));
    return clp_check_within(who, "segments",
                            plan->by_length ? clp_rows(n, sizes.length) : sizes.segments,
                            "max_segments", plan->max_segments);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_segments_run *run = (const clp_segments_run *)call;
    return check_numbers("segmented_sort", (const clprims_segmented_sort *)head, run->n,
                         run->buffers.sizes);
}

enum { OFFSETS = CLP_SORT_ROWS, COUNTED_SEGMENTS, COUNTED_N, REPORT, ARRAYS };

/* A run on plain arrays copies its outputs in, too: elements in no segment stay as they are. */
static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clprims_segmented_sort *plan = (const clprims_segmented_sort *)head;
    clp_segments_run *run = (clp_segments_run *)call;
    clprims_segmented_sort_buffers *b = &run->buffers;
    const clp_sort_places at = {b->payload_in, &b->keys_in, b->payload_out, &b->keys_out,
                                &b->indices};
    clp_sort_list_arrays(&plan->spec, at, &run->arrays, run->n, rows);
    for (size_t k = CLP_SORT_ROW_PAYLOAD_OUT; k < CLP_SORT_ROWS; k++) rows[k].roles |= CLP_READ;
    rows[OFFSETS] = clp_read_row("offsets", &b->offsets, run->offsets, b->sizes.segments + 1,
                                 clprims_type_bytes(plan->offsets));
    rows[COUNTED_SEGMENTS] = clp_count_row("segments", &b->segments);
    if (plan->by_length) {
        rows[OFFSETS].n = 0;
        rows[OFFSETS].lacks = rows[COUNTED_SEGMENTS].lacks = "has segments of one length";
    }
    rows[COUNTED_N] = clp_count_row("n", &b->n);
    rows[REPORT] = clp_report_row(&b->report, sizeof(clprims_segmented_sort_report));
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clp_segments_run *run = (clp_segments_run *)call;
    for (size_t k = 0; k < CLP_SORT_ROWS; k++) {
        if (call->rows[k].n == 0) *call->rows[k].buffer = (clprims_buffer){NULL, 0};
    }
    run->in_place = clp_sort_is_in_place(call->rows);
    return clp_segments_submit((clprims_segmented_sort *)head, run);
}

static clprims_status finish(const clp_plan *head, clp_call *call, const void *own) {
    const clp_segments_run *run = (const clp_segments_run *)call;
    const clprims_segmented_sort_report *report = own;
    if (report->fault != CLPRIMS_SEGMENTED_SORT_OFFSETS)
        return clprims_segmented_sort_check(report);
    return clp_fail_offset("segmented_sort", report->index,
                           ((const clprims_segmented_sort *)head)->offsets, run->offsets, run->n);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(segmented_sort),
                                   CLP_PLAN_HOOKS(fill, check_sizes, list_arrays, submit),
                                   .finish = finish, .release = release};

/* ---- The interface ---- */

CLP_PLAN_CREATE(segmented_sort, kind)
CLP_PLAN_SET_PARAMETER(segmented_sort)
CLP_PLAN_ENQUEUE(segmented_sort, kind, clp_segments_run)

static clprims_status describe(const clprims_segmented_sort *plan, const char *who, size_t n,
                               clprims_segmented_sort_sizes sizes,
                               clprims_segmented_sort_info *info) {
    CLP_TRY(check_numbers(who, plan, n, sizes));
    info->algorithm =
        plan->shape.is_serial ? CLPRIMS_SEGMENTED_SORT_SERIAL : CLPRIMS_SEGMENTED_SORT_GROUPS;
    info->local = plan->shape.most;
    info->variant = clp_segments_may_be_long(plan, n) ? "short-and-long" : "short";
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE_SIZED(segmented_sort, describe)

clprims_status clprims_segmented_sort_check(const clprims_segmented_sort_report *report) {
    CLP_TRY(clp_begin("segmented_sort_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_SEGMENTED_SORT_OFFSETS:
        return clp_fail_offset("segmented_sort", report->index, CLPRIMS_I64, NULL, 0);
    case CLPRIMS_SEGMENTED_SORT_COUNT:
        return clp_check_count_report("segmented_sort", 1, report->index);
    case CLPRIMS_SEGMENTED_SORT_SEGMENTS:
        return clp_fail_count("segmented_sort", "segments", report->index);
    default:
        return clp_check_fault("segmented_sort", report->fault);
    }
}

static clp_segments_run plain_run_of(const clprims_segmented_sort *plan,
                                     const clprims_segmented_sort_arrays *from, size_t n) {
    clp_segments_run run = {
        .n = n,
        .buffers = {.report = {plan->head.report, 0}, .sizes = from->sizes},
        .arrays = {.keys_in = from->keys_in, .keys_out = from->keys_out, .indices = from->indices},
        .offsets = from->offsets};
    memcpy(run.arrays.payload_in, from->payload_in, sizeof from->payload_in);
    memcpy(run.arrays.payload_out, from->payload_out, sizeof from->payload_out);
    return run;
}

CLP_PLAN_RUN_AS(segmented_sort, kind, clp_segments_run, plain_run_of)
