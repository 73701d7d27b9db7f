/* SPDX-License-Identifier: MIT */
/* What the plans of gather and scatter share. cl/jagged/indexed.cl says how a run works. */
#include "jagged/indexed.h"
#include "core/tuning.h"
#include "core/type.h"
#include "jagged/jagged_knobs.h"

#include <inttypes.h>

_Static_assert(sizeof(clprims_gather_report) == CLP_INDEXED_REPORT_BYTES, "kernels write it");

enum { COUNTERS = 2 }; /* of a run; cl/jagged/jagged.cl names them */
enum { SERIAL_TILE = 4096 };

/* ---- Create ---- */

clprims_status clp_indexed_take(clp_indexed *plan, clprims_type type, const clprims_custom *custom,
                                clprims_type index_type, size_t max_n) {
    const char *const who = plan->head.kind->name;
    plan->index_type = clp_type_or(index_type, CLPRIMS_I64);
    CLP_FAIL_IF(clp_type_is_float(plan->index_type) || clprims_type_bytes(plan->index_type) < 4,
                CLPRIMS_ERR_ARGUMENT,
                "%s: index_type = %d (%s) is none of int32, int64, uint32, uint64", who,
                (int)index_type, clprims_type_name(index_type));
    const clp_user_text texts[] = {
        {"custom.op", custom->op, NULL, "elements are moved, not combined by a text"}, {NULL}};
    CLP_TRY(clp_texts_check(who, texts));
    CLP_TRY(clp_check_type(who, "type", type));
    if (type == CLPRIMS_STRUCT) CLP_TRY(clp_check_struct_bytes(who, custom));
    plan->type_bytes = type == CLPRIMS_STRUCT ? custom->type_bytes : clprims_type_bytes(type);
    plan->max_n = max_n;
    return clp_check_max_n(who, max_n, SIZE_MAX / 32);
}

clprims_status clp_indexed_choose(clp_indexed *plan, const char *tuning, size_t depth) {
    const char *const who = plan->head.kind->name;
    const clp_device *device = &plan->head.context->device;
    CLP_KNOBS(knobs, clp_indexed_knobs);
    knobs[CLP_INDEXED_GROUP].value = device->is_cpu ? 1 : 256;
    knobs[CLP_INDEXED_GROUPS].value = 8;
    knobs[CLP_INDEXED_DEPTH].value = depth;
    CLP_TRY(
        clp_knobs_set(plan->head.context, who, plan->type_bytes, tuning, knobs, CLP_INDEXED_KNOBS));
    plan->group = knobs[CLP_INDEXED_GROUP].value;
    plan->most_groups = knobs[CLP_INDEXED_GROUPS].value * device->info.compute_units;
    plan->depth = knobs[CLP_INDEXED_DEPTH].value;
    plan->tile = plan->group == 1 ? SERIAL_TILE : plan->group * plan->depth;
    return CLPRIMS_OK;
}

void clp_indexed_add_text(const clp_indexed *plan, clp_text *prelude) {
    clp_text_add(prelude, "#define CLP_INDEX %s\n#define CLP_GROUP %zu\n",
                 clp_type_text(plan->index_type), plan->group);
    clp_text_add(prelude, "#define CLP_EXTRA 0\n#define CLP_INDEXED_REPORT_BYTES %d\n",
                 CLP_INDEXED_REPORT_BYTES);
    if (plan->group == 1) {
        clp_text_add(prelude, "#define CLP_INDEXED_TILE %zu\n", plan->tile);
    } else {
        clp_text_add(prelude, "#define CLP_DEPTH %zu\n", plan->depth);
    }
    clp_text_add_moved(prelude, "clp_moved", plan->type_bytes);
}

clprims_status clp_indexed_scratch(clp_indexed *plan) {
    const size_t groups = clp_indexed_groups(plan, plan->max_n);
    CLP_TRY(clp_plan_scratch(&plan->head, COUNTERS * sizeof(cl_uint), true, &plan->counters));
    return clp_plan_scratch(&plan->head, groups * sizeof(cl_ulong), false, &plan->lowest);
}

/* ---- Runs ---- */

size_t clp_indexed_groups(const clp_indexed *plan, size_t n) {
    const size_t groups = n / plan->tile + (n % plan->tile > 0);
    return groups == 0 ? 1 : groups < plan->most_groups ? groups : plan->most_groups;
}

clprims_status clp_indexed_set_arguments(const clp_indexed *plan, const clp_indexed_run *run,
                                         cl_mem scratch, size_t detail, cl_kernel kernel) {
    const clprims_context *context = plan->head.context;
    const clprims_gather_buffers *at = &run->buffers;
    const clprims_buffer none = {NULL, 0};
    const bool is_empty = run->n == 0 || at->sizes.length == 0;
    clp_arguments a = {.count = 0};
    clp_put_array(&a, context, run->n > 0 ? at->index : none);
    clp_put_array(&a, context, is_empty ? none : at->in);
    clp_put_array(&a, context, is_empty ? none : at->out);
    clp_put_report(&a, &plan->head, at->report);
    CLP_PUT(&a, run->n, at->sizes.length, plan->counters, plan->lowest, at->n, at->length, scratch,
            detail);
    return clp_arguments_set(&a, &plan->head, kernel);
}

size_t clp_indexed_list(const clp_indexed *plan, clp_indexed_run *run, size_t in_n, size_t out_n,
                        clp_run_array *rows) {
    clprims_gather_buffers *at = &run->buffers;
    const bool has_indices = run->n > 0;
    rows[CLP_INDEXED_OUT] = clp_written_row("out", &at->out, run->arrays.out,
                                            has_indices ? out_n : 0, plan->type_bytes);
    rows[CLP_INDEXED_INDEX] = clp_read_row("index", &at->index, run->arrays.index, run->n,
                                           clprims_type_bytes(plan->index_type));
    rows[CLP_INDEXED_IN] =
        clp_read_row("in", &at->in, run->arrays.in, has_indices ? in_n : 0, plan->type_bytes);
    rows[CLP_INDEXED_N] = clp_count_row("n", &at->n);
    rows[CLP_INDEXED_LENGTH] = clp_count_row("length", &at->length);
    rows[CLP_INDEXED_REPORT] = clp_report_row(&at->report, CLP_INDEXED_REPORT_BYTES);
    return CLP_INDEXED_ROWS;
}

clprims_status clp_indexed_check(const char *who, const clprims_gather_report *report) {
    switch (report->fault) {
    case CLPRIMS_GATHER_INDEX:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "%s: index[%" PRId64 "] = %" PRId64
                        " is outside of the elements, the first that is",
                        who, report->position, report->index);
    case CLPRIMS_GATHER_COUNT:
        return clp_fail_count(who, "n", report->count);
    case CLPRIMS_GATHER_LENGTH:
        return clp_fail_count(who, "length", report->count);
    default:
        return clp_check_fault(who, report->fault);
    }
}
