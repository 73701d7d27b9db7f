/* SPDX-License-Identifier: MIT */
/* Scan: the plan, its runs, the interface. */
#include "core/status.h"
#include "scan/scan_engine.h"

/* One run's arguments. */
typedef struct scan_run {
    clp_call call;
    clprims_scan_buffers buffers;
    size_t n;
    clprims_scan_arrays arrays; /* of a run on plain arrays */
} scan_run;

/* ---- The plan ---- */

static clprims_status enqueue_pass(clprims_scan *scan, const scan_run *run, bool warms_up) {
    const clp_operation *what = &scan->spec.what;
    const clprims_context *context = scan->head.context;
    const clp_pass_run pass_run = {
        .call = run->call, .n = run->n, .counted = run->buffers.n, .warms_up = warms_up};
    clp_arguments a = {.count = 0};
    clp_put_array(&a, context, run->buffers.in);
    clp_put_array(&a, context, run->buffers.out);
    CLP_PUT(&a, run->buffers.report, run->n);
    clp_put_bytes(&a, what->working_bytes, scan->start);
    return clp_pass_enqueue(&scan->pass, &a, &pass_run);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_scan *scan = (clprims_scan *)head;
    const clprims_scan_desc *desc = description;
    const scan_run nothing = {.n = 0};
    CLP_TRY(clp_scan_spec_fill(head->context, desc, &scan->spec, scan->start, &head->reason));
    const bool has_x = !desc->no_input_array;
    const clp_user_text texts[] = {
        {"desc.input", desc->input, has_x ? "x i" : "i", NULL},
        {"desc.result", desc->result, has_x ? "r previous i x" : "r previous i", NULL},
        {NULL}};
    CLP_TRY(clp_plan_read_texts(head, texts, &desc->custom, desc->parameters));
    scan->spec.what.parameters = &head->parameters;
    clp_pass_need need = clp_scan_need(&scan->spec, desc->tuning);
    need.is_auto = desc->algorithm == CLPRIMS_ALGORITHM_AUTO;
    CLP_TRY(clp_pass_prepare(&scan->pass, head, &need));
    clp_operation_forget_texts(&scan->spec.what);
    return enqueue_pass(scan, &nothing, true);
}

CLP_PLAN_CHECK_N(scan, scan_run, spec.max_n)

enum { IN, OUT, COUNTED, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_operation *what = &((const clprims_scan *)head)->spec.what;
    scan_run *run = (scan_run *)call;
    const bool same_bytes = what->type_bytes == what->out_bytes;
    rows[IN] = clp_read_row("in", &run->buffers.in, run->arrays.in, run->n, what->type_bytes);
    rows[IN].lacks = what->has_input_array ? NULL : "has no input array";
    rows[OUT] = clp_written_row("out", &run->buffers.out, run->arrays.out, run->n, what->out_bytes);
    if (what->has_input_array) rows[OUT].place = IN + 1;
    if (same_bytes) rows[OUT].roles |= CLP_SHARES;
    rows[COUNTED] = clp_count_row("n", &run->buffers.n);
    rows[REPORT] = clp_report_row(&run->buffers.report, sizeof(clprims_scan_report));
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    const scan_run *run = (const scan_run *)call;
    if (run->n == 0 && run->buffers.n.mem == NULL)
        return clp_plan_enqueue_steps(head, call, NULL, 0);
    return enqueue_pass((clprims_scan *)head, run, false);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND(scan),
                                   CLP_PLAN_HOOKS(fill, scan_check_sizes, list_arrays, submit)};

/* ---- The interface ---- */

CLP_PLAN_CREATE(scan, kind)
CLP_PLAN_SET_PARAMETER(scan)
CLP_PLAN_ENQUEUE(scan, kind, scan_run)

clprims_status clprims_scan_set_init(clprims_scan *scan, const void *init) {
    CLP_TRY(clp_begin("scan_set_init", "plan", scan));
    CLP_TRY(clp_given("scan_set_init", "init", init));
    CLP_FAIL_IF(!scan->spec.what.has_start, CLPRIMS_ERR_ARGUMENT,
                "scan_set_init: the plan is inclusive and was created without desc.init");
    clp_operation_set_start(&scan->spec.what, init, scan->start);
    return CLPRIMS_OK;
}

static clprims_status describe(const clprims_scan *scan, const char *who, size_t n,
                               clprims_scan_info *info) {
    CLP_TRY(clp_check_n(who, n, scan->spec.max_n));
    const clp_shape *shape = &clp_pass_choose_kernel(&scan->pass, n)->shape;
    info->algorithm = scan->spec.algorithm;
    info->group = shape->group;
    info->tile = shape->tile;
    info->reason = scan->head.reason;
    info->variant = clp_variants[shape->variant].name;
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE(scan, describe)

clprims_status clprims_scan_check(const clprims_scan_report *report) {
    CLP_TRY(clp_begin("scan_check", "report", report));
    return clp_check_count_report("scan", report->fault, report->count);
}

CLP_PLAN_RUN(scan, kind, scan_run)
