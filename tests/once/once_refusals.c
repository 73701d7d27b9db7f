/* SPDX-License-Identifier: MIT */
/* What one-shot calls refuse: each case has one thing wrong. */
#include "once/once_groups.h"

enum { N = 100 };

static int32_t values[N];
static int64_t results[N];

typedef struct refusal {
    const char *name;
    clprims_status status;
    const char *message;
    bool no_context, no_in, no_out;
    clprims_type type;
    size_t n;
} refusal;

typedef struct refused_call {
    const once_call *call;
    const refusal *refusal;
} refused_call;

static bool sorts_in_place(const once_call *call) {
    return strcmp(call->name, "sort_in_place") == 0;
}

static void fill_arrays(void) {
    memset(results, 0x5a, sizeof results);
    memset(values, 0x5a, sizeof values);
}

static void expect_untouched(void) {
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(results[i], INT64_C(0x5a5a5a5a5a5a5a5a));
        assert_int_equal(values[i], 0x5a5a5a5a);
    }
}

static void is_refused(const void *data) {
    const once_call *call = ((const refused_call *)data)->call;
    const refusal *r = ((const refused_call *)data)->refusal;
    clprims_context *context = r->no_context ? NULL : test_context();
    void *in = r->no_in ? NULL : values, *out = r->no_out ? NULL : results;
    fill_arrays();
    if (call->count != NULL) *call->count = 7;
    expect_failure(sorts_in_place(call) ? clprims_sort_in_place(context, r->type, in, r->n)
                                        : call->run(context, r->type, in, r->n, out),
                   r->status, r->message);
    expect_untouched();
    if (call->count != NULL) assert_int_equal(*call->count, 0);
}

static void count_is_needed(void) {
    fill_arrays();
    expect_failure(clprims_nonzero(test_context(), CLPRIMS_I32, values, N, results, NULL),
                   CLPRIMS_ERR_ARGUMENT, "nonzero: count is NULL");
    expect_untouched();
}

static void sum_of_nothing_needs_out(void) {
    expect_failure(clprims_sum(test_context(), CLPRIMS_I8, values, 0, NULL), CLPRIMS_ERR_ARGUMENT,
                   "sum: out is NULL, with n = 0");
}

#define ARGUMENT CLPRIMS_ERR_ARGUMENT

static const refusal refusals[] = {
    {"no-context", ARGUMENT, ": context is NULL", true, false, false, CLPRIMS_I32, N},
    {"no-type", ARGUMENT, ": type = 0; give", false, false, false, CLPRIMS_TYPE_DEFAULT, N},
    {"struct", ARGUMENT, ": type = 11; give", false, false, false, CLPRIMS_STRUCT, N},
    {"type-12", ARGUMENT, ": type = 12; give", false, false, false, (clprims_type)12, N},
    {"no-array", ARGUMENT, ": the array is NULL, with n = 100", false, true, false, CLPRIMS_I32, N},
    {"no-out", ARGUMENT, ": out is NULL, with n = 100", false, false, true, CLPRIMS_I32, N},
    /* More than the device can have: no array is looked at. */
    {"too-large", CLPRIMS_ERR_TOO_LARGE, "", false, false, false, CLPRIMS_I32, (size_t)1 << 62},
};

void once_add_refusals(test_cases *cases) {
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        for (size_t k = 0; k < ONCE_CALLS; k++) {
            const refused_call c = {&once_calls[k], &refusals[i]};
            if (refusals[i].no_out && sorts_in_place(c.call)) continue;
            test_add_row(cases, is_refused, c, "once/refusals/%s/%s", c.call->name,
                         refusals[i].name);
        }
    }
    test_add_plain(cases, sum_of_nothing_needs_out, "once/refusals/sum/no-out-of-nothing");
    test_add_plain(cases, count_is_needed, "once/refusals/nonzero/no-count");
}
