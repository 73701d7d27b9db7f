/* SPDX-License-Identifier: MIT */
/* The single passes: scan, offsets, select. */
#include "sizes/octaves.h"

#include <stdlib.h>

static union {
    clprims_scan *scan;
    clprims_offsets *offsets;
    clprims_select *select;
} plan;

/* ---- Scan ---- */

static void create_scan(size_t max_n) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.accumulator = CLPRIMS_U64;
    desc.inclusive = 1;
    desc.max_n = max_n;
    expect_ok(clprims_scan_create(&plan.scan, test_context(), &desc));
    expect_ok(clprims_scan_describe(plan.scan, max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void run_scan(size_t n) {
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    uint32_t *values = octaves_words(n, 0);
    uint64_t *expected = test_alloc(n, sizeof *expected), sum = 0;
    for (size_t i = 0; i < n; i++) expected[i] = sum += values[i];
    test_buffer in = octaves_in(values, n, sizeof *values);
    test_buffer out = octaves_out(n, sizeof *expected);
    const clprims_scan_report right = {CLPRIMS_SCAN_VALID, (int64_t)n};
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8), report = octaves_out(1, sizeof right);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_scan_enqueue_counted(plan.scan, test_queue(), in.at, out.at, number.at,
                                               report.at, 0, NULL, NULL));
        octaves_expect(&report, &right);
    } else {
        expect_ok(clprims_scan_enqueue(plan.scan, test_queue(), in.at, out.at, n, 0, NULL, NULL));
        expect_ok(clprims_scan_describe(plan.scan, n, &info));
        octaves_expect_launched(0, info.group);
        test_buffer_release(&report);
    }
    octaves_expect(&number, &(uint64_t){n});
    octaves_expect(&out, expected);
    octaves_expect(&in, values);
    free(values);
    free(expected);
}

static void destroy_scan(void) {
    clprims_scan_destroy(plan.scan);
}

/* ---- Offsets ---- */

static void create_offsets(size_t max_n) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_offsets_info info = CLPRIMS_OFFSETS_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = max_n;
    expect_ok(clprims_offsets_create(&plan.offsets, test_context(), &desc));
    expect_ok(clprims_offsets_describe(plan.offsets, max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

/* In every third run an interval ends before it starts: what stands behind it is undefined. */
static void run_offsets(size_t n) {
    clprims_offsets_info info = CLPRIMS_OFFSETS_INFO_INIT;
    uint32_t *starts = octaves_words(n, 1u << 31), *stops = octaves_words(n, 1u << 31);
    int64_t *expected = test_alloc(n + 1, sizeof *expected), *actual = test_alloc(n + 1, 8);
    clprims_offsets_report report = {CLPRIMS_OFFSETS_VALID, -1, 0};
    const size_t fault = test_random_below(3) == 0 ? test_random_below(n) : n;
    for (size_t i = 0; i < n; i++) stops[i] += starts[i];
    if (fault < n) starts[fault] = stops[fault] + 1;
    expected[0] = 0;
    for (size_t i = 0; i < fault; i++) expected[i + 1] = expected[i] + (stops[i] - starts[i]);
    report.total = expected[fault];
    if (fault < n) report.fault = CLPRIMS_OFFSETS_INTERVAL, report.index = (int64_t)fault;
    test_buffer from = octaves_in(starts, n, 4), to = octaves_in(stops, n, 4);
    test_buffer out = octaves_out(n + 1, 8), place = octaves_out(1, sizeof report);
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_offsets_enqueue_counted(plan.offsets, test_queue(), from.at, to.at,
                                                  out.at, number.at, place.at, 0, NULL, NULL));
    } else {
        expect_ok(clprims_offsets_enqueue(plan.offsets, test_queue(), from.at, to.at, out.at, n,
                                          place.at, 0, NULL, NULL));
        expect_ok(clprims_offsets_describe(plan.offsets, n, &info));
        octaves_expect_launched(0, info.group);
    }
    octaves_expect(&number, &(uint64_t){n});
    octaves_expect(&place, &report);
    test_buffer_read(&out, actual);
    expect_elements(expected, actual, fault + 1, 8);
    test_buffer_release(&out);
    octaves_expect(&from, starts);
    octaves_expect(&to, stops);
    free(starts);
    free(stops);
    free(expected);
    free(actual);
}

static void destroy_offsets(void) {
    clprims_offsets_destroy(plan.offsets);
}

/* ---- Select ---- */

static void create_select(size_t max_n) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    clprims_select_info info = CLPRIMS_SELECT_INFO_INIT;
    desc.by = CLPRIMS_SELECT_PREDICATE;
    desc.predicate = "x % 3 == 0";
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_U32;
    desc.indices = CLPRIMS_I64;
    desc.max_n = max_n;
    expect_ok(clprims_select_create(&plan.select, test_context(), &desc));
    expect_ok(clprims_select_describe(plan.select, max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

/* In every third run some elements have no room: they are counted and not written. */
static void run_select(size_t n) {
    clprims_select_info info = CLPRIMS_SELECT_INFO_INIT;
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    uint32_t *values = octaves_words(n, 0), *kept = test_alloc(n, sizeof *kept);
    int64_t *indices = test_alloc(n, sizeof *indices);
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (values[i] % 3 != 0) continue;
        indices[count] = (int64_t)i;
        kept[count++] = values[i];
    }
    const size_t room = test_random_below(3) == 0 ? test_random_below(count + 1) : count;
    test_buffer in = octaves_in(values, n, 4), out = octaves_out(room, 4);
    test_buffer places = octaves_out(room, 8), kept_count = octaves_out(1, 8);
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8);
    b.in[0] = in.at;
    b.out[0] = out.at;
    b.indices = places.at;
    b.count = kept_count.at;
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_select_enqueue_counted(plan.select, test_queue(), &b, number.at, room, 0,
                                                 NULL, NULL));
    } else {
        expect_ok(clprims_select_enqueue(plan.select, test_queue(), &b, n, room, 0, NULL, NULL));
        expect_ok(clprims_select_describe(plan.select, n, &info));
        octaves_expect_launched(0, info.group);
    }
    octaves_expect(&number, &(uint64_t){n});
    octaves_expect(&kept_count, &count);
    octaves_expect(&out, kept);
    octaves_expect(&places, indices);
    octaves_expect(&in, values);
    free(values);
    free(kept);
    free(indices);
}

static void destroy_select(void) {
    clprims_select_destroy(plan.select);
}

static const octaves_subject subjects[] = {
    {"scan", 12345678, OCTAVES_MOST, create_scan, run_scan, destroy_scan},
    {"offsets", 12345678, OCTAVES_MOST, create_offsets, run_offsets, destroy_offsets},
    {"select", 12345678, OCTAVES_MOST, create_select, run_select, destroy_select},
};

void octaves_add_passes(test_cases *cases) {
    octaves_add(cases, subjects, sizeof subjects / sizeof subjects[0]);
}
