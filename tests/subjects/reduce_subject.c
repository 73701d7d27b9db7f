/* SPDX-License-Identifier: MIT */
/* Reduce. */
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_result.h"

enum { IN, OUT, N, REPORT };
enum { FEW = 2048, COUNTED_FEW = 2000, FAULTS_N = 100000 };

SUBJECT_PLAN(reduce)
SUBJECT_DESCRIBE(reduce, n[0])
SUBJECT_PARAMETERS(reduce)
SUBJECT_CHECK(reduce)

static clprims_status prepare(void *plan, const subject_data *d) {
    return drawn_input_prepare(plan, d, ((const clprims_reduce_desc *)d->desc)->parameters);
}

SUBJECT_ENQUEUE(reduce, s->at[IN], s->at[OUT], s->at[N], s->at[REPORT])

SUBJECT_RUN(reduce, at[IN], at[OUT])

/* Sums of floats round; places of the least and the greatest have ties. */
static void fill(const subject_data *d, const custom_operand *operand, void *in, size_t n) {
    const clprims_reduce_desc *desc = d->desc;
    const bool is_coin = test_random_below(4) == 0, is_place = desc->op >= CLPRIMS_ARGMIN;
    const bool is_float = desc->type >= CLPRIMS_F32;
    if (subject_fill_as_told(d, in, n)) return;
    if (operand != NULL) {
        operand->fill(in, n);
    } else if (is_float && desc->op != CLPRIMS_MUL) {
        if (is_coin) oracle_edge_values(desc->type, in, n);
        if (!is_coin) test_random_unit(desc->type, in, n);
    } else if (desc->op == CLPRIMS_ADD || (is_place && is_coin)) {
        subject_fill(in, clprims_type_bytes(desc->type), n, is_place ? 1 << 10 : 0);
    } else {
        test_random_values(desc->type, is_place ? CLPRIMS_MIN : desc->op, in, n);
    }
}

/* The result of no elements; false: there is none. */
static bool define_none(const clprims_reduce_desc *desc, void *out, size_t bytes) {
    const uint64_t any = 0;
    const void *value = desc->init != NULL ? desc->init : desc->custom.identity;
    clprims_scan_desc scan = {0};
    if (value != NULL) {
        memcpy(out, value, bytes);
    } else if (desc->op >= CLPRIMS_CUSTOM) {
        return false;
    } else {
        /* An exclusive scan of one element tells the identity. */
        scan.type = scan.accumulator = desc->accumulator ? desc->accumulator : desc->type;
        scan.op = desc->op;
        oracle_scan(&scan, &any, out, 1);
    }
    return true;
}

/* The result of n > 0 elements. */
static void define(subject_data *d, const custom_operand *operand, const void *in, void *out) {
    const clprims_reduce_desc *desc = d->desc;
    uint32_t *made = NULL;
    if (operand != NULL) {
        const bool commutes = desc->op != CLPRIMS_CUSTOM || desc->custom.commutative;
        oracle_reduce_custom(&operand->twin, commutes, desc->init, in, out, d->n[0]);
        return;
    }
    if (desc->parameters != NULL) made = drawn_input_made(d, desc->parameters, in, d->n[0]);
    oracle_reduce(desc, made != NULL ? made : in, out, d->n[0]);
    free(made);
}

/* The type of r. */
static clprims_type result_type(const clprims_reduce_desc *desc) {
    if (desc->op >= CLPRIMS_ARGMIN) return CLPRIMS_I64;
    return desc->accumulator != CLPRIMS_TYPE_DEFAULT ? desc->accumulator : desc->type;
}

/* A custom operator without an operand is the affine one. */
static void draw(subject_data *d) {
    const clprims_reduce_desc *desc = d->desc;
    clprims_reduce_report report = {CLPRIMS_REDUCE_VALID, (int64_t)d->n[0]};
    const custom_operand *operand = d->operand;
    if (operand == NULL && desc->op == CLPRIMS_CUSTOM) operand = &custom_affine;
    const size_t n = d->n[0], bytes = subject_bytes(desc->type, &desc->custom);
    const size_t r_bytes = oracle_reduce_bytes(desc);
    const bool stores_r = desc->result_type == CLPRIMS_TYPE_DEFAULT;
    const size_t out_bytes = stores_r ? r_bytes : subject_bytes(desc->result_type, &desc->custom);
    unsigned char r[ORACLE_TWIN_BYTES];
    void *in = NULL;
    if (!desc->no_input_array) {
        in = subject_in(d, IN, "in", n, subject_room(d, 0), bytes);
        fill(d, operand, in, n);
    }
    void *out = subject_out(d, OUT, "out", 1, 1, out_bytes);
    if (n > 0) {
        define(d, operand, in, stores_r ? out : r);
    } else if (!define_none(desc, stores_r ? out : r, r_bytes)) {
        report.fault = CLPRIMS_REDUCE_EMPTY;
        d->at[OUT].written = 0;
        d->status = d->verdict = CLPRIMS_ERR_DATA;
    }
    if (!stores_r && d->at[OUT].written > 0) {
        const drawn_result one = {.type = result_type(desc), .r = r, .i = n};
        drawn_result_store(desc->result, desc->result_type, &one, out);
    }
    subject_number(d, N, "n", 0);
    subject_report(d, REPORT, &report, sizeof report);
}

#define REDUCE(...) SUBJECT_CUSTOM_DESC(reduce, __VA_ARGS__)
#define WORDS REDUCE(.type = CLPRIMS_U32)
#define AFFINE(commutes)                                                                           \
    SUBJECT_DESC(reduce, .type = CLPRIMS_STRUCT, .op = CLPRIMS_CUSTOM, SUBJECT_AFFINE(commutes))
#define SERIAL "GROUP=1 GROUPS=4"

static const subject_call calls[] = {
    {"reduce", WORDS, SERIAL, .n = {FEW}},
    {"reduce-teams", WORDS, "GROUP=32", .n = {FEW}, .needs_shapes = true},
    {"reduce-result", REDUCE(.type = CLPRIMS_U32, .result = "r ^ i", .result_type = CLPRIMS_U64),
     SERIAL, .n = {FEW}},
    {"reduce-of-none", WORDS, SERIAL, .n = {0}, .most = {FEW}},
    {"reduce-counted", WORDS, SERIAL, .n = {57}, .most = {COUNTED_FEW}, .counted = true},
};

/* Sums of floats, whose bits show the tree; and of what does not commute. */
static const subject_sample samples[] = {
    {"reduce/sums", REDUCE(.type = CLPRIMS_F32), 12345678, 33554433},
    {"reduce/affine", AFFINE(0), 5000000, 33554433},
    {"reduce/wide", REDUCE(.type = CLPRIMS_I32, .accumulator = CLPRIMS_I64), 0, 0},
    {"reduce/argmin", REDUCE(.type = CLPRIMS_I32, .op = CLPRIMS_ARGMIN), 0, 0},
};

static const subject_fault faults[] = {
    {"reduce", "", WORDS, .n = {FAULTS_N}, .order = SUBJECT_OUT_OF_ORDER},
};

static const subject_launch launched[] = {{"reduce", .desc = WORDS}};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"one", "GROUP=1", 0}, {"many", "GROUP=64 DEPTH=4", 0}};

static const subject_kind kinds[] = {
    {"floats", NULL, .desc = REDUCE(.type = CLPRIMS_F32)},
    {"least-square", NULL,
     .desc = REDUCE(.type = CLPRIMS_F32, .op = CLPRIMS_MIN, .input = "x * x")},
    {"argmin", NULL, .desc = REDUCE(.type = CLPRIMS_F32, .op = CLPRIMS_ARGMIN)},
    {"sums-of-bytes", NULL, .desc = REDUCE(.type = CLPRIMS_I8, .accumulator = CLPRIMS_I64)},
    {"floats-of-bytes", NULL, .desc = REDUCE(.type = CLPRIMS_I8, .accumulator = CLPRIMS_F32)},
    {"results", NULL,
     .desc = REDUCE(.type = CLPRIMS_U32, .result = "r ^ i", .result_type = CLPRIMS_U64)},
    {"structs", NULL, .desc = AFFINE(0)},
    {"commutative-structs", NULL, .desc = AFFINE(1)},
};

const subject subject_reduce = {
    SUBJECT(reduce),
    SUBJECT_COMBINES(reduce),
    SUBJECT_MEMBER(reduce, result_type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_one_launch = true},
    .max = {SUBJECT_MAX(reduce, max_n)},
    .plain = REDUCE(.type = CLPRIMS_I32),
    SUBJECT_GROUPS(reduce),
    .knobs = {.key = "reduce", .call = "reduce"},
    .check = check,
    .prepare = prepare,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
