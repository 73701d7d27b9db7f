/* SPDX-License-Identifier: MIT */
/* Min-plus products. The numbers are m, n and k; the variant is the gap between rows. */
#include "harness/oracle_minplus.h"
#include "subjects/draws/drawn_matrix.h"

enum { LEFT, RIGHT, OUT, ARGMIN };
enum { SIDE = 9, FAULTS_SIDE = 70, GAP = 2, MOST_OTHER = 90 };

SUBJECT_PLAN(minplus)

static clprims_status describe(const void *plan, const size_t *n, void *info) {
    (void)n;
    return clprims_minplus_describe(plan, info);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_minplus_size size = {d->n[0], d->n[1], d->n[2], 1};
    const size_t gap = (size_t)d->variant, ld = size.n + gap;
    return clprims_minplus_enqueue(plan, s->queue, drawn_matrix_at(s->at[LEFT], size.k + gap),
                                   drawn_matrix_at(s->at[RIGHT], ld),
                                   drawn_matrix_at(s->at[OUT], ld),
                                   drawn_matrix_at(s->at[ARGMIN], ld), size, SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_minplus_size size = {d->n[0], d->n[1], d->n[2], 1};
    return clprims_minplus_run(plan, at[LEFT], at[RIGHT], at[OUT], at[ARGMIN], size);
}

static void numbers(subject_data *d, size_t n) {
    d->n[0] = n;
    d->n[1] = 1 + test_random_below(n < MOST_OTHER ? n + 1 : MOST_OTHER);
    d->n[2] = 1 + test_random_below(n < MOST_OTHER ? n + 1 : MOST_OTHER);
    for (size_t k = 1; k < SUBJECT_NUMBERS; k++) {
        if (d->n[k] > d->most[k]) d->n[k] = d->most[k];
    }
}

static void draw(subject_data *d) {
    const clprims_minplus_desc *desc = d->desc;
    const size_t m = d->n[0], n = d->n[1], k = d->n[2], gap = (size_t)d->variant;
    const size_t cells = drawn_matrix_cells(m, n, gap), depth = cells > 0 ? k : 0;
    const size_t a_cells = drawn_matrix_cells(m, depth, gap);
    const size_t b_cells = drawn_matrix_cells(depth, n, gap);
    int32_t *a = subject_in(d, LEFT, "a", a_cells, a_cells, sizeof *a);
    int32_t *b = subject_in(d, RIGHT, "b", b_cells, b_cells, sizeof *b);
    d->at[LEFT].is_needed = d->at[RIGHT].is_needed = cells > 0;
    int32_t *c = drawn_matrix_out(d, OUT, "c", cells), *argmin = NULL;
    if (desc->argmin) argmin = drawn_matrix_out(d, ARGMIN, "argmin", cells);
    drawn_matrix_fill(a, a_cells);
    drawn_matrix_fill(b, b_cells);
    const oracle_matrix left = {a, k + gap}, right = {b, n + gap}, out = {c, n + gap};
    oracle_minplus(desc, &left, &right, &out, argmin, m, n, k);
}

#define PRODUCT(...)                                                                               \
    SUBJECT_DESC(minplus, .custom.struct_size = sizeof(clprims_semiring_custom), __VA_ARGS__)
#define WORDS PRODUCT(.type = CLPRIMS_I32)
#define ARGMINS PRODUCT(.type = CLPRIMS_I32, .argmin = 1)

static const subject_call calls[] = {
    {"minplus", ARGMINS, NULL, .n = {SIDE, SIDE, SIDE}, .variant = GAP},
    {"minplus-of-no-k", ARGMINS, NULL, .n = {SIDE, SIDE, 0}, .most = {SIDE, SIDE, SIDE},
     .variant = GAP},
    {"minplus-of-no-rows", ARGMINS, NULL, .n = {0, SIDE, SIDE}, .most = {SIDE, SIDE, SIDE},
     .variant = GAP},
    {"minplus-of-no-columns", ARGMINS, NULL, .n = {SIDE, 0, SIDE}, .most = {SIDE, SIDE, SIDE},
     .variant = GAP},
};

static const subject_sample samples[] = {
    {"minplus", WORDS, 300, 1000},
    {"minplus/argmin", ARGMINS, 0, 0},
};

static const subject_fault faults[] = {
    {"minplus", "", ARGMINS, .n = {FAULTS_SIDE, FAULTS_SIDE, FAULTS_SIDE},
     .order = SUBJECT_IN_ORDER},
};

static const subject_way ways[] = {
    {"chosen", NULL, 0},
    {"group", "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 BARRIERS=1", 0},
    {"serial", "HIGH=1 WIDE=1 ROWS=2 COLUMNS=32 BLOCKS=3 DEPTH=16 PAIRS=1", 0}};

static const subject_kind kinds[] = {
    {"floats", NULL, .desc = PRODUCT(.type = CLPRIMS_F32)},
    {"nonnegative", NULL, .desc = PRODUCT(.type = CLPRIMS_F32, .nonnegative = 1, .accumulate = 1)},
    {"argmin", NULL, .desc = PRODUCT(.type = CLPRIMS_I32, .argmin = 1, .accumulate = 1)},
    {"bits", NULL,
     .desc = PRODUCT(.type = CLPRIMS_U8, .semiring = CLPRIMS_OR_AND, .accumulate = 1)},
};

const subject subject_minplus = {
    SUBJECT(minplus, semiring),
    .max = {SUBJECT_MAX(minplus, max.m), SUBJECT_MAX(minplus, max.n), SUBJECT_MAX(minplus, max.k)},
    .plain = PRODUCT(.type = CLPRIMS_F32),
    SUBJECT_INFO(minplus, group),
    .needs_no_max = true,
    .is_square = true,
    .knobs = "minplus",
    .knobs_call = "minplus",
    .numbers = numbers,
    .calls = SUBJECT_TABLE(calls),
    .samples = SUBJECT_TABLE(samples),
    .faults = SUBJECT_TABLE(faults),
    .kinds = SUBJECT_TABLE(kinds),
    .ways = SUBJECT_TABLE(ways),
};
