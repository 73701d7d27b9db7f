/* SPDX-License-Identifier: MIT */
/* The user's own operators, structs, input expressions and equality of keys. */
#include "harness/special_floats.h"
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_buffers.h"

typedef struct custom_case {
    const custom_operand *operand;
    clprims_segmented_kind kind;
    clprims_segments_by by;
    segments_shape shape;
    size_t n;
    const char *tuning;
} custom_case;

/* By keys: structs where the operand has one. */
static clprims_segmented_desc describe(const custom_case *c) {
    clprims_segmented_desc desc = {0};
    CUSTOM_DESCRIBE(c->operand, &desc);
    desc.kind = c->kind;
    desc.by = c->by;
    desc.max_n = 20000;
    if (c->by == CLPRIMS_SEGMENTS_OFFSETS) desc.max_segments = 60000;
    if (c->by == CLPRIMS_SEGMENTS_KEYS) desc.heads_type = CLPRIMS_I16;
    const bool is_special = c->operand->twin.same != NULL; /* without an initial value */
    if (!is_special &&
        (c->kind != CLPRIMS_SEGMENTED_INCLUSIVE || c->by == CLPRIMS_SEGMENTS_OFFSETS)) {
        desc.init = custom_start(c->operand);
    }
    desc.tuning = c->tuning;
    return desc;
}

static void custom_is_right(const void *data) {
    const custom_case *c = data;
    const clprims_segmented_desc desc = describe(c);
    const segmented_try how = {.desc = &desc, .operand = c->operand, .first = c->n % 5};
    clprims_segmented *plan = segmented_plan(&desc);
    test_segments segments = segments_make(c->shape, c->n, c->by != CLPRIMS_SEGMENTS_OFFSETS);
    segmented_expect(plan, &how, &segments);
}

/* Of reductions by offsets: a team for each segment, where the operator commutes. */
#define BY_TEAMS "TEAM=2 GROUP=64 BLOCK=64"

static const char *name_of(const char *tuning, bool is_special) {
    if (tuning == NULL) return "";
    if (strcmp(tuning, BY_TEAMS) == 0) return "/teams";
    return is_special ? tuning : "";
}

static void add_shapes(test_cases *cases, custom_case c, const char *tuning) {
    static const segments_shape shapes[] = {SEGMENTS_SHORT, SEGMENTS_GIANT, SEGMENTS_MIXED};
    const bool is_special = c.operand->twin.same != NULL;
    c.tuning = tuning;
    for (size_t s = 0; s < 3; s++) {
        c.shape = shapes[s];
        for (c.n = 1; c.n < 16000; c.n = c.n * 12 + 1) {
            if (test_small() && c.n > 200) continue;
            test_add_row(cases, custom_is_right, c, "segmented/%s/%s/kind=%d/by=%d/%s/n=%zu%s",
                         is_special ? "special-floats" : "custom", c.operand->name, (int)c.kind,
                         (int)c.by, segments_names[c.shape], c.n, name_of(tuning, is_special));
        }
    }
}

static void add_operands(test_cases *cases) {
    static const custom_operand *const operands[] = {&custom_affine, &custom_marked,
                                                     &custom_squares, &custom_scaled};
    for (int k = 0; k < 4; k++) {
        for (int kind = 0; kind < 3; kind++) {
            custom_case c = {.operand = operands[k],
                             .kind = (clprims_segmented_kind)kind,
                             .by = (clprims_segments_by)((k + kind) % 4),
                             .tuning = k % 2 == 0 ? "GROUP=8 SHARE=20 GROUPS=64"
                                                  : "GROUP=1 SHARE=100 GROUPS=16"};
            if (!test_long() && (k + kind) % 2 != 0) continue;
            if (test_small() && operands[k]->type == CLPRIMS_STRUCT) continue;
            if (k % 2 == 0 && !test_bears_shapes()) c.tuning = NULL;
            if (c.by == CLPRIMS_SEGMENTS_OFFSETS && kind == 0 && test_bears_shapes()) {
                add_shapes(cases, c, BY_TEAMS);
            }
            add_shapes(cases, c, c.tuning);
        }
    }
}

/* Special floats by every variant in turn; in the long tier in every kind of run, and on NVIDIA
 * GPUs by each of the variants that these have alone. */
static void add_special(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=8 SHARE=20 GROUPS=64", NULL, "SINGLE=0", BY_TEAMS,
                                          "TEAM=0"};
    const bool has_all = test_long() && test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (int k = 0; k < SPECIAL_FLOATS * 12; k++) {
        const int operand = k / 12, kind = k % 3, by = k / 3 % 4;
        const custom_case c = {.operand = special_floats[operand],
                               .kind = (clprims_segmented_kind)kind,
                               .by = (clprims_segments_by)by};
        for (int t = 0; t < 5; t++) {
            const bool fits = t != 3 || (kind == 0 && by == 0);
            const int turn = t < 2 ? (7 * operand + 1) % 12 : 0;
            const bool is_turn = operand < 4 && t == operand && k % 12 == turn;
            const bool is_long = t == 1 || (has_all && operand % 5 % 2 == 0);
            if (!fits || !(is_turn || (test_long() && is_long))) continue;
            if (!test_bears_shapes() && tunings[t] != NULL) continue;
            add_shapes(cases, c, tunings[t]);
        }
    }
}

/* ---- Keys of a struct, equal by a part of it ---- */

static void keys_are_equal_by_a_text(void) {
    clprims_segmented_desc desc = {0};
    segmented_try how = {.desc = &desc, .first = 3};
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.type = CLPRIMS_I32;
    desc.heads_type = CLPRIMS_STRUCT;
    desc.equal = "a.major == b.major";
    desc.unique_keys = 1;
    desc.max_n = 3000;
    desc.custom.declarations = "typedef struct { int major; int minor; } pair;";
    desc.custom.type_name = "pair";
    desc.custom.type_bytes = 8;
    test_segments segments = segments_make(SEGMENTS_SHORT, desc.max_n, true);
    for (int by_run = 0; by_run < 2; by_run++) {
        how.by_run = by_run;
        segmented_expect(segmented_plan(&desc), &how, &segments);
    }
}

/* NaN differs from every key, itself included. */
static void nan_keys_are_all_different(void) {
    const float nan = strtof("nan", NULL), keys[] = {nan, nan, 1, 1, nan, 0.0f, -0.0f};
    const int32_t in[] = {1, 2, 3, 4, 5, 6, 7}, expected[] = {1, 2, 7, 5, 13};
    int32_t out[7];
    size_t count = 0;
    clprims_segmented_desc desc = {
        .by = CLPRIMS_SEGMENTS_KEYS, .heads_type = CLPRIMS_F32, .type = CLPRIMS_I32, .max_n = 7};
    clprims_segmented *plan = subject_made_plan(&subject_segmented, &desc);
    clprims_segmented_arrays arrays = {.in = in, .heads = keys, .out = out, .count = &count};
    expect_ok(clprims_segmented_run(plan, &arrays, 7));
    if (count != 5) test_fail("%zu runs, not 5", count);
    expect_values(CLPRIMS_I32, expected, out, 5);
}

/* ---- Bits ---- */

/* Sums that round are the same in every run, and of another queue. */
static void bits_are_the_same_in_every_run(const void *data) {
    enum { N = 50000 };
    test_segments segments = segments_make(SEGMENTS_MIXED, N, false);
    clprims_segmented_desc desc = {.kind = (clprims_segmented_kind) * (const int *)data,
                                   .type = CLPRIMS_F32,
                                   .max_n = N,
                                   .max_segments = segments.count,
                                   .tuning = "GROUP=8 SHARE=100 GROUPS=64"};
    test_want_shapes();
    clprims_segmented *plan = segmented_plan(&desc);
    subject_data d = {.of = &subject_segmented,
                      .desc = &desc,
                      .n = {N, segments.count},
                      .most = {N, segments.count},
                      .offsets = segments.offsets,
                      .fill = segmented_fill_rounding};
    subject_draw(&d);
    subject_expect_as_run(&d, plan);
    for (int run = 0; run < 5; run++) subject_run_is_right(&d, plan);
}

void add_custom_cases(test_cases *cases) {
    add_operands(cases);
    add_special(cases);
    test_add_plain(cases, keys_are_equal_by_a_text, "segmented/keys/struct");
    test_add_plain(cases, nan_keys_are_all_different, "segmented/keys/nan");
    for (int kind = 0; kind < 2 && !test_small(); kind++) {
        test_add_row(cases, bits_are_the_same_in_every_run, kind, "segmented/bits/kind=%d", kind);
    }
}
