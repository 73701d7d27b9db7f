/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "histogram/histogram_cases.h"

#include <math.h>
#include <string.h>

/* ---- create ---- */

typedef struct bad_desc {
    const char *name;
    void (*spoil)(clprims_histogram_desc *desc);
    clprims_status status;
    const char *message; /* a part of it */
} bad_desc;

static const int32_t falling[] = {1, 5, 4, 9};
static const float with_nan[] = {1, NAN, 4};
static const float nan_first[] = {NAN, 4};

#define SPOIL(name, statements)                                                                    \
    static void name(clprims_histogram_desc *d) {                                                  \
        statements;                                                                                \
    }
SPOIL(old_size, d->struct_size = 8)
SPOIL(no_type, d->type = CLPRIMS_TYPE_DEFAULT)
SPOIL(strange_by, d->by = (clprims_histogram_by)7)
SPOIL(no_bins, d->bins = 0)
SPOIL(many_bins, d->bins = ((size_t)1 << 31) + 1)
SPOIL(no_max_n, d->max_n = 0)
SPOIL(huge_max_n, d->max_n = SIZE_MAX)
SPOIL(empty_range, d->most = 0)
SPOIL(falling_range, d->most = -1)
SPOIL(range_with_nan, d->least = NAN)
SPOIL(infinite_range, d->most = INFINITY)
SPOIL(range_too_wide, (d->least = -1.7e308, d->most = 1.7e308))
SPOIL(no_edges, d->by = CLPRIMS_HISTOGRAM_EDGES)
SPOIL(falling_edges, (d->by = CLPRIMS_HISTOGRAM_EDGES, d->edges = falling, d->bins = 3))
SPOIL(edges_with_nan,
      (d->type = CLPRIMS_F32, d->by = CLPRIMS_HISTOGRAM_EDGES, d->edges = with_nan, d->bins = 2))
SPOIL(edges_nan_first,
      (d->type = CLPRIMS_F32, d->by = CLPRIMS_HISTOGRAM_EDGES, d->edges = nan_first, d->bins = 1))
SPOIL(no_expression, d->by = CLPRIMS_HISTOGRAM_EXPRESSION)
SPOIL(broken_expression, (d->by = CLPRIMS_HISTOGRAM_EXPRESSION, d->bin = "x * elephants"))
SPOIL(parameters_for_none, d->parameters = "int number")
SPOIL(even_structs, d->type = CLPRIMS_STRUCT)
SPOIL(struct_without_text,
      (d->type = CLPRIMS_STRUCT, d->by = CLPRIMS_HISTOGRAM_EXPRESSION, d->bin = "x.a"))
SPOIL(struct_bytes, (struct_without_text(d), d->custom.type_name = "t",
                     d->custom.declarations = "typedef int t;", d->custom.type_bytes = 6))
SPOIL(struct_weights, d->weights = CLPRIMS_STRUCT)
SPOIL(narrow_counts, d->sums = CLPRIMS_U16)
SPOIL(float_counts, d->sums = CLPRIMS_F64)
SPOIL(integer_sums, (d->weights = CLPRIMS_F32, d->sums = CLPRIMS_I64))
SPOIL(float_sums, (d->weights = CLPRIMS_I8, d->sums = CLPRIMS_F32))
SPOIL(unknown_knob, d->tuning = "COLOR=3")
SPOIL(group_too_large, d->tuning = "GROUP=2048")
SPOIL(group_no_power, d->tuning = "GROUP=48")
SPOIL(copies_too_many, d->tuning = "COPIES=64")
SPOIL(no_slices, d->tuning = "SLICES=0")
SPOIL(depth_zero, d->tuning = "DEPTH=0")
SPOIL(parts_too_many, d->tuning = "PARTS=65")
SPOIL(no_part_bins, d->tuning = "PART_BINS=0")

static const bad_desc bad_descs[] = {
    {"struct-size", old_size, CLPRIMS_ERR_ARGUMENT, "struct_size"},
    {"no-type", no_type, CLPRIMS_ERR_ARGUMENT, "histogram: type = 0 is none of clprims_type"},
    {"by", strange_by, CLPRIMS_ERR_ARGUMENT, "by = 7 is none of clprims_histogram_by"},
    {"no-bins", no_bins, CLPRIMS_ERR_ARGUMENT, "bins = 0; it must be from 1 to 2147483648"},
    {"many-bins", many_bins, CLPRIMS_ERR_ARGUMENT, "bins = 2147483649"},
    {"no-max_n", no_max_n, CLPRIMS_ERR_ARGUMENT, "max_n"},
    {"huge-max_n", huge_max_n, CLPRIMS_ERR_TOO_LARGE, "max_n = 18446744073709551615"},
    {"empty-range", empty_range, CLPRIMS_ERR_ARGUMENT, "least = 0, most = 0; both"},
    {"falling-range", falling_range, CLPRIMS_ERR_ARGUMENT, "least = 0, most = -1"},
    {"range-with-nan", range_with_nan, CLPRIMS_ERR_ARGUMENT, "most = 10"},
    {"infinite-range", infinite_range, CLPRIMS_ERR_ARGUMENT, "most = inf"},
    {"range-too-wide", range_too_wide, CLPRIMS_ERR_ARGUMENT, "their difference must be finite"},
    {"no-edges", no_edges, CLPRIMS_ERR_ARGUMENT, "edges is NULL, for 10 bins"},
    {"falling-edges", falling_edges, CLPRIMS_ERR_ARGUMENT, "edges[2] = 4 is below edges[1] = 5"},
    {"edges-with-nan", edges_with_nan, CLPRIMS_ERR_ARGUMENT, "edges[1] = nan is NaN or below"},
    {"edges-nan-first", edges_nan_first, CLPRIMS_ERR_ARGUMENT, "edges[0] = nan is NaN"},
    {"no-expression", no_expression, CLPRIMS_ERR_ARGUMENT, "needs desc.bin; it is NULL"},
    {"broken-expression", broken_expression, CLPRIMS_ERR_BUILD, "elephants"},
    {"parameters-for-none", parameters_for_none, CLPRIMS_ERR_ARGUMENT,
     "1 parameters, but no desc.bin"},
    {"even-structs", even_structs, CLPRIMS_ERR_ARGUMENT, "structs have no order"},
    {"struct-without-text", struct_without_text, CLPRIMS_ERR_ARGUMENT, "type_name is NULL"},
    {"struct-bytes", struct_bytes, CLPRIMS_ERR_ARGUMENT, "custom.type_bytes = 6"},
    {"struct-weights", struct_weights, CLPRIMS_ERR_ARGUMENT, "weights = 11 is no type of numbers"},
    {"narrow-counts", narrow_counts, CLPRIMS_ERR_ARGUMENT,
     "sums = 6 (uint16); a count needs an integer of 32 or 64 bits"},
    {"float-counts", float_counts, CLPRIMS_ERR_ARGUMENT, "sums = 10 (float64)"},
    {"integer-sums", integer_sums, CLPRIMS_ERR_ARGUMENT, "float32 needs float32 or float64"},
    {"float-sums", float_sums, CLPRIMS_ERR_ARGUMENT, "int8 needs an integer"},
    {"unknown-knob", unknown_knob, CLPRIMS_ERR_ARGUMENT, "COLOR"},
    {"group-too-large", group_too_large, CLPRIMS_ERR_ARGUMENT, "GROUP=2048"},
    {"group-no-power", group_no_power, CLPRIMS_ERR_ARGUMENT, "GROUP=48"},
    {"copies-too-many", copies_too_many, CLPRIMS_ERR_ARGUMENT, "COPIES=64"},
    {"no-slices", no_slices, CLPRIMS_ERR_ARGUMENT, "SLICES=0"},
    {"depth-zero", depth_zero, CLPRIMS_ERR_ARGUMENT, "DEPTH=0"},
    {"parts-too-many", parts_too_many, CLPRIMS_ERR_ARGUMENT, "PARTS=65"},
    {"no-part-bins", no_part_bins, CLPRIMS_ERR_ARGUMENT, "PART_BINS=0"},
};

static clprims_histogram_desc good_desc(void) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.bins = 10;
    desc.most = 10;
    desc.max_n = 100;
    return desc;
}

static void create_refuses(const void *data) {
    const bad_desc *bad = data;
    clprims_histogram_desc desc = good_desc();
    clprims_histogram *plan = (clprims_histogram *)&desc;
    bad->spoil(&desc);
    test_needs_types(desc.type, desc.sums);
    expect_failure(clprims_histogram_create(&plan, test_context(), &desc), bad->status,
                   bad->status == CLPRIMS_ERR_BUILD ? "histogram" : bad->message);
    if (bad->status == CLPRIMS_ERR_BUILD)
        expect_contains(clprims_last_error()->build_log, bad->message);
    if (plan != NULL) test_fail("the plan is not NULL");
}

static void create_refuses_null(const void *data) {
    const clprims_histogram_desc desc = good_desc();
    clprims_histogram *plan = NULL;
    (void)data;
    expect_failure(clprims_histogram_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "histogram: out is NULL");
    expect_failure(clprims_histogram_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "histogram: context is NULL");
    expect_failure(clprims_histogram_create(&plan, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "histogram: desc is NULL");
    clprims_histogram_destroy(NULL);
}

/* ---- enqueue and run ---- */

enum { N = 100, BINS = 10 };

static clprims_histogram *plan_with(bool weighted) {
    clprims_histogram_desc desc = good_desc();
    clprims_histogram *plan = NULL;
    if (weighted) desc.weights = CLPRIMS_I64;
    expect_ok(clprims_histogram_create(&plan, test_context(), &desc));
    return plan;
}

#define REFUSED(plan, queue, in, weights, out, n, report, status, part)                            \
    expect_failure(                                                                                \
        clprims_histogram_enqueue(plan, queue, in, weights, out, n, report, 0, NULL, NULL),        \
        status, part)

static void enqueue_refuses(const void *data) {
    clprims_histogram *plan = plan_with(true), *counting = plan_with(false);
    test_buffer in = test_buffer_create(NULL, N + 1, 4, 0);
    test_buffer weights = test_buffer_create(NULL, N, 8, 0);
    test_buffer out = test_buffer_create(NULL, BINS, 8, 0);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_histogram_report), 0);
    const clprims_buffer none = {NULL, 0}, far = {in.at.mem, in.bytes / 4 - N + 1};
    const clprims_buffer far_weights = {weights.at.mem, weights.bytes / 8 - N + 1};
    const clprims_buffer far_out = {out.at.mem, out.bytes / 8 - BINS + 1};
    const clprims_buffer far_report = {report.at.mem,
                                       report.bytes / sizeof(clprims_histogram_report)};
    cl_command_queue queue = test_queue();
    const clprims_status bad = CLPRIMS_ERR_ARGUMENT;
    (void)data;
    REFUSED(NULL, queue, in.at, weights.at, out.at, N, none, bad, "histogram: plan is NULL");
    REFUSED(plan, NULL, in.at, weights.at, out.at, N, none, bad, "histogram: queue is NULL");
    REFUSED(plan, queue, in.at, weights.at, out.at, N + 1, none, CLPRIMS_ERR_TOO_LARGE,
            "n = 101 exceeds max_n = 100");
    REFUSED(plan, queue, none, weights.at, out.at, N, none, bad, "in.mem is NULL");
    REFUSED(plan, queue, in.at, none, out.at, N, none, bad, "weights.mem is NULL");
    REFUSED(plan, queue, in.at, weights.at, none, N, none, bad, "out.mem is NULL");
    REFUSED(plan, queue, none, none, none, 0, none, bad, "out.mem is NULL");
    REFUSED(plan, queue, far, weights.at, out.at, N, none, bad, "in has room");
    REFUSED(plan, queue, in.at, far_weights, out.at, N, none, bad, "weights has room");
    REFUSED(plan, queue, in.at, weights.at, far_out, N, none, bad, "out has room");
    REFUSED(plan, queue, in.at, weights.at, in.at, N, none, bad, "overlaps");
    REFUSED(plan, queue, in.at, weights.at, weights.at, N, none, bad, "overlaps");
    REFUSED(plan, queue, in.at, weights.at, out.at, N, far_report, bad, "report has room");
    REFUSED(plan, queue, in.at, weights.at, out.at, N, weights.at, bad, "report (first = 0");
    REFUSED(counting, queue, in.at, weights.at, out.at, N, none, bad,
            "weights.mem is not NULL, but the plan has no weights");
    test_buffer_expect_unchanged(&out, NULL);
    test_buffer_release(&in);
    test_buffer_release(&weights);
    test_buffer_release(&out);
    test_buffer_release(&report);
    clprims_histogram_destroy(plan);
    clprims_histogram_destroy(counting);
}

static void run_refuses(const void *data) {
    clprims_histogram *plan = plan_with(true), *counting = plan_with(false);
    int32_t in[N] = {0};
    int64_t weights[N] = {3}, out[BINS];
    (void)data;
    expect_failure(clprims_histogram_run(NULL, in, weights, out, N, NULL), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_histogram_run(plan, NULL, weights, out, N, NULL), CLPRIMS_ERR_ARGUMENT,
                   "in is NULL, with n = 100");
    expect_failure(clprims_histogram_run(plan, in, NULL, out, N, NULL), CLPRIMS_ERR_ARGUMENT,
                   "weights is NULL, with n = 100");
    expect_failure(clprims_histogram_run(plan, in, weights, NULL, N, NULL), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL, with n = ");
    expect_failure(clprims_histogram_run(plan, in, weights, out, N + 1, NULL),
                   CLPRIMS_ERR_TOO_LARGE, "n = 101 exceeds max_n = 100");
    expect_failure(clprims_histogram_run(counting, in, weights, out, N, NULL), CLPRIMS_ERR_ARGUMENT,
                   "weights is not NULL, but the plan has no weights");
    expect_ok(clprims_histogram_run(plan, NULL, NULL, out, 0, NULL));
    for (size_t b = 0; b < BINS; b++) {
        if (out[b] != 0) test_fail("bin %zu of no elements has %lld", b, (long long)out[b]);
    }
    clprims_histogram_destroy(plan);
    clprims_histogram_destroy(counting);
}

static void others_refuse(const void *data) {
    const clprims_histogram_report strange = {77, 0, 0};
    clprims_histogram_info info = CLPRIMS_HISTOGRAM_INFO_INIT;
    clprims_histogram *plan = plan_with(false);
    const int one = 1;
    (void)data;
    expect_failure(clprims_histogram_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
    expect_failure(clprims_histogram_check(&strange), CLPRIMS_ERR_ARGUMENT, "report.fault = 77");
    expect_failure(clprims_histogram_describe(NULL, 1, &info), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_histogram_describe(plan, 1, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_failure(clprims_histogram_describe(plan, N + 1, &info), CLPRIMS_ERR_TOO_LARGE,
                   "n = 101 exceeds");
    expect_failure(clprims_histogram_set_parameter(NULL, 0, sizeof one, &one), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_histogram_set_parameter(plan, 0, sizeof one, &one), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0 of 0");
    clprims_histogram_destroy(plan);
}

void add_refusal_cases(test_cases *cases) {
    for (size_t i = 0; i < sizeof bad_descs / sizeof bad_descs[0]; i++) {
        test_add(cases, create_refuses, &bad_descs[i], sizeof bad_descs[i],
                 "histogram/refuses/create/%s", bad_descs[i].name);
    }
    test_add(cases, create_refuses_null, NULL, 0, "histogram/refuses/create/null");
    test_add(cases, enqueue_refuses, NULL, 0, "histogram/refuses/enqueue");
    test_add(cases, run_refuses, NULL, 0, "histogram/refuses/run");
    test_add(cases, others_refuse, NULL, 0, "histogram/refuses/others");
}
