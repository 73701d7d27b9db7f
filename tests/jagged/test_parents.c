/* SPDX-License-Identifier: MIT */
/* Parents beside their plain-C twin; offsets at fault; bad input. */
#include "fixtures/jagged_cases.h"
#include "subjects/runs/subject_refusals.h"

#include <inttypes.h>

enum { MOST_N = 70000 };

/* ---- Right ---- */

typedef struct parents_case {
    clprims_parents_desc desc;
    segments_shape shape;
    size_t n, first;
    jagged_way way;
} parents_case;

static void parents_are_right(const void *data) {
    const parents_case *c = data;
    clprims_parents *plan = subject_kept_plan(&subject_parents, &c->desc);
    test_segments segments = segments_make(c->shape, c->n, false);
    parents_expect(plan, &c->desc, &segments, c->way, c->first);
}

static const char *const results[] = {"segment", "local", "both"};

/* Shares so small that segments go through many; groups that have many of them. From 32 work-items
 * on, groups are of teams where the device has teams. */
static const struct {
    const char *name, *tuning;
} shapes[] = {{"one", "GROUP=1 SHARE=64 GROUPS=64"},
              {"many", "GROUP=8 SHARE=3 GROUPS=512"},
              {"few", "GROUP=64 SHARE=200 GROUPS=3"},
              {"default", NULL}};

static void add_case(test_cases *cases, parents_case *c, size_t shape) {
    if (shape > 0 && shape < 3 && !test_bears_shapes()) return;
    c->desc.tuning = shapes[shape].tuning;
    test_add_row(cases, parents_are_right, *c, "parents/%s/%s-%s/%s/n=%zu/first=%zu/%s/%s",
                 results[c->desc.result], clprims_type_name(c->desc.offsets_type),
                 clprims_type_name(c->desc.type), segments_names[c->shape], c->n, c->first,
                 shapes[shape].name, jagged_ways[c->way]);
}

/* One program in every shape of segments, at every size around the shares and the tiles. */
static void add_sweep(test_cases *cases, parents_case c, size_t shape) {
    static const size_t sizes[] = {0,   1,    2,    3,    7,    63,   64,   65,
                                   200, 1000, 1023, 1025, 2049, 5001, 69000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t s = 0; s < SEGMENTS_SHAPES; s++) {
            c.n = sizes[k];
            if (test_small() && (c.n > 200 || (s + k) % 3 != 0)) continue;
            if (c.n > 6000 && !test_long() && (s + shape) % 3 != 0) continue;
            c.shape = (segments_shape)s;
            c.first = (k + s) % 6;
            c.way = (jagged_way)((k + 2 * s) % JAGGED_FEWER);
            add_case(cases, &c, shape);
        }
    }
}

static void add_sweeps(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_I64, CLPRIMS_I32};
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        for (size_t k = 0; k < 12; k++) {
            /* In the default tier each shape has another pair of types and two results. */
            const bool few = k % 4 == shape && (k / 4 + shape) % 3 != 2;
            if (!few && !test_long()) continue;
            parents_case c = {.desc.result = (clprims_parents_result)((k / 4 + shape) % 3),
                              .desc.offsets_type = types[k % 2],
                              .desc.type = types[k / 2 % 2],
                              .desc.max_n = MOST_N,
                              .desc.max_segments = 5 * (size_t)MOST_N};
            add_sweep(cases, c, shape);
        }
    }
}

/* max_n and max_segments apart: plans with room for one of the two alone. */
static void limits_hold(const void *data) {
    const bool no_segments = *(const bool *)data;
    parents_case c = {.desc.result = CLPRIMS_PARENTS_BOTH,
                      .desc.max_n = no_segments ? 5000 : 1,
                      .desc.max_segments = no_segments ? 0 : 5000};
    clprims_parents *plan = subject_kept_plan(&subject_parents, &c.desc);
    test_segments segments = segments_make(SEGMENTS_EMPTY, no_segments ? 0 : 5000, false);
    segments.n = c.desc.max_n;
    for (size_t k = 0; k <= segments.count; k++) segments.offsets[k] = k > 4000;
    for (int way = JAGGED_ENQUEUE; way < JAGGED_FEWER; way++) {
        parents_expect(plan, &c.desc, &segments, (jagged_way)way, 1);
    }
}

/* ---- Offsets at fault ---- */

enum { N = SPOILED_N, SEGMENTS = SPOILED_SEGMENTS };

typedef struct malformed_case {
    clprims_parents_desc desc;
    segments_spoiling how;
    size_t more; /* other offsets that are wrong, all behind it */
    bool by_run;
} malformed_case;

/* A right run follows, whose report has nothing of the faulty one. */
static void fault_is_found(const void *data) {
    const malformed_case *c = data;
    clprims_parents *plan = subject_kept_plan(&subject_parents, &c->desc);
    const size_t bytes = clprims_type_bytes(c->desc.offsets_type);
    int64_t out[2][N];
    char offsets[(SEGMENTS + 1) * 8], right[(SEGMENTS + 1) * 8], message[64];
    const clprims_parents_arrays broken = {offsets, out[0], out[1], {SEGMENTS}};
    const clprims_parents_arrays sound = {right, out[0], out[1], {SEGMENTS}};
    clprims_parents_report found;
    for (size_t k = 0; k <= SEGMENTS; k++) {
        test_store_integer(bytes, right, k, 6 * k + 20);
        test_store_integer(bytes, offsets, k, 6 * k + 20);
    }
    const int64_t narrow = c->how.to > INT32_MAX   ? INT32_MAX
                           : c->how.to < INT32_MIN ? INT32_MIN
                                                   : c->how.to;
    test_store_integer(bytes, offsets, c->how.at, (uint64_t)(bytes == 4 ? narrow : c->how.to));
    for (size_t k = 0; k < c->more; k++) {
        const size_t at = (size_t)c->how.index + 1 + test_random_below(SEGMENTS);
        if (at <= SEGMENTS) test_store_integer(bytes, offsets, at, test_random_below(2 * N));
    }
    snprintf(message, sizeof message, "parents: offsets[%" PRId64 "] %s", c->how.index,
             c->by_run ? "= " : "is less than");
    if (c->by_run) {
        expect_failure(clprims_parents_run(plan, &broken, N), CLPRIMS_ERR_DATA, message);
        expect_ok(clprims_parents_run(plan, &sound, N));
        return;
    }
    test_buffer by = test_buffer_create(offsets, SEGMENTS + 1, bytes, 1);
    test_buffer to[2] = {test_buffer_create(NULL, N, 8, 2), test_buffer_create(NULL, N, 8, 1)};
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 1);
    const clprims_parents_buffers at = {.offsets = by.at,
                                        .parents = to[0].at,
                                        .local_index = to[1].at,
                                        .report = report.at,
                                        .sizes.segments = SEGMENTS};
    for (int again = 0; again < 2; again++) {
        expect_ok(clprims_parents_enqueue(plan, test_queue(), &at, N, 0, NULL, NULL));
        test_buffer_read(&report, &found);
        test_buffer_read(&to[0], out[0]);
        test_buffer_read(&to[1], out[1]);
        test_buffer_expect_unchanged(&by, offsets);
        expect_failure(clprims_parents_check(&found), CLPRIMS_ERR_DATA, message);
    }
    expect_ok(clprims_parents_run(plan, &sound, N));
}

static void add_malformed(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=1 SHARE=64 GROUPS=64",
                                          "GROUP=8 SHARE=1 GROUPS=512",
                                          "GROUP=64 SHARE=200 GROUPS=3", NULL};
    for (size_t k = 0; k < SEGMENTS_SPOILINGS; k++) {
        for (size_t t = 0; t < 4; t++) {
            malformed_case c = {.how = segments_spoilings[k]};
            if (t > 0 && t < 3 && !test_bears_shapes()) continue;
            if (test_small() && (k + t) % 4 != 0) continue;
            c.desc.result = CLPRIMS_PARENTS_BOTH;
            c.desc.offsets_type = t % 2 == 0 ? CLPRIMS_I64 : CLPRIMS_I32;
            c.desc.max_n = 2 * N;
            c.desc.max_segments = 2 * SEGMENTS;
            c.desc.tuning = tunings[t];
            for (c.more = 0; c.more < 80; c.more += 70) {
                c.by_run = (k + t + c.more) % 3 == 0;
                test_add_row(cases, fault_is_found, c, "parents/malformed/%s/more=%zu/%s%s",
                             c.how.name, c.more, tunings[t] == NULL ? "default" : tunings[t],
                             c.by_run ? "/run" : "");
            }
        }
    }
}

/* ---- Bad input ---- */

static const clprims_parents_desc good = {.max_n = N, .max_segments = SEGMENTS};

static void spoil(void *desc, subject_refusal *r) {
    clprims_parents_desc *d = desc;
    ILLEGAL("result", "result = 3 is not a value of", d->result = (clprims_parents_result)3)
    ILLEGAL("negative-result", "result = -1 is not a value of",
            d->result = (clprims_parents_result)-1)
    ILLEGAL("offsets", "offsets_type = 6 (uint16); offsets are int32, int64",
            d->offsets_type = CLPRIMS_U16)
    ILLEGAL("type", "type = 9 (float32) is neither", d->type = CLPRIMS_F32)
    REFUSED("huge-max_segments", TOO_LARGE, "max_segments = 922337203685",
            d->max_segments = SIZE_MAX / 2)
    REFUSED("narrow-parents", TOO_LARGE, "max_segments = 2147483649 exceeds", d->type = CLPRIMS_I32,
            d->max_segments = ((size_t)1 << 31) + 1)
    REFUSED("narrow-indices", TOO_LARGE, "max_n = 2147483649 exceeds", d->type = CLPRIMS_I32,
            d->result = CLPRIMS_PARENTS_LOCAL_INDEX, d->max_n = ((size_t)1 << 31) + 1)
}

static void none_are_described(void) {
    clprims_parents *plan = subject_kept_plan(&subject_parents, &good);
    clprims_parents_info info = {0};
    expect_ok(clprims_parents_describe(plan, 0, (clprims_parents_sizes){0}, &info));
    if (info.groups != 1) test_fail("%zu groups", info.groups);
}

void test_program(test_cases *cases) {
    static const bool both[] = {false, true};
    add_sweeps(cases);
    test_add_row(cases, limits_hold, both[0], "parents/limits/few-elements");
    test_add_row(cases, limits_hold, both[1], "parents/limits/no-segments");
    add_malformed(cases);
    subject_add_refused(cases, &subject_parents, &good, spoil, "parents/refusals/create");
    test_add_plain(cases, none_are_described, "parents/describe/none");
}
