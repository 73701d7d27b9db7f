/* SPDX-License-Identifier: MIT */
/* Reductions whose number of elements stands in device memory. */
#include "fixtures/count_cases.h"
#include "reduce/reduce_cases.h"

#include <stdlib.h>
#include <string.h>

/* Above 2^20 elements blocks are larger, so that fewer elements may take more groups. */
static size_t most_n(void) {
    return test_small() ? 1500 : (1 << 20) + 5;
}

static clprims_reduce_desc describe(clprims_op op, const reduce_shape *shape) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = CLPRIMS_F32;
    desc.op = op;
    desc.max_n = most_n();
    desc.tuning = shape->tuning;
    return desc;
}

static void run_counted(clprims_reduce *reduce, const clprims_reduce_desc *desc, const void *in,
                        test_buffer *from, uint64_t n) {
    const size_t bytes = oracle_reduce_bytes(desc);
    const bool refused = n > desc->max_n, is_empty = n == 0 && desc->op >= CLPRIMS_ARGMIN;
    unsigned char expected[8] = {9, 9, 9, 9, 9, 9, 9, 9}, actual[8];
    test_buffer to = test_buffer_create(expected, 1, bytes, n % 3);
    test_buffer said = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), n % 2);
    test_buffer number = test_buffer_create(&n, 1, 8, 1);
    clprims_reduce_report report;
    expect_ok(clprims_reduce_enqueue_counted(reduce, test_queue(), from->at, to.at, number.at,
                                             said.at, 0, NULL, NULL));
    test_buffer_read(&to, actual);
    test_buffer_read(&said, &report);
    test_buffer_expect_unchanged(&number, &n);
    assert_true((uint64_t)report.count == n);
    assert_int_equal(report.fault, refused    ? CLPRIMS_REDUCE_COUNT
                                   : is_empty ? CLPRIMS_REDUCE_EMPTY
                                              : CLPRIMS_REDUCE_VALID);
    if (n == 0 && !is_empty) memset(expected, 0, bytes);
    if (!refused && n > 0) oracle_reduce(desc, in, expected, (size_t)n);
    expect_elements(expected, actual, 1, bytes);
    test_buffer_release(&to);
    test_buffer_release(&said);
    test_buffer_release(&number);
}

/* Plain and counted runs of one plan in turn, with the same bits. */
static void counted_is_right(const void *data) {
    const clprims_reduce_desc *desc = data;
    clprims_reduce *reduce = reduce_plan(desc);
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    float *in = test_alloc(desc->max_n, sizeof *in);
    unsigned char expected[8], actual[8];
    test_random_unit(CLPRIMS_F32, in, desc->max_n);
    test_buffer from = test_buffer_create(in, desc->max_n, sizeof *in, 1);
    expect_ok(clprims_reduce_describe(reduce, 1, &info));
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, info.block, desc->max_n);
        test_note("n = %llu", (unsigned long long)n);
        run_counted(reduce, desc, in, &from, n);
        if (n > desc->max_n || n == 0) continue;
        oracle_reduce(desc, in, expected, (size_t)n);
        reduce_on_device(reduce, desc, in, 2, (size_t)n, actual);
        expect_elements(expected, actual, 1, oracle_reduce_bytes(desc));
    }
    /* Where groups get another block, up to the most blocks, of the smallest size. */
    const bool by_groups = strcmp(info.variant, "group") == 0 && !test_small();
    for (size_t n = most_n() / 8; n <= desc->max_n && by_groups; n *= 2) {
        for (size_t more = 0; more < 3; more++) {
            test_note("n = %zu", n / 1024 * 1024 + more - 1);
            run_counted(reduce, desc, in, &from, n / 1024 * 1024 + more - 1);
        }
    }
    test_buffer_expect_unchanged(&from, in);
    test_buffer_release(&from);
    free(in);
}

static void counted_is_refused(const void *data) {
    const clprims_reduce_desc *desc = data;
    const clprims_buffer none = {NULL, 0};
    clprims_reduce *reduce = reduce_plan(desc);
    cl_command_queue queue = test_queue();
    const clprims_reduce_report refused = {CLPRIMS_REDUCE_COUNT, -5};
    test_buffer in = test_buffer_create(NULL, desc->max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, 1, 8, 0);
    test_buffer few = test_buffer_create(NULL, 8, 4, 0);
    test_buffer number = test_buffer_create(NULL, 4, 8, 0);
    const clprims_buffer i = in.at, o = out.at, n = number.at;
    expect_failure(clprims_reduce_enqueue_counted(NULL, queue, i, o, n, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_reduce_enqueue_counted(reduce, NULL, i, o, n, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(clprims_reduce_enqueue_counted(reduce, queue, i, o, none, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n.mem is NULL");
    expect_failure(clprims_reduce_enqueue_counted(reduce, queue, i, o, o, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n (first = 0, n = 1) overlaps out");
    expect_failure(clprims_reduce_enqueue_counted(reduce, queue, i, o, n, n, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps n");
    expect_failure(clprims_reduce_enqueue_counted(reduce, queue, few.at, o, n, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "in has room for");
    expect_failure(clprims_reduce_check(&refused), CLPRIMS_ERR_DATA,
                   "reduce: n = 18446744073709551611");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&few);
    test_buffer_release(&number);
}

/* Groups of one block each, of some that do not divide the blocks, and late ones whose run numbers
 * are used up. */
static void add_blocks(test_cases *cases) {
    static const reduce_shape shapes[] = {
        {"one-block", "GROUP=128 BLOCKS=1"},
        {"five-blocks", "GROUP=128 BLOCKS=5 READERS=1 WAITERS=0 DEPTH=4"},
        {"late", "GROUP=128 BLOCKS=8 READERS=1 DELAY=200 RUN=1073741818"}};
    for (size_t s = 0; s < 3 && test_bears_shapes(); s++) {
        clprims_reduce_desc desc = describe(s == 1 ? CLPRIMS_ARGMIN : CLPRIMS_ADD, &shapes[s]);
        test_add(cases, counted_is_right, &desc, sizeof desc, "reduce/counted/%s/%s",
                 clprims_op_name(desc.op), shapes[s].name);
    }
}

void add_counted_cases(test_cases *cases) {
    const clprims_op ops[] = {CLPRIMS_ADD, CLPRIMS_ARGMAX};
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
        for (size_t s = 0; s < REDUCE_SHAPES; s++) {
            const clprims_reduce_desc desc = describe(ops[k], &reduce_shapes[s]);
            if (s > 0 && (k > 0 || !test_bears_shapes())) continue; /* one reports EMPTY */
            test_add(cases, counted_is_right, &desc, sizeof desc, "reduce/counted/%s/%s",
                     clprims_op_name(ops[k]), reduce_shapes[s].name);
            if (k > 0 || s > 0) continue;
            test_add(cases, counted_is_refused, &desc, sizeof desc, "reduce/counted/refusals");
        }
    }
    add_blocks(cases);
}
