/* SPDX-License-Identifier: MIT */
/* The variant that a plan describes is the one that it launches. */
#include "calls/calls.h"

enum { MAX_N = 20000, UNALIGNED = 3, NAME = 64 };

static const char level_sums[] = "clp_level_sums";

/* What the kernels are called, behind "clp_scan_" or "clp_select_". by_sums: behind the sums of the
 * tiles, where there are several. */
static const struct {
    const char *variant, *kernel;
    bool by_sums;
} kernels[] = {
    {"serial-tile", "serial", false},      {"serial-tile-fallback", "serial", false},
    {"lookback", "lookback", false},       {"lookback-fallback", "lookback", false},
    {"single-wave", "single_wave", false}, {"single-wave-small", "single_wave_small", false},
    {"lookahead", "lookahead", false},     {"levels", "lookback", true},
    {"levels-serial", "serial", true}};

static void expect_launched(const char *variant, const char *family, size_t tiles,
                            const char *launched) {
    char expected[NAME] = "";
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        const bool by_sums = tiles > 1 && kernels[k].by_sums;
        if (strcmp(kernels[k].variant, variant) != 0) continue;
        snprintf(expected, sizeof expected, "%s%sclp_%s_%s", by_sums ? level_sums : "",
                 by_sums ? " " : "", family, kernels[k].kernel);
    }
    test_note("described: %s", variant);
    assert_string_equal(launched, expected);
}

/* The last kernel's name, behind that of the sums if they were the one before. */
static void note_name(void *user, cl_kernel kernel, cl_event event) {
    char *name = user;
    const bool sums = strcmp(name, level_sums) == 0;
    const size_t used = sums ? sizeof level_sums : 0;
    (void)event;
    if (sums) name[used - 1] = ' ';
    expect_cl(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, NAME - used, name + used, NULL));
}

static size_t tiles_of(size_t n, size_t tile) {
    return (n + tile - 1) / tile;
}

/* ---- Each primitive ---- */

/* What a plan says of a run. */
typedef struct described {
    const char *variant;
    size_t tile;
} described;

static described describe_scan(const void *plan, size_t n) {
    clprims_scan_info info = {0};
    expect_ok(clprims_scan_describe(plan, n, &info));
    return (described){info.variant, info.tile};
}

static described describe_offsets(const void *plan, size_t n) {
    clprims_offsets_info info = {0};
    expect_ok(clprims_offsets_describe(plan, n, &info));
    return (described){info.variant, info.tile};
}

static described describe_select(const void *plan, size_t n) {
    clprims_select_info info = {0};
    expect_ok(clprims_select_describe(plan, n, &info));
    return (described){info.variant, info.tile};
}

typedef struct variant_primitive {
    const subject *of;
    const void *desc;
    described (*describe)(const void *plan, size_t n);
    const char *family;
    size_t more; /* outputs than elements */
} variant_primitive;

static const variant_primitive primitives[] = {
    {&subject_scan, SUBJECT_DESC(scan, .type = CLPRIMS_U32), describe_scan, "scan", 0},
    {&subject_offsets, SUBJECT_DESC(offsets, .type = CLPRIMS_U32, .counts = 1), describe_offsets,
     "scan", 1},
    {&subject_select,
     SUBJECT_DESC(select, .by = CLPRIMS_SELECT_NONZERO, .arrays = 1, .type[0] = CLPRIMS_U32),
     describe_select, "select", 0},
};

typedef struct variant_case {
    const variant_primitive *primitive;
    clprims_algorithm algorithm;
    const char *tuning, *variant; /* on devices of one work-item a group by default; NULL: any */
} variant_case;

/* Around the thresholds that look_ahead_sizes sets, and ends. */
static const size_t sizes[] = {1, 1000, 1001, 5000, 5001, MAX_N};
static const char look_ahead_sizes[] = "FEW=1000 SMALL=5000";

static const char *tuning_of(const variant_case *c) {
    const bool is_nvidia = test_info().layer == CLPRIMS_LAYER_NVIDIA;
    return c->algorithm == CLPRIMS_ALGORITHM_AUTO && is_nvidia ? look_ahead_sizes : c->tuning;
}

static void expect_variant(const variant_case *c, void *plan, const subject_data *like,
                           size_t outputs, size_t first) {
    const variant_primitive *p = c->primitive;
    const size_t n = outputs - p->more, firsts[SUBJECT_SLOTS] = {first, first};
    char launched[NAME] = "";
    subject_data d = *like;
    subject_draw_about(&d, n);
    subject_buffers b = subject_buffers_create(&d, firsts, 0);
    const described said = p->describe(plan, n);
    clprims_watch(note_name, launched);
    expect_ok(p->of->enqueue(plan, &d, &b.call));
    clprims_watch(NULL, NULL);
    test_note("n = %zu, first = %zu", n, first);
    expect_launched(said.variant, p->family, tiles_of(outputs, said.tile), launched);
    if (c->variant != NULL) assert_string_equal(said.variant, c->variant);
    expect_cl(clFinish(test_queue()));
    subject_buffers_expect(&d, &b);
}

static void described_is_launched(const void *data) {
    const variant_case *c = data;
    const subject *of = c->primitive->of;
    const size_t most[SUBJECT_NUMBERS] = {MAX_N, MAX_N};
    subject_described plan_of = {.of = of};
    subject_describe(of, c->primitive->desc, tuning_of(c), most, plan_of.desc.bytes);
    of->plans.set_way(plan_of.desc.bytes, (int)c->algorithm);
    const subject_data like = subject_data_like(&plan_of);
    void *plan = subject_made_plan(of, plan_of.desc.bytes);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        expect_variant(c, plan, &like, sizes[i], 0);
        if (of != &subject_select) expect_variant(c, plan, &like, sizes[i], UNALIGNED);
    }
}

/* ---- Cases ---- */

void calls_add_variants(test_cases *cases) {
    static const struct {
        const char *name, *tuning, *variant;
        clprims_algorithm algorithm;
    } ways[] = {
        {"auto", NULL, NULL, CLPRIMS_ALGORITHM_AUTO},
        {"one", "GROUP=1 ROWS=16", "serial-tile", CLPRIMS_ALGORITHM_LOOKBACK},
        {"one-single", "GROUP=1 ROWS=16 SINGLE=1000", "serial-tile", CLPRIMS_ALGORITHM_LOOKBACK},
        {"one-fallback", "GROUP=1", "serial-tile-fallback", CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK},
        {"many", "GROUP=64 ROWS=2", NULL, CLPRIMS_ALGORITHM_LOOKBACK},
        {"many-fallback", "GROUP=64 ROWS=2", "lookback-fallback",
         CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK},
        {"levels", "GROUP=64 ROWS=2", "levels", CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN},
        {"levels-one", "GROUP=1 ROWS=16", "levels-serial", CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN}};
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        for (size_t p = 0; p < 3; p++) {
            variant_case c = {&primitives[p], ways[w].algorithm, ways[w].tuning, ways[w].variant};
            test_add_row(cases, described_is_launched, c, "calls/variants/%s/%s",
                         primitives[p].of->name, ways[w].name);
        }
    }
}
