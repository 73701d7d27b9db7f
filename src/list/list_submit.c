/* SPDX-License-Identifier: MIT */
/*
 * A run: one chain of kernels, whose sizes depend on n alone. A short list takes one kernel. The
 * chain of a long list is
 *   begin, prepare and find the head, walk level 0, up-sweep of level 1, 2, ..., last,
 *   down-sweep of level ..., 2, 1, write the result of level 0,
 * followed by diagnose if the caller wants a report.
 */
#include "core/status.h"
#include "list/list_engine.h"

#include <assert.h>
#include <inttypes.h>

/* ---- The kernels and their parameters ---- */

/* Returns whether the run finds its head: the element that no link names, by a sum of all links. */
static bool wants_sum(const clp_list_run *r) {
    return !r->plan->spec.forest && !r->gives_head;
}

/* Returns the nodes whose states begin clears; a ranking does not read them. */
static size_t cleared_nodes(const clp_list_run *r) {
    return r->plan->spec.ranks ? 0 : r->layout.nodes;
}

/* Returns where the results of a second pass go; in a list scan, over the visit log. */
static const cl_mem *finer_of(const clp_list *plan) {
    return &plan->buffers[plan->spec.ranks ? CLP_LIST_FINER : CLP_LIST_VISITS];
}

/* What this file calls each value that kernels take, the name of their parameter in cl/list, and
 * the value for the run r. HAS_OUT and what follows are parameters of forests alone. */
#define BUFFER(kind) plan->buffers[CLP_LIST_##kind]
#define EACH_VALUE(X)                                                                              \
    X(LINKS, "links", r->next.mem)                                                                 \
    X(VALUES, "values", r->values.mem)                                                             \
    X(OUT, "out", r->out.mem)                                                                      \
    X(LINKS_AT, "links_at", (cl_ulong){r->next.first})                                             \
    X(VALUES_AT, "values_at", (cl_ulong){r->values.first})                                         \
    X(OUT_AT, "out_at", (cl_ulong){r->out.first})                                                  \
    X(REPORT_AT, "report_at", (cl_ulong){r->report.first})                                         \
    X(HEAD, "head", r->head)                                                                       \
    X(COUNT, "count", r->n)                                                                        \
    X(LEVEL, "level", r->has.level)                                                                \
    X(GIVEN_LEVEL, "given_level", r->has.level)                                                    \
    X(ATTEMPT, "attempt", r->has.attempt)                                                          \
    X(ONLY_NEAR, "only_near", r->has.only_near)                                                    \
    X(PIECES, "pieces", r->has.pieces)                                                             \
    X(LAUNCHED, "launched", r->has.launched)                                                       \
    X(SORTED, "sorted", r->has.sorted)                                                             \
    X(WANTS_SUM, "wants_sum", (cl_uint){wants_sum(r)})                                             \
    X(WANTS_REPORT, "wants_report", (cl_uint){r->report.mem != NULL})                              \
    X(REPORTS, "reports", *(r->report.mem != NULL ? &r->report.mem : &BUFFER(STATE)))              \
    X(AS_ORDER, "as_order", (cl_uint){plan->spec.result == CLPRIMS_LIST_ORDER})                    \
    X(COARSE, "coarse", (cl_uint){(cl_uint)plan->knobs[CLP_LIST_COARSE]})                          \
    X(SALT, "salt", plan->salt)                                                                    \
    X(START, "start", plan->start)                                                                 \
    X(NODES, "nodes", (cl_ulong){cleared_nodes(r)})                                                \
    X(NUM_FILLS, "num_fills", (cl_ulong){ranks ? 0 : r->layout.chunks})                            \
    X(NUM_CURSORS, "num_cursors", (cl_ulong){r->layout.cursors})                                   \
    X(WORDS, "words", (cl_ulong){r->layout.words})                                                 \
    X(CHUNKS, "chunks", (cl_uint){(cl_uint)r->layout.chunks})                                      \
    X(BUCKET_BITS, "bucket_bits", (cl_uint){(cl_uint)r->layout.bits})                              \
    X(CURSORS_AT, "cursors_at", (cl_uint){(cl_uint)r->layout.buckets})                             \
    X(SPARE, "spare", (cl_ulong){clp_list_spare(plan, r->n)})                                      \
    X(BITS, "bits", *(ranks ? &r->out.mem : &BUFFER(BITS)))                                        \
    X(BITS_AT, "bits_at", (cl_ulong){ranks ? r->out.first * words_of_link : 0})                    \
    X(STATE, "state", BUFFER(STATE))                                                               \
    X(PARTS, "parts", BUFFER(PARTS))                                                               \
    X(LEADS, "leads", BUFFER(LEADS))                                                               \
    X(OFFSETS, "offsets", BUFFER(OFFSETS))                                                         \
    X(STATES, "states", BUFFER(STATES))                                                            \
    X(PAIRS, "pairs", BUFFER(PAIRS))                                                               \
    X(CURSORS, "cursors", BUFFER(CURSORS))                                                         \
    X(VISITS, "visits", BUFFER(VISITS))                                                            \
    X(NAMED, "named", BUFFER(VISITS))                                                              \
    X(FILLS, "fills", BUFFER(FILLS))                                                               \
    X(STARTS, "starts", BUFFER(FILLS))                                                             \
    X(ITEMS, "items", BUFFER(ITEMS))                                                               \
    X(RECORDS, "records", BUFFER(ITEMS))                                                           \
    X(RESULTS, "results", BUFFER(ITEMS))                                                           \
    X(FINER, "finer", *finer_of(plan))                                                             \
    X(HAS_OUT, "has_out", (cl_uint){r->out.mem != NULL})                                           \
    X(HEADS, "heads", r->out_heads.mem)                                                            \
    X(HEADS_AT, "heads_at", (cl_ulong){r->out_heads.first})                                        \
    X(HAS_HEADS, "has_heads", (cl_uint){r->out_heads.mem != NULL})                                 \
    X(GIVEN, "given", r->given.mem)                                                                \
    X(GIVEN_AT, "given_at", (cl_ulong){r->given.first})                                            \
    X(NUM_GIVEN, "num_given", r->num_given)                                                        \
    X(HAS_GIVEN, "has_given", (cl_uint){r->given.mem != NULL})

/* What this file calls each kernel, its name, and its parameters in their order. A run uses one
 * kernel object per step of a kind. */
#define OF_NODES PARTS, LEADS, OFFSETS, STATES
#define OF_OUTPUT OUT, OUT_AT, HAS_OUT, HEADS, HEADS_AT, HAS_HEADS
#define OF_GIVEN GIVEN, GIVEN_AT, NUM_GIVEN, HAS_GIVEN
#define OF_REPORT REPORTS, REPORT_AT, WANTS_REPORT
#define EACH_KERNEL(X)                                                                             \
    X(BEGIN, "clp_list_begin", STATE, HEAD, COUNT, SALT, LEADS, STATES, NODES, FILLS, NUM_FILLS,   \
      CURSORS, NUM_CURSORS, BITS, WORDS)                                                           \
    X(SUM, "clp_list_sum", LINKS, STATE, LEVEL)                                                    \
    X(FIND, "clp_list_find", STATE, COUNT)                                                         \
    X(SINGLE_GROUP, "clp_list_single_group", LINKS, OUT, OUT_AT, STATE, LEVEL, HEAD, COARSE,       \
      OF_REPORT, ONLY_NEAR, AS_ORDER)                                                              \
    X(WALK, "clp_list_walk", LINKS, PAIRS, OUT, OUT_AT, PARTS, LEADS, OFFSETS, STATE, GIVEN_LEVEL, \
      SPARE, ATTEMPT)                                                                              \
    X(UP_SWEEP, "clp_list_up_sweep", OF_NODES, STATE, LEVEL)                                       \
    X(LAST_LEVEL, "clp_list_last", OF_NODES, STATE, LEVEL, COUNT, START)                           \
    X(DOWN_SWEEP, "clp_list_down_sweep", OF_NODES, STATE, LEVEL)                                   \
    X(EXPAND, "clp_list_expand", PAIRS, OFFSETS, OUT, OUT_AT, STATE, LEVEL, AS_ORDER)              \
    X(COPY, "clp_list_copy", LINKS, OUT, OUT_AT, PARTS, STATE, LEVEL, SPARE, ATTEMPT)              \
    X(WALK_LOG, "clp_list_walk_log", LINKS, VISITS, STARTS, CHUNKS, PARTS, LEADS, OFFSETS, STATE,  \
      GIVEN_LEVEL, ATTEMPT)                                                                        \
    X(WRITE_ORDER, "clp_list_order", VISITS, STARTS, CHUNKS, OFFSETS, OUT, OUT_AT, STATE,          \
      GIVEN_LEVEL)                                                                                 \
    X(SORT, "clp_list_sort", VISITS, STARTS, CHUNKS, OFFSETS, CURSORS, ITEMS, BUCKET_BITS, STATE,  \
      GIVEN_LEVEL)                                                                                 \
    X(SORT_FINER, "clp_list_sort_finer", ITEMS, CURSORS, CURSORS_AT, FINER, BUCKET_BITS, STATE,    \
      LEVEL)                                                                                       \
    X(SCATTER_WINDOW, "clp_list_scatter_window", SORTED, STATE, COUNT, OF_OUTPUT)                  \
    X(DIAGNOSE, "clp_list_diagnose", LINKS, BITS, BITS_AT, STATE, GIVEN_LEVEL, COARSE, OFFSETS,    \
      STATES, REPORTS, REPORT_AT, HEAD, PIECES, LAUNCHED, OF_GIVEN)                                \
    X(PACK, "clp_listscan_pack", LINKS, LINKS_AT, VALUES, VALUES_AT, RECORDS, BITS, STATE, COUNT,  \
      WANTS_SUM)                                                                                   \
    X(SCAN_SINGLE_GROUP, "clp_listscan_single_group", LINKS, VALUES, VALUES_AT, RESULTS, NAMED,    \
      BITS, STATE, LEVEL, HEAD, START, OF_REPORT, ONLY_NEAR, OF_OUTPUT, OF_GIVEN)                  \
    X(SCAN_WALK, "clp_listscan_walk", LINKS, RECORDS, VISITS, FILLS, OF_NODES, BITS, STATE,        \
      GIVEN_LEVEL, CHUNKS, START, ATTEMPT)                                                         \
    X(SCAN_AGAIN, "clp_listscan_again", LINKS, LINKS_AT, STATE, LEADS, STATES, NODES, FILLS,       \
      NUM_FILLS, COUNT)                                                                            \
    X(SCAN_SCATTER, "clp_listscan_scatter", VISITS, FILLS, OFFSETS, STATES, STATE, LEVEL,          \
      OF_OUTPUT)                                                                                   \
    X(SCAN_SORT, "clp_listscan_sort", VISITS, FILLS, OFFSETS, STATES, CURSORS, ITEMS, BUCKET_BITS, \
      STATE, LEVEL)                                                                                \
    X(GIVE, "clp_forest_give", GIVEN, GIVEN_AT, NUM_GIVEN, BITS, STATE, COUNT, COARSE)             \
    X(COMPARE, "clp_forest_compare", BITS, STATE, COUNT)

#define NAME_OF_VALUE(value, name, lvalue) name,
#define ARGUMENT(value, name, lvalue) CLP_ARGUMENT(lvalue),
#define FIRST(first, ...) first,
#define KERNEL(kind, name, ...) {name, {__VA_ARGS__, NO_VALUE}},
enum { EACH_VALUE(FIRST) NO_VALUE };
enum { EACH_KERNEL(FIRST) KINDS };
_Static_assert((int)KINDS <= (int)CLP_LIST_KINDS, "the kernels of a plan have their places");
static const struct {
    const char *name;
    unsigned char values[CLP_LIST_MOST_ARGUMENTS + 1];
} kernels[KINDS] = {EACH_KERNEL(KERNEL)};
static const char *const parameters[] = {EACH_VALUE(NAME_OF_VALUE)};

/* Sets the arguments of a kernel; debug builds compare the names of a new kernel's parameters. */
static clprims_status set_arguments(const clp_list_run *r, int kind, cl_kernel kernel,
                                    bool is_new) {
    const clp_list *plan = r->plan;
    const bool ranks = plan->spec.ranks;
    const size_t words_of_link = clprims_type_bytes(plan->spec.link) / sizeof(cl_uint);
    const clp_argument all[] = {EACH_VALUE(ARGUMENT)};
    clp_argument arguments[CLP_LIST_MOST_ARGUMENTS + 2 * CLP_MOST_PARAMETERS];
    size_t count = 0;
    for (const unsigned char *value = kernels[kind].values; *value != NO_VALUE; value++) {
        if (*value >= HAS_OUT && !plan->spec.forest) continue;
        if (is_new)
            CLP_TRY(
                clp_kernel_check_name(kernel, plan->spec.who, (cl_uint)count, parameters[*value]));
        arguments[count] = all[*value];
        if (*value == START) arguments[count].bytes = plan->spec.what.working_bytes;
        count++;
    }
    if (kind == PACK || kind == SCAN_WALK || kind == SCAN_SINGLE_GROUP) {
        clp_parameters_append(&plan->head.parameters, &plan->head.context->blank, arguments,
                              &count);
    }
    return clp_kernel_arguments(kernel, plan->spec.who, arguments, (cl_uint)count);
}

/* Returns whether a single work-item first looks at long lists (clp_is_near). More than 16 threads
 * are faster together on any list. */
static bool looks_near(const clp_list *plan) {
    const clp_device *device = &plan->head.context->device;
    return clp_list_single_most(plan) > 0 && plan->knobs[CLP_LIST_LAST_GROUP] == 1 &&
           device->is_cpu && device->info.compute_units <= 16;
}

/* ---- Steps ---- */

/* Adds a step on level `number`; groups: at least one is launched. The kernel objects of all runs
 * are created by the warm-up. */
static clprims_status add(clp_list_run *r, int kind, size_t number, size_t groups, size_t group) {
    clp_list *plan = r->plan;
    assert(r->count < CLP_LIST_MOST_STEPS && r->taken[kind] < CLP_LIST_LEVELS);
    cl_kernel *kernel = &plan->kernels[kind][r->taken[kind]++];
    const bool is_new = *kernel == NULL;
    assert(!is_new || r->warms_up);
    if (is_new) CLP_TRY(clp_plan_kernel(&plan->head, plan->program, kernels[kind].name, kernel));
    r->has.level = r->layout.levels[number];
    CLP_TRY(set_arguments(r, kind, *kernel, is_new));
    r->steps[r->count++] = (clp_step){*kernel, groups > 0 ? groups : 1, group};
    return CLPRIMS_OK;
}

/* Returns the work-groups for that many elements, when no load depends on another. */
static size_t groups_of(const clp_list_run *r, size_t elements, size_t group) {
    const size_t *knobs = r->plan->knobs;
    const size_t most = r->plan->spec.ranks ? knobs[CLP_LIST_WIDE] : 2 * knobs[CLP_LIST_LANES];
    return ((elements < most ? elements : most) + group - 1) / group;
}

/* Adds a step in work-groups of the usual size. */
static clprims_status add_wide(clp_list_run *r, int kind, size_t number, size_t elements) {
    const size_t group = r->plan->knobs[CLP_LIST_GROUP];
    return add(r, kind, number, groups_of(r, elements, group), group);
}

static clprims_status add_begin(clp_list_run *r) {
    const clp_list_layout *layout = &r->layout;
    return add_wide(r, BEGIN, 0, layout->words + cleared_nodes(r) + layout->cursors);
}

/* A run by a single work-group. only_near: it leaves long lists alone, unless their links lead
 * near. */
static clprims_status add_single_group(clp_list_run *r, bool only_near) {
    const int kind = r->plan->spec.ranks ? SINGLE_GROUP : SCAN_SINGLE_GROUP;
    r->has.only_near = only_near;
    return add(r, kind, 0, 1, r->plan->knobs[CLP_LIST_LAST_GROUP]);
}

/* What comes before the walks. */
static clprims_status add_first_steps(clp_list_run *r) {
    const bool ranks = r->plan->spec.ranks;
    if (looks_near(r->plan) && r->layout.buckets == 0) CLP_TRY(add_single_group(r, true));
    if (!ranks) CLP_TRY(add_wide(r, PACK, 0, r->n));
    if (r->given.mem != NULL) {
        CLP_TRY(add_wide(r, GIVE, 0, r->num_given));
        CLP_TRY(add_wide(r, COMPARE, 0, (r->n + 31) / 32));
    }
    if (ranks && wants_sum(r)) CLP_TRY(add_wide(r, SUM, 0, r->n));
    return wants_sum(r) ? add(r, FIND, 0, 1, 1) : CLPRIMS_OK;
}

static int kind_of_walk(const clp_list_run *r) {
    if (!r->plan->spec.ranks) return SCAN_WALK;
    return r->layout.algorithm == CLPRIMS_LIST_VISIT_LOG ? WALK_LOG : WALK;
}

static clprims_status add_walks(clp_list_run *r) {
    const size_t attempts = r->plan->knobs[CLP_LIST_RETRY] > 0 ? 2 : 1;
    const size_t group = r->plan->knobs[CLP_LIST_GROUP];
    const int walk = kind_of_walk(r);
    for (cl_uint attempt = 0; attempt < attempts; attempt++) {
        r->has.attempt = attempt;
        if (r->plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE) CLP_TRY(add_wide(r, COPY, 0, r->n));
        if (walk == SCAN_WALK && attempt > 0) CLP_TRY(add_wide(r, SCAN_AGAIN, 0, r->n));
        CLP_TRY(add(r, walk, 0, r->layout.lanes / group, group));
    }
    return CLPRIMS_OK;
}

static clprims_status add_levels(clp_list_run *r) {
    const size_t last = r->layout.last;
    for (size_t k = 1; k < last; k++) CLP_TRY(add_wide(r, UP_SWEEP, k, r->layout.levels[k].ids));
    CLP_TRY(add(r, LAST_LEVEL, last, 1, r->plan->knobs[CLP_LIST_LAST_GROUP]));
    for (size_t k = last; k-- > 1;) CLP_TRY(add_wide(r, DOWN_SWEEP, k, r->layout.levels[k].count));
    return CLPRIMS_OK;
}

/* ---- Results ---- */

/* Sorts the visit log in `groups` work-groups and places its items. A list scan's items reuse the
 * memory of the records, which are no longer needed; a second pass then reuses that of the visit
 * log. */
static clprims_status sort_and_place(clp_list_run *r, int kind, size_t groups) {
    const clp_list *plan = r->plan;
    const size_t batch = clp_list_batch(plan), group = plan->knobs[CLP_LIST_SORT_GROUP];
    assert(r->layout.buckets <= plan->most.buckets);
    CLP_TRY(add(r, kind, 0, groups, group));
    r->has.sorted = *(r->layout.bits == 0 ? &BUFFER(ITEMS) : finer_of(plan));
    if (r->layout.bits > 0) CLP_TRY(add(r, SORT_FINER, 0, (r->n + batch - 1) / batch, group));
    return add(r, SCATTER_WINDOW, 0, r->layout.windows, plan->knobs[CLP_LIST_WINDOW_GROUP]);
}

/* From the visit log of a ranking: the order, or ranks that are sorted. */
static clprims_status write_log(clp_list_run *r) {
    const size_t group = r->plan->knobs[CLP_LIST_SORT_GROUP]; /* a column per work-item */
    const size_t groups = (r->layout.chunks + group - 1) / group;
    if (r->plan->spec.result == CLPRIMS_LIST_ORDER) return add(r, WRITE_ORDER, 0, groups, group);
    return sort_and_place(r, SORT, groups);
}

static clprims_status sort_entries(clp_list_run *r) {
    const size_t batch = clp_list_batch(r->plan);
    const size_t batches = (r->plan->knobs[CLP_LISTSCAN_CHUNK] + batch - 1) / batch;
    return sort_and_place(r, SCAN_SORT, r->layout.chunks * batches);
}

static clprims_status add_result(clp_list_run *r) {
    const clp_list *plan = r->plan;
    if (!plan->spec.ranks) {
        if (r->layout.buckets > 0) return sort_entries(r);
        return add(r, SCAN_SCATTER, 0, r->layout.chunks, plan->knobs[CLP_LIST_GROUP]);
    }
    if (r->layout.algorithm != CLPRIMS_LIST_VISIT_LOG) return add_wide(r, EXPAND, 0, r->n);
    return write_log(r);
}

/* ---- Diagnosis ---- */

static clprims_status add_stage(clp_list_run *r, cl_uint launched, size_t groups) {
    r->has.launched = launched;
    return add(r, DIAGNOSE, 0, groups, r->plan->knobs[CLP_LIST_LAST_GROUP]);
}

/* Takes one launch if work-groups may wait for others that started before them, else one launch per
 * stage. On a valid list the stages have nothing to do, so they have no more work-groups than the
 * device holds at once: to start them is all that they cost. */
static clprims_status add_diagnosis(clp_list_run *r) {
    const size_t group = r->plan->knobs[CLP_LIST_LAST_GROUP];
    const size_t whole = groups_of(r, SIZE_MAX, group);
    const size_t most = whole > 2 * CLP_LIST_STAGES ? (whole - 1) / CLP_LIST_STAGES : 2;
    const size_t wanted = (r->n + group - 1) / group;
    const cl_uint pieces = (cl_uint)(wanted < 1 ? 1 : wanted < most ? wanted : most);
    r->has.pieces = pieces;
    if (r->plan->head.context->groups_progress)
        return add_stage(r, UINT32_MAX, CLP_LIST_STAGES * pieces + 1);
    for (cl_uint stage = 0; stage < CLP_LIST_STAGES; stage++) CLP_TRY(add_stage(r, stage, pieces));
    return add_stage(r, CLP_LIST_STAGES, 1);
}

/* ---- All of it ---- */

/* The chain of a long list, between begin and the diagnosis. */
static clprims_status add_chain(clp_list_run *r) {
    CLP_TRY(add_first_steps(r));
    CLP_TRY(add_walks(r));
    CLP_TRY(add_levels(r));
    return add_result(r);
}

static clprims_status add_steps(clp_list_run *r) {
    const clp_list_layout *layout = &r->layout;
    if (r->n == 0 && r->report.mem == NULL) return CLPRIMS_OK;
    if (r->n > 0) clp_list_lay_out(r->plan, r->n, &r->layout);
    r->layout.levels[0].links_at = r->next.first;
    assert(layout->last <= r->plan->most.last && layout->nodes <= r->plan->most.nodes);
    assert(layout->chunks <= r->plan->most.chunks && layout->words <= r->plan->most.words);
    assert(layout->last == 0 || layout->cursors <= r->plan->most.cursors);
    if (r->n > 0 && layout->last == 0) return add_single_group(r, false);
    CLP_TRY(add_begin(r));
    if (r->n > 0) CLP_TRY(add_chain(r));
    return r->report.mem != NULL ? add_diagnosis(r) : CLPRIMS_OK;
}

clprims_status clp_list_submit(clp_plan *plan, clp_call *call) {
    clp_list_run *r = (clp_list_run *)call;
    r->plan = (clp_list *)plan;
    CLP_TRY(add_steps(r));
    return clp_plan_enqueue_steps(plan, call, r->steps, r->count);
}

/* ---- Warming up ---- */

/* Adds the chain, with levels that have no nodes, but for one on the last level, which no walk
 * reaches; then the result steps of a visit log or of a list scan for all n up to max_n. */
static clprims_status add_chains(clp_list_run *r) {
    const clp_list *plan = r->plan;
    clp_list_layout *layout = &r->layout;
    layout->last = plan->most.last;
    layout->levels[layout->last].count = 1;
    layout->algorithm = CLPRIMS_LIST_SCATTERED;
    CLP_TRY(add_chain(r));
    layout->bits = plan->most.two_passes;
    layout->buckets = 1;
    if (!plan->spec.ranks && !clp_list_partitions(plan, plan->spec.max_n)) return CLPRIMS_OK;
    if (!plan->spec.ranks) return sort_entries(r);
    if (plan->most.chunks == 0) return CLPRIMS_OK;
    layout->algorithm = CLPRIMS_LIST_VISIT_LOG;
    CLP_TRY(add_walks(r));
    return write_log(r);
}

clprims_status clp_list_warm_up(clp_list *plan) {
    const clprims_buffer blank = {plan->head.context->blank, 0}, none = {NULL, 0};
    const bool forest = plan->spec.forest;
    clp_list_run r = {.plan = plan,
                      .warms_up = true,
                      .next = blank,
                      .values = blank,
                      .out = blank,
                      .out_heads = forest ? blank : none,
                      .given = forest ? blank : none,
                      .head = -1,
                      .layout = {.nodes = 1, .chunks = 1, .words = !plan->spec.ranks}};
    if (clp_list_single_most(plan) > 0) CLP_TRY(add_single_group(&r, false));
    r.report = blank;
    CLP_TRY(add_begin(&r));
    CLP_TRY(add_diagnosis(&r));
    if (plan->most.last > 0) CLP_TRY(add_chains(&r));
    for (size_t i = 0; i < r.count; i++) r.steps[i].groups = 1;
    return clp_plan_warm_up(&plan->head, r.steps, r.count);
}

/* ---- Checks ---- */

clprims_status clp_list_check_heads(const char *who, size_t n, size_t heads) {
    if (heads <= n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: sizes.heads = %zu exceeds n = %zu; an element is one list's head", who,
                    heads, n);
}

clprims_status clp_list_check_sizes(const clp_plan *plan, const clp_call *call) {
    const clp_list_run *r = (const clp_list_run *)call;
    const char *who = plan->kind->name;
    CLP_TRY(clp_check_n(who, r->n, ((const clp_list *)plan)->spec.max_n));
    CLP_TRY(clp_list_check_heads(who, r->n, r->num_given));
    CLP_FAIL_IF(!r->gives_heads && r->num_given > 0, CLPRIMS_ERR_ARGUMENT,
                "%s: sizes.heads = %zu, but heads is NULL", who, (size_t)r->num_given);
    if (!r->gives_head || (r->head >= 0 && (cl_ulong)r->head < r->n)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: head = %" PRId64 " is not in [0, n = %zu); NULL lets the run find it", who,
                    (int64_t)r->head, (size_t)r->n);
}

enum { NEXT, OUT_ROW, VALUES_ROW, HEADS_ROW, GIVEN_ROW, REPORT_ROW, ARRAYS };

/* The caller's name of the result. */
static const char *result_name(const clp_list_spec *spec) {
    if (!spec->ranks && !spec->forest) return "out";
    return spec->result == CLPRIMS_LIST_ORDER ? "order" : "rank";
}

/* The result of a ranking may not be in its links' place; that of a list scan may. */
size_t clp_list_list_arrays(const clp_plan *plan, clp_call *call, clp_run_array *rows) {
    const clp_list_spec *spec = &((const clp_list *)plan)->spec;
    clp_list_run *r = (clp_list_run *)call;
    const size_t link = clprims_type_bytes(spec->link), n = r->n;
    const size_t result = spec->ranks || spec->forest ? link : spec->what.accumulator_bytes;
    rows[NEXT] = clp_read_row("next", &r->next, r->plain.next, n, link);
    rows[OUT_ROW] = clp_written_row(result_name(spec), &r->out, r->plain.out, n, result);
    rows[VALUES_ROW] =
        clp_read_row("values", &r->values, r->plain.values, n, spec->what.type_bytes);
    rows[VALUES_ROW].lacks = spec->what.has_input_array ? NULL : "has no input array";
    rows[HEADS_ROW] = clp_written_row("head", &r->out_heads, r->plain.heads, n, link);
    rows[GIVEN_ROW] = clp_read_row("heads", &r->given, r->plain.given, r->num_given, link);
    rows[REPORT_ROW] = clp_report_row(&r->report, sizeof(clprims_list_report));
    if (spec->forest) rows[OUT_ROW].roles |= CLP_OPTIONAL;
    if (!spec->ranks) rows[OUT_ROW].roles |= CLP_AFTER_INPUTS;
    rows[HEADS_ROW].roles |= CLP_OPTIONAL | CLP_AFTER_INPUTS;
    rows[GIVEN_ROW].roles |= CLP_OPTIONAL;
    return ARRAYS;
}

clprims_status clp_list_finish(const clp_plan *plan, clp_call *call, const void *report) {
    const clp_list_run *r = (const clp_list_run *)call;
    return clp_list_report_status(plan->kind->name, report, ((const clp_list *)plan)->spec.link,
                                  r->plain.next);
}

clprims_status clp_list_run_plain(clp_list *plan, clp_list_run *run) {
    run->gives_heads = run->plain.given != NULL;
    if (run->gives_heads && run->num_given == 0) {
        run->given.mem = plan->head.context->blank;
        run->plain.given = NULL;
    }
    run->report.mem = plan->head.report;
    return clp_plan_run(&plan->head, &run->call);
}
