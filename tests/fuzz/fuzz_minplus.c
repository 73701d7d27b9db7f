/* SPDX-License-Identifier: MIT */
/* Draws min-plus products and shortest paths: types, semirings, sizes, lengths that are no edges,
 * knobs. */
#include "fuzz/fuzz.h"

enum { MOST_SIDE = 90, SMALL_SIDE = 20, MOST_VERTICES = 150, SMALL_VERTICES = 66 };

/* What PoCL compiles wrongly: see test_bears_shapes, and test_minplus.c about split-k slices. */
static bool may_have_groups(void) {
    return (test_info().device.type & CL_DEVICE_TYPE_CPU) == 0 || test_bears_shapes();
}

static bool may_have_slices(void) {
    const clprims_device_info device = test_info().device;
    return strcmp(device.platform_name, "Portable Computing Language") != 0 ||
           strncmp(device.driver, "5.", 2) != 0;
}

/* Every knob, mostly of allowed values: of one work-item alone, or of many, which CPUs take with
 * BARRIERS=1 only. */
static const char *draw_tuning(char *tuning, size_t bytes) {
    const uint64_t kind = test_random_below(4);
    if (kind == 0) return NULL;
    if (kind <= 2 || !may_have_groups()) {
        snprintf(tuning, bytes, "HIGH=1 WIDE=1 ROWS=%zu COLUMNS=%zu BLOCKS=%zu DEPTH=%d",
                 fuzz_between(1, 6), 16 * fuzz_between(1, 3), fuzz_between(1, 5),
                 8 << test_random_below(4));
    } else {
        const int high = 1 << fuzz_between(1, 3), wide = 1 << fuzz_between(1, 3);
        const int split = may_have_slices() ? 1 << test_random_below(3) : 1;
        const int most = high > wide ? high : wide;
        snprintf(tuning, bytes,
                 "HIGH=%d WIDE=%d ROWS=%zu COLUMNS=%zu DEPTH=%d SPLIT=%d PAIRS=%zu UNROLL=%d "
                 "SIGNLESS=%zu BARRIERS=1",
                 high, wide, 4 * fuzz_between(1, 2), 4 * fuzz_between(1, 2),
                 (most < 8 ? 8 : most) * split, split, fuzz_between(1, 4),
                 2 << test_random_below(3), fuzz_between(0, 2));
    }
    return tuning;
}

/* ---- Products ---- */

static void draw_product(clprims_minplus_desc *desc) {
    static const clprims_type ordered[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    static const clprims_type bits[] = {CLPRIMS_U8, CLPRIMS_U32, CLPRIMS_I64, CLPRIMS_I32};
    const size_t type = test_random_below(4), most = test_small() ? SMALL_SIDE : MOST_SIDE;
    desc->semiring = (clprims_semiring)fuzz_between(CLPRIMS_MIN_PLUS, CLPRIMS_OR_AND);
    desc->type = desc->semiring == CLPRIMS_OR_AND ? bits[type] : ordered[type];
    desc->accumulate = fuzz_coin();
    desc->argmin = desc->semiring != CLPRIMS_OR_AND && fuzz_coin();
    desc->nonnegative =
        desc->semiring == CLPRIMS_MIN_PLUS && desc->type >= CLPRIMS_F32 && fuzz_coin();
    if (fuzz_coin()) {
        desc->max_n = fuzz_size(most);
        desc->max = (clprims_minplus_sizes){fuzz_size(most), fuzz_size(most), test_random_below(4)};
    }
}

/* The value that is no edge, of a type of integers: mostly the one that is the default, or any. */
static int64_t draw_none(const clprims_minplus_desc *desc) {
    const int64_t half = (int64_t)1 << (desc->type == CLPRIMS_I64 ? 62 : 30);
    const bool mirrored = desc->semiring == CLPRIMS_MAX_PLUS;
    const int64_t far = half - !mirrored;
    const int64_t none = fuzz_coin() ? far : 1 + (int64_t)test_random_below((uint64_t)far);
    return mirrored ? -none : none;
}

void fuzz_minplus(void) {
    const size_t most = test_small() ? SMALL_SIDE : MOST_SIDE;
    char tuning[160];
    clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    draw_product(&desc);
    desc.tuning = draw_tuning(tuning, sizeof tuning);
    const bool is_whole = desc.type < CLPRIMS_F32 && desc.semiring != CLPRIMS_OR_AND;
    const int64_t none = is_whole ? draw_none(&desc) : 0;
    const int32_t narrow = (int32_t)none;
    if (is_whole && fuzz_coin()) {
        desc.no_edge = desc.type == CLPRIMS_I64 ? (const void *)&none : (const void *)&narrow;
    }
    fuzz_note("%s of %s, at most %zu x %zu x %zu, batch %zu, accumulate %d, argmin %d, nonnegative "
              "%d, no edge %lld, tuning %s",
              clprims_semiring_name(desc.semiring), clprims_type_name(desc.type), desc.max.m,
              desc.max_n, desc.max.k, desc.max.batch, desc.accumulate, desc.argmin,
              desc.nonnegative, (long long)(desc.no_edge != NULL ? none : 0),
              desc.tuning ? desc.tuning : "none");
    const size_t sides[] = {desc.max.m, desc.max_n, desc.max.k, desc.max.batch};
    subject_data like = {
        .of = &subject_minplus, .desc = &desc, .n = {1}, .variant = (int)fuzz_between(0, 6)};
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) like.most[k] = sides[k] > 0 ? sides[k] : most;
    fuzz_runs(&like, test_small() ? 4 : fuzz_between(6, 30));
}

/* ---- Shortest paths ---- */

void fuzz_paths(void) {
    static const clprims_type types[] = {CLPRIMS_F32, CLPRIMS_F64, CLPRIMS_I32, CLPRIMS_I64};
    char tuning[160];
    clprims_paths_desc desc = {0};
    desc.type = types[test_random_below(4)];
    desc.max_n = fuzz_between(1, test_small() ? SMALL_VERTICES : MOST_VERTICES);
    desc.predecessors = fuzz_coin();
    desc.tuning = draw_tuning(tuning, sizeof tuning);
    const int64_t quarter = (int64_t)1 << (desc.type == CLPRIMS_I64 ? 61 : 29);
    const int64_t nones[] = {4 * (quarter - 1) + 3,
                             quarter / 2 + (int64_t)test_random_below((uint64_t)quarter), 1000};
    const int64_t none = nones[test_random_below(3)];
    const int32_t narrow = (int32_t)none;
    if (desc.type < CLPRIMS_F32 && fuzz_coin()) {
        desc.no_edge = desc.type == CLPRIMS_I64 ? (const void *)&none : (const void *)&narrow;
    }
    fuzz_note("paths of %s, max_n %zu, predecessors %d, no edge %lld, tuning %s",
              clprims_type_name(desc.type), desc.max_n, desc.predecessors,
              (long long)(desc.no_edge != NULL ? none : 0), desc.tuning ? desc.tuning : "none");
    fuzz_runs(&(subject_data){.of = &subject_paths,
                              .desc = &desc,
                              .most = {desc.max_n},
                              .variant = (int)fuzz_between(0, 5)},
              test_small() ? 4 : fuzz_between(6, 30));
}
