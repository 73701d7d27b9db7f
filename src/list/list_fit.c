/* SPDX-License-Identifier: MIT */
/* Fits the knobs of a plan to the device's local memory and to max_n. Defaults are reduced; values
 * that the caller gave are used or refused. */
#include "core/context.h"
#include "list/list_engine.h"

/* Local memory for a kernel's arrays. The compiler may add a little of its own. */
static size_t local_bytes(const clp_list *plan) {
    return plan->head.context->device.static_local_bytes - 1024;
}

/* Lists in local memory (cl/list/list_levels.cl): values and numbers of sublists per lane,
 * double-buffered. */
static size_t lane_bytes(const clp_list *plan) {
    return 2 * (plan->spec.what.working_bytes + 4);
}

/* A word, a value and two bits per node. */
static size_t quarter_bytes_of_node(const clp_list *plan) {
    return 4 * (4 + plan->spec.what.working_bytes) + 1;
}

/* The most nodes that local memory has room for, beside all lanes and the few words that a
 * work-group has once: sums, a digest, what was reached. */
static size_t group_room(const clp_list *plan) {
    const size_t fixed = plan->knobs[CLP_LIST_LAST_GROUP] * lane_bytes(plan) + 64;
    const size_t local = local_bytes(plan);
    return fixed < local ? (local - fixed) * 4 / quarter_bytes_of_node(plan) : 0;
}

/* The most elements of a list that local memory has room for. A single work-item needs none. */
static size_t single_room(const clp_list *plan) {
    return plan->knobs[CLP_LIST_LAST_GROUP] == 1 ? SIZE_MAX : group_room(plan);
}

/* Sorting into buckets (cl/list/list_place.cl): results in transit, each with its element; two
 * words per bucket, with padding, and per lane. A lane has one bucket at least. */
static size_t sort_bytes(const clp_list *plan) {
    const size_t *knobs = plan->knobs, group = knobs[CLP_LIST_SORT_GROUP];
    const size_t link = clprims_type_bytes(plan->spec.link), value = plan->spec.what.working_bytes;
    const size_t unit = value % 8 == 0 ? 8 : 4;
    const size_t item = plan->spec.ranks ? 8 : value + (link < unit ? unit : link);
    const size_t given = knobs[CLP_LIST_BUCKETS], buckets = given < group ? group : given;
    if (knobs[CLP_LIST_ROWS] == 0) return 0;
    return group * knobs[CLP_LIST_ROWS] * item + 8 * (buckets * 33 / 32 + group) + 4;
}

static size_t window_bytes(const clp_list *plan) {
    return plan->window * (plan->spec.ranks ? sizeof(cl_uint) : plan->spec.what.accumulator_bytes);
}

static size_t coarse_from(const clp_list *plan) {
    size_t coarse = 0;
    while (plan->spec.max_n >> coarse >= UINT32_MAX) coarse++;
    return coarse;
}

/* ---- Defaults give way ---- */

/* The lanes take at most half the local memory, in a list scan a quarter. */
static void fit_group(clp_list *plan, const clp_knob *knobs) {
    const size_t local = local_bytes(plan), part = plan->spec.ranks ? 2 : 4;
    size_t *group = &plan->knobs[CLP_LIST_LAST_GROUP], *last = &plan->knobs[CLP_LIST_LAST];
    if (!knobs[CLP_LIST_LAST_GROUP].given) {
        while (*group > 1 && *group * lane_bytes(plan) * part > local) *group /= 2;
        while (*group > 1 && knobs[CLP_LIST_LAST].given && *last > group_room(plan)) *group /= 2;
    }
    if (!knobs[CLP_LIST_LAST].given && group_room(plan) > 0) clp_list_limit(last, group_room(plan));
    if (!plan->spec.ranks && !knobs[CLP_LISTSCAN_SINGLE].given)
        clp_list_limit(&plan->knobs[CLP_LISTSCAN_SINGLE], single_room(plan));
}

/* Results per work-item of the kernel that sorts a list scan's results. Wide values fill whole
 * sectors of device memory and need no buckets. */
static size_t rows_of_scan(size_t value_bytes) {
    if (value_bytes > 32) return 0;
    return value_bytes > 16 ? 1 : value_bytes > 8 ? 4 : 8;
}

/* A pass has at least one bucket per lane. */
static void fit_sort(clp_list *plan, const clp_knob *knobs) {
    size_t *group = &plan->knobs[CLP_LIST_SORT_GROUP], *buckets = &plan->knobs[CLP_LIST_BUCKETS];
    size_t *window = &plan->knobs[CLP_LIST_WINDOW];
    const bool group_yields = !knobs[CLP_LIST_SORT_GROUP].given;
    const bool buckets_yield = !knobs[CLP_LIST_BUCKETS].given;
    while (sort_bytes(plan) > local_bytes(plan)) {
        const bool many = *buckets > *group * plan->knobs[CLP_LIST_ROWS];
        if (buckets_yield && *buckets > 1 && (many || !group_yields))
            *buckets /= 2;
        else if (group_yields && *group > 1)
            *group /= 2;
        else
            break;
    }
    if (buckets_yield && *buckets < *group) *buckets = *group;
    while (group_yields && *group > *buckets) *group /= 2;
    while (!knobs[CLP_LIST_WINDOW].given && 4 * *window > local_bytes(plan)) *window /= 2;
    plan->window = *window;
}

/* A list scan sorts in groups of GROUP. A window takes at most half of the local memory, so that
 * one window is read while another is written; it has at least one element. */
static void fit_scan(clp_list *plan, const clp_knob *knobs) {
    const size_t half = plan->head.context->device.static_local_bytes / 2;
    size_t *window = &plan->knobs[CLP_LIST_WINDOW], *group = &plan->knobs[CLP_LIST_SORT_GROUP];
    plan->knobs[CLP_LIST_ROWS] = rows_of_scan(plan->spec.what.working_bytes);
    plan->knobs[CLP_LIST_BUCKETS] = CLP_LIST_SCAN_BUCKETS;
    *group = plan->knobs[CLP_LIST_GROUP];
    if (!knobs[CLP_LIST_GROUP].given)
        while (*group > plan->team && sort_bytes(plan) > local_bytes(plan)) *group /= 2;
    plan->knobs[CLP_LIST_GROUP] = plan->knobs[CLP_LIST_WINDOW_GROUP] = *group;
    while (!knobs[CLP_LIST_WINDOW].given && *window > half) *window /= 2;
    plan->window = 1;
    while (window_bytes(plan) * 2 <= *window) plan->window *= 2;
}

void clp_list_fit(clp_list *plan, const clp_knob *knobs) {
    size_t *coarse = &plan->knobs[CLP_LIST_COARSE];
    fit_group(plan, knobs);
    if (plan->spec.ranks)
        fit_sort(plan, knobs);
    else
        fit_scan(plan, knobs);
    if (!knobs[CLP_LIST_COARSE].given && *coarse < coarse_from(plan)) *coarse = coarse_from(plan);
}

/* ---- What was given is refused ---- */

static clprims_status check_places(const clp_list *plan) {
    const size_t *knobs = plan->knobs, local = local_bytes(plan);
    const char *who = plan->spec.who, *group = plan->spec.ranks ? "SORT_GROUP" : "GROUP";
    CLP_FAIL_IF(sort_bytes(plan) > local, CLPRIMS_ERR_UNSUPPORTED,
                "%s: %s = %zu with %zu results each and %zu buckets takes %zu bytes of "
                "local memory; the device has %zu for it",
                who, group, knobs[CLP_LIST_SORT_GROUP], knobs[CLP_LIST_ROWS],
                knobs[CLP_LIST_BUCKETS], sort_bytes(plan), local);
    const bool sorts = plan->spec.result == CLPRIMS_LIST_RANKS;
    CLP_FAIL_IF(sorts && knobs[CLP_LIST_BUCKETS] < knobs[CLP_LIST_SORT_GROUP],
                CLPRIMS_ERR_UNSUPPORTED,
                "list: BUCKETS = %zu is less than SORT_GROUP = %zu; a work-item has one "
                "bucket at least",
                knobs[CLP_LIST_BUCKETS], knobs[CLP_LIST_SORT_GROUP]);
    CLP_FAIL_IF(window_bytes(plan) > local, CLPRIMS_ERR_UNSUPPORTED,
                "%s: WINDOW = %zu takes %zu bytes of local memory; the device has %zu "
                "for it",
                who, knobs[CLP_LIST_WINDOW], window_bytes(plan), local);
    return CLPRIMS_OK;
}

static clprims_status check_shared(const clp_list *plan) {
    const size_t last = plan->knobs[CLP_LIST_LAST], coarse = plan->knobs[CLP_LIST_COARSE];
    const size_t single = plan->knobs[CLP_LISTSCAN_SINGLE];
    CLP_FAIL_IF(!plan->spec.ranks && single > single_room(plan), CLPRIMS_ERR_UNSUPPORTED,
                "%s: SINGLE = %zu with SINGLE_GROUP = %zu; local memory has room for %zu "
                "elements",
                plan->spec.who, single, plan->knobs[CLP_LIST_LAST_GROUP], single_room(plan));
    CLP_FAIL_IF(last > group_room(plan), CLPRIMS_ERR_UNSUPPORTED,
                "%s: LAST = %zu; local memory has room for %zu", plan->spec.who, last,
                group_room(plan));
    if (coarse >= coarse_from(plan)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "%s: COARSE = %zu does not count max_n = %zu elements in 32 bits; %zu is the "
                    "least that does",
                    plan->spec.who, coarse, plan->spec.max_n, coarse_from(plan));
}

/* ---- The algorithm of a ranking ---- */

/*
 * In place, a word holds a mark bit, the number of a sublist and the offset in it. Long offsets
 * leave few numbers; short offsets split sublists into many. Takes the longest offset that leaves
 * enough numbers for the wanted splitters and the splits that a list may need; if there is none,
 * the offset that leaves the most splitters.
 */
static clprims_status fit_word(clp_list *plan) {
    const size_t max_n = plan->spec.max_n;
    const size_t word = 8 * clprims_type_bytes(plan->spec.link) - 1;
    const size_t most_bits = plan->spec.link == CLPRIMS_I32 ? 10 : 32;
    const size_t wanted = (max_n * 2 - 1) / plan->knobs[CLP_LIST_SUBLIST] + 1;
    plan->most_ids = 0;
    for (size_t bits = most_bits; bits >= 4 && plan->most_ids < wanted; bits--) {
        const size_t numbers = (size_t)1 << (word - bits);
        const size_t cuts = max_n >> bits;
        const size_t left = numbers > cuts ? numbers - cuts : 0;
        if (left <= plan->most_ids) continue;
        plan->most_ids = left;
        plan->offset_bits = bits;
    }
    CLP_FAIL_IF(plan->most_ids <= max_n >> 12, CLPRIMS_ERR_TOO_LARGE,
                "list: max_n = %zu leaves no room for marks in int32 links in place; use "
                "another algorithm or CLPRIMS_I64",
                max_n);
    clp_list_limit(&plan->most_ids, plan->knobs[CLP_LIST_SPLITTERS]);
    return CLPRIMS_OK;
}

/* An order is not sorted, but its program compiles the kernels anyway. A list scan that needs more
 * than two passes takes none. */
static clprims_status fit_buckets(clp_list *plan) {
    const size_t group = plan->knobs[CLP_LIST_SORT_GROUP], given = plan->knobs[CLP_LIST_BUCKETS];
    plan->most.buckets = plan->spec.ranks ? group : given;
    if (plan->spec.result == CLPRIMS_LIST_ORDER || clp_list_batch(plan) == 0) return CLPRIMS_OK;
    const size_t buckets = clp_list_most_buckets(plan, &plan->most.two_passes);
    if (!plan->spec.ranks) return CLPRIMS_OK;
    plan->most.buckets = (buckets + group - 1) / group * group;
    if (buckets <= given) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "list: max_n = %zu needs %zu buckets of %zu elements in a pass, more than "
                    "BUCKETS = %zu; use another algorithm",
                    plan->spec.max_n, buckets, plan->window, given);
}

clprims_status clp_list_check_fit(clp_list *plan) {
    const bool logs = plan->spec.algorithm == CLPRIMS_LIST_VISIT_LOG;
    const bool places = logs || !plan->spec.ranks;
    if (places) CLP_TRY(check_places(plan));
    CLP_TRY(check_shared(plan));
    if (plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE) CLP_TRY(fit_word(plan));
    if (places) CLP_TRY(fit_buckets(plan));
    clp_list_set_limits(plan);
    return CLPRIMS_OK;
}
