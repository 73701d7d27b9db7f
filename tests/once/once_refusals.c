/* SPDX-License-Identifier: MIT */
/* What one-shot calls refuse: each case has one thing wrong. */
#include "once/once_groups.h"

#include <string.h>

enum { N = 100 };

static int32_t values[N];
static int64_t results[N];
static size_t found;

/* The arguments of a call; those of a function that has fewer are not used. */
typedef struct refusal {
    const char *name;
    clprims_status (*run)(const struct refusal *r);
    clprims_status status;
    const char *message;
    bool no_context, no_in, no_out, no_count;
    clprims_type type;
    size_t n;
} refusal;

static clprims_context *context_of(const refusal *r) {
    return r->no_context ? NULL : test_context();
}

static void *in_of(const refusal *r) {
    return r->no_in ? NULL : values;
}

static int64_t *out_of(const refusal *r) {
    return r->no_out ? NULL : results;
}

#define REFUSED(name)                                                                              \
    static clprims_status name(const refusal *r) {                                                 \
        return clprims_##name(context_of(r), r->type, in_of(r), r->n, out_of(r));                  \
    }
REFUSED(sum)
REFUSED(min)
REFUSED(max)
REFUSED(argmin)
REFUSED(argmax)
REFUSED(cumsum)
REFUSED(exclusive_cumsum)
REFUSED(argsort)

static clprims_status sort_in_place(const refusal *r) {
    return clprims_sort_in_place(context_of(r), r->type, in_of(r), r->n);
}

static clprims_status nonzero(const refusal *r) {
    return clprims_nonzero(context_of(r), r->type, in_of(r), r->n, out_of(r),
                           r->no_count ? NULL : &found);
}

static void is_refused(const void *data) {
    const refusal *r = data;
    memset(results, 0x5a, sizeof results);
    memset(values, 0x5a, sizeof values);
    found = 7;
    expect_failure(r->run(r), r->status, r->message);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(results[i], INT64_C(0x5a5a5a5a5a5a5a5a));
        assert_int_equal(values[i], 0x5a5a5a5a);
    }
    assert_int_equal(found, r->run == nonzero && !r->no_count ? 0 : 7);
}

static const struct {
    const char *name;
    clprims_status (*run)(const refusal *r);
} calls[] = {{"sum", sum},
             {"min", min},
             {"max", max},
             {"argmin", argmin},
             {"argmax", argmax},
             {"cumsum", cumsum},
             {"exclusive_cumsum", exclusive_cumsum},
             {"sort_in_place", sort_in_place},
             {"argsort", argsort},
             {"nonzero", nonzero}};

static void add(test_cases *cases, refusal r) {
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        if (r.no_out && calls[k].run == sort_in_place) continue;
        r.run = calls[k].run;
        test_add(cases, is_refused, &r, sizeof r, "once/refusals/%s/%s", calls[k].name, r.name);
    }
}

#define ARGUMENT CLPRIMS_ERR_ARGUMENT

void once_add_refusals(test_cases *cases) {
    static const refusal rows[] = {
        {"no-context", NULL, ARGUMENT, ": context is NULL", .no_context = true, .n = N,
         .type = CLPRIMS_I32},
        {"no-type", NULL, ARGUMENT, ": type = 0; give", .n = N},
        {"struct", NULL, ARGUMENT, ": type = 11; give", .n = N, .type = CLPRIMS_STRUCT},
        {"type-12", NULL, ARGUMENT, ": type = 12; give", .n = N, .type = (clprims_type)12},
        {"no-array", NULL, ARGUMENT, ": the array is NULL, with n = 100", .no_in = true, .n = N,
         .type = CLPRIMS_I32},
        {"no-out", NULL, ARGUMENT, ": out is NULL, with n = 100", .no_out = true, .n = N,
         .type = CLPRIMS_I32},
        /* More than the device can have: no array is looked at. */
        {"too-large", NULL, CLPRIMS_ERR_TOO_LARGE, "", .n = (size_t)1 << 62, .type = CLPRIMS_I32},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) add(cases, rows[k]);
    const refusal no_sum = {
        "sum", sum, ARGUMENT, "sum: out is NULL, with n = 0", .no_out = true, .type = CLPRIMS_I8};
    test_add(cases, is_refused, &no_sum, sizeof no_sum, "once/refusals/sum/no-out-of-nothing");
    const refusal no_count = {
        "count",          nonzero, ARGUMENT,           "nonzero: count is NULL",
        .no_count = true, .n = N,  .type = CLPRIMS_I32};
    test_add(cases, is_refused, &no_count, sizeof no_count, "once/refusals/nonzero/no-count");
}
