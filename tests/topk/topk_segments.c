/* SPDX-License-Identifier: MIT */
/* Top-k of segments beside its definition: lengths, k, types, data, pieces of long segments. */
#include "fixtures/sort_cases.h"
#include "subjects/runs/subject_counted.h"
#include "topk/topk_suite.h"

#include <string.h>

static topk_segments_case describe(clprims_type type, size_t n, size_t segments) {
    topk_segments_case c;
    const clprims_topk_desc init = {0};
    memset(&c, 0, sizeof c);
    c.desc = init;
    c.desc.type = type;
    c.desc.indices = CLPRIMS_I32;
    c.desc.max_n = n;
    c.desc.max_k = 300;
    c.desc.max_segments = segments;
    c.segments = (segment_draw){.n = n, .segments = segments};
    c.k = 10;
    return c;
}

static void add_case(test_cases *cases, const topk_segments_case *c, const char *what) {
    const bool by_length = c->desc.by == CLPRIMS_SEGMENTS_EQUAL;
    test_add(cases, topk_segments_are_right, c, sizeof *c,
             "topk/segments/%s/%s/%s/%s/%s/n=%zu/length=%zu/k=%zu%s", what,
             clprims_type_name(c->desc.type), c->desc.least ? "least" : "greatest",
             sort_data_names[c->data],
             by_length ? "rows" : segment_lengths_names[c->segments.lengths], c->segments.n,
             c->segments.length, c->k, c->by_run ? "/run" : "");
}

/* All lengths and data by one plan of each type. */
static void add_types(test_cases *cases) {
    static const size_t ks[] = {1, 10, 33, 300};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        topk_segments_case c = describe((clprims_type)type, test_small() ? 3000 : 30000, 200);
        const bool now = type == CLPRIMS_U32 || type == CLPRIMS_F64 || type == CLPRIMS_I8;
        if (!test_long() && !now) continue;
        c.desc.least = type % 2;
        c.desc.local_indices = type % 2;
        c.desc.offsets = type == CLPRIMS_I8 ? CLPRIMS_I32 : CLPRIMS_I64;
        for (int i = 0; i < SORT_DATA_KINDS * LENGTHS_KINDS; i++) {
            c.data = (sort_data)(i % SORT_DATA_KINDS);
            c.segments.lengths = (segment_lengths)(i % LENGTHS_KINDS);
            c.segments.length = 128;
            c.k = ks[i % 4];
            c.first = (size_t)i % 3;
            c.by_run = i % 7 == 0;
            if (test_long() || i % (test_small() ? 5 : 3) == 0) add_case(cases, &c, "types");
        }
    }
}

/* Rows around the widths of teams and what they read at once. */
static void add_rows(test_cases *cases) {
    static const size_t lengths[] = {1, 2, 10, 31, 32, 33, 63, 65, 128, 511, 512, 513, 1025, 4097};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        topk_segments_case c = describe(CLPRIMS_F32, 5003, 5003);
        c.desc.by = CLPRIMS_SEGMENTS_EQUAL;
        c.desc.least = (int)i % 2;
        c.segments.length = lengths[i];
        c.data = i % 3 == 0 ? SORT_SPRINKLED : SORT_LOW_ENTROPY;
        for (c.k = 1; c.k <= 300; c.k = c.k * 6 + 1) add_case(cases, &c, "rows");
    }
}

/* Segments of several pieces; the first and the last have few results of the whole. */
static void add_long(test_cases *cases) {
    static const sort_data data[] = {SORT_RANDOM, SORT_ALIKE, SORT_SORTED, SORT_REVERSED};
    for (size_t i = 0; i < 4; i++) {
        topk_segments_case c = describe(CLPRIMS_U32, 70000, 9);
        c.desc.tuning = "PIECE=5000";
        c.desc.no_values = i == 1;
        c.data = data[i];
        c.k = i == 0 ? 300 : 20;
        c.segments.lengths = i % 2 == 0 ? LENGTHS_GIANT : LENGTHS_MIXED;
        c.segments.lead = 3 * i;
        add_case(cases, &c, "long");
    }
}

/* More results than a team has room for. */
static void add_many(test_cases *cases) {
    topk_segments_case c = describe(CLPRIMS_U64, 9000, 4);
    c.desc.max_k = c.k = 4000;
    c.data = SORT_FEW;
    add_case(cases, &c, "many");
}

static void add_counted(test_cases *cases) {
    for (int by_length = 0; by_length < 2; by_length++) {
        topk_segments_case c = describe(CLPRIMS_U32, test_small() ? 1000 : 5000, 100);
        if (by_length) c.desc.by = CLPRIMS_SEGMENTS_EQUAL;
        c.desc.max_k = 20;
        const char *name = by_length ? "topk/segments/counted/rows" : "topk/segments/counted";
        subject_add_counted(cases, &subject_topk_rows, &c.desc, 100, false, name);
    }
}

void topk_add_segments(test_cases *cases) {
    add_types(cases);
    add_rows(cases);
    add_long(cases);
    add_many(cases);
    add_counted(cases);
}
