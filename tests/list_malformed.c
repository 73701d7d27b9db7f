/* SPDX-License-Identifier: MIT */
/* Lists that are none: every run ends, names the lowest element at fault, and harms no other. */
#include "list_cases.h"

#include "oracle.h"

#include <inttypes.h>
#include <stdlib.h>

/* Spoils the list that visits `order`; *head is its first element and may be changed. */
typedef void spoil(const int64_t *order, int64_t *next, size_t n, int64_t *head);

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

typedef struct malformed {
    const char *name;
    spoil *spoil;
    bool against; /* the order is that of the hash */
    clprims_list_fault given;
    clprims_list_fault found; /* when head is not given */
} malformed;

#define SAME CLPRIMS_LIST_SAME_SUCCESSOR, CLPRIMS_LIST_SAME_SUCCESSOR
#define TAILS CLPRIMS_LIST_TWO_TAILS, CLPRIMS_LIST_TWO_TAILS
#define ENDLESS CLPRIMS_LIST_NO_TAIL, CLPRIMS_LIST_NO_TAIL
#define CYCLE CLPRIMS_LIST_CYCLE, CLPRIMS_LIST_CYCLE

static const malformed table[] = {
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

typedef struct spoiled {
    clprims_type link;
    const list_setting *setting;
    const malformed *what;
    size_t n;
} spoiled;

static void expect_one(const list_case *c, clprims_list_fault fault) {
    const clprims_list_report report = list_expect(c);
    assert_int_equal(report.fault, fault);
    assert_true(oracle_report_true(CLPRIMS_I64, c->next, c->head, c->n, &report));
    if (fault == CLPRIMS_LIST_VALID)
        expect_ok(clprims_list_check(&report));
    else
        expect_failure(clprims_list_check(&report), CLPRIMS_ERR_DATA, "list: ");
}

/* The plan is as good as new after each fault. */
static void expect_good(const list_case *c) {
    int64_t *order = test_alloc(c->n, sizeof *order);
    int64_t *next = test_alloc(c->n, sizeof *next);
    list_random(order, c->n);
    list_link(order, next, c->n);
    list_case good = *c;
    good.next = next;
    good.head = order[0];
    expect_one(&good, CLPRIMS_LIST_VALID);
    free(order);
    free(next);
}

static void reports(const void *data) {
    const spoiled *s = data;
    const size_t n = s->n;
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    clprims_list *plan = list_create(s->link, s->setting, n);
    if (s->what->against)
        list_hash_ascending(order, n);
    else
        list_random(order, n);
    list_link(order, next, n);
    int64_t head = order[0];
    s->what->spoil(order, next, n, &head);
    list_case c = {plan, s->link, next, head, n, 1, 3, 0, s->setting->result};
    expect_one(&c, s->what->given);
    expect_good(&c);
    c.head = CLPRIMS_LIST_FIND_HEAD;
    expect_one(&c, s->what->found);
    expect_good(&c);
    clprims_list_destroy(plan);
    free(order);
    free(next);
}

/* Each illegal link at several elements, and at the last one as well. */
static void reports_range(const void *data) {
    const spoiled *s = data;
    const size_t n = s->n;
    const size_t step = n / 10 + 1;
    const int64_t values[] = {-2,         -3,        INT32_MIN, INT32_MAX,
                              (int64_t)n, INT64_MIN, INT64_MAX, INT64_C(1) << 32};
    const size_t count = s->link == CLPRIMS_I32 ? 5 : 8;
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    clprims_list *plan = list_create(s->link, s->setting, n);
    list_random(order, n);
    for (size_t k = 0; k < 10 * count; k++) {
        const size_t i = k / count * step;
        list_link(order, next, n);
        next[n - 1] = next[i] = values[k % count];
        const int64_t head = i % 2 == 0 ? order[0] : CLPRIMS_LIST_FIND_HEAD;
        const list_case c = {plan, s->link, next, head, n, 0, 1, 2, s->setting->result};
        expect_one(&c, CLPRIMS_LIST_LINK_RANGE);
        assert_int_equal(list_expected(&c).index, i);
    }
    clprims_list_destroy(plan);
    free(order);
    free(next);
}

/* ---- Random mutations ---- */

static int64_t random_link(const spoiled *s, size_t n) {
    static const int64_t odd[] = {-2,        INT32_MIN, INT32_MAX,        -3,
                                  INT64_MIN, INT64_MAX, INT64_C(1) << 32, (INT64_C(1) << 32) + 1};
    const uint64_t draw = test_random_below(40);
    if (draw == 0) return odd[test_random_below(s->link == CLPRIMS_I32 ? 4 : 8)];
    if (draw == 1) return (int64_t)n;
    if (draw < 8) return -1;
    return (int64_t)test_random_below(n);
}

/* Changes links; exchanges of two links keep successors apart and give cycles and other heads. */
static void mutate(const spoiled *s, int64_t *next, size_t n) {
    const uint64_t changes = 1 + test_random_below(10);
    const bool exchange = test_random_below(2) == 0;
    for (uint64_t k = 0; k < changes; k++) {
        const size_t a = (size_t)test_random_below(n);
        const size_t b = (size_t)test_random_below(n);
        const int64_t kept = next[a];
        next[a] = exchange ? next[b] : random_link(s, n);
        if (exchange) next[b] = kept;
    }
}

static void mutations(const void *data) {
    const spoiled *s = data;
    const size_t rounds = test_small() ? 10 : test_long() ? 20000 : 700;
    int64_t *order = test_alloc(s->n, sizeof *order);
    int64_t *next = test_alloc(s->n, sizeof *next);
    clprims_list *plan = list_create(s->link, s->setting, s->n);
    for (size_t round = 0; round < rounds; round++) {
        const size_t n = 1 + (size_t)test_random_below(s->n);
        list_random(order, n);
        list_link(order, next, n);
        mutate(s, next, n);
        const uint64_t draw = test_random_below(3);
        const int64_t head = draw == 0   ? CLPRIMS_LIST_FIND_HEAD
                             : draw == 1 ? (int64_t)test_random_below(n)
                                         : order[0];
        const list_case c = {plan, s->link, next, head, n, 0, 1, 0, s->setting->result};
        expect_one(&c, (clprims_list_fault)list_expected(&c).fault);
    }
    clprims_list_destroy(plan);
    free(order);
    free(next);
}

static void add_setting(test_cases *cases, clprims_type link, const list_setting *setting) {
    const char *type = link == CLPRIMS_I32 ? "i32" : "i64";
    const size_t n = test_small() ? 100 : 5003;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        const spoiled s = {link, setting, &table[k], n};
        test_add(cases, reports, &s, sizeof s, "list/%s/%s/malformed/%s/n=%zu", type, setting->name,
                 table[k].name, n);
    }
    const spoiled bad = {link, setting, NULL, n};
    test_add(cases, reports_range, &bad, sizeof bad, "list/%s/%s/malformed/link-range/n=%zu", type,
             setting->name, n);
    const spoiled s = {link, setting, NULL, test_small() ? 60 : 300};
    test_add(cases, mutations, &s, sizeof s, "list/%s/%s/mutations/n<=%zu", type, setting->name,
             s.n);
}

void list_add_malformed(test_cases *cases) {
    for (size_t k = 0; k < LIST_SETTINGS; k++) {
        add_setting(cases, CLPRIMS_I32, &list_settings[k]);
        if (k == 0 || k == 2) add_setting(cases, CLPRIMS_I64, &list_settings[k]);
    }
    for (size_t k = 0; !test_small() && k < sizeof table / sizeof table[0]; k++) {
        static const size_t settings[] = {0, 1, 5, 8};
        const list_setting *setting = &list_settings[settings[k % 4]];
        const spoiled s = {CLPRIMS_I32, setting, &table[k], 200003};
        test_add(cases, reports, &s, sizeof s, "list/i32/%s/malformed/%s/n=%zu", s.setting->name,
                 table[k].name, s.n);
    }
}
