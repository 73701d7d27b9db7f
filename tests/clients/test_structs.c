/* SPDX-License-Identifier: MIT */
/* Every primitive with elements of many sizes and alignments: from 3 to 256 bytes, aligned to 1 to
 * 128, declared or OpenCL C's own. */
#include "fixtures/sized_structs.h"
#include "subjects/subjects.h"

enum { N = 500, SEGMENTS = 7, FEW = 60 };

typedef struct struct_case struct_case;

struct struct_case {
    const sized_struct *type;
    const char *name; /* of the primitive */
    const char *tuning;
    void (*run)(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                unsigned char *expected);
};

/* out and expected: room for n elements. Random, with many equal first integers. */
static void is_right(const void *data) {
    const struct_case *c = data;
    const size_t bytes = c->type->bytes, n = test_small() ? FEW : N;
    unsigned char *in = test_scratch(n, bytes), *out = test_scratch(n, bytes);
    unsigned char *expected = test_scratch(n, bytes);
    test_random_bytes(in, n * bytes);
    for (size_t i = 0; i < n; i++) {
        memset(in + i * bytes, 0, clprims_type_bytes(c->type->integer));
        in[i * bytes] = (unsigned char)test_random_below(50);
    }
    memset(out, 0, n * bytes);
    memset(expected, 0, n * bytes);
    c->run(c, in, n, out, expected);
    expect_elements(expected, out, n, bytes);
}

/* Sums of in[0] to in[i] of elements first to end - 1. */
static void add_all(const sized_struct *s, const unsigned char *in, size_t first, size_t end,
                    unsigned char *sums) {
    for (size_t i = first; i < end; i++) {
        if (i > first) memcpy(sums + i * s->bytes, sums + (i - 1) * s->bytes, s->bytes);
        if (i == first) memset(sums + i * s->bytes, 0, s->bytes);
        sized_add(s, sums + i * s->bytes, in + i * s->bytes);
    }
}

/* ---- Operators ---- */

static void scan(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                 unsigned char *expected) {
    const clprims_scan_desc desc = {.type = CLPRIMS_STRUCT,
                                    .op = CLPRIMS_CUSTOM,
                                    .inclusive = 1,
                                    .max_n = n,
                                    .custom = sized_custom(c->type),
                                    .tuning = c->tuning};
    clprims_scan *plan = subject_made_plan(&subject_scan, &desc);
    expect_ok(clprims_scan_run(plan, &(clprims_scan_arrays){.in = in, .out = out}, n));
    add_all(c->type, in, 0, n, expected);
}

static void reduce(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                   unsigned char *expected) {
    const clprims_reduce_desc desc = {.type = CLPRIMS_STRUCT,
                                      .op = CLPRIMS_CUSTOM,
                                      .max_n = n,
                                      .custom = sized_custom(c->type),
                                      .tuning = c->tuning};
    clprims_reduce *plan = subject_made_plan(&subject_reduce, &desc);
    expect_ok(clprims_reduce_run(plan, &(clprims_reduce_arrays){.in = in, .out = out}, n));
    for (size_t i = 0; i < n; i++) sized_add(c->type, expected, in + i * c->type->bytes);
}

static void segmented(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                      unsigned char *expected) {
    int64_t offsets[SEGMENTS + 1];
    const clprims_segmented_desc desc = {.kind = CLPRIMS_SEGMENTED_INCLUSIVE,
                                         .type = CLPRIMS_STRUCT,
                                         .op = CLPRIMS_CUSTOM,
                                         .max_n = n,
                                         .max_segments = SEGMENTS,
                                         .custom = sized_custom(c->type),
                                         .tuning = c->tuning};
    for (size_t s = 0; s <= SEGMENTS; s++) offsets[s] = (int64_t)(n * s * s / SEGMENTS / SEGMENTS);
    clprims_segmented *plan = subject_made_plan(&subject_segmented, &desc);
    const clprims_segmented_arrays arrays = {in, offsets, out, .sizes.segments = SEGMENTS};
    expect_ok(clprims_segmented_run(plan, &arrays, n));
    for (size_t s = 0; s < SEGMENTS; s++) {
        add_all(c->type, in, (size_t)offsets[s], (size_t)offsets[s + 1], expected);
    }
}

/* The list goes through the array in order. */
static void listscan(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                     unsigned char *expected) {
    int32_t next[N];
    const clprims_listscan_desc desc = {.type = CLPRIMS_STRUCT,
                                        .op = CLPRIMS_CUSTOM,
                                        .inclusive = 1,
                                        .max_n = n,
                                        .custom = sized_custom(c->type),
                                        .tuning = c->tuning};
    for (size_t i = 0; i < n; i++) next[i] = i + 1 < n ? (int32_t)i + 1 : -1;
    clprims_listscan *plan = subject_made_plan(&subject_listscan, &desc);
    const clprims_listscan_arrays arrays = {.next = next, .values = in, .out = out};
    expect_ok(clprims_listscan_run(plan, &arrays, n));
    add_all(c->type, in, 0, n, expected);
}

/* ---- Orders ---- */

/* Stable, by the first integer. */
static void sort_on_host(const sized_struct *s, const unsigned char *in, size_t n,
                         unsigned char *out) {
    memcpy(out, in, n * s->bytes);
    for (size_t i = 1; i < n; i++) {
        unsigned char x[256];
        size_t to = i;
        memcpy(x, out + i * s->bytes, s->bytes);
        for (; to > 0 && sized_first(s, out + (to - 1) * s->bytes) > sized_first(s, x); to--) {
            memcpy(out + to * s->bytes, out + (to - 1) * s->bytes, s->bytes);
        }
        memcpy(out + to * s->bytes, x, s->bytes);
    }
}

static void sort(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                 unsigned char *expected) {
    const clprims_sort_desc desc = {.type = c->type->integer,
                                    .key = c->type->first,
                                    .elements = CLPRIMS_STRUCT,
                                    .max_n = n,
                                    .custom = sized_type(c->type),
                                    .tuning = c->tuning};
    clprims_sort *plan = subject_made_plan(&subject_sort, &desc);
    expect_ok(clprims_sort_run(plan, &(clprims_sort_arrays){.keys_in = in, .keys_out = out}, n));
    sort_on_host(c->type, in, n, expected);
}

static void topk(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                 unsigned char *expected) {
    enum { K = 9 };
    const clprims_topk_desc desc = {.type = c->type->integer,
                                    .least = 1,
                                    .max_n = n,
                                    .max_k = K,
                                    .key = c->type->first,
                                    .elements = CLPRIMS_STRUCT,
                                    .custom = sized_type(c->type),
                                    .tuning = c->tuning};
    clprims_topk *plan = subject_made_plan(&subject_topk, &desc);
    const clprims_topk_arrays arrays = {.in = in, .values = out, .sizes = {.k = K}};
    expect_ok(clprims_topk_run(plan, &arrays, n));
    sort_on_host(c->type, in, n, expected);
    memset(expected + K * c->type->bytes, 0, (n - K) * c->type->bytes);
}

/* Of both halves of the array. */
static void merge(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                  unsigned char *expected) {
    const size_t half = n / 3, bytes = c->type->bytes;
    unsigned char *sorted = test_scratch(n, bytes);
    const clprims_merge_desc desc = {.type = CLPRIMS_STRUCT,
                                     .less = c->type->less,
                                     .max_n = half,
                                     .max_n_b = n - half,
                                     .custom = sized_type(c->type),
                                     .tuning = c->tuning};
    sort_on_host(c->type, in, half, sorted);
    sort_on_host(c->type, in + half * bytes, n - half, sorted + half * bytes);
    clprims_merge *plan = subject_made_plan(&subject_merge, &desc);
    const clprims_merge_arrays arrays = {
        .a = sorted, .b = sorted + half * bytes, .out = out, .sizes = {n - half}};
    expect_ok(clprims_merge_run(plan, &arrays, half));
    sort_on_host(c->type, sorted, n, expected);
}

/* The positions are stored as elements for the comparison. */
static void search(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                   unsigned char *expected) {
    const size_t bytes = c->type->bytes;
    unsigned char *sorted = test_scratch(n, bytes);
    int32_t positions[N];
    const clprims_search_desc desc = {.type = CLPRIMS_STRUCT,
                                      .max_n = n,
                                      .max_length = n,
                                      .positions = CLPRIMS_I32,
                                      .less = c->type->less,
                                      .custom = sized_type(c->type),
                                      .tuning = c->tuning};
    sort_on_host(c->type, in, n, sorted);
    clprims_search *plan = subject_made_plan(&subject_search, &desc);
    const clprims_search_arrays arrays = {sorted, in, positions, {n}, NULL};
    expect_ok(clprims_search_run(plan, &arrays, n));
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        const uint64_t needle = sized_first(c->type, in + i * bytes);
        while (before < n && sized_first(c->type, sorted + before * bytes) < needle) before++;
        memcpy(out + i * bytes, &positions[i], 2);
        memcpy(expected + i * bytes, &before, 2);
    }
}

static void histogram(const struct_case *c, const unsigned char *in, size_t n, unsigned char *out,
                      unsigned char *expected) {
    enum { BINS = 50 };
    uint32_t counts[BINS], twin[BINS] = {0};
    char bin[64];
    clprims_histogram_desc desc = {.type = CLPRIMS_STRUCT,
                                   .by = CLPRIMS_HISTOGRAM_EXPRESSION,
                                   .bin = bin,
                                   .bins = BINS,
                                   .sums = CLPRIMS_U32,
                                   .max_n = n,
                                   .custom = sized_type(c->type),
                                   .tuning = c->tuning};
    snprintf(bin, sizeof bin, "(int)%s", c->type->first);
    clprims_histogram *plan = subject_made_plan(&subject_histogram, &desc);
    const clprims_histogram_arrays arrays = {.in = in, .out = counts};
    expect_ok(clprims_histogram_run(plan, &arrays, n));
    for (size_t i = 0; i < n; i++) twin[sized_first(c->type, in + i * c->type->bytes)]++;
    expect_elements(twin, counts, BINS, sizeof *twin);
    (void)out, (void)expected;
}

/* What is stored is a structure, the elements are numbers; the keys are the input itself. */
static void of_numbers(void) {
    const clprims_custom pair = {.type_name = "uint2", .type_bytes = sizeof(cl_uint2)};
    const clprims_scan_desc sums = {CLPRIMS_U32,
                                    .inclusive = 1,
                                    .max_n = N,
                                    .custom = pair,
                                    .result = "(uint2)(r, x)",
                                    .result_type = CLPRIMS_STRUCT};
    const clprims_reduce_desc sum = {CLPRIMS_U32, .max_n = N, .custom = pair,
                                     .result = "(uint2)(r, i)", .result_type = CLPRIMS_STRUCT};
    const clprims_segmented_desc runs = {.by = CLPRIMS_SEGMENTS_KEYS,
                                         .type = CLPRIMS_U32,
                                         .heads_type = CLPRIMS_U32,
                                         .max_n = N,
                                         .custom = pair,
                                         .result = "(uint2)(r, i)",
                                         .result_type = CLPRIMS_STRUCT};
    clprims_scan *scan_plan;
    clprims_reduce *reduce_plan;
    clprims_segmented *segmented_plan;
    cl_uint in[N];
    cl_uint2 out[N], expected[N], total, of_runs[N];
    size_t count;
    for (cl_uint i = 0, sum_so_far = 0; i < N; i++) {
        in[i] = i / 7;
        expected[i] = (cl_uint2){{sum_so_far += in[i], in[i]}};
    }
    expect_ok(clprims_scan_create(&scan_plan, test_context(), &sums));
    expect_ok(clprims_reduce_create(&reduce_plan, test_context(), &sum));
    expect_ok(clprims_segmented_create(&segmented_plan, test_context(), &runs));
    expect_ok(clprims_scan_run(scan_plan, &(clprims_scan_arrays){in, out}, N));
    expect_elements(expected, out, N, sizeof out[0]);
    expect_ok(clprims_reduce_run(reduce_plan, &(clprims_reduce_arrays){in, &total}, N));
    expected[0] = (cl_uint2){{expected[N - 1].s[0], N}};
    expect_elements(expected, &total, 1, sizeof total);
    const clprims_segmented_arrays arrays = {in, in, of_runs, .count = &count};
    expect_ok(clprims_segmented_run(segmented_plan, &arrays, N));
    for (cl_uint k = 0; k < count; k++) {
        const cl_uint last = 7 * k + 6 < N ? 7 * k + 6 : N - 1;
        expected[k] = (cl_uint2){{k * (last - 7 * k + 1), k}};
    }
    expect_elements(expected, of_runs, (N + 6) / 7, sizeof out[0]);
    clprims_scan_destroy(scan_plan);
    clprims_reduce_destroy(reduce_plan);
    clprims_segmented_destroy(segmented_plan);
}

/* ---- Cases ---- */

void test_program(test_cases *cases) {
    static const struct_case tries[] = {
        {NULL, "scan", NULL, scan},
        {NULL, "scan", "GROUP=32 ROWS=1", scan},
        {NULL, "reduce", NULL, reduce},
        {NULL, "reduce", "GROUP=32", reduce},
        {NULL, "segmented", NULL, segmented},
        {NULL, "segmented", "GROUP=8 SHARE=11 GROUPS=64", segmented},
        {NULL, "listscan", NULL, listscan},
        {NULL, "sort", NULL, sort},
        {NULL, "topk", NULL, topk},
        {NULL, "merge", NULL, merge},
        {NULL, "merge", "GROUP=8 ITEMS=3", merge},
        {NULL, "search", "GROUP=4 ITEMS=3 PIVOTS=5 BLOCK=2 LEAST=0", search},
        {NULL, "histogram", NULL, histogram},
    };
    enum { TRIES = sizeof tries / sizeof tries[0] };
    test_add_plain(cases, of_numbers, "structs/results-of-numbers");
    for (size_t k = 0; k < SIZED_STRUCTS * TRIES; k++) {
        struct_case c = tries[k / SIZED_STRUCTS];
        const size_t type = k % SIZED_STRUCTS;
        c.type = &sized_structs[type];
        /* In the default tier each try has two types. */
        if (!test_long() && (type + k / SIZED_STRUCTS) % 4 != 0) continue;
        /* A look-ahead has other knobs. */
        if (c.tuning != NULL && test_info().layer == CLPRIMS_LAYER_NVIDIA) continue;
        test_add_row(cases, is_right, c, "structs/%s/%s%s", c.name, c.type->name,
                     c.tuning != NULL ? "/tuned" : "");
    }
}
