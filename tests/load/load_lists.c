/* SPDX-License-Identifier: MIT */
/* List ranking, list scans and forests. */
#include "load/load.h"

LOAD_DESTROY(list)
LOAD_DESTROY(listscan)
LOAD_DESTROY(forest)
LOAD_REPORT(list)
LOAD_REPORT_OF(forest, clprims_list_report)

/* A permutation of n elements. */
static int32_t *draw_order(load_thread *t, size_t n) {
    int32_t *order = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) order[i] = (int32_t)i;
    for (size_t i = n; i > 1; i--) {
        const size_t k = load_below(t, i);
        const int32_t kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
    return order;
}

/* The links of the list that visits the elements in this order. */
static int32_t *links_of(load_thread *t, const int32_t *order, size_t n) {
    int32_t *next = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) next[order[i]] = i + 1 < n ? order[i + 1] : -1;
    return next;
}

/* ---- Ranks ---- */

static clprims_status create_list(load_thread *t, void **plan) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.max_n = t->max_n;
    LOAD_CREATE(list);
}

/* A link out of range, or one that names what another one names. */
static void rank_malformed(load_thread *t, void *plan, int32_t *next, int32_t *rank, int64_t head,
                           size_t n) {
    const size_t i = load_below(t, n);
    const size_t other = (i + 1 + load_below(t, n - 1)) % n;
    next[i] = load_below(t, 2) == 0 ? (int32_t)n : next[other];
    (void)LOAD_TRY(t, CLPRIMS_ERR_DATA, clprims_list_run(plan, next, rank, head, n));
}

static void call_list(load_thread *t, void *plan) {
    const size_t n = 1 + load_size(t, t->max_n - 1);
    const int32_t *order = draw_order(t, n);
    int32_t *next = links_of(t, order, n);
    int32_t *rank = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0);
    const int64_t head = load_below(t, 2) == 0 ? order[0] : CLPRIMS_LIST_FIND_HEAD;
    for (size_t i = 0; i < n; i++) expected[order[i]] = (int32_t)i;
    if (n > 1 && load_below(t, 8) == 0) {
        rank_malformed(t, plan, next, rank, head, n);
        return;
    }
    if (load_below(t, 2) == 0) {
        if (!LOAD_TRY(t, CLPRIMS_OK, clprims_list_run(plan, next, rank, head, n))) return;
    } else {
        const clprims_buffer from = load_buffer(t, next, n, n, sizeof *next);
        const clprims_buffer to = load_buffer(t, NULL, 0, n, sizeof *rank);
        const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_list_report));
        if (!LOAD_TRY(
                t, CLPRIMS_OK,
                clprims_list_enqueue(plan, t->queue, from, to, head, n, report, 0, NULL, NULL)) ||
            !check_list(t, LOAD_ENQUEUE, report))
            return;
        load_read(t, LOAD_ENQUEUE, to, rank, n, sizeof *rank);
    }
    load_compare(t, expected, rank, n, sizeof *rank, n);
}

/* ---- List scan ---- */

static clprims_status create_listscan(load_thread *t, void **plan) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.inclusive = 1;
    desc.max_n = t->max_n;
    LOAD_CREATE(listscan);
}

static void call_listscan(load_thread *t, void *plan) {
    const size_t n = 1 + load_size(t, t->max_n - 1);
    const int32_t *order = draw_order(t, n);
    const int32_t *next = links_of(t, order, n);
    const int32_t *values = load_int32(t, n, 1 << 30);
    int32_t *out = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0);
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (uint32_t)values[order[i]];
        expected[order[i]] = (int32_t)sum;
    }
    if (load_below(t, 2) == 0) {
        if (!LOAD_TRY(t, CLPRIMS_OK, clprims_listscan_run(plan, next, values, out, order[0], n)))
            return;
    } else {
        const clprims_buffer links = load_buffer(t, next, n, n, sizeof *next);
        const clprims_buffer from = load_buffer(t, values, n, n, sizeof *values);
        const clprims_buffer to = load_buffer(t, NULL, 0, n, sizeof *out);
        const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_list_report));
        if (!LOAD_TRY(t, CLPRIMS_OK,
                      clprims_listscan_enqueue(plan, t->queue, links, from, to, order[0], n, report,
                                               0, NULL, NULL)) ||
            !check_list(t, LOAD_ENQUEUE, report))
            return;
        load_read(t, LOAD_ENQUEUE, to, out, n, sizeof *out);
    }
    load_compare(t, expected, out, n, sizeof *out, n);
}

/* ---- Forest ---- */

static clprims_status create_forest(load_thread *t, void **plan) {
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.max_n = t->max_n;
    LOAD_CREATE(forest);
}

static bool forest_on_queue(load_thread *t, clprims_forest *plan, const int32_t *next,
                            int32_t *rank, int32_t *head, size_t n) {
    clprims_forest_arrays arrays = CLPRIMS_FOREST_ARRAYS_INIT;
    arrays.next = load_buffer(t, next, n, n, sizeof *next);
    arrays.rank = load_buffer(t, NULL, 0, n, sizeof *rank);
    arrays.head = load_buffer(t, NULL, 0, n, sizeof *head);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_list_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  clprims_forest_enqueue(plan, t->queue, &arrays, n, report, 0, NULL, NULL)) ||
        !check_forest(t, LOAD_ENQUEUE, report))
        return false;
    load_read(t, LOAD_ENQUEUE, arrays.rank, rank, n, sizeof *rank);
    load_read(t, LOAD_ENQUEUE, arrays.head, head, n, sizeof *head);
    return true;
}

static void call_forest(load_thread *t, void *plan) {
    const size_t n = 1 + load_size(t, t->max_n - 1);
    const size_t one_in = load_below(t, 2) == 0 ? 3 : n;
    const int32_t *order = draw_order(t, n);
    int32_t *next = links_of(t, order, n);
    int32_t *rank = load_int32(t, n, 0), *head = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0), *expected_head = load_int32(t, n, 0);
    for (size_t i = 0, start = 0; i < n; i++) {
        const int32_t element = order[i];
        expected[element] = (int32_t)(i - start);
        expected_head[element] = order[start];
        if (load_below(t, one_in) == 0) next[element] = -1;
        if (next[element] == -1) start = i + 1;
    }
    if (load_below(t, 2) == 0) {
        if (!LOAD_TRY(t, CLPRIMS_OK, clprims_forest_run(plan, next, rank, head, n))) return;
    } else if (!forest_on_queue(t, plan, next, rank, head, n)) {
        return;
    }
    load_compare(t, expected, rank, n, sizeof *rank, n);
    load_compare(t, expected_head, head, n, sizeof *head, 0);
}

const load_subject load_lists[3] = {{"list", create_list, destroy_list, call_list},
                                    {"listscan", create_listscan, destroy_listscan, call_listscan},
                                    {"forest", create_forest, destroy_forest, call_forest}};
