/* SPDX-License-Identifier: MIT */
/* Draws offsets: types, intervals and counts, algorithms, knobs, places, faults. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"

#include <stdlib.h>

typedef struct drawn_offsets {
    clprims_offsets_desc desc;
    clprims_offsets *plan;
    char tuning[FUZZ_TUNING];
} drawn_offsets;

/* Lengths of intervals, at times one below zero where the type has such. */
static int64_t *draw_lengths(const drawn_offsets *d, size_t n, int64_t most) {
    int64_t *lengths = test_alloc(n, sizeof *lengths);
    const bool counts = d->desc.counts != 0, is_signed = d->desc.type <= CLPRIMS_I64;
    for (size_t i = 0; i < n; i++) lengths[i] = (int64_t)test_random_below((uint64_t)most + 1);
    if (n > 0 && (is_signed || !counts) && test_random_below(3) == 0) {
        const size_t faults = fuzz_between(1, 3);
        for (size_t k = 0; k < faults; k++) lengths[fuzz_between(0, n - 1)] = -1;
    }
    return lengths;
}

/* The twin: offsets up to and at the first fault, and what the report must say. */
static clprims_offsets_report expected_report(const int64_t *lengths, int64_t *offsets, size_t n) {
    clprims_offsets_report report = {CLPRIMS_OFFSETS_VALID, -1, 0};
    size_t i = 0;
    for (offsets[0] = 0; i < n && lengths[i] >= 0; i++) offsets[i + 1] = offsets[i] + lengths[i];
    report.total = offsets[i];
    if (i < n) {
        report.fault = CLPRIMS_OFFSETS_INTERVAL;
        report.index = (int64_t)i;
    }
    return report;
}

static void expect_run(const drawn_offsets *d, const int64_t *lengths, const void *starts,
                       const void *stops, size_t n) {
    const size_t bytes = clprims_type_bytes(d->desc.type);
    clprims_offsets_report report;
    int64_t *expected = test_alloc(n + 1, sizeof *expected);
    int64_t *got = test_alloc(n + 1, sizeof *got);
    const bool counted = test_random_below(3) == 0;
    const size_t spare = counted ? d->desc.max_n - n : 0;
    test_buffer from = test_buffer_create_roomy(starts, n, bytes, fuzz_between(0, 9), spare);
    test_buffer to = test_buffer_create_roomy(stops, n, bytes, fuzz_between(0, 9), spare);
    test_buffer out = test_buffer_create_roomy(NULL, n + 1, sizeof *got, fuzz_between(0, 4), spare);
    test_buffer number = test_buffer_create(&(uint64_t){n}, 1, 8, fuzz_between(0, 2));

    test_buffer found = test_buffer_create(NULL, 1, sizeof report, fuzz_between(0, 2));
    const clprims_buffer none = {NULL, 0};
    pass_turn turn = fuzz_turn();
    const clprims_buffer begin = d->desc.counts ? none : from.at;
    const cl_event *gate = turn.gate ? &turn.gate : NULL;
    if (counted) {
        expect_ok(clprims_offsets_enqueue_counted(d->plan, pass_turn_queue(&turn), begin, to.at,
                                                  out.at, number.at, found.at,
                                                  pass_turn_waits(&turn), gate, NULL));
    } else {
        expect_ok(clprims_offsets_enqueue(d->plan, pass_turn_queue(&turn), begin, to.at, out.at, n,
                                          found.at, pass_turn_waits(&turn), gate, NULL));
    }

    pass_turn_end(&turn);
    test_buffer_read(&found, &report);
    test_buffer_read(&out, got);
    const clprims_offsets_report right = expected_report(lengths, expected, n);
    if (report.fault != right.fault || report.index != right.index || report.total != right.total)
        test_fail("n = %zu: report {%lld, %lld, %lld}, expected {%lld, %lld, %lld}", n,
                  (long long)report.fault, (long long)report.index, (long long)report.total,
                  (long long)right.fault, (long long)right.index, (long long)right.total);
    expect_values(CLPRIMS_I64, expected, got, right.fault ? (size_t)right.index + 1 : n + 1);
    test_buffer_expect_unchanged(&from, starts);
    test_buffer_expect_unchanged(&to, stops);
    test_buffer_expect_unchanged(&number, &(uint64_t){n});
    test_buffer *const all[] = {&from, &to, &out, &found, &number};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) test_buffer_release(all[i]);
    free(expected);
    free(got);
}

static void run(const drawn_offsets *d) {
    const size_t n = fuzz_pass_size(d->desc.max_n), bytes = clprims_type_bytes(d->desc.type);
    const int64_t most = (int64_t)1 << fuzz_between(0, bytes == 1 ? 5 : 12);
    int64_t *lengths = draw_lengths(d, n, most);
    void *starts = test_alloc(n, bytes), *stops = test_alloc(n, bytes);
    for (size_t i = 0; i < n; i++) {
        const int64_t start = d->desc.counts ? 0 : 1 + (int64_t)test_random_below(64);
        test_store_integer(bytes, starts, i, (uint64_t)start);
        test_store_integer(bytes, stops, i, (uint64_t)(start + lengths[i]));
    }
    expect_run(d, lengths, starts, stops, n);
    free(lengths);
    free(starts);
    free(stops);
}

void fuzz_offsets(void) {
    drawn_offsets d = {.desc = CLPRIMS_OFFSETS_DESC_INIT};
    d.desc.type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    d.desc.counts = fuzz_coin();
    d.desc.max_n = 1 + fuzz_size(test_small() ? 600 : 200000);
    d.desc.algorithm = fuzz_algorithm();
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_pass_knobs(d.desc.algorithm, d.tuning);
        d.desc.tuning = d.tuning;
    }
    fuzz_note("offsets of %s, %s, max_n %zu, %s, tuning %s", clprims_type_name(d.desc.type),
              d.desc.counts ? "counts" : "intervals", d.desc.max_n,
              clprims_algorithm_name(d.desc.algorithm), d.desc.tuning ? d.desc.tuning : "none");
    if (!fuzz_created(clprims_offsets_create(&d.plan, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(4, 16);
    for (size_t i = 0; i < runs; i++) run(&d);
    clprims_offsets_destroy(d.plan);
}
