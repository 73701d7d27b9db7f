/* SPDX-License-Identifier: MIT */
/* Few blocks, a work-group for each: around each number of blocks up to nine. */
#include "reduce/reduce_cases.h"

enum { MOST_BLOCKS = 9, LARGEST_BLOCK = 4096 };

static void few_are_right(const void *data) {
    reduce_case c = *(const reduce_case *)data;
    clprims_reduce_info info = {0};
    expect_ok(clprims_reduce_describe(reduce_plan(&c.desc), 1, &info));
    const size_t block = info.block, most = MOST_BLOCKS * block + 1;
    if (strcmp(info.variant, "group") != 0) test_skip("work-groups may not wait on this device");
    for (c.n = block - 1; c.n <= most; c.n += c.n % block == 1 ? block - 2 : 1) {
        test_note("n = %zu, blocks of %zu", c.n, block);
        c.first = c.n % 4;
        reduce_is_right(&c);
    }
}

void add_few_cases(test_cases *cases) {
    static const struct {
        clprims_type type;
        clprims_op op;
    } few[] = {
        {CLPRIMS_F32, CLPRIMS_ADD}, {CLPRIMS_I8, CLPRIMS_ARGMAX}, {CLPRIMS_U16, CLPRIMS_ADD}};
    for (size_t k = 0; k < sizeof few / sizeof few[0] && test_bears_shapes(); k++) {
        if (test_small() && k > 0) continue;
        reduce_case c = {.desc.type = few[k].type,
                         .desc.op = few[k].op,
                         .desc.max_n = MOST_BLOCKS * LARGEST_BLOCK + 10,
                         .desc.tuning = "GROUP=128"};
        test_add_row(cases, few_are_right, c, "reduce/few/%s-%s/GROUP=128",
                     clprims_type_name(few[k].type), clprims_op_name(few[k].op));
    }
}
