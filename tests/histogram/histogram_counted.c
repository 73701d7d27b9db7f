/* SPDX-License-Identifier: MIT */
/* Histograms whose number of elements stands in device memory. */
#include "histogram/histogram_cases.h"
#include "subjects/runs/subject_counted.h"

enum { BINS = 200, ALL_BINS = 256, TILE = 256 };

typedef struct counted_case {
    const histogram_shape *shape;
    clprims_type weights;
    size_t max_n;
    bool is_even; /* bins: no value is outside, and sums count slices */
} counted_case;

/* Values from 200 to 255 are outside. */
static clprims_histogram_desc describe(const counted_case *c) {
    clprims_histogram_desc desc = {.type = CLPRIMS_U32,
                                   .by = CLPRIMS_HISTOGRAM_EXPRESSION,
                                   .bin = "x >> 24",
                                   .bins = BINS,
                                   .weights = c->weights,
                                   .max_n = c->max_n,
                                   .tuning = c->shape->tuning};
    if (c->is_even) {
        desc.by = CLPRIMS_HISTOGRAM_EVEN;
        desc.bin = NULL;
        desc.most = 4294967296.0;
        desc.bins = ALL_BINS;
    }
    return desc;
}

/* Counted runs, refused ones among them, and plain ones of one plan. */
static void counted_is_right(const void *data) {
    const clprims_histogram_desc desc = describe(data);
    const subject_data like = {
        .of = &subject_histogram, .desc = &desc, .most = {desc.max_n}, .may_be_malformed = true};
    subject_counted_is_right(&like, histogram_plan(&desc), TILE, false);
}

void add_counted_cases(test_cases *cases) {
    for (size_t s = 0; s < HISTOGRAM_SHAPES; s++) {
        const bool weighted = s == HISTOGRAM_SERIAL || s == HISTOGRAM_GLOBAL;
        const counted_case c = {&histogram_shapes[s], weighted ? CLPRIMS_F32 : CLPRIMS_TYPE_DEFAULT,
                                test_small() ? 300 : 5000, false};
        const char *name = histogram_shapes[s].name;
        if ((s == HISTOGRAM_PARTS || s == HISTOGRAM_BYTEWISE) && !test_long()) continue;
        test_add_row(cases, counted_is_right, c, "histogram/counted/%s", name);
    }
    const counted_case arrivals = {&histogram_shapes[HISTOGRAM_LOCAL], CLPRIMS_TYPE_DEFAULT,
                                   test_small() ? 300 : 5000, true};
    test_add_row(cases, counted_is_right, arrivals, "histogram/counted/arrivals");
}
