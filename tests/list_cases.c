/* SPDX-License-Identifier: MIT */
/* One checked run of list ranking, and its plain-C twin. */
#include "list_cases.h"

#include "oracle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const list_setting list_settings[LIST_SETTINGS] = {
    {"default", NULL, CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"groups",
     "GROUP=64 WALKS=1 LANES=2048 WIDE=2048 SUBLIST=48 SHORT=48 UPPER=16 SPLITTERS=1000000 "
     "LAST=1024 "
     "LAST_GROUP=64 BATCH=4 FIXED=50 PATIENCE=64",
     CLPRIMS_LIST_PAIRS, CLPRIMS_LIST_RANKS},
    {"levels",
     "GROUP=4 WALKS=1 LANES=64 WIDE=64 SUBLIST=2 SHORT=2 UPPER=2 SPLITTERS=1000000 LAST=1 "
     "LAST_GROUP=4 "
     "BATCH=1 FIXED=90 PATIENCE=8 COARSE=3",
     CLPRIMS_LIST_PAIRS, CLPRIMS_LIST_RANKS},
    {"interleaved",
     "GROUP=1 WALKS=5 LANES=3 WIDE=3 SUBLIST=7 SHORT=7 UPPER=3 SPLITTERS=1000000 LAST=11 "
     "LAST_GROUP=2 "
     "BATCH=2 PATIENCE=0",
     CLPRIMS_LIST_PAIRS, CLPRIMS_LIST_RANKS},
    {"one-sublist",
     "GROUP=8 WALKS=2 LANES=32 WIDE=32 SUBLIST=64 SHORT=64 UPPER=2 SPLITTERS=1 LAST=1 LAST_GROUP=1 "
     "BATCH=3 "
     "PATIENCE=1",
     CLPRIMS_LIST_PAIRS, CLPRIMS_LIST_RANKS},
    {"rows",
     "GROUP=8 WALKS=1 LANES=64 WIDE=64 SUBLIST=12 SHORT=12 UPPER=8 SPLITTERS=1000000 LAST=64 "
     "LAST_GROUP=8 "
     "BATCH=2 FIXED=60 PATIENCE=32 LEAST=1 ROWS=8 SORT_GROUP=32 BUCKETS=2048 WINDOW=60 "
     "PLACE_GROUP=16",
     CLPRIMS_LIST_ROWS, CLPRIMS_LIST_RANKS},
    {"rows-two-passes",
     "GROUP=4 WALKS=1 LANES=300 WIDE=300 SUBLIST=30 SHORT=30 UPPER=4 SPLITTERS=1000000 LAST=32 "
     "LAST_GROUP=1 "
     "BATCH=3 FIXED=0 PATIENCE=0 LEAST=1 ROWS=4 SORT_GROUP=16 BUCKETS=128 WINDOW=12 PLACE_GROUP=1",
     CLPRIMS_LIST_ROWS, CLPRIMS_LIST_RANKS},
    {"rows-near",
     "GROUP=64 WALKS=1 LANES=256 WIDE=256 SUBLIST=9 SHORT=9 UPPER=8 SPLITTERS=1000000 LAST=64 "
     "LAST_GROUP=32 "
     "BATCH=1 FIXED=90 PATIENCE=64 LEAST=500 ROWS=32 SORT_GROUP=4 NEAR=1000000",
     CLPRIMS_LIST_ROWS, CLPRIMS_LIST_RANKS},
    {"in-place",
     "GROUP=4 WALKS=1 LANES=32 WIDE=32 SUBLIST=20 SHORT=20 UPPER=8 SPLITTERS=3000 LAST=64 "
     "LAST_GROUP=16 "
     "BATCH=2 FIXED=30 PATIENCE=0",
     CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
    {"order",
     "GROUP=16 WALKS=3 LANES=64 WIDE=64 SUBLIST=10 SHORT=10 UPPER=8 SPLITTERS=1000000 LAST=64 "
     "LAST_GROUP=16 "
     "BATCH=2 FIXED=50 PATIENCE=32",
     CLPRIMS_LIST_PAIRS, CLPRIMS_LIST_ORDER},
    {"order-rows",
     "GROUP=8 WALKS=1 LANES=64 WIDE=64 SUBLIST=12 SHORT=12 UPPER=8 SPLITTERS=1000000 LAST=64 "
     "LAST_GROUP=8 "
     "BATCH=2 FIXED=60 PATIENCE=32 LEAST=1 ROWS=8 SORT_GROUP=16",
     CLPRIMS_LIST_ROWS, CLPRIMS_LIST_ORDER},
};

#define SMALL                                                                                      \
    "ALONE=0 GROUP=32 WALKS=1 LANES=64 SUBLIST=12 LEAST=1 UPPER=4 SPLITTERS=1000000 LAST=16 "      \
    "BATCH=2 CHUNK=64 BUCKET=64 WINDOW=64 "

const list_setting list_patiences[LIST_PATIENCES] = {
    {"impatient", SMALL "PATIENCE=1", CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"patient", SMALL "PATIENCE=32", CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
};

clprims_list *list_create(clprims_type link, const list_setting *setting, size_t max_n) {
    clprims_list *plan = NULL;
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.link = link;
    desc.result = setting->result;
    desc.algorithm = setting->algorithm;
    desc.max_n = max_n;
    desc.tuning = setting->tuning;
    if (setting->tuning != NULL) test_want_shapes();
    expect_ok(clprims_list_create(&plan, test_context(), &desc));
    assert_non_null(plan);
    return plan;
}

static struct {
    clprims_type link;
    const list_setting *setting;
    size_t max_n;
    clprims_list *plan;
} kept;

void list_plan_forget(void) {
    clprims_list_destroy(kept.plan);
    kept.plan = NULL;
}

clprims_list *list_plan(clprims_type link, const list_setting *setting, size_t max_n) {
    const bool same = kept.link == link && kept.setting == setting && kept.max_n == max_n;
    if (kept.plan != NULL && same) return kept.plan;
    list_plan_forget();
    kept.plan = list_create(link, setting, max_n);
    kept.link = link;
    kept.setting = setting;
    kept.max_n = max_n;
    return kept.plan;
}

void *list_narrow(clprims_type link, const int64_t *values, size_t n) {
    void *elements = test_alloc(n, clprims_type_bytes(link));
    for (size_t i = 0; i < n; i++) {
        if (link == CLPRIMS_I32)
            ((int32_t *)elements)[i] = (int32_t)values[i];
        else
            ((int64_t *)elements)[i] = values[i];
    }
    return elements;
}

/* Runs on the device, between guards; next must be unchanged. */
static clprims_list_report run_on_device(const list_case *c, int64_t *results) {
    const size_t bytes = clprims_type_bytes(c->link);
    clprims_list_report report;
    void *links = list_narrow(c->link, c->next, c->n);
    void *out = test_alloc(c->n, bytes);
    test_buffer next = test_buffer_create(links, c->n, bytes, c->next_first);
    test_buffer rank = test_buffer_create(NULL, c->n, bytes, c->rank_first);
    test_buffer place = test_buffer_create(NULL, 1, sizeof report, c->report_first);
    expect_ok(clprims_list_enqueue(c->plan, test_queue(), next.at, rank.at, c->head, c->n, place.at,
                                   0, NULL, NULL));
    test_buffer_read(&place, &report);
    test_buffer_read(&rank, out);
    test_buffer_expect_unchanged(&next, links);
    for (size_t i = 0; i < c->n; i++) {
        results[i] = c->link == CLPRIMS_I32 ? ((int32_t *)out)[i] : ((int64_t *)out)[i];
    }
    test_buffer_release(&next);
    test_buffer_release(&rank);
    test_buffer_release(&place);
    free(links);
    free(out);
    return report;
}

static bool inside(const list_case *c, int64_t i) {
    return i >= 0 && (uint64_t)i < c->n;
}

/* The first element from `start` on whose link is `to`, but not `skipped`; -1: none. */
static int64_t naming(const list_case *c, int64_t to, int64_t start, int64_t skipped) {
    for (int64_t i = start; inside(c, i); i++)
        if (c->next[i] == to && i != skipped) return i;
    return -1;
}

static int64_t bad_link(const list_case *c) {
    for (int64_t i = 0; inside(c, i); i++)
        if (c->next[i] != -1 && !inside(c, c->next[i])) return i;
    return -1;
}

/* The lowest element whose link names what another link names as well; named: how many do. */
static int64_t sharing(const list_case *c, const size_t *named) {
    for (int64_t i = 0; inside(c, i); i++)
        if (c->next[i] >= 0 && named[c->next[i]] > 1) return i;
    return -1;
}

/* The lowest element that the path from head misses. */
static int64_t missed(const list_case *c, int64_t head) {
    bool *seen = test_alloc(c->n, sizeof *seen);
    int64_t i;
    for (size_t k = 0; k < c->n; k++) seen[k] = false;
    for (i = head; inside(c, i) && !seen[i]; i = c->next[i]) seen[i] = true;
    for (i = 0; inside(c, i) && seen[i]; i++) {
    }
    free(seen);
    return inside(c, i) ? i : -1;
}

static clprims_list_report fault_of(const list_case *c, const size_t *named) {
    const int64_t tail = naming(c, -1, 0, -1);
    const int64_t bad = bad_link(c);
    if (bad >= 0) return (clprims_list_report){CLPRIMS_LIST_LINK_RANGE, bad, c->next[bad], c->head};
    if (tail < 0) return (clprims_list_report){CLPRIMS_LIST_NO_TAIL, -1, -1, c->head};
    const int64_t second = naming(c, -1, tail + 1, -1);
    if (second >= 0) return (clprims_list_report){CLPRIMS_LIST_TWO_TAILS, tail, second, c->head};
    const int64_t shared = sharing(c, named);
    if (shared >= 0) {
        const int64_t other = naming(c, c->next[shared], 0, shared);
        return (clprims_list_report){CLPRIMS_LIST_SAME_SUCCESSOR, shared, other, c->head};
    }
    int64_t head = c->head;
    for (int64_t i = 0; head == CLPRIMS_LIST_FIND_HEAD && inside(c, i); i++)
        if (named[i] == 0) head = i;
    const int64_t before = naming(c, head, 0, -1);
    if (before >= 0) return (clprims_list_report){CLPRIMS_LIST_HEAD, head, before, head};
    const int64_t stray = missed(c, head);
    if (stray >= 0) return (clprims_list_report){CLPRIMS_LIST_CYCLE, stray, -1, head};
    return (clprims_list_report){CLPRIMS_LIST_VALID, -1, -1, head};
}

clprims_list_report list_expected(const list_case *c) {
    size_t *named = test_alloc(c->n, sizeof *named);
    for (size_t i = 0; i < c->n; i++) named[i] = 0;
    for (size_t i = 0; i < c->n; i++)
        if (inside(c, c->next[i])) named[c->next[i]]++;
    const clprims_list_report report = fault_of(c, named);
    free(named);
    return report;
}

void list_expect_report(clprims_list_report expected, clprims_list_report actual, int64_t head,
                        size_t n) {
    if (memcmp(&expected, &actual, sizeof actual) != 0)
        test_fail("n = %zu, head = %" PRId64 ": report {%" PRId64 ", %" PRId64 ", %" PRId64
                  ", %" PRId64 "}, expected {%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "}",
                  n, head, actual.fault, actual.index, actual.other, actual.head, expected.fault,
                  expected.index, expected.other, expected.head);
}

clprims_list_report list_expect(const list_case *c) {
    int64_t *results = test_alloc(c->n, sizeof *results);
    int64_t *twin = test_alloc(c->n, sizeof *twin);
    const clprims_list_report expected = list_expected(c);
    const clprims_list_report report = run_on_device(c, results);
    list_expect_report(expected, report, c->head, c->n);
    if (expected.fault == CLPRIMS_LIST_VALID) {
        if (c->result == CLPRIMS_LIST_ORDER)
            oracle_order(CLPRIMS_I64, c->next, expected.head, twin, c->n);
        else
            oracle_rank(CLPRIMS_I64, c->next, expected.head, twin, c->n);
        expect_values(CLPRIMS_I64, twin, results, c->n);
    }
    free(results);
    free(twin);
    return report;
}

void list_expect_chained(list_submit *submit, void *plan) {
    enum { N = LIST_CHAINED, BYTES = N * sizeof(int32_t) };
    static int32_t links[2][N], ranks[2][N];
    cl_command_queue queue = test_queue_create(true);
    test_buffer next = test_buffer_create(NULL, N, 4, 0), rank = test_buffer_create(NULL, N, 4, 0);
    cl_event written, ranked, read = NULL;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++) links[k][i] = k == 0 ? i - 1 : i + 1 < N ? i + 1 : -1;
        expect_cl(clEnqueueWriteBuffer(queue, next.at.mem, CL_FALSE, 0, BYTES, links[k], (cl_uint)k,
                                       k == 0 ? NULL : &read, &written));
        expect_ok(submit(plan, queue, next.at, rank.at, &written, &ranked));
        if (read != NULL) expect_cl(clReleaseEvent(read));
        expect_cl(clEnqueueReadBuffer(queue, rank.at.mem, CL_FALSE, 0, BYTES, ranks[k], 1, &ranked,
                                      &read));
        expect_cl(clReleaseEvent(written));
        expect_cl(clReleaseEvent(ranked));
    }
    expect_cl(clWaitForEvents(1, &read));
    expect_cl(clReleaseEvent(read));
    for (int i = 0; i < N; i++) {
        assert_int_equal(ranks[0][i], N - 1 - i);
        assert_int_equal(ranks[1][i], i);
    }
    test_buffer_release(&next);
    test_buffer_release(&rank);
    expect_cl(clReleaseCommandQueue(queue));
}
