/* SPDX-License-Identifier: MIT */
/* Min-plus products. The numbers are m, n, k and the batch; the variant says how far apart the rows
 * are in device memory. */
#include "subjects/draws/drawn_matrix.h"

#include <math.h>

enum { LEFT, RIGHT, OUT, ARGMIN };
enum { SIDE = 9, FAULTS_SIDE = 70, GAP = 2, MOST_OTHER = 90, MOST_BATCH = 3 };

SUBJECT_PLAN(minplus)

SUBJECT_DESCRIBE(minplus, n[1], (clprims_minplus_sizes){n[0], n[2], n[3]})

static clprims_minplus_sizes sizes_of(const subject_data *d) {
    return (clprims_minplus_sizes){d->n[0], d->n[2], d->n[3]};
}

/* Of each array another one. */
static size_t gap_of(const subject_data *d, size_t slot) {
    return d->is_plain ? 0 : (size_t)d->variant * (slot + 1) % 7;
}

static size_t rows_of(const subject_data *d, size_t slot) {
    return d->n[slot == RIGHT ? 2 : 0];
}

static size_t columns_of(const subject_data *d, size_t slot) {
    return d->n[slot == LEFT ? 2 : 1];
}

static clprims_matrix place(const subject_data *d, size_t slot, clprims_buffer at) {
    return drawn_matrix_at(at, rows_of(d, slot), columns_of(d, slot), gap_of(d, slot));
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_minplus_buffers buffers = {.a = place(d, LEFT, s->at[LEFT]),
                                             .b = place(d, RIGHT, s->at[RIGHT]),
                                             .c = place(d, OUT, s->at[OUT]),
                                             .argmin = place(d, ARGMIN, s->at[ARGMIN]),
                                             .sizes = sizes_of(d)};
    return clprims_minplus_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), d->n[1],
                                   SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_minplus_arrays arrays = {
        .a = at[LEFT], .b = at[RIGHT], .c = at[OUT], .argmin = at[ARGMIN], .sizes = sizes_of(d)};
    return clprims_minplus_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[1]);
}

/* In every eighth run as large as may be. */
static void numbers(subject_data *d, size_t n) {
    d->n[0] = n;
    for (size_t k = 1; k < SUBJECT_NUMBERS; k++) {
        const size_t bearable = k == 3 ? MOST_BATCH : MOST_OTHER, least = k == 2 ? 0 : 1;
        const size_t most = d->most[k] < bearable ? d->most[k] : bearable;
        const size_t end = test_random_below(2) == 0 && most > 9 ? 9 : most;
        const size_t drawn = least + test_random_below(end + 1);
        d->n[k] = drawn > most || test_random_below(8) == 0 ? most : drawn;
    }
}

/* ---- Elements ---- */

/* Of the arguments, or of C, whose lengths are sums. */
static drawn_limits limits_of(const clprims_minplus_desc *desc, bool is_sum) {
    const int64_t quarter = drawn_quarter(desc->type);
    const bool mirrored = desc->semiring == CLPRIMS_MAX_PLUS;
    drawn_limits l = {desc->type, -quarter, 0, mirrored ? -2 * quarter : 2 * quarter - 1};
    if (desc->no_edge != NULL) l.none = drawn_get(&l, desc->no_edge, 0);
    l.most = is_sum ? l.none - 1 : (l.none - 1) / 2;
    if (is_sum) l.least *= 2;
    if (mirrored) {
        l.least = is_sum ? l.none + 1 : (l.none + 1) / 2;
        l.most = is_sum ? 2 * (quarter - 1) : quarter - 1;
    } else if (desc->semiring == CLPRIMS_MIN_MAX) {
        l.least = -4 * (quarter - 1) - 4;
        l.most = l.none - 1;
    }
    return l;
}

/* Often next to a limit. */
static int64_t draw_length(const drawn_limits *l) {
    const int64_t quarter = drawn_quarter(l->type);
    const int64_t some = (int64_t)test_random_below((uint64_t)quarter);
    int64_t value;
    switch (test_random_below(8)) {
    case 0:
    case 1:
        return l->none;
    case 2:
        return l->least;
    case 3:
        return l->most;
    case 4:
        value = l->least + some % 3;
        break;
    case 5:
        value = l->most - some % 3;
        break;
    case 6:
        value = some - quarter / 2;
        break;
    default:
        value = some % 100 - 50;
    }
    return drawn_is_length(l, value) ? value : l->none;
}

/* A third no edge, some beyond it, some far from zero, the others small. */
static int64_t draw_whole(const clprims_minplus_desc *desc) {
    const int64_t most = desc->type == CLPRIMS_I64 ? INT64_MAX : INT32_MAX;
    const bool mirrored = desc->semiring == CLPRIMS_MAX_PLUS;
    const uint64_t kind = test_random_below(24);
    int64_t value = (int64_t)test_random_below(2000) - 700;
    if (desc->semiring == CLPRIMS_OR_AND) return (int64_t)test_random();
    if (kind < 8) value = most / 2 + mirrored;
    if (kind == 8) value = most;
    if (kind == 9) value = most / 2 - 1;
    return mirrored ? -value : value;
}

static double draw_real(const clprims_minplus_desc *desc) {
    const double sign = desc->semiring == CLPRIMS_MAX_PLUS ? -1 : 1;
    const uint64_t kind = test_random_below(24);
    if (kind < 8) return sign * INFINITY;
    if (kind == 8 && !desc->nonnegative) return NAN;
    return (double)test_random_below(100000) * (1.0 / 7) - (desc->nonnegative ? 0 : 3000);
}

/* Whether all lengths are ones that plain arrays may have: others are no edges, too. */
static bool has_limits(const subject_data *d) {
    const clprims_minplus_desc *desc = d->desc;
    const bool is_whole = desc->type < CLPRIMS_F32 && desc->semiring != CLPRIMS_OR_AND;
    const bool may_be_any = d->may_be_malformed && !d->is_plain && desc->no_edge == NULL;
    return is_whole && !may_be_any;
}

static void fill(subject_data *d, size_t slot) {
    const clprims_minplus_desc *desc = d->desc;
    const subject_array *array = &d->at[slot];
    const bool is_near = has_limits(d);
    const drawn_limits l = limits_of(desc, slot == OUT);
    for (size_t i = 0; i < array->n; i++) {
        if (l.type == CLPRIMS_F32) {
            ((float *)array->values)[i] = (float)draw_real(desc);
        } else if (l.type == CLPRIMS_F64) {
            ((double *)array->values)[i] = draw_real(desc);
        } else {
            const int64_t value = is_near ? draw_length(&l) : draw_whole(desc);
            test_store_integer(array->bytes, array->values, i, (uint64_t)value);
        }
    }
}

/* One in twelve plain arrays has an element that is no length. */
static void spoil(subject_data *d, size_t slot) {
    static const char *const parts[] = {"minplus: a(", "minplus: b(", "minplus: c("};
    const clprims_minplus_desc *desc = d->desc;
    const subject_array *array = &d->at[slot];
    if (!d->may_be_malformed || !d->is_plain || !has_limits(d) || array->n == 0) return;
    if (test_random_below(12) > 0) return;
    const drawn_limits l = limits_of(desc, slot == OUT);
    drawn_put(&l, array->values, test_random_below(array->n), drawn_beyond(&l));
    if (slot == OUT && !desc->accumulate) return;
    d->status = CLPRIMS_ERR_DATA;
    if (d->part == NULL) d->part = parts[slot];
}

/* ---- The twin ---- */

static oracle_matrix matrix_of(const subject_data *d, size_t slot, void *values, size_t number) {
    const clprims_matrix at = place(d, slot, (clprims_buffer){NULL, 0});
    return (oracle_matrix){(char *)values + number * at.stride * d->at[slot].bytes, at.ld};
}

/* Copies the places that a product writes, `from` and `to` with leading dimensions of their own. */
static void copy_cells(const subject_data *d, const oracle_matrix *from, const oracle_matrix *to) {
    for (size_t i = 0; i < d->n[0]; i++) {
        memcpy((int32_t *)to->values + i * to->ld, (int32_t *)from->values + i * from->ld,
               d->n[1] * sizeof(int32_t));
    }
}

/* The twin knows one leading dimension of both results. */
static void define(const subject_data *d, size_t number) {
    const oracle_matrix a = matrix_of(d, LEFT, d->at[LEFT].values, number);
    const oracle_matrix b = matrix_of(d, RIGHT, d->at[RIGHT].values, number);
    const oracle_matrix c = matrix_of(d, OUT, d->at[OUT].expected, number);
    const bool has_places = d->at[ARGMIN].name != NULL;
    const oracle_matrix places = {has_places ? test_alloc(d->n[0] * c.ld, sizeof(int32_t)) : NULL,
                                  c.ld};
    const oracle_matrix argmin = matrix_of(d, ARGMIN, d->at[ARGMIN].expected, number);
    if (has_places) copy_cells(d, &argmin, &places);
    oracle_minplus(d->desc, &a, &b, &c, places.values, d->n[0], d->n[1], d->n[2]);
    if (has_places) copy_cells(d, &places, &argmin);
    free(places.values);
}

static size_t cells_of(const subject_data *d, size_t slot) {
    return drawn_matrix_cells(rows_of(d, slot), columns_of(d, slot), gap_of(d, slot), d->n[3]);
}

static void draw(subject_data *d) {
    const clprims_minplus_desc *desc = d->desc;
    const size_t cells = cells_of(d, OUT), bytes = clprims_type_bytes(desc->type);
    const size_t a_cells = cells > 0 ? cells_of(d, LEFT) : 0;
    const size_t b_cells = cells > 0 ? cells_of(d, RIGHT) : 0;
    subject_in(d, LEFT, "a", a_cells, a_cells, bytes);
    subject_in(d, RIGHT, "b", b_cells, b_cells, bytes);
    drawn_matrix_out(d, OUT, "c", cells, bytes);
    if (desc->argmin) drawn_matrix_out(d, ARGMIN, "argmin", cells_of(d, ARGMIN), sizeof(int32_t));
    for (size_t slot = LEFT; slot <= OUT; slot++) {
        fill(d, slot);
        spoil(d, slot);
    }
    memcpy(d->at[OUT].expected, d->at[OUT].values, cells * bytes);
    for (size_t i = 0; i < d->n[3] && cells > 0 && d->status == CLPRIMS_OK; i++) define(d, i);
}

#define PRODUCT(...) SUBJECT_DESC(minplus, __VA_ARGS__)
#define WORDS PRODUCT(.type = CLPRIMS_I32)
#define ARGMINS PRODUCT(.type = CLPRIMS_I32, .argmin = 1)

static const subject_call calls[] = {
    {"minplus", ARGMINS, NULL, .n = {SIDE, SIDE, SIDE, 1}, .variant = GAP},
    {"minplus-of-no-k", ARGMINS, NULL, .n = {SIDE, SIDE, 0, 1}, .most = {SIDE, SIDE, SIDE, 1},
     .variant = GAP},
    {"minplus-of-no-rows", ARGMINS, NULL, .n = {0, SIDE, SIDE, 1}, .most = {SIDE, SIDE, SIDE, 1},
     .variant = GAP},
    {"minplus-of-no-columns", ARGMINS, NULL, .n = {SIDE, 0, SIDE, 1}, .most = {SIDE, SIDE, SIDE, 1},
     .variant = GAP},
};

static const subject_sample samples[] = {
    {"minplus", WORDS, 300, 1000},
    {"minplus/argmin", ARGMINS, 0, 0},
};

static const subject_fault faults[] = {
    {"minplus", "", ARGMINS, .n = {FAULTS_SIDE, FAULTS_SIDE, FAULTS_SIDE, 1},
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
    SUBJECT(minplus),
    .max = {SUBJECT_MAX(minplus, max.m), SUBJECT_MAX(minplus, max_n), SUBJECT_MAX(minplus, max.k),
            SUBJECT_MAX(minplus, max.batch)},
    .plain = PRODUCT(.type = CLPRIMS_F32),
    SUBJECT_INFO(minplus),
    .traits = {.needs_no_max = true, .is_square = true},
    .knobs = {.key = "minplus", .call = "minplus"},
    .numbers = numbers,
    SUBJECT_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
