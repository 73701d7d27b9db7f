/* SPDX-License-Identifier: MIT */
/* How often each text is evaluated for an element, as the headers say. Here texts do what they must
 * not, and count. */
#include "fixtures/segmented_cases.h"
#include "fixtures/select_cases.h"
#include "subjects/draws/sort_order.h"

enum { N = 60000, RUNS = (N + 699) / 700, BINS = 8 };

typedef struct count_case {
    const char *name;
    size_t most; /* evaluations, as the header says */
    clprims_algorithm algorithm;
    const char *tuning;
    const subject *of;
    const void *desc;
    void *at[SUBJECT_SLOTS];
    size_t given; /* segments */
    int64_t segments; /* that a reduction reports */
} count_case;

/* An element is its own index. */
static uint32_t numbers[N], results[N];
static int64_t offsets[5] = {0, 7, 7, 40000, N};
static int32_t next[N];
static float weights[N];
static uint64_t bins[BINS], count;

#define AUTO CLPRIMS_ALGORITHM_AUTO
#define ONE_PASS CLPRIMS_ALGORITHM_LOOKBACK
#define LEVELS CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN
#define SHARES "GROUP=8 SHARE=7 GROUPS=64"
#define ROWS "GROUP=1 ROWS=64"

#define COUNTED "(atomic_inc(count + i), x)"
#define COUNTED_R "(atomic_inc(count + i), r)"
#define COUNTED_EQUAL "(atomic_inc(count + b), a / 700 == b / 700)"
#define ODD "(atomic_inc(count + i), x % 2 != 0)"

#define COUNT .parameters = "volatile global uint *count"
#define WORDS .type = CLPRIMS_U32, COUNT
#define SCAN(...) &subject_scan, SUBJECT_DESC(scan, WORDS, .inclusive = 1, __VA_ARGS__)
#define ADDS .op = CLPRIMS_CUSTOM, .custom = {.op = "a + b"}
#define LISTSCAN(...) &subject_listscan, SUBJECT_DESC(listscan, WORDS, .inclusive = 1, __VA_ARGS__)
#define REDUCE(...) &subject_reduce, SUBJECT_DESC(reduce, WORDS, __VA_ARGS__)
#define SEGMENTED(...) &subject_segmented, SUBJECT_DESC(segmented, WORDS, __VA_ARGS__)
#define INCLUSIVE CLPRIMS_SEGMENTED_INCLUSIVE
#define BY_KEYS(...)                                                                               \
    SEGMENTED(.by = CLPRIMS_SEGMENTS_KEYS, .heads_type = CLPRIMS_U32, .equal = COUNTED_EQUAL,      \
              __VA_ARGS__)
#define SELECT(...)                                                                                \
    &subject_select, SUBJECT_DESC(select, .arrays = 1, .type[0] = CLPRIMS_U32, COUNT, __VA_ARGS__)
#define BY_ODD(...) SELECT(.by = CLPRIMS_SELECT_PREDICATE, .predicate = ODD, __VA_ARGS__)
#define BY_RUNS(...) SELECT(.by = CLPRIMS_SELECT_RUNS, __VA_ARGS__)
#define SORT(...) &subject_sort, SUBJECT_DESC(sort, WORDS, __VA_ARGS__)
#define HISTOGRAM(...)                                                                             \
    &subject_histogram, SUBJECT_DESC(histogram, WORDS, .by = CLPRIMS_HISTOGRAM_EXPRESSION,         \
                                     .weights = CLPRIMS_F32, .bins = BINS, __VA_ARGS__)
#define MAP(...) &subject_map, SUBJECT_DESC(map, WORDS, __VA_ARGS__)

#define BOTH_AT .at = {numbers, results}
#define OFFSETS_AT                                                                                 \
    .given = 4, .segments = 4,                                                                     \
    .at = {[SEGMENTED_IN] = numbers, [SEGMENTED_HEADS] = offsets, [SEGMENTED_OUT] = results}
#define KEYS_AT                                                                                    \
    .at = {[SEGMENTED_IN] = numbers, [SEGMENTED_HEADS] = numbers, [SEGMENTED_OUT] = results}
#define SELECT_AT .at = {[SELECT_IN] = numbers, [SELECT_OUT] = results, [SELECT_COUNT] = &count}
#define SORT_AT .at = {[SORT_IN] = numbers, [SORT_OUT] = results}
#define HISTOGRAM_AT .at = {numbers, weights, bins}
#define LIST_AT .at = {next, numbers, results}

static const count_case tries[] = {
    {"scan/input", 2, AUTO, NULL, SCAN(.input = COUNTED), BOTH_AT},
    {"scan/input", 2, ONE_PASS, "GROUP=1 ROWS=2", SCAN(.input = COUNTED), BOTH_AT},
    {"scan/input", 3, LEVELS, "GROUP=1 ROWS=2", SCAN(.input = COUNTED), BOTH_AT},
    {"scan/input", 2, ONE_PASS, "GROUP=1 ROWS=99", SCAN(.input = COUNTED), BOTH_AT},
    {"scan/input", 3, LEVELS, "GROUP=1 ROWS=99", SCAN(.input = COUNTED), BOTH_AT},
    {"scan/input-custom", 2, ONE_PASS, "GROUP=1 ROWS=2", SCAN(.input = COUNTED, ADDS), BOTH_AT},
    {"scan/input-custom", 3, LEVELS, "GROUP=1 ROWS=2", SCAN(.input = COUNTED, ADDS), BOTH_AT},
    {"scan/result", 1, AUTO, NULL, SCAN(.result = COUNTED_R), BOTH_AT},
    {"reduce/input", 1, AUTO, NULL, REDUCE(.input = COUNTED), BOTH_AT},
    {"segmented/reduce", 2, AUTO, SHARES, SEGMENTED(.input = COUNTED), OFFSETS_AT},
    {"segmented/scan", 2, AUTO, NULL, SEGMENTED(.kind = INCLUSIVE, .input = COUNTED), OFFSETS_AT},
    {"segmented/scan", 3, AUTO, SHARES, SEGMENTED(.kind = INCLUSIVE, .input = COUNTED), OFFSETS_AT},
    {"segmented/result", 1, AUTO, SHARES, SEGMENTED(.kind = INCLUSIVE, .result = COUNTED_R),
     OFFSETS_AT},
    {"segmented/equal", 4, AUTO, SHARES, BY_KEYS(.kind = CLPRIMS_SEGMENTED_REDUCE),
     .segments = RUNS, KEYS_AT},
    {"segmented/scan-equal", 4, AUTO, SHARES, BY_KEYS(.kind = CLPRIMS_SEGMENTED_EXCLUSIVE),
     KEYS_AT},
    {"select/predicate", 3, AUTO, NULL, BY_ODD(.partition = 0), SELECT_AT},
    {"select/predicate", 6, LEVELS, ROWS, BY_ODD(.partition = 0), SELECT_AT},
    {"select/partition", 12, LEVELS, ROWS, BY_ODD(.partition = 1), SELECT_AT},
    {"select/equal", 3, ONE_PASS, ROWS, BY_RUNS(.equal = COUNTED_EQUAL), SELECT_AT},
    {"select/equal", 6, LEVELS, ROWS, BY_RUNS(.equal = COUNTED_EQUAL), SELECT_AT},
    {"select/result", 1, AUTO, NULL, SELECT(.by = CLPRIMS_SELECT_NONZERO, .result = COUNTED_R),
     SELECT_AT},
    {"sort/key", 1, AUTO, NULL, SORT(.key = "(atomic_inc(count + i), ~x)"), SORT_AT},
    {"histogram/bin", 3, AUTO, NULL, HISTOGRAM(.bin = "(atomic_inc(count + i), x % 8)"),
     HISTOGRAM_AT},
    {"map/value", 1, AUTO, NULL, MAP(.output = {{.value = COUNTED}}), BOTH_AT},
    {"listscan/input", 3, AUTO, NULL, LISTSCAN(.input = COUNTED), LIST_AT},
    {"listscan/input", 3, AUTO, "SINGLE=0", LISTSCAN(.input = COUNTED), LIST_AT},
};

/* Subjects compare what a run reports besides. */
static void run(const count_case *c, cl_mem counts) {
    const size_t most[SUBJECT_NUMBERS] = {N, c->given};
    union {
        clprims_histogram_report histogram;
        clprims_segmented_report segmented;
    } report = {.histogram = {0}};
    subject_described described = {.of = c->of};
    subject_describe(c->of, c->desc, c->tuning, most, described.desc.bytes);
    if (c->algorithm != AUTO) c->of->plans.set_way(described.desc.bytes, (int)c->algorithm);
    subject_data d = subject_data_like(&described);
    d.n[0] = N;
    d.n[1] = c->of == &subject_select ? N : c->given;
    d.head = FIND_HEAD;
    if (c->of == &subject_segmented) report.segmented.segments = c->segments;
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) d.at[k].expected = &report;
    void *plan = subject_made_plan(c->of, described.desc.bytes);
    expect_ok(c->of->set_parameter(plan, 0, sizeof counts, &counts));
    expect_ok(c->of->run(plan, &d, c->at));
}

static void count_is_right(const void *data) {
    const count_case *c = data;
    static uint32_t counts[N];
    uint32_t most = 0;
    memset(counts, 0, sizeof counts);
    test_buffer buffer = test_buffer_create(counts, N, sizeof counts[0], 0);
    for (uint32_t i = 0; i < N; i++) {
        numbers[i] = i;
        next[i] = i + 1 < N ? (int32_t)i + 1 : -1;
    }
    run(c, buffer.at.mem);
    test_buffer_read(&buffer, counts);
    for (size_t i = 0; i < N; i++) most = counts[i] > most ? counts[i] : most;
    if (most == 0 || most > c->most)
        test_fail("%u evaluations, not 1 to %zu", (unsigned)most, c->most);
}

void test_program(test_cases *cases) {
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        const count_case *c = &tries[k];
        if (c->tuning != NULL && !test_bears_shapes()) continue;
        test_add_row(cases, count_is_right, *c, "evaluations/%s/%s%s%s", c->name,
                     clprims_algorithm_name(c->algorithm), c->tuning != NULL ? "/" : "",
                     c->tuning != NULL ? c->tuning : "");
    }
}
