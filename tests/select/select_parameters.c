/* SPDX-License-Identifier: MIT */
/* Parameters of predicates and of comparisons: their values, and bad ones. */
#include "fixtures/select_cases.h"

#include <stdlib.h>

enum { N = 4001, LIMITS = 3 };

typedef struct parameter_case {
    const pass_way *way;
    bool by_runs; /* else by a predicate */
    bool partition;
} parameter_case;

static clprims_select_desc describe(const parameter_case *c) {
    clprims_select_desc desc = select_describe(
        c->by_runs ? CLPRIMS_SELECT_RUNS : CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, c->way);
    desc.partition = c->partition;
    desc.max_n = N;
    desc.predicate = c->by_runs ? NULL : "(x + bias) % 64 < limit[i % 3]";
    desc.equal = c->by_runs ? "(a + bias) / limit[0] == (b + bias) / limit[0]" : NULL;
    desc.parameters = "global const uint *limit, uint bias";
    return desc;
}

static bool keeps(const parameter_case *c, const uint32_t *in, size_t i, const uint32_t *limit,
                  uint32_t bias) {
    if (!c->by_runs) return (in[i] + bias) % 64 < limit[i % LIMITS];
    return i == 0 || (in[i - 1] + bias) / limit[0] != (in[i] + bias) / limit[0];
}

/* Returns how many elements are kept; the others follow them in a partition. */
static size_t twin(const parameter_case *c, const uint32_t *in, size_t n, const uint32_t *limit,
                   uint32_t bias, uint32_t *out) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (keeps(c, in, i, limit, bias)) out[kept++] = in[i];
    }
    size_t at = kept;
    for (size_t i = 0; i < n && c->partition; i++) {
        if (!keeps(c, in, i, limit, bias)) out[at++] = in[i];
    }
    return kept;
}

static void parameters_are_used(const void *data) {
    const parameter_case *c = data;
    static const uint32_t limits[2][LIMITS] = {{32, 1, 60}, {7, 64, 0}}, biases[2] = {0, 21};
    static const size_t counts[] = {N, 1, N - 1234};
    const clprims_select_desc desc = describe(c);
    clprims_select *plan = NULL;
    uint32_t in[N], out[N], expected[N];
    expect_ok(clprims_select_create(&plan, test_context(), &desc));
    for (size_t i = 0; i < N; i++) in[i] = (uint32_t)test_random_below(200);
    test_buffer from = test_buffer_create(in, N, 4, 1);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        const uint32_t *limit = limits[k % 2];
        uint64_t kept = 0;
        test_buffer limit_buffer = test_buffer_create(limit, LIMITS, 4, 0);
        test_buffer to = test_buffer_create(NULL, counts[k], 4, 2);
        test_buffer count = test_buffer_create(NULL, 1, 8, 0);
        clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
        b.in[0] = from.at;
        b.out[0] = to.at;
        b.count = count.at;
        expect_ok(clprims_select_set_parameter(plan, 0, sizeof(cl_mem), &limit_buffer.at.mem));
        expect_ok(clprims_select_set_parameter(plan, 1, 4, &biases[k % 2]));
        expect_ok(
            clprims_select_enqueue(plan, test_queue(), &b, counts[k], counts[k], 0, NULL, NULL));
        test_buffer_read(&count, &kept);
        test_buffer_read(&to, out);
        assert_int_equal(kept, twin(c, in, counts[k], limit, biases[k % 2], expected));
        expect_elements(expected, out, c->partition ? counts[k] : kept, 4);
        test_buffer_release(&limit_buffer);
        test_buffer_release(&to);
        test_buffer_release(&count);
    }
    test_buffer_release(&from);
    clprims_select_destroy(plan);
}

/* ---- Bad ones ---- */

static void values_are_checked(const void *data) {
    const parameter_case *c = data;
    const clprims_select_desc desc = describe(c);
    clprims_select *plan = NULL;
    const uint32_t bias = 1, in[2] = {1, 2};
    uint32_t out[2];
    size_t kept = 7;
    clprims_select_arrays arrays = CLPRIMS_SELECT_ARRAYS_INIT;
    arrays.in[0] = in;
    arrays.out[0] = out;
    expect_ok(clprims_select_create(&plan, test_context(), &desc));
    expect_failure(clprims_select_set_parameter(NULL, 0, 4, &bias), CLPRIMS_ERR_ARGUMENT, "NULL");
    expect_failure(clprims_select_set_parameter(plan, 2, 4, &bias), CLPRIMS_ERR_ARGUMENT,
                   "parameter 2 of 2");
    expect_failure(clprims_select_set_parameter(plan, 1, 2, &bias), CLPRIMS_ERR_ARGUMENT,
                   "bytes = 2 for parameter 1, \"uint bias\", which has 4");
    expect_ok(clprims_select_set_parameter(plan, 1, 4, &bias));
    expect_failure(clprims_select_run(plan, &arrays, 2, 2, &kept), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0, limit, was never set");
    clprims_select_destroy(plan);
}

static void texts_are_refused(const void *data) {
    const parameter_case *c = data;
    clprims_select *plan = NULL;
    clprims_select_desc desc = describe(c);
    desc.parameters = "uint a";
    expect_failure(clprims_select_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "stands for an element");
    desc.parameters = "uint limit";
    desc.by = CLPRIMS_SELECT_NONZERO;
    desc.predicate = NULL;
    expect_failure(clprims_select_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "1 parameters, but no desc.predicate or desc.equal");
}

void add_parameter_cases(test_cases *cases) {
    size_t count = 0;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const parameter_case by[] = {
            {&ways[w], false, false}, {&ways[w], true, false}, {&ways[w], false, true}};
        static const char *const names[] = {"predicate", "equal", "partition"};
        for (size_t k = 0; k < 3; k++) {
            test_add(cases, parameters_are_used, &by[k], sizeof by[k], "select/parameters/%s/%s",
                     names[k], ways[w].name);
        }
    }
    const parameter_case one = {&ways[0], false, false};
    test_add(cases, values_are_checked, &one, sizeof one, "select/parameters/values");
    test_add(cases, texts_are_refused, &one, sizeof one, "select/parameters/refused");
}
