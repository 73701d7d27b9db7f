/* SPDX-License-Identifier: MIT */
/* Selection, scan, reduction of segments, and reduction in a row: no count reaches the host. */
#include "fixtures/count_cases.h"
#include "segmented/segmented_tries.h"

enum { MOST_N = 3000 };

/* One plan of each kind. */
typedef struct chain {
    clprims_select *select;
    clprims_scan *scan;
    clprims_segmented *segmented;
    clprims_reduce *reduce;
} chain;

/* Keeps values above a limit and their keys; scans them; sums the scanned ones by key; takes the
 * greatest sum. */
static chain chain_create(void) {
    chain c = {NULL, NULL, NULL, NULL};
    clprims_scan_desc scan = {0};
    clprims_segmented_desc segmented = {0};
    clprims_reduce_desc reduce = {0};
    clprims_select_desc select = {.by = CLPRIMS_SELECT_PREDICATE,
                                  .arrays = 2,
                                  .type[0] = CLPRIMS_U32,
                                  .type[1] = CLPRIMS_I32,
                                  .predicate = "x > limit",
                                  .parameters = "uint limit"};
    scan.type = segmented.type = reduce.type = CLPRIMS_U32;
    scan.inclusive = 1;
    segmented.by = CLPRIMS_SEGMENTS_KEYS;
    segmented.heads_type = CLPRIMS_I32;
    segmented.unique_keys = 1;
    reduce.op = CLPRIMS_MAX;
    select.max_n = scan.max_n = segmented.max_n = reduce.max_n = MOST_N;
    expect_ok(clprims_select_create(&c.select, test_context(), &select));
    expect_ok(clprims_scan_create(&c.scan, test_context(), &scan));
    expect_ok(clprims_segmented_create(&c.segmented, test_context(), &segmented));
    expect_ok(clprims_reduce_create(&c.reduce, test_context(), &reduce));
    return c;
}

static void chain_destroy(chain *c) {
    clprims_select_destroy(c->select);
    clprims_scan_destroy(c->scan);
    clprims_segmented_destroy(c->segmented);
    clprims_reduce_destroy(c->reduce);
}

enum { VALUES, KEYS, KEPT, KEPT_KEYS, SCANNED, SUMS, SUM_KEYS, GREATEST, ARRAYS };

typedef struct chain_buffers {
    test_buffer array[ARRAYS];
    test_buffer n, kept, segments; /* numbers of elements */
    test_buffer scanned, report, reduced; /* reports */
} chain_buffers;

static chain_buffers buffers_create(const uint32_t *values, const int32_t *keys, uint64_t n) {
    chain_buffers b;
    for (size_t i = 0; i < ARRAYS; i++) {
        const void *from = i == VALUES ? (const void *)values : i == KEYS ? keys : NULL;
        b.array[i] = test_buffer_create(from, i == GREATEST ? 1 : MOST_N, 4, i % 3);
    }
    b.n = test_buffer_create(&n, 1, 8, 1);
    b.kept = test_buffer_create(NULL, 1, 8, 2);
    b.segments = test_buffer_create(NULL, 1, 8, 0);
    b.scanned = test_buffer_create(NULL, 1, sizeof(clprims_scan_report), 1);
    b.report = test_buffer_create(NULL, 1, sizeof(clprims_segmented_report), 1);
    b.reduced = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), 0);
    return b;
}

static void chain_submit(const chain *c, const chain_buffers *b, uint32_t limit) {
    cl_command_queue queue = test_queue();
    clprims_select_buffers select = {.in[0] = b->array[VALUES].at,
                                     .in[1] = b->array[KEYS].at,
                                     .out[0] = b->array[KEPT].at,
                                     .out[1] = b->array[KEPT_KEYS].at,
                                     .count = b->kept.at};
    clprims_segmented_buffers segmented = {.in = b->array[SCANNED].at,
                                           .heads = b->array[KEPT_KEYS].at,
                                           .out = b->array[SUMS].at,
                                           .keys = b->array[SUM_KEYS].at,
                                           .count = b->segments.at,
                                           .report = b->report.at};
    expect_ok(clprims_select_set_parameter(c->select, 0, sizeof limit, &limit));
    select.n = b->n.at;
    expect_ok(clprims_select_enqueue(c->select, queue, &select, MOST_N, 0, NULL, NULL));
    expect_ok(clprims_scan_enqueue(c->scan, queue,
                                   &(clprims_scan_buffers){.in = b->array[KEPT].at,
                                                           .out = b->array[SCANNED].at,
                                                           .n = b->kept.at,
                                                           .report = b->scanned.at},
                                   MOST_N, 0, NULL, NULL));
    segmented.n = b->kept.at;
    expect_ok(clprims_segmented_enqueue(c->segmented, queue, &segmented, MOST_N, 0, NULL, NULL));
    expect_ok(clprims_reduce_enqueue(c->reduce, queue,
                                     &(clprims_reduce_buffers){.in = b->array[SUMS].at,
                                                               .out = b->array[GREATEST].at,
                                                               .n = b->segments.at,
                                                               .report = b->reduced.at},
                                     MOST_N, 0, NULL, NULL));
}

/* The number of runs of equal keys among the values above the limit, their keys and sums. */
static size_t twin(const uint32_t *values, const int32_t *keys, size_t n, uint32_t limit,
                   uint32_t *sums, int32_t *sum_keys) {
    size_t count = 0;
    uint32_t running = 0;
    for (size_t i = 0; i < n; i++) {
        if (values[i] <= limit) continue;
        running += values[i];
        if (count == 0 || sum_keys[count - 1] != keys[i]) {
            sum_keys[count] = keys[i];
            sums[count++] = 0;
        }
        sums[count - 1] += running;
    }
    return count;
}

static void expect_chain(const chain_buffers *b, const uint32_t *values, const int32_t *keys,
                         size_t n, uint32_t limit) {
    uint32_t *sums = test_scratch(MOST_N, 4), *found = test_scratch(MOST_N, 4);
    int32_t *sum_keys = test_scratch(MOST_N, 4);
    uint32_t greatest = 0, found_greatest;
    uint64_t counted;
    const size_t count = twin(values, keys, n, limit, sums, sum_keys);
    for (size_t s = 0; s < count; s++) greatest = sums[s] > greatest ? sums[s] : greatest;
    test_buffer_read(&b->segments, &counted);
    test_buffer_read(&b->array[GREATEST], &found_greatest);
    assert_true(counted == count);
    assert_int_equal(found_greatest, greatest);
    test_buffer_read(&b->array[SUMS], found);
    expect_elements(sums, found, count, 4);
    test_buffer_read(&b->array[SUM_KEYS], found);
    expect_elements(sum_keys, found, count, 4);
}

static void expect_reports(const chain_buffers *b, bool refused) {
    const clprims_status verdict = refused ? CLPRIMS_ERR_DATA : CLPRIMS_OK;
    clprims_scan_report scanned;
    clprims_segmented_report report;
    clprims_reduce_report reduced;
    test_buffer_read(&b->scanned, &scanned);
    test_buffer_read(&b->report, &report);
    test_buffer_read(&b->reduced, &reduced);
    assert_int_equal(clprims_scan_check(&scanned), verdict);
    assert_int_equal(clprims_segmented_check(&report), verdict);
    assert_int_equal(clprims_reduce_check(&reduced), verdict);
}

static void expect_nothing(const chain_buffers *b) {
    uint64_t kept, segments;
    test_buffer_read(&b->kept, &kept);
    test_buffer_read(&b->segments, &segments);
    assert_true(kept == CLPRIMS_SELECT_REFUSED);
    assert_true(segments == CLPRIMS_SEGMENTED_REFUSED);
    for (size_t i = KEPT; i < ARRAYS; i++) test_buffer_expect_unchanged(&b->array[i], NULL);
}

/* The same plans with other numbers, some of which no plan takes, and limits. */
static void counts_stay_on_the_device(void) {
    static const uint32_t limits[] = {50, 0, 98, 100};
    chain c = chain_create();
    uint32_t *values = test_scratch(MOST_N, 4);
    int32_t *keys = test_scratch(MOST_N, 4);
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, 64, MOST_N);
        for (size_t i = 0; i < MOST_N; i++) {
            values[i] = (uint32_t)test_random_below(100);
            keys[i] = i > 0 ? keys[i - 1] + (test_random_below(7) == 0) : 5;
        }
        test_note("n = %llu, limit = %u", (unsigned long long)n, limits[k % 4]);
        chain_buffers b = buffers_create(values, keys, n);
        chain_submit(&c, &b, limits[k % 4]);
        expect_reports(&b, n > MOST_N);
        if (n <= MOST_N) {
            expect_chain(&b, values, keys, (size_t)n, limits[k % 4]);
        } else {
            expect_nothing(&b);
        }
    }
    chain_destroy(&c);
}

void add_chain_cases(test_cases *cases) {
    if (test_small()) return; /* each plan's own tests show its accesses */
    test_add_plain(cases, counts_stay_on_the_device, "segmented/chain");
}
