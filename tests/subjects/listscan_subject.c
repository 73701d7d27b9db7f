/* SPDX-License-Identifier: MIT */
/* List scan. */
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_list.h"

enum { NEXT, VALUES, OUT, REPORT };
enum { FEW = 100, FAULTS_N = 100000, LARGE = 33554433 };

SUBJECT_PLAN(listscan)
SUBJECT_DESCRIBE(listscan, n[0])
SUBJECT_PARAMETERS(listscan)
SUBJECT_CHECK(listscan)

static clprims_status prepare(void *plan, const subject_data *d) {
    return drawn_input_prepare(plan, d, ((const clprims_listscan_desc *)d->desc)->parameters);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_listscan_buffers buffers = {s->at[NEXT], s->at[VALUES], s->at[OUT], s->at[REPORT],
                                              head_given(&d->head)};
    return clprims_listscan_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), d->n[0],
                                    SUBJECT_WAITS(s));
}

SUBJECT_RUN(listscan, at[NEXT], at[VALUES], at[OUT], head_given(&d->head))

/* Twos and halves by turns along the list: drawn by element, products of any order would overflow.
 */
static void settle_products(clprims_type type, void *values, const uint32_t *order, size_t n) {
    for (size_t k = 0; k < n; k++) {
        const double sign = test_random_below(2) == 0 ? 1 : -1;
        const double value = sign * (k % 2 == 0 ? 2.0 : 0.5);
        if (type == CLPRIMS_F32) ((float *)values)[order[k]] = (float)value;
        if (type == CLPRIMS_F64) ((double *)values)[order[k]] = value;
    }
}

static void fill(const subject_data *d, const custom_operand *operand, const uint32_t *order) {
    const clprims_listscan_desc *desc = d->desc;
    void *values = d->at[VALUES].values;
    if (operand != NULL) {
        operand->fill(values, d->n[0]);
    } else if (desc->op == CLPRIMS_MUL && desc->type >= CLPRIMS_F32) {
        settle_products(desc->type, values, order, d->n[0]);
    } else {
        test_random_values(desc->type, desc->op, values, d->n[0]);
    }
}

/* A scan of the values as the list visits them; without values each is 1. */
static void define(subject_data *d, const custom_operand *operand, const uint32_t *order) {
    const clprims_listscan_desc *desc = d->desc;
    const clprims_scan_desc scan = {.type = desc->type,
                                    .accumulator = desc->accumulator,
                                    .op = desc->op,
                                    .inclusive = desc->inclusive,
                                    .init = desc->init,
                                    .max_n = d->n[0]};
    const subject_array *out = &d->at[OUT];
    const size_t n = d->n[0], bytes = subject_bytes(desc->type, &desc->custom);
    const void *given = d->at[VALUES].values;
    uint32_t *made = NULL;
    if (desc->parameters != NULL) given = made = drawn_input_made(d, desc->parameters, given, n);
    char *along = test_alloc(n, bytes), *scanned = test_alloc(n, out->bytes);
    for (size_t k = 0; k < n; k++) {
        if (desc->no_input_array) {
            test_store_integer(bytes, along, k, 1);
        } else {
            memcpy(along + k * bytes, (const char *)given + order[k] * bytes, bytes);
        }
    }
    if (operand != NULL) {
        oracle_scan_custom(&operand->twin, scan.inclusive, custom_start(operand), along, scanned,
                           n);
    } else {
        oracle_scan(&scan, along, scanned, n);
    }
    for (size_t k = 0; k < n; k++) {
        memcpy((char *)out->expected + order[k] * out->bytes, scanned + k * out->bytes, out->bytes);
    }
    free(along);
    free(scanned);
    free(made);
}

static void draw(subject_data *d) {
    const clprims_listscan_desc *desc = d->desc;
    const custom_operand *operand = d->operand;
    const size_t n = d->n[0], bytes = subject_bytes(desc->type, &desc->custom);
    const bool widens = desc->accumulator != CLPRIMS_TYPE_DEFAULT;
    clprims_list_report report;
    uint32_t *order = drawn_list(d, NEXT, desc->link, &report);
    if (!desc->no_input_array) {
        subject_in(d, VALUES, "values", n, n, bytes);
        fill(d, operand, order);
    }
    subject_out(d, OUT, "out", n, n, widens ? clprims_type_bytes(desc->accumulator) : bytes);
    define(d, operand, order);
    drawn_list_settle(d, OUT);
    subject_may_overlap(d, NEXT, OUT, SUBJECT_ANYWHERE);
    subject_may_overlap(d, VALUES, OUT, SUBJECT_ANYWHERE);
    subject_report(d, REPORT, &report, sizeof report);
    free(order);
}

#define SCAN(...) SUBJECT_CUSTOM_DESC(listscan, .link = CLPRIMS_I32, __VA_ARGS__)
#define WORDS SCAN(.type = CLPRIMS_U32)
#define INCLUSIVE SCAN(.type = CLPRIMS_U32, .inclusive = 1)
#define WEIGHED SCAN(.type = CLPRIMS_U32, .input = DRAWN_SHIFTED, .parameters = DRAWN_SHIFT)
#define BUCKETS                                                                                    \
    "SINGLE=500 SINGLE_GROUP=16 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 GROUP=16 LANES=64 CHUNK=64 "     \
    "BUCKET=64 WINDOW=64"

static const subject_call calls[] = {
    {"listscan", WORDS, NULL, .n = {FEW}},
    {"listscan-levels", WORDS, "SINGLE=0 LAST=4 UPPER=2", .n = {FEW}},
};

static const subject_sample samples[] = {
    {"listscan", INCLUSIVE, 5000000, LARGE},
    {"listscan/parameter", WEIGHED, 0, 0},
};

/* The whole chain of kernels. */
static const subject_fault faults[] = {
    {"listscan", "", INCLUSIVE, NULL, "SINGLE=0", .n = {FAULTS_N}, .order = SUBJECT_BOTH_ORDERS}};

static const subject_launch launched[] = {
    {"listscan/default", .desc = WORDS},
    {"listscan/buckets", .desc = WORDS, BUCKETS, .is_local = true},
};

static const subject_kind kinds[] = {
    {"words", "i32", .desc = WORDS},
    {"weighed", "i32",
     .desc = SCAN(.type = CLPRIMS_U32, .input = DRAWN_WEIGHED, .parameters = DRAWN_WEIGHTS)},
    {"structs", "i64",
     .desc = SUBJECT_DESC(listscan, .link = CLPRIMS_I64, .type = CLPRIMS_STRUCT,
                          .op = CLPRIMS_CUSTOM, SUBJECT_AFFINE(0))},
};

const subject subject_listscan = {
    SUBJECT(listscan),
    SUBJECT_COMBINES(listscan),
    .set_parameter = set_parameter,
    .max = {SUBJECT_MAX(listscan, max_n)},
    .plain = SCAN(.type = CLPRIMS_I32),
    SUBJECT_INFO(listscan),
    SUBJECT_SCRATCH(listscan),
    .fitting = 1 << 23,
    .knobs = {.key = "listscan", .call = "listscan"},
    .check = check,
    .prepare = prepare,
    SUBJECT_LAUNCHED_PLANS,
};
