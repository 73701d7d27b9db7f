/* SPDX-License-Identifier: MIT */
/* Reduce: the plan, its runs, the interface. */
#include "core/status.h"
#include "core/test_hooks.h"
#include "engine/run_number.h"
#include "plan/plan_arguments.h"
#include "reduce/reduce_plan.h"

/* One run's arguments. */
typedef struct reduce_run {
    clp_call call;
    clprims_reduce_buffers buffers;
    size_t n;
    clprims_reduce_arrays arrays; /* of a run on plain arrays */
} reduce_run;

/* ---- Launches ---- */

static clprims_status set_arguments(const clprims_reduce *reduce, cl_kernel kernel,
                                    const reduce_run *run, cl_uint number) {
    const clp_plan *head = &reduce->head;
    const clprims_buffer none = {NULL, 0};
    clp_arguments a = {.count = 0};
    clp_put_array(&a, head->context, run->n > 0 ? run->buffers.in : none);
    clp_put_buffer(&a, run->buffers.out);
    clp_put_report(&a, head, run->buffers.report);
    clp_put_value(&a, run->n);
    clp_put_bytes(&a, reduce->spec.result_bytes, reduce->start);
    CLP_PUT(&a, reduce->sums, reduce->tickets, number, run->buffers.n);
    clp_put_parameters(&a, head);
    return clp_arguments_set(&a, head, kernel);
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clprims_reduce *reduce = (clprims_reduce *)head;
    const reduce_run *run = (const reduce_run *)call;
    const clp_reduce_shape *shape = &reduce->shape;
    const bool counted = run->buffers.n.mem != NULL;
    const size_t groups =
        counted ? clp_reduce_counted_groups(shape, run->n) : clp_reduce_groups(shape, run->n);
    const cl_kernel kernel = counted && reduce->counted != NULL ? reduce->counted : reduce->kernel;
    const clp_step step = {kernel, groups, shape->group};
    cl_mem cleared;
    const cl_uint number = clp_next_run(reduce->run, reduce->sums, &cleared);
    CLP_TRY(set_arguments(reduce, kernel, run, number));
    CLP_TRY(clp_plan_clear_and_enqueue(head, call, cleared, &step, 1));
    reduce->run = number;
    return CLPRIMS_OK;
}

/* ---- The plan ---- */

/* Writes its output behind the sums. */
static clprims_status warm_up(const clprims_reduce *reduce, size_t first_behind) {
    const reduce_run run = {.buffers.out = {reduce->sums, first_behind}};
    const clp_step steps[] = {{reduce->kernel, 1, reduce->shape.group},
                              {reduce->counted, 1, reduce->shape.group}};
    const size_t count = reduce->counted == NULL ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(set_arguments(reduce, steps[i].kernel, &run, 0));
    }
    return clp_plan_warm_up(&reduce->head, steps, count);
}

/* Room for the sums and for one output behind them. */
static clprims_status add_sums(clprims_reduce *reduce, size_t *first_behind) {
    const bool by_groups = reduce->shape.by == CLP_REDUCE_BY_GROUP;
    const size_t words = (reduce->spec.value_bytes + 3) / 4, result = reduce->spec.what.out_bytes;
    const size_t bytes = clp_reduce_most_sums(&reduce->shape, reduce->spec.max_n) *
                         (by_groups ? words * sizeof(cl_ulong) : reduce->spec.value_bytes);
    *first_behind = (bytes + result - 1) / result;
    return clp_plan_scratch(&reduce->head, (*first_behind + 1) * result, by_groups, &reduce->sums);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_reduce *reduce = (clprims_reduce *)head;
    const clprims_reduce_desc *desc = description;
    clp_reduce_spec *spec = &reduce->spec;
    size_t first_behind = 0;
    CLP_TRY(clp_reduce_spec_fill(head->context, desc, spec, reduce->start));
    const clp_user_text texts[] = {
        {"desc.input", desc->input, desc->no_input_array ? "i" : "x i", NULL},
        {"desc.result", desc->result, "r i", NULL},
        {NULL}};
    CLP_TRY(clp_plan_read_texts(head, texts, &desc->custom, desc->parameters));
    spec->what.parameters = &head->parameters;
    CLP_TRY(clp_reduce_shape_choose(head->context, spec, desc->tuning, &reduce->shape));
    CLP_TRY(clp_reduce_build(reduce));
    clp_operation_forget_texts(&spec->what);
    CLP_TRY(add_sums(reduce, &first_behind));
    CLP_TRY(clp_plan_scratch(head, sizeof(cl_uint), true, &reduce->tickets));
    reduce->run = (cl_uint)clp_test_hooks_get()->first_run;
    return warm_up(reduce, first_behind);
}

CLP_PLAN_CHECK_N(reduce, reduce_run, spec.max_n)

enum { OUT, IN, COUNTED, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_reduce_spec *spec = &((const clprims_reduce *)head)->spec;
    reduce_run *run = (reduce_run *)call;
    rows[OUT] = clp_written_row("out", &run->buffers.out, run->arrays.out, 1, spec->what.out_bytes);
    rows[IN] = clp_read_row("in", &run->buffers.in, run->arrays.in, run->n, spec->what.type_bytes);
    rows[IN].lacks = spec->what.has_input_array ? NULL : "has no input array";
    rows[COUNTED] = clp_count_row("n", &run->buffers.n);
    rows[REPORT] = clp_report_row(&run->buffers.report, sizeof(clprims_reduce_report));
    return ARRAYS;
}

CLP_PLAN_FINISH(reduce)

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(reduce),
                                   CLP_PLAN_HOOKS(fill, reduce_check_sizes, list_arrays, submit),
                                   .finish = reduce_finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(reduce, kind)
CLP_PLAN_SET_PARAMETER(reduce)
CLP_PLAN_ENQUEUE(reduce, kind, reduce_run)

static clprims_status describe(const clprims_reduce *reduce, const char *who, size_t n,
                               clprims_reduce_info *info) {
    static const char *const variants[] = {[CLP_REDUCE_BY_ITEM] = "serial",
                                           [CLP_REDUCE_BY_TEAM] = "sub-group",
                                           [CLP_REDUCE_BY_GROUP] = "group"};
    const clp_reduce_shape *shape = &reduce->shape;
    info->group = shape->group;
    info->groups = clp_reduce_groups(shape, n);
    info->block = clp_reduce_block(shape, n);
    info->variant = variants[shape->by];
    return clp_check_n(who, n, reduce->spec.max_n);
}

CLP_PLAN_DESCRIBE(reduce, describe)

clprims_status clprims_reduce_check(const clprims_reduce_report *report) {
    CLP_TRY(clp_begin("reduce_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_REDUCE_EMPTY:
        return clp_fail(CLPRIMS_ERR_DATA, "reduce: n = 0, and the plan has neither an "
                                          "initial value nor an identity");
    case CLPRIMS_REDUCE_COUNT:
        return clp_fail_count("reduce", "n", report->count);
    default:
        return clp_check_fault("reduce", report->fault);
    }
}

CLP_PLAN_RUN(reduce, kind, reduce_run)
