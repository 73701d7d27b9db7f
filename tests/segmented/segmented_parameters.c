/* SPDX-License-Identifier: MIT */
/* Parameters of the input's and the keys' expressions: values, changes between runs, bad ones. */
#include "segmented/segmented_tries.h"

#include <stdlib.h>

enum { N = 3001, WEIGHTS = 7 };

typedef struct values {
    uint32_t weight[WEIGHTS];
    uint32_t step; /* keys are equal that are no further apart */
} values;

static const values sets[] = {{{1, 1, 1, 1, 1, 1, 1}, 0}, {{3, 0, 7, 1, 0, 2, 1u << 30}, 5}};

static clprims_segmented_desc describe(const char *tuning) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.heads_type = CLPRIMS_U32;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.input = "x * weight[i % 7]";
    desc.equal = "abs_diff(a, b) <= step";
    desc.parameters = "global const uint *weight, uint step";
    desc.tuning = tuning;
    return desc;
}

static size_t twin(const uint32_t *in, const uint32_t *keys, const values *v, size_t n,
                   uint32_t *out) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t own = in[i] * v->weight[i % WEIGHTS];
        const uint32_t before = i > 0 ? keys[i - 1] : 0;
        const uint32_t apart = keys[i] > before ? keys[i] - before : before - keys[i];
        if (i == 0 || apart > v->step) {
            out[count++] = own;
        } else {
            out[count - 1] += own;
        }
    }
    return count;
}

typedef struct parameter_run {
    test_buffer weight, out, count;
} parameter_run;

static void set_values(clprims_segmented *plan, const values *v, const parameter_run *run) {
    expect_ok(clprims_segmented_set_parameter(plan, 0, sizeof(cl_mem), &run->weight.at.mem));
    expect_ok(clprims_segmented_set_parameter(plan, 1, 4, &v->step));
}

static void expect_run(const parameter_run *run, const uint32_t *in, const uint32_t *keys,
                       const values *v, size_t n) {
    uint32_t *expected = test_alloc(N, 4), *actual = test_alloc(N, 4);
    const uint64_t count = twin(in, keys, v, n, expected);
    uint64_t found;
    test_buffer_read(&run->count, &found);
    test_buffer_read(&run->out, actual);
    assert_true(found == count);
    expect_elements(expected, actual, count, 4);
    free(expected);
    free(actual);
}

/* One plan: each value stays until it is set again; runs that were submitted keep the old one. */
static void parameters_are_used(const void *data) {
    static const size_t sizes[] = {N, 1, N - 777, 65};
    const char *const *tuning = data;
    const clprims_segmented_desc desc = describe(*tuning);
    clprims_segmented *plan = segmented_plan(&desc);
    uint32_t in[N], keys[N];
    parameter_run runs[2];
    for (size_t i = 0; i < N; i++) keys[i] = 9 + (uint32_t)test_random_below(9);
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, in, N);
    test_buffer from = test_buffer_create(in, N, 4, 3), by = test_buffer_create(keys, N, 4, 1);
    for (int v = 0; v < 2; v++) {
        runs[v].weight = test_buffer_create(sets[v].weight, WEIGHTS, 4, 0);
        runs[v].out = test_buffer_create(NULL, N, 4, 1);
        runs[v].count = test_buffer_create(NULL, 1, 8, 1);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int v = 0; v < 2; v++) {
            clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
            b.in = from.at;
            b.heads = by.at;
            b.out = runs[v].out.at;
            b.count = runs[v].count.at;
            set_values(plan, &sets[v], &runs[v]);
            expect_ok(
                clprims_segmented_enqueue(plan, test_queue(), &b, sizes[k], N, 0, NULL, NULL));
        }
        for (int v = 0; v < 2; v++) expect_run(&runs[v], in, keys, &sets[v], sizes[k]);
    }
    for (int v = 0; v < 2; v++) {
        test_buffer_expect_unchanged(&runs[v].weight, sets[v].weight);
        test_buffer *const all[] = {&runs[v].weight, &runs[v].out, &runs[v].count};
        for (size_t i = 0; i < 3; i++) test_buffer_release(all[i]);
    }
    test_buffer_release(&from);
    test_buffer_release(&by);
}

static void texts_are_refused(const void *data) {
    clprims_segmented *plan = NULL;
    clprims_segmented_desc desc = describe(NULL);
    (void)data;
    desc.parameters = "uint x";
    expect_failure(clprims_segmented_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "segmented: parameter 0, \"uint x\", has a name that stands for an element");
    desc = describe(NULL);
    desc.input = desc.equal = NULL;
    expect_failure(clprims_segmented_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "segmented: 2 parameters, but no desc.input or desc.equal");
    assert_null(plan);
}

static void values_are_checked(const void *data) {
    const char *const *tuning = data;
    const clprims_segmented_desc desc = describe(*tuning);
    const clprims_buffer none = {NULL, 0};
    const uint32_t in[4] = {1, 2, 3, 4}, keys[4] = {9, 9, 12, 30}, step = 3;
    uint32_t out[4] = {0};
    size_t count = 0;
    clprims_segmented *plan = NULL;
    expect_ok(clprims_segmented_create(&plan, test_context(), &desc));
    expect_failure(clprims_segmented_set_parameter(NULL, 1, 4, &step), CLPRIMS_ERR_ARGUMENT,
                   "segmented: plan is NULL");
    expect_failure(clprims_segmented_set_parameter(plan, 2, 4, &step), CLPRIMS_ERR_ARGUMENT,
                   "segmented: parameter 2 of 2");
    expect_failure(clprims_segmented_set_parameter(plan, 1, 8, &step), CLPRIMS_ERR_ARGUMENT,
                   "bytes = 8 for parameter 1");
    expect_ok(clprims_segmented_set_parameter(plan, 1, 4, &step));
    const clprims_segmented_arrays a = {sizeof a, in, keys, out, NULL};
    expect_failure(clprims_segmented_run(plan, &a, 4, 4, &count), CLPRIMS_ERR_ARGUMENT,
                   "segmented: parameter 0, weight, was never set");
    test_buffer weight = test_buffer_create(sets[1].weight, WEIGHTS, 4, 0);
    const clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    expect_failure(clprims_segmented_enqueue(plan, test_queue(), &b, 4, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "segmented: parameter 0, weight, was never set");
    expect_failure(clprims_segmented_enqueue_counted(plan, test_queue(), &b, weight.at, none, 4, 0,
                                                     NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "segmented: parameter 0, weight, was never set");
    expect_ok(clprims_segmented_set_parameter(plan, 0, sizeof(cl_mem), &weight.at.mem));
    expect_ok(clprims_segmented_run(plan, &a, 4, 4, &count));
    assert_int_equal(count, 2);
    assert_int_equal(out[0], 1 * 3 + 2 * 0 + 3 * 7);
    assert_int_equal(out[1], 4 * 1);
    test_buffer_release(&weight);
    clprims_segmented_destroy(plan);
}

void add_parameter_cases(test_cases *cases) {
    const char *tuning = test_bears_shapes() ? "GROUP=8 SHARE=11 GROUPS=64" : NULL;
    test_add(cases, parameters_are_used, &tuning, sizeof tuning, "segmented/parameters/many");
    test_add(cases, values_are_checked, &tuning, sizeof tuning, "segmented/parameters/values/many");
    test_add(cases, texts_are_refused, NULL, 0, "segmented/parameters/refused");
}
