/* SPDX-License-Identifier: MIT */
/* How often each text is evaluated for an element, as the headers say. Here texts do what they must
 * not, and count. */
#include "subjects/subjects.h"

enum { N = 60000 };

typedef struct count_case count_case;

struct count_case {
    const char *name;
    size_t most; /* evaluations, as the header says */
    clprims_algorithm algorithm;
    const char *tuning;
    void (*run)(const count_case *c, cl_mem counts);
};

static const char count_parameter[] = "volatile global uint *count";

/* x is the index of its element. */
static uint32_t numbers[N], results[N];

static void run_scan(const count_case *c, cl_mem counts, const char *input, const char *result) {
    const clprims_scan_desc desc = {.type = CLPRIMS_U32,
                                    .inclusive = 1,
                                    .max_n = N,
                                    .algorithm = c->algorithm,
                                    .input = input,
                                    .result = result,
                                    .tuning = c->tuning,
                                    .parameters = count_parameter};
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    expect_ok(clprims_scan_set_parameter(scan, 0, sizeof counts, &counts));
    expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = numbers, .out = results}, N));
    clprims_scan_destroy(scan);
}

#define COUNTED "(atomic_inc(count + i), x)"

static void scan_input(const count_case *c, cl_mem counts) {
    run_scan(c, counts, COUNTED, NULL);
}

static void scan_result(const count_case *c, cl_mem counts) {
    run_scan(c, counts, NULL, "(atomic_inc(count + i), r)");
}

static void reduce_input(const count_case *c, cl_mem counts) {
    const clprims_reduce_desc desc = {.type = CLPRIMS_U32,
                                      .max_n = N,
                                      .input = COUNTED,
                                      .tuning = c->tuning,
                                      .parameters = count_parameter};
    clprims_reduce *reduce = subject_made_plan(&subject_reduce, &desc);
    expect_ok(clprims_reduce_set_parameter(reduce, 0, sizeof counts, &counts));
    expect_ok(
        clprims_reduce_run(reduce, &(clprims_reduce_arrays){.in = numbers, .out = results}, N));
    clprims_reduce_destroy(reduce);
}

static void run_segmented(const count_case *c, cl_mem counts, clprims_segmented_desc desc,
                          const void *heads, size_t segments) {
    size_t count;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.max_segments = segments;
    desc.tuning = c->tuning;
    desc.parameters = count_parameter;
    clprims_segmented *plan = subject_made_plan(&subject_segmented, &desc);
    expect_ok(clprims_segmented_set_parameter(plan, 0, sizeof counts, &counts));
    const clprims_segmented_arrays arrays = {numbers, heads,  results,
                                             NULL,    &count, .sizes.segments = segments};
    expect_ok(clprims_segmented_run(plan, &arrays, N));
    clprims_segmented_destroy(plan);
}

static void segmented_reduce(const count_case *c, cl_mem counts) {
    const int64_t offsets[5] = {0, 7, 7, 40000, N};
    run_segmented(c, counts, (clprims_segmented_desc){.input = COUNTED}, offsets, 4);
}

static void segmented_scan(const count_case *c, cl_mem counts) {
    const int64_t offsets[5] = {0, 7, 7, 40000, N};
    run_segmented(c, counts,
                  (clprims_segmented_desc){.kind = CLPRIMS_SEGMENTED_INCLUSIVE, .input = COUNTED},
                  offsets, 4);
}

static void segmented_result(const count_case *c, cl_mem counts) {
    const int64_t offsets[5] = {0, 7, 7, 40000, N};
    run_segmented(c, counts,
                  (clprims_segmented_desc){.kind = CLPRIMS_SEGMENTED_INCLUSIVE,
                                           .result = "(atomic_inc(count + i), r)"},
                  offsets, 4);
}

static void segmented_equal(const count_case *c, cl_mem counts) {
    run_segmented(c, counts,
                  (clprims_segmented_desc){.by = CLPRIMS_SEGMENTS_KEYS,
                                           .heads_type = CLPRIMS_U32,
                                           .equal = "(atomic_inc(count + b), a / 700 == b / 700)"},
                  numbers, 0);
}

static void segmented_scan_equal(const count_case *c, cl_mem counts) {
    run_segmented(c, counts,
                  (clprims_segmented_desc){.kind = CLPRIMS_SEGMENTED_EXCLUSIVE,
                                           .by = CLPRIMS_SEGMENTS_KEYS,
                                           .heads_type = CLPRIMS_U32,
                                           .equal = "(atomic_inc(count + b), a / 700 == b / 700)"},
                  numbers, 0);
}

static void run_select(const count_case *c, cl_mem counts, clprims_select_desc desc) {
    size_t count;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_U32;
    desc.max_n = N;
    desc.algorithm = c->algorithm;
    desc.tuning = c->tuning;
    desc.parameters = count_parameter;
    clprims_select *plan = subject_made_plan(&subject_select, &desc);
    expect_ok(clprims_select_set_parameter(plan, 0, sizeof counts, &counts));
    const clprims_select_arrays arrays = {.in = {numbers}, .out = {results}, .count = &count};
    expect_ok(clprims_select_run(plan, &arrays, N));
    clprims_select_destroy(plan);
}

#define ODD "(atomic_inc(count + i), x % 2 != 0)"

static void select_predicate(const count_case *c, cl_mem counts) {
    run_select(c, counts, (clprims_select_desc){.by = CLPRIMS_SELECT_PREDICATE, .predicate = ODD});
}

static void select_partition(const count_case *c, cl_mem counts) {
    run_select(
        c, counts,
        (clprims_select_desc){.by = CLPRIMS_SELECT_PREDICATE, .predicate = ODD, .partition = 1});
}

static void select_equal(const count_case *c, cl_mem counts) {
    run_select(c, counts,
               (clprims_select_desc){.by = CLPRIMS_SELECT_RUNS,
                                     .equal = "(atomic_inc(count + b), a / 700 == b / 700)"});
}

static void select_result(const count_case *c, cl_mem counts) {
    run_select(c, counts,
               (clprims_select_desc){.by = CLPRIMS_SELECT_NONZERO,
                                     .result = "(atomic_inc(count + i), r)"});
}

static void sort_key(const count_case *c, cl_mem counts) {
    const clprims_sort_desc desc = {.type = CLPRIMS_U32,
                                    .max_n = N,
                                    .key = "(atomic_inc(count + i), ~x)",
                                    .tuning = c->tuning,
                                    .parameters = count_parameter};
    clprims_sort *sort = subject_made_plan(&subject_sort, &desc);
    expect_ok(clprims_sort_set_parameter(sort, 0, sizeof counts, &counts));
    const clprims_sort_arrays arrays = {.keys_in = numbers, .keys_out = results};
    expect_ok(clprims_sort_run(sort, &arrays, N));
    clprims_sort_destroy(sort);
}

static void histogram_bin(const count_case *c, cl_mem counts) {
    uint64_t bins[8];
    const clprims_histogram_desc desc = {.by = CLPRIMS_HISTOGRAM_EXPRESSION,
                                         .type = CLPRIMS_U32,
                                         .weights = CLPRIMS_F32,
                                         .bins = 8,
                                         .max_n = N,
                                         .bin = "(atomic_inc(count + i), x % 8)",
                                         .tuning = c->tuning,
                                         .parameters = count_parameter};
    static float weights[N];
    clprims_histogram *plan = subject_made_plan(&subject_histogram, &desc);
    expect_ok(clprims_histogram_set_parameter(plan, 0, sizeof counts, &counts));
    const clprims_histogram_arrays arrays = {.in = numbers, .weights = weights, .out = bins};
    expect_ok(clprims_histogram_run(plan, &arrays, N));
    clprims_histogram_destroy(plan);
}

static void map_value(const count_case *c, cl_mem counts) {
    const clprims_map_desc desc = {.type = CLPRIMS_U32,
                                   .max_n = N,
                                   .output = {{.value = COUNTED}},
                                   .tuning = c->tuning,
                                   .parameters = count_parameter};
    clprims_map *map = subject_made_plan(&subject_map, &desc);
    expect_ok(clprims_map_set_parameter(map, 0, sizeof counts, &counts));
    expect_ok(clprims_map_run(map, &(clprims_map_arrays){.in = numbers, .out = {results}}, N));
    clprims_map_destroy(map);
}

static void listscan_input(const count_case *c, cl_mem counts) {
    const clprims_listscan_desc desc = {.type = CLPRIMS_U32,
                                        .inclusive = 1,
                                        .max_n = N,
                                        .input = COUNTED,
                                        .tuning = c->tuning,
                                        .parameters = count_parameter};
    static int32_t next[N];
    for (size_t i = 0; i < N; i++) next[i] = i + 1 < N ? (int32_t)i + 1 : -1;
    clprims_listscan *scan = subject_made_plan(&subject_listscan, &desc);
    expect_ok(clprims_listscan_set_parameter(scan, 0, sizeof counts, &counts));
    const clprims_listscan_arrays arrays = {.next = next, .values = numbers, .out = results};
    expect_ok(clprims_listscan_run(scan, &arrays, N));
    clprims_listscan_destroy(scan);
}

static void count_is_right(const void *data) {
    const count_case *c = data;
    static uint32_t counts[N];
    uint32_t most = 0;
    memset(counts, 0, sizeof counts);
    test_buffer buffer = test_buffer_create(counts, N, sizeof counts[0], 0);
    for (uint32_t i = 0; i < N; i++) numbers[i] = i;
    c->run(c, buffer.at.mem);
    test_buffer_read(&buffer, counts);
    for (size_t i = 1; i < N; i++) most = counts[i] > most ? counts[i] : most;
    if (most == 0 || most > c->most)
        test_fail("%u evaluations, not 1 to %zu", (unsigned)most, c->most);
    test_buffer_release(&buffer);
}

#define SHARES "GROUP=8 SHARE=7 GROUPS=64"
#define AUTO CLPRIMS_ALGORITHM_AUTO
#define ONE_PASS CLPRIMS_ALGORITHM_LOOKBACK
#define LEVELS CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN

void test_program(test_cases *cases) {
    static const count_case tries[] = {
        {"scan/input", 2, AUTO, NULL, scan_input},
        {"scan/input", 2, ONE_PASS, "GROUP=1 ROWS=2", scan_input},
        {"scan/input", 3, LEVELS, "GROUP=1 ROWS=2", scan_input},
        {"scan/result", 1, AUTO, NULL, scan_result},
        {"reduce/input", 1, AUTO, NULL, reduce_input},
        {"segmented/reduce", 2, AUTO, SHARES, segmented_reduce},
        {"segmented/scan", 2, AUTO, SHARES, segmented_scan},
        {"segmented/result", 1, AUTO, SHARES, segmented_result},
        {"segmented/equal", 4, AUTO, SHARES, segmented_equal},
        {"segmented/scan-equal", 4, AUTO, SHARES, segmented_scan_equal},
        {"select/predicate", 3, AUTO, NULL, select_predicate},
        {"select/predicate", 6, LEVELS, "GROUP=1 ROWS=64", select_predicate},
        {"select/partition", 12, LEVELS, "GROUP=1 ROWS=64", select_partition},
        {"select/equal", 3, ONE_PASS, "GROUP=1 ROWS=64", select_equal},
        {"select/equal", 6, LEVELS, "GROUP=1 ROWS=64", select_equal},
        {"select/result", 1, AUTO, NULL, select_result},
        {"sort/key", 1, AUTO, NULL, sort_key},
        {"histogram/bin", 3, AUTO, NULL, histogram_bin},
        {"map/value", 1, AUTO, NULL, map_value},
        {"listscan/input", 3, AUTO, NULL, listscan_input},
        {"listscan/input", 3, AUTO, "SINGLE=0", listscan_input},
    };
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        const count_case *c = &tries[k];
        if (c->tuning != NULL && !test_bears_shapes()) continue;
        test_add(cases, count_is_right, c, sizeof *c, "evaluations/%s/%s%s%s", c->name,
                 clprims_algorithm_name(c->algorithm), c->tuning != NULL ? "/" : "",
                 c->tuning != NULL ? c->tuning : "");
    }
}
