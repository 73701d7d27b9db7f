/* SPDX-License-Identifier: MIT */
/* Every way of deciding, pattern, type, size, place and result of a selection. */
#include "fixtures/select_cases.h"

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

/* Every pattern; indices, and lengths with the decision that has them. */
static void add_patterns(test_cases *cases, const pass_way *way, clprims_select_by by) {
    select_case c = describe(by, CLPRIMS_U32, test_small() ? 400 : 5003, way);
    c.desc.indices = CLPRIMS_U32;
    if (by == CLPRIMS_SELECT_RUNS) c.desc.lengths = CLPRIMS_I64;
    for (int pattern = 0; pattern < SELECT_PATTERNS; pattern++) {
        c.pattern = (select_pattern)pattern;
        c.in_first = (size_t)pattern % 3;
        c.flags_first = (size_t)pattern * 3;
        select_add(cases, &c, way->name, "/indices");
    }
}

/* At every alignment, in place, short of room, and through run(). */
static void add_type(test_cases *cases, const pass_way *way, clprims_select_by by,
                     clprims_type type) {
    select_case c = describe(by, type, test_small() ? 300 : 3001, way);
    for (c.in_first = 0; c.in_first < 5; c.in_first++) {
        char extra[32];
        c.out_first = 7 * c.in_first % 5;
        c.flags_first = 5 * c.in_first;
        snprintf(extra, sizeof extra, "/first=%zu,%zu", c.in_first, c.out_first);
        select_add(cases, &c, way->name, extra);
    }
    c.in_first = c.out_first = c.flags_first = 0;
    c.in_place = pass_is_in_place(way->algorithm);
    if (c.in_place) {
        select_add(cases, &c, way->name, "/in-place");
        c.pattern = KEEP_RUNS; /* whole tiles are kept and move */
        select_add(cases, &c, way->name, "/in-place");
        c.pattern = KEEP_HALF;
    }
    c.in_place = false;
    c.lacking = 3;
    select_add(cases, &c, way->name, "/short");
    c.by_run = true;
    select_add(cases, &c, way->name, "/short/run");
    c.lacking = 0;
    c.tight = true;
    select_add(cases, &c, way->name, "/run");
}

static void add_indices_only(test_cases *cases, const pass_way *way, clprims_select_by by) {
    select_case c = describe(by, CLPRIMS_I16, test_small() ? 410 : 4001, way);
    c.tight = true;
    c.desc.no_values = 1;
    c.desc.indices = CLPRIMS_I64;
    if (by < CLPRIMS_SELECT_PREDICATE) c.desc.arrays = 0;
    select_add(cases, &c, way->name, "/indices-only");
    c.by_run = true;
    select_add(cases, &c, way->name, "/indices-only/run");
}

static void add_partition(test_cases *cases, const pass_way *way, clprims_select_by by) {
    select_case c = describe(by, CLPRIMS_U8, test_small() ? 410 : 4001, way);
    c.desc.partition = 1;
    select_add(cases, &c, way->name, "/partition");
    c.by_run = true;
    c.pattern = KEEP_RARELY;
    select_add(cases, &c, way->name, "/partition/run");
}

/* Several arrays alike. */
static void add_several(test_cases *cases, const pass_way *way, clprims_select_by by, bool parts) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_U8, CLPRIMS_I64, CLPRIMS_I16};
    select_case c = describe(by, CLPRIMS_U32, test_small() ? 300 : 2999, way);
    c.desc.arrays = 2 + (size_t)by % 3;
    for (size_t k = 0; k < c.desc.arrays; k++) c.desc.type[k] = types[k];
    c.in_first = 1;
    c.desc.partition = parts;
    select_add(cases, &c, way->name, parts ? "/several/partition" : "/several");
}

/* Elements of 1 and 2 bytes are put together as strings where tiles are whole and aligned. */
static void add_narrow(test_cases *cases, const pass_way *way) {
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_U16};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        select_case c = describe(CLPRIMS_SELECT_PREDICATE, types[t], 30011, way);
        for (int pattern = 0; pattern < SELECT_PATTERNS; pattern++) {
            c.pattern = (select_pattern)pattern;
            c.out_first = (size_t)pattern;
            select_add(cases, &c, way->name, "/narrow");
        }
        c.pattern = KEEP_HALF;
        c.lacking = 3;
        select_add(cases, &c, way->name, "/narrow/short");
    }
}

/* On CPUs whole tiles that are kept go past the caches when these do not hold them; the last tile
 * may be shorter than what is stored at once. */
static void add_streams(test_cases *cases) {
    static const pass_way streams = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=128 STREAM=1",
                                     "streams"};
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_U32, CLPRIMS_STRUCT};
    static const size_t tiles[] = {2048, 512, 128};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        select_case c =
            describe(CLPRIMS_SELECT_FLAGS, types[t], test_small() ? 400 : 9001, &streams);
        for (int pattern = 0; pattern < SELECT_PATTERNS; pattern++) {
            c.pattern = (select_pattern)pattern;
            c.out_first = (size_t)pattern;
            c.in_first = 2 * c.out_first % 5;
            select_add(cases, &c, "streams", "");
        }
        c.pattern = KEEP_ALL;
        for (size_t rest = 1; rest < 64; rest = 5 * rest + 1) {
            char extra[32];
            c.n = 3 * tiles[t] + rest;
            c.out_first = rest;
            snprintf(extra, sizeof extra, "/first=%zu,%zu", c.in_first, c.out_first);
            if (!test_small() || rest == 1) select_add(cases, &c, "streams", extra);
        }
    }
}

/* The shapes that the library chooses, for each width of elements. */
static void add_defaults(test_cases *cases) {
    static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_U16, CLPRIMS_F32, CLPRIMS_I64,
                                         CLPRIMS_STRUCT};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        select_case c = describe(t % 2 ? CLPRIMS_SELECT_FLAGS : CLPRIMS_SELECT_PREDICATE, types[t],
                                 test_small() ? 100 : 1000003, &chosen);
        c.desc.partition = t == 1;
        select_add(cases, &c, "chosen", c.desc.partition ? "/partition" : "");
    }
}

/* One case's plan serves the next, so that cases of the same description follow each other. A plan
 * takes its time: all pairs of ways and the rest are for the long tier, and for the default one the
 * ways take turns. */
static void add_turns(test_cases *cases, const pass_way *ways, size_t count, size_t first) {
    size_t turn = first;
    for (int type = CLPRIMS_I8; type <= CLPRIMS_STRUCT; type++, turn++) {
        const clprims_select_by by = (clprims_select_by)(turn % 5);
        const bool compares = type == CLPRIMS_STRUCT && by == CLPRIMS_SELECT_NONZERO;
        add_type(cases, &ways[turn % count], compares ? CLPRIMS_SELECT_BITS : by,
                 (clprims_type)type);
    }
    for (int number = CLPRIMS_SELECT_FLAGS; number <= CLPRIMS_SELECT_RUNS; number++, turn++) {
        const clprims_select_by by = (clprims_select_by)number;
        if (by != CLPRIMS_SELECT_RUNS) add_patterns(cases, &ways[turn % count], by);
        add_indices_only(cases, &ways[(turn + 1) % count], by);
        add_several(cases, &ways[(turn + 2) % count], by, false);
        if (by == CLPRIMS_SELECT_RUNS) continue;
        add_partition(cases, &ways[(turn + 3) % count], by);
        if (by == CLPRIMS_SELECT_FLAGS || test_long())
            add_several(cases, &ways[(turn + 2) % count], by, true);
    }
}

/* All groups at once, where the device can; every way of deciding, and what is kept of places. */
static void add_waves(test_cases *cases) {
    static const pass_way wave = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2 WAVE=1", "wave"};
    if (!pass_can_go(&wave)) return;
    add_sizes(cases, &wave);
    add_patterns(cases, &wave, CLPRIMS_SELECT_RUNS);
    add_narrow(cases, &wave);
    add_turns(cases, &wave, 1, 0);
}

void test_program(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        add_sizes(cases, &ways[w]);
        /* Run lengths have a running value of their own. */
        add_patterns(cases, &ways[w], CLPRIMS_SELECT_RUNS);
        if (ways[w].algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD) add_narrow(cases, &ways[w]);
    }
    for (size_t first = 0; first < (test_long() ? count : 1); first++) {
        add_turns(cases, ways, count, first);
    }
    add_waves(cases);
    add_streams(cases);
    add_defaults(cases);
    add_sweep_cases(cases);
    add_struct_cases(cases);
    add_parameter_cases(cases);
    add_refusal_cases(cases);
    add_bound_cases(cases);
    add_count_cases(cases);
    add_counted_cases(cases);
    add_compare_cases(cases,
                      test_long() || ways[count - 1].algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD);
    add_large_cases(cases);
}
