/* SPDX-License-Identifier: MIT */
/* List ranking over ranks beside its definition in plain C, for the whole list. */
#include "fixtures/list/list_cases.h"
#include "harness/oracle.h"
#include "mpi/ranks.h"

#include "mpi/list/mpi_list.h"

enum { LARGEST = 3000, PLANS = 2 };

static const char *const result_names[PLANS] = {"ranks", "order"};

static clprims_list_desc describe(clprims_list_result result) {
    clprims_list_desc desc = {.link = CLPRIMS_I64, .result = result, .max_n = LARGEST};
    return desc;
}

static clprims_mpi_list *plan_of(clprims_list_result result) {
    const clprims_list_desc desc = describe(result);
    return ranks_plan(&ranks_list, (size_t)result, &desc);
}

/* How a list is distributed, and how its order is. */
typedef struct distribution {
    ranks_layout from, to;
    size_t next_first, out_first;
    clp_mpi_list_limits limits;
} distribution;

/* A run, which must report what plain C finds and, of a valid list, give its result. */
static clprims_list_report expect_list(clprims_list_result result, const list_case *c,
                                       const distribution *d) {
    const clprims_list_report empty = {CLPRIMS_LIST_VALID, -1, -1, -1};
    const clprims_list_report expected = c->n > 0 ? list_expected(c) : empty;
    const clprims_mpi_block from = ranks_block(d->from, c->n);
    const clprims_mpi_block to = result == CLPRIMS_LIST_RANKS ? from : ranks_block(d->to, c->n);
    test_buffer next = test_buffer_create(c->next + from.start, from.n, 8, d->next_first);
    test_buffer out = test_buffer_create(NULL, to.n, 8, d->out_first);
    clprims_list_report report = {-1, -1, -1, -1};
    int64_t *twin = test_scratch(c->n, sizeof *twin), *own = test_scratch(to.n, sizeof *own);
    clp_mpi_list_limits_now = d->limits;
    const clprims_status status =
        clprims_mpi_list_run(plan_of(result), next.at, out.at, c->head, from.n, to.n, &report);
    list_expect_report(expected, report, c->head, c->n);
    test_buffer_expect_unchanged(&next, c->next + from.start);
    test_buffer_read(&out, own);
    if (expected.fault == CLPRIMS_LIST_VALID) {
        expect_ranks_ok(status);
        if (d->limits.single == 0 && d->limits.whole == SIZE_MAX && ranks_count() > 1 && c->n > 0) {
            assert_int_equal(plan_of(result)->whole.depth, 1);
        }
        if (c->n > 0 && result == CLPRIMS_LIST_ORDER) {
            oracle_order(CLPRIMS_I64, c->next, expected.head, twin, c->n);
        } else if (c->n > 0) {
            oracle_rank(CLPRIMS_I64, c->next, expected.head, twin, c->n);
        }
        expect_elements(twin + to.start, own, to.n, 8);
    } else {
        assert_int_equal(status, CLPRIMS_ERR_DATA);
        assert_true(oracle_report_true(CLPRIMS_I64, c->next, c->head, c->n, &report));
    }
    return report;
}

/* ---- Valid lists ---- */

typedef struct run_case {
    clprims_list_result result;
    size_t order;
    size_t total;
    distribution d;
} run_case;

static void list_is_ranked(const void *data) {
    const run_case *r = data;
    list_links l = list_links_create(r->total);
    list_visit(&l, r->order);
    const int64_t head = r->order % 2 == 0 ? l.head : FIND_HEAD;
    const list_case c = {.next = l.next, .head = head, .n = r->total};
    expect_list(r->result, &c, &r->d);
}

/* ---- Malformed lists ---- */

typedef struct malformed_case {
    clprims_list_result result;
    size_t corruption;
    size_t total;
    distribution d;
} malformed_case;

static clprims_list_report run(const void *like, const int64_t *next, int64_t head, size_t n) {
    const malformed_case *m = like;
    const list_case c = {.next = next, .head = head, .n = n};
    return expect_list(m->result, &c, &m->d);
}

static void fault_is_named(const void *data) {
    const malformed_case *m = data;
    list_expect_corrupted(run, m, &list_corruptions[m->corruption], m->total);
}

static void illegal_links_are_named(const void *data) {
    const malformed_case m = {.result = CLPRIMS_LIST_RANKS, .d = *(const distribution *)data};
    list_expect_illegal(run, &m, CLPRIMS_I64, 300, 2, 1);
}

static void mutations_are_reported(const void *data) {
    const distribution *d = data;
    enum { N = 150 };
    int64_t order[N], next[N];
    for (int round = 0; round < (test_long() ? 1000 : 8); round++) {
        const size_t n = 1 + (size_t)test_random_below(N);
        const int64_t head = list_mutated(CLPRIMS_I64, order, next, n);
        const list_case c = {.next = next, .head = head, .n = n};
        expect_list((clprims_list_result)(round % PLANS), &c, d);
    }
}

/* The rank that has the report's element is named, with the fault and its values. */
static void rank_at_fault_is_named(void) {
    enum { N = 40 };
    const int ranks = ranks_count();
    const clprims_mpi_block even = clprims_mpi_even(ranks_mpi(), N);
    int64_t next[N];
    for (int64_t i = 0; i < N; i++) next[i] = i + 1 < N ? i + 1 : -1;
    next[N - 2] = 77;
    test_buffer links = test_buffer_create(next + even.start, (size_t)even.n, 8, 0);
    test_buffer out = test_buffer_create(NULL, (size_t)even.n, 8, 0);
    expect_ranks_failure(clprims_mpi_list_run(plan_of(CLPRIMS_LIST_RANKS), links.at, out.at, 0,
                                              (size_t)even.n, (size_t)even.n, NULL),
                         CLPRIMS_ERR_DATA, ranks - 1,
                         "list: next[38] = 77 is neither -1 nor an element's index");
}

/* ---- Refusals ---- */

static void bad_plans_are_named(void) {
    const clprims_list_desc good = describe(CLPRIMS_LIST_RANKS);
    clprims_list_desc bad = describe((clprims_list_result)7);
    ranks_desc_is_refused(&ranks_list, &good, &bad, CLPRIMS_ERR_ARGUMENT,
                          "desc.result = 7 is not a value");
    bad = good;
    bad.link = CLPRIMS_I32;
    ranks_desc_is_refused(&ranks_list, &good, &bad, CLPRIMS_ERR_UNSUPPORTED, "desc.link is int32");
    bad = good;
    bad.algorithm = CLPRIMS_LIST_IN_PLACE;
    ranks_desc_is_refused(&ranks_list, &good, &bad, CLPRIMS_ERR_UNSUPPORTED,
                          "CLPRIMS_LIST_AUTO and NULL");
    bad = good;
    bad.max_n = UINT32_MAX;
    ranks_desc_is_refused(&ranks_list, &good, &bad, CLPRIMS_ERR_TOO_LARGE,
                          "max_n = 4294967295 exceeds");
}

static void bad_runs_are_named(void) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const size_t more = is_last ? 11 : 10;
    const int64_t total = 10 * ranks_count();
    clprims_mpi_list *list = plan_of(CLPRIMS_LIST_RANKS), *order = plan_of(CLPRIMS_LIST_ORDER);
    test_buffer next = test_buffer_create(NULL, 10, 8, 0), out = test_buffer_create(NULL, 10, 8, 0);
    const clprims_buffer none = {NULL, 0};
    expect_ranks_failure(
        clprims_mpi_list_run(list, next.at, out.at, -1, is_last ? LARGEST + 1 : 10, 10, NULL),
        CLPRIMS_ERR_TOO_LARGE, last, "mpi_list: n = 3001 exceeds max_n = 3000");
    expect_ranks_failure(
        clprims_mpi_list_run(order, next.at, out.at, -1, 10, is_last ? LARGEST + 1 : 10, NULL),
        CLPRIMS_ERR_TOO_LARGE, last, "mpi_list: out_n = 3001 exceeds");
    expect_ranks_failure(
        clprims_mpi_list_run(list, next.at, out.at, -1, 10, is_last ? 9 : 10, NULL),
        CLPRIMS_ERR_ARGUMENT, last, "n = 10 and out_n = 9");
    expect_ranks_failure(
        clprims_mpi_list_run(order, next.at, out.at, -1, 10, is_last ? 9 : 10, NULL),
        CLPRIMS_ERR_ARGUMENT, 0, "elements in all, and blocks wanted for");
    expect_ranks_failure(
        clprims_mpi_list_run(list, is_last ? none : next.at, out.at, -1, 10, 10, NULL),
        CLPRIMS_ERR_ARGUMENT, last, "mpi_list: next.mem is NULL");
    expect_ranks_failure(
        clprims_mpi_list_run(list, next.at, is_last ? none : out.at, -1, 10, 10, NULL),
        CLPRIMS_ERR_ARGUMENT, last, "mpi_list: out.mem is NULL");
    expect_ranks_failure(
        clprims_mpi_list_run(list, next.at, is_last ? next.at : out.at, -1, 10, 10, NULL),
        CLPRIMS_ERR_ARGUMENT, last, "mpi_list: next and out overlap");
    expect_ranks_failure(clprims_mpi_list_run(list, next.at, out.at, total, 10, 10, NULL),
                         CLPRIMS_ERR_ARGUMENT, 0, "is not in [0, n = ");
    expect_ranks_failure(clprims_mpi_list_run(list, next.at, out.at, -2, 10, 10, NULL),
                         CLPRIMS_ERR_ARGUMENT, 0, "mpi_list: head = -2 is not in");
    expect_ranks_failure(clprims_mpi_list_run(list, none, none, 0, 0, 0, NULL),
                         CLPRIMS_ERR_ARGUMENT, 0, "mpi_list: head = 0 is not in");
    if (last > 0) {
        expect_ranks_failure(clprims_mpi_list_run(list, next.at, out.at, is_last, 10, 10, NULL),
                             CLPRIMS_ERR_ARGUMENT, last, "head = 1, and rank 0 has head = 0");
        expect_ranks_failure(
            clprims_mpi_list_run(list, is_last ? none : next.at, out.at, -1, more, more, NULL),
            CLPRIMS_ERR_ARGUMENT, last, "next.mem is NULL, with 11 elements");
    }
    for (int k = 0; k < RANKS_BAD; k++) {
        const clprims_buffer bad = {ranks_bad_create(k), 0};
        expect_ranks_failure(
            clprims_mpi_list_run(list, is_last ? bad : next.at, out.at, -1, 10, 10, NULL),
            CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("next", k));
        expect_ranks_failure(
            clprims_mpi_list_run(list, next.at, is_last ? bad : out.at, -1, 10, 10, NULL),
            CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("out", k));
    }
}

/* ---- Cases ---- */

/* What varies besides: offsets into buffers, and how small the last level is. */
static distribution distribution_of(size_t turn) {
    const size_t least = test_long() ? 3 : 30;
    const clp_mpi_list_limits limits[] = {
        {CLP_MPI_LIST_SINGLE, 1 << 16, SIZE_MAX, CLP_MPI_LIST_FEW,
         CLP_MPI_LIST_HALVED}, /* one rank has the list */
        {0, 1 << 16, SIZE_MAX, CLP_MPI_LIST_FEW, SIZE_MAX}, /* level 1 is whole after one round */
        {0, 100, 0, CLP_MPI_LIST_FEW, 20}, /* the hosts have the last level */
        {0, least, 0, 0, 0},
        {0, least, SIZE_MAX, 0, 100},
        {0, least, 200, 200, 0}, /* of the longest lists level 2 is whole */
        {0, 1 << 16, 0, CLP_MPI_LIST_FEW, 0}};
    return (distribution){.from = (ranks_layout)(turn % RANKS_LAYOUTS),
                          .to = (ranks_layout)(turn / 2 % RANKS_LAYOUTS),
                          .next_first = turn % 3,
                          .out_first = turn % 4,
                          .limits = limits[turn % (sizeof limits / sizeof limits[0])]};
}

static void add_run(test_cases *cases, size_t order, size_t total, size_t turn) {
    const run_case r = {(clprims_list_result)(turn % PLANS), order, total, distribution_of(turn)};
    ranks_add_row(cases, list_is_ranked, r,
                  "ranks/list/%s/%s/%s-to-%s/n=%zu/gathered=%zu/whole=%zu", result_names[r.result],
                  list_orders[order].name, ranks_layout_name(r.d.from), ranks_layout_name(r.d.to),
                  total, r.d.limits.gathered, r.d.limits.whole);
}

static void add_malformed(test_cases *cases, size_t turn) {
    const malformed_case m = {(clprims_list_result)(turn % PLANS), turn % LIST_CORRUPTIONS,
                              turn % 4 == 0 ? 1500 : 300, distribution_of(turn)};
    ranks_add_row(cases, fault_is_named, m, "ranks/list/malformed/%s/%s/%s/n=%zu",
                  list_corruptions[m.corruption].name, result_names[m.result],
                  ranks_layout_name(m.d.from), m.total);
}

void add_list_cases(test_cases *cases) {
    static const size_t totals[] = {0, 1, 2, 3, 4, 16, 17, 500, LARGEST};
    enum { RANDOM = 2 };
    const size_t rounds = test_long() ? 5 : 1;
    size_t turn = 0;
    ranks_add_plain(cases, bad_plans_are_named, "ranks/list/refused/create");
    ranks_add_plain(cases, bad_runs_are_named, "ranks/list/refused/run");
    ranks_add_plain(cases, rank_at_fault_is_named, "ranks/list/malformed/rank");
    for (size_t round = 0; round < rounds; round++) {
        for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++)
            for (int k = 0; k < 2; k++) add_run(cases, RANDOM, totals[t], turn++);
        for (size_t order = 0; order < LIST_ORDERS; order += test_long() ? 1 : 2) {
            add_run(cases, order, LARGEST, turn++);
        }
        for (size_t k = 0; k < LIST_CORRUPTIONS; k++) add_malformed(cases, turn++);
        turn += 2;
    }
    for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++) {
        const distribution d = distribution_of((size_t)layout);
        if (layout == RANKS_UNEVEN || test_long()) {
            ranks_add_row(cases, illegal_links_are_named, d, "ranks/list/malformed/links/%s",
                          ranks_layout_name(layout));
        }
        ranks_add_row(cases, mutations_are_reported, d, "ranks/list/malformed/mutations/%s",
                      ranks_layout_name(layout));
    }
}
