/* SPDX-License-Identifier: MIT */
/* Min-plus products and shortest paths. */
#include "load/load.h"

LOAD_DESTROY(minplus)
LOAD_DESTROY(paths)

enum { MOST = 40 };

static int32_t shorter(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t joined(int32_t a, int32_t b) {
    return a == CLPRIMS_NO_EDGE_I32 || b == CLPRIMS_NO_EDGE_I32 ? CLPRIMS_NO_EDGE_I32 : a + b;
}

/* Half of the edges are missing. */
static int32_t *draw_matrix(load_thread *t, size_t n) {
    int32_t *matrix = load_int32(t, n, 2000);
    for (size_t i = 0; i < n; i++) {
        if (matrix[i] >= 1000) matrix[i] = CLPRIMS_NO_EDGE_I32;
    }
    return matrix;
}

/* ---- Product ---- */

static clprims_status create_minplus(load_thread *t, void **plan) {
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max = (clprims_minplus_size){MOST, MOST, MOST, 1};
    desc.argmin = 1;
    LOAD_CREATE(minplus);
}

static void call_minplus(load_thread *t, void *plan) {
    const clprims_minplus_size size = {1 + load_below(t, MOST), 1 + load_below(t, MOST),
                                       1 + load_below(t, MOST), 1};
    const int32_t *a = draw_matrix(t, size.m * size.k);
    const int32_t *b = draw_matrix(t, size.k * size.n);
    int32_t *c = load_int32(t, size.m * size.n, 0);
    int32_t *argmin = load_int32(t, size.m * size.n, 0);
    int32_t *expected = load_int32(t, size.m * size.n, 0);
    int32_t *expected_argmin = load_int32(t, size.m * size.n, 0);
    for (size_t i = 0; i < size.m * size.n; i++) {
        expected[i] = CLPRIMS_NO_EDGE_I32;
        expected_argmin[i] = -1;
        for (size_t k = 0; k < size.k; k++) {
            const int32_t sum = joined(a[i / size.n * size.k + k], b[k * size.n + i % size.n]);
            if (sum >= expected[i]) continue;
            expected[i] = sum;
            expected_argmin[i] = (int32_t)k;
        }
    }
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_minplus_run(plan, a, b, c, argmin, size))) return;
    load_compare(t, expected, c, size.m * size.n, sizeof *c, (size.m + size.n) * size.k);
    load_compare(t, expected_argmin, argmin, size.m * size.n, sizeof *argmin, 0);
}

/* ---- Paths ---- */

static clprims_status create_paths(load_thread *t, void **plan) {
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = MOST;
    LOAD_CREATE(paths);
}

static clprims_status create_predecessors(load_thread *t, void **plan) {
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = MOST;
    desc.predecessors = 1;
    LOAD_CREATE(paths);
}

/* Replaces edges by the lengths of shortest paths. */
static void close_plainly(int32_t *d, size_t n) {
    for (size_t i = 0; i < n; i++) d[i * n + i] = 0;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n * n; i++) {
            d[i] = shorter(d[i], joined(d[i / n * n + k], d[k * n + i % n]));
        }
    }
}

/* The vertex before j on a path from i is where the last edge begins. */
static void check_predecessors(load_thread *t, const int32_t *edges, const int32_t *d,
                               const int32_t *via, size_t n) {
    for (size_t i = 0; i < n * n; i++) {
        const size_t from = i / n, to = i % n;
        const bool none = from == to || d[i] == CLPRIMS_NO_EDGE_I32;
        const bool inside = via[i] >= 0 && (size_t)via[i] < n;
        if (none ? via[i] == -1
                 : inside &&
                       joined(d[from * n + (size_t)via[i]], edges[(size_t)via[i] * n + to]) == d[i])
            continue;
        load_fail(t, "n = %zu: %d is not before %zu on the way from %zu", n, (int)via[i], to, from);
        return;
    }
}

static void call_closure(load_thread *t, void *plan, bool predecessors) {
    const size_t n = 1 + load_below(t, MOST);
    int32_t *d = draw_matrix(t, n * n);
    int32_t *edges = load_int32(t, n * n, 0), *expected = load_int32(t, n * n, 0);
    int32_t *via = predecessors ? load_int32(t, n * n, 0) : NULL;
    for (size_t i = 0; i < n * n; i++) edges[i] = expected[i] = d[i];
    close_plainly(expected, n);
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_paths_run(plan, d, via, n))) return;
    load_compare(t, expected, d, n * n, sizeof *d, n * n);
    if (predecessors) check_predecessors(t, edges, d, via, n);
}

static void call_paths(load_thread *t, void *plan) {
    call_closure(t, plan, false);
}

static void call_predecessors(load_thread *t, void *plan) {
    call_closure(t, plan, true);
}

const load_subject load_matrices[3] = {
    {"minplus", create_minplus, destroy_minplus, call_minplus},
    {"paths", create_paths, destroy_paths, call_paths},
    {"paths with predecessors", create_predecessors, destroy_paths, call_predecessors}};
