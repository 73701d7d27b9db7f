/* SPDX-License-Identifier: MIT */
/* Lists in many orders, good and mutated. */
#include "subjects/draws/drawn_list.h"

enum { MOST_ODD = 1 << 17 }; /* longer lists are in random order: others take long to make */

int64_t *drawn_links(subject_data *d, clprims_type link) {
    const size_t n = d->n[0];
    const list_case *how = d->how;
    const bool is_odd = d->may_be_malformed && n <= MOST_ODD && test_random_below(2) == 0;
    int64_t *next = test_alloc(n, sizeof *next);
    if (how != NULL) {
        d->head = how->head;
        return memcpy(next, how->next, n * sizeof *next);
    }
    int64_t *order = test_alloc(n, sizeof *order);
    if (is_odd && n > 0) {
        list_fill(&list_orders[test_random_below(LIST_ORDERS)], order, n);
    } else {
        list_random(order, n);
    }
    list_link(order, next, n);
    d->head = n > 0 && test_random_below(2) == 0 ? order[0] : FIND_HEAD;
    if (d->may_be_malformed && n > 0) {
        if (test_random_below(3) == 0) list_mutate(link, next, n);
        if (test_random_below(16) == 0) d->head = (int64_t)test_random_below(n);
    }
    free(order);
    return next;
}

void drawn_links_put(subject_data *d, size_t slot, clprims_type link, const int64_t *next) {
    const size_t n = d->n[0], bytes = clprims_type_bytes(link);
    void *links = subject_in(d, slot, "next", n, n, bytes);
    for (size_t i = 0; i < n; i++) test_store_integer(bytes, links, i, (uint64_t)next[i]);
}

uint32_t *drawn_list(subject_data *d, size_t slot, clprims_type link, clprims_list_report *report) {
    const size_t n = d->n[0];
    uint32_t *order = test_alloc(n, sizeof *order);
    int64_t *next = drawn_links(d, link);
    const list_case c = {.link = link, .next = next, .head = d->head, .n = n};
    *report = (clprims_list_report){CLPRIMS_LIST_VALID, -1, -1, -1};
    if (n > 0) *report = list_expected(&c);
    memset(order, 0, n * sizeof *order);
    if (report->fault != CLPRIMS_LIST_VALID) {
        d->status = d->verdict = CLPRIMS_ERR_DATA;
    } else {
        for (int64_t k = 0, at = report->head; at >= 0; at = next[at]) order[k++] = (uint32_t)at;
    }
    drawn_links_put(d, slot, link, next);
    free(next);
    return order;
}

void drawn_list_settle(subject_data *d, size_t slot) {
    if (d->status != CLPRIMS_OK) d->at[slot].written = 0;
}
