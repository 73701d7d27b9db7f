/* SPDX-License-Identifier: MIT */
/* Draws histograms: even bins, edges and expressions, counts and sums, knobs. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "histogram/histogram_plan.h"

#include <math.h>

enum { MOST_BINS = 3000, MOST_FLOATS = 20000 };

static void draw_range(clprims_histogram_desc *d) {
    static const double places[] = {0, -128, 127.5, 255, 1e-3, 65536, 4294967296.0, -1e9, 0.1};
    const double place = places[test_random_below(9)], width = places[test_random_below(9)];
    d->least = fuzz_coin() ? place : place / 7;
    d->most = d->least + fabs(fuzz_coin() ? width : (double)(d->bins * (1 + test_random_below(9))));
}

/* A value that an integer type of `bytes` bytes has. */
static int64_t clamp(clprims_type type, int64_t value) {
    const int bits = 8 * (int)clprims_type_bytes(type);
    const bool is_signed = type <= CLPRIMS_I64;
    const int64_t least = is_signed ? -((int64_t)1 << (bits - 1 < 62 ? bits - 1 : 62)) : 0;
    const int64_t most = (int64_t)1 << (bits - is_signed < 62 ? bits - is_signed : 62);
    return value < least ? least : value >= most ? most - 1 : value;
}

/* Edges next to each other, some of them equal. edges: of any type. */
static void draw_edges(clprims_histogram_desc *desc, double *edges) {
    int64_t value = -(int64_t)desc->bins / 2;
    for (size_t b = 0; b <= desc->bins; b++) {
        value += (int64_t)test_random_below(5);
        if (desc->type == CLPRIMS_F64) edges[b] = (double)value / 2;
        if (desc->type == CLPRIMS_F32) ((float *)edges)[b] = (float)value / 2;
        if (desc->type >= CLPRIMS_F32) continue;
        test_store_integer(clprims_type_bytes(desc->type), edges, b,
                           (uint64_t)clamp(desc->type, value));
    }
    desc->edges = edges;
}

static void draw_bins(clprims_histogram_desc *desc, double *edges) {
    desc->by = (clprims_histogram_by)fuzz_between(0, CLPRIMS_HISTOGRAM_EXPRESSION);
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    desc->bins = 1 + fuzz_size(MOST_BINS - 1);
    if (desc->by == CLPRIMS_HISTOGRAM_EVEN) draw_range(desc);
    if (desc->by == CLPRIMS_HISTOGRAM_EDGES) draw_edges(desc, edges);
    if (desc->by != CLPRIMS_HISTOGRAM_EXPRESSION) return;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_U8, CLPRIMS_U64);
    desc->bin = "(x + i) % 100";
    desc->bins = fuzz_between(1, 120);
}

static void draw_sums(clprims_histogram_desc *d) {
    if (fuzz_coin()) d->weights = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool floats = d->weights >= CLPRIMS_F32;
    if (fuzz_coin()) d->sums = floats ? CLPRIMS_F32 : fuzz_coin() ? CLPRIMS_U32 : CLPRIMS_I64;
    d->fast_floats = fuzz_coin();
    d->refuse_outside = test_random_below(4) == 0;
}

void fuzz_histogram(void) {
    const fuzz_cap caps[] = {
        {"GROUP", fuzz_coin() ? 1 : 128}, {"SLICES", 40}, {"DEPTH", 4}, {NULL, 0}};
    char tuning[FUZZ_TUNING] = "";
    double edges[MOST_BINS + 1];
    clprims_histogram_desc desc = {0};
    draw_bins(&desc, edges);
    draw_sums(&desc);
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_knobs(clp_histogram_knobs, CLP_HISTOGRAM_KNOBS, caps, tuning);
        desc.tuning = tuning;
    }
    desc.max_n = 1 + fuzz_size(desc.weights >= CLPRIMS_F32 ? MOST_FLOATS
                               : test_small()              ? 3000
                                                           : 300000);
    fuzz_note("histogram of %s by %d, %zu bins, [%.17g, %.17g], weights %s, sums %s, fast %d, "
              "refuses %d, max_n %zu, tuning %s",
              clprims_type_name(desc.type), (int)desc.by, desc.bins, desc.least, desc.most,
              clprims_type_name(desc.weights), clprims_type_name(desc.sums), desc.fast_floats,
              desc.refuse_outside, desc.max_n, tuning);
    fuzz_runs(&(subject_data){.of = &subject_histogram, .desc = &desc, .most = {desc.max_n}},
              fuzz_between(1, 6));
}
