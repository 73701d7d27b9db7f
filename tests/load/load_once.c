/* SPDX-License-Identifier: MIT */
/* One-shot calls: the context keeps their plans, which all threads share. */
#include "load/load.h"

static void call_cumsum(load_thread *t, const int32_t *in, size_t n) {
    int64_t *out = load_array(t, n, sizeof *out);
    int64_t *expected = load_array(t, n, sizeof *expected);
    for (size_t i = 0; i < n; i++) expected[i] = in[i] + (i == 0 ? 0 : expected[i - 1]);
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_cumsum(t->context, CLPRIMS_I32, in, n, out)))
        load_compare(t, expected, out, n, sizeof *out, n);
}

static void call_max(load_thread *t, const int32_t *in, size_t n) {
    int32_t *greatest = load_array(t, 1, sizeof *greatest);
    if (n == 0) {
        (void)LOAD_TRY(t, CLPRIMS_ERR_DATA, clprims_max(t->context, CLPRIMS_I32, in, n, greatest));
        return;
    }
    int32_t expected = in[0];
    for (size_t i = 1; i < n; i++) {
        if (in[i] > expected) expected = in[i];
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_max(t->context, CLPRIMS_I32, in, n, greatest)))
        load_compare(t, &expected, greatest, 1, sizeof expected, n);
}

static void call_nonzero(load_thread *t, const int32_t *in, size_t n) {
    int64_t *out = load_array(t, n, sizeof *out);
    int64_t *expected = load_array(t, n, sizeof *expected);
    size_t kept = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (in[i] != 0) expected[kept++] = (int64_t)i;
    }
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_nonzero(t->context, CLPRIMS_I32, in, n, out, &count)))
        return;
    if (count != kept) load_fail(t, "n = %zu: %zu are not 0, found %zu", n, kept, count);
    load_compare(t, expected, out, kept, sizeof *out, n);
}

static void call_argsort(load_thread *t, const int32_t *in, size_t n) {
    uint64_t *numbers = load_array(t, n, sizeof *numbers);
    size_t *order = load_array(t, n, sizeof *order);
    int64_t *out = load_array(t, n, sizeof *out), *expected = load_array(t, n, sizeof *expected);
    for (size_t i = 0; i < n; i++) numbers[i] = (uint32_t)in[i];
    subject_order_by(numbers, n, order);
    for (size_t i = 0; i < n; i++) expected[i] = (int64_t)order[i];
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_argsort(t->context, CLPRIMS_I32, in, n, out)))
        load_compare(t, expected, out, n, sizeof *out, n);
}

void load_call_once(load_thread *t) {
    const size_t n = load_size(t->max_n);
    int32_t *in = load_array(t, n, sizeof *in);
    subject_fill(in, sizeof *in, n, test_random_below(2) == 0 ? 3 : 1 << 30);
    if (test_random_below(200) == 0) clprims_forget_plans(t->context);
    switch (test_random_below(4)) {
    case 0:
        call_cumsum(t, in, n);
        break;
    case 1:
        call_max(t, in, n);
        break;
    case 2:
        call_argsort(t, in, n);
        break;
    default:
        call_nonzero(t, in, n);
        break;
    }
}
