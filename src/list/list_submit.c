/* SPDX-License-Identifier: MIT */
/*
 * A run: one chain of kernels, whose sizes depend on n alone. A short list takes one kernel. The
 * chain of a long list is
 *   begin, prepare and find the head, walk level 0, up-sweep of level 1, 2, ..., last,
 *   down-sweep of level ..., 2, 1, write the result of level 0,
 * followed by diagnose if the caller wants a report. list_steps.c has the steps of level 0.
 */
#include "core/context.h"
#include "list/list_engine.h"

#include <assert.h>

/* ---- Steps ---- */

clprims_status clp_list_add(clp_list_run *r, int kind, const clp_argument *arguments, cl_uint count,
                            size_t groups, size_t group) {
    assert(r->count < CLP_LIST_MOST_STEPS && r->taken[kind] < CLP_LIST_LEVELS);
    cl_kernel kernel = r->plan->kernels[kind][r->taken[kind]++];
    assert(kernel != NULL);
    CLP_TRY(clp_kernel_arguments(kernel, r->plan->spec.who, arguments, count));
    r->steps[r->count++] = (clp_step){kernel, groups > 0 ? groups : 1, group};
    return CLPRIMS_OK;
}

size_t clp_list_groups(const clp_list_run *r, size_t elements, size_t group) {
    const size_t *knobs = r->plan->knobs;
    const size_t most = r->plan->spec.ranks ? knobs[CLP_LIST_WIDE] : 2 * knobs[CLP_LIST_LANES];
    return ((elements < most ? elements : most) + group - 1) / group;
}

/* The same for work-groups of the usual size. */
static size_t groups_for(const clp_list_run *r, size_t elements) {
    return clp_list_groups(r, elements, r->plan->knobs[CLP_LIST_GROUP]);
}

cl_uint clp_list_add_output(const clp_list_run *r, clp_argument *arguments, cl_uint count,
                            clp_list_places *places) {
    places->out_at = r->out.first;
    places->heads_at = r->out_heads.first;
    places->has_out = r->out.mem != NULL;
    places->has_heads = r->out_heads.mem != NULL;
    arguments[count++] = (clp_argument)CLP_ARGUMENT(r->out.mem);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(places->out_at);
    if (!r->plan->spec.forest) return count;
    arguments[count++] = (clp_argument)CLP_ARGUMENT(places->has_out);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(r->out_heads.mem);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(places->heads_at);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(places->has_heads);
    return count;
}

cl_uint clp_list_add_given(const clp_list_run *r, clp_argument *arguments, cl_uint count,
                           clp_list_places *places) {
    places->given_at = r->given.first;
    places->has_given = r->given.mem != NULL;
    if (!r->plan->spec.forest) return count;
    arguments[count++] = (clp_argument)CLP_ARGUMENT(r->given.mem);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(places->given_at);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(r->num_given);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(places->has_given);
    return count;
}

/* ---- Levels ---- */

static clprims_status add_begin(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const clp_list_layout *layout = &r->layout;
    cl_ulong nodes = layout->nodes, cursors = layout->cursors, words = layout->words;
    cl_ulong fills = plan->spec.ranks ? 0 : layout->chunks;
    const clp_argument begin[] = {CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(r->head),
                                  CLP_ARGUMENT(r->n),           CLP_ARGUMENT(plan->salt),
                                  CLP_LIST_BUFFER(plan, LEADS), CLP_LIST_BUFFER(plan, STATES),
                                  CLP_ARGUMENT(nodes),          CLP_LIST_BUFFER(plan, FILLS),
                                  CLP_ARGUMENT(fills),          CLP_LIST_BUFFER(plan, CURSORS),
                                  CLP_ARGUMENT(cursors),        CLP_LIST_BUFFER(plan, BITS),
                                  CLP_ARGUMENT(words)};
    return CLP_LIST_ADD(r, CLP_LIST_BEGIN, begin, groups_for(r, words + nodes + cursors),
                        plan->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_find(clp_list_run *r) {
    const clp_argument find[] = {CLP_LIST_BUFFER(r->plan, STATE), CLP_ARGUMENT(r->n)};
    return CLP_LIST_ADD(r, CLP_LIST_FIND, find, 1, 1);
}

static clprims_status add_sum(clp_list_run *r) {
    const clp_argument sum[] = {CLP_ARGUMENT(r->next.mem), CLP_LIST_BUFFER(r->plan, STATE),
                                CLP_ARGUMENT(r->layout.levels[0])};
    return CLP_LIST_ADD(r, CLP_LIST_SUM, sum, groups_for(r, r->n), r->plan->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_pack(clp_list_run *r) {
    const clp_list *plan = r->plan;
    cl_ulong next_at = r->next.first, values_at = r->values.first;
    cl_uint finds = !plan->spec.forest && r->head == CLPRIMS_LIST_FIND_HEAD;
    const clp_argument pack[] = {
        CLP_ARGUMENT(r->next.mem),    CLP_ARGUMENT(next_at),        CLP_ARGUMENT(r->values.mem),
        CLP_ARGUMENT(values_at),      CLP_LIST_BUFFER(plan, ITEMS), CLP_LIST_BUFFER(plan, BITS),
        CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(r->n),           CLP_ARGUMENT(finds)};
    return CLP_LIST_ADD(r, CLP_LIST_PACK, pack, groups_for(r, r->n), plan->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_given_heads(clp_list_run *r) {
    const clp_list *plan = r->plan;
    cl_ulong at = r->given.first;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LIST_COARSE];
    const clp_argument give[] = {CLP_ARGUMENT(r->given.mem),   CLP_ARGUMENT(at),
                                 CLP_ARGUMENT(r->num_given),   CLP_LIST_BUFFER(plan, BITS),
                                 CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(r->n),
                                 CLP_ARGUMENT(coarse)};
    const clp_argument compare[] = {CLP_LIST_BUFFER(plan, BITS), CLP_LIST_BUFFER(plan, STATE),
                                    CLP_ARGUMENT(r->n)};
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    CLP_TRY(CLP_LIST_ADD(r, CLP_LIST_GIVE, give, groups_for(r, r->num_given), group));
    return CLP_LIST_ADD(r, CLP_LIST_COMPARE, compare, groups_for(r, r->n), group);
}

/* What comes before the walks. */
static clprims_status add_first_steps(clp_list_run *r) {
    const clp_list_spec *spec = &r->plan->spec;
    const bool finds = !spec->forest && r->head == CLPRIMS_LIST_FIND_HEAD;
    if (!spec->ranks) CLP_TRY(add_pack(r));
    if (r->given.mem != NULL) CLP_TRY(add_given_heads(r));
    if (finds && spec->ranks) CLP_TRY(add_sum(r));
    return finds ? add_find(r) : CLPRIMS_OK;
}

static clprims_status add_sweep(clp_list_run *r, int kind, size_t number) {
    const clp_list *plan = r->plan;
    const clp_list_level *level = &r->layout.levels[number];
    const size_t elements = kind == CLP_LIST_UP_SWEEP ? level->ids : level->count;
    const clp_argument sweep[] = {CLP_LIST_NODES(plan), CLP_LIST_BUFFER(plan, STATE),
                                  CLP_ARGUMENT(*level)};
    return CLP_LIST_ADD(r, kind, sweep, groups_for(r, elements), plan->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_last(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const clp_argument last[] = {CLP_LIST_NODES(plan),
                                 CLP_LIST_BUFFER(plan, STATE),
                                 CLP_ARGUMENT(r->layout.levels[r->layout.last]),
                                 CLP_ARGUMENT(r->n),
                                 {plan->spec.what.working_bytes, plan->start}};
    return CLP_LIST_ADD(r, CLP_LIST_LAST_LEVEL, last, 1, plan->knobs[CLP_LIST_LAST_GROUP]);
}

static clprims_status add_levels(clp_list_run *r) {
    const size_t last = r->layout.last;
    for (size_t k = 1; k < last; k++) CLP_TRY(add_sweep(r, CLP_LIST_UP_SWEEP, k));
    CLP_TRY(add_last(r));
    for (size_t k = last; k-- > 1;) CLP_TRY(add_sweep(r, CLP_LIST_DOWN_SWEEP, k));
    return CLPRIMS_OK;
}

/* ---- Diagnosis ---- */

static clprims_status add_stage(clp_list_run *r, cl_uint pieces, cl_uint launched, size_t groups) {
    const clp_list *plan = r->plan;
    const bool ranks = plan->spec.ranks;
    cl_ulong report_at = r->report.first;
    cl_ulong bits_at = ranks ? r->out.first * (clprims_type_bytes(plan->spec.link) / 4) : 0;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LIST_COARSE];
    const cl_mem bits = ranks ? r->out.mem : plan->buffers[CLP_LIST_BITS];
    clp_list_places places;
    clp_argument diagnose[16] = {CLP_ARGUMENT(r->next.mem),
                                 CLP_ARGUMENT(bits),
                                 CLP_ARGUMENT(bits_at),
                                 CLP_LIST_BUFFER(plan, STATE),
                                 CLP_ARGUMENT(*r->layout.levels),
                                 CLP_ARGUMENT(coarse),
                                 CLP_LIST_BUFFER(plan, STATES),
                                 CLP_ARGUMENT(r->report.mem),
                                 CLP_ARGUMENT(report_at),
                                 CLP_ARGUMENT(r->head),
                                 CLP_ARGUMENT(pieces),
                                 CLP_ARGUMENT(launched)};
    const cl_uint count = clp_list_add_given(r, diagnose, 12, &places);
    return clp_list_add(r, CLP_LIST_DIAGNOSE, diagnose, count, groups,
                        plan->knobs[CLP_LIST_LAST_GROUP]);
}

/* Takes one launch if work-groups may wait for others that started before them, else one launch per
 * stage. A stage has a quarter of the work-groups that fill a device: on a valid list they have
 * nothing to do. */
static clprims_status add_diagnosis(clp_list_run *r) {
    const size_t group = r->plan->knobs[CLP_LIST_LAST_GROUP];
    const size_t most = clp_list_groups(r, SIZE_MAX, 1) / group / 4 + 1;
    const size_t wanted = (r->n + group - 1) / group;
    const cl_uint pieces = (cl_uint)(wanted < 1 ? 1 : wanted < most ? wanted : most);
    if (r->plan->context->groups_progress)
        return add_stage(r, pieces, UINT32_MAX, CLP_LIST_STAGES * pieces + 1);
    for (cl_uint stage = 0; stage < CLP_LIST_STAGES; stage++)
        CLP_TRY(add_stage(r, pieces, stage, pieces));
    return add_stage(r, pieces, CLP_LIST_STAGES, 1);
}

/* ---- A single work-group ---- */

static clprims_status rank_single_group(clp_list_run *r, int kind) {
    const clp_list *plan = r->plan;
    cl_ulong out_at = r->out.first;
    cl_ulong report_at = r->report.first;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LIST_COARSE];
    cl_uint wanted = r->report.mem != NULL;
    cl_uint as_order = plan->spec.result == CLPRIMS_LIST_ORDER;
    const cl_mem report = wanted ? r->report.mem : plan->buffers[CLP_LIST_STATE];
    const clp_argument single[] = {CLP_ARGUMENT(r->next.mem),
                                   CLP_ARGUMENT(r->out.mem),
                                   CLP_ARGUMENT(out_at),
                                   CLP_LIST_BUFFER(plan, STATE),
                                   CLP_ARGUMENT(*r->layout.levels),
                                   CLP_ARGUMENT(r->head),
                                   CLP_ARGUMENT(coarse),
                                   CLP_ARGUMENT(report),
                                   CLP_ARGUMENT(report_at),
                                   CLP_ARGUMENT(wanted),
                                   CLP_ARGUMENT(as_order)};
    return CLP_LIST_ADD(r, kind, single, 1, plan->knobs[CLP_LIST_LAST_GROUP]);
}

static clprims_status scan_single_group(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const cl_ulong links_at = r->next.first, values_at = r->values.first;
    const cl_ulong report_at = r->report.first;
    const cl_uint wanted = r->report.mem != NULL;
    clp_list_places places;
    clp_argument single[24] = {CLP_ARGUMENT(r->next.mem),
                               CLP_ARGUMENT(links_at),
                               CLP_ARGUMENT(r->values.mem),
                               CLP_ARGUMENT(values_at),
                               CLP_LIST_BUFFER(plan, ITEMS),
                               CLP_LIST_BUFFER(plan, VISITS),
                               CLP_LIST_BUFFER(plan, BITS),
                               CLP_LIST_BUFFER(plan, STATE),
                               CLP_ARGUMENT(*r->layout.levels),
                               CLP_ARGUMENT(r->head),
                               {plan->spec.what.working_bytes, plan->start},
                               CLP_ARGUMENT(r->report.mem),
                               CLP_ARGUMENT(report_at),
                               CLP_ARGUMENT(wanted)};
    cl_uint count = clp_list_add_output(r, single, 14, &places);
    count = clp_list_add_given(r, single, count, &places);
    return clp_list_add(r, CLP_LIST_SINGLE_GROUP, single, count, 1,
                        plan->knobs[CLP_LIST_LAST_GROUP]);
}

static clprims_status add_single_group(clp_list_run *r) {
    if (!r->plan->spec.ranks) return scan_single_group(r);
    return rank_single_group(r, clp_list_is_one_per_item(r->plan, r->n) ? CLP_LIST_ONE_PER_ITEM
                                                                        : CLP_LIST_SINGLE_GROUP);
}

/* ---- All of it ---- */

/* The plan's buffers hold what a run needs. */
static void assert_room(const clp_list_layout *layout, const clp_list_limits *most) {
    (void)layout, (void)most; /* without assertions */
    assert(layout->last <= most->last && layout->nodes <= most->nodes);
    assert(layout->chunks <= most->chunks && layout->words <= most->words);
    assert(layout->last == 0 || layout->cursors <= most->cursors);
}

static clprims_status add_steps(clp_list_run *r) {
    if (r->n == 0) {
        if (r->report.mem == NULL) return CLPRIMS_OK;
        CLP_TRY(add_begin(r));
        return add_diagnosis(r);
    }
    clp_list_lay_out(r->plan, r->n, &r->layout);
    r->layout.levels[0].links_at = r->next.first;
    assert_room(&r->layout, &r->plan->most);
    if (r->layout.last == 0) return add_single_group(r);
    CLP_TRY(add_begin(r));
    CLP_TRY(add_first_steps(r));
    CLP_TRY(clp_list_add_walks(r));
    CLP_TRY(add_levels(r));
    CLP_TRY(clp_list_add_result(r));
    return r->report.mem != NULL ? add_diagnosis(r) : CLPRIMS_OK;
}

clprims_status clp_list_submit(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                               const cl_event *wait, cl_event *event) {
    CLP_TRY(add_steps(r));
    return clp_steps_enqueue(queue, r->plan->spec.who, r->steps, r->count, num_wait, wait, event);
}

/* ---- Warming up ---- */

/* Adds the chain, with levels that have no nodes, but for one on the last level, which no walk
 * reaches. */
static clprims_status add_chain(clp_list_run *r) {
    clp_list_layout *layout = &r->layout;
    const clp_list *plan = r->plan;
    layout->last = plan->most.last > 1 ? 2 : 1;
    layout->levels[layout->last].count = 1;
    layout->algorithm = CLPRIMS_LIST_SCATTERED;
    CLP_TRY(add_first_steps(r));
    CLP_TRY(clp_list_add_walks(r));
    CLP_TRY(add_levels(r));
    CLP_TRY(clp_list_add_result(r));
    if (!plan->spec.ranks || plan->spec.algorithm == CLPRIMS_LIST_VISIT_LOG)
        return clp_list_add_all_results(r);
    if (plan->spec.algorithm != CLPRIMS_LIST_IN_PLACE) return CLPRIMS_OK;
    layout->algorithm = CLPRIMS_LIST_IN_PLACE;
    CLP_TRY(clp_list_add_walks(r));
    return clp_list_add_result(r);
}

clprims_status clp_list_warm_up(clp_list *plan) {
    const clprims_buffer blank = {plan->context->blank, 0}, none = {NULL, 0};
    const bool ranks = plan->spec.ranks, forest = plan->spec.forest;
    clp_list_run r = {.plan = plan,
                      .next = blank,
                      .values = blank,
                      .out = blank,
                      .out_heads = forest ? blank : none,
                      .given = forest ? blank : none,
                      .head = CLPRIMS_LIST_FIND_HEAD,
                      .layout = {.nodes = 1, .chunks = 1}};
    r.layout.words = !ranks;
    if (plan->kernels[CLP_LIST_SINGLE_GROUP][0] != NULL)
        CLP_TRY(ranks ? rank_single_group(&r, CLP_LIST_SINGLE_GROUP) : scan_single_group(&r));
    if (plan->kernels[CLP_LIST_ONE_PER_ITEM][0] != NULL)
        CLP_TRY(rank_single_group(&r, CLP_LIST_ONE_PER_ITEM));
    r.report = blank;
    CLP_TRY(add_begin(&r));
    CLP_TRY(add_diagnosis(&r));
    if (plan->most.last > 0) CLP_TRY(add_chain(&r));
    for (size_t i = 0; i < r.count; i++) r.steps[i].groups = 1;
    return clp_steps_warm_up(plan->context, plan->spec.who, r.steps, r.count);
}
