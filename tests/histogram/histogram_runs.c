/* SPDX-License-Identifier: MIT */
/* Runs of equal elements, which work-items of CPUs count together, and sums that count slices. */
#include "histogram/histogram_cases.h"

typedef struct run_case {
    const char *name;
    const char *tuning;
    size_t bins;
    double most;
    size_t longest; /* run; SIZE_MAX: all elements are alike */
    size_t max_n; /* 0: no more than are counted */
    bool later; /* in the long tier alone */
} run_case;

/* Beyond 4096 bins the last kernel adds up the counters of 8 bits that others leave; from 2^31 on
 * elements are outside of "outside" and "few-copies". Of "parts" and "one-part" sums count
 * slices. */
static const run_case runs[] = {
    {"few", "GROUP=1 SLICES=2 COPIES=1", 300, 4294967296.0, 50, 0, false},
    {"outside", "GROUP=1 SLICES=2 COPIES=1", 300, 2147483648.0, 50, 0, true},
    {"alike", "GROUP=1 SLICES=1 COPIES=1", 300, 4294967296.0, SIZE_MAX, 0, false},
    {"many", "GROUP=1 SLICES=3", 8192, 4294967296.0, 50, 0, false},
    {"many-outside", "GROUP=1 SLICES=3", 8192, 2147483648.0, 50, 0, false},
    {"many-alike", "GROUP=1 SLICES=1", 8192, 4294967296.0, SIZE_MAX, 0, false},
    {"parts", "GROUP=32 SLICES=9 DEPTH=1 COPIES=4 PARTS=64 PART_BINS=100", 256, 4294967296.0, 50, 0,
     false},
    {"one-part", "GROUP=64 SLICES=9 DEPTH=1 COPIES=4", 512, 4294967296.0, 50, 0, false},
    {"wide-sums", "GROUP=64 SLICES=9 DEPTH=1 COPIES=4", 512, 4294967296.0, 50, (1 << 24) + 1,
     false},
    {"few-copies", "GROUP=64 SLICES=9 DEPTH=1", 512, 2147483648.0, 50, 1 << 22, false},
    {"more-copies", "GROUP=64 SLICES=9 DEPTH=1", 512, 4294967296.0, 50, (1 << 22) + 1, true},
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
    histogram_twin twin =
        histogram_even(CLPRIMS_U32, c->bins, 0, c->most, c->max_n > 0 ? c->max_n : most);
    uint32_t *in = test_scratch(most, sizeof *in);
    twin.desc.sums = CLPRIMS_U32;
    twin.desc.tuning = c->tuning;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        if (sizes[k] > most) continue;
        test_note("n = %zu", sizes[k]);
        fill(c, in, sizes[k]);
        histogram_compare(&twin, in, NULL, k, sizes[k]);
    }
}

/* ---- Plans of bytes ---- */

typedef struct bytes_case {
    const char *name;
    const char *tuning;
    size_t max_n;
    bool is_random;
    size_t n[3];
} bytes_case;

/* The sums of 2^24 equal elements, which need a bit more than 24, count slices as well. Beyond a
 * slice for each compute unit there are more of 2^17 elements. */
static const bytes_case plans[] = {
    {"full-sums", "GROUP=64 SLICES=100 BYTEWISE=0", 1 << 24, false, {1 << 24, 5, 1 << 20}},
    {"waves", "GROUP=64 DEPTH=1 BYTEWISE=0", 1 << 20, true, {1 << 20, 600000, 4000}},
    {"bytes", "GROUP=256 BYTEWISE=1 FEW=100000", 200000, true, {200000, 100000, 100001}},
    {"bytes-alike", "GROUP=256 BYTEWISE=1 FEW=100000", 200000, false, {200000, 100000, 100001}},
};

static void bytes_of_plans(const void *data) {
    const bytes_case *c = data;
    histogram_twin twin = histogram_even(CLPRIMS_U8, 256, 0, 256, c->max_n);
    uint8_t *in = test_scratch(c->max_n, 1);
    memset(in, 0x9b, c->max_n);
    if (c->is_random) test_random_values(CLPRIMS_U8, CLPRIMS_XOR, in, c->max_n);
    twin.desc.tuning = c->tuning;
    for (size_t k = 0; k < sizeof c->n / sizeof c->n[0]; k++) {
        test_note("n = %zu", c->n[k]);
        histogram_compare(&twin, in, NULL, k, c->n[k]);
    }
}

void add_run_cases(test_cases *cases) {
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const bool serial = strncmp(runs[k].tuning, "GROUP=1 ", 8) == 0;
        if (!serial && (test_small() || !test_bears_shapes())) continue;
        if (runs[k].later && !test_long()) continue;
        if (test_small() && k % 3 > 0) continue;
        test_add_row(cases, runs_are_counted, runs[k], "histogram/runs/%s", runs[k].name);
    }
    if (test_small() || !test_bears_shapes()) return;
    test_add_rows(cases, bytes_of_plans, plans, "histogram/plans");
}
