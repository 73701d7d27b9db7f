/* SPDX-License-Identifier: MIT */
/* Plans that only count: no room is needed for what they do not write. */
#include "fixtures/select_cases.h"

#include <stdlib.h>

typedef struct count_case {
    clprims_select_by by;
    size_t n, capacity;
} count_case;

static void count_is_right(const void *data) {
    static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};
    const count_case *c = data;
    clprims_select_desc desc = select_describe(c->by, CLPRIMS_I32, 1, &chosen);
    clprims_select_arrays arrays = CLPRIMS_SELECT_ARRAYS_INIT;
    unsigned char *flags = test_alloc(c->n, 1);
    int32_t *in = test_alloc(c->n, sizeof *in);
    size_t count = 0, expected = 0;
    desc.no_values = 1;
    desc.predicate = c->by == CLPRIMS_SELECT_PREDICATE ? "x != 0" : NULL;
    desc.max_n = 1000;
    for (size_t i = 0; i < c->n; i++) {
        flags[i] = (unsigned char)(i % 5 == 1);
        in[i] = c->by == CLPRIMS_SELECT_RUNS ? (int32_t)(i / 7) : (int32_t)(i % 3);
        expected += c->by == CLPRIMS_SELECT_RUNS    ? i % 7 == 0
                    : c->by == CLPRIMS_SELECT_FLAGS ? i % 5 == 1
                                                    : i % 3 != 0;
    }
    arrays.in[0] = in;
    if (c->by == CLPRIMS_SELECT_FLAGS) arrays.flags = flags;
    expect_ok(clprims_select_run(select_plan(&desc), &arrays, c->n, c->capacity, &count));
    assert_int_equal(count, expected);
    free(in);
    free(flags);
}

/* The same on the device, with room for the count alone. */
static void enqueue_counts(const void *data) {
    static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};
    static const int32_t in[9] = {1, 0, 2, 0, 0, 3, 4, 0, 5};
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_NONZERO, CLPRIMS_I32, 1, &chosen);
    clprims_select_buffers buffers = CLPRIMS_SELECT_BUFFERS_INIT;
    test_buffer from = test_buffer_create(in, 9, sizeof in[0], 1);
    test_buffer count = test_buffer_create(NULL, 1, sizeof(uint64_t), 1);
    uint64_t found = 0;
    (void)data;
    desc.no_values = 1;
    desc.max_n = 1000;
    buffers.in[0] = from.at;
    buffers.count = count.at;
    expect_ok(
        clprims_select_enqueue(select_plan(&desc), test_queue(), &buffers, 9, 0, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
    test_buffer_read(&count, &found);
    assert_int_equal(found, 5);
    test_buffer_release(&from);
    test_buffer_release(&count);
}

void add_count_cases(test_cases *cases) {
    static const clprims_select_by by[] = {CLPRIMS_SELECT_FLAGS, CLPRIMS_SELECT_PREDICATE,
                                           CLPRIMS_SELECT_NONZERO, CLPRIMS_SELECT_RUNS};
    static const char *const names[] = {"flags", "predicate", "nonzero", "runs"};
    for (size_t i = 0; i < sizeof by / sizeof by[0]; i++)
        for (size_t capacity = 0; capacity < 2; capacity++) {
            const count_case c = {by[i], 1000, capacity};
            test_add(cases, count_is_right, &c, sizeof c, "select/only-counts/%s/capacity=%zu",
                     names[i], capacity);
        }
    test_add(cases, enqueue_counts, NULL, 0, "select/only-counts/enqueue");
}
