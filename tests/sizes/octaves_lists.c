/* SPDX-License-Identifier: MIT */
/* What follows links, list, list scan and forest; and the products of matrices. */
#include "harness/oracle_minplus.h"
#include "sizes/octaves.h"

#include <stdlib.h>

static union {
    clprims_list *list;
    clprims_listscan *scan;
    clprims_forest *forest;
    clprims_minplus *minplus;
    clprims_paths *paths;
} plan;

/* ---- Links ---- */

/* The elements in the order in which the links visit them. */
static int32_t *draw_order(size_t n) {
    int32_t *order = test_alloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        const size_t other = test_random_below(i + 1);
        order[i] = order[other];
        order[other] = (int32_t)i;
    }
    return order;
}

static int32_t *link(const int32_t *order, size_t n) {
    int32_t *next = test_alloc(n, sizeof *next);
    for (size_t i = 0; i < n; i++) next[order[i]] = i + 1 < n ? order[i + 1] : -1;
    return next;
}

/* Every second head is to be found. */
static int64_t draw_head(const int32_t *order) {
    return test_random_below(2) == 0 ? order[0] : CLPRIMS_LIST_FIND_HEAD;
}

static clprims_list_report valid(int64_t head) {
    return (clprims_list_report){CLPRIMS_LIST_VALID, -1, -1, head};
}

/* ---- List ---- */

static void create_list(size_t max_n) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.max_n = max_n;
    expect_ok(clprims_list_create(&plan.list, test_context(), &desc));
    octaves_expect_scratch(clprims_list_scratch_bytes(plan.list));
}

static void run_list(size_t n) {
    int32_t *order = draw_order(n), *next = link(order, n), *ranks = test_alloc(n, 4);
    const clprims_list_report right = valid(order[0]);
    for (size_t i = 0; i < n; i++) ranks[order[i]] = (int32_t)i;
    test_buffer in = octaves_in(next, n, 4), out = octaves_out(n, 4);
    test_buffer report = octaves_out(1, sizeof right);
    expect_ok(clprims_list_enqueue(plan.list, test_queue(), in.at, out.at, draw_head(order), n,
                                   report.at, 0, NULL, NULL));
    octaves_expect(&report, &right);
    octaves_expect(&out, ranks);
    octaves_expect(&in, next);
    free(order);
    free(next);
    free(ranks);
}

static void destroy_list(void) {
    clprims_list_destroy(plan.list);
}

/* ---- List scan ---- */

static void create_scan(size_t max_n) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.inclusive = 1;
    desc.max_n = max_n;
    expect_ok(clprims_listscan_create(&plan.scan, test_context(), &desc));
    octaves_expect_scratch(clprims_listscan_scratch_bytes(plan.scan));
}

static void run_scan(size_t n) {
    int32_t *order = draw_order(n), *next = link(order, n);
    const clprims_list_report right = valid(order[0]);
    uint32_t *values = octaves_words(n, 0), *sums = test_alloc(n, 4), sum = 0;
    for (size_t i = 0; i < n; i++) sums[order[i]] = sum += values[order[i]];
    test_buffer links = octaves_in(next, n, 4), in = octaves_in(values, n, 4);
    test_buffer out = octaves_out(n, 4), report = octaves_out(1, sizeof right);
    expect_ok(clprims_listscan_enqueue(plan.scan, test_queue(), links.at, in.at, out.at,
                                       draw_head(order), n, report.at, 0, NULL, NULL));
    octaves_expect(&report, &right);
    octaves_expect(&out, sums);
    octaves_expect(&links, next);
    octaves_expect(&in, values);
    free(order);
    free(next);
    free(values);
    free(sums);
}

static void destroy_scan(void) {
    clprims_listscan_destroy(plan.scan);
}

/* ---- Forest ---- */

static void create_forest(size_t max_n) {
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.max_n = max_n;
    expect_ok(clprims_forest_create(&plan.forest, test_context(), &desc));
    octaves_expect_scratch(clprims_forest_scratch_bytes(plan.forest));
}

static void run_forest(size_t n) {
    clprims_forest_arrays arrays = CLPRIMS_FOREST_ARRAYS_INIT;
    const clprims_list_report right = valid(-1);
    const uint64_t length = 1 + test_random_below(n);
    int32_t *order = draw_order(n), *next = link(order, n);
    int32_t *ranks = test_alloc(n, 4), *heads = test_alloc(n, 4);
    for (size_t i = 0, head = 0; i < n; i++) {
        ranks[order[i]] = (int32_t)(i - head);
        heads[order[i]] = order[head];
        if (test_random_below(length) > 0) continue;
        next[order[i]] = -1;
        head = i + 1;
    }
    test_buffer in = octaves_in(next, n, 4), rank = octaves_out(n, 4), head = octaves_out(n, 4);
    test_buffer report = octaves_out(1, sizeof right);
    arrays.next = in.at;
    arrays.rank = rank.at;
    arrays.head = head.at;
    expect_ok(
        clprims_forest_enqueue(plan.forest, test_queue(), &arrays, n, report.at, 0, NULL, NULL));
    octaves_expect(&report, &right);
    octaves_expect(&rank, ranks);
    octaves_expect(&head, heads);
    octaves_expect(&in, next);
    free(order);
    free(next);
    free(ranks);
    free(heads);
}

static void destroy_forest(void) {
    clprims_forest_destroy(plan.forest);
}

/* ---- Min-plus ---- */

static clprims_minplus_desc product;

static void create_minplus(size_t max_n) {
    (void)max_n;
    product = (clprims_minplus_desc)CLPRIMS_MINPLUS_DESC_INIT;
    product.type = CLPRIMS_I32;
    expect_ok(clprims_minplus_create(&plan.minplus, test_context(), &product));
}

/* Lengths of which a fifth are no edges. */
static int32_t *draw_lengths(size_t n) {
    int32_t *lengths = test_alloc(n, sizeof *lengths);
    for (size_t i = 0; i < n; i++) {
        lengths[i] =
            test_random_below(5) == 0 ? CLPRIMS_NO_EDGE_I32 : (int32_t)test_random_below(1000000);
    }
    return lengths;
}

/* n rows, and any other sizes. */
static void run_minplus(size_t n) {
    const size_t columns = 1 + test_random_below(90), k = 1 + test_random_below(90);
    const clprims_minplus_size size = {.m = n, .n = columns, .k = k, .batch = 1};
    int32_t *a = draw_lengths(n * k), *b = draw_lengths(k * columns);
    int32_t *c = test_alloc(n * columns, sizeof *c);
    const oracle_matrix left = {a, k}, right = {b, columns}, result = {c, columns};
    const clprims_matrix none = {NULL, 0, 0, 0};
    oracle_minplus(&product, &left, &right, &result, NULL, n, columns, k);
    test_buffer in_a = octaves_in(a, n * k, 4), in_b = octaves_in(b, k * columns, 4);
    test_buffer out = octaves_out(n * columns, 4);
    const clprims_matrix from_a = {in_a.at.mem, in_a.at.first, k, 0};
    const clprims_matrix from_b = {in_b.at.mem, in_b.at.first, columns, 0};
    const clprims_matrix to = {out.at.mem, out.at.first, columns, 0};
    expect_ok(clprims_minplus_enqueue(plan.minplus, test_queue(), from_a, from_b, to, none, size, 0,
                                      NULL, NULL));
    octaves_expect(&out, c);
    octaves_expect(&in_a, a);
    octaves_expect(&in_b, b);
    free(a);
    free(b);
    free(c);
}

static void destroy_minplus(void) {
    clprims_minplus_destroy(plan.minplus);
}

/* ---- Shortest paths ---- */

static void create_paths(size_t max_n) {
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = max_n;
    expect_ok(clprims_paths_create(&plan.paths, test_context(), &desc));
}

static void close_paths(int32_t *d, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (d[i * n + i] > 0) d[i * n + i] = 0;
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            if (d[i * n + k] == CLPRIMS_NO_EDGE_I32) continue;
            for (size_t j = 0; j < n; j++) {
                const int32_t way = d[i * n + k] + d[k * n + j];
                if (d[k * n + j] != CLPRIMS_NO_EDGE_I32 && way < d[i * n + j]) d[i * n + j] = way;
            }
        }
    }
}

static void run_paths(size_t n) {
    const clprims_matrix none = {NULL, 0, 0, 0};
    const clprims_paths_report right = {-1, -1, -1, 0, 0};
    clprims_paths_report found;
    int32_t *d = draw_lengths(n * n);
    test_buffer out = octaves_in(d, n * n, 4), report = octaves_out(1, sizeof right);
    const clprims_matrix matrix = {out.at.mem, out.at.first, n, 0};
    close_paths(d, n);
    expect_ok(
        clprims_paths_enqueue(plan.paths, test_queue(), matrix, none, n, report.at, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    test_buffer_release(&report);
    if (found.vertex != -1 || found.from != -1 || found.to != -1) {
        test_fail("report: vertex %d, from %d, to %d", found.vertex, found.from, found.to);
    }
    octaves_expect(&out, d);
    free(d);
}

static void destroy_paths(void) {
    clprims_paths_destroy(plan.paths);
}

static const octaves_subject subjects[] = {
    {"list", 5000000, OCTAVES_MOST, create_list, run_list, destroy_list},
    {"listscan", 5000000, OCTAVES_MOST, create_scan, run_scan, destroy_scan},
    {"forest", 5000000, OCTAVES_MOST, create_forest, run_forest, destroy_forest},
    {"minplus", 300, 1000, create_minplus, run_minplus, destroy_minplus},
    {"paths", 300, 1000, create_paths, run_paths, destroy_paths},
};

void octaves_add_lists(test_cases *cases) {
    octaves_add(cases, subjects, sizeof subjects / sizeof subjects[0]);
}
