/* SPDX-License-Identifier: MIT */
/* Merge: plans, the checks of each call, plain arrays. cl/merge/merge.cl says how it works. */
#include "core/status.h"
#include "merge/merge_plan.h"

/* ---- The plan ---- */

static clprims_status fill(clp_plan *head, const void *description) {
    clp_merge_plan *plan = (clp_merge_plan *)head;
    const clprims_merge_desc *desc = description;
    plan->spec = (clp_merge_spec){.kind = CLP_MERGE_ARRAYS,
                                  .who = "merge",
                                  .second = "n_b",
                                  .type = desc->type,
                                  .custom = &desc->custom,
                                  .less = desc->less,
                                  .payload_bytes = desc->payload_bytes,
                                  .max_a = desc->max_n,
                                  .max_b = desc->max_n_b};
    CLP_FAIL_IF(desc->payload_bytes > CLP_LARGEST_VALUE, CLPRIMS_ERR_ARGUMENT,
                "merge: payload_bytes = %zu; it must be at most %d", desc->payload_bytes,
                CLP_LARGEST_VALUE);
    CLP_TRY(clp_merge_spec_check(head->context, &plan->spec));
    plan->spec.out_bytes = plan->spec.type_bytes;
    return clp_merge_plan_fill(plan, desc->parameters, desc->tuning);
}

enum { A, B, OUT, PAYLOAD_A, PAYLOAD_B, PAYLOAD_OUT, N, N_B, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_merge_spec *spec = &((const clp_merge_plan *)head)->spec;
    clp_merge_run *run = (clp_merge_run *)call;
    clprims_merge_buffers *at = &run->buffers;
    const clprims_merge_arrays *plain = &run->arrays;
    const size_t bytes = spec->type_bytes, payload = spec->payload_bytes;
    const size_t n = run->n, n_b = at->sizes.n_b, n_out = n + n_b;
    rows[A] = clp_read_row("a", &at->a, plain->a, n, bytes);
    rows[B] = clp_read_row("b", &at->b, plain->b, n_b, bytes);
    rows[OUT] = clp_written_row("out", &at->out, plain->out, n_out, bytes);
    rows[PAYLOAD_A] = clp_read_row("payload_a", &at->payload_a, plain->payload_a, n, payload);
    rows[PAYLOAD_B] = clp_read_row("payload_b", &at->payload_b, plain->payload_b, n_b, payload);
    rows[PAYLOAD_OUT] =
        clp_written_row("payload_out", &at->payload_out, plain->payload_out, n_out, payload);
    rows[N] = clp_count_row("n", &at->n);
    rows[N_B] = clp_count_row("n_b", &at->n_b);
    rows[REPORT] = clp_report_row(&at->report, sizeof(clprims_merge_report));
    if (payload == 0) {
        rows[PAYLOAD_OUT].lacks = rows[PAYLOAD_A].lacks = rows[PAYLOAD_B].lacks = "has no payload";
    }
    return ARRAYS;
}

static const clp_plan_kind kind = {CLP_PLAN_KIND(merge), .fill = fill,
                                   .check_sizes = clp_merge_check_sizes, .list_arrays = list_arrays,
                                   .submit = clp_merge_submit};

/* ---- The interface ---- */

CLP_PLAN_CREATE(merge, kind)
CLP_PLAN_SET_PARAMETER(merge)
CLP_PLAN_ENQUEUE(merge, kind, clp_merge_run)

static clprims_status describe(const clprims_merge *merge, const char *who, size_t n,
                               clprims_merge_sizes sizes, clprims_merge_info *info) {
    const clp_merge_plan *plan = &merge->plan;
    const bool is_serial = clp_merge_is_serial(&plan->shape);
    CLP_TRY(clp_merge_check_numbers(plan, who, n, sizes.n_b));
    info->group = plan->shape.group;
    info->groups = clp_merge_groups(plan, n, sizes.n_b);
    info->tile = is_serial ? 0 : plan->shape.tile;
    info->variant = is_serial ? "serial" : "tiles";
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE_SIZED(merge, describe)

clprims_status clprims_merge_check(const clprims_merge_report *report) {
    CLP_TRY(clp_begin("merge_check", "report", report));
    return clp_merge_check_report("merge", report->fault, report->n, "n_b", report->n_b);
}

CLP_PLAN_RUN_SIZED(merge, kind, clp_merge_run)
