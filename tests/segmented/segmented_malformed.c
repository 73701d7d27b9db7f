/* SPDX-License-Identifier: MIT */
/* Offsets that fall or leave the content, and empty segments without a value: the lowest index is
 * reported, and nothing outside the buffers is touched. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_buffers.h"

enum { N = SPOILED_N, SEGMENTS = SPOILED_SEGMENTS };

/* A reduction has a work-item for each segment and each block; several groups look for faults. */
#define BY_TEAMS "TEAM=1 GROUP=4 BLOCK=32"

/* ---- Offsets ---- */

typedef struct malformed_case {
    clprims_segmented_kind kind;
    clprims_type heads_type;
    const char *tuning;
    segments_spoiling how;
    size_t more; /* other offsets that fall, all behind it */
} malformed_case;

static clprims_segmented_desc describe(const malformed_case *c) {
    clprims_segmented_desc desc = {.kind = c->kind,
                                   .type = CLPRIMS_I32,
                                   .heads_type = c->heads_type,
                                   .max_n = 2 * N,
                                   .max_segments = 2 * SEGMENTS,
                                   .tuning = c->tuning};
    return desc;
}

static void expect_fault(const malformed_case *c, bool by_run) {
    static const size_t firsts[SUBJECT_SLOTS] = {
        [SEGMENTED_IN] = 3, [SEGMENTED_HEADS] = 1, [SEGMENTED_OUT] = 2, [SEGMENTED_REPORT] = 1};
    const clprims_segmented_desc desc = describe(c);
    clprims_segmented *plan = segmented_plan(&desc);
    int64_t offsets[SEGMENTS + 1];
    char message[64];
    for (size_t k = 0; k <= SEGMENTS; k++) offsets[k] = 6 * (int64_t)k + 20;
    subject_data d = {.of = &subject_segmented,
                      .desc = &desc,
                      .n = {N, SEGMENTS},
                      .most = {desc.max_n, desc.max_segments},
                      .offsets = offsets};
    subject_draw(&d);
    for (size_t k = 0; k < c->more; k++) {
        const size_t at = (size_t)c->how.index + 1 + test_random_below(SEGMENTS);
        const int64_t to = (int64_t)test_random_below(2 * N) - N / 2;
        if (at <= SEGMENTS) segmented_spoil(&d, at, to, c->how.index);
    }
    segmented_spoil(&d, c->how.at, c->how.to, c->how.index);
    if (by_run) {
        subject_run_is_right(&d, plan);
    } else {
        subject_placed_is_right(&d, plan, firsts);
    }
    snprintf(message, sizeof message, "segmented: offsets[%lld] %s", (long long)c->how.index,
             by_run ? "= 0 is less than offsets[4] = 44" : "is less than");
    expect_contains(clprims_last_error()->message, message);
}

static void fault_is_found(const void *data) {
    expect_fault(data, false);
}

static void add_offsets(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=8 SHARE=7 GROUPS=64", "GROUP=8 SHARE=5000",
                                          "GROUP=8 SHARE=1 GROUPS=512", BY_TEAMS,
                                          "GROUP=8 ITEMS=4"};
    for (size_t k = 0; k < SEGMENTS_SPOILINGS; k++) {
        malformed_case c = {.how = segments_spoilings[k], .heads_type = CLPRIMS_I64};
        for (size_t t = 0; t < 5 && test_bears_shapes(); t++) {
            c.tuning = tunings[t];
            c.kind = k % 2 == 0 ? CLPRIMS_SEGMENTED_REDUCE : CLPRIMS_SEGMENTED_EXCLUSIVE;
            for (int both = 0; both < 2; both++) {
                for (c.more = 0; c.more < 80; c.more += 70) {
                    if (test_small() && (k + t + c.more / 70) % 5 != 0) continue;
                    test_add_row(cases, fault_is_found, c,
                                 "segmented/malformed/%s/kind=%d/more=%zu/%s", c.how.name,
                                 (int)c.kind, c.more, c.tuning);
                }
                c.kind = k % 2 == 1 ? CLPRIMS_SEGMENTED_REDUCE : CLPRIMS_SEGMENTED_EXCLUSIVE;
            }
        }
        const bool fits = c.how.to >= INT32_MIN && c.how.to <= INT32_MAX;
        c.heads_type = CLPRIMS_I32;
        c.tuning = NULL;
        c.kind = CLPRIMS_SEGMENTED_REDUCE;
        c.more = 0;
        if (fits && !test_small()) {
            test_add_row(cases, fault_is_found, c, "segmented/malformed/%s/int32", c.how.name);
            c.heads_type = CLPRIMS_U32;
            test_add_row(cases, fault_is_found, c, "segmented/malformed/%s/uint32", c.how.name);
        }
    }
}

/* Messages have the offset as it is, not as kernels read it. */
static void unsigned_is_named(void) {
    static const uint32_t narrow[3] = {0, UINT32_MAX, 3};
    static const uint64_t wide[3] = {0, UINT64_MAX, 3};
    const int32_t in[3] = {1, 2, 3};
    int32_t out[2];
    for (int k = 0; k < 2; k++) {
        const clprims_segmented_desc desc = {.type = CLPRIMS_I32,
                                             .heads_type = k == 0 ? CLPRIMS_U32 : CLPRIMS_U64,
                                             .max_n = 3,
                                             .max_segments = 2};
        const clprims_segmented_arrays arrays = {in, k == 0 ? (const void *)narrow : wide, out,
                                                 .sizes.segments = 2};
        expect_failure(clprims_segmented_run(segmented_plan(&desc), &arrays, 3), CLPRIMS_ERR_DATA,
                       k == 0 ? "offsets[1] = 4294967295 is not within the 3 elements"
                              : "offsets[1] = 18446744073709551615 is not within the 3 elements");
    }
}

/* ---- By run: nothing is written ---- */

static void run_leaves_the_output(void) {
    const malformed_case c = {.heads_type = CLPRIMS_I64, .how = {"", 5, 0, 5}};
    expect_fault(&c, true);
}

/* ---- One run after another ---- */

/* What a run finds says nothing of the next one. Several groups may look for it. */
static void expect_turns(const char *tuning, bool commutes) {
    enum { COUNT = 40, EACH = 2, NONE = -1 };
    static const struct {
        int empty[2], falls; /* segments, an offset */
        const char *message; /* NULL: nothing is at fault */
    } turns[] = {{{35, 20}, NONE, "segmented: segment 20 is empty"},
                 {{NONE, NONE}, NONE, NULL},
                 {{35, NONE}, 37, "segmented: offsets[37] = 68 is less than offsets[36] = 72"},
                 {{NONE, NONE}, NONE, NULL},
                 {{NONE, NONE}, 5, "segmented: offsets[5] = 4 is less than offsets[4] = 8"},
                 {{NONE, NONE}, 20, "segmented: offsets[20] = 34 is less than offsets[19] = 38"},
                 {{35, NONE}, NONE, "segmented: segment 35 is empty"},
                 {{21, 20}, NONE, "segmented: segment 20 is empty"},
                 {{39, 0}, NONE, "segmented: segment 0 is empty"},
                 {{NONE, NONE}, NONE, NULL}};
    int32_t in[COUNT * EACH], out[COUNT];
    int64_t offsets[COUNT + 1];
    clprims_segmented_desc desc = {.type = CLPRIMS_I32, .op = CLPRIMS_CUSTOM};
    desc.custom.op = "max(a, b)"; /* in ascending elements the last one */
    desc.custom.commutative = commutes;
    desc.max_n = COUNT * EACH;
    desc.max_segments = 2 * COUNT; /* more than one group of one work-item checks */
    desc.tuning = tuning;
    clprims_segmented *plan = subject_made_plan(&subject_segmented, &desc);
    for (int i = 0; i < COUNT * EACH; i++) in[i] = i - 50;
    clprims_segmented_arrays arrays = {
        .in = in, .heads = offsets, .out = out, .sizes.segments = COUNT};
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        test_note("turn %zu", k);
        for (int i = 0; i <= COUNT; i++) offsets[i] = EACH * i;
        for (int e = 0; e < 2; e++) {
            const int empty = turns[k].empty[e];
            if (empty != NONE) offsets[empty] = offsets[empty + 1];
        }
        if (turns[k].falls != NONE) offsets[turns[k].falls] -= 3 * EACH;
        const clprims_status status = clprims_segmented_run(plan, &arrays, COUNT * EACH);
        if (turns[k].message != NULL) {
            expect_failure(status, CLPRIMS_ERR_DATA, turns[k].message);
            continue;
        }
        expect_status_ok(status);
        for (int i = 0; i < COUNT; i++) assert_int_equal(out[i], EACH * i + EACH - 1 - 50);
    }
}

static void faults_are_forgotten(const void *data) {
    const char *const *tuning = data;
    expect_turns(*tuning, true);
    if (strstr(*tuning, "TEAM") == NULL) expect_turns(*tuning, false);
}

void add_malformed_cases(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=1 SHARE=1 GROUPS=64", "GROUP=1 SHARE=3",
                                          "GROUP=1 SHARE=1000",        BY_TEAMS,
                                          "TEAM=1 GROUP=64",           "TEAM=1 GROUP=1 BLOCK=32"};
    const size_t count = test_bears_shapes() ? sizeof tunings / sizeof tunings[0] : 3;
    add_offsets(cases);
    test_add_plain(cases, run_leaves_the_output, "segmented/malformed/run");
    test_add_plain(cases, unsigned_is_named, "segmented/malformed/unsigned");
    for (size_t k = 0; k < count; k++) {
        test_add_row(cases, faults_are_forgotten, tunings[k], "segmented/malformed/forgotten/%s",
                     tunings[k]);
    }
}
