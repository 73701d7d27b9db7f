/* SPDX-License-Identifier: MIT */
/* Plans for fake devices of 2 GB, which give a buffer a quarter of that: where the arrays fit, so
 * does the plan; more scratch than a buffer can have is refused with both numbers, and so is a
 * plain array that is larger. */
#include "harness/fake_opencl.h"

#include <clprims/clprims.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY ((size_t)2 << 30)
#define MOST_ALLOC (MEMORY / 4)

/* Elements that a plan must be made for, beside four arrays of 4 bytes each. Lists keep 8 to 20
 * bytes an element in one buffer. */
enum { USUAL = 1 << 26, SORTED_SEGMENTS = 1 << 25, LINKS = 1 << 23 };

static int failures;
static clprims_context *context;

typedef clprims_status create_plan(size_t n);

/* Rows of a square matrix of at most n elements, a power of two. */
static size_t side_of(size_t n) {
    size_t side = 1;
    while (4 * side * side <= n) side *= 2;
    return side;
}

/* A function create_NAME, of a plan of that primitive. */
#define CREATE_AS(name, prim, PRIM, set)                                                           \
    static clprims_status create_##name(size_t n) {                                                \
        clprims_##prim##_desc desc = CLPRIMS_##PRIM##_DESC_INIT;                                   \
        clprims_##prim *plan = NULL;                                                               \
        set;                                                                                       \
        const clprims_status status = clprims_##prim##_create(&plan, context, &desc);              \
        clprims_##prim##_destroy(plan);                                                            \
        return status;                                                                             \
    }
#define CREATE(prim, PRIM, set) CREATE_AS(prim, prim, PRIM, set)

CREATE(scan, SCAN, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(offsets, OFFSETS, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(select, SELECT, (desc.arrays = 1, desc.type[0] = CLPRIMS_I32, desc.max_n = n))
CREATE(reduce, REDUCE, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(segmented, SEGMENTED, (desc.type = CLPRIMS_I32, desc.max_n = desc.max_segments = n))
CREATE(sort, SORT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(segmented_sort, SEGMENTED_SORT,
       (desc.type = CLPRIMS_I32, desc.max_n = n, desc.max_segments = n / 16))
CREATE(topk, TOPK, (desc.type = CLPRIMS_I32, desc.max_n = n, desc.max_k = 100))
CREATE(histogram, HISTOGRAM,
       (desc.type = CLPRIMS_I32, desc.bins = 4, desc.most = 8, desc.max_n = n))
CREATE(merge, MERGE, (desc.type = CLPRIMS_I32, desc.max_a = desc.max_b = n / 2))
CREATE(search, SEARCH, (desc.type = CLPRIMS_I32, desc.max_sorted = desc.max_n = n))
CREATE(parents, PARENTS, desc.max_n = desc.max_segments = n)
CREATE(gather, GATHER, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(list, LIST, desc.max_n = n)
CREATE(listscan, LISTSCAN, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(forest, FOREST, desc.max_n = n)
CREATE(minplus, MINPLUS, desc.max.m = desc.max.n = desc.max.k = side_of(n))
CREATE(paths, PATHS, (desc.max_n = side_of(n), desc.predecessors = 1))

/* The same primitives with other results. */
CREATE_AS(scan_by_levels, scan, SCAN,
          (desc.type = CLPRIMS_F32, desc.max_n = n,
           desc.algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN))
CREATE_AS(partition, select, SELECT,
          (desc.by = CLPRIMS_SELECT_NONZERO, desc.arrays = 1, desc.type[0] = CLPRIMS_I32,
           desc.partition = 1, desc.max_n = n))
CREATE_AS(runs_by_levels, select, SELECT,
          (desc.by = CLPRIMS_SELECT_RUNS, desc.arrays = 1, desc.type[0] = CLPRIMS_I32,
           desc.lengths = CLPRIMS_I32, desc.max_n = n,
           desc.algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN))
CREATE_AS(reduce_by_key, segmented, SEGMENTED,
          (desc.by = CLPRIMS_SEGMENTS_KEYS, desc.type = desc.heads_type = CLPRIMS_I32,
           desc.unique_keys = 1, desc.max_n = n))
CREATE_AS(segmented_scan, segmented, SEGMENTED,
          (desc.result = CLPRIMS_SEGMENTED_INCLUSIVE, desc.by = CLPRIMS_SEGMENTS_FLAGS,
           desc.type = CLPRIMS_F32, desc.max_n = n))
CREATE_AS(sort_pairs, sort, SORT,
          (desc.type = CLPRIMS_I32, desc.payloads = 1, desc.payload_bytes[0] = 4, desc.max_n = n))
CREATE_AS(argsort, sort, SORT,
          (desc.type = CLPRIMS_F32, desc.indices = CLPRIMS_I32, desc.no_keys = 1, desc.max_n = n))
CREATE_AS(bins, histogram, HISTOGRAM,
          (desc.type = CLPRIMS_U32, desc.bins = n, desc.most = 8, desc.sums = CLPRIMS_U32,
           desc.max_n = n))
CREATE_AS(topk_of_half, topk, TOPK, (desc.type = CLPRIMS_I32, desc.max_n = n, desc.max_k = n / 2))

static const struct {
    const char *name;
    create_plan *create;
    size_t fitting;
} plans[] = {{"scan", create_scan, USUAL},
             {"offsets", create_offsets, USUAL},
             {"select", create_select, USUAL},
             {"reduce", create_reduce, USUAL},
             {"segmented", create_segmented, USUAL},
             {"sort", create_sort, USUAL},
             {"segmented_sort", create_segmented_sort, SORTED_SEGMENTS},
             {"topk", create_topk, USUAL},
             {"histogram", create_histogram, USUAL},
             {"merge", create_merge, USUAL},
             {"search", create_search, USUAL},
             {"parents", create_parents, USUAL},
             {"gather", create_gather, USUAL},
             {"list", create_list, LINKS},
             {"listscan", create_listscan, LINKS},
             {"forest", create_forest, LINKS},
             {"minplus", create_minplus, USUAL},
             {"paths", create_paths, USUAL},
             /* what follows is tried with the first two sizes */
             {"scan by levels", create_scan_by_levels, USUAL},
             {"partition", create_partition, USUAL},
             {"runs by levels", create_runs_by_levels, USUAL},
             {"reduce by key", create_reduce_by_key, USUAL},
             {"segmented scan", create_segmented_scan, USUAL},
             {"sort of pairs", create_sort_pairs, USUAL},
             {"argsort", create_argsort, USUAL},
             {"histogram of n bins", create_bins, USUAL},
             {"topk of n / 2", create_topk_of_half, USUAL}};
enum { PLANS = sizeof plans / sizeof plans[0], PRIMITIVES = 18 };

static void fail(const char *what, const char *plan, int kind, size_t n) {
    fprintf(stderr, "%s: %s, n = %zu on device %d, %zu bytes: %s\n", plan, what, n, kind,
            fake_allocated(), clprims_last_error()->message);
    failures++;
}

/* Both numbers: what was wanted, and what there is. */
static bool says_both(void) {
    const char *message = clprims_last_error()->message;
    char limit[64];
    size_t bytes = 0;
    snprintf(limit, sizeof limit, "exceeds the %zu that", (size_t)MOST_ALLOC);
    const char *wanted = strstr(message, "a buffer of ");
    return wanted != NULL && sscanf(wanted, "a buffer of %zu bytes", &bytes) == 1 &&
           bytes > MOST_ALLOC && strstr(message, limit) != NULL;
}

/* Returns whether the plan was refused. */
static bool try(size_t p, int kind, size_t n) {
    fake_memory(MEMORY, MOST_ALLOC);
    const clprims_status status = plans[p].create(n);
    if (status == CLPRIMS_OK) {
        if (n <= plans[p].fitting && fake_allocated() + 4 * 4 * n > MEMORY) {
            fail("too much scratch", plans[p].name, kind, n);
        }
        return false;
    }
    if (n <= plans[p].fitting) fail("refused", plans[p].name, kind, n);
    if (status != CLPRIMS_ERR_TOO_LARGE || !says_both()) {
        fail("refused without the numbers", plans[p].name, kind, n);
    }
    return true;
}

static void expect_refusal(const char *name, int kind, size_t n, clprims_status status) {
    if (status != CLPRIMS_ERR_TOO_LARGE || !says_both()) fail("plain arrays", name, kind, n);
}

/* Plain arrays of 1 GB, of which nothing is read: the device can't have a copy. */
static void try_arrays(int kind) {
    enum { N = 1 << 28 };
    const clprims_type type = CLPRIMS_I32;
    int32_t some[4] = {0};
    int64_t wide[4];
    size_t count;
    expect_refusal("sum", kind, N, clprims_sum(context, type, some, N, wide));
    expect_refusal("argmin", kind, N, clprims_argmin(context, type, some, N, wide));
    expect_refusal("cumsum", kind, N, clprims_cumsum(context, type, some, N, wide));
    expect_refusal("sort_in_place", kind, N, clprims_sort_in_place(context, type, some, N));
    expect_refusal("argsort", kind, N, clprims_argsort(context, type, some, N, wide));
    expect_refusal("nonzero", kind, N, clprims_nonzero(context, type, some, N, wide, &count));
}

int main(void) {
    static const size_t sizes[] = {USUAL, (size_t)1 << 30, 1 << 16,
                                   LINKS, SORTED_SEGMENTS, (size_t)1 << 28};
    size_t refused = 0;
    for (int kind = 0; kind <= FAKE_CPU; kind++) {
        clprims_context_options options = CLPRIMS_CONTEXT_OPTIONS_INIT;
        char number[8];
        snprintf(number, sizeof number, "%d", kind);
        options.device = number;
        fake_memory(MEMORY, MOST_ALLOC);
        if (clprims_context_create(&context, &options) != CLPRIMS_OK) {
            fail("no context", "", kind, 0);
            continue;
        }
        for (size_t p = 0; p < PLANS; p++)
            for (size_t s = 0; s < (p < PRIMITIVES ? sizeof sizes / sizeof sizes[0] : 2); s++)
                refused += try(p, kind, sizes[s]);
        try_arrays(kind);
        clprims_context_destroy(context);
    }
    if (refused == 0) {
        fprintf(stderr, "no plan was refused\n");
        failures++;
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
