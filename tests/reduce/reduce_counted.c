/* SPDX-License-Identifier: MIT */
/* Reductions whose number of elements stands in device memory. */
#include "reduce/reduce_cases.h"
#include "subjects/runs/subject_counted.h"

/* Above 2^20 elements blocks are larger, so that fewer elements may take more groups. */
static size_t most_n(void) {
    return test_small() ? 1500 : (1 << 20) + 5;
}

static clprims_reduce_desc describe(clprims_op op, const reduce_shape *shape) {
    clprims_reduce_desc desc = {
        .type = CLPRIMS_F32, .op = op, .max_n = most_n(), .tuning = shape->tuning};
    return desc;
}

/* Plain and counted runs of one plan in turn, with the same bits. */
static void counted_is_right(const void *data) {
    const clprims_reduce_desc *desc = data;
    const subject_data like = reduce_data(desc, 0);
    clprims_reduce *reduce = reduce_plan(desc);
    clprims_reduce_info info = {0};
    expect_ok(clprims_reduce_describe(reduce, 1, &info));
    subject_counted_is_right(&like, reduce, info.block, false);
    /* Where groups get another block, up to the most blocks, of the smallest size. */
    const bool by_groups = strcmp(info.variant, "group") == 0 && !test_small();
    for (size_t n = most_n() / 8; n <= desc->max_n && by_groups; n *= 2) {
        for (size_t more = 0; more < 3; more++) {
            const size_t numbers[SUBJECT_NUMBERS] = {n / 1024 * 1024 + more - 1};
            subject_one_is_right(&like, reduce, numbers, true, false);
        }
    }
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
        test_add_row(cases, counted_is_right, desc, "reduce/counted/%s/%s",
                     clprims_op_name(desc.op), shapes[s].name);
    }
}

void add_counted_cases(test_cases *cases) {
    const clprims_op ops[] = {CLPRIMS_ADD, CLPRIMS_ARGMAX};
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
        for (size_t s = 0; s < REDUCE_SHAPES; s++) {
            const clprims_reduce_desc desc = describe(ops[k], &reduce_shapes[s]);
            if (s > 0 && (k > 0 || !test_bears_shapes())) continue; /* one reports EMPTY */
            test_add_row(cases, counted_is_right, desc, "reduce/counted/%s/%s",
                         clprims_op_name(ops[k]), reduce_shapes[s].name);
        }
    }
    add_blocks(cases);
}
