/* SPDX-License-Identifier: MIT */
/* Few blocks, a work-group for each: around each number of blocks up to nine. */
#include "reduce/reduce_cases.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 9, LARGEST_BLOCK = 4096 };

typedef struct few_case {
    clprims_type type;
    clprims_op op;
} few_case;

static void few_are_right(const void *data) {
    const few_case *c = data;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    unsigned char expected[8], actual[8];
    desc.type = c->type;
    desc.op = c->op;
    desc.max_n = MOST_BLOCKS * LARGEST_BLOCK + 10;
    desc.tuning = "GROUP=128";
    clprims_reduce *reduce = reduce_plan(&desc);
    void *in = test_alloc(desc.max_n, reduce_in_bytes(&desc));
    if (c->type == CLPRIMS_F32) {
        test_random_unit(c->type, in, desc.max_n);
    } else {
        test_random_values(c->type, CLPRIMS_MIN, in, desc.max_n);
    }
    expect_ok(clprims_reduce_describe(reduce, 1, &info));
    const size_t block = info.block;
    if (strcmp(info.variant, "group") != 0) test_skip("work-groups may not wait on this device");
    for (size_t n = block - 1; n <= MOST_BLOCKS * block + 1; n += n % block == 1 ? block - 2 : 1) {
        test_note("n = %zu, blocks of %zu", n, block);
        oracle_reduce(&desc, in, expected, n);
        reduce_on_device(reduce, &desc, in, n % 4, n, actual);
        expect_elements(expected, actual, 1, oracle_reduce_bytes(&desc));
    }
    free(in);
}

void add_few_cases(test_cases *cases) {
    static const few_case few[] = {
        {CLPRIMS_F32, CLPRIMS_ADD}, {CLPRIMS_I8, CLPRIMS_ARGMAX}, {CLPRIMS_U16, CLPRIMS_ADD}};
    for (size_t k = 0; k < sizeof few / sizeof few[0] && test_bears_shapes(); k++) {
        if (test_small() && k > 0) continue;
        test_add(cases, few_are_right, &few[k], sizeof few[k], "reduce/few/%s-%s/GROUP=128",
                 clprims_type_name(few[k].type), clprims_op_name(few[k].op));
    }
}
