/* SPDX-License-Identifier: MIT */
/* Malformed and adversarial lists, and a checker in plain C. */
#include "inputs/list_spoiled.h"
#include <stdlib.h>
#include <string.h>

enum { CYCLE = 1000 };

/* ---- Corruptions of a random list of at least eight elements ----------------------------------
 */

static int32_t element(const list_data *list, size_t rank) {
    return order_element(&list->shape, rank);
}

static void keep(list_data *list) {
    (void)list;
}

/* All splitters of the library's first seed, one after another, then all other elements. */
static void adversarial(list_data *list) {
    uint64_t bits = 1, k = 0;
    while (((uint64_t)1 << bits) < list->n) bits++;
    const uint64_t mask = ((uint64_t)1 << bits) - 1, shift = (bits + 1) / 2;
    for (uint64_t key = 0; key <= mask; key++) {
        uint64_t x = key ^ key >> shift;
        x = x * UINT64_C(0x96de1b173f119089) & mask;
        x ^= x >> shift;
        x = x * UINT64_C(0xf1de83e19937733d) & mask;
        x ^= x >> shift;
        if (x < list->n) list->rank[k++] = (int32_t)x;
    }
    list->head = list->rank[0];
    for (k = 0; k + 1 < list->n; k++) list->next[list->rank[k]] = list->rank[k + 1];
    list->next[list->rank[k]] = -1;
}

static void self_loop(list_data *list) {
    const int32_t at = element(list, list->n / 2);
    list->next[at] = at;
}

static void rho(list_data *list) {
    list->next[element(list, list->n - 1)] = element(list, list->n / 3);
}

static void whole_cycle(list_data *list) {
    list->next[element(list, list->n - 1)] = list->head;
}

static void half_on_cycle(list_data *list) {
    list->next[element(list, list->n / 2 - 1)] = -1;
    list->next[element(list, list->n - 1)] = element(list, list->n / 2);
}

/* Path and cycles of a thousand elements each. */
static void many_cycles(list_data *list) {
    const size_t n = list->n, length = n > 2 * CYCLE ? CYCLE : n / 4;
    for (size_t end = length; end <= n; end += length)
        list->next[element(list, end - 1)] = end == length ? -1 : element(list, end - length);
    if (n % length != 0) list->next[element(list, n - 1)] = element(list, n - n % length);
}

static void two_tails(list_data *list) {
    list->next[element(list, list->n / 2)] = -1;
}

static void same_successor(list_data *list) {
    list->next[element(list, list->n / 2)] = list->next[element(list, list->n / 4)];
}

static void link_too_large(list_data *list) {
    list->next[element(list, list->n / 2)] = (int32_t)list->n;
}

static void link_too_small(list_data *list) {
    list->next[element(list, list->n / 2)] = INT32_MIN;
}

static void wrong_head(list_data *list) {
    list->head = element(list, list->n / 2);
}

static void all_zero(list_data *list) {
    memset(list->next, 0, list->n * sizeof *list->next);
}

static void all_tails(list_data *list) {
    memset(list->next, 0xff, list->n * sizeof *list->next);
}

static void random_function(list_data *list) {
    for (size_t i = 0; i < list->n; i++) {
        const uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        list->next[i] = (int32_t)(((x ^ x >> 31) & UINT32_MAX) * list->n >> 32);
    }
    list->next[element(list, list->n / 2)] = -1;
}

const list_case list_cases[] = {{LIST_GOOD, keep},
                                {LIST_ADVERSARIAL, adversarial},
                                {"self-loop", self_loop},
                                {"rho", rho},
                                {"one cycle", whole_cycle},
                                {"half on a cycle", half_on_cycle},
                                {"cycles of 1000", many_cycles},
                                {"two tails", two_tails},
                                {"same successor", same_successor},
                                {"a link n", link_too_large},
                                {"a link INT_MIN", link_too_small},
                                {"wrong head", wrong_head},
                                {"all links 0", all_zero},
                                {"all links -1", all_tails},
                                {"random function", random_function},
                                {"good list again", keep}};
const size_t list_case_count = sizeof list_cases / sizeof *list_cases;

/* ---- The checker ----------------------------------------------------------------------------- */

/* The lowest element from `start` on with this link, but not `skipped`; n: none. */
static size_t naming(const list_data *list, int32_t link, size_t start, size_t skipped) {
    size_t i = start;
    while (i < list->n && (list->next[i] != link || i == skipped)) i++;
    return i;
}

/* Of links in range with one tail: what is wrong with the names and with the path from head. */
static clprims_list_report fault_of_path(const list_data *list, unsigned char *named) {
    const size_t n = list->n;
    size_t i = 0;
    memset(named, 0, n);
    for (i = 0; i < n; i++)
        if (list->next[i] >= 0 && named[list->next[i]] < 2) named[list->next[i]]++;
    for (i = 0; i < n && (list->next[i] < 0 || named[list->next[i]] < 2);) i++;
    if (i < n) {
        const int64_t other = (int64_t)naming(list, list->next[i], 0, i);
        return (clprims_list_report){CLPRIMS_LIST_SAME_SUCCESSOR, (int64_t)i, other, list->head};
    }
    if (named[list->head] > 0) {
        const int64_t other = (int64_t)naming(list, list->head, 0, n);
        return (clprims_list_report){CLPRIMS_LIST_HEAD, list->head, other, list->head};
    }
    memset(named, 0, n);
    for (int32_t at = list->head; at >= 0; at = list->next[at]) named[at] = 1;
    for (i = 0; i < n && named[i];) i++;
    if (i < n) return (clprims_list_report){CLPRIMS_LIST_CYCLE, (int64_t)i, -1, list->head};
    return (clprims_list_report){CLPRIMS_LIST_VALID, -1, -1, list->head};
}

clprims_list_report list_report_in_c(const list_data *list) {
    const size_t n = list->n;
    const int64_t head = list->head;
    size_t i = 0;
    while (i < n && list->next[i] >= -1 && (list->next[i] < 0 || (size_t)list->next[i] < n)) i++;
    if (i < n)
        return (clprims_list_report){CLPRIMS_LIST_LINK_RANGE, (int64_t)i, list->next[i], head};
    const size_t tail = naming(list, -1, 0, n);
    if (tail == n) return (clprims_list_report){CLPRIMS_LIST_NO_TAIL, -1, -1, head};
    const size_t second = naming(list, -1, tail + 1, n);
    if (second < n)
        return (clprims_list_report){CLPRIMS_LIST_TWO_TAILS, (int64_t)tail, (int64_t)second, head};
    unsigned char *named = bench_alloc(n);
    const clprims_list_report report = fault_of_path(list, named);
    free(named);
    return report;
}
