/* SPDX-License-Identifier: MIT */
/* Builds a plan of list ranking: knobs, algorithm, program, kernels, scratch. */
#include "core/context.h"
#include "core/device.h"
#include "core/program.h"
#include "core/text.h"
#include "core/tuning.h"
#include "core/type.h"
#include "list/list_plan.h"

#include <string.h>

/* ---- Knobs ---- */

/* A CPU hides memory latency by interleaving several walks in each of its few threads. It ranks a
 * few thousand splitters serially in the time that distributing them would take. */
static void suit_cpu(clp_knob *knobs, size_t units) {
    knobs[CLP_LIST_SUBLIST].value = knobs[CLP_LIST_SHORT].value = 64;
    knobs[CLP_LIST_UPPER].value = 16;
    knobs[CLP_LIST_SPLITTERS].value = units * 256 < 4096 ? 4096 : units * 256;
    knobs[CLP_LIST_LAST].value = 4096;
    knobs[CLP_LIST_LAST_GROUP].value = 1;
    knobs[CLP_LIST_GROUP].value = 1;
    knobs[CLP_LIST_LANES].value = knobs[CLP_LIST_WIDE].value = units * 2;
    knobs[CLP_LIST_WALKS].value = 16;
    knobs[CLP_LIST_BATCH].value = 1;
    knobs[CLP_LIST_FIXED].value = 0;
}

static void limit(size_t *knob, size_t most) {
    if (*knob > most) *knob = most;
}

/* As many walks as hide the latency of memory, and no more, because they share the caches. An order
 * is written from long columns by small work-groups. */
static void suit_gpu(clp_knob *knobs, size_t units, const clprims_list *list) {
    limit(&knobs[CLP_LIST_LANES].value, units * 768);
    limit(&knobs[CLP_LIST_WIDE].value, units * 2048);
    if (list->algorithm == CLPRIMS_LIST_IN_PLACE) knobs[CLP_LIST_FIXED].value = 60;
    if (list->result != CLPRIMS_LIST_ORDER) return;
    knobs[CLP_LIST_ROWS].value = 32;
    knobs[CLP_LIST_SORT_GROUP].value = 128;
}

static clprims_status check_groups(const clprims_list *list, const clp_knob *knobs) {
    static const int groups[] = {CLP_LIST_GROUP, CLP_LIST_LAST_GROUP, CLP_LIST_SORT_GROUP,
                                 CLP_LIST_WINDOW_GROUP};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const size_t group = list->knobs[groups[i]];
        if (group > list->context->device.max_group) {
            return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "list: %s = %zu exceeds the device's %zu work-items of a group",
                            knobs[groups[i]].name, group, list->context->device.max_group);
        }
    }
    return CLPRIMS_OK;
}

static clprims_status choose_knobs(clprims_list *list, const char *tuning) {
    const clp_device *device = &list->context->device;
    const size_t bytes = clprims_type_bytes(list->link);
    clp_knob knobs[CLP_LIST_KNOBS];
    memcpy(knobs, clp_list_knobs, sizeof knobs);
    if (device->is_cpu)
        suit_cpu(knobs, device->info.compute_units);
    else
        suit_gpu(knobs, device->info.compute_units, list);
    limit(&knobs[CLP_LIST_GROUP].value, device->max_group);
    limit(&knobs[CLP_LIST_LAST_GROUP].value, device->max_group);
    limit(&knobs[CLP_LIST_SORT_GROUP].value, device->max_group);
    limit(&knobs[CLP_LIST_WINDOW_GROUP].value, device->max_group);
    CLP_TRY(clp_knobs_set(list->context, "list", bytes, tuning, knobs, CLP_LIST_KNOBS));
    for (size_t i = 0; i < CLP_LIST_KNOBS; i++) list->knobs[i] = knobs[i].value;
    CLP_TRY(check_groups(list, knobs));
    clp_list_fit(list, knobs);
    return CLPRIMS_OK;
}

/* ---- Algorithm ---- */

/* Returns the bytes of the visit log and of the items to sort. *largest: the largest buffer. */
static size_t visit_log_bytes(const clprims_list *list, size_t *largest) {
    bool two_passes;
    const size_t columns = clp_list_columns(list, list->max_n);
    const size_t rows = columns * list->knobs[CLP_LIST_ROWS] * sizeof(cl_uint);
    const size_t items = list->max_n * sizeof(cl_uint2);
    const bool is_order = list->result == CLPRIMS_LIST_ORDER;
    clp_list_most_buckets(list, &two_passes);
    *largest = is_order || rows > items ? rows : items;
    return rows + (is_order ? 0 : items * (two_passes ? 2 : 1));
}

static clprims_list_algorithm choose(const clprims_list *list) {
    const clp_device *device = &list->context->device;
    const size_t given = 2 * list->max_n * clprims_type_bytes(list->link);
    size_t largest;
    const bool in_lockstep = list->context->layer == CLPRIMS_LAYER_NVIDIA;
    if (!in_lockstep || list->max_n < list->knobs[CLP_LIST_LEAST]) return CLPRIMS_LIST_SCATTERED;
    if (list->max_n >= UINT32_MAX) return CLPRIMS_LIST_IN_PLACE;
    const size_t rows = visit_log_bytes(list, &largest);
    const cl_ulong memory = device->info.memory_bytes / 16 * 15;
    const bool fits = largest <= device->info.max_alloc_bytes && rows + given <= memory;
    return fits ? CLPRIMS_LIST_VISIT_LOG : CLPRIMS_LIST_IN_PLACE;
}

static clprims_status choose_algorithm(clprims_list *list) {
    const bool is_auto = list->algorithm == CLPRIMS_LIST_AUTO;
    if (is_auto) list->algorithm = choose(list);
    if (list->result == CLPRIMS_LIST_ORDER && list->algorithm == CLPRIMS_LIST_IN_PLACE) {
        if (is_auto)
            list->algorithm = CLPRIMS_LIST_SCATTERED;
        else
            return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "list: the order can't be written in place; choose another algorithm");
    }
    if (list->algorithm == CLPRIMS_LIST_VISIT_LOG && list->max_n >= UINT32_MAX) {
        return clp_fail(
            CLPRIMS_ERR_TOO_LARGE,
            "list: max_n = %zu exceeds %llu, the most with a visit log; use another algorithm",
            list->max_n, (unsigned long long)UINT32_MAX - 1);
    }
    return clp_list_fit_algorithm(list);
}

/* ---- Program and kernels ---- */

static void add_rounds(clp_text *prelude, const char *name, size_t group) {
    clp_text_add(prelude, "#define %s(step)", name);
    for (unsigned round = 0; ((size_t)1 << round) < group; round++)
        clp_text_add(prelude, " step(%u)", round);
    clp_text_add(prelude, "\n");
}

/* Returns whether some run scatters ranks directly, because the caches hold all of them. */
static bool scatters(const clprims_list *list) {
    return list->result != CLPRIMS_LIST_ORDER && list->knobs[CLP_LIST_NEAR] > 0;
}

static clprims_status build_program(clprims_list *list) {
    const char *link = clp_type_text(list->link);
    const size_t *knobs = list->knobs;
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_LINK %s\n#define CLP_INDEX u%s\n", link, link);
    clp_text_add(&prelude, "#define CLP_PAIR u%s2\n#define CLP_LEVELS %d\n", link, CLP_LIST_LEVELS);
    clp_text_add(&prelude, "#define CLP_STATE_BYTES %d\n", CLP_LIST_STATE_BYTES);
    clp_text_add(&prelude, "#define CLP_LEVEL_BYTES %d\n", CLP_LIST_LEVEL_BYTES);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n", knobs[CLP_LIST_GROUP]);
    clp_text_add(&prelude, "#define CLP_WALKS %zu\n", knobs[CLP_LIST_WALKS]);
    clp_text_add(&prelude, "#define CLP_LAST %zu\n", knobs[CLP_LIST_LAST]);
    clp_text_add(&prelude, "#define CLP_LAST_GROUP %zu\n", knobs[CLP_LIST_LAST_GROUP]);
    add_rounds(&prelude, "CLP_EACH_LAST_ROUND", knobs[CLP_LIST_LAST_GROUP]);
    clp_text_add(&prelude, "#define CLP_LINK_BYTES %zu\n", clprims_type_bytes(list->link));
    clp_text_add(&prelude, "#define CLP_OFFSET_BITS %zu\n", list->offset_bits);
    clp_text_add(&prelude, "#define CLP_ROWS %zu\n", knobs[CLP_LIST_ROWS]);
    clp_text_add(&prelude, "#define CLP_SORT_GROUP %zu\n", knobs[CLP_LIST_SORT_GROUP]);
    add_rounds(&prelude, "CLP_EACH_SORT_ROUND", knobs[CLP_LIST_SORT_GROUP]);
    clp_text_add(&prelude, "#define CLP_BUCKETS %zu\n", list->most.buckets);
    clp_text_add(&prelude, "#define CLP_RESULT_WINDOW %zu\n", knobs[CLP_LIST_WINDOW]);
    clp_text_add(&prelude, "#define CLP_WINDOW_GROUP %zu\n", knobs[CLP_LIST_WINDOW_GROUP]);
    clp_text_add(&prelude, "#define CLP_RESULT_ORDER %d\n#define CLP_SCATTERS %d\n",
                 list->result == CLPRIMS_LIST_ORDER, scatters(list));
    clp_text_add(&prelude, "#define CLP_SORTS_FINER %d\n", list->most.two_passes);
    const char *parts[10] = {"list/splitters.cl",        "list/links.cl",      "list/list.cl",
                             "list/list_walk.cl",        "list/list_fault.cl", "list/list_last.cl",
                             "list/list_single_group.cl"};
    if (list->algorithm == CLPRIMS_LIST_VISIT_LOG) {
        parts[7] = "list/list_visit_log.cl";
        if (list->most.items > 0) parts[8] = "list/list_sort.cl";
    }
    if (list->algorithm == CLPRIMS_LIST_IN_PLACE) parts[7] = "list/list_in_place.cl";
    const clprims_status status =
        clp_program_build(list->context, "list", &prelude, parts, &list->program);
    clp_text_free(&prelude);
    return status;
}

static clprims_status create_kernels(clprims_list *list) {
    const size_t last = list->most.last;
    const bool logs = list->algorithm == CLPRIMS_LIST_VISIT_LOG;
    const bool in_place = list->algorithm == CLPRIMS_LIST_IN_PLACE;
    const bool shared = list->knobs[CLP_LIST_LAST_GROUP] > 1;
    const bool order = logs && list->result == CLPRIMS_LIST_ORDER;
    const bool sorts = logs && list->most.items > 0;
    const struct {
        const char *name;
        size_t count;
    } kinds[CLP_LIST_KINDS] = {
        [CLP_LIST_BEGIN] = {"clp_list_begin", 1},
        [CLP_LIST_SUM] = {"clp_list_sum", 1},
        [CLP_LIST_FIND] = {"clp_list_find", 1},
        [CLP_LIST_SINGLE_GROUP] = {"clp_list_single_group", 1},
        [CLP_LIST_ONE_PER_ITEM] = {"clp_list_one_per_item", shared},
        [CLP_LIST_WALK] = {"clp_list_walk", last + 1},
        [CLP_LIST_LAST_LEVEL] = {"clp_list_last", 1},
        [CLP_LIST_EXPAND] = {"clp_list_expand", last},
        [CLP_LIST_COPY] = {"clp_list_copy", in_place ? 2 : 0},
        [CLP_LIST_WALK_IN_PLACE] = {"clp_list_walk_in_place", in_place ? 2 : 0},
        [CLP_LIST_EXPAND_IN_PLACE] = {"clp_list_expand_in_place", in_place},
        [CLP_LIST_WALK_LOG] = {"clp_list_walk_log", logs ? 2 : 0},
        [CLP_LIST_WRITE_ORDER] = {"clp_list_order", order},
        [CLP_LIST_SCATTER] = {"clp_list_scatter", logs && scatters(list)},
        [CLP_LIST_SORT] = {"clp_list_sort", sorts},
        [CLP_LIST_SORT_FINER] = {"clp_list_sort_finer", sorts && list->most.two_passes},
        [CLP_LIST_SCATTER_WINDOW] = {"clp_list_scatter_window", sorts},
        [CLP_LIST_DIAGNOSE] = {"clp_list_diagnose", CLP_LIST_STAGES + 1},
    };
    for (size_t kind = 0; kind < CLP_LIST_KINDS; kind++) {
        for (size_t i = 0; i < kinds[kind].count; i++) {
            CLP_TRY(clp_kernel_create(list->program, "list", kinds[kind].name,
                                      &list->kernels[kind][i]));
        }
    }
    return CLPRIMS_OK;
}

/* ---- Scratch ---- */

static clprims_status create_scratch(clprims_list *list, size_t elements, size_t element_bytes,
                                     cl_mem *out) {
    const size_t bytes = (elements + 1) * element_bytes;
    CLP_TRY(clp_scratch_create(list->context, "list", bytes, false, out));
    list->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

static clprims_status create_visit_log(clprims_list *list) {
    const clp_list_limits *most = &list->most;
    const size_t entries = most->columns * list->knobs[CLP_LIST_ROWS];
    CLP_TRY(create_scratch(list, entries, sizeof(cl_uint), &list->visits));
    CLP_TRY(create_scratch(list, most->columns, sizeof(cl_uint2), &list->starts));
    CLP_TRY(create_scratch(list, most->cursors, sizeof(cl_uint), &list->cursors));
    if (most->items == 0) return CLPRIMS_OK;
    CLP_TRY(create_scratch(list, most->items, sizeof(cl_uint2), &list->items));
    if (!most->two_passes) return CLPRIMS_OK;
    return create_scratch(list, most->items, sizeof(cl_uint2), &list->finer);
}

static clprims_status create_buffers(clprims_list *list) {
    const size_t bytes = clprims_type_bytes(list->link);
    const clp_list_limits *most = &list->most;
    CLP_TRY(create_scratch(list, CLP_LIST_STATE_BYTES, 1, &list->state));
    CLP_TRY(create_scratch(list, most->nodes, 2 * bytes, &list->nodes));
    CLP_TRY(create_scratch(list, most->nodes, bytes, &list->ranks));
    CLP_TRY(create_scratch(list, most->nodes + most->pairs, 2 * bytes, &list->pairs));
    return list->algorithm == CLPRIMS_LIST_VISIT_LOG ? create_visit_log(list) : CLPRIMS_OK;
}

clprims_status clp_list_build(clprims_list *list, const char *tuning) {
    CLP_TRY(choose_knobs(list, tuning));
    CLP_TRY(choose_algorithm(list));
    CLP_TRY(build_program(list));
    CLP_TRY(create_kernels(list));
    return create_buffers(list);
}
