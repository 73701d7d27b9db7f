/* SPDX-License-Identifier: MIT */
/* One plan used for every n next to a threshold, with every result, room short or ample, and each
 * array at a place of its own; and tiles that publish late. */
#include "fixtures/select_cases.h"

typedef struct sweep {
    select_case c; /* n: the largest */
    const char *way;
} sweep;

enum { MOST_SIZES = 128 };

/* Elements next to the ends of tiles of 64 and of 512, of windows and of what max_n allows. */
static size_t list_sizes(size_t max_n, size_t sizes[MOST_SIZES]) {
    static const size_t middles[] = {0,    1,    64,   128,  192,   512,   1024, 1536,
                                     1984, 2048, 2112, 4096, 15872, 16384, 16896};
    size_t count = 0;
    for (size_t i = 0; i <= sizeof middles / sizeof middles[0]; i++) {
        const bool last = i == sizeof middles / sizeof middles[0];
        const size_t middle = last ? max_n : middles[i];
        for (size_t n = middle > 0 ? middle - 1 : 0; n <= middle + 1; n++) {
            if (n <= max_n && count < MOST_SIZES) sizes[count++] = n;
        }
    }
    return count;
}

/* Room for all, for the result exactly, beyond n, or for less than the result. */
static void choose_room(select_case *c, size_t turn) {
    static const size_t lacking[] = {0, 1, 0, 2, 0, 3, 0, SIZE_MAX};
    c->lacking = lacking[turn % 8];
    c->tight = turn % 8 == 2;
    c->spare = turn % 8 == 4 ? 77 : 0;
}

/* Oclgrind does not see in which order a selection in place reads and writes. */
static bool can_be_in_place(const clprims_select_desc *desc) {
    return !test_small() && !desc->partition && pass_is_in_place(desc->algorithm);
}

/* Small and large sizes in turn, so that each run finds what another kind of run left behind. */
static void sweep_plan(const sweep *s, size_t max_n) {
    size_t sizes[MOST_SIZES];
    const size_t count = list_sizes(max_n, sizes);
    select_case c = s->c;
    c.desc.max_n = max_n;
    for (size_t i = 0; i < count; i++) {
        c.n = sizes[i % 2 ? count - 1 - i / 2 : i / 2];
        c.pattern = (select_pattern)(i % SELECT_PATTERNS);
        c.in_first = i % 5;
        c.out_first = 3 * i % 7;
        c.flags_first = 5 * i % 19;
        c.apart = 1 + i % 3;
        choose_room(&c, i / 2);
        c.by_run = i % 16 == 7;
        if (c.by_run) c.flags_first = 0;
        c.endless = c.by_run && c.lacking == 0;
        c.in_place = i % 6 == 5 && !c.by_run && can_be_in_place(&c.desc);
        if (c.in_place) c.lacking = c.spare = 0, c.tight = false;
        test_note("max_n = %zu, n = %zu, turn %zu", max_n, c.n, i);
        select_is_right(&c);
    }
}

static void every_n_is_right(const void *data) {
    const sweep *s = data;
    const size_t plans[] = {s->c.n, 512, 65, 1};
    for (size_t i = 0; i < (test_small() ? 1 : 4); i++) {
        if (plans[i] <= s->c.n) sweep_plan(s, plans[i]);
    }
}

static void add_sweep(test_cases *cases, const pass_way *way, const char *what,
                      clprims_select_desc desc) {
    sweep s = {.c = {.desc = desc, .n = test_small() ? pass_small_n(way) : 17000},
               .way = way->name};
    test_add_row(cases, every_n_is_right, s, "select/sweep/%s/max_n=%zu/%s", what, s.c.n, s.way);
}

/* Descriptions that other cases have as well, whose programs PoCL has by then; all results at once,
 * values alone, and a partition. */
static void add_sweeps(test_cases *cases, const pass_way *way, size_t turn) {
    const clprims_select_by by = turn % 2 ? CLPRIMS_SELECT_BITS : CLPRIMS_SELECT_FLAGS;
    clprims_select_desc all = select_describe(CLPRIMS_SELECT_RUNS, CLPRIMS_U32, 1, way);
    clprims_select_desc parts = select_describe(by, CLPRIMS_U8, 1, way);
    all.indices = CLPRIMS_U32;
    all.lengths = CLPRIMS_I64;
    parts.partition = 1;
    add_sweep(cases, way, "runs", all);
    add_sweep(cases, way, "values", select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, way));
    if (test_long() || turn < 2) add_sweep(cases, way, "partition", parts);
}

/* ---- Late tiles ---- */

/* Every third tile publishes long after it could: whoever reads its input again by then may find
 * the output of others there. */
static void add_late(test_cases *cases) {
    static const pass_way late[] = {
        {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=16 DELAY=3", "late/one"},
        {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2 DELAY=3", "late/many"},
        {CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, "GROUP=1 ROWS=16 SPINS=9 DELAY=3", "late/fallback"}};
    static const select_pattern patterns[] = {KEEP_BUT_FIRST, KEEP_RUNS, KEEP_MOST, KEEP_HALF};
    for (size_t w = 0; w < sizeof late / sizeof late[0] && !test_small(); w++) {
        const bool in_place = late[w].algorithm == CLPRIMS_ALGORITHM_LOOKBACK;
        select_case c = {.desc =
                             select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, &late[w]),
                         .n = 60000,
                         .in_place = in_place};
        for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
            c.pattern = patterns[p];
            c.in_first = p;
            select_add(cases, &c, late[w].name, in_place ? "/in-place" : "");
        }
    }
}

void add_sweep_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    static const pass_way wave = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2 WAVE=1", "wave"};
    for (size_t w = 0; w < count; w++) add_sweeps(cases, &ways[w], w);
    if (pass_can_go(&wave)) add_sweeps(cases, &wave, 0);
    add_late(cases);
}
