/* SPDX-License-Identifier: MIT */
/* A list in random order. */
#include "subjects/draws/drawn_list.h"

/* A link out of range, or one that names what another one names. */
static void corrupt(subject_data *d, size_t slot, clprims_list_report *report) {
    const size_t n = d->n[0], bytes = d->at[slot].bytes;
    void *next = d->at[slot].values;
    const int64_t none = bytes == 4 ? (int64_t)UINT32_MAX : -1;
    const size_t i = test_random_below(n), other = (i + 1 + test_random_below(n - 1)) % n;
    const int64_t low = (int64_t)(i < other ? i : other), high = (int64_t)(i < other ? other : i);
    const int64_t was = (int64_t)subject_load(bytes, next, i);
    const int64_t is = (int64_t)subject_load(bytes, next, other);
    report->head = d->head;
    if (test_random_below(2) == 0) {
        *report = (clprims_list_report){CLPRIMS_LIST_LINK_RANGE, (int64_t)i, (int64_t)n, d->head};
        test_store_integer(bytes, next, i, n);
    } else {
        test_store_integer(bytes, next, i, (uint64_t)is);
        report->fault = was == none  ? CLPRIMS_LIST_NO_TAIL
                        : is == none ? CLPRIMS_LIST_TWO_TAILS
                                     : CLPRIMS_LIST_SAME_SUCCESSOR;
        report->index = was == none ? -1 : low;
        report->other = was == none ? -1 : high;
    }
    d->status = d->verdict = CLPRIMS_ERR_DATA;
}

uint32_t *drawn_list(subject_data *d, size_t slot, clprims_type link, clprims_list_report *report) {
    const size_t n = d->n[0], bytes = clprims_type_bytes(link);
    uint32_t *order = test_alloc(n, sizeof *order);
    subject_shuffle(order, n);
    subject_link(subject_in(d, slot, "next", n, n, bytes), bytes, order, n);
    const int64_t first = n > 0 ? (int64_t)order[0] : -1;
    d->head = n > 0 && test_random_below(2) == 0 ? first : CLPRIMS_LIST_FIND_HEAD;
    *report = (clprims_list_report){CLPRIMS_LIST_VALID, -1, -1, first};
    if (d->may_be_malformed && n > 1 && test_random_below(8) == 0) corrupt(d, slot, report);
    return order;
}

void drawn_list_settle(subject_data *d, size_t slot) {
    if (d->status != CLPRIMS_OK) d->at[slot].written = 0;
}
