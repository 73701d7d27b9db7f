/* SPDX-License-Identifier: MIT */
/*
 * A run: one chain of kernels, whose sizes depend on n alone. A short list takes one kernel. The
 * chain of a long list is
 *   begin, prepare and find the head, walk level 0, up-sweep of level 1, 2, ..., last,
 *   down-sweep of level ..., 2, 1, write the result of level 0,
 * followed by diagnose if the caller wants a report.
 */
#include "core/check.h"
#include "core/context.h"
#include "core/program.h"
#include "list/list_engine.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- The kernels and their parameters ---- */

/* What this file calls each kernel, its name, and the names of its parameters in their order; with
 * a plus, only those of a forest. A run uses one kernel object per step of a kind. */
#define NODES "parts leads offsets states "
#define OUTPUT "out out_at +has_out +heads +heads_at +has_heads"
#define GIVEN " +given +given_at +num_given +has_given"
#define OF_SINGLE_GROUP                                                                            \
    "links out out_at state level head coarse reports report_at wants_report only_near as_order"
#define KERNELS(X)                                                                                 \
    X(BEGIN, "clp_list_begin",                                                                     \
      "state head count salt leads states nodes fills num_fills cursors num_cursors bits words")   \
    X(SUM, "clp_list_sum", "links state level")                                                    \
    X(FIND, "clp_list_find", "state count")                                                        \
    X(SINGLE_GROUP, "clp_list_single_group", OF_SINGLE_GROUP)                                      \
    X(ONE_PER_ITEM, "clp_list_one_per_item", OF_SINGLE_GROUP)                                      \
    X(WALK, "clp_list_walk",                                                                       \
      "links pairs out out_at parts leads offsets state given_level spare attempt")                \
    X(UP_SWEEP, "clp_list_up_sweep", NODES "state level")                                          \
    X(LAST_LEVEL, "clp_list_last", NODES "state level count start")                                \
    X(DOWN_SWEEP, "clp_list_down_sweep", NODES "state level")                                      \
    X(EXPAND, "clp_list_expand", "pairs offsets out out_at state level as_order")                  \
    X(COPY, "clp_list_copy", "links out out_at parts state level spare attempt")                   \
    X(WALK_LOG, "clp_list_walk_log",                                                               \
      "links visits starts chunks parts leads offsets state given_level attempt")                  \
    X(WRITE_ORDER, "clp_list_order", "visits starts chunks offsets out out_at state given_level")  \
    X(SORT, "clp_list_sort",                                                                       \
      "visits starts chunks offsets cursors items bucket_bits state given_level")                  \
    X(SORT_FINER, "clp_list_sort_finer", "items cursors cursors_at finer bucket_bits state level") \
    X(SCATTER_WINDOW, "clp_list_scatter_window", "sorted state count " OUTPUT)                     \
    X(DIAGNOSE, "clp_list_diagnose",                                                               \
      "links bits bits_at state given_level coarse offsets states reports report_at head pieces "  \
      "launched" GIVEN)                                                                            \
    X(PACK, "clp_listscan_pack",                                                                   \
      "links links_at values values_at records bits state count wants_sum")                        \
    X(SCAN_SINGLE_GROUP, "clp_listscan_single_group",                                              \
      "links values values_at results named bits state level head start reports report_at "        \
      "wants_report only_near " OUTPUT GIVEN)                                                      \
    X(SCAN_WALK, "clp_listscan_walk",                                                              \
      "links records visits fills " NODES "bits state given_level chunks start attempt")           \
    X(SCAN_AGAIN, "clp_listscan_again",                                                            \
      "links links_at state leads states nodes fills num_fills count")                             \
    X(SCAN_SCATTER, "clp_listscan_scatter", "visits fills offsets states state level " OUTPUT)     \
    X(SCAN_SORT, "clp_listscan_sort",                                                              \
      "visits fills offsets states cursors items bucket_bits state level")                         \
    X(GIVE, "clp_forest_give", "given given_at num_given bits state count coarse")                 \
    X(COMPARE, "clp_forest_compare", "bits state count")
#define KIND(kind, name, parameters) kind,
#define CONTRACT(kind, name, parameters) {name, parameters},
enum { KERNELS(KIND) KINDS };
_Static_assert((int)KINDS <= (int)CLP_LIST_KINDS, "the kernels of a plan have their places");
static const struct { const char *name, *parameters; } contracts[KINDS] = {KERNELS(CONTRACT)};

/* Where the value of a parameter stands: in the run, in clp_list_values, or in the plan. */
#define BYTES_OF(type, member) sizeof(((type *)0)->member)
#define OF_RUN(name, member)                                                                       \
    { #name, offsetof(clp_list_run, member), BYTES_OF(clp_list_run, member), true }
#define VALUE(name) OF_RUN(name, has.name)
#define BUFFER(name, kind)                                                                         \
    { #name, offsetof(clp_list, buffers[CLP_LIST_##kind]), sizeof(cl_mem), false }
#define OF_CALLER                                                                                  \
    OF_RUN(links, next.mem), OF_RUN(values, values.mem), OF_RUN(out, out.mem),                     \
        OF_RUN(heads, out_heads.mem), OF_RUN(given, given.mem), OF_RUN(num_given, num_given),      \
        OF_RUN(head, head), OF_RUN(count, n)
#define VALUES                                                                                     \
    VALUE(level), VALUE(bits), VALUE(reports), VALUE(sorted), VALUE(finer), VALUE(links_at),       \
        VALUE(values_at), VALUE(out_at), VALUE(heads_at), VALUE(given_at), VALUE(bits_at),         \
        VALUE(report_at), VALUE(nodes), VALUE(num_fills), VALUE(num_cursors), VALUE(words),        \
        VALUE(spare), VALUE(has_out), VALUE(has_heads), VALUE(has_given), VALUE(chunks),           \
        VALUE(bucket_bits), VALUE(cursors_at), VALUE(coarse), VALUE(attempt), VALUE(wants_sum),    \
        VALUE(wants_report), VALUE(only_near), VALUE(as_order), VALUE(pieces), VALUE(launched),    \
        OF_RUN(given_level, has.level)
#define BUFFERS                                                                                    \
    BUFFER(state, STATE), BUFFER(parts, PARTS), BUFFER(leads, LEADS), BUFFER(offsets, OFFSETS),    \
        BUFFER(states, STATES), BUFFER(pairs, PAIRS), BUFFER(cursors, CURSORS),                    \
        BUFFER(visits, VISITS), BUFFER(named, VISITS), BUFFER(fills, FILLS),                       \
        BUFFER(starts, FILLS), BUFFER(items, ITEMS), BUFFER(records, ITEMS),                       \
        BUFFER(results, ITEMS)
static const struct {
    const char *name;
    size_t at, bytes; /* 0: of the running value */
    bool of_run;
} places[] = {OF_CALLER,
              VALUES,
              BUFFERS,
              {"salt", offsetof(clp_list, salt), sizeof(cl_ulong), false},
              {"start", offsetof(clp_list, start), 0, false}};

static size_t place_of(const char *name, size_t length) {
    const size_t count = sizeof places / sizeof places[0];
    size_t i = 0;
    while (i < count && (strncmp(places[i].name, name, length) != 0 || places[i].name[length] != 0))
        i++;
    assert(i < count);
    return i;
}

/* Creates a kernel object, and finds the values of its parameters. Debug builds check their names.
 */
static clprims_status create_kernel(clp_list *plan, int kind, cl_kernel *out) {
    const char *who = plan->spec.who, *name = contracts[kind].parameters;
    cl_uint count = 0;
    CLP_TRY(clp_kernel_create(plan->program, who, contracts[kind].name, out));
    while (*name != '\0') {
        const bool of_forest = *name == '+';
        if (of_forest) name++;
        const size_t length = strcspn(name, " ");
        if (!of_forest || plan->spec.forest) {
            const size_t at = place_of(name, length);
            assert(count < CLP_LIST_MOST_ARGUMENTS);
            CLP_TRY(clp_kernel_check_name(*out, who, count, places[at].name));
            plan->arguments[kind][count++] = (unsigned char)at;
        }
        name += length;
        if (*name == ' ') name++;
    }
    plan->argument_counts[kind] = (unsigned char)count;
    return CLPRIMS_OK;
}

/* Returns whether a single work-item first looks at long lists (clp_is_near). More than 16 threads
 * are faster together on any list. */
static bool looks_near(const clp_list *plan) {
    const clp_device *device = &plan->context->device;
    return clp_list_single_most(plan) > 0 && plan->knobs[CLP_LIST_LAST_GROUP] == 1 &&
           device->is_cpu && device->info.compute_units <= 16;
}

/* ---- Steps ---- */

/* Sets what the kernels of a run are given, from its arguments and its layout. */
static void set_values(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const clp_list_layout *layout = &r->layout;
    const bool ranks = plan->spec.ranks;
    const size_t words_of_link = clprims_type_bytes(plan->spec.link) / sizeof(cl_uint);
    clp_list_values *has = &r->has;
    has->links_at = r->next.first;
    has->values_at = r->values.first;
    has->out_at = r->out.first;
    has->heads_at = r->out_heads.first;
    has->given_at = r->given.first;
    has->report_at = r->report.first;
    has->has_out = r->out.mem != NULL;
    has->has_heads = r->out_heads.mem != NULL;
    has->has_given = r->given.mem != NULL;
    has->wants_report = r->report.mem != NULL;
    has->wants_sum = !plan->spec.forest && r->head == CLPRIMS_LIST_FIND_HEAD;
    has->as_order = plan->spec.result == CLPRIMS_LIST_ORDER;
    has->reports = has->wants_report ? r->report.mem : plan->buffers[CLP_LIST_STATE];
    has->bits = ranks ? r->out.mem : plan->buffers[CLP_LIST_BITS];
    has->bits_at = ranks ? r->out.first * words_of_link : 0;
    has->finer = plan->buffers[ranks ? CLP_LIST_FINER : CLP_LIST_VISITS];
    has->nodes = ranks ? 0 : layout->nodes; /* what begin clears */
    has->num_fills = ranks ? 0 : layout->chunks;
    has->num_cursors = layout->cursors;
    has->words = layout->words;
    has->spare = clp_list_spare(plan, r->n);
    has->chunks = (cl_uint)layout->chunks;
    has->bucket_bits = (cl_uint)layout->bits;
    has->cursors_at = (cl_uint)layout->buckets;
    has->coarse = (cl_uint)plan->knobs[CLP_LIST_COARSE];
}

/* Adds a step on level `number`; groups: at least one is launched. The kernel objects of all runs
 * are created by the warm-up. */
static clprims_status add(clp_list_run *r, int kind, size_t number, size_t groups, size_t group) {
    clp_list *plan = r->plan;
    clp_argument arguments[CLP_LIST_MOST_ARGUMENTS];
    assert(r->count < CLP_LIST_MOST_STEPS && r->taken[kind] < CLP_LIST_LEVELS);
    cl_kernel *kernel = &plan->kernels[kind][r->taken[kind]++];
    assert(*kernel != NULL || r->warms_up);
    if (*kernel == NULL) CLP_TRY(create_kernel(plan, kind, kernel));
    r->has.level = r->layout.levels[number];
    const cl_uint count = plan->argument_counts[kind];
    for (cl_uint i = 0; i < count; i++) {
        const size_t at = plan->arguments[kind][i], bytes = places[at].bytes;
        const char *from = places[at].of_run ? (const char *)r : (const char *)plan;
        arguments[i] =
            (clp_argument){bytes > 0 ? bytes : plan->spec.what.working_bytes, from + places[at].at};
    }
    CLP_TRY(clp_kernel_arguments(*kernel, plan->spec.who, arguments, count));
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
    const clp_list_values *has = &r->has;
    return add_wide(r, BEGIN, 0, has->words + has->nodes + has->num_cursors);
}

/* A run of n elements by a single work-group. only_near: it leaves long lists alone, unless their
 * links lead near. */
static clprims_status add_single_group(clp_list_run *r, size_t n, bool only_near) {
    const clp_list *plan = r->plan;
    const int ranking = clp_list_is_one_per_item(plan, n) ? ONE_PER_ITEM : SINGLE_GROUP;
    r->has.only_near = only_near;
    return add(r, plan->spec.ranks ? ranking : SCAN_SINGLE_GROUP, 0, 1,
               plan->knobs[CLP_LIST_LAST_GROUP]);
}

/* What comes before the walks. */
static clprims_status add_first_steps(clp_list_run *r) {
    const bool ranks = r->plan->spec.ranks;
    if (looks_near(r->plan) && r->layout.buckets == 0) CLP_TRY(add_single_group(r, r->n, true));
    if (!ranks) CLP_TRY(add_wide(r, PACK, 0, r->n));
    if (r->given.mem != NULL) {
        CLP_TRY(add_wide(r, GIVE, 0, r->num_given));
        CLP_TRY(add_wide(r, COMPARE, 0, (r->n + 31) / 32));
    }
    if (ranks && r->has.wants_sum) CLP_TRY(add_wide(r, SUM, 0, r->n));
    return r->has.wants_sum ? add(r, FIND, 0, 1, 1) : CLPRIMS_OK;
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

/* Sorts the visit log in `groups` work-groups and places its items. Those of a list scan reuse the
 * memory of the records, which are no longer needed; a second pass then reuses that of the visit
 * log. */
static clprims_status sort_and_place(clp_list_run *r, int kind, size_t groups) {
    const clp_list *plan = r->plan;
    const size_t batch = clp_list_batch(plan), group = plan->knobs[CLP_LIST_SORT_GROUP];
    assert(r->layout.buckets <= plan->most.buckets);
    CLP_TRY(add(r, kind, 0, groups, group));
    r->has.sorted = r->layout.bits == 0 ? plan->buffers[CLP_LIST_ITEMS] : r->has.finer;
    if (r->layout.bits > 0) CLP_TRY(add(r, SORT_FINER, 0, (r->n + batch - 1) / batch, group));
    return add(r, SCATTER_WINDOW, 0, r->layout.windows, plan->knobs[CLP_LIST_WINDOW_GROUP]);
}

/* From the visit log of a ranking: the order, or ranks that are sorted. */
static clprims_status write_log(clp_list_run *r) {
    const size_t group = r->plan->knobs[CLP_LIST_SORT_GROUP]; /* a column per work-item */
    const size_t groups = (r->layout.chunks + group - 1) / group;
    if (r->has.as_order) return add(r, WRITE_ORDER, 0, groups, group);
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
 * stage. All of them together, with the one that writes the report, are no more than fill a device:
 * on a valid list they have nothing to do. */
static clprims_status add_diagnosis(clp_list_run *r) {
    const size_t group = r->plan->knobs[CLP_LIST_LAST_GROUP];
    const size_t whole = groups_of(r, SIZE_MAX, group);
    const size_t most = whole > 2 * CLP_LIST_STAGES ? (whole - 1) / CLP_LIST_STAGES : 2;
    const size_t wanted = (r->n + group - 1) / group;
    const cl_uint pieces = (cl_uint)(wanted < 1 ? 1 : wanted < most ? wanted : most);
    r->has.pieces = pieces;
    if (r->plan->context->groups_progress)
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
    set_values(r);
    if (r->n > 0 && layout->last == 0) return add_single_group(r, r->n, false);
    CLP_TRY(add_begin(r));
    if (r->n > 0) CLP_TRY(add_chain(r));
    return r->report.mem != NULL ? add_diagnosis(r) : CLPRIMS_OK;
}

clprims_status clp_list_submit(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                               const cl_event *wait, cl_event *event) {
    CLP_TRY(add_steps(r));
    return clp_steps_enqueue(queue, r->plan->spec.who, r->steps, r->count, num_wait, wait, event);
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
    set_values(r);
    if (!plan->spec.ranks && !clp_list_partitions(plan, plan->spec.max_n)) return CLPRIMS_OK;
    if (!plan->spec.ranks) return sort_entries(r);
    if (plan->most.chunks == 0) return CLPRIMS_OK;
    layout->algorithm = CLPRIMS_LIST_VISIT_LOG;
    CLP_TRY(add_walks(r));
    return write_log(r);
}

/* Adds the runs of a single work-group: of one element, and of the most. */
static clprims_status add_single_groups(clp_list_run *r) {
    const size_t most = clp_list_single_most(r->plan);
    const bool differ =
        clp_list_is_one_per_item(r->plan, 1) != clp_list_is_one_per_item(r->plan, most);
    if (most > 0) CLP_TRY(add_single_group(r, most, false));
    return r->plan->spec.ranks && differ ? add_single_group(r, 1, false) : CLPRIMS_OK;
}

clprims_status clp_list_warm_up(clp_list *plan) {
    const clprims_buffer blank = {plan->context->blank, 0}, none = {NULL, 0};
    const bool forest = plan->spec.forest;
    clp_list_run r = {.plan = plan,
                      .warms_up = true,
                      .next = blank,
                      .values = blank,
                      .out = blank,
                      .out_heads = forest ? blank : none,
                      .given = forest ? blank : none,
                      .head = CLPRIMS_LIST_FIND_HEAD,
                      .layout = {.nodes = 1, .chunks = 1, .words = !plan->spec.ranks}};
    set_values(&r);
    CLP_TRY(add_single_groups(&r));
    r.report = blank;
    set_values(&r);
    CLP_TRY(add_begin(&r));
    CLP_TRY(add_diagnosis(&r));
    if (plan->most.last > 0) CLP_TRY(add_chains(&r));
    for (size_t i = 0; i < r.count; i++) r.steps[i].groups = 1;
    return clp_steps_warm_up(plan->context, plan->spec.who, r.steps, r.count);
}

/* ---- Checks ---- */

clprims_status clp_list_check_run(const clp_list_run *r, const clp_list_names *names) {
    if (r->plan == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL", names->who, names->plan);
    }
    CLP_TRY(clp_check_n(names->who, r->n, r->plan->spec.max_n));
    if (r->head == CLPRIMS_LIST_FIND_HEAD) return CLPRIMS_OK;
    if (r->head >= 0 && (cl_ulong)r->head < r->n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: head = %" PRId64 " is not in [0, n = %zu); CLPRIMS_LIST_FIND_HEAD (-1) "
                    "finds it",
                    names->who, (int64_t)r->head, (size_t)r->n);
}

const char *clp_list_result_name(const clp_list_spec *spec) {
    if (!spec->ranks && !spec->forest) return "out";
    return spec->result == CLPRIMS_LIST_ORDER ? "order" : "rank";
}

static clprims_status check_given(const clp_list_run *r) {
    if (r->given.mem == NULL) {
        if (r->num_given == 0) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "forest: num_heads = %zu, but heads.mem is NULL; give heads or 0",
                        (size_t)r->num_given);
    }
    if (r->num_given > r->n) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "forest: num_heads = %zu exceeds n = %zu; an element is one list's head",
                        (size_t)r->num_given, (size_t)r->n);
    }
    return CLPRIMS_OK;
}

/* The result of a ranking may not be in its links' place; that of a list scan may. */
static clprims_status check_buffers(const clp_list_run *r) {
    const clprims_context *context = r->plan->context;
    const clp_list_spec *spec = &r->plan->spec;
    const size_t link = clprims_type_bytes(spec->link);
    const size_t result = spec->ranks || spec->forest ? link : spec->what.accumulator_bytes;
    const bool needs_values = spec->what.has_input_array;
    const clp_array arrays[] = {{"next", r->next, r->n, link},
                                {clp_list_result_name(spec), r->out, r->n, result},
                                {"values", r->values, r->n, spec->what.type_bytes},
                                {"head", r->out_heads, r->n, link},
                                {"heads", r->given, r->num_given, link}};
    const bool needed[] = {true, !spec->forest, needs_values, false, false};
    const size_t count = r->n > 0 ? 5 : 0;
    if (count > 0 && !needs_values && r->values.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: values.mem is not NULL, but the plan has no input array", spec->who);
    }
    for (size_t i = 0; i < count; i++) {
        const bool is_wanted = needed[i] || arrays[i].buffer.mem != NULL;
        if (is_wanted) CLP_TRY(clp_array_check(context, spec->who, &arrays[i]));
    }
    if (spec->ranks) CLP_TRY(clp_arrays_apart(spec->who, &arrays[0], &arrays[1]));
    if (spec->forest) CLP_TRY(clp_arrays_apart(spec->who, &arrays[1], &arrays[3]));
    return clp_report_check(context, spec->who, r->report, sizeof(clprims_list_report), arrays,
                            count);
}

clprims_status clp_list_enqueue(clp_list_run *r, const clp_list_names *names,
                                cl_command_queue queue, cl_uint num_wait, const cl_event *wait,
                                cl_event *event) {
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: queue is NULL", names->who);
    CLP_TRY(clp_list_check_run(r, names));
    CLP_TRY(clp_check_submission(r->plan->context, names->who, queue, num_wait, wait));
    CLP_TRY(check_given(r));
    CLP_TRY(check_buffers(r));
    return clp_list_submit(r, queue, num_wait, wait, event);
}
