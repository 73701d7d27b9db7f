/* SPDX-License-Identifier: MIT */
/*
 * A run of list scan: one chain of kernels, whose sizes depend on n alone:
 *   clear, [give,] pack, [find or compare,] walk, [again, walk,] up-sweep of level 1, 2, ..., last,
 *   down-sweep of level ..., 2, 1, then scatter, or partition, [partition finer,] scatter windows,
 * and, if the caller wants a report,
 *   [name,] find faults, classify, [classify heads,] reach, find faults, write report.
 */
#include "core/context.h"
#include "list/listscan_engine.h"

#include <assert.h>
#include <clprims/list.h>

/* ---- Steps ---- */

enum { MOST_STEPS = 2 * CLP_LISTSCAN_LEVELS + 20 };

typedef struct submission {
    clp_listscan *plan;
    clp_listscan_run run;
    clp_listscan_layout layout;
    cl_ulong n;
    clp_step steps[MOST_STEPS];
    size_t count;
} submission;

static clprims_status add_step(submission *s, cl_kernel kernel, const clp_argument *arguments,
                               cl_uint count, size_t groups, size_t group) {
    assert(kernel != NULL && s->count < MOST_STEPS);
    CLP_TRY(clp_kernel_arguments(kernel, s->plan->spec.who, arguments, count));
    s->steps[s->count++] = (clp_step){kernel, groups > 0 ? groups : 1, group};
    return CLPRIMS_OK;
}

#define ADD_STEP(s, kernel, arguments, groups, group)                                              \
    add_step(s, kernel, arguments, (cl_uint)(sizeof(arguments) / sizeof((arguments)[0])), groups,  \
             group)

/* Work-groups for that many elements: more than for walks, because no load depends on another. */
static size_t groups_for(const submission *s, size_t elements) {
    const size_t group = s->plan->knobs[CLP_LISTSCAN_GROUP];
    const size_t most = 2 * s->plan->knobs[CLP_LISTSCAN_LANES];
    const size_t lanes = elements < most ? elements : most;
    return (lanes + group - 1) / group;
}

static clprims_status add_given_heads(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong at = s->run.given.first;
    cl_ulong num = s->run.num_given;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LISTSCAN_COARSE];
    const clp_argument give[] = {CLP_ARGUMENT(s->run.given.mem),
                                 CLP_ARGUMENT(at),
                                 CLP_ARGUMENT(num),
                                 CLP_ARGUMENT(plan->bits),
                                 CLP_ARGUMENT(plan->state),
                                 CLP_ARGUMENT(s->n),
                                 CLP_ARGUMENT(coarse)};
    const clp_argument compare[] = {CLP_ARGUMENT(plan->bits), CLP_ARGUMENT(plan->state),
                                    CLP_ARGUMENT(s->n)};
    const size_t group = plan->knobs[CLP_LISTSCAN_GROUP];
    CLP_TRY(ADD_STEP(s, plan->give, give, groups_for(s, num), group));
    return ADD_STEP(s, plan->compare, compare, groups_for(s, s->n), group);
}

static clprims_status add_clear(submission *s) {
    clp_listscan *plan = s->plan;
    const clp_listscan_layout *layout = &s->layout;
    cl_ulong nodes = layout->nodes, chunks = layout->chunks, words = layout->words;
    cl_ulong cursors = layout->cursors;
    const clp_argument clear[] = {
        CLP_ARGUMENT(plan->state),   CLP_ARGUMENT(plan->leads), CLP_ARGUMENT(plan->states),
        CLP_ARGUMENT(nodes),         CLP_ARGUMENT(plan->fills), CLP_ARGUMENT(chunks),
        CLP_ARGUMENT(plan->cursors), CLP_ARGUMENT(cursors),     CLP_ARGUMENT(plan->bits),
        CLP_ARGUMENT(words),         CLP_ARGUMENT(s->run.head), CLP_ARGUMENT(s->n)};
    return ADD_STEP(s, plan->clear, clear, groups_for(s, words + nodes),
                    plan->knobs[CLP_LISTSCAN_GROUP]);
}

static clprims_status add_find(submission *s) {
    clp_listscan *plan = s->plan;
    const clp_argument find[] = {CLP_ARGUMENT(plan->state), CLP_ARGUMENT(s->n)};
    return ADD_STEP(s, plan->find, find, 1, 1);
}

static clprims_status add_pack(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first, values_at = s->run.values.first;
    cl_uint finds = !plan->spec.forest && s->run.head == CLPRIMS_LIST_FIND_HEAD;
    const clp_argument pack[] = {
        CLP_ARGUMENT(s->run.next.mem), CLP_ARGUMENT(next_at),       CLP_ARGUMENT(s->run.values.mem),
        CLP_ARGUMENT(values_at),       CLP_ARGUMENT(plan->records), CLP_ARGUMENT(plan->bits),
        CLP_ARGUMENT(plan->state),     CLP_ARGUMENT(s->n),          CLP_ARGUMENT(finds)};
    CLP_TRY(ADD_STEP(s, plan->pack, pack, groups_for(s, s->n), plan->knobs[CLP_LISTSCAN_GROUP]));
    if (s->run.given.mem != NULL) return add_given_heads(s);
    return finds ? add_find(s) : CLPRIMS_OK;
}

static clprims_status add_walk(submission *s, cl_uint attempt) {
    clp_listscan *plan = s->plan;
    cl_uint chunks = (cl_uint)s->layout.chunks;
    const size_t group = plan->knobs[CLP_LISTSCAN_GROUP];
    const clp_argument walk[] = {CLP_ARGUMENT(plan->records),
                                 CLP_ARGUMENT(plan->visits),
                                 CLP_ARGUMENT(plan->fills),
                                 CLP_ARGUMENT(plan->parts),
                                 CLP_ARGUMENT(plan->leads),
                                 CLP_ARGUMENT(plan->states),
                                 CLP_ARGUMENT(plan->bits),
                                 CLP_ARGUMENT(plan->state),
                                 CLP_ARGUMENT(s->layout.levels[0]),
                                 CLP_ARGUMENT(chunks),
                                 {plan->spec.what.working_bytes, plan->start},
                                 CLP_ARGUMENT(attempt)};
    return ADD_STEP(s, plan->walk[attempt], walk, s->layout.lanes / group, group);
}

static clprims_status add_walks(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first, nodes = s->layout.nodes, chunks = s->layout.chunks;
    CLP_TRY(add_walk(s, 0));
    if (plan->knobs[CLP_LISTSCAN_RETRY] == 0) return CLPRIMS_OK;
    const clp_argument again[] = {
        CLP_ARGUMENT(s->run.next.mem), CLP_ARGUMENT(next_at),      CLP_ARGUMENT(plan->state),
        CLP_ARGUMENT(plan->leads),     CLP_ARGUMENT(plan->states), CLP_ARGUMENT(nodes),
        CLP_ARGUMENT(plan->fills),     CLP_ARGUMENT(chunks),       CLP_ARGUMENT(s->n)};
    CLP_TRY(ADD_STEP(s, plan->again, again, groups_for(s, s->n), plan->knobs[CLP_LISTSCAN_GROUP]));
    return add_walk(s, 1);
}

static clprims_status add_levels(submission *s) {
    clp_listscan *plan = s->plan;
    const size_t group = plan->knobs[CLP_LISTSCAN_GROUP];
    clp_listscan_level *levels = s->layout.levels;
    const size_t last = s->layout.last;
    for (size_t k = 1; k < last; k++) {
        const clp_argument up_sweep[] = {CLP_ARGUMENT(plan->parts), CLP_ARGUMENT(plan->leads),
                                         CLP_ARGUMENT(plan->states), CLP_ARGUMENT(plan->state),
                                         CLP_ARGUMENT(levels[k])};
        CLP_TRY(ADD_STEP(s, plan->up_sweep[k - 1], up_sweep, groups_for(s, levels[k].ids), group));
    }
    const size_t count = levels[last].count;
    const clp_argument top[] = {CLP_ARGUMENT(plan->parts),
                                CLP_ARGUMENT(plan->leads),
                                CLP_ARGUMENT(plan->states),
                                CLP_ARGUMENT(plan->state),
                                CLP_ARGUMENT(levels[last]),
                                CLP_ARGUMENT(s->n),
                                {count * clprims_type_bytes(plan->spec.link), NULL},
                                {count * plan->spec.what.working_bytes, NULL},
                                {count * sizeof(cl_uint), NULL}};
    CLP_TRY(ADD_STEP(s, plan->last, top, 1, group));
    for (size_t k = last; k-- > 1;) {
        const clp_argument down_sweep[] = {CLP_ARGUMENT(plan->leads), CLP_ARGUMENT(plan->states),
                                           CLP_ARGUMENT(plan->state), CLP_ARGUMENT(levels[k])};
        CLP_TRY(ADD_STEP(s, plan->down_sweep[k - 1], down_sweep, groups_for(s, levels[k].count),
                         group));
    }
    return CLPRIMS_OK;
}

/* ---- Placing ---- */

/* Appends the arguments of the output to `count` others. */
static cl_uint add_output(submission *s, clp_argument *arguments, cl_uint count, cl_ulong firsts[2],
                          cl_uint wanted[2]) {
    firsts[0] = s->run.out.first;
    firsts[1] = s->run.out_heads.first;
    wanted[0] = s->run.out.mem != NULL;
    wanted[1] = s->run.out_heads.mem != NULL;
    arguments[count++] = (clp_argument)CLP_ARGUMENT(s->run.out.mem);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(firsts[0]);
    if (!s->plan->spec.forest) return count;
    arguments[count++] = (clp_argument)CLP_ARGUMENT(wanted[0]);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(s->run.out_heads.mem);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(firsts[1]);
    arguments[count++] = (clp_argument)CLP_ARGUMENT(wanted[1]);
    return count;
}

static clprims_status add_scatter_window(submission *s, cl_mem partitioned) {
    clp_listscan *plan = s->plan;
    cl_ulong firsts[2];
    cl_uint wanted[2];
    clp_argument arguments[12] = {CLP_ARGUMENT(partitioned), CLP_ARGUMENT(plan->state),
                                  CLP_ARGUMENT(s->n)};
    const cl_uint count = add_output(s, arguments, 3, firsts, wanted);
    return add_step(s, plan->scatter_window, arguments, count, s->layout.windows,
                    plan->knobs[CLP_LISTSCAN_GROUP]);
}

/* The buckets reuse the memory of the records, which are no longer needed; the windows then reuse
 * that of the visit log. */
static clprims_status add_partition(submission *s) {
    clp_listscan *plan = s->plan;
    const clp_listscan_layout *layout = &s->layout;
    const size_t group = plan->knobs[CLP_LISTSCAN_GROUP], tile = group * plan->held;
    const size_t tiles = (plan->knobs[CLP_LISTSCAN_CHUNK] + tile - 1) / tile;
    cl_uint bits = (cl_uint)layout->bucket_bits, buckets = (cl_uint)layout->buckets;
    cl_ulong cursors_at = CLP_LISTSCAN_BUCKETS;
    const clp_argument arguments[] = {CLP_ARGUMENT(plan->visits),
                                      CLP_ARGUMENT(plan->fills),
                                      CLP_ARGUMENT(plan->leads),
                                      CLP_ARGUMENT(plan->states),
                                      CLP_ARGUMENT(plan->cursors),
                                      CLP_ARGUMENT(plan->state),
                                      CLP_ARGUMENT(layout->levels[0]),
                                      CLP_ARGUMENT(plan->records),
                                      CLP_ARGUMENT(bits),
                                      CLP_ARGUMENT(buckets)};
    CLP_TRY(ADD_STEP(s, plan->partition, arguments, layout->chunks * tiles, group));
    if (layout->bucket_bits == plan->window_bits) return add_scatter_window(s, plan->records);
    const clp_argument finer[] = {CLP_ARGUMENT(plan->records), CLP_ARGUMENT(plan->cursors),
                                  CLP_ARGUMENT(plan->state),   CLP_ARGUMENT(s->n),
                                  CLP_ARGUMENT(plan->visits),  CLP_ARGUMENT(cursors_at),
                                  CLP_ARGUMENT(bits)};
    CLP_TRY(ADD_STEP(s, plan->partition_finer, finer, (s->run.n + tile - 1) / tile, group));
    return add_scatter_window(s, plan->visits);
}

static clprims_status add_scatter(submission *s) {
    clp_listscan *plan = s->plan;
    const clp_listscan_layout *layout = &s->layout;
    cl_ulong firsts[2];
    cl_uint wanted[2];
    if (layout->buckets > 0) return add_partition(s);
    clp_argument arguments[12] = {CLP_ARGUMENT(plan->visits), CLP_ARGUMENT(plan->fills),
                                  CLP_ARGUMENT(plan->leads),  CLP_ARGUMENT(plan->states),
                                  CLP_ARGUMENT(plan->state),  CLP_ARGUMENT(layout->levels[0])};
    const cl_uint count = add_output(s, arguments, 6, firsts, wanted);
    return add_step(s, plan->scatter, arguments, count, layout->chunks,
                    plan->knobs[CLP_LISTSCAN_GROUP]);
}

/* ---- Diagnosis ---- */

static clprims_status add_find_faults(submission *s, size_t stage) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LISTSCAN_COARSE];
    cl_uint given = s->run.given.mem != NULL;
    /* The four first checks of cl/list/listscan_fault.cl, then the three that depend on them. */
    cl_uint first = stage == 0 ? 0 : 4, end = stage == 0 ? 4 : 7;
    const clp_argument arguments[] = {
        CLP_ARGUMENT(s->run.next.mem), CLP_ARGUMENT(next_at), CLP_ARGUMENT(plan->bits),
        CLP_ARGUMENT(plan->state),     CLP_ARGUMENT(s->n),    CLP_ARGUMENT(coarse),
        CLP_ARGUMENT(given),           CLP_ARGUMENT(first),   CLP_ARGUMENT(end)};
    return ADD_STEP(s, plan->find_faults[stage], arguments, groups_for(s, s->n),
                    plan->knobs[CLP_LISTSCAN_GROUP]);
}

static clprims_status add_classify(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first, given_at = s->run.given.first, num = s->run.num_given;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LISTSCAN_COARSE];
    cl_uint given = s->run.given.mem != NULL;
    const clp_argument arguments[] = {CLP_ARGUMENT(s->run.next.mem),
                                      CLP_ARGUMENT(next_at),
                                      CLP_ARGUMENT(plan->bits),
                                      CLP_ARGUMENT(plan->state),
                                      CLP_ARGUMENT(s->n),
                                      CLP_ARGUMENT(coarse),
                                      CLP_ARGUMENT(given)};
    CLP_TRY(ADD_STEP(s, plan->classify, arguments, 1, 1));
    if (!given) return CLPRIMS_OK;
    const clp_argument heads[] = {
        CLP_ARGUMENT(s->run.given.mem), CLP_ARGUMENT(given_at), CLP_ARGUMENT(num),
        CLP_ARGUMENT(plan->state),      CLP_ARGUMENT(s->n),     CLP_ARGUMENT(coarse)};
    return ADD_STEP(s, plan->classify_heads, heads, 1, 1);
}

static clprims_status add_reach(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first;
    const clp_argument reach[] = {CLP_ARGUMENT(s->run.next.mem), CLP_ARGUMENT(next_at),
                                  CLP_ARGUMENT(plan->bits),      CLP_ARGUMENT(plan->states),
                                  CLP_ARGUMENT(plan->state),     CLP_ARGUMENT(s->layout.levels[0])};
    return ADD_STEP(s, plan->reach, reach, groups_for(s, s->layout.levels[0].ids),
                    plan->knobs[CLP_LISTSCAN_GROUP]);
}

/* Adds the diagnosis of n > 0 elements. */
static clprims_status add_checks(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first;
    const clp_argument name[] = {CLP_ARGUMENT(s->run.next.mem), CLP_ARGUMENT(next_at),
                                 CLP_ARGUMENT(plan->bits), CLP_ARGUMENT(plan->state),
                                 CLP_ARGUMENT(s->n)};
    if (!plan->spec.forest) {
        CLP_TRY(
            ADD_STEP(s, plan->name, name, groups_for(s, s->n), plan->knobs[CLP_LISTSCAN_GROUP]));
    }
    CLP_TRY(add_find_faults(s, 0));
    CLP_TRY(add_classify(s));
    CLP_TRY(add_reach(s));
    return add_find_faults(s, 1);
}

static clprims_status add_write_report(submission *s) {
    clp_listscan *plan = s->plan;
    cl_ulong next_at = s->run.next.first;
    cl_ulong report_at = s->run.report.first;
    cl_uint coarse = (cl_uint)plan->knobs[CLP_LISTSCAN_COARSE];
    const clp_argument arguments[] = {
        CLP_ARGUMENT(s->run.next.mem),   CLP_ARGUMENT(next_at),   CLP_ARGUMENT(plan->bits),
        CLP_ARGUMENT(plan->state),       CLP_ARGUMENT(s->n),      CLP_ARGUMENT(coarse),
        CLP_ARGUMENT(s->run.report.mem), CLP_ARGUMENT(report_at), CLP_ARGUMENT(s->run.head)};
    return ADD_STEP(s, plan->write_report, arguments, 1, 1);
}

/* ---- All of it ---- */

static clprims_status add_steps(submission *s) {
    if (s->n > 0 || s->run.report.mem != NULL) CLP_TRY(add_clear(s));
    if (s->n > 0) {
        CLP_TRY(add_pack(s));
        CLP_TRY(add_walks(s));
        CLP_TRY(add_levels(s));
        CLP_TRY(add_scatter(s));
    }
    if (s->run.report.mem == NULL) return CLPRIMS_OK;
    if (s->n > 0) CLP_TRY(add_checks(s));
    return add_write_report(s);
}

clprims_status clp_listscan_submit(clp_listscan *plan, const clp_listscan_run *run,
                                   cl_command_queue queue, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event) {
    if (clp_listscan_is_short(plan, run->n))
        return clp_listscan_submit_single_group(plan, run, queue, num_wait, wait, event);
    submission s = {.plan = plan, .run = *run, .n = run->n};
    if (run->n > 0) clp_listscan_lay_out(plan, run->n, &s.layout);
    assert(s.layout.last <= plan->most.last && s.layout.nodes <= plan->most.nodes);
    assert(s.layout.chunks <= plan->most.chunks && s.layout.words <= plan->most.words);
    assert(s.layout.cursors <= plan->most.cursors);
    CLP_TRY(add_steps(&s));
    return clp_steps_enqueue(queue, plan->spec.who, s.steps, s.count, num_wait, wait, event);
}

/* ---- Warming up ---- */

/* Adds the chain, with levels that have no nodes, but for one on the last level, which no walk
 * reaches. */
static clprims_status add_chain(submission *s) {
    clp_listscan *plan = s->plan;
    clp_listscan_layout *layout = &s->layout;
    layout->last = plan->up_sweep[0] != NULL ? 2 : 1;
    layout->levels[layout->last].count = 1;
    CLP_TRY(add_pack(s));
    CLP_TRY(add_walks(s));
    CLP_TRY(add_levels(s));
    CLP_TRY(add_scatter(s));
    layout->buckets = 1;
    layout->bucket_bits = plan->window_bits + clp_listscan_may_partition_finer(plan);
    if (clp_listscan_may_partition(plan)) CLP_TRY(add_partition(s));
    return add_checks(s);
}

clprims_status clp_listscan_warm_up(clp_listscan *plan) {
    const clprims_buffer blank = {plan->context->blank, 0}, none = {NULL, 0};
    const bool forest = plan->spec.forest;
    submission s = {.plan = plan,
                    .run = {.next = blank,
                            .values = blank,
                            .out = blank,
                            .out_heads = forest ? blank : none,
                            .given = forest ? blank : none,
                            .head = CLPRIMS_LIST_FIND_HEAD},
                    .layout = {.last = 1, .nodes = 1, .chunks = 1, .words = 1}};
    if (plan->single_group != NULL) {
        CLP_TRY(clp_listscan_warm_up_single_group(plan, &s.run, &s.steps[s.count++]));
    }
    s.run.report = blank;
    CLP_TRY(add_clear(&s));
    if (!clp_listscan_is_short(plan, plan->spec.max_n)) CLP_TRY(add_chain(&s));
    CLP_TRY(add_write_report(&s));
    for (size_t i = 0; i < s.count; i++) s.steps[i].groups = 1;
    return clp_steps_warm_up(plan->context, plan->spec.who, s.steps, s.count);
}
