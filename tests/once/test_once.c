/* SPDX-License-Identifier: MIT */
/* One-shot calls beside their definitions in plain C: types, sizes that grow and shrink, bad input.
 */
#include "fixtures/sort_cases.h"
#include "once/once_groups.h"

static bool is_float(clprims_type type) {
    return type == CLPRIMS_F32 || type == CLPRIMS_F64;
}

static clprims_type sum_type(clprims_type type) {
    if (is_float(type)) return type;
    return type >= CLPRIMS_U8 ? CLPRIMS_U64 : CLPRIMS_I64;
}

/* ---- The calls, and what each must give ------------------------------------------------------ */

static void expect_reduction(const once_call *call, clprims_type type, const void *in, size_t n,
                             const void *out) {
    unsigned char expected[8];
    clprims_reduce_desc desc = {.type = type, .op = call->op};
    if (call->op == CLPRIMS_ADD) desc.accumulator = sum_type(type);
    oracle_reduce(&desc, in, expected, n);
    expect_elements(expected, out, 1, oracle_reduce_bytes(&desc));
}

static void expect_sums(const once_call *call, clprims_type type, const void *in, size_t n,
                        const void *out) {
    clprims_scan_desc desc = {
        .type = type, .accumulator = sum_type(type), .inclusive = call->inclusive};
    expect_scan(&desc, in, out, n, 0);
}

static void expect_sorted(const once_call *call, clprims_type type, const void *in, size_t n,
                          const void *out) {
    const size_t bytes = clprims_type_bytes(type);
    clprims_sort_desc desc = {.type = type};
    size_t *order = sort_define_order(&desc, in, n);
    for (size_t i = 0; i < n; i++) {
        const int64_t index = (int64_t)order[i];
        const char *key = (const char *)in + order[i] * bytes;
        test_note("result %zu, which is element %zu", i, order[i]);
        if (call->gives_indices) {
            expect_elements(&index, (const char *)out + i * sizeof index, 1, sizeof index);
        } else {
            expect_elements(key, (const char *)out + i * bytes, 1, bytes);
        }
    }
    free(order);
}

static bool is_zero(clprims_type type, const void *values, size_t i) {
    if (type == CLPRIMS_F32) return ((const float *)values)[i] == 0;
    if (type == CLPRIMS_F64) return ((const double *)values)[i] == 0;
    return oracle_load_integer(type, values, i) == 0;
}

static void expect_nonzero(const once_call *call, clprims_type type, const void *in, size_t n,
                           const void *out) {
    const int64_t *indices = out;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_zero(type, in, i)) continue;
        if (indices[count] != (int64_t)i) {
            test_fail("index %zu is %lld, expected %zu", count, (long long)indices[count], i);
        }
        count++;
    }
    assert_int_equal(*call->count, count);
}

static size_t most_count;

#define GIVES_INDICES(name)                                                                        \
    static clprims_status name(clprims_context *context, clprims_type type, const void *in,        \
                               size_t n, void *out) {                                              \
        return clprims_##name(context, type, in, n, out);                                          \
    }
GIVES_INDICES(argmin)
GIVES_INDICES(argmax)
GIVES_INDICES(argsort)

static clprims_status sort_in_place(clprims_context *context, clprims_type type, const void *in,
                                    size_t n, void *out) {
    if (n > 0) memcpy(out, in, n * clprims_type_bytes(type));
    return clprims_sort_in_place(context, type, out, n);
}

static clprims_status nonzero(clprims_context *context, clprims_type type, const void *in, size_t n,
                              void *out) {
    return clprims_nonzero(context, type, in, n, out, &most_count);
}

static clprims_buffer count_place;

static clprims_status sort_enqueue(clprims_context *context, cl_command_queue queue,
                                   clprims_type type, clprims_buffer in, size_t n,
                                   clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event) {
    const size_t bytes = clprims_type_bytes(type);
    const cl_command_queue own = queue != NULL ? queue : test_queue(); /* NULL: the context's */
    cl_event copied;
    expect_cl(clEnqueueCopyBuffer(own, in.mem, out.mem, in.first * bytes, out.first * bytes,
                                  n * bytes, num_wait, wait, &copied));
    const clprims_status status =
        clprims_sort_in_place_enqueue(context, queue, type, out, n, 1, &copied, event);
    expect_cl(clReleaseEvent(copied));
    return status;
}

static clprims_status nonzero_enqueue(clprims_context *context, cl_command_queue queue,
                                      clprims_type type, clprims_buffer in, size_t n,
                                      clprims_buffer out, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    return clprims_nonzero_enqueue(context, queue, type, in, n, out, count_place, num_wait, wait,
                                   event);
}

/* The types of the default tier; each is there for integers, small ones, and floats. */
#define TYPES(...)                                                                                 \
    { __VA_ARGS__ }
const once_call once_calls[ONCE_CALLS] = {
    {"sum", clprims_sum, clprims_sum_enqueue, expect_reduction,
     TYPES(CLPRIMS_I8, CLPRIMS_U16, CLPRIMS_F32), .op = CLPRIMS_ADD},
    {"min", clprims_min, clprims_min_enqueue, expect_reduction, TYPES(CLPRIMS_I32, CLPRIMS_F64),
     .op = CLPRIMS_MIN},
    {"max", clprims_max, clprims_max_enqueue, expect_reduction, TYPES(CLPRIMS_U8, CLPRIMS_F32),
     .op = CLPRIMS_MAX},
    {"argmin", argmin, clprims_argmin_enqueue, expect_reduction, TYPES(CLPRIMS_F32),
     .op = CLPRIMS_ARGMIN},
    {"argmax", argmax, clprims_argmax_enqueue, expect_reduction, TYPES(CLPRIMS_U64),
     .op = CLPRIMS_ARGMAX},
    {"cumsum", clprims_cumsum, clprims_cumsum_enqueue, expect_sums,
     TYPES(CLPRIMS_I8, CLPRIMS_U32, CLPRIMS_F64), .inclusive = 1},
    {"exclusive_cumsum", clprims_exclusive_cumsum, clprims_exclusive_cumsum_enqueue, expect_sums,
     TYPES(CLPRIMS_I64), .inclusive = 0},
    {"sort_in_place", sort_in_place, sort_enqueue, expect_sorted, TYPES(CLPRIMS_F32, CLPRIMS_U8),
     .inclusive = 0},
    {"argsort", argsort, clprims_argsort_enqueue, expect_sorted, TYPES(CLPRIMS_I32),
     .gives_indices = true},
    {"nonzero", nonzero, nonzero_enqueue, expect_nonzero, TYPES(CLPRIMS_F32), .count = &most_count,
     .device_count = &count_place},
};

/* ---- Right ----------------------------------------------------------------------------------- */

size_t once_results(const once_call *call, clprims_type type, size_t n, size_t *element_bytes) {
    const bool is_sum = call->expect == expect_sums ||
                        (call->expect == expect_reduction && call->op == CLPRIMS_ADD);
    const bool is_index = call->gives_indices || call->expect == expect_nonzero ||
                          call->op == CLPRIMS_ARGMIN || call->op == CLPRIMS_ARGMAX;
    *element_bytes =
        is_index ? sizeof(int64_t) : clprims_type_bytes(is_sum ? sum_type(type) : type);
    return call->expect == expect_reduction ? 1 : n;
}

void once_fill(const once_call *call, clprims_type type, void *values, size_t n) {
    if (call->expect == expect_sums) {
        test_random_values(type, CLPRIMS_ADD, values, n);
    } else if (call->expect == expect_reduction && call->op == CLPRIMS_ADD && is_float(type)) {
        test_random_unit(type, values, n);
    } else {
        oracle_edge_values(type, values, n);
    }
}

void once_expect(const once_call *call, clprims_type type, size_t n) {
    const size_t bytes = clprims_type_bytes(type);
    size_t out_bytes;
    const size_t results = once_results(call, type, n, &out_bytes);
    unsigned char *values = test_scratch(n, bytes);
    test_array out = test_array_create(NULL, results, out_bytes);
    once_fill(call, type, values, n);
    test_array in = test_array_create(values, n, bytes);
    expect_ok(call->run(test_context(), type, in.values, n, out.values));
    expect_elements(values, in.values, n, bytes);
    call->expect(call, type, values, n, out.values);
    test_array_expect_guards(&in);
    test_array_expect_guards(&out);
}

typedef struct once_case {
    const once_call *call;
    clprims_type type;
    size_t n;
} once_case;

static void is_right(const void *data) {
    const once_case *c = data;
    test_needs_types(c->type, CLPRIMS_TYPE_DEFAULT);
    once_expect(c->call, c->type, c->n);
}

static bool is_default(const once_call *call, clprims_type type) {
    for (size_t k = 0; k < ONCE_TYPES; k++) {
        if (call->types[k] == type) return true;
    }
    return false;
}

/* One after another, so that plans are found again and larger ones are made. */
static void add_sizes(test_cases *cases, const once_call *call, clprims_type type) {
    static const size_t sizes[] = {5, 1, 2, 1023, 1024, 1025, 100, 9000, 3, 2048, 70000, 17};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const once_case c = {call, type, sizes[k]};
        if (test_small() && c.n > 1025) continue;
        test_add_row(cases, is_right, c, "once/%s/%s/n=%zu", call->name, clprims_type_name(type),
                     c.n);
    }
}

/* ---- Nothing --------------------------------------------------------------------------------- */

static void sum_of_nothing(const void *data) {
    const clprims_type type = *(const clprims_type *)data;
    const size_t bytes = clprims_type_bytes(sum_type(type));
    const unsigned char zero[8] = {0};
    test_array out = test_array_create(NULL, 1, bytes);
    expect_ok(clprims_sum(test_context(), type, NULL, 0, out.values));
    expect_elements(zero, out.values, 1, bytes);
    test_array_expect_guards(&out);
}

static void arrays_of_nothing(void) {
    clprims_context *context = test_context();
    int64_t out = 7;
    size_t count = 7;
    expect_ok(clprims_cumsum(context, CLPRIMS_I32, NULL, 0, NULL));
    expect_ok(clprims_exclusive_cumsum(context, CLPRIMS_I32, NULL, 0, &out));
    expect_ok(clprims_sort_in_place(context, CLPRIMS_I32, NULL, 0));
    expect_ok(clprims_argsort(context, CLPRIMS_I32, NULL, 0, &out));
    expect_ok(clprims_nonzero(context, CLPRIMS_I32, NULL, 0, &out, &count));
    assert_int_equal(out, 7);
    assert_int_equal(count, 0);
}

static void extremes_of_nothing(void) {
    clprims_context *context = test_context();
    int64_t out = 7;
    expect_failure(clprims_min(context, CLPRIMS_F32, NULL, 0, &out), CLPRIMS_ERR_DATA,
                   "min: n = 0");
    expect_failure(clprims_max(context, CLPRIMS_I8, NULL, 0, &out), CLPRIMS_ERR_DATA, "max: n = 0");
    expect_failure(clprims_argmin(context, CLPRIMS_U64, NULL, 0, &out), CLPRIMS_ERR_DATA,
                   "argmin: n = 0");
    expect_failure(clprims_argmax(context, CLPRIMS_I16, NULL, 0, &out), CLPRIMS_ERR_DATA,
                   "argmax: n = 0");
    assert_int_equal(out, 7);
}

/* ---- In place -------------------------------------------------------------------------------- */

static void cumsum_in_place(void) {
    enum { N = 3000 };
    int64_t values[N], sums[N];
    test_random_values(CLPRIMS_I64, CLPRIMS_ADD, values, N);
    memcpy(sums, values, sizeof sums);
    expect_ok(clprims_exclusive_cumsum(test_context(), CLPRIMS_I64, sums, N, sums));
    for (int64_t i = 0, sum = 0; i < N; i++) {
        assert_int_equal(sums[i], sum);
        sum = (int64_t)((uint64_t)sum + (uint64_t)values[i]);
    }
}

void test_program(test_cases *cases) {
    for (size_t k = 0; k < ONCE_CALLS; k++) {
        for (clprims_type type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
            if (!test_long() && !is_default(&once_calls[k], type)) continue;
            add_sizes(cases, &once_calls[k], type);
        }
    }
    for (clprims_type type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        test_add_row(cases, sum_of_nothing, type, "once/nothing/sum/%s", clprims_type_name(type));
    }
    test_add_plain(cases, arrays_of_nothing, "once/nothing/arrays");
    test_add_plain(cases, extremes_of_nothing, "once/nothing/extremes");
    test_add_plain(cases, cumsum_in_place, "once/in-place");
    once_add_enqueued(cases);
    once_add_kept(cases);
    once_add_refusals(cases);
}
