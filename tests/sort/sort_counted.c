/* SPDX-License-Identifier: MIT */
/* Sorts whose number of keys stands in device memory. */
#include "fixtures/count_cases.h"
#include "sort/sort_suite.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct counted_case {
    clprims_sort_desc desc;
    size_t first; /* of the arrays */
    bool in_place;
} counted_case;

typedef struct pair {
    uint32_t key, payload;
} pair;

static int compare_pairs(const void *a, const void *b) {
    const pair *one = a, *other = b;
    if (one->key != other->key) return one->key < other->key ? -1 : 1;
    return one->payload < other->payload ? -1 : 1;
}

/* The first n keys and payloads in order, the others as they are in keys_before, payloads_before.
 */
static void expect_sorted(const uint32_t *in, size_t n, size_t max_n, const uint32_t *keys,
                          const uint32_t *payloads, const uint32_t *keys_before,
                          const uint32_t *payloads_before) {
    pair *expected = test_alloc(max_n, sizeof *expected);
    for (size_t i = 0; i < n; i++) expected[i] = (pair){in[i], (uint32_t)i};
    qsort(expected, n, sizeof *expected, compare_pairs);
    for (size_t i = n; i < max_n; i++) expected[i] = (pair){keys_before[i], payloads_before[i]};
    for (size_t i = 0; i < max_n; i++) {
        if (expected[i].key == keys[i] && expected[i].payload == payloads[i]) continue;
        test_fail("n = %zu: element %zu is %u, %u, not %u, %u", n, i, keys[i], payloads[i],
                  expected[i].key, expected[i].payload);
    }
    free(expected);
}

/* One run, with n in device memory or, if plain, by the host. */
static void sort_counted(clprims_sort *plan, const counted_case *c, const uint32_t *in, uint64_t n,
                         bool plain) {
    const size_t max_n = c->desc.max_n;
    const bool refused = n > max_n;
    uint32_t *background = count_background(max_n, 4), *numbers = test_alloc(max_n, 4);
    uint32_t *keys = test_alloc(max_n, 4), *payloads = test_alloc(max_n, 4);
    for (size_t i = 0; i < max_n; i++) numbers[i] = (uint32_t)i;
    test_buffer from[] = {test_buffer_create(in, max_n, 4, c->first),
                          test_buffer_create(numbers, max_n, 4, c->first + 1)};
    test_buffer to[] = {test_buffer_create(background, max_n, 4, c->first + 2),
                        test_buffer_create(background, max_n, 4, c->first)};
    test_buffer count = test_buffer_create(&n, 1, sizeof n, c->first);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_sort_report), c->first + 1);
    const test_buffer *out = c->in_place ? from : to;
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    clprims_sort_report found = {0, 0};
    b.keys_in = from[0].at;
    b.payload_in[0] = from[1].at;
    b.keys_out = out[0].at;
    b.payload_out[0] = out[1].at;
    if (plain) {
        expect_ok(clprims_sort_enqueue(plan, test_queue(), &b, (size_t)n, 0, NULL, NULL));
    } else {
        expect_ok(clprims_sort_enqueue_counted(plan, test_queue(), &b, count.at, report.at, 0, NULL,
                                               NULL));
        test_buffer_read(&report, &found);
        test_buffer_expect_unchanged(&count, &n);
        assert_int_equal(found.fault, refused ? CLPRIMS_SORT_COUNT : CLPRIMS_SORT_VALID);
        assert_true((uint64_t)found.count == n);
    }
    test_buffer_read(&out[0], keys);
    test_buffer_read(&out[1], payloads);
    expect_sorted(in, refused ? 0 : (size_t)n, max_n, keys, payloads, c->in_place ? in : background,
                  c->in_place ? numbers : background);
    for (size_t k = 0; k < 2; k++) {
        test_buffer_release(&from[k]);
        test_buffer_release(&to[k]);
    }
    test_buffer_release(&count);
    test_buffer_release(&report);
    free(background);
    free(numbers);
    free(keys);
    free(payloads);
}

static void counted_is_right(const void *data) {
    const counted_case *c = data;
    clprims_sort *plan = NULL;
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    uint32_t *in = test_alloc(c->desc.max_n, 4);
    expect_ok(clprims_sort_create(&plan, test_context(), &c->desc));
    expect_ok(clprims_sort_describe(plan, c->desc.max_n, &info));
    for (size_t i = 0; i < c->desc.max_n; i++) in[i] = (uint32_t)(i * 2654435761u) % 777;
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, info.tile > 0 ? info.tile : 24, c->desc.max_n);
        test_note("n = %llu", (unsigned long long)n);
        sort_counted(plan, c, in, n, false);
        if (n <= c->desc.max_n) sort_counted(plan, c, in, n, true);
    }
    clprims_sort_destroy(plan);
    free(in);
}

/* ---- Refusals ---- */

static void counted_is_refused(const void *data) {
    const counted_case *c = data;
    const clprims_buffer none = {NULL, 0};
    const size_t max_n = c->desc.max_n;
    clprims_sort *plan = NULL;
    clprims_sort_desc desc = c->desc;
    cl_command_queue queue = test_queue();
    desc.payloads = 0;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    test_buffer in = test_buffer_create(NULL, max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, max_n, 4, 0);
    test_buffer count = test_buffer_create(NULL, 2, 8, 0);
    const clprims_buffer far = {count.at.mem, count.bytes / 8}, inside = {out.at.mem, 1},
                         report = {count.at.mem, 0};
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    b.keys_in = in.at;
    b.keys_out = out.at;
    expect_failure(clprims_sort_enqueue_counted(NULL, queue, &b, count.at, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_sort_enqueue_counted(plan, NULL, &b, count.at, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(clprims_sort_enqueue_counted(plan, queue, &b, none, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n.mem is NULL");
    expect_failure(clprims_sort_enqueue_counted(plan, queue, &b, far, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n has room for");
    expect_failure(clprims_sort_enqueue_counted(plan, queue, &b, inside, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n (first = 1, n = 1) overlaps keys_out");
    expect_failure(clprims_sort_enqueue_counted(plan, queue, &b, count.at, report, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps n");
    b.keys_out = (clprims_buffer){out.at.mem, out.at.first + out.bytes / 4};
    expect_failure(clprims_sort_enqueue_counted(plan, queue, &b, count.at, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "keys_out has room for");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&count);
    clprims_sort_destroy(plan);
}

static void reports_are_checked(const void *data) {
    const clprims_sort_report valid = {CLPRIMS_SORT_VALID, 5}, huge = {CLPRIMS_SORT_COUNT, -1},
                              none = {2, 0};
    (void)data;
    expect_ok(clprims_sort_check(&valid));
    expect_failure(clprims_sort_check(&huge), CLPRIMS_ERR_DATA,
                   "sort: n = 18446744073709551615, as read on the device, exceeds max_n");
    expect_failure(clprims_sort_check(&none), CLPRIMS_ERR_ARGUMENT, "report.fault = 2");
    expect_failure(clprims_sort_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

/* ---- Cases ---- */

void sort_add_counted(test_cases *cases, clprims_sort_algorithm algorithm, const char *name,
                      const char *tuning, size_t max_n) {
    counted_case c = {.desc = CLPRIMS_SORT_DESC_INIT};
    c.desc.type = CLPRIMS_U32;
    c.desc.payloads = 1;
    c.desc.payload_bytes[0] = 4;
    c.desc.max_n = max_n;
    c.desc.algorithm = algorithm;
    c.desc.tuning = tuning;
    for (int in_place = 0; in_place < 2; in_place++) {
        c.in_place = in_place != 0;
        c.first = (size_t)in_place;
        test_add(cases, counted_is_right, &c, sizeof c, "sort/counted/%s/max=%zu%s", name, max_n,
                 in_place ? "/in-place" : "");
    }
    test_add(cases, counted_is_refused, &c, sizeof c, "sort/counted/%s/max=%zu/refusals", name,
             max_n);
}

void sort_add_counted_reports(test_cases *cases) {
    test_add(cases, reports_are_checked, NULL, 0, "sort/counted/reports");
}
