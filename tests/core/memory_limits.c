/* SPDX-License-Identifier: MIT */
/* Plans for fake devices of 2 GB, which give a buffer a quarter of that: where the arrays fit, so
 * does the plan; more scratch than a buffer can have is refused with both numbers. */
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

#define CREATE(prim, INIT, set)                                                                    \
    static clprims_status create_##prim(size_t n) {                                                \
        clprims_##prim##_desc desc = INIT;                                                         \
        clprims_##prim *plan = NULL;                                                               \
        set;                                                                                       \
        const clprims_status status = clprims_##prim##_create(&plan, context, &desc);              \
        clprims_##prim##_destroy(plan);                                                            \
        return status;                                                                             \
    }

CREATE(scan, CLPRIMS_SCAN_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(offsets, CLPRIMS_OFFSETS_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(select, CLPRIMS_SELECT_DESC_INIT,
       (desc.arrays = 1, desc.type[0] = CLPRIMS_I32, desc.max_n = n))
CREATE(reduce, CLPRIMS_REDUCE_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(segmented, CLPRIMS_SEGMENTED_DESC_INIT,
       (desc.type = CLPRIMS_I32, desc.max_n = desc.max_segments = n))
CREATE(sort, CLPRIMS_SORT_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(segmented_sort, CLPRIMS_SEGMENTED_SORT_DESC_INIT,
       (desc.type = CLPRIMS_I32, desc.max_n = n, desc.max_segments = n / 16))
CREATE(topk, CLPRIMS_TOPK_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n, desc.max_k = 100))
CREATE(histogram, CLPRIMS_HISTOGRAM_DESC_INIT,
       (desc.type = CLPRIMS_I32, desc.bins = 4, desc.most = 8, desc.max_n = n))
CREATE(merge, CLPRIMS_MERGE_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_a = desc.max_b = n / 2))
CREATE(search, CLPRIMS_SEARCH_DESC_INIT,
       (desc.type = CLPRIMS_I32, desc.max_sorted = desc.max_n = n))
CREATE(parents, CLPRIMS_PARENTS_DESC_INIT, desc.max_n = desc.max_segments = n)
CREATE(gather, CLPRIMS_GATHER_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(list, CLPRIMS_LIST_DESC_INIT, desc.max_n = n)
CREATE(listscan, CLPRIMS_LISTSCAN_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = n))
CREATE(forest, CLPRIMS_FOREST_DESC_INIT, desc.max_n = n)

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
             {"forest", create_forest, LINKS}};
enum { PLANS = sizeof plans / sizeof plans[0] };

static void fail(const char *what, const char *plan, int kind, size_t n) {
    fprintf(stderr, "%s: %s, n = %zu on device %d, %zu bytes: %s\n", plan, what, n, kind,
            fake_allocated(), clprims_last_error()->message);
    failures++;
}

/* Returns whether the plan was refused. */
static bool try(size_t p, int kind, size_t n) {
    char limit[64];
    fake_memory(MEMORY, MOST_ALLOC);
    const clprims_status status = plans[p].create(n);
    snprintf(limit, sizeof limit, "exceeds the %zu that", (size_t)MOST_ALLOC);
    if (status == CLPRIMS_OK) {
        if (n <= plans[p].fitting && fake_allocated() + 4 * 4 * n > MEMORY) {
            fail("too much scratch", plans[p].name, kind, n);
        }
        return false;
    }
    if (n <= plans[p].fitting) fail("refused", plans[p].name, kind, n);
    if (status != CLPRIMS_ERR_TOO_LARGE || strstr(clprims_last_error()->message, limit) == NULL) {
        fail("refused without the numbers", plans[p].name, kind, n);
    }
    return true;
}

int main(void) {
    static const size_t sizes[] = {1 << 16, LINKS,           SORTED_SEGMENTS,
                                   USUAL,   (size_t)1 << 28, (size_t)1 << 30};
    size_t refused = 0;
    for (int kind = 0; kind < FAKE_KINDS; kind++) {
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
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                refused += try(p, kind, sizes[s]);
        clprims_context_destroy(context);
    }
    if (refused == 0) {
        fprintf(stderr, "no plan was refused\n");
        failures++;
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
