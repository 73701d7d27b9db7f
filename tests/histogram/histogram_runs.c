/* SPDX-License-Identifier: MIT */
/* Runs of equal elements, which work-items of CPUs count together, and sums that count slices. */
#include "histogram/histogram_cases.h"

#include <stdlib.h>
#include <string.h>

typedef struct run_case {
    const char *name;
    const char *tuning;
    size_t bins;
    double most;
    size_t longest; /* run; SIZE_MAX: all elements are alike */
} run_case;

/* Beyond 4096 bins the last kernel adds up the counters of 8 bits that others leave; from 2^31 on
 * elements are outside of "outside". Of "parts" and "one-part" sums count slices. */
static const run_case runs[] = {
    {"few", "GROUP=1 SLICES=2 COPIES=1", 300, 4294967296.0, 50},
    {"outside", "GROUP=1 SLICES=2 COPIES=1", 300, 2147483648.0, 50},
    {"alike", "GROUP=1 SLICES=1 COPIES=1", 300, 4294967296.0, SIZE_MAX},
    {"many", "GROUP=1 SLICES=3", 8192, 4294967296.0, 50},
    {"many-outside", "GROUP=1 SLICES=3", 8192, 2147483648.0, 50},
    {"many-alike", "GROUP=1 SLICES=1", 8192, 4294967296.0, SIZE_MAX},
    {"parts", "GROUP=32 SLICES=9 DEPTH=1 COPIES=4 PARTS=64 PART_BINS=100", 256, 4294967296.0, 50},
    {"one-part", "GROUP=64 SLICES=9 DEPTH=1 COPIES=4", 512, 4294967296.0, 50},
};

static void fill(const run_case *c, uint32_t *in, size_t n) {
    for (size_t i = 0; i < n;) {
        const uint32_t x = (uint32_t)test_random();
        const size_t length = c->longest == SIZE_MAX ? n : 1 + test_random_below(c->longest);
        for (size_t end = i + length; i < n && i < end; i++) in[i] = x;
    }
}

/* One plan with n around runs of 16, slices of 8192, and n that few work-items share unevenly. */
static void runs_are_counted(const void *data) {
    static const size_t sizes[] = {0,    1,    15,   16,    17,    31,    32,   33,   5,
                                   2049, 8191, 8192, 16385, 24575, 24577, 9999, 40000};
    const run_case *c = data;
    const size_t most = test_small() ? 300 : 40000;
    histogram_twin twin = {CLPRIMS_HISTOGRAM_DESC_INIT, NULL};
    uint32_t *in = test_alloc(most, sizeof *in);
    twin.desc.type = CLPRIMS_U32;
    twin.desc.bins = c->bins;
    twin.desc.most = c->most;
    twin.desc.sums = CLPRIMS_U32;
    twin.desc.max_n = most;
    twin.desc.tuning = c->tuning;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        if (sizes[k] > most) continue;
        test_note("n = %zu", sizes[k]);
        fill(c, in, sizes[k]);
        histogram_compare(histogram_plan(&twin.desc), &twin, in, NULL, k, sizes[k]);
    }
    free(in);
}

void add_run_cases(test_cases *cases) {
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const bool serial = strncmp(runs[k].tuning, "GROUP=1 ", 8) == 0;
        if (!serial && !test_bears_shapes()) continue;
        test_add(cases, runs_are_counted, &runs[k], sizeof runs[k], "histogram/runs/%s",
                 runs[k].name);
    }
}
