/* SPDX-License-Identifier: MIT */
/* Offsets beside their definition: every type, way, size and place, faults at every kind of place.
 */
#include "offsets/offsets_cases.h"

static void spoil(const subject_data *d, void *stops, size_t n) {
    const offsets_case *c = d->user;
    const size_t bytes = clprims_type_bytes(c->desc.type), room = d->at[1].n;
    void *starts = d->at[0].values;
    (void)n;
    for (size_t k = 0; k < 3; k++) {
        if (c->bad[k] >= room) continue;
        const bool huge = k == 0 && c->huge != 0;
        const uint64_t stop = huge ? c->huge : c->desc.counts ? UINT64_MAX : 1;
        if (!c->desc.counts) test_store_integer(bytes, starts, c->bad[k], huge ? 0 : 2);
        test_store_integer(bytes, stops, c->bad[k], stop);
    }
}

/* A run on plain arrays tells the fault with its values. */
static void expect_message(const offsets_case *c, const clprims_offsets_report *report) {
    const bool is_total = report->fault == CLPRIMS_OFFSETS_TOTAL;
    char place[64];
    snprintf(place, sizeof place,
             is_total ? "at i = %lld;" : "[%lld] = ", (long long)report->index);
    expect_contains(clprims_last_error()->message, is_total         ? "total exceeds"
                                                   : c->desc.counts ? "counts["
                                                                    : "stops[");
    expect_contains(clprims_last_error()->message, place);
}

void offsets_are_right(const void *argument) {
    const offsets_case *c = argument;
    const size_t firsts[SUBJECT_SLOTS] = {c->starts_first, c->stops_first, c->out_first,
                                          c->report_first};
    subject_data d = {.of = &subject_offsets,
                      .desc = &c->desc,
                      .n = {c->n},
                      .most = {c->desc.max_n},
                      .counted = c->counted,
                      .fill = spoil,
                      .user = c};
    void *plan = subject_kept_plan(&subject_offsets, &c->desc);
    subject_draw(&d);
    if (c->by_run) {
        subject_run_is_right(&d, plan);
        if (d.status != CLPRIMS_OK) expect_message(c, d.at[subject_slot(&d, "report")].expected);
    } else {
        subject_placed_is_right(&d, plan, firsts);
    }
}

/* ---- Cases ---------------------------------------------------------------------------------- */

static offsets_case describe(clprims_type type, bool counts, const pass_way *way, size_t n) {
    offsets_case c = {.n = n, .report_first = 1, .bad = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    c.desc = (clprims_offsets_desc){0};
    c.desc.type = type;
    c.desc.counts = counts;
    c.desc.max_n = 1 << 20;
    c.desc.algorithm = way->algorithm;
    c.desc.tuning = way->tuning;
    return c;
}

static void add_case(test_cases *cases, const offsets_case *c, const char *way, const char *extra) {
    test_add_row(cases, offsets_are_right, *c, "offsets/%s/%s/n=%zu/%s%s",
                 clprims_type_name(c->desc.type), c->desc.counts ? "counts" : "intervals", c->n,
                 way, extra);
}

static void add_sizes(test_cases *cases, const pass_way *way, bool counts) {
    static const size_t sizes[] = {0,   1,   2,   3,    15,   16,   17,   31,    32,   33,
                                   63,  64,  65,  127,  128,  129,  255,  256,   257,  511,
                                   512, 513, 767, 1023, 1024, 1025, 4095, 16384, 65537};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (test_small() && sizes[i] > 300) continue;
        const offsets_case c = describe(CLPRIMS_U32, counts, way, sizes[i]);
        add_case(cases, &c, way->name, "");
    }
}

/* Every type, intervals and counts, the ways in turn. */
static void add_types(test_cases *cases, const pass_way *ways, size_t way_count, size_t turn) {
    for (int type = CLPRIMS_I8; type <= CLPRIMS_U64; type++, turn++) {
        for (int counts = 0; counts < 2; counts++, turn++) {
            const pass_way *way = &ways[turn % way_count];
            offsets_case c = describe((clprims_type)type, counts, way, test_small() ? 100 : 3001);
            c.starts_first = (size_t)type % 3;
            c.stops_first = (size_t)type % 5;
            c.out_first = (size_t)type % 2;
            add_case(cases, &c, way->name, "/first");
            c.by_run = true;
            add_case(cases, &c, way->name, "/run");
        }
    }
}

/* Faults at the first place, the last, around a tile's end, and at several places. */
static void add_faults(test_cases *cases, const pass_way *way, clprims_type type, bool counts) {
    static const size_t places[][3] = {
        {0, SIZE_MAX, SIZE_MAX}, {30, 31, 29},    {SIZE_MAX, 63, 64}, {65, 200, SIZE_MAX},
        {240, 120, 239},         {511, 512, 700}, {2500, 999, 2400},  {2999, SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        offsets_case c = describe(type, counts, way, test_small() ? 241 : 3000);
        char extra[64];
        memcpy(c.bad, places[i], sizeof c.bad);
        snprintf(extra, sizeof extra, "/bad=%zu", i);
        add_case(cases, &c, way->name, extra);
        c.by_run = true;
        snprintf(extra, sizeof extra, "/bad=%zu/run", i);
        add_case(cases, &c, way->name, extra);
    }
}

/* Sums at and beyond 2^63 - 1. */
static void add_totals(test_cases *cases, const pass_way *way, clprims_type type) {
    static const struct {
        size_t at;
        uint64_t huge;
    } totals[] = {{0, INT64_MAX},        {97, INT64_MAX},
                  {150, INT64_MAX - 5},  {199, (uint64_t)INT64_MAX - 1000000},
                  {150, UINT64_MAX},     {151, UINT64_MAX},
                  {0, (uint64_t)1 << 63}};
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        /* What an int64 takes for a negative count is a fault of another kind. */
        if (type == CLPRIMS_I64 && totals[i].huge > INT64_MAX) continue;
        offsets_case c = describe(type, true, way, 200);
        char extra[64];
        c.bad[0] = totals[i].at;
        c.huge = totals[i].huge;
        snprintf(extra, sizeof extra, "/total=%zu", i);
        add_case(cases, &c, way->name, extra);
        c.by_run = true;
        snprintf(extra, sizeof extra, "/total=%zu/run", i);
        add_case(cases, &c, way->name, extra);
    }
}

/* The shapes that the library chooses, for each width of elements. */
static void add_defaults(test_cases *cases) {
    static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_U16, CLPRIMS_I32, CLPRIMS_U64};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const offsets_case c = describe(types[t], t / 2 % 2, &chosen, test_small() ? 100 : 1000003);
        add_case(cases, &c, "chosen", "");
    }
}

/* A turn is a type of intervals or counts. */
static void add_way(test_cases *cases, const pass_way *way, size_t first_turn) {
    static const clprims_type types[] = {CLPRIMS_I32, CLPRIMS_I64, CLPRIMS_U32};
    for (size_t turn = first_turn; turn < first_turn + (test_long() ? 6 : 1); turn++) {
        add_faults(cases, way, types[turn % 3], turn / 2 % 2);
    }
    for (size_t kind = first_turn; kind < first_turn + (test_long() ? 2 : 1); kind++) {
        add_sizes(cases, way, kind % 2);
        add_totals(cases, way, kind % 2 ? CLPRIMS_U64 : CLPRIMS_I64);
    }
}

/* One case's plan serves the next, so that cases of the same description follow each other. A plan
 * takes its time: all pairs are for the long tier, and for the default one types and kinds take
 * turns. */
void test_program(test_cases *cases) {
    static const pass_way wave = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2 WAVE=1",
                                  "lookback/wave"};
    static const pass_way alone = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=16 SINGLE=4000",
                                   "lookback/alone"};
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) add_way(cases, &ways[w], w);
    add_way(cases, &alone, 1);
    if (pass_can_go(&wave)) {
        add_way(cases, &wave, 0);
        add_types(cases, &wave, 1, 0);
    }
    for (size_t first = 0; first < (test_long() ? count : 1); first++) {
        add_types(cases, ways, count, first);
    }
    add_defaults(cases);
    add_sweep_cases(cases);
    add_counted_cases(cases);
    add_refusal_cases(cases);
}
