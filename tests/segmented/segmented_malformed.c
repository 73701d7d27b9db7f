/* SPDX-License-Identifier: MIT */
/* Offsets that fall or leave the content, and empty segments without a value: the lowest index is
 * reported, and nothing outside the buffers is touched. */
#include "segmented/segmented_tries.h"

#include <stdio.h>
#include <string.h>

enum { N = 900, SEGMENTS = 130 };

/* A reduction has a work-item for each segment and each block; several groups look for faults. */
#define BY_TEAMS "TEAM=1 GROUP=4 BLOCK=32"

/* ---- Offsets ---- */

typedef struct spoiling {
    const char *name;
    size_t at; /* the offset that is changed */
    int64_t to;
    int64_t index; /* that is reported */
} spoiling;

/* Offset k was 6 k + 20, of 900 elements. */
static const spoiling spoilings[] = {
    {"first-negative", 0, -1, 0},
    {"first-least", 0, INT64_MIN, 0},
    {"first-beyond", 0, N + 1, 0},
    {"first-above-second", 0, 27, 1},
    {"second-falls", 1, 19, 1},
    {"falls-in-the-middle", 64, 6 * 63 + 19, 64},
    {"rises-in-the-middle", 64, 6 * 65 + 21, 65},
    {"zero-in-the-middle", 64, 0, 64},
    {"negative-in-the-middle", 64, -7, 64},
    {"beyond-in-the-middle", 64, N + 1, 64},
    {"greatest-in-the-middle", 64, INT64_MAX, 64},
    {"least-in-the-middle", 64, INT64_MIN, 64},
    {"last-falls", SEGMENTS, 6 * SEGMENTS + 13, SEGMENTS},
    {"last-negative", SEGMENTS, -2, SEGMENTS},
    {"last-beyond", SEGMENTS, N + 1, SEGMENTS},
    {"last-greatest", SEGMENTS, INT64_MAX, SEGMENTS},
};

typedef struct malformed_case {
    clprims_segmented_result result;
    clprims_type heads_type;
    const char *tuning;
    spoiling how;
    size_t more; /* other offsets that fall, all behind it */
} malformed_case;

static void fill_offsets(const malformed_case *c, int64_t *offsets) {
    for (size_t k = 0; k <= SEGMENTS; k++) offsets[k] = 6 * (int64_t)k + 20;
    offsets[c->how.at] = c->how.to;
    for (size_t k = 0; k < c->more; k++) {
        const size_t at = (size_t)c->how.index + 1 + test_random_below(SEGMENTS);
        if (at <= SEGMENTS) offsets[at] = (int64_t)test_random_below(2 * N) - N / 2;
    }
}

static clprims_segmented_desc describe(const malformed_case *c) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.result = c->result;
    desc.type = CLPRIMS_I32;
    desc.heads_type = c->heads_type;
    desc.max_n = 2 * N;
    desc.max_segments = 2 * SEGMENTS;
    desc.tuning = c->tuning;
    return desc;
}

static void fault_is_found(const void *data) {
    const malformed_case *c = data;
    const clprims_segmented_desc desc = describe(c);
    clprims_segmented *plan = segmented_plan(&desc);
    const size_t bytes = segmented_head_bytes(&desc);
    const size_t outputs = c->result == CLPRIMS_SEGMENTED_REDUCE ? SEGMENTS : N;
    int64_t offsets[SEGMENTS + 1];
    int32_t in[N], out[N];
    unsigned char heads[sizeof offsets];
    clprims_segmented_report found;
    char message[64];
    test_random_values(CLPRIMS_I32, CLPRIMS_ADD, in, N);
    fill_offsets(c, offsets);
    for (size_t k = 0; k <= SEGMENTS; k++)
        test_store_integer(bytes, heads, k, (uint64_t)offsets[k]);
    test_buffer from = test_buffer_create(in, N, 4, 3);
    test_buffer by = test_buffer_create(heads, SEGMENTS + 1, bytes, 1);
    test_buffer to = test_buffer_create(NULL, outputs, 4, 2);
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 1);
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    b.in = from.at;
    b.heads = by.at;
    b.out = to.at;
    b.report = report.at;
    expect_ok(clprims_segmented_enqueue(plan, test_queue(), &b, N, SEGMENTS, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    test_buffer_read(&to, out);
    test_buffer_expect_unchanged(&from, in);
    test_buffer_expect_unchanged(&by, heads);
    if (found.fault != CLPRIMS_SEGMENTED_OFFSETS || found.index != c->how.index) {
        test_fail("fault %lld at %lld, not 1 at %lld", (long long)found.fault,
                  (long long)found.index, (long long)c->how.index);
    }
    snprintf(message, sizeof message, "segmented: offsets[%lld] is less than",
             (long long)c->how.index);
    expect_failure(clprims_segmented_check(&found), CLPRIMS_ERR_DATA, message);
    test_buffer *const all[] = {&from, &by, &to, &report};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) test_buffer_release(all[i]);
}

static void add_offsets(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=8 SHARE=7 GROUPS=64", "GROUP=8 SHARE=5000",
                                          "GROUP=8 SHARE=1 GROUPS=512", BY_TEAMS};
    for (size_t k = 0; k < sizeof spoilings / sizeof spoilings[0]; k++) {
        malformed_case c = {.how = spoilings[k], .heads_type = CLPRIMS_I64};
        for (size_t t = 0; t < 4 && test_bears_shapes(); t++) {
            c.tuning = tunings[t];
            c.result = k % 2 == 0 ? CLPRIMS_SEGMENTED_REDUCE : CLPRIMS_SEGMENTED_EXCLUSIVE;
            for (int both = 0; both < 2; both++) {
                for (c.more = 0; c.more < 80; c.more += 70) {
                    if (test_small() && (k + t + c.more / 70) % 5 != 0) continue;
                    test_add(cases, fault_is_found, &c, sizeof c,
                             "segmented/malformed/%s/result=%d/more=%zu/%s", c.how.name,
                             (int)c.result, c.more, c.tuning);
                }
                c.result = k % 2 == 1 ? CLPRIMS_SEGMENTED_REDUCE : CLPRIMS_SEGMENTED_EXCLUSIVE;
            }
        }
        const bool fits = c.how.to >= INT32_MIN && c.how.to <= INT32_MAX;
        c.heads_type = CLPRIMS_I32;
        c.tuning = NULL;
        c.result = CLPRIMS_SEGMENTED_REDUCE;
        c.more = 0;
        if (fits && !test_small()) {
            test_add(cases, fault_is_found, &c, sizeof c, "segmented/malformed/%s/int32",
                     c.how.name);
        }
    }
}

/* ---- By run: nothing is written ---- */

static void run_leaves_the_output(const void *data) {
    const malformed_case c = {.heads_type = CLPRIMS_I64, .how = {"", 5, 0, 5}};
    const clprims_segmented_desc desc = describe(&c);
    clprims_segmented *plan = segmented_plan(&desc);
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    int64_t offsets[SEGMENTS + 1];
    int32_t in[N] = {0};
    test_array out = test_array_create(NULL, SEGMENTS, 4);
    size_t count = 99;
    (void)data;
    fill_offsets(&c, offsets);
    arrays.in = in;
    arrays.heads = offsets;
    arrays.out = out.values;
    expect_failure(clprims_segmented_run(plan, &arrays, N, SEGMENTS, &count), CLPRIMS_ERR_DATA,
                   "segmented: offsets[5] is less than the offset before");
    test_array_expect_untouched(&out);
    test_array_free(&out);
}

/* ---- Empty segments that have no value ---- */

static void empty_segments_lack_a_value(const void *data) {
    const int64_t offsets[] = {0, 4, 9, 9, 11, 11, 12, 12, 30, 30, 30, 40};
    enum { COUNT = sizeof offsets / sizeof offsets[0] - 1 };
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    clprims_segmented *plan = NULL;
    int32_t in[40], out[COUNT];
    const char *const *tuning = data;
    desc.type = CLPRIMS_I32;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom.op = "max(a, b)"; /* in ascending elements the last one */
    desc.custom.commutative = strstr(*tuning, "TEAM") != NULL;
    desc.max_n = 40;
    desc.max_segments = COUNT;
    desc.tuning = *tuning;
    expect_ok(clprims_segmented_create(&plan, test_context(), &desc));
    for (int i = 0; i < 40; i++) in[i] = i;
    arrays.in = in;
    arrays.heads = offsets;
    arrays.out = out;
    expect_failure(clprims_segmented_run(plan, &arrays, 40, COUNT, NULL), CLPRIMS_ERR_DATA,
                   "segmented: segment 2 is empty");
    arrays.heads = offsets + 3;
    expect_failure(clprims_segmented_run(plan, &arrays, 40, COUNT - 3, NULL), CLPRIMS_ERR_DATA,
                   "segmented: segment 1 is empty");
    arrays.heads = offsets + 9;
    expect_failure(clprims_segmented_run(plan, &arrays, 40, 2, NULL), CLPRIMS_ERR_DATA,
                   "segmented: segment 0 is empty");
    arrays.heads = offsets;
    expect_ok(clprims_segmented_run(plan, &arrays, 40, 2, NULL));
    if (out[0] != 3 || out[1] != 8) test_fail("the last ones are %d and %d", out[0], out[1]);
    clprims_segmented_destroy(plan);
}

/* What a run finds says nothing of the next one. Several groups may look for it. */
static void faults_are_forgotten(const void *data) {
    enum { COUNT = 40, EACH = 2, NONE = -1 };
    static const struct {
        int empty[2], falls; /* segments, an offset */
        const char *message; /* NULL: nothing is at fault */
    } turns[] = {{{35, 20}, NONE, "segmented: segment 20 is empty"},
                 {{NONE, NONE}, NONE, NULL},
                 {{35, NONE}, 37, "segmented: offsets[37] is less than"},
                 {{NONE, NONE}, NONE, NULL},
                 {{NONE, NONE}, 5, "segmented: offsets[5] is less than"},
                 {{NONE, NONE}, 20, "segmented: offsets[20] is less than"},
                 {{35, NONE}, NONE, "segmented: segment 35 is empty"},
                 {{NONE, NONE}, NONE, NULL}};
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    clprims_segmented *plan = NULL;
    int32_t in[COUNT * EACH], out[COUNT];
    int64_t offsets[COUNT + 1];
    const char *const *tuning = data;
    desc.type = CLPRIMS_I32;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom.op = "max(a, b)";
    desc.custom.commutative = 1;
    desc.max_n = COUNT * EACH;
    desc.max_segments = 2 * COUNT; /* more than one group of one work-item checks */
    desc.tuning = *tuning;
    expect_ok(clprims_segmented_create(&plan, test_context(), &desc));
    for (int i = 0; i < COUNT * EACH; i++) in[i] = i - 50;
    arrays.in = in;
    arrays.heads = offsets;
    arrays.out = out;
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        test_note("turn %zu", k);
        for (int i = 0; i <= COUNT; i++) offsets[i] = EACH * i;
        for (int e = 0; e < 2; e++) {
            const int empty = turns[k].empty[e];
            if (empty != NONE) offsets[empty] = offsets[empty + 1];
        }
        if (turns[k].falls != NONE) offsets[turns[k].falls] -= 3 * EACH;
        const clprims_status status = clprims_segmented_run(plan, &arrays, COUNT * EACH, COUNT, 0);
        if (turns[k].message != NULL) {
            expect_failure(status, CLPRIMS_ERR_DATA, turns[k].message);
            continue;
        }
        expect_ok(status);
        for (int i = 0; i < COUNT; i++) assert_int_equal(out[i], EACH * i + EACH - 1 - 50);
    }
    clprims_segmented_destroy(plan);
}

void add_malformed_cases(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=1 SHARE=1 GROUPS=64", "GROUP=1 SHARE=3",
                                          "GROUP=1 SHARE=1000",        BY_TEAMS,
                                          "TEAM=1 GROUP=64",           "TEAM=1 GROUP=1 BLOCK=32"};
    const size_t count = test_bears_shapes() ? sizeof tunings / sizeof tunings[0] : 3;
    add_offsets(cases);
    test_add(cases, run_leaves_the_output, NULL, 0, "segmented/malformed/run");
    for (size_t k = 0; k < count; k++) {
        test_add(cases, empty_segments_lack_a_value, &tunings[k], sizeof tunings[k],
                 "segmented/malformed/empty/%s", tunings[k]);
        test_add(cases, faults_are_forgotten, &tunings[k], sizeof tunings[k],
                 "segmented/malformed/forgotten/%s", tunings[k]);
    }
}
