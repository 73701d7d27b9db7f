/* SPDX-License-Identifier: MIT */
/* The orders that the benchmark gives to its lists: bijections both ways, and lists linked by them.
 */
#include "harness/harness.h"

#include "inputs/orders.h"

typedef struct order_case {
    order_kind kind;
    size_t n;
} order_case;

enum { GUARD = 0x5a5a5a5a };

static void is_a_list(const void *data) {
    const order_case *c = data;
    const order_shape shape = order_shape_of(c->kind, c->n);
    int32_t *next = test_scratch(c->n + 1, sizeof *next);
    next[c->n] = GUARD;
    const int32_t head = order_link(&shape, next);
    size_t rank = 0;
    for (int32_t i = head; i >= 0; i = next[i]) {
        assert_true(rank < c->n && (size_t)i < c->n);
        assert_int_equal(order_rank(&shape, (size_t)i), rank);
        assert_int_equal(order_element(&shape, rank), i);
        rank++;
    }
    assert_int_equal(rank, c->n);
    assert_int_equal(next[c->n], GUARD);
}

void test_program(test_cases *cases) {
    /* Around blocks, strides and powers of two; the last is linked by several threads. */
    static const size_t sizes[] = {1,    2,    3,    5,    64,   999,   1000,  1001,
                                   2001, 4095, 4096, 4097, 8192, 12289, 200003};
    for (order_kind kind = 0; kind < ORDERS; kind++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const order_case c = {kind, sizes[k]};
            test_add_row(cases, is_a_list, c, "orders/%s/n=%zu", order_names[kind], sizes[k]);
        }
}
