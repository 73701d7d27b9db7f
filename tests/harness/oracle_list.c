/* SPDX-License-Identifier: MIT */
/* Plain-C twins of list ranking: the walk, and a judge of what a report claims. */
#include "harness/oracle.h"

static int64_t link_at(clprims_type link, const void *next, int64_t i) {
    return link == CLPRIMS_I32 ? ((const int32_t *)next)[i] : ((const int64_t *)next)[i];
}

static bool inside(int64_t i, size_t n) {
    return i >= 0 && (uint64_t)i < n;
}

void oracle_rank(clprims_type link, const void *next, int64_t head, void *rank, size_t n) {
    int64_t i = head;
    for (size_t k = 0; k < n; k++) {
        test_store_integer(clprims_type_bytes(link), rank, (size_t)i, k);
        i = link_at(link, next, i);
    }
}

void oracle_order(clprims_type link, const void *next, int64_t head, void *order, size_t n) {
    int64_t i = head;
    for (size_t k = 0; k < n; k++) {
        test_store_integer(clprims_type_bytes(link), order, k, (uint64_t)i);
        i = link_at(link, next, i);
    }
}

bool oracle_list_valid(clprims_type link, const void *next, int64_t head, size_t n) {
    /* n different elements and then -1: a path that visits one twice never ends. */
    int64_t i = head;
    for (size_t k = 0; k < n; k++) {
        if (!inside(i, n)) return false;
        i = link_at(link, next, i);
    }
    return i == -1;
}

/* How many links name each element. */
static unsigned char *count_names(clprims_type link, const void *next, size_t n) {
    unsigned char *named = test_alloc(n, 1);
    for (size_t i = 0; i < n; i++) named[i] = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t to = link_at(link, next, (int64_t)i);
        if (inside(to, n) && named[to] < 2) named[to]++;
    }
    return named;
}

int64_t oracle_list_head(clprims_type link, const void *next, size_t n) {
    unsigned char *named = count_names(link, next, n);
    int64_t head = -1;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (named[i] == 0) {
            head = (int64_t)i;
            count++;
        }
    free(named);
    return count == 1 ? head : -1;
}

static bool on_cycle_off_path(clprims_type link, const void *next, int64_t head, int64_t index,
                              size_t n) {
    int64_t i = index;
    for (size_t k = 0; k < n; k++) {
        i = link_at(link, next, i);
        if (!inside(i, n)) return false;
        if (i == index) break;
    }
    if (i != index) return false;
    i = head;
    for (size_t k = 0; k < n && inside(i, n); k++) {
        if (i == index) return false;
        i = link_at(link, next, i);
    }
    return true;
}

static bool has_tail(clprims_type link, const void *next, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (link_at(link, next, (int64_t)i) == -1) return true;
    return false;
}

static bool head_fault_true(clprims_type link, const void *next, int64_t head, size_t n,
                            const clprims_list_report *report) {
    if (head == FIND_HEAD) return oracle_list_head(link, next, n) == -1;
    if (!inside(head, n)) return report->index == head;
    return report->index == head && inside(report->other, n) &&
           link_at(link, next, report->other) == head;
}

bool oracle_report_true(clprims_type link, const void *next, int64_t head, size_t n,
                        const clprims_list_report *report) {
    const int64_t index = report->index;
    const int64_t other = report->other;
    const int64_t from = head == FIND_HEAD ? report->head : head;
    const bool both = inside(index, n) && inside(other, n) && index != other;
    switch (report->fault) {
    case CLPRIMS_LIST_VALID:
        return oracle_list_valid(link, next, from, n) && from == report->head;
    case CLPRIMS_LIST_LINK_RANGE:
        return inside(index, n) && link_at(link, next, index) == other && other != -1 &&
               !inside(other, n);
    case CLPRIMS_LIST_TWO_TAILS:
        return both && link_at(link, next, index) == -1 && link_at(link, next, other) == -1;
    case CLPRIMS_LIST_NO_TAIL:
        return !has_tail(link, next, n);
    case CLPRIMS_LIST_SAME_SUCCESSOR:
        return both && link_at(link, next, index) == link_at(link, next, other);
    case CLPRIMS_LIST_CYCLE:
        return inside(index, n) && on_cycle_off_path(link, next, from, index, n);
    case CLPRIMS_LIST_HEAD:
        return head_fault_true(link, next, head, n, report);
    case CLPRIMS_LIST_INVALID:
        return !oracle_list_valid(link, next, from, n);
    default:
        return false;
    }
}
