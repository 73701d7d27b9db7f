/* SPDX-License-Identifier: MIT */
/* Builds a plan: knobs, algorithm, program, kernels, scratch. */
#include "cl_sources.h"
#include "core/check.h"
#include "core/context.h"
#include "core/device.h"
#include "core/program.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "core/type.h"
#include "list/list_engine.h"

#include <string.h>

/* ---- Knobs ---- */

/* A CPU hides memory latency by interleaving several walks in each of its few threads. It combines
 * a few thousand splitters serially in the time that distributing them would take. A single
 * work-item ranks as fast as plain C, and more than 16 threads have more splitters than it should
 * combine; in a list scan it is fastest up to some ten thousand elements per thread. */
static void suit_cpu(const clp_list *plan, clp_knob *knobs, size_t units) {
    knobs[CLP_LIST_UPPER].value = 16;
    knobs[CLP_LIST_SPLITTERS].value = units * 256 < 4096 ? 4096 : units * 256;
    knobs[CLP_LIST_LAST].value = plan->spec.ranks && units <= 16 ? 20000 : 4096;
    knobs[CLP_LIST_LAST_GROUP].value = 1;
    knobs[CLP_LIST_GROUP].value = 1;
    knobs[CLP_LIST_LANES].value = units * 2;
    knobs[CLP_LIST_WALKS].value = 16;
    knobs[CLP_LIST_BATCH].value = 1;
    if (plan->spec.ranks) {
        knobs[CLP_LIST_SUBLIST].value = knobs[CLP_LIST_SHORT].value = 64;
        knobs[CLP_LIST_WIDE].value = units * 2;
        knobs[CLP_LIST_FIXED].value = 0;
        return;
    }
    const size_t single = 200000 / (units > 0 ? units : 1);
    knobs[CLP_LIST_LEAST].value = 4096;
    knobs[CLP_LISTSCAN_CHUNK].value = 4096;
    knobs[CLP_LISTSCAN_BUCKET].value = 1 << 30;
    knobs[CLP_LISTSCAN_SINGLE].value = single < 20000 ? 20000 : single < 100000 ? single : 100000;
}

/* As many walks as hide the latency of memory, and no more, because they share the caches. An order
 * is written from long columns by small work-groups. */
static void suit_gpu(const clp_list *plan, clp_knob *knobs, const clp_device *device) {
    const size_t units = device->info.compute_units;
    if (!plan->spec.ranks) {
        if (plan->team == 1) knobs[CLP_LISTSCAN_CHUNK].value = 64;
        if (device->local_bytes < 40 * 1024) knobs[CLP_LIST_GROUP].value = 64;
        return;
    }
    clp_list_limit(&knobs[CLP_LIST_LANES].value, units * 768);
    clp_list_limit(&knobs[CLP_LIST_WIDE].value, units * 2048);
    if (plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE) knobs[CLP_LIST_FIXED].value = 60;
    if (plan->spec.result != CLPRIMS_LIST_ORDER) return;
    knobs[CLP_LIST_ROWS].value = 32;
    knobs[CLP_LIST_SORT_GROUP].value = 128;
}

static clprims_status check_team(const clp_list *plan) {
    const size_t *has = plan->knobs;
    CLP_FAIL_IF(plan->team > 1 && (has[CLP_LIST_GROUP] % plan->team != 0 ||
                                   has[CLP_LIST_WALKS] > 1 || has[CLP_LISTSCAN_CHUNK] < plan->team),
                CLPRIMS_ERR_UNSUPPORTED,
                "%s: GROUP = %zu, WALKS = %zu, CHUNK = %zu; with sub-groups of %zu, GROUP "
                "must be a multiple of it, WALKS 1, and CHUNK no less than it",
                plan->spec.who, has[CLP_LIST_GROUP], has[CLP_LIST_WALKS], has[CLP_LISTSCAN_CHUNK],
                plan->team);
    return CLPRIMS_OK;
}

static clprims_status choose_knobs(clp_list *plan) {
    const clp_device *device = &plan->head.context->device;
    const clp_list_spec *spec = &plan->spec;
    const size_t count = spec->ranks ? CLP_LIST_KNOBS : CLP_LISTSCAN_KNOBS;
    const size_t bytes =
        spec->ranks ? clprims_type_bytes(spec->link) : spec->what.accumulator_bytes;
    clp_knob knobs[CLP_LIST_KNOBS];
    memcpy(knobs, spec->ranks ? clp_list_knobs : clp_listscan_knobs, count * sizeof *knobs);
    if (device->is_cpu)
        suit_cpu(plan, knobs, device->info.compute_units);
    else
        suit_gpu(plan, knobs, device);
    CLP_TRY(clp_knobs_set(plan->head.context, spec->who, bytes, spec->tuning, knobs, count));
    for (size_t i = 0; i < count; i++) plan->knobs[i] = knobs[i].value;
    CLP_TRY(check_team(plan));
    clp_list_fit(plan, knobs);
    return CLPRIMS_OK;
}

/* ---- The algorithm of a ranking ---- */

/* Returns the bytes of the visit log and of the items to sort. *largest: the largest buffer. */
static size_t visit_log_bytes(const clp_list *plan, size_t *largest) {
    bool two_passes;
    const size_t columns = clp_list_columns(plan, plan->spec.max_n);
    const size_t rows = columns * plan->knobs[CLP_LIST_ROWS] * sizeof(cl_uint);
    const size_t items = plan->spec.max_n * sizeof(cl_uint2);
    const bool is_order = plan->spec.result == CLPRIMS_LIST_ORDER;
    clp_list_most_buckets(plan, &two_passes);
    *largest = is_order || rows > items ? rows : items;
    return rows + (is_order ? 0 : items * (two_passes ? 2 : 1));
}

static clprims_list_algorithm choose(const clp_list *plan) {
    const clp_device *device = &plan->head.context->device;
    const size_t max_n = plan->spec.max_n;
    const size_t given = 2 * max_n * clprims_type_bytes(plan->spec.link);
    size_t largest;
    if (device->is_cpu || max_n < plan->knobs[CLP_LIST_LEAST]) return CLPRIMS_LIST_SCATTERED;
    if (max_n >= UINT32_MAX) return CLPRIMS_LIST_IN_PLACE;
    const size_t rows = visit_log_bytes(plan, &largest);
    const cl_ulong memory = device->info.memory_bytes / 16 * 15;
    const bool fits = largest <= device->info.max_alloc_bytes && rows + given <= memory;
    return fits ? CLPRIMS_LIST_VISIT_LOG : CLPRIMS_LIST_IN_PLACE;
}

static clprims_status choose_algorithm(clp_list *plan) {
    clp_list_spec *spec = &plan->spec;
    const bool is_auto = spec->algorithm == CLPRIMS_LIST_AUTO;
    if (is_auto) spec->algorithm = spec->ranks ? choose(plan) : CLPRIMS_LIST_SCATTERED;
    if (spec->result == CLPRIMS_LIST_ORDER && spec->algorithm == CLPRIMS_LIST_IN_PLACE) {
        if (!is_auto)
            return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "list: the order can't be written in place; choose another algorithm");
        spec->algorithm = CLPRIMS_LIST_SCATTERED;
    }
    CLP_FAIL_IF(spec->algorithm == CLPRIMS_LIST_VISIT_LOG && spec->max_n >= UINT32_MAX,
                CLPRIMS_ERR_TOO_LARGE,
                "list: max_n = %zu exceeds %llu, the most with a visit log; use another algorithm",
                spec->max_n, (unsigned long long)UINT32_MAX - 1);
    return clp_list_check_fit(plan);
}

/* ---- Program ---- */

static void add_rounds(clp_text *prelude, const char *name, size_t group) {
    clp_text_add(prelude, "#define %s(step)", name);
    for (unsigned round = 0; ((size_t)1 << round) < group; round++)
        clp_text_add(prelude, " step(%u)", round);
    clp_text_add(prelude, "\n");
}

static void add_shared(const clp_list *plan, clp_text *prelude) {
    const clp_list_spec *spec = &plan->spec;
    const char *link = clp_type_text(spec->link);
    const size_t *knobs = plan->knobs;
    clp_text_add(prelude, "#define CLP_LINK %s\n#define CLP_INDEX u%s\n", link, link);
    clp_text_add(prelude, "#define CLP_LEVELS %d\n", CLP_LIST_LEVELS);
    clp_text_add(prelude, "#define CLP_STATE_BYTES %d\n", CLP_LIST_STATE_BYTES);
    clp_text_add(prelude, "#define CLP_LEVEL_BYTES %d\n", CLP_LIST_LEVEL_BYTES);
    clp_text_add(prelude, "#define CLP_RANKS %d\n#define CLP_FOREST %d\n", spec->ranks,
                 spec->forest);
    clp_text_add(prelude, "#define CLP_GROUP %zu\n", knobs[CLP_LIST_GROUP]);
    clp_text_add(prelude, "#define CLP_WALKS %zu\n", knobs[CLP_LIST_WALKS]);
    clp_text_add(prelude, "#define CLP_LAST %zu\n", knobs[CLP_LIST_LAST]);
    clp_text_add(prelude, "#define CLP_LAST_GROUP %zu\n", knobs[CLP_LIST_LAST_GROUP]);
    clp_text_add(prelude, "#define CLP_OTHER_GROUP %zu\n", knobs[CLP_LIST_LAST_GROUP]);
    add_rounds(prelude, "CLP_EACH_LAST_ROUND", knobs[CLP_LIST_LAST_GROUP]);
    clp_text_add(prelude, "#define CLP_START(head) %s\n",
                 spec->forest ? "(CLP_A)((CLP_LINK)0, (CLP_LINK)(head))" : "start");
}

/* Adds what places results by sorting. */
static void add_places(const clp_list *plan, clp_text *prelude) {
    const size_t *knobs = plan->knobs, group = knobs[CLP_LIST_SORT_GROUP];
    clp_text_add(prelude, "#define CLP_SORT_GROUP %zu\n", group);
    clp_text_add(prelude, "#define CLP_ROWS %zu\n", knobs[CLP_LIST_ROWS]);
    add_rounds(prelude, "CLP_EACH_SORT_ROUND", group);
    clp_text_add(prelude, "#define CLP_BUCKETS %zu\n", plan->most.buckets);
    clp_text_add(prelude, "#define CLP_SORTS_FINER %d\n", plan->most.two_passes);
    clp_text_add(prelude, "#define CLP_RESULT_WINDOW %zu\n", plan->window);
    clp_text_add(prelude, "#define CLP_WINDOW_GROUP %zu\n", knobs[CLP_LIST_WINDOW_GROUP]);
}

static void add_ranking(const clp_list *plan, clp_text *prelude) {
    clp_text_add(prelude, "#define CLP_PAIR u%s2\n", clp_type_text(plan->spec.link));
    clp_text_add(prelude, "#define CLP_LINK_BYTES %zu\n", clprims_type_bytes(plan->spec.link));
    clp_text_add(prelude, "#define CLP_IN_PLACE %d\n#define CLP_OFFSET_BITS %zu\n",
                 plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE, plan->offset_bits);
    add_places(plan, prelude);
    clp_text_add(prelude, "#define CLP_TEAM %d\n",
                 plan->head.context->layer == CLPRIMS_LAYER_NVIDIA ? 32 : 1);
    clp_text_add(prelude, "#define CLP_RESULT_ORDER %d\n", plan->spec.result == CLPRIMS_LIST_ORDER);
}

static void add_scan(const clp_list *plan, clp_text *prelude) {
    const size_t *knobs = plan->knobs;
    clp_text_add(prelude, "#define CLP_CHUNK %zu\n", knobs[CLP_LISTSCAN_CHUNK]);
    const bool sorts = clp_list_partitions(plan, plan->spec.max_n);
    clp_text_add(prelude, "#define CLP_TEAM %zu\n#define CLP_SORTS %d\n", plan->team, sorts);
    if (sorts) add_places(plan, prelude);
    if (knobs[CLP_LISTSCAN_SINGLE] > 0)
        clp_text_add(prelude, "#define CLP_SINGLE %zu\n", knobs[CLP_LISTSCAN_SINGLE]);
}

enum { MOST_PARTS = 11 };

/* Sets the program's parts that follow the parts of all programs. */
static void add_parts(const clp_list *plan, clp_part parts[MOST_PARTS], size_t count) {
    if (!plan->spec.ranks) {
        const bool sorts = clp_list_partitions(plan, plan->spec.max_n);
        if (sorts) parts[count++] = &clp_list_place_cl;
        parts[count++] = &clp_listscan_cl;
        if (plan->spec.forest) parts[count++] = &clp_forest_cl;
        if (plan->knobs[CLP_LISTSCAN_SINGLE] > 0) parts[count++] = &clp_listscan_single_group_cl;
    } else {
        const bool logs = plan->spec.algorithm == CLPRIMS_LIST_VISIT_LOG;
        parts[count++] = &clp_list_elements_cl;
        if (logs && plan->most.items > 0) parts[count++] = &clp_list_place_cl;
        if (logs) parts[count++] = &clp_list_visit_log_cl;
        parts[count++] = &clp_list_single_group_cl;
    }
    const bool is_serial = plan->knobs[CLP_LIST_LAST_GROUP] == 1;
    if (is_serial && clp_list_single_most(plan) > 0) parts[count] = &clp_list_serial_cl;
}

static clprims_status build_program(clp_list *plan) {
    clp_part parts[MOST_PARTS] = {&clp_parameters_cl, &clp_list_cl, &clp_list_fault_cl,
                                  &clp_list_walk_cl, &clp_list_levels_cl};
    clp_text prelude = {0};
    add_shared(plan, &prelude);
    if (plan->spec.ranks)
        add_ranking(plan, &prelude);
    else
        add_scan(plan, &prelude);
    clp_text_add_operation(&prelude, plan->head.context, &plan->spec.what);
    clp_operation stored = plan->spec.what;
    stored.parameters = NULL; /* the input's, which results are not made by */
    clp_text_add_stored(&prelude, &stored, false, "CLP_R r");
    add_parts(plan, parts, 5);
    return clp_plan_build(&plan->head, &prelude, parts, 0, &plan->program);
}

/* ---- Scratch ---- */

/* The largest alignment of a value; OpenCL C allows at most 128. */
static size_t alignment_of(size_t bytes) {
    const size_t power = bytes & (~bytes + 1);
    return power < 128 ? power : 128;
}

/* The largest size of a structure of `words` bytes of links, tags and numbers, and a value. */
static size_t bytes_of(const clp_list *plan, size_t words) {
    const size_t value = plan->spec.what.working_bytes;
    const size_t unit = alignment_of(value) < 8 ? 8 : alignment_of(value);
    return (words + unit - 1) / unit * unit + (value + unit - 1) / unit * unit;
}

static clprims_status allocate(clp_list *plan) {
    const clp_list_limits *most = &plan->most;
    const size_t link = clprims_type_bytes(plan->spec.link), nodes = most->nodes;
    const size_t value = plan->spec.what.working_bytes, word = sizeof(cl_uint);
    const bool ranks = plan->spec.ranks, logs = ranks && most->chunks > 0;
    const size_t entry = ranks ? word * plan->knobs[CLP_LIST_ROWS]
                               : bytes_of(plan, link + 4) * plan->knobs[CLP_LISTSCAN_CHUNK];
    const size_t item = ranks ? 2 * word : bytes_of(plan, link);
    const struct {
        size_t elements, bytes;
        bool wanted;
    } buffers[CLP_LIST_BUFFERS] = {
        [CLP_LIST_STATE] = {CLP_LIST_STATE_BYTES, 1, true},
        [CLP_LIST_PARTS] = {nodes, ranks ? 2 * link : bytes_of(plan, 2 * link), true},
        [CLP_LIST_LEADS] = {nodes, ranks ? 2 * link : bytes_of(plan, 4), true},
        [CLP_LIST_OFFSETS] = {nodes, value, true},
        [CLP_LIST_STATES] = {nodes, word, true},
        [CLP_LIST_PAIRS] = {most->pairs, 2 * link, ranks},
        [CLP_LIST_BITS] = {most->words, word, !ranks},
        [CLP_LIST_CURSORS] = {most->cursors, word, most->cursors > 0},
        [CLP_LIST_VISITS] = {most->chunks, entry, !ranks || logs},
        [CLP_LIST_FILLS] = {most->chunks, ranks ? 2 * word : word, !ranks || logs},
        [CLP_LIST_ITEMS] = {most->items, item, most->items > 0},
        [CLP_LIST_FINER] = {most->items, item, ranks && most->items > 0 && most->two_passes},
    };
    for (size_t i = 0; i < CLP_LIST_BUFFERS; i++) {
        const size_t bytes = (buffers[i].elements + 1) * buffers[i].bytes;
        if (!buffers[i].wanted) continue;
        CLP_TRY(clp_plan_scratch(&plan->head, bytes, false, &plan->buffers[i]));
    }
    return CLPRIMS_OK;
}

/* ---- All of it ---- */

/* The lanes of a sub-group in lockstep that can exchange values; else 1. PoCL's sub-groups on CPUs
 * do not count: they are emulated with barriers, which the loops of a walk can't contain. */
static size_t team_of(const clprims_context *context) {
    const bool together = context->layer != CLPRIMS_LAYER_LOCAL && context->subgroup_width <= 32;
    return together && !context->device.is_cpu ? context->subgroup_width : 1;
}

/* Salt from the plan's address: no input can be built against it. */
static cl_ulong salt_of(const clp_list *plan) {
    const size_t place = clp_test_hooks_get()->place;
    const cl_ulong address = place > 0 ? place : (cl_ulong)(uintptr_t)plan;
    return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 8;
}

/* Checks the link type, and max_n against the type and the number of sublists. */
static clprims_status check_links(const clp_list_spec *spec) {
    const char *who = spec->who;
    const size_t max_n = spec->max_n;
    CLP_FAIL_IF(spec->link != CLPRIMS_I32 && spec->link != CLPRIMS_I64, CLPRIMS_ERR_ARGUMENT,
                "%s: desc.link = %d (%s) is neither CLPRIMS_I32 nor CLPRIMS_I64", who,
                (int)spec->link, clprims_type_name(spec->link));
    CLP_FAIL_IF(spec->link == CLPRIMS_I32 && max_n > INT32_MAX, CLPRIMS_ERR_TOO_LARGE,
                "%s: max_n = %zu exceeds %d, the most for int32 links; use CLPRIMS_I64", who, max_n,
                INT32_MAX);
    return clp_check_max_n(who, max_n, SIZE_MAX / (spec->ranks ? 64 : 4096));
}

clprims_status clp_list_fill(clp_plan *head, const clp_list_spec *spec, const void *init) {
    clp_list *plan = (clp_list *)head;
    const clprims_context *context = head->context;
    plan->spec = *spec;
    CLP_TRY(check_links(spec));
    CLP_TRY(clp_operation_fill(context, spec->who, init, &plan->spec.what, plan->start));
    plan->salt = spec->ranks ? salt_of(plan) : 0;
    plan->team = spec->ranks ? 1 : team_of(context);
    CLP_TRY(choose_knobs(plan));
    CLP_TRY(choose_algorithm(plan));
    CLP_FAIL_IF(!spec->ranks && plan->most.chunks > UINT32_MAX, CLPRIMS_ERR_TOO_LARGE,
                "%s: max_n = %zu takes %zu chunks of CHUNK = %zu, more than %u; take a "
                "larger CHUNK",
                spec->who, spec->max_n, plan->most.chunks, plan->knobs[CLP_LISTSCAN_CHUNK],
                UINT32_MAX);
    CLP_TRY(build_program(plan));
    CLP_TRY(allocate(plan));
    CLP_TRY(clp_list_warm_up(plan));
    clp_operation_forget_texts(&plan->spec.what);
    plan->spec.tuning = NULL;
    return CLPRIMS_OK;
}
