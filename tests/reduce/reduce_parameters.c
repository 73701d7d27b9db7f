/* SPDX-License-Identifier: MIT */
/* Parameters of the input's expression: their values, changes between runs, and bad ones. */
#include "reduce/reduce_cases.h"

#include <stdlib.h>

enum { N = 5003, WEIGHTS = 7 };

typedef struct values {
    uint32_t weight[WEIGHTS];
    uint32_t limit;
} values;

static const values sets[] = {{{1, 1, 1, 1, 1, 1, 1}, UINT32_MAX},
                              {{3, 0, 7, 1, 0, 2, 1u << 30}, 50}};

static clprims_reduce_desc describe(const reduce_shape *shape) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.input = "min(x, limit) * weight[i % 7]";
    desc.parameters = "global const uint *weight, uint limit";
    desc.tuning = shape->tuning;
    return desc;
}

static uint32_t twin(const uint32_t *in, const values *v, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (in[i] < v->limit ? in[i] : v->limit) * v->weight[i % WEIGHTS];
    }
    return sum;
}

/* One plan: each value stays until it is set again; runs that were submitted keep the old one. */
static void parameters_are_used(const void *data) {
    static const size_t counts[] = {N, 1, N - 777, 65};
    const clprims_reduce_desc desc = describe(data);
    const clprims_buffer none = {NULL, 0};
    clprims_reduce *reduce = NULL;
    uint32_t in[N], found;
    test_buffer to[2], weight[2];
    expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, in, N);
    test_buffer from = test_buffer_create(in, N, 4, 3);
    for (int v = 0; v < 2; v++) {
        weight[v] = test_buffer_create(sets[v].weight, WEIGHTS, 4, 0);
        to[v] = test_buffer_create(NULL, 1, 4, 1);
    }
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        for (int v = 0; v < 2; v++) {
            expect_ok(clprims_reduce_set_parameter(reduce, 0, sizeof(cl_mem), &weight[v].at.mem));
            expect_ok(clprims_reduce_set_parameter(reduce, 1, 4, &sets[v].limit));
            expect_ok(clprims_reduce_enqueue(reduce, test_queue(), from.at, to[v].at, counts[k],
                                             none, 0, NULL, NULL));
        }
        for (int v = 0; v < 2; v++) {
            test_buffer_read(&to[v], &found);
            assert_int_equal(found, twin(in, &sets[v], counts[k]));
        }
    }
    values mixed = sets[1];
    mixed.limit = sets[0].limit;
    expect_ok(clprims_reduce_set_parameter(reduce, 1, 4, &mixed.limit));
    expect_ok(clprims_reduce_run(reduce, in, &found, N));
    assert_int_equal(found, twin(in, &mixed, N));
    for (int v = 0; v < 2; v++) {
        test_buffer_expect_unchanged(&weight[v], sets[v].weight);
        test_buffer_release(&weight[v]);
        test_buffer_release(&to[v]);
    }
    test_buffer_release(&from);
    clprims_reduce_destroy(reduce);
}

static void texts_are_refused(const void *data) {
    clprims_reduce *reduce = NULL;
    clprims_reduce_desc desc = describe(&reduce_shapes[0]);
    (void)data;
    desc.parameters = "uint x";
    expect_failure(clprims_reduce_create(&reduce, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "reduce: parameter 0, \"uint x\", has a name that stands for an element");
    desc = describe(&reduce_shapes[0]);
    desc.input = NULL;
    expect_failure(clprims_reduce_create(&reduce, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "reduce: 2 parameters, but no desc.input");
    assert_null(reduce);
}

static void values_are_checked(const void *data) {
    const clprims_reduce_desc desc = describe(&reduce_shapes[0]);
    const clprims_buffer none = {NULL, 0};
    const uint32_t in[4] = {1, 2, 3, 4}, limit = 9;
    uint32_t out;
    clprims_reduce *reduce = NULL;
    (void)data;
    expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
    expect_failure(clprims_reduce_set_parameter(NULL, 1, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_reduce_set_parameter(reduce, 2, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "parameter 2 of 2");
    expect_failure(clprims_reduce_set_parameter(reduce, 1, 8, &limit), CLPRIMS_ERR_ARGUMENT,
                   "bytes = 8 for parameter 1");
    expect_ok(clprims_reduce_set_parameter(reduce, 1, 4, &limit));
    expect_failure(clprims_reduce_run(reduce, in, &out, 4), CLPRIMS_ERR_ARGUMENT,
                   "reduce: parameter 0, weight, was never set");
    test_buffer buffer = test_buffer_create(sets[1].weight, WEIGHTS, 4, 0);
    test_buffer to = test_buffer_create(NULL, 2, 8, 0);
    const clprims_buffer number = {to.at.mem, 1};
    expect_failure(
        clprims_reduce_enqueue(reduce, test_queue(), buffer.at, to.at, 4, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "reduce: parameter 0, weight, was never set");
    expect_failure(clprims_reduce_enqueue_counted(reduce, test_queue(), buffer.at, to.at, number,
                                                  none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "reduce: parameter 0, weight, was never set");
    expect_ok(clprims_reduce_set_parameter(reduce, 0, sizeof(cl_mem), &buffer.at.mem));
    expect_ok(clprims_reduce_run(reduce, in, &out, 4));
    values used = sets[1];
    used.limit = limit;
    assert_int_equal(out, twin(in, &used, 4));
    test_buffer_release(&buffer);
    test_buffer_release(&to);
    clprims_reduce_destroy(reduce);
}

void add_parameter_cases(test_cases *cases) {
    for (size_t s = 0; s < REDUCE_SHAPES; s++) {
        if (s > 0 && !test_bears_shapes()) continue;
        test_add(cases, parameters_are_used, &reduce_shapes[s], sizeof reduce_shapes[s],
                 "reduce/parameters/%s", reduce_shapes[s].name);
    }
    test_add(cases, texts_are_refused, NULL, 0, "reduce/parameters/refused");
    test_add(cases, values_are_checked, NULL, 0, "reduce/parameters/values");
}
