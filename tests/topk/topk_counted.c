/* SPDX-License-Identifier: MIT */
/* Top-k of as many elements as stand in device memory, fewer than k among them. */
#include "fixtures/count_cases.h"
#include "fixtures/sort_cases.h"
#include "topk/topk_suite.h"

#include <stdlib.h>
#include <string.h>

/* One run beside the beginning of a stable sort, with n in device memory or, if plain, by the host.
 */
static void run_one(clprims_topk *plan, const clprims_topk_desc *desc, const uint32_t *in,
                    uint64_t n, size_t k, bool plain) {
    const bool refused = n > desc->max_n;
    const size_t real = refused ? 0 : (size_t)n, found = real < k ? real : k;
    uint32_t *values = count_background(k, 4), *indices = count_background(k, 4);
    uint32_t *out = test_alloc(k, 4);
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    clprims_topk_report report = {0, 0};
    clprims_sort_desc like = CLPRIMS_SORT_DESC_INIT;
    test_buffer from = test_buffer_create(in, desc->max_n, 4, 2);
    test_buffer to[] = {test_buffer_create(values, k, 4, 1), test_buffer_create(indices, k, 4, 3)};
    test_buffer count = test_buffer_create(&n, 1, 8, 1);
    test_buffer told = test_buffer_create(NULL, 1, sizeof report, 1);
    like.type = CLPRIMS_U32;
    like.descending = !desc->least;
    size_t *order = sort_define_order(&like, in, real);
    for (size_t i = 0; i < found; i++) {
        values[i] = in[order[i]];
        indices[i] = (uint32_t)order[i];
    }
    b.in = from.at;
    b.values = to[0].at;
    b.indices = to[1].at;
    if (plain) {
        expect_ok(clprims_topk_enqueue(plan, test_queue(), &b, real, k, 0, NULL, NULL));
    } else {
        expect_ok(clprims_topk_enqueue_counted(plan, test_queue(), &b, count.at, k, told.at, 0,
                                               NULL, NULL));
        test_buffer_read(&told, &report);
        assert_int_equal(report.fault, refused ? CLPRIMS_TOPK_COUNT : CLPRIMS_TOPK_VALID);
        assert_true((uint64_t)report.count == n);
    }
    test_buffer_read(&to[0], out);
    expect_elements(values, out, k, 4);
    test_buffer_read(&to[1], out);
    expect_elements(indices, out, k, 4);
    test_buffer_expect_unchanged(&count, &n);
    test_buffer *const all[] = {&from, &to[0], &to[1], &count, &told};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) test_buffer_release(all[i]);
    void *const memory[] = {values, indices, out, order};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) free(memory[i]);
}

static void counted_is_right(const void *data) {
    const clprims_topk_desc *desc = data;
    const size_t ks[] = {1, desc->max_k, 40};
    clprims_topk *plan = NULL;
    uint32_t *in = test_alloc(desc->max_n, 4);
    expect_ok(clprims_topk_create(&plan, test_context(), desc));
    for (size_t i = 0; i < desc->max_n; i++) in[i] = (uint32_t)(i * 2654435761u) % 3001;
    for (size_t c = 0; c < COUNT_CASES; c++) {
        const uint64_t n = count_case(c, 100, desc->max_n);
        const size_t k = ks[c % 4 % 3];
        test_note("n = %llu, k = %zu", (unsigned long long)n, k);
        run_one(plan, desc, in, n, k, false);
        if (n >= k && n <= desc->max_n) run_one(plan, desc, in, n, k, true);
    }
    clprims_topk_destroy(plan);
    free(in);
}

static void counted_is_refused(const void *data) {
    const clprims_topk_desc *desc = data;
    const clprims_buffer none = {NULL, 0};
    cl_command_queue queue = test_queue();
    clprims_topk *plan = NULL;
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    expect_ok(clprims_topk_create(&plan, test_context(), desc));
    test_buffer in = test_buffer_create(NULL, desc->max_n, 4, 0);
    test_buffer values = test_buffer_create(NULL, 10, 8, 0);
    test_buffer indices = test_buffer_create(NULL, 10, 8, 0);
    test_buffer count = test_buffer_create(NULL, 4, 8, 0);
    const clprims_buffer far = {count.at.mem, count.bytes / 8}, inside = {indices.at.mem, 1},
                         report = {count.at.mem, 0}, over = {in.at.mem, 2};
    b.in = in.at;
    b.values = values.at;
    b.indices = indices.at;
    expect_failure(clprims_topk_enqueue_counted(NULL, queue, &b, count.at, 9, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_topk_enqueue_counted(plan, queue, &b, none, 9, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "topk: n.mem is NULL");
    expect_failure(clprims_topk_enqueue_counted(plan, queue, &b, far, 9, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n has room for");
    expect_failure(clprims_topk_enqueue_counted(plan, queue, &b, inside, 9, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n (first = 1, n = 1) overlaps indices");
    expect_failure(
        clprims_topk_enqueue_counted(plan, queue, &b, count.at, 9, report, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps n");
    expect_failure(clprims_topk_enqueue_counted(plan, queue, &b, count.at, 9, over, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "report (first = 2, n = 1) overlaps in");
    expect_failure(clprims_topk_enqueue_counted(plan, queue, &b, count.at, desc->max_k + 1, none, 0,
                                                NULL, NULL),
                   CLPRIMS_ERR_TOO_LARGE, "exceeds max_k");
    b.in.first = in.bytes / 4;
    expect_failure(clprims_topk_enqueue_counted(plan, queue, &b, count.at, 9, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "in has room for");
    test_buffer_release(&in);
    test_buffer_release(&values);
    test_buffer_release(&indices);
    test_buffer_release(&count);
    clprims_topk_destroy(plan);
}

static void reports_are_checked(const void *data) {
    const clprims_topk_report valid = {CLPRIMS_TOPK_VALID, 5}, huge = {CLPRIMS_TOPK_COUNT, -1},
                              none = {2, 0};
    (void)data;
    expect_ok(clprims_topk_check(&valid));
    expect_failure(clprims_topk_check(&huge), CLPRIMS_ERR_DATA,
                   "topk: n = 18446744073709551615, as read on the device, exceeds max_n");
    expect_failure(clprims_topk_check(&none), CLPRIMS_ERR_ARGUMENT, "report.fault = 2");
    expect_failure(clprims_topk_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void topk_add_counted(test_cases *cases, const clprims_topk_desc *desc, const char *name) {
    test_add(cases, counted_is_right, desc, sizeof *desc, "topk/counted/%s", name);
}

void topk_add_counted_refusals(test_cases *cases, const clprims_topk_desc *desc) {
    test_add(cases, counted_is_refused, desc, sizeof *desc, "topk/counted/refusals");
    test_add(cases, reports_are_checked, NULL, 0, "topk/counted/reports");
}
