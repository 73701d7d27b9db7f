/* SPDX-License-Identifier: MIT */
/* Ways to spoil a list, and what list ranking must then say of it. */
#include "list_cases.h"

#include <string.h>

static void link_path(const int64_t *order, int64_t *next, size_t start, size_t end) {
    list_link(order + start, next, end - start);
}

static void link_cycle(const int64_t *order, int64_t *next, size_t start, size_t end) {
    link_path(order, next, start, end);
    next[order[end - 1]] = order[start];
}

static void self_loop_head(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)order, (void)n;
    next[*head] = *head;
}

static void self_loop_inner(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    next[order[n / 2]] = order[n / 2];
}

static void self_loop_tail(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    next[order[n - 1]] = order[n - 1];
}

static void rho(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    next[order[n - 1]] = order[n / 3];
}

static void whole_cycle(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    link_cycle(order, next, 0, n);
}

static void last_in_cycle(const int64_t *order, int64_t *next, size_t n, size_t length) {
    link_path(order, next, 0, n - length);
    link_cycle(order, next, n - length, n);
}

static void cycle_1(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    last_in_cycle(order, next, n, 1);
}

static void cycle_2(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    last_in_cycle(order, next, n, 2);
}

static void cycle_47(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    last_in_cycle(order, next, n, 47);
}

static void cycle_most(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    last_in_cycle(order, next, n, n - 1);
}

static void many_cycles(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    size_t start = 3;
    link_path(order, next, 0, start);
    for (size_t length = 1; start + length <= n; length++) {
        link_cycle(order, next, start, start + length);
        start += length;
    }
    if (start < n) link_cycle(order, next, start, n);
}

static void head_on_cycle(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    link_cycle(order, next, 0, n / 2);
    link_path(order, next, n / 2, n);
    *head = order[n / 4];
}

static void head_inner(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)next;
    *head = order[n / 2];
}

static void head_tail(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)next;
    *head = order[n - 1];
}

static void tail_early(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    next[order[n / 2]] = -1;
}

static void many_tails(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    for (size_t k = 0; k < n; k += 7) next[order[k]] = -1;
}

static void same_adjacent(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    next[order[n / 2]] = order[n / 2 + 2];
}

static void same_far(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    next[order[n - 2]] = order[1];
    next[order[n / 2]] = -1;
    next[order[n - 1]] = order[n / 2 + 1];
}

static void all_zero(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)order, (void)head;
    for (size_t i = 0; i < n; i++) next[i] = 0;
}

static void all_tails(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)order, (void)head;
    for (size_t i = 0; i < n; i++) next[i] = -1;
}

static void all_to_one(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    for (size_t i = 0; i < n; i++) next[i] = order[n - 1];
    next[order[n - 1]] = -1;
}

static void random_function(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    for (size_t i = 0; i < n; i++) next[i] = (int64_t)test_random_below(n);
    next[0] = next[1] = 2;
    next[order[n / 2] > 1 ? order[n / 2] : 3] = -1;
}

/* ---- Against the splitters: `order` begins with them ---- */

static void splitters_on_cycle(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    link_cycle(order, next, 0, n / 50 + 1);
    link_path(order, next, n / 50 + 1, n);
    *head = order[n / 50 + 1];
}

static void cycle_without_splitter(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    last_in_cycle(order, next, n, n / 2);
}

/* Every walk would visit nearly all elements, were it not bounded. */
static void splitters_to_one_path(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    (void)head;
    for (size_t k = 0; k < n / 48; k++) next[order[k]] = order[n / 48 + 1];
}

/* Every walk would end on one cycle without a splitter. */
static void splitters_to_one_cycle(const int64_t *order, int64_t *next, size_t n, int64_t *head) {
    splitters_to_one_path(order, next, n, head);
    next[order[n - 2]] = order[n / 48 + 2];
}

#define SAME CLPRIMS_LIST_SAME_SUCCESSOR, CLPRIMS_LIST_SAME_SUCCESSOR
#define TAILS CLPRIMS_LIST_TWO_TAILS, CLPRIMS_LIST_TWO_TAILS
#define ENDLESS CLPRIMS_LIST_NO_TAIL, CLPRIMS_LIST_NO_TAIL
#define CYCLE CLPRIMS_LIST_CYCLE, CLPRIMS_LIST_CYCLE

const list_spoiled list_spoils[LIST_SPOILS] = {
    {"self-loop-head", self_loop_head, false, CLPRIMS_LIST_HEAD, CLPRIMS_LIST_CYCLE},
    {"self-loop-inner", self_loop_inner, false, SAME},
    {"self-loop-tail", self_loop_tail, false, ENDLESS},
    {"rho", rho, false, ENDLESS},
    {"whole-cycle", whole_cycle, false, ENDLESS},
    {"cycle-1", cycle_1, false, CYCLE},
    {"cycle-2", cycle_2, false, CYCLE},
    {"cycle-47", cycle_47, false, CYCLE},
    {"cycle-most", cycle_most, false, CYCLE},
    {"many-cycles", many_cycles, false, CYCLE},
    {"head-on-cycle", head_on_cycle, false, CLPRIMS_LIST_HEAD, CLPRIMS_LIST_CYCLE},
    {"head-inner", head_inner, false, CLPRIMS_LIST_HEAD, CLPRIMS_LIST_VALID},
    {"head-is-tail", head_tail, false, CLPRIMS_LIST_HEAD, CLPRIMS_LIST_VALID},
    {"tail-early", tail_early, false, TAILS},
    {"many-tails", many_tails, false, TAILS},
    {"same-successor-adjacent", same_adjacent, false, SAME},
    {"same-successor-far", same_far, false, SAME},
    {"all-zero", all_zero, false, ENDLESS},
    {"all-tails", all_tails, false, TAILS},
    {"all-to-one", all_to_one, false, SAME},
    {"random-function", random_function, false, SAME},
    {"splitters-on-cycle", splitters_on_cycle, true, CYCLE},
    {"cycle-without-splitter", cycle_without_splitter, true, CYCLE},
    {"splitters-to-one-path", splitters_to_one_path, true, SAME},
    {"splitters-to-one-cycle", splitters_to_one_cycle, true, SAME},
};

int64_t list_spoiled_links(const list_spoiled *what, int64_t *order, int64_t *next, size_t n) {
    if (what->against)
        list_hash_ascending(order, n);
    else
        list_random(order, n);
    list_link(order, next, n);
    int64_t head = order[0];
    what->spoil(order, next, n, &head);
    return head;
}

size_t list_illegal(clprims_type link, size_t n, int64_t illegal[LIST_ILLEGAL]) {
    const int64_t all[LIST_ILLEGAL] = {-2,         -3,        INT32_MIN, INT32_MAX,
                                       (int64_t)n, INT64_MIN, INT64_MAX, INT64_C(1) << 32};
    memcpy(illegal, all, sizeof all);
    return link == CLPRIMS_I32 ? 5 : LIST_ILLEGAL;
}

/* ---- Random mutations ---- */

static int64_t random_link(clprims_type link, size_t n) {
    static const int64_t odd[] = {-2,        INT32_MIN, INT32_MAX,        -3,
                                  INT64_MIN, INT64_MAX, INT64_C(1) << 32, (INT64_C(1) << 32) + 1};
    const uint64_t draw = test_random_below(40);
    if (draw == 0) return odd[test_random_below(link == CLPRIMS_I32 ? 4 : 8)];
    if (draw == 1) return (int64_t)n;
    if (draw < 8) return -1;
    return (int64_t)test_random_below(n);
}

void list_mutate(clprims_type link, int64_t *next, size_t n) {
    const uint64_t changes = 1 + test_random_below(10);
    const bool exchange = test_random_below(2) == 0;
    for (uint64_t k = 0; k < changes; k++) {
        const size_t a = (size_t)test_random_below(n);
        const size_t b = (size_t)test_random_below(n);
        const int64_t kept = next[a];
        next[a] = exchange ? next[b] : random_link(link, n);
        if (exchange) next[b] = kept;
    }
}

int64_t list_mutated(clprims_type link, int64_t *order, int64_t *next, size_t n) {
    list_random(order, n);
    list_link(order, next, n);
    list_mutate(link, next, n);
    const uint64_t draw = test_random_below(3);
    return draw == 0   ? CLPRIMS_LIST_FIND_HEAD
           : draw == 1 ? (int64_t)test_random_below(n)
                       : order[0];
}
