/* SPDX-License-Identifier: MIT */
/*
 * Reduce and scan over ranks beside their twins of the whole array: some descriptions with every
 * layout and size, and drawn ones, whose types, operators, initial values and inputs differ, and
 * the parameters of which differ between ranks.
 */
#include "harness/special_floats.h"
#include "mpi/ranks.h"

enum { LARGEST = 3000 };

/* ---- Descriptions ---- */

typedef enum source { ELEMENT, EXPRESSION, INDEX } source;

/* A scan, of which the reduction is as well. */
typedef struct scanned {
    clprims_scan_desc desc;
    const custom_operand *operand; /* NULL: an operator of ours */
    source input; /* of integers: the last two have a parameter; of floats: EXPRESSION negates */
    size_t in_bytes, out_bytes;
    uint64_t init, parameter; /* to which each rank adds its number */
    char parameters[24];
} scanned;

typedef struct kind {
    const char *name;
    clprims_type type;
    clprims_op op;
    int inclusive;
    const void *init;
    const custom_operand *operand;
    const char *input;
} kind;

static const int64_t minus_seven = -7, none = -1;

static const kind kinds[] = {
    {"uint32-add-exclusive", CLPRIMS_U32, CLPRIMS_ADD, 0, NULL, NULL, NULL},
    {"int64-max-inclusive-init", CLPRIMS_I64, CLPRIMS_MAX, 1, &minus_seven, NULL, NULL},
    {"float32-add-inclusive", CLPRIMS_F32, CLPRIMS_ADD, 1, NULL, NULL, NULL},
    {"affine-inclusive", CLPRIMS_STRUCT, CLPRIMS_CUSTOM, 1, NULL, &custom_affine, NULL},
    {"special-add-exclusive", CLPRIMS_F32, CLPRIMS_ADD, 0, NULL, &special_float_ADD, NULL},
    {"argmin", CLPRIMS_F32, CLPRIMS_ARGMIN, 0, &none, NULL, NULL},
    {"argmin", CLPRIMS_F32, CLPRIMS_ARGMIN, 0, &none, NULL, "-x"},
};
enum { ARGMIN = 5, ARGMIN_OF_NEGATED, KINDS };

static void settle(scanned *d) {
    clprims_scan_desc *desc = &d->desc;
    const bool same = desc->accumulator == CLPRIMS_TYPE_DEFAULT;
    desc->max_n = LARGEST;
    d->in_bytes =
        desc->type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(desc->type);
    d->out_bytes = d->operand != NULL ? d->operand->twin.accumulator_bytes
                                      : clprims_type_bytes(same ? desc->type : desc->accumulator);
}

static scanned describe(const kind *k) {
    scanned d = {.operand = k->operand};
    d.desc.type = d.desc.accumulator = k->type;
    d.desc.op = k->op;
    d.desc.init = k->init;
    if (k->operand != NULL) CUSTOM_DESCRIBE(k->operand, &d.desc);
    d.desc.inclusive = k->inclusive;
    if (k->input != NULL) {
        d.desc.input = k->input;
        d.input = EXPRESSION;
    }
    settle(&d);
    return d;
}

static clprims_reduce_desc reduce_of(const clprims_scan_desc *scan) {
    clprims_reduce_desc desc = {.type = scan->type,
                                .accumulator = scan->accumulator,
                                .op = scan->op,
                                .init = scan->init,
                                .max_n = scan->max_n,
                                .fast_floats = scan->fast_floats,
                                .input = scan->input,
                                .no_input_array = scan->no_input_array,
                                .custom = scan->custom,
                                .parameters = scan->parameters};
    return desc;
}

/* ---- Drawn descriptions ---- */

static void draw_input(scanned *d, source input) {
    clprims_scan_desc *desc = &d->desc;
    d->input = input;
    if (input == ELEMENT) return;
    snprintf(d->parameters, sizeof d->parameters, "%s p", drawn_text(desc->type));
    desc->parameters = d->parameters;
    desc->input = input == INDEX ? "i ^ p" : "x ^ p";
    desc->no_input_array = input == INDEX;
    d->parameter = test_random();
}

static void draw_built_in(scanned *d) {
    clprims_scan_desc *desc = &d->desc;
    const bool is_float = test_random_below(4) == 0;
    desc->type = is_float ? (drawn_coin() ? CLPRIMS_F32 : CLPRIMS_F64) : drawn_integer();
    /* A reduction multiplies all twos of the data before the halves: too much for float32. */
    const clprims_op last = desc->type == CLPRIMS_F32   ? CLPRIMS_MAX
                            : desc->type == CLPRIMS_F64 ? CLPRIMS_MUL
                                                        : CLPRIMS_XOR;
    desc->op = (clprims_op)test_random_below((uint64_t)last + 1);
    desc->accumulator = is_float || drawn_coin() ? desc->type : drawn_integer();
    if (is_float) return;
    d->init = test_random();
    if (drawn_coin()) desc->init = &d->init;
    draw_input(d, (source)test_random_below(3));
}

static void draw_desc(scanned *d) {
    *d = (scanned){0};
    if (test_random_below(5) == 0) {
        d->operand = drawn_coin() ? &custom_affine : &custom_marked;
        CUSTOM_DESCRIBE(d->operand, &d->desc);
    } else {
        draw_built_in(d);
    }
    d->desc.inclusive = drawn_coin();
    d->desc.fast_floats = drawn_coin();
    settle(d);
}

/* Of a reduction for a position, by an input with a parameter. */
static void draw_arg(scanned *d) {
    *d = (scanned){0};
    d->desc.type = drawn_integer();
    d->desc.accumulator = drawn_coin() ? d->desc.type : drawn_integer();
    d->desc.op = drawn_coin() ? CLPRIMS_ARGMIN : CLPRIMS_ARGMAX;
    d->desc.init = &none;
    draw_input(d, drawn_coin() ? EXPRESSION : INDEX);
    settle(d);
}

/* ---- A run's data ---- */

typedef struct run_data {
    clprims_mpi_block block;
    unsigned char *whole; /* the elements of all ranks */
    unsigned char *values; /* accumulators that are combined, of an operator of ours */
    test_buffer in;
} run_data;

/* Rank r's value of the parameter. */
static uint64_t parameter_of(const scanned *d, size_t r, void *stored) {
    const clprims_type type = d->desc.type;
    test_store_integer(clprims_type_bytes(type), stored, 0, d->parameter + r);
    return oracle_load_integer(type, stored, 0);
}

static void fill(const scanned *d, void *whole, size_t n) {
    const bool is_arg = d->desc.op >= CLPRIMS_ARGMIN, is_float = d->desc.type == CLPRIMS_F32;
    if (d->operand != NULL) {
        d->operand->fill(whole, n);
        return;
    }
    test_random_values(d->desc.type, is_arg ? CLPRIMS_MIN : d->desc.op, whole, n);
    /* Few values, so that the least of them is on several ranks; the lowest position counts. */
    for (size_t i = 0; i < n && is_arg && is_float; i++) {
        ((float *)whole)[i] = (float)test_random_below(5);
    }
}

static void define_values(const scanned *d, run_data *run, const size_t *starts) {
    uint64_t stored;
    if (d->desc.type >= CLPRIMS_F32) {
        memcpy(run->values, run->whole, run->block.total * d->in_bytes);
        for (size_t i = 0; i < run->block.total && d->input == EXPRESSION; i++) {
            ((float *)(void *)run->values)[i] *= -1;
        }
        return;
    }
    for (size_t r = 0; r < (size_t)ranks_count(); r++) {
        const uint64_t p = d->input == ELEMENT ? 0 : parameter_of(d, r, &stored);
        for (size_t i = starts[r]; i < starts[r + 1]; i++) {
            const uint64_t x = d->input == INDEX ? i - starts[r]
                                                 : oracle_load_integer(d->desc.type, run->whole, i);
            test_store_integer(d->out_bytes, run->values, i, x ^ p);
        }
    }
}

static run_data make_run(const scanned *d, ranks_layout layout, size_t total) {
    size_t *starts = ranks_starts(layout, total);
    run_data run = {.block = ranks_own(starts)};
    run.whole = test_scratch(total, d->in_bytes);
    run.values = test_scratch(total + 1, d->out_bytes);
    fill(d, run.whole, total);
    if (d->operand == NULL) define_values(d, &run, starts);
    run.in = ranks_buffer(run.whole, run.block, d->in_bytes);
    return run;
}

static clprims_buffer input_of(const scanned *d, const run_data *run) {
    return d->input == INDEX ? (clprims_buffer){NULL, 0} : run->in.at;
}

static void twin(const scanned *d, bool inclusive, const run_data *run, void *out, size_t n) {
    clprims_scan_desc desc = d->desc;
    if (d->operand != NULL) {
        const void *init = inclusive ? d->operand->init : custom_start(d->operand);
        oracle_scan_custom(&d->operand->twin, inclusive, init, run->whole, out, n);
        return;
    }
    desc.inclusive = inclusive;
    desc.type = desc.accumulator;
    desc.input = desc.parameters = NULL;
    desc.no_input_array = 0;
    oracle_scan(&desc, run->values, out, n);
}

static void expect_values_of(const scanned *d, const void *expected, const void *actual, size_t n) {
    if (d->operand != NULL) {
        oracle_expect_custom(&d->operand->twin, expected, actual, n);
    } else {
        expect_elements(expected, actual, n, d->out_bytes);
    }
}

/* ---- Scan ---- */

static void run_scan(const scanned *d, clprims_mpi_scan *plan, ranks_layout layout, size_t total,
                     bool in_place) {
    run_data run = make_run(d, layout, total);
    const size_t n = run.block.n;
    unsigned char *expected = test_scratch(total, d->out_bytes);
    unsigned char *own = test_scratch(n, d->out_bytes);
    test_buffer out = test_buffer_create(NULL, n, d->out_bytes, test_random_below(5));
    const bool fits = d->input != INDEX && d->in_bytes == d->out_bytes;
    const test_buffer *target = in_place && fits ? &run.in : &out;
    twin(d, d->desc.inclusive != 0, &run, expected, total);
    expect_ranks_ok(clprims_mpi_scan_run(plan, input_of(d, &run), target->at, n));
    test_buffer_read(target, own);
    expect_values_of(d, expected + run.block.start * d->out_bytes, own, n);
}

/* ---- Reduce ---- */

/* The lowest position of the best value. */
static void run_arg(const scanned *d, clprims_mpi_reduce *plan, const run_data *run) {
    int64_t found = 0, best = -1;
    clprims_reduce_desc desc = {.type = d->desc.accumulator, .op = d->desc.op};
    if (run->block.total > 0) oracle_reduce(&desc, run->values, &best, run->block.total);
    expect_ranks_ok(clprims_mpi_reduce_run(plan, input_of(d, run), run->block.n, &found));
    assert_int_equal(found, best);
}

static void run_sum(const scanned *d, clprims_mpi_reduce *plan, const run_data *run) {
    const size_t total = run->block.total, n = run->block.n, last = total > 0 ? total - 1 : 0;
    unsigned char *sums = test_scratch(total + 1, d->out_bytes), out[ORACLE_TWIN_BYTES];
    const bool has_start =
        d->desc.init != NULL || d->operand == NULL || d->operand->custom.identity != NULL;
    const clprims_status status = clprims_mpi_reduce_run(plan, input_of(d, run), n, out);
    if (total == 0 && !has_start) {
        expect_ranks_failure(status, CLPRIMS_ERR_DATA, 0, "reduce: n = 0");
    } else {
        expect_ranks_ok(status);
        /* Of no elements: what an exclusive scan begins with. */
        if (total > 0) twin(d, true, run, sums, total);
        if (total == 0 && d->operand == NULL) twin(d, false, run, sums, 1);
        if (total > 0 || d->operand == NULL) {
            expect_values_of(d, sums + last * d->out_bytes, out, 1);
        }
    }
}

static void run_reduce(const scanned *d, clprims_mpi_reduce *plan, ranks_layout layout,
                       size_t total) {
    run_data run = make_run(d, layout, total);
    if (d->operand == NULL && d->desc.op >= CLPRIMS_ARGMIN) {
        run_arg(d, plan, &run);
    } else {
        run_sum(d, plan, &run);
    }
}

/* ---- Cases ---- */

typedef struct run_case {
    int kind;
    ranks_layout layout;
    size_t total;
    bool in_place;
} run_case;

static void array_is_scanned(const void *data) {
    const run_case *c = data;
    const scanned d = describe(&kinds[c->kind]);
    clprims_mpi_scan *plan = ranks_plan(&ranks_scan, (size_t)c->kind, &d.desc);
    run_scan(&d, plan, c->layout, c->total, c->in_place);
}

static void array_is_reduced(const void *data) {
    const run_case *c = data;
    const scanned d = describe(&kinds[c->kind]);
    const clprims_reduce_desc desc = reduce_of(&d.desc);
    clprims_mpi_reduce *plan = ranks_plan(&ranks_reduce, (size_t)c->kind, &desc);
    run_reduce(&d, plan, c->layout, c->total);
}

/* The plan of a drawn description, with this rank's parameter. */
static void *drawn_plan(const scanned *d, const ranks_primitive *of, const void *desc) {
    void *plan = NULL;
    uint64_t p;
    expect_ranks_ok(of->create(&plan, desc));
    if (d->input == ELEMENT) return plan;
    parameter_of(d, (size_t)ranks_rank(), &p);
    expect_ranks_ok(of == &ranks_scan ? clprims_mpi_scan_set_parameter(plan, 0, d->in_bytes, &p)
                                      : clprims_mpi_reduce_set_parameter(plan, 0, d->in_bytes, &p));
    return plan;
}

static void drawn_scan_is_right(void) {
    scanned d;
    draw_desc(&d);
    clprims_mpi_scan *plan = drawn_plan(&d, &ranks_scan, &d.desc);
    for (int k = 0; k < DRAWN_RUNS; k++) {
        run_scan(&d, plan, RANKS_DRAWN, drawn_total(), drawn_coin());
    }
    clprims_mpi_scan_destroy(plan);
}

/* data: whether it is for a position. */
static void drawn_reduce_is_right(const void *data) {
    scanned d;
    (*(const bool *)data ? draw_arg : draw_desc)(&d);
    const clprims_reduce_desc desc = reduce_of(&d.desc);
    clprims_mpi_reduce *plan = drawn_plan(&d, &ranks_reduce, &desc);
    for (int k = 0; k < DRAWN_RUNS; k++) run_reduce(&d, plan, RANKS_DRAWN, drawn_total());
    clprims_mpi_reduce_destroy(plan);
}

/* ---- Refusals ---- */

static void bad_plans_are_named(void) {
    const clprims_scan_desc good = describe(&kinds[0]).desc;
    clprims_scan_desc bad = good;
    bad.op = (clprims_op)77;
    ranks_desc_is_refused(&ranks_scan, &good, &bad, CLPRIMS_ERR_ARGUMENT, "scan: op = 77");
}

/* A text of one rank's does not compile: its log is on every rank. */
static void bad_texts_are_shown(void) {
    const scanned d = describe(&kinds[0]);
    clprims_reduce_desc good = reduce_of(&d.desc), bad = good;
    good.input = "x + 1";
    bad.input = "x + no_such_name";
    ranks_desc_is_refused(&ranks_reduce, &good, &bad, CLPRIMS_ERR_BUILD, "reduce");
    expect_contains(clprims_mpi_last_error()->build_log, "no_such_name");
}

static void bad_runs_are_named(void) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const size_t n = is_last ? LARGEST + 1 : 10;
    uint32_t sum;
    const scanned d = describe(&kinds[0]);
    const clprims_reduce_desc desc = reduce_of(&d.desc);
    clprims_mpi_scan *scan = ranks_plan(&ranks_scan, 0, &d.desc);
    clprims_mpi_reduce *reduce = ranks_plan(&ranks_reduce, 0, &desc);
    uint32_t zeros[10] = {0};
    test_buffer in = test_buffer_create(zeros, 10, 4, 0);
    expect_ranks_failure(clprims_mpi_scan_run(scan, in.at, in.at, n), CLPRIMS_ERR_TOO_LARGE, last,
                         "scan: n = 3001 exceeds max_n = 3000");
    expect_ranks_failure(clprims_mpi_reduce_run(reduce, in.at, n, &sum), CLPRIMS_ERR_TOO_LARGE,
                         last, "reduce: n = 3001 exceeds max_n = 3000");
    expect_ranks_failure(clprims_mpi_reduce_run(reduce, in.at, 10, is_last ? NULL : &sum),
                         CLPRIMS_ERR_ARGUMENT, last, "mpi_reduce: out is NULL");
    for (int k = 0; k < RANKS_BAD; k++) {
        const clprims_buffer bad = {ranks_bad_create(k), 0};
        expect_ranks_failure(clprims_mpi_reduce_run(reduce, is_last ? bad : in.at, 10, &sum),
                             CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("in", k));
        expect_ranks_failure(clprims_mpi_scan_run(scan, in.at, is_last ? bad : in.at, 10),
                             CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("out", k));
    }
    expect_ranks_ok(clprims_mpi_reduce_run(reduce, in.at, 10, &sum));
}

static void add_runs(test_cases *cases, ranks_layout layout, size_t total, bool in_place) {
    const char *name = ranks_layout_name(layout);
    for (int k = 0; k < ARGMIN; k++) {
        const run_case c = {k, layout, total, in_place};
        ranks_add_row(cases, array_is_scanned, c, "ranks/scan/%s/%s/n=%zu%s", kinds[k].name, name,
                      total, in_place ? "/in-place" : "");
        ranks_add_row(cases, array_is_reduced, c, "ranks/reduce/%s/%s/n=%zu", kinds[k].name, name,
                      total);
    }
    const run_case c = {layout == RANKS_HOLES ? ARGMIN_OF_NEGATED : ARGMIN, layout, total, false};
    ranks_add_row(cases, array_is_reduced, c, "ranks/reduce/argmin/%s/n=%zu", name, total);
}

void add_scan_cases(test_cases *cases) {
    static const size_t totals[] = {0, 1, 3, LARGEST};
    const size_t drawn = test_long() ? 20 : 2;
    ranks_add_plain(cases, bad_plans_are_named, "ranks/scan/refused/create");
    ranks_add_plain(cases, bad_texts_are_shown, "ranks/reduce/refused/text");
    ranks_add_plain(cases, bad_runs_are_named, "ranks/scan/refused/run");
    for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++)
        for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
            add_runs(cases, layout, totals[t], (t + layout) % 3 == 0);
        }
    for (size_t k = 0; k < drawn; k++) {
        const bool is_arg = k % 2 == 0;
        ranks_add_plain(cases, drawn_scan_is_right, "ranks/drawn/scan/%zu", k);
        ranks_add_row(cases, drawn_reduce_is_right, is_arg, "ranks/drawn/%s/%zu",
                      is_arg ? "arg" : "reduce", k);
    }
}
