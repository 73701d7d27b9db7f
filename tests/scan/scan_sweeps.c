/* SPDX-License-Identifier: MIT */
/* One plan used for every n that stands next to a threshold: of tiles, anchors, windows and
 * kernels; and plans whose max_n stands there. */
#include "engine/single_pass_knobs.h"
#include "harness/passes.h"
#include "scan/scan_cases.h"

/* A way of scanning, and the numbers of elements from which on it takes another kernel or path. */
typedef struct sweep {
    pass_way way;
    size_t changes[2];
    clprims_type type;
    size_t most; /* the largest max_n */
} sweep;

static clprims_scan_desc describe(const sweep *s, size_t max_n) {
    static const uint32_t start = 7;
    clprims_scan_desc desc = {.type = s->type,
                              .max_n = max_n,
                              .init = s->type == CLPRIMS_U32 ? &start : NULL,
                              .algorithm = s->way.algorithm,
                              .tuning = s->way.tuning};
    return desc;
}

/* ---- Thresholds ---- */

enum { MOST_SIZES = 128 };

typedef struct sizes {
    size_t at[MOST_SIZES];
    size_t count;
} sizes;

static void add_around(sizes *s, size_t n, size_t most) {
    for (size_t near = n > 0 ? n - 1 : 0; near <= n + 1 && s->count < MOST_SIZES; near++) {
        if (near <= most) s->at[s->count++] = near;
    }
}

static sizes sizes_of(const sweep *s, size_t tile, size_t max_n) {
    static const size_t tiles[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 96, 128, 1024};
    const size_t count = test_small() ? 4 : sizeof tiles / sizeof tiles[0];
    sizes all = {.count = 0};
    add_around(&all, 0, max_n);
    for (size_t i = 0; i < count; i++) add_around(&all, tiles[i] * tile, max_n);
    for (size_t i = 0; i < 2; i++) add_around(&all, s->changes[i], max_n);
    add_around(&all, max_n, max_n);
    return all;
}

/* ---- Runs ---- */

/* A tile that publishes nothing can't say that it overwrites its input. */
static bool can_be_in_place(const clprims_scan_desc *desc) {
    return desc->tuning == NULL || strstr(desc->tuning, "DROP") == NULL;
}

static size_t tile_of(const sweep *s, size_t max_n) {
    const clprims_scan_desc desc = describe(s, max_n);
    clprims_scan_info info = {0};
    expect_ok(clprims_scan_describe(scan_plan(&desc), max_n, &info));
    return info.tile;
}

/* Small and large sizes in turn, so that each run finds what another kind of run left behind. Runs
 * on plain arrays work in place on the device. */
static void sweep_plan(const sweep *s, size_t max_n) {
    const sizes all = sizes_of(s, tile_of(s, max_n), max_n);
    scan_case c = {.desc = describe(s, max_n)};
    const bool may_overlap = can_be_in_place(&c.desc);
    for (size_t i = 0; i < all.count; i++) {
        c.n = all.at[i % 2 ? all.count - 1 - i / 2 : i / 2];
        c.in_first = i % 7;
        c.out_first = 3 * i % 11;
        c.by_run = i % 8 == 7 && may_overlap;
        c.in_place = i % 2 == 1 && may_overlap && !c.by_run;
        test_note("max_n = %zu, n = %zu, turn %zu", max_n, c.n, i);
        scan_is_right(&c);
    }
}

static void every_n_is_right(const void *data) {
    const sweep *s = data;
    const size_t tile = tile_of(s, 1);
    const size_t plans[] = {s->most, tile, tile + 1, 33 * tile + 1, 1};
    for (size_t i = 0; i < (test_small() ? 2 : sizeof plans / sizeof plans[0]); i++) {
        if (plans[i] <= s->most) sweep_plan(s, plans[i]);
    }
}

/* ---- Knobs at their ends ---- */

typedef struct knob_end {
    const char *name;
    size_t value;
} knob_end;

/* A knob alone, the others as they are: either the scan is right, or create says what is wrong. */
static void knob_is_right(const void *data) {
    const knob_end *end = data;
    clprims_scan_desc desc = {0};
    subject_data d = scan_data(&desc, 5003);
    void *scan = NULL;
    char tuning[64];
    snprintf(tuning, sizeof tuning, "%s=%zu", end->name, end->value);
    desc.type = CLPRIMS_U32;
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK; /* which has use for every knob */
    d.most[0] = d.n[0];
    d.in_place = true;
    const clprims_status status = subject_plan(&d, test_context(), tuning, &scan);
    if (status != CLPRIMS_OK) {
        expect_failure(status, CLPRIMS_ERR_ARGUMENT, tuning);
        return;
    }
    subject_drawn_is_right(&d, scan, NULL, false);
    subject_scan.destroy(scan);
}

static void add_knobs(test_cases *cases) {
    for (size_t k = 0; k < 2 * CLP_TILE_KNOBS && !test_small(); k++) {
        if (k % 2 == 0 && !test_long()) continue;
        const clp_knob *knob = &clp_tile_knobs[k / 2];
        const knob_end end = {knob->name, k % 2 ? knob->most : knob->least};
        test_add_row(cases, knob_is_right, end, "scan/knobs/%s=%zu", end.name, end.value);
    }
}

/* ---- Cases ---- */

/* Most tunings are those of other cases, so that PoCL has compiled the programs already. */
static const sweep sweeps[] = {
    {{CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=40", "lookback/one"}, {0}, CLPRIMS_U32, 20000},
    {{CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=40 SINGLE=5000 STREAM=3000", "lookback/alone"},
     {5000, 3000},
     CLPRIMS_U32,
     20000},
    {{CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=40", "lookback/float32"}, {0}, CLPRIMS_F32, 20000},
    {{CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2", "lookback/many"}, {0}, CLPRIMS_U32, 50000},
    /* Fewer work-items than a work-group may look at tiles, and prefixes that are far apart. */
    {{CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=8 ROWS=2", "lookback/few"}, {0}, CLPRIMS_F32, 5000},
    {{CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, "GROUP=1 ROWS=16 SPINS=3 DROP=4", "fallback/one"},
     {0},
     CLPRIMS_U32,
     9000},
    {{CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, "GROUP=64 ROWS=2 SPINS=3 DROP=2", "fallback/many"},
     {0},
     CLPRIMS_U32,
     34000},
    {{CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, "GROUP=1 ROWS=1", "levels/one"}, {0}, CLPRIMS_U32, 22000},
    {{CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, "GROUP=64 ROWS=2", "levels/many"},
     {0},
     CLPRIMS_U32,
     300000},
    /* of NVIDIA's devices */
    {{CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2 WAVE=1", "wave"}, {0}, CLPRIMS_U32, 70000},
    {{CLPRIMS_ALGORITHM_LOOKAHEAD, "SCANNERS=1 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1",
      "lookahead/one"},
     {0},
     CLPRIMS_U32,
     200000},
    {{CLPRIMS_ALGORITHM_AUTO, "SCANNERS=3 REDUCERS=2 ROWS=3 STAGES=3 UNITS=3 SMALL=30000 FEW=5000",
      "auto"},
     {5000, 30000},
     CLPRIMS_U32,
     200000}};

void add_sweep_cases(test_cases *cases) {
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        sweep s = sweeps[i];
        const bool levels = s.way.algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
        if (test_small()) s.most = levels ? 1400 : 700;
        const clprims_scan_desc desc = describe(&s, 1);
        if (!scan_can_run(&desc)) continue;
        test_add_row(cases, every_n_is_right, s, "scan/sweep/max_n=%zu/%s", s.most, s.way.name);
    }
    add_knobs(cases);
}
