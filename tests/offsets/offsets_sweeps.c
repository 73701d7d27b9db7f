/* SPDX-License-Identifier: MIT */
/* One plan used for every n next to a threshold, each array at a place of its own, with and without
 * faults. */
#include "offsets/offsets_cases.h"

typedef struct sweep {
    pass_way way;
    clprims_type type;
    bool counts;
    size_t changes[2]; /* outputs from which on another kernel or path is taken */
    size_t most; /* the largest max_n */
} sweep;

enum { MOST_SIZES = 128 };

/* Where the outputs, one more than n, stand next to the ends of tiles of 64 and of 512, of windows,
 * and of what max_n allows. */
static size_t list_sizes(const sweep *s, size_t max_n, size_t sizes[MOST_SIZES]) {
    static const size_t middles[] = {1,    64,   128,  192,   512,   1024, 1536,
                                     1984, 2048, 2112, 15872, 16384, 16896};
    enum { MIDDLES = sizeof middles / sizeof middles[0] };
    size_t count = 0;
    for (size_t i = 0; i < MIDDLES + 3; i++) {
        const size_t middle = i < MIDDLES       ? middles[i]
                              : i < MIDDLES + 2 ? s->changes[i - MIDDLES]
                                                : max_n;
        for (size_t n = middle > 2 ? middle - 2 : 0; n <= middle + 1; n++) {
            if (n <= max_n && count < MOST_SIZES) sizes[count++] = n;
        }
    }
    return count;
}

/* Faults in turn: none, the last element, two neighbours (whose marks would cancel in a sum), a
 * total that is too large. */
static void choose_faults(offsets_case *c, size_t turn) {
    const size_t place = (size_t)test_random_below(c->n + 1);
    const bool has_total = c->desc.type == CLPRIMS_I64 && c->desc.counts;
    c->bad[0] = c->bad[1] = c->bad[2] = SIZE_MAX;
    c->huge = 0;
    if (turn % 5 == 1) c->bad[0] = c->n - 1;
    if (turn % 5 == 2) c->bad[0] = place, c->bad[1] = place + 1;
    if (turn % 5 == 3 && has_total) c->bad[0] = place, c->huge = INT64_MAX;
}

/* Small and large sizes in turn, so that each run finds what another kind of run left behind. */
static void sweep_plan(const sweep *s, size_t max_n) {
    size_t sizes[MOST_SIZES];
    const size_t count = list_sizes(s, max_n, sizes);
    offsets_case c = {.desc.type = s->type,
                      .desc.counts = s->counts,
                      .desc.max_n = max_n,
                      .desc.algorithm = s->way.algorithm,
                      .desc.tuning = s->way.tuning};
    for (size_t i = 0; i < count; i++) {
        c.n = sizes[i % 2 ? count - 1 - i / 2 : i / 2];
        c.starts_first = i % 7;
        c.stops_first = 3 * i % 11;
        c.out_first = 5 * i % 6;
        c.report_first = i % 4;
        c.by_run = i % 16 == 7;
        choose_faults(&c, i);
        test_note("max_n = %zu, n = %zu, turn %zu", max_n, c.n, i);
        offsets_are_right(&c);
    }
}

static void every_n_is_right(const void *data) {
    const sweep *s = data;
    const size_t plans[] = {s->most, 511, 64, 1};
    for (size_t i = 0; i < (test_small() ? 1 : 4); i++) {
        if (plans[i] <= s->most) sweep_plan(s, plans[i]);
    }
}

static void add_sweep(test_cases *cases, sweep s) {
    if (test_small()) s.most = pass_small_n(&s.way);
    test_add_row(cases, every_n_is_right, s, "offsets/sweep/%s/%s/max_n=%zu/%s",
                 clprims_type_name(s.type), s.counts ? "counts" : "intervals", s.most, s.way.name);
}

/* With types that other cases have, whose programs PoCL has by then. */
void add_sweep_cases(test_cases *cases) {
    static const sweep alone = {
        {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=16 SINGLE=4000 STREAM=3000", "lookback/alone"},
        CLPRIMS_I64,
        true,
        {4000, 3000},
        17000};
    /* of NVIDIA's devices */
    static const sweep by_size = {{CLPRIMS_ALGORITHM_AUTO,
                                   "SCANNERS=3 REDUCERS=2 ROWS=2 STAGES=3 UNITS=3 SMALL=30000",
                                   "auto"},
                                  CLPRIMS_I64,
                                  true,
                                  {30000},
                                  100000};
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        add_sweep(cases, (sweep){ways[w], CLPRIMS_U32, w % 2, {0}, 17000});
    }
    add_sweep(cases, alone);
    if (pass_can_go(&by_size.way)) add_sweep(cases, by_size);
}
