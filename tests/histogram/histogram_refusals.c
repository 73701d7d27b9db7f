/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "histogram/histogram_cases.h"
#include "subjects/runs/subject_refusals.h"

#include <math.h>

enum { N = 100, BINS = 10 };

static const clprims_histogram_desc good = {
    .type = CLPRIMS_I32, .bins = BINS, .most = 10, .max_n = N};

/* ---- create ---- */

static const int32_t falling[] = {1, 5, 4, 9};
static const float with_nan[] = {1, NAN, 4};
static const float nan_first[] = {NAN, 4};

static void struct_without_text(clprims_histogram_desc *d) {
    d->type = CLPRIMS_STRUCT, d->by = CLPRIMS_HISTOGRAM_EXPRESSION, d->bin = "x.a";
}

static void spoil_bins(void *desc, subject_refusal *r) {
    clprims_histogram_desc *d = desc;
    ILLEGAL("by", "by = 7 is not a value of clprims_histogram_by", d->by = (clprims_histogram_by)7)
    ILLEGAL("no-bins", "bins = 0; it must be from 1 to 2147483648", d->bins = 0)
    ILLEGAL("many-bins", "bins = 2147483649", d->bins = ((size_t)1 << 31) + 1)
    ILLEGAL("empty-range", "least = 0, most = 0; both", d->most = 0)
    ILLEGAL("falling-range", "least = 0, most = -1", d->most = -1)
    ILLEGAL("range-with-nan", "most = 10", d->least = NAN)
    ILLEGAL("infinite-range", "most = inf", d->most = INFINITY)
    ILLEGAL("range-too-wide", "their difference must be finite", d->least = -1.7e308,
            d->most = 1.7e308)
    ILLEGAL("no-edges", "edges is NULL, for 10 bins", d->by = CLPRIMS_HISTOGRAM_EDGES)
    ILLEGAL("falling-edges", "edges[2] = 4 is not at least edges[1] = 5",
            d->by = CLPRIMS_HISTOGRAM_EDGES, d->edges = falling, d->bins = 3)
    ILLEGAL("edges-with-nan", "edges[1] = nan is not at least", d->type = CLPRIMS_F32,
            d->by = CLPRIMS_HISTOGRAM_EDGES, d->edges = with_nan, d->bins = 2)
    ILLEGAL("edges-nan-first", "edges[0] = nan is not at least", d->type = CLPRIMS_F32,
            d->by = CLPRIMS_HISTOGRAM_EDGES, d->edges = nan_first, d->bins = 1)
    ILLEGAL("no-expression", "needs desc.bin; it is NULL", d->by = CLPRIMS_HISTOGRAM_EXPRESSION)
    ILLEGAL("unread-bin", "histogram: desc.bin = \"x % 7\" is never read: by = 0 (even)",
            d->bin = "x % 7")
    ILLEGAL("unread-op", "custom.op = \"a + b\" is never read", d->custom.op = "a + b")
    REFUSED("broken-expression", BUILD, "elephants", d->by = CLPRIMS_HISTOGRAM_EXPRESSION,
            d->bin = "x * elephants")
    ILLEGAL("parameters-for-none", "1 parameters, but no text such as desc.bin",
            d->parameters = "int number")
}

static void spoil_others(void *desc, subject_refusal *r) {
    clprims_histogram_desc *d = desc;
    ILLEGAL("even-structs", "structs have no order", d->type = CLPRIMS_STRUCT)
    ILLEGAL("struct-without-text", "type_name is NULL", struct_without_text(d))
    ILLEGAL("struct-bytes", "the device's sizeof is 4", struct_without_text(d),
            d->custom.type_name = "t", d->custom.declarations = "typedef int t;",
            d->custom.type_bytes = 6)
    ILLEGAL("struct-of-other-size", "histogram: type_bytes = 8, the device's sizeof is 4",
            struct_without_text(d), d->custom.type_name = "t",
            d->custom.declarations = "typedef int t;", d->custom.type_bytes = 8,
            d->by = CLPRIMS_HISTOGRAM_EXPRESSION, d->bin = "x")
    ILLEGAL("struct-weights", "weights = 11 (struct) is no type of numbers",
            d->weights = CLPRIMS_STRUCT)
    ILLEGAL("narrow-counts", "sums = 6 (uint16); a count needs an integer of 32 or 64 bits",
            d->sums = CLPRIMS_U16)
    ILLEGAL("float-counts", "sums = 10 (float64)", test_needs_types(CLPRIMS_F64, CLPRIMS_F64),
            d->sums = CLPRIMS_F64)
    ILLEGAL("integer-sums", "float32 needs float32 or float64", d->weights = CLPRIMS_F32,
            d->sums = CLPRIMS_I64)
    ILLEGAL("float-sums", "int8 needs an integer", d->weights = CLPRIMS_I8, d->sums = CLPRIMS_F32)
}

static void spoil(void *desc, subject_refusal *r) {
    spoil_bins(desc, r);
    spoil_others(desc, r);
}

/* ---- enqueue and run ---- */

/* Bins are written of no elements, too. */
static void none_are_counted(void) {
    const histogram_twin twin = {good, NULL};
    clprims_histogram *counting = histogram_plan(&good);
    expect_failure(clprims_histogram_enqueue(counting, test_queue(),
                                             &(clprims_histogram_buffers){.report = {0}}, 0, 0,
                                             NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "out.mem is NULL");
    histogram_compare_run(&twin, "", 0);
}

void add_refusal_cases(test_cases *cases) {
    subject_add_refused(cases, &subject_histogram, &good, spoil, "histogram/refuses/create");
    test_add_plain(cases, none_are_counted, "histogram/refuses/none");
}
