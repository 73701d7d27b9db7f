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
    {"lookahead", "lookahead", false},     {"lookahead-unaligned", "lookahead", false},
    {"levels", "lookback", true},          {"levels-serial", "serial", true}};

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

/* ---- One run of each primitive ---- */

typedef struct variant_case {
    void (*check)(const struct variant_case *c);
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

static void check_scan(const variant_case *c) {
    test_buffer buffer = test_buffer_create(NULL, MAX_N + UNALIGNED, sizeof(cl_uint), 0);
    clprims_scan_desc desc = {
        .type = CLPRIMS_U32, .max_n = MAX_N, .algorithm = c->algorithm, .tuning = tuning_of(c)};
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i / 2];
        char launched[NAME] = "";
        clprims_scan_info info = {0};
        const clprims_buffer at = {buffer.at.mem, i % 2 * UNALIGNED};
        expect_ok(clprims_scan_describe(scan, n, &info));
        clprims_watch(note_name, launched);
        expect_ok(clprims_scan_enqueue(
            scan, test_queue(), &(clprims_scan_buffers){.in = at, .out = at}, n, 0, NULL, NULL));
        clprims_watch(NULL, NULL);
        test_note("n = %zu, first = %zu", n, at.first);
        expect_launched(i % 2 ? info.unaligned_variant : info.variant, "scan",
                        tiles_of(n, info.tile), launched);
        if (c->variant != NULL) assert_string_equal(info.variant, c->variant);
    }
    expect_cl(clFinish(test_queue()));
    clprims_scan_destroy(scan);
    test_buffer_release(&buffer);
}

static void check_offsets(const variant_case *c) {
    test_buffer in = test_buffer_create(NULL, MAX_N + UNALIGNED, sizeof(cl_uint), 0);
    test_buffer out = test_buffer_create(NULL, MAX_N + 1, sizeof(cl_long), 0);
    clprims_offsets_desc desc = {.type = CLPRIMS_U32,
                                 .counts = 1,
                                 .max_n = MAX_N,
                                 .algorithm = c->algorithm,
                                 .tuning = tuning_of(c)};
    clprims_offsets *plan = subject_made_plan(&subject_offsets, &desc);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i / 2] - 1; /* there is one output more */
        char launched[NAME] = "";
        clprims_offsets_info info = {0};
        const clprims_buffer at = {in.at.mem, i % 2 * UNALIGNED};
        expect_ok(clprims_offsets_describe(plan, n, &info));
        clprims_watch(note_name, launched);
        expect_ok(clprims_offsets_enqueue(
            plan, test_queue(), &(clprims_offsets_buffers){.stops = at, .offsets = out.at}, n, 0,
            NULL, NULL));
        clprims_watch(NULL, NULL);
        test_note("n = %zu, first = %zu", n, at.first);
        expect_launched(i % 2 ? info.unaligned_variant : info.variant, "scan",
                        tiles_of(n + 1, info.tile), launched);
        if (c->variant != NULL) assert_string_equal(info.variant, c->variant);
    }
    expect_cl(clFinish(test_queue()));
    clprims_offsets_destroy(plan);
    test_buffer_release(&in);
    test_buffer_release(&out);
}

static void check_select(const variant_case *c) {
    test_buffer in = test_buffer_create(NULL, MAX_N, sizeof(cl_uint), 0);
    test_buffer out = test_buffer_create(NULL, MAX_N, sizeof(cl_uint), 0);
    test_buffer count = test_buffer_create(NULL, 1, sizeof(cl_ulong), 0);
    clprims_select_desc desc = {.by = CLPRIMS_SELECT_NONZERO,
                                .arrays = 1,
                                .type[0] = CLPRIMS_U32,
                                .max_n = MAX_N,
                                .algorithm = c->algorithm,
                                .tuning = tuning_of(c)};
    clprims_select *plan = subject_made_plan(&subject_select, &desc);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char launched[NAME] = "";
        clprims_select_info info = {0};
        clprims_select_buffers buffers = {.in[0] = in.at, .out[0] = out.at, .count = count.at};
        expect_ok(clprims_select_describe(plan, sizes[i], &info));
        clprims_watch(note_name, launched);
        expect_ok(clprims_select_enqueue(plan, test_queue(), &buffers, sizes[i], 0, NULL, NULL));
        clprims_watch(NULL, NULL);
        test_note("n = %zu", sizes[i]);
        expect_launched(info.variant, "select", tiles_of(sizes[i], info.tile), launched);
        if (c->variant != NULL) assert_string_equal(info.variant, c->variant);
    }
    expect_cl(clFinish(test_queue()));
    clprims_select_destroy(plan);
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&count);
}

/* ---- Cases ---- */

static void described_is_launched(const void *data) {
    const variant_case *c = data;
    c->check(c);
}

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
    static void (*const checks[])(const variant_case *) = {check_scan, check_offsets, check_select};
    static const char *const primitives[] = {"scan", "offsets", "select"};
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        for (size_t p = 0; p < 3; p++) {
            variant_case c = {checks[p], ways[w].algorithm, ways[w].tuning, ways[w].variant};
            test_add(cases, described_is_launched, &c, sizeof c, "calls/variants/%s/%s",
                     primitives[p], ways[w].name);
        }
    }
}
