/* SPDX-License-Identifier: MIT */
/* Fits the knobs of list ranking to the device's local memory and to max_n. Defaults are reduced;
 * values that the caller gave are used or refused. */
#include "core/context.h"
#include "list/list_plan.h"

static void limit(size_t *knob, size_t most) {
    if (*knob > most) *knob = most;
}

/* Local memory for a kernel's arrays. The compiler may add a little of its own. */
static size_t local_bytes(const clprims_list *list) {
    return list->context->device.static_local_bytes - 1024;
}

/* Two words per node, four per lane. */
static size_t last_bytes(const clprims_list *list) {
    const size_t *knobs = list->knobs;
    const size_t words = 2 * knobs[CLP_LIST_LAST] + 4 * knobs[CLP_LIST_LAST_GROUP];
    return words * clprims_type_bytes(list->link);
}

/* Eight bytes per log entry and per bucket, with padding against bank conflicts. */
static size_t sort_bytes(const clprims_list *list) {
    const size_t *knobs = list->knobs;
    const size_t group = knobs[CLP_LIST_SORT_GROUP];
    return (group * knobs[CLP_LIST_ROWS] + knobs[CLP_LIST_BUCKETS]) * 8 * 17 / 16 + group * 8;
}

static size_t coarse_from(const clprims_list *list) {
    size_t coarse = 0;
    while (list->max_n >> coarse >= UINT32_MAX) coarse++;
    return coarse;
}

/* ---- Defaults give way ---- */

static void fit_last(clprims_list *list, const clp_knob *knobs) {
    const size_t bytes = clprims_type_bytes(list->link), local = local_bytes(list);
    size_t *group = &list->knobs[CLP_LIST_LAST_GROUP], *last = &list->knobs[CLP_LIST_LAST];
    const bool group_yields = !knobs[CLP_LIST_LAST_GROUP].given;
    while (group_yields && *group * 8 * bytes > local) *group /= 2;
    while (group_yields && *group > 1 && knobs[CLP_LIST_LAST].given && last_bytes(list) > local)
        *group /= 2;
    if (knobs[CLP_LIST_LAST].given || *group * 8 * bytes > local) return;
    limit(last, (local - *group * 4 * bytes) / (2 * bytes));
}

/* A pass has at least one bucket per lane. */
static void fit_sort(clprims_list *list, const clp_knob *knobs) {
    size_t *group = &list->knobs[CLP_LIST_SORT_GROUP], *buckets = &list->knobs[CLP_LIST_BUCKETS];
    const bool group_yields = !knobs[CLP_LIST_SORT_GROUP].given;
    const bool buckets_yield = !knobs[CLP_LIST_BUCKETS].given;
    while (sort_bytes(list) > local_bytes(list)) {
        const bool many = *buckets > *group * list->knobs[CLP_LIST_ROWS];
        if (buckets_yield && *buckets > 1 && (many || !group_yields))
            *buckets /= 2;
        else if (group_yields && *group > 1)
            *group /= 2;
        else
            break;
    }
    if (buckets_yield && *buckets < *group) *buckets = *group;
    while (group_yields && *group > *buckets) *group /= 2;
}

void clp_list_fit(clprims_list *list, const clp_knob *knobs) {
    size_t *window = &list->knobs[CLP_LIST_WINDOW], *coarse = &list->knobs[CLP_LIST_COARSE];
    fit_last(list, knobs);
    fit_sort(list, knobs);
    while (!knobs[CLP_LIST_WINDOW].given && 4 * *window > local_bytes(list)) *window /= 2;
    if (!knobs[CLP_LIST_COARSE].given && *coarse < coarse_from(list)) *coarse = coarse_from(list);
}

/* ---- What was given is refused ---- */

static clprims_status check_visit_log(const clprims_list *list) {
    const size_t *knobs = list->knobs, local = local_bytes(list);
    if (sort_bytes(list) > local) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: SORT_GROUP = %zu, ROWS = %zu and BUCKETS = %zu take %zu bytes of "
                        "local memory; the device has %zu for them",
                        knobs[CLP_LIST_SORT_GROUP], knobs[CLP_LIST_ROWS], knobs[CLP_LIST_BUCKETS],
                        sort_bytes(list), local);
    }
    const bool sorts = list->result == CLPRIMS_LIST_RANKS;
    if (sorts && knobs[CLP_LIST_BUCKETS] < knobs[CLP_LIST_SORT_GROUP]) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: BUCKETS = %zu is less than SORT_GROUP = %zu; a work-item has one "
                        "bucket at least",
                        knobs[CLP_LIST_BUCKETS], knobs[CLP_LIST_SORT_GROUP]);
    }
    if (4 * knobs[CLP_LIST_WINDOW] > local) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: WINDOW = %zu takes %zu bytes of local memory; the device has %zu "
                        "for it",
                        knobs[CLP_LIST_WINDOW], 4 * knobs[CLP_LIST_WINDOW], local);
    }
    return CLPRIMS_OK;
}

static clprims_status check(const clprims_list *list) {
    if (last_bytes(list) > local_bytes(list)) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: LAST = %zu and LAST_GROUP = %zu take %zu bytes of local memory; "
                        "the device has %zu for them",
                        list->knobs[CLP_LIST_LAST], list->knobs[CLP_LIST_LAST_GROUP],
                        last_bytes(list), local_bytes(list));
    }
    if (list->knobs[CLP_LIST_COARSE] < coarse_from(list)) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: COARSE = %zu does not count max_n = %zu elements in 32 bits; %zu is "
                        "the least that does",
                        list->knobs[CLP_LIST_COARSE], list->max_n, coarse_from(list));
    }
    return list->algorithm == CLPRIMS_LIST_VISIT_LOG ? check_visit_log(list) : CLPRIMS_OK;
}

/* ---- The algorithm ---- */

/*
 * In place, a word holds a mark bit, the number of a sublist and the offset in it. Long offsets
 * leave few numbers; short offsets split sublists into many. Takes the longest offset that leaves
 * enough numbers for the wanted splitters and the splits that a list may need; if there is none,
 * the offset that leaves the most splitters.
 */
static clprims_status fit_word(clprims_list *list) {
    const size_t word = 8 * clprims_type_bytes(list->link) - 1;
    const size_t most_bits = list->link == CLPRIMS_I32 ? 10 : 32;
    const size_t wanted = (list->max_n * 2 - 1) / list->knobs[CLP_LIST_SUBLIST] + 1;
    list->most_ids = 0;
    for (size_t bits = most_bits; bits >= 4 && list->most_ids < wanted; bits--) {
        const size_t numbers = (size_t)1 << (word - bits);
        const size_t cuts = list->max_n >> bits;
        const size_t left = numbers > cuts ? numbers - cuts : 0;
        if (left <= list->most_ids) continue;
        list->most_ids = left;
        list->offset_bits = bits;
    }
    if (list->most_ids <= list->max_n >> 12) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "list: max_n = %zu leaves no room for marks in int32 links in place; use "
                        "another algorithm or CLPRIMS_I64",
                        list->max_n);
    }
    limit(&list->most_ids, list->knobs[CLP_LIST_SPLITTERS]);
    return CLPRIMS_OK;
}

/* An order is not sorted, but its program compiles the kernels anyway. */
static clprims_status fit_buckets(clprims_list *list) {
    const size_t group = list->knobs[CLP_LIST_SORT_GROUP];
    list->most.buckets = group;
    if (list->result == CLPRIMS_LIST_ORDER) return CLPRIMS_OK;
    const size_t buckets = clp_list_most_buckets(list, &list->most.two_passes);
    list->most.buckets = (buckets + group - 1) / group * group;
    if (buckets <= list->knobs[CLP_LIST_BUCKETS]) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "list: max_n = %zu needs %zu buckets of %zu elements in a pass, more than "
                    "BUCKETS = %zu; use another algorithm",
                    list->max_n, buckets, list->knobs[CLP_LIST_WINDOW],
                    list->knobs[CLP_LIST_BUCKETS]);
}

clprims_status clp_list_fit_algorithm(clprims_list *list) {
    CLP_TRY(check(list));
    if (list->algorithm == CLPRIMS_LIST_IN_PLACE) CLP_TRY(fit_word(list));
    if (list->algorithm == CLPRIMS_LIST_VISIT_LOG) CLP_TRY(fit_buckets(list));
    clp_list_set_limits(list);
    return CLPRIMS_OK;
}
