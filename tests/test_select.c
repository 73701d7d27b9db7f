/* SPDX-License-Identifier: MIT */
/* Every way of deciding, pattern, type, size, place and result of a selection. */
#include "select_cases.h"

#include <stdio.h>

static select_case describe(clprims_select_by by, clprims_type type, size_t n,
                            const pass_way *way) {
    return (select_case){.desc = select_describe(by, type, 1, way), .pattern = KEEP_HALF, .n = n};
}

/* Every size at which something can go wrong. */
static void add_sizes(test_cases *cases, const pass_way *way) {
    static const size_t sizes[] = {0,   1,   2,   3,    15,   16,   17,   31,    32,   33,  63,
                                   64,  65,  127, 128,  129,  255,  256,  257,   511,  512, 513,
                                   767, 768, 769, 1023, 1024, 1025, 4097, 16385, 65537};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (test_small() && sizes[i] > 520) continue;
        select_case c = describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, sizes[i], way);
        select_add(cases, &c, way->name, "");
        c.tight = true;
        select_add(cases, &c, way->name, "/tight");
    }
}

/* Every decision and pattern; lengths and indices with those that have them. */
static void add_patterns(test_cases *cases, const pass_way *way) {
    for (int by = CLPRIMS_SELECT_FLAGS; by <= CLPRIMS_SELECT_RUNS; by++) {
        select_case c =
            describe((clprims_select_by)by, CLPRIMS_U32, test_small() ? 400 : 5003, way);
        c.desc.indices = CLPRIMS_U32;
        if (by == CLPRIMS_SELECT_RUNS) c.desc.lengths = CLPRIMS_I64;
        for (int pattern = 0; pattern < SELECT_PATTERNS; pattern++) {
            c.pattern = (select_pattern)pattern;
            c.in_first = (size_t)pattern % 3;
            c.flags_first = (size_t)pattern * 3;
            select_add(cases, &c, way->name, "/indices");
        }
    }
}

/* Every type, the decisions in turn; then without indices and at every alignment. */
static void add_types(test_cases *cases, const pass_way *way, int turn) {
    for (int type = CLPRIMS_I8; type <= CLPRIMS_STRUCT; type++, turn++) {
        const clprims_select_by by = (clprims_select_by)(turn % 5);
        const bool is_struct = type == CLPRIMS_STRUCT;
        select_case c =
            describe(is_struct && by == CLPRIMS_SELECT_NONZERO ? CLPRIMS_SELECT_BITS : by,
                     (clprims_type)type, test_small() ? 300 : 3001, way);
        for (c.in_first = 0; c.in_first < 5; c.in_first++) {
            char extra[32];
            c.out_first = 7 * c.in_first % 5;
            c.flags_first = 5 * c.in_first;
            c.pattern = (select_pattern)(turn % SELECT_PATTERNS);
            snprintf(extra, sizeof extra, "/first=%zu,%zu", c.in_first, c.out_first);
            select_add(cases, &c, way->name, extra);
        }
    }
}

/* In place, through run(), short of room, several arrays, indices alone, partition. */
static void add_results(test_cases *cases, const pass_way *way) {
    const size_t n = test_small() ? 410 : 4001;
    for (int by = CLPRIMS_SELECT_FLAGS; by <= CLPRIMS_SELECT_RUNS; by++) {
        select_case c = describe((clprims_select_by)by, CLPRIMS_I16, n, way);
        c.in_place = way->algorithm != CLPRIMS_SCAN_LOOKBACK_FALLBACK;
        if (c.in_place) select_add(cases, &c, way->name, "/in-place");
        c.in_place = false;
        c.lacking = 3;
        select_add(cases, &c, way->name, "/short");
        c.by_run = true;
        select_add(cases, &c, way->name, "/short/run");
        c.lacking = 0;
        c.tight = true;
        select_add(cases, &c, way->name, "/run");
        c.by_run = false;
        c.desc.no_values = 1;
        c.desc.indices = CLPRIMS_I64;
        if (by < CLPRIMS_SELECT_PREDICATE) c.desc.arrays = 0;
        select_add(cases, &c, way->name, "/indices-only");
        c.by_run = true;
        select_add(cases, &c, way->name, "/indices-only/run");
        if (by == CLPRIMS_SELECT_RUNS) continue;
        c = describe((clprims_select_by)by, CLPRIMS_U8, n, way);
        c.desc.partition = 1;
        select_add(cases, &c, way->name, "/partition");
        c.by_run = true;
        c.pattern = KEEP_RARELY;
        select_add(cases, &c, way->name, "/partition/run");
    }
}

static void add_several(test_cases *cases, const pass_way *way) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_U8, CLPRIMS_I64, CLPRIMS_I16};
    for (int by = CLPRIMS_SELECT_FLAGS; by <= CLPRIMS_SELECT_RUNS; by++) {
        select_case c =
            describe((clprims_select_by)by, CLPRIMS_U32, test_small() ? 300 : 2999, way);
        c.desc.arrays = 2 + (size_t)by % 3;
        for (size_t k = 0; k < c.desc.arrays; k++) c.desc.type[k] = types[k];
        c.in_first = 1;
        select_add(cases, &c, way->name, "/several");
        if (by == CLPRIMS_SELECT_RUNS) continue;
        c.desc.partition = 1;
        select_add(cases, &c, way->name, "/several/partition");
    }
}

/* The shapes that the library chooses. */
static void add_defaults(test_cases *cases) {
    static const pass_way chosen = {CLPRIMS_SCAN_AUTO, NULL, "chosen"};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_STRUCT; type++) {
        select_case c = describe(CLPRIMS_SELECT_PREDICATE, (clprims_type)type,
                                 test_small() ? 100 : 1000003, &chosen);
        select_add(cases, &c, "chosen", "");
        c.desc.by = CLPRIMS_SELECT_FLAGS;
        c.desc.partition = 1;
        if (type % 3 == 0) select_add(cases, &c, "chosen", "/partition");
    }
}

static void add_all(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        add_sizes(cases, &ways[w]);
        add_patterns(cases, &ways[w]);
        add_types(cases, &ways[w], (int)w);
        add_results(cases, &ways[w]);
        add_several(cases, &ways[w]);
    }
    add_defaults(cases);
    add_refusal_cases(cases);
}

int main(int argc, char **argv) {
    const int result = test_main(argc, argv, add_all);
    select_forget_plan();
    return result;
}
