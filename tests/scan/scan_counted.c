/* SPDX-License-Identifier: MIT */
/* Scans whose number of elements stands in device memory. */
#include "fixtures/count_cases.h"
#include "scan/scan_cases.h"

#include <stdlib.h>

typedef struct counted_case {
    clprims_scan_desc desc;
    size_t in_first, out_first, count_first, report_first;
    bool in_place;
} counted_case;

/* One run, counted or plain, whose output is compared with the twin and the background. */
static void run_counted(clprims_scan *scan, const counted_case *c, const void *in, uint64_t n) {
    const size_t bytes = scan_out_bytes(&c->desc), max_n = c->desc.max_n;
    const bool refused = n > max_n;
    const size_t done = refused ? 0 : (size_t)n;
    void *before = c->in_place ? NULL : count_background(max_n, bytes);
    test_buffer from = test_buffer_create(in, max_n, scan_in_bytes(&c->desc), c->in_first);
    test_buffer to = {.n = 0};
    if (!c->in_place) to = test_buffer_create(before, max_n, bytes, c->out_first);
    const test_buffer *written = c->in_place ? &from : &to;
    test_buffer count = test_buffer_create(&n, 1, sizeof n, c->count_first);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_scan_report), c->report_first);
    clprims_scan_report found;
    void *out = test_alloc(max_n, bytes);
    expect_ok(clprims_scan_enqueue_counted(scan, test_queue(), from.at, written->at, count.at,
                                           report.at, 0, NULL, NULL));
    test_buffer_read(written, out);
    test_buffer_read(&report, &found);
    test_buffer_expect_unchanged(&count, &n);
    assert_int_equal(found.fault, refused ? CLPRIMS_SCAN_COUNT : CLPRIMS_SCAN_VALID);
    assert_true((uint64_t)found.count == n);
    expect_scan(&c->desc, in, out, done, 0);
    if (c->in_place) {
        expect_elements((const char *)in + done * bytes, (const char *)out + done * bytes,
                        max_n - done, bytes);
    } else {
        count_expect_background(out, done, max_n, bytes);
        test_buffer_expect_unchanged(&from, in);
        test_buffer_release(&to);
    }
    test_buffer_release(&from);
    test_buffer_release(&count);
    test_buffer_release(&report);
    free(before);
    free(out);
}

static void counted_is_right(const void *data) {
    const counted_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    void *in = test_alloc(c->desc.max_n, scan_in_bytes(&c->desc));
    test_random_values(c->desc.type, c->desc.op, in, c->desc.max_n);
    expect_ok(clprims_scan_describe(scan, c->desc.max_n, &info));
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, info.tile, c->desc.max_n);
        test_note("n = %llu", (unsigned long long)n);
        run_counted(scan, c, in, n);
        if (n > c->desc.max_n) continue;
        test_note("plain n = %llu", (unsigned long long)n);
        void *out = scan_on_device(scan, &c->desc, in, c->in_first, c->out_first, (size_t)n);
        expect_scan(&c->desc, in, out, (size_t)n, 0);
        free(out);
    }
    free(in);
}

/* ---- Refusals ---- */

static void counted_is_refused(const void *data) {
    const counted_case *c = data;
    const clprims_buffer none = {NULL, 0};
    clprims_scan *scan = scan_plan(&c->desc);
    const size_t max_n = c->desc.max_n;
    cl_command_queue queue = test_queue();
    test_buffer in = test_buffer_create(NULL, max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, max_n, 4, 0);
    test_buffer short_out = test_buffer_create(NULL, 1, 4, 0);
    test_buffer count = test_buffer_create(NULL, 2, 8, 0);
    const clprims_buffer far = {count.at.mem, count.bytes / 8}, inside = {out.at.mem, 1},
                         report = {count.at.mem, 0};
    expect_failure(
        clprims_scan_enqueue_counted(NULL, queue, in.at, out.at, count.at, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(
        clprims_scan_enqueue_counted(scan, NULL, in.at, out.at, count.at, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(
        clprims_scan_enqueue_counted(scan, queue, in.at, out.at, none, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "n.mem is NULL");
    expect_failure(
        clprims_scan_enqueue_counted(scan, queue, in.at, out.at, far, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "n has room for");
    expect_failure(
        clprims_scan_enqueue_counted(scan, queue, in.at, out.at, inside, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "n (first = 1, n = 1) overlaps out");
    expect_failure(
        clprims_scan_enqueue_counted(scan, queue, in.at, out.at, count.at, report, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps n");
    expect_failure(clprims_scan_enqueue_counted(scan, queue, in.at, short_out.at, count.at, none, 0,
                                                NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "out has room for");
    expect_failure(
        clprims_scan_enqueue_counted(scan, queue, in.at, out.at, count.at, none, 1, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "num_wait = 1");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&short_out);
    test_buffer_release(&count);
}

static void reports_are_checked(const void *data) {
    const clprims_scan_report valid = {CLPRIMS_SCAN_VALID, 5}, huge = {CLPRIMS_SCAN_COUNT, -1},
                              none = {2, 0};
    (void)data;
    expect_ok(clprims_scan_check(&valid));
    expect_failure(clprims_scan_check(&huge), CLPRIMS_ERR_DATA,
                   "scan: n = 18446744073709551615, as read on the device, exceeds max_n");
    expect_failure(clprims_scan_check(&none), CLPRIMS_ERR_ARGUMENT, "report.fault = 2");
    expect_failure(clprims_scan_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

/* ---- Cases ---- */

/* Of the programs that test_scan.c has. */
static clprims_scan_desc describe(clprims_algorithm algorithm, const scan_shape *shape,
                                  size_t max_n) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.inclusive = 1;
    desc.max_n = max_n;
    desc.fast_floats = 1;
    scan_set(&desc, algorithm, shape);
    return desc;
}

void add_counted_cases(test_cases *cases) {
    const size_t most = test_small() ? 700 : 70001;
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES * 2; mode++) {
        const clprims_algorithm algorithm = scan_algorithm(mode / 2 / SCAN_SHAPES);
        const scan_shape *shape = &scan_shapes[mode / 2 % SCAN_SHAPES];
        const bool few = mode % 2 == 1; /* one group of the launch may take all */
        counted_case c = {.desc = describe(algorithm, shape, few ? 100 : most),
                          .in_first = (size_t)mode % 3,
                          .out_first = (size_t)mode % 5,
                          .count_first = (size_t)mode % 4,
                          .report_first = (size_t)mode % 2,
                          .in_place = mode % 3 == 1};
        test_add(cases, counted_is_right, &c, sizeof c, "scan/counted/%s/%s/max=%zu%s",
                 clprims_algorithm_name(algorithm), shape->name, c.desc.max_n,
                 c.in_place ? "/in-place" : "");
        if (mode == 0) {
            test_add(cases, counted_is_refused, &c, sizeof c, "scan/counted/refusals");
        }
    }
    test_add(cases, reports_are_checked, NULL, 0, "scan/counted/reports");
}
