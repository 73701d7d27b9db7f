/* SPDX-License-Identifier: MIT */
/* One checked run of a forest's ranking, and its plain-C twin. */
#include "forest_cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const list_setting forest_settings[FOREST_SETTINGS] = {
    {"default", NULL, CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"levels",
     "ALONE=0 GROUP=32 WALKS=1 LANES=64 SUBLIST=2 LEAST=1 UPPER=2 SPLITTERS=1000000 LAST=1 "
     "BATCH=1 CHUNK=32 BUCKET=16 WINDOW=64 COARSE=3",
     CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"groups",
     "ALONE=0 GROUP=64 WALKS=1 LANES=2048 SUBLIST=24 LEAST=64 UPPER=8 SPLITTERS=1000000 LAST=64 "
     "BATCH=4 CHUNK=256 BUCKET=4096 WINDOW=256",
     CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"one-group", "ALONE=2049 ALONE_GROUP=32", CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"threshold", "ALONE=4097", CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
};

clprims_type forest_link(const list_setting *setting) {
    return setting == &forest_settings[1] ? CLPRIMS_I64 : CLPRIMS_I32;
}

clprims_forest *forest_create(const list_setting *setting, size_t max_n) {
    clprims_forest *plan = NULL;
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.link = forest_link(setting);
    desc.max_n = max_n;
    desc.tuning = setting->tuning;
    if (setting->tuning != NULL) test_want_shapes();
    expect_ok(clprims_forest_create(&plan, test_context(), &desc));
    assert_non_null(plan);
    return plan;
}

/* ---- The twin ---- */

static bool inside(const forest_case *c, int64_t i) {
    return i >= 0 && (uint64_t)i < c->n;
}

static size_t *count_names(const forest_case *c) {
    size_t *named = test_alloc(c->n, sizeof *named);
    for (size_t i = 0; i < c->n; i++) named[i] = 0;
    for (size_t i = 0; i < c->n; i++)
        if (inside(c, c->next[i])) named[c->next[i]]++;
    return named;
}

int64_t *forest_heads(const int64_t *next, size_t n, size_t *count) {
    const forest_case c = {.next = next, .n = n};
    size_t *named = count_names(&c);
    int64_t *heads = test_alloc(n, sizeof *heads);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        if (named[i] > 0) continue;
        const size_t other = (size_t)test_random_below(++*count);
        heads[*count - 1] = heads[other];
        heads[other] = (int64_t)i;
    }
    free(named);
    return heads;
}

/* The first element from `start` on whose link is `to`, but not `skipped`; -1: none. */
static int64_t naming(const forest_case *c, int64_t to, int64_t skipped) {
    for (int64_t i = 0; inside(c, i); i++)
        if (c->next[i] == to && i != skipped) return i;
    return -1;
}

static clprims_list_report fault_of_heads(const forest_case *c, const size_t *named) {
    clprims_list_report report = {CLPRIMS_LIST_VALID, -1, -1, -1};
    bool *given = test_alloc(c->n, sizeof *given);
    for (size_t i = 0; i < c->n; i++) given[i] = c->heads == NULL && named[i] == 0;
    for (size_t k = c->num_heads; k-- > 0;) {
        if (inside(c, c->heads[k])) {
            given[c->heads[k]] = true;
        } else {
            report.fault = CLPRIMS_LIST_HEAD;
            report.other = c->heads[k];
        }
    }
    for (size_t i = 0; i < c->n && report.fault == CLPRIMS_LIST_VALID; i++) {
        if (given[i] == (named[i] == 0)) continue;
        report.fault = CLPRIMS_LIST_HEAD;
        report.index = (int64_t)i;
        report.other = naming(c, (int64_t)i, -1);
    }
    free(given);
    return report;
}

/* Walks from every head. ranks and heads are written as far as the walks come. */
static clprims_list_report walk_all(const forest_case *c, const size_t *named, int64_t *ranks,
                                    int64_t *heads) {
    clprims_list_report report = {CLPRIMS_LIST_VALID, -1, -1, -1};
    for (size_t i = 0; i < c->n; i++) ranks[i] = -1;
    for (size_t i = 0; i < c->n; i++) {
        int64_t rank = 0;
        if (named[i] > 0) continue;
        for (int64_t at = (int64_t)i; inside(c, at); at = c->next[at]) {
            ranks[at] = rank++;
            heads[at] = (int64_t)i;
        }
    }
    for (size_t i = c->n; i-- > 0;)
        if (ranks[i] < 0) report = (clprims_list_report){CLPRIMS_LIST_CYCLE, (int64_t)i, -1, -1};
    return report;
}

/* What a run must report, found by plain serial C; of a valid forest ranks and heads, too. */
static clprims_list_report examine(const forest_case *c, int64_t *ranks, int64_t *heads) {
    size_t *named = count_names(c);
    clprims_list_report report = {CLPRIMS_LIST_VALID, -1, -1, -1};
    for (size_t i = c->n; i-- > 0;)
        if (c->next[i] != -1 && !inside(c, c->next[i]))
            report = (clprims_list_report){CLPRIMS_LIST_LINK_RANGE, (int64_t)i, c->next[i], -1};
    if (report.fault == CLPRIMS_LIST_VALID) {
        for (size_t i = c->n; i-- > 0;)
            if (c->next[i] >= 0 && named[c->next[i]] > 1) {
                report = (clprims_list_report){CLPRIMS_LIST_SAME_SUCCESSOR, (int64_t)i, -1, -1};
            }
        if (report.index >= 0) report.other = naming(c, c->next[report.index], report.index);
    }
    if (report.fault == CLPRIMS_LIST_VALID) report = fault_of_heads(c, named);
    if (report.fault == CLPRIMS_LIST_VALID) report = walk_all(c, named, ranks, heads);
    free(named);
    return report;
}

/* ---- One run ---- */

/* An output: as the twin has it, or untouched. */
static void expect_output(const forest_case *c, const test_buffer *buffer, const int64_t *values,
                          bool is_written) {
    if (!is_written) {
        test_buffer_expect_unchanged(buffer, NULL);
        return;
    }
    void *expected = list_narrow(c->link, values, c->n);
    void *out = test_alloc(c->n, clprims_type_bytes(c->link));
    test_buffer_read(buffer, out);
    expect_values(c->link, expected, out, c->n);
    free(expected);
    free(out);
}

clprims_list_report forest_expect(const forest_case *c) {
    const size_t bytes = clprims_type_bytes(c->link);
    const clprims_buffer none = {NULL, 0};
    int64_t *ranks = test_alloc(c->n, sizeof *ranks), *firsts = test_alloc(c->n, sizeof *firsts);
    const clprims_list_report expected = examine(c, ranks, firsts);
    const bool valid = expected.fault == CLPRIMS_LIST_VALID;
    clprims_list_report report;
    void *links = list_narrow(c->link, c->next, c->n);
    void *given = list_narrow(c->link, c->heads, c->num_heads);
    test_buffer next = test_buffer_create(links, c->n, bytes, c->first);
    test_buffer rank = test_buffer_create(NULL, c->n, bytes, c->first / 2);
    test_buffer head = test_buffer_create(NULL, c->n, bytes, c->first);
    test_buffer heads = test_buffer_create(given, c->num_heads, bytes, 1);
    test_buffer place = test_buffer_create(NULL, 1, sizeof report, 1);
    const clprims_forest_arrays arrays = {
        sizeof(clprims_forest_arrays),      next.at,
        c->without_rank ? none : rank.at,   c->without_head ? none : head.at,
        c->heads == NULL ? none : heads.at, c->num_heads};
    expect_ok(
        clprims_forest_enqueue(c->plan, test_queue(), &arrays, c->n, place.at, 0, NULL, NULL));
    test_buffer_read(&place, &report);
    test_buffer_expect_unchanged(&next, links);
    test_buffer_expect_unchanged(&heads, given);
    list_expect_report(expected, report, CLPRIMS_LIST_FIND_HEAD, c->n);
    expect_output(c, &rank, ranks, valid && !c->without_rank);
    expect_output(c, &head, firsts, valid && !c->without_head);
    test_buffer *const buffers[] = {&next, &rank, &head, &heads, &place};
    for (size_t k = 0; k < 5; k++) test_buffer_release(buffers[k]);
    free(ranks);
    free(firsts);
    free(links);
    free(given);
    return report;
}
