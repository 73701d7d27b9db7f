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
    LOAD_CREATE(minplus);
}

static void call_minplus(load_thread *t, void *plan) {
    const clprims_minplus_size size = {1 + load_below(t, MOST), 1 + load_below(t, MOST),
                                       1 + load_below(t, MOST), 1};
    const int32_t *a = draw_matrix(t, size.m * size.k);
    const int32_t *b = draw_matrix(t, size.k * size.n);
    int32_t *c = load_int32(t, size.m * size.n, 0);
    int32_t *expected = load_int32(t, size.m * size.n, 0);
    for (size_t i = 0; i < size.m; i++) {
        for (size_t j = 0; j < size.n; j++) {
            int32_t best = CLPRIMS_NO_EDGE_I32;
            for (size_t k = 0; k < size.k; k++) {
                best = shorter(best, joined(a[i * size.k + k], b[k * size.n + j]));
            }
            expected[i * size.n + j] = best;
        }
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_minplus_run(plan, a, b, c, NULL, size)))
        load_compare(t, expected, c, size.m * size.n, sizeof *c, (size.m + size.n) * size.k);
}

/* ---- Paths ---- */

static clprims_status create_paths(load_thread *t, void **plan) {
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = MOST;
    LOAD_CREATE(paths);
}

static void call_paths(load_thread *t, void *plan) {
    const size_t n = 1 + load_below(t, MOST);
    int32_t *d = draw_matrix(t, n * n);
    int32_t *expected = load_int32(t, n * n, 0);
    for (size_t i = 0; i < n * n; i++) expected[i] = i % (n + 1) == 0 ? 0 : d[i];
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                const int32_t by_k = joined(expected[i * n + k], expected[k * n + j]);
                expected[i * n + j] = shorter(expected[i * n + j], by_k);
            }
        }
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_paths_run(plan, d, NULL, n)))
        load_compare(t, expected, d, n * n, sizeof *d, n * n);
}

const load_subject load_matrices[LOAD_MATRICES] = {
    {"minplus", create_minplus, destroy_minplus, call_minplus},
    {"paths", create_paths, destroy_paths, call_paths}};
