/* SPDX-License-Identifier: MIT */
/* Scan. */
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_result.h"

enum { IN, OUT, N, REPORT };
enum { FEW = 100, LEVELS_N = 2048, COUNTED_LEVELS_N = 2000, BYTES_N = 7173, FAULTS_N = 100000 };

SUBJECT_PLAN(scan)
SUBJECT_DESCRIBE(scan, n[0])
SUBJECT_PARAMETERS(scan)
SUBJECT_CHECK(scan)

static clprims_status prepare(void *plan, const subject_data *d) {
    return drawn_input_prepare(plan, d, ((const clprims_scan_desc *)d->desc)->parameters);
}

SUBJECT_ENQUEUE(scan, s->at[IN], s->at[OUT], s->at[N], s->at[REPORT])

SUBJECT_RUN(scan, at[IN], at[OUT])

static void fill(const subject_data *d, void *in, size_t n) {
    const clprims_scan_desc *desc = d->desc;
    if (subject_fill_as_told(d, in, n)) return;
    if (desc->type < CLPRIMS_F32 && (desc->op == CLPRIMS_ADD || desc->op == CLPRIMS_CUSTOM)) {
        subject_fill(in, clprims_type_bytes(desc->type), n, 0);
    } else {
        test_random_values(desc->type, desc->op, in, n);
    }
}

/* A custom operator without an operand is a sum. */
static void define_r(subject_data *d, const void *in, void *out, size_t n) {
    clprims_scan_desc own = *(const clprims_scan_desc *)d->desc;
    uint32_t *made = NULL;
    if (d->operand != NULL) {
        const bool starts = own.init != NULL || !own.inclusive;
        const void *start = own.init != NULL ? own.init : custom_start(d->operand);
        oracle_scan_custom(&d->operand->twin, own.inclusive, starts ? start : NULL, in, out, n);
        return;
    }
    if (own.op == CLPRIMS_CUSTOM) own.op = CLPRIMS_ADD;
    if (own.parameters != NULL) made = drawn_input_made(d, own.parameters, in, n);
    oracle_scan(&own, made != NULL ? made : in, out, n);
    free(made);
}

/* Stores what the description's text makes of the results. */
static void store_results(const clprims_scan_desc *desc, const char *in, const char *r, char *out,
                          size_t n) {
    const clprims_type type =
        desc->accumulator != CLPRIMS_TYPE_DEFAULT ? desc->accumulator : desc->type;
    const size_t in_bytes = subject_bytes(desc->type, &desc->custom);
    const size_t bytes = subject_bytes(type, &desc->custom);
    const size_t out_bytes = subject_bytes(desc->result_type, &desc->custom);
    const void *first = desc->init != NULL ? desc->init : r;
    for (size_t i = 0; i < n; i++) {
        const drawn_result one = {.type = type,
                                  .r = r + i * bytes,
                                  .previous = i == 0 ? first : r + (i - 1) * bytes,
                                  .x_type = desc->type,
                                  .x = in != NULL ? in + i * in_bytes : NULL,
                                  .i = i};
        drawn_result_store(desc->result, desc->result_type, &one, out + i * out_bytes);
    }
}

static void define(subject_data *d, const void *in, void *out, size_t n) {
    const clprims_scan_desc *desc = d->desc;
    if (desc->result_type == CLPRIMS_TYPE_DEFAULT) {
        define_r(d, in, out, n);
        return;
    }
    void *r = test_alloc(n, ORACLE_TWIN_BYTES);
    define_r(d, in, r, n);
    store_results(desc, in, r, out, n);
    free(r);
}

static void draw(subject_data *d) {
    const clprims_scan_desc *desc = d->desc;
    const clprims_scan_report report = {CLPRIMS_SCAN_VALID, (int64_t)d->n[0]};
    const size_t n = d->n[0], room = subject_room(d, 0);
    const size_t bytes = subject_bytes(desc->type, &desc->custom);
    const clprims_type out_type = desc->result_type != CLPRIMS_TYPE_DEFAULT   ? desc->result_type
                                  : desc->accumulator != CLPRIMS_TYPE_DEFAULT ? desc->accumulator
                                                                              : desc->type;
    const size_t out_bytes = subject_bytes(out_type, &desc->custom);
    void *in = NULL;
    if (!desc->no_input_array) {
        in = subject_in(d, IN, "in", n, room, bytes);
        fill(d, in, n);
        if (bytes == out_bytes) subject_may_overlap(d, IN, OUT, SUBJECT_SAME_PLACE);
    }
    define(d, in, subject_out(d, OUT, "out", n, room, out_bytes), n);
    const bool has_twin = d->operand != NULL && desc->result_type == CLPRIMS_TYPE_DEFAULT;
    if (has_twin && d->operand->twin.same != NULL) d->at[OUT].twin = &d->operand->twin;
    subject_number(d, N, "n", 0);
    if (d->counted) subject_report(d, REPORT, &report, sizeof report);
}

#define TILES "GROUP=1 ROWS=2"
#define LEVELS "GROUP=64 ROWS=1"
#define SCAN(...) SUBJECT_CUSTOM_DESC(scan, __VA_ARGS__)
#define WORDS(...) SCAN(.type = CLPRIMS_U32, __VA_ARGS__)
#define ONE_PASS WORDS(.algorithm = CLPRIMS_ALGORITHM_LOOKBACK)
#define BY_LEVELS WORDS(.algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN)
#define INCLUSIVE WORDS(.inclusive = 1)
#define WIDENING(...) SCAN(.accumulator = CLPRIMS_U64, __VA_ARGS__)

/* scan-levels-bytes: running values of one byte each, which the kernels do not widen, and an odd
 * number of them. scan-used-numbers: each run clears the state. */
static const subject_call calls[] = {
    {"scan", ONE_PASS, TILES, .n = {FEW}},
    {"scan-of-none", ONE_PASS, TILES, .n = {0}, .most = {FEW}},
    {"scan-widening", WIDENING(.type = CLPRIMS_U8, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK), TILES,
     .n = {FEW}},
    {"scan-levels", BY_LEVELS, LEVELS, .n = {LEVELS_N}},
    {"scan-levels-bytes",
     SCAN(.type = CLPRIMS_U8, .op = CLPRIMS_CUSTOM, .custom.op = "a + b", .inclusive = 1,
          .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN),
     LEVELS, .n = {BYTES_N}},
    {"scan-result",
     WORDS(.inclusive = 1, .result = DRAWN_OF_PREVIOUS, .result_type = CLPRIMS_U16,
           .algorithm = CLPRIMS_ALGORITHM_LOOKBACK),
     TILES, .n = {FEW}},
    {"scan-used-numbers", ONE_PASS, TILES " RUN=1073741823", .n = {FEW}},
    {"scan-counted", ONE_PASS, TILES, .n = {57}, .most = {FEW}, .counted = true},
    {"scan-levels-counted", BY_LEVELS, LEVELS, .n = {57}, .most = {COUNTED_LEVELS_N},
     .counted = true},
};

static const subject_sample samples[] = {
    {"scan", WIDENING(.type = CLPRIMS_U32, .inclusive = 1), 12345678, 33554433},
    {"scan/parameter", WORDS(.inclusive = 1, .input = DRAWN_SHIFTED, .parameters = DRAWN_SHIFT), 0,
     0},
};

static const subject_fault faults[] = {
    {"scan", "/auto", INCLUSIVE, .n = {FAULTS_N}, .order = SUBJECT_IN_ORDER},
    {"scan", "/reduce-then-scan",
     WORDS(.inclusive = 1, .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN), .n = {FAULTS_N},
     .order = SUBJECT_OUT_OF_ORDER},
};

static const subject_launch launched[] = {
    {"scan/auto", .desc = WORDS(.inclusive = 0)},
    {"scan/levels", .desc = BY_LEVELS},
};

static const subject_limit limits[] = {
    {"scan by levels", SCAN(.type = CLPRIMS_F32, .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN)},
};

static void set_way(void *desc, int number) {
    clprims_scan_desc *d = desc;
    d->algorithm = (clprims_algorithm)number;
    d->fast_floats = number == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
}

static const subject_kind kinds[] = {
    {"words", NULL, .desc = WORDS(.inclusive = 0)},
    {"floats", NULL, .desc = SCAN(.type = CLPRIMS_F32, .inclusive = 1)},
    {"greatest", "auto", .desc = SCAN(.type = CLPRIMS_F64, .op = CLPRIMS_MAX, .inclusive = 1)},
    {"sums-of-bytes", NULL,
     .desc = WIDENING(.type = CLPRIMS_U8, .inclusive = 1,
                      .input = "(ulong)x * weight[i % 3] + i + offset",
                      .parameters = "global const uchar *weight, ulong offset")},
    {"results", NULL,
     .desc = WORDS(.inclusive = 0, .result = DRAWN_OF_X, .result_type = CLPRIMS_U64)},
    {"structs", NULL,
     .desc = SUBJECT_DESC(scan, .type = CLPRIMS_STRUCT, .op = CLPRIMS_CUSTOM, SUBJECT_AFFINE(0))},
};

const subject subject_scan = {
    SUBJECT(scan),
    SUBJECT_COMBINES(scan),
    SUBJECT_MEMBER(scan, result_type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true},
    .max = {SUBJECT_MAX(scan, max_n)},
    .plain = SCAN(.type = CLPRIMS_I32),
    SUBJECT_GROUP(scan),
    .knobs = {.key = "scan", .call = "scan"},
    .check = check,
    .prepare = prepare,
    SUBJECT_LAUNCHED_PLANS,
    .plans.limits = SUBJECT_TABLE(limits),
    .plans.ways = subject_pass_ways,
    .plans.way_count = SUBJECT_PASS_WAYS,
    .plans.set_way = set_way,
};
