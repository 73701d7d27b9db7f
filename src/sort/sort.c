/* SPDX-License-Identifier: MIT */
/* Sort: plans, calls, plain arrays. sort_plan.h has the map, cl/sort/sort.cl says how it works. */
#include "core/status.h"
#include "sort/sort_plan.h"

/* ---- Create and destroy ---- */

const char *clprims_sort_algorithm_name(clprims_sort_algorithm algorithm) {
    static const char names[][14] = {"auto", "count-scatter", "serial", "onesweep"};
    return CLP_TEXT_OF_ENUMERATOR(names, algorithm, "unknown");
}

static clprims_status create_scratch(clprims_sort *plan, size_t elements, size_t element_bytes,
                                     cl_mem *out) {
    return clp_plan_scratch(&plan->head, elements * element_bytes, false, out);
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
        CLP_TRY(clp_plan_scratch(&plan->head, bytes, true, &plan->digits));
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
    CLP_TRY(create_scratch(plan, shape->counters * ((serial ? shape->digits : all) + 1),
                           shape->count_bytes, &plan->digits));
    if (!serial) CLP_TRY(create_scratch(plan, all, shape->count_bytes, &plan->bases));
    return create_scratch(plan, clp_sort_row(plan, tiles) * shape->digits, shape->count_bytes,
                          &plan->counts);
}

static clprims_status create_buffers(clprims_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const clp_sort_shape *shape = &plan->shape;
    const size_t live_bytes = 4 * CLP_SORT_MOST_PASSES * sizeof(cl_uint);
    CLP_TRY(clp_plan_scratch(&plan->head, live_bytes, true, &plan->live));
    if (shape->count_parts == 0) {
        CLP_TRY(create_scratch(plan, spec->max_n, spec->key_bytes, &plan->keys));
    }
    if (spec->no_keys && shape->passes > 1) {
        CLP_TRY(create_scratch(plan, spec->max_n, spec->key_bytes, &plan->other_keys));
    }
    if (clp_sort_merges_tiles(plan)) {
        const size_t word = clp_sort_word_bytes(spec);
        CLP_TRY(create_scratch(plan, CLP_NETWORK_MOST, word, &plan->words));
    }
    for (size_t k = 0; k < spec->values; k++) {
        CLP_TRY(create_scratch(plan, spec->max_n, spec->value_bytes[k], &plan->values[k]));
    }
    return clp_sort_is_few(plan, spec->max_n) ? CLPRIMS_OK : create_counts(plan);
}

/* A description, and what other primitives ask for besides. */
typedef struct sort_request {
    clprims_sort_desc desc;
    bool always_counted;
    size_t most_segments;
} sort_request;

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_sort *plan = (clprims_sort *)head;
    const sort_request *request = description;
    const clprims_sort_desc *desc = &request->desc;
    plan->always_counted = request->always_counted;
    plan->most_segments = request->most_segments;
    CLP_TRY(clp_sort_spec_fill(head->context, desc, &plan->spec, &head->reason));
    if (plan->spec.keys > 1) return clp_sort_then_create(plan, desc);
    CLP_TRY(clp_sort_is_onesweep(plan) ? clp_onesweep_choose_shape(plan, desc->tuning)
                                       : clp_sort_choose_shape(plan, desc->tuning));
    CLP_TRY(clp_sort_build(plan));
    CLP_TRY(clp_sort_create_kernels(plan));
    CLP_TRY(create_buffers(plan));
    CLP_TRY(clp_sort_elements_create(&plan->elements, head, desc, &plan->spec));
    CLP_TRY(clp_sort_elements_create_order(&plan->elements));
    return clp_sort_warm_up(plan);
}

static void release(clp_plan *head) {
    clp_sort_elements_release(&((clprims_sort *)head)->elements);
}

/* ---- Runs ---- */

CLP_PLAN_CHECK_N(sort, clp_sort_run, spec.max_n)

enum { COUNTED = CLP_SORT_ROWS, REPORT, ARRAYS };

/* A run on plain arrays sorts in the device's copies of the inputs, where they have outputs. */
static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    clp_sort_run *run = (clp_sort_run *)call;
    clprims_sort_buffers *b = &run->buffers;
    const clp_sort_places at = {b->payload_in, &b->keys_in, b->payload_out, &b->keys_out,
                                &b->indices};
    clp_sort_list_arrays(&((const clprims_sort *)head)->spec, at, &run->arrays, run->n, rows);
    for (size_t k = 0; k < CLP_SORT_ROWS; k++) {
        if (rows[k].place > 0) rows[k].roles |= CLP_SHARES;
    }
    rows[COUNTED] = clp_count_row("n", &b->n);
    rows[REPORT] = clp_report_row(&b->report, sizeof(clprims_sort_report));
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clp_sort_run *run = (clp_sort_run *)call;
    run->in_place = clp_sort_is_in_place(call->rows);
    return clp_sort_submit((clprims_sort *)head, run);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND(sort),
                                   CLP_PLAN_HOOKS(fill, sort_check_sizes, list_arrays, submit),
                                   .release = release};

/* ---- The interface ---- */

clprims_status clprims_sort_create_sized(clprims_sort **out, clprims_context *context,
                                         const clprims_sort_desc *desc, size_t desc_bytes) {
    sort_request request = {0};
    return clp_plan_create(out, context, &kind, desc, desc_bytes, &request);
}

clprims_status clp_sort_create_counted(clprims_sort **out, clprims_context *context,
                                       const clprims_sort_desc *desc) {
    sort_request request = {.always_counted = true};
    return clp_plan_create(out, context, &kind, desc, sizeof *desc, &request);
}

clprims_status clp_sort_create_in_segments(clprims_sort **out, clprims_context *context,
                                           const clprims_sort_desc *desc, size_t most_segments) {
    sort_request request = {.always_counted = true, .most_segments = most_segments};
    return clp_plan_create(out, context, &kind, desc, sizeof *desc, &request);
}

void clprims_sort_destroy(clprims_sort *plan) {
    clp_plan_destroy(plan);
}

CLP_PLAN_SET_PARAMETER(sort)
CLP_PLAN_ENQUEUE(sort, kind, clp_sort_run)

static clprims_status describe(const clprims_sort *plan, const char *who, size_t n,
                               clprims_sort_info *info) {
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    const clp_sort_shape *shape = clp_sort_shape_of(plan, n);
    info->algorithm = plan->spec.algorithm;
    info->passes = plan->shape.passes;
    info->digit_bits = plan->shape.bits;
    info->group = shape->group;
    info->tile = clp_sort_is_serial(plan) ? 0 : clp_sort_tile(shape);
    info->variant = clp_sort_variant(plan, n);
    info->reason = plan->head.reason;
    return plan->spec.keys > 1 ? clp_sort_then_describe(plan, n, info) : CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE(sort, describe)

clprims_status clprims_sort_check(const clprims_sort_report *report) {
    CLP_TRY(clp_begin("sort_check", "report", report));
    return clp_check_count_report("sort", report->fault, report->count);
}

CLP_PLAN_RUN(sort, kind, clp_sort_run)
