/* SPDX-License-Identifier: MIT */
/* Scatter. The second number is that of the elements of `out`. */
#include "harness/special_floats.h"
#include "subjects/draws/drawn_indices.h"

enum { INDEX, IN, OUT, N, LENGTH, REPORT };
enum { FEW = 100, FAULTS_N = 100000 };

SUBJECT_PLAN(scatter)
SUBJECT_DESCRIBE(scatter, n[0], (clprims_scatter_sizes){n[1]})
SUBJECT_CHECK(scatter)

SUBJECT_ENQUEUE(scatter, s->at[INDEX], s->at[IN], s->at[OUT], s->at[N], s->at[LENGTH],
                s->at[REPORT], {subject_room(d, 1)})

SUBJECT_RUN(scatter, at[INDEX], at[IN], at[OUT], {d->n[1]})

static bool is_distinct(const clprims_scatter_desc *desc) {
    return desc->repeats == CLPRIMS_SCATTER_DISTINCT;
}

/* `out` of n elements: a word for each of more than that would not fit one buffer. */
static void limit_of_memory(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n;
}

static void numbers(subject_data *d, size_t n) {
    drawn_indices_numbers(d, n);
    if (is_distinct(d->desc) && d->n[1] < n && d->most[1] >= n) d->n[1] = n;
}

/* The operator on floats; NULL: elements are stored, or integers. */
static const custom_operand *operand_of(const clprims_scatter_desc *desc) {
    for (size_t k = 0; k < SPECIAL_FLOATS; k++) {
        const custom_operand *found = special_floats[k];
        const bool is_it = found->type == desc->type && found->op == desc->op;
        if (is_it && desc->repeats == CLPRIMS_SCATTER_COMBINE) return found;
    }
    return NULL;
}

/* Sums of floats are of small integers, so that none is rounded. */
static void fill(const clprims_scatter_desc *desc, void *values, size_t n) {
    const size_t bytes = subject_bytes(desc->type, &desc->custom);
    const custom_operand *operand = operand_of(desc);
    if (operand != NULL && desc->op != CLPRIMS_ADD) {
        operand->fill(values, n);
        return;
    }
    if (operand == NULL) test_random_bytes(values, n * bytes);
    for (size_t i = 0; operand != NULL && i < n; i++) {
        const float narrow = (float)test_random_below(16) - 8;
        const double wide = (double)narrow;
        memcpy((char *)values + i * bytes, bytes == 4 ? (const void *)&narrow : &wide, bytes);
    }
}

/* Stores one element, or combines it with what is there. */
static void put(const clprims_scatter_desc *desc, char *out, const char *in) {
    const size_t bytes = subject_bytes(desc->type, &desc->custom);
    const custom_operand *operand = operand_of(desc);
    if (operand != NULL) {
        operand->twin.combine(out, in, out);
    } else if (desc->repeats == CLPRIMS_SCATTER_COMBINE) {
        const uint64_t a = oracle_load_integer(desc->type, out, 0);
        const uint64_t b = oracle_load_integer(desc->type, in, 0);
        test_store_integer(bytes, out, 0, oracle_combine_integer(desc->type, desc->op, a, b));
    } else {
        memcpy(out, in, bytes);
    }
}

/* Indices that are drawn below this length repeat as often as not, or always, or nearly never. */
static size_t draw_span(size_t length) {
    const size_t few = 1 + test_random_below(8);
    return test_random_below(3) == 0 && few < length ? few : length;
}

/* An index that none has had: `left` of them are in the front of `order`. */
static int64_t take_distinct(size_t *order, size_t *left, int64_t drawn) {
    const size_t place = (size_t)drawn, taken = order[place];
    order[place] = order[--*left];
    return (int64_t)taken;
}

static void draw(subject_data *d) {
    const clprims_scatter_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0);
    const size_t length = room > 0 ? d->n[1] : 0; /* without indices none is written */
    const size_t bytes = subject_bytes(desc->type, &desc->custom);
    drawn_indices indices = drawn_indices_begin(d, INDEX, desc->index_type, length);
    char *in = subject_in(d, IN, "in", n, room, bytes);
    char *out = subject_out(d, OUT, "out", length, room > 0 ? subject_room(d, 1) : 0, bytes);
    size_t *order = test_alloc(length, sizeof *order), left = length;
    const size_t span = draw_span(length);
    for (size_t j = 0; j < length; j++) order[j] = j;
    fill(desc, in, n);
    subject_keep(d, OUT);
    fill(desc, d->at[OUT].values, length);
    memcpy(out, d->at[OUT].values, length * bytes);
    for (size_t i = 0; i < n; i++) {
        int64_t to = 0;
        if (!drawn_index(d, &indices, i, is_distinct(desc) ? left : span, &to)) continue;
        if (is_distinct(desc)) {
            to = take_distinct(order, &left, to);
            test_store_integer(indices.bytes, indices.values, i, (uint64_t)to);
        }
        put(desc, out + (size_t)to * bytes, in + i * bytes);
    }
    if (operand_of(desc) != NULL) d->at[OUT].twin = &operand_of(desc)->twin;
    subject_number(d, N, "n", 0);
    subject_number(d, LENGTH, "length", 1);
    subject_report(d, REPORT, &indices.report, sizeof indices.report);
    free(order);
}

#define SCATTER(type_, index_, ...)                                                                \
    SUBJECT_CUSTOM_DESC(scatter, .type = type_, .index_type = index_, __VA_ARGS__)
#define LAST(type_, index_) SCATTER(type_, index_, .repeats = CLPRIMS_SCATTER_LAST)
#define COMBINE(type_, index_, op_)                                                                \
    SCATTER(type_, index_, .repeats = CLPRIMS_SCATTER_COMBINE, .op = op_, .fast_floats = 1)
#define SHORTS LAST(CLPRIMS_U16, CLPRIMS_I32)
#define BYTES COMBINE(CLPRIMS_I8, CLPRIMS_I32, CLPRIMS_MIN)
#define GROUPS "GROUP=8"
#define ALL                                                                                        \
    { FEW, FEW }

static const subject_call calls[] = {
    {"scatter", SHORTS, "GROUP=1", .n = ALL, .needs_shapes = true},
    {"scatter-combine", BYTES, GROUPS, .n = ALL, .needs_shapes = true},
    {"scatter-counted", SHORTS, GROUPS, .n = {57, 57}, .most = ALL, .counted = true,
     .needs_shapes = true},
    {"scatter-of-none", BYTES, GROUPS, .n = {0, FEW}, .most = ALL, .needs_shapes = true},
};

static const subject_sample samples[] = {
    {"scatter", LAST(CLPRIMS_U32, CLPRIMS_U32), 1234567, 33554433},
    {"scatter/add", COMBINE(CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_ADD), 1234567, 33554433},
    {"scatter/min", COMBINE(CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_MIN), 0, 0},
};

static const subject_fault faults[] = {
    {"scatter", "", LAST(CLPRIMS_I32, CLPRIMS_I32), .n = {FAULTS_N, FAULTS_N},
     .order = SUBJECT_BOTH_ORDERS},
    {"scatter", "/combine", BYTES, .n = {FAULTS_N, FAULTS_N}, .order = SUBJECT_IN_ORDER},
};

static const subject_launch launched[] = {{"scatter", .desc = LAST(CLPRIMS_U32, CLPRIMS_U32)}};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"serial", "GROUP=1", 0}, {"small", "GROUP=64", 0}};

static const subject_kind kinds[] = {
    {"last", NULL, .desc = LAST(CLPRIMS_F32, CLPRIMS_I64)},
    {"structs", NULL,
     .desc = SCATTER(CLPRIMS_STRUCT, CLPRIMS_I32, .custom.type_bytes = 12,
                     .repeats = CLPRIMS_SCATTER_DISTINCT)},
    {"bytes", NULL, .desc = BYTES},
    {"sums", NULL, .desc = COMBINE(CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_ADD)},
    {"floats", NULL, .desc = COMBINE(CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_MAX)},
    {"longs", NULL, .desc = COMBINE(CLPRIMS_U64, CLPRIMS_U32, CLPRIMS_OR)},
};

const subject subject_scatter = {
    SUBJECT(scatter),
    SUBJECT_MEMBER(scatter, type),
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(scatter, max_n), SUBJECT_MAX(scatter, max_length)},
    .plain = LAST(CLPRIMS_I32, CLPRIMS_I64),
    SUBJECT_GROUPS(scatter),
    .knobs = {.key = "scatter", .call = "scatter"},
    .check = check,
    .limit = drawn_indices_limit,
    .limit_of_memory = limit_of_memory,
    .numbers = numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
