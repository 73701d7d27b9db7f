/* SPDX-License-Identifier: MIT */
/*
 * Drawn descriptions of reduce and scan over ranks, each beside its twin of the whole array: types,
 * operators, initial values, inputs with parameters that differ between ranks; several runs of one
 * plan, each with other blocks, some of them empty.
 */
#include "mpi/ranks_drawn.h"
#include "harness/custom_operators.h"
#include "harness/oracle_reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What files of drawn cases share ---- */

size_t drawn_total(void) {
    switch (test_random_below(5)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return (size_t)ranks_count();
    default:
        return test_random_below(DRAWN_LARGEST + 1);
    }
}

size_t *drawn_starts(size_t total) {
    const size_t ranks = (size_t)ranks_count(), owner = test_random_below(ranks);
    const uint64_t way = test_random_below(3);
    size_t *starts = test_alloc(ranks + 1, sizeof *starts);
    starts[0] = 0;
    for (size_t r = 1; r < ranks; r++) {
        const size_t left = total - starts[r - 1];
        starts[r] = way == 0    ? total * r / ranks
                    : way == 1  ? starts[r - 1] + test_random_below(left + 1)
                    : r > owner ? total
                                : 0;
    }
    starts[ranks] = total;
    return starts;
}

bool drawn_coin(void) {
    return test_random_below(2) == 0;
}

clprims_type drawn_integer(void) {
    return (clprims_type)(CLPRIMS_I8 + test_random_below(8));
}

const char *drawn_text(clprims_type type) {
    static const char *const names[] = {"",      "char",   "short", "int",  "long",
                                        "uchar", "ushort", "uint",  "ulong"};
    return names[type];
}

/* ---- Descriptions ---- */

typedef enum source { ELEMENT, EXPRESSION, INDEX } source;

typedef struct drawn {
    clprims_scan_desc desc;
    const custom_operand *operand; /* NULL: an operator of ours */
    source input; /* the last two have a parameter */
    size_t in_bytes, out_bytes;
    uint64_t init, parameter; /* to which each rank adds its number */
    char parameters[24];
} drawn;

static void draw_input(drawn *d, source input) {
    clprims_scan_desc *desc = &d->desc;
    d->input = input;
    if (input == ELEMENT) return;
    snprintf(d->parameters, sizeof d->parameters, "%s p", drawn_text(desc->type));
    desc->parameters = d->parameters;
    desc->input = input == INDEX ? "i ^ p" : "x ^ p";
    desc->no_input_array = input == INDEX;
    d->parameter = test_random();
}

static void draw_built_in(drawn *d) {
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

static void draw_desc(drawn *d) {
    *d = (drawn){.desc = CLPRIMS_SCAN_DESC_INIT};
    clprims_scan_desc *desc = &d->desc;
    if (test_random_below(5) == 0) {
        d->operand = drawn_coin() ? &custom_affine : &custom_marked;
        CUSTOM_DESCRIBE(d->operand, desc);
        d->out_bytes = d->operand->twin.accumulator_bytes;
    } else {
        draw_built_in(d);
        d->out_bytes = clprims_type_bytes(desc->accumulator);
    }
    desc->inclusive = drawn_coin();
    desc->fast_floats = drawn_coin();
    desc->max_n = DRAWN_LARGEST;
    d->in_bytes =
        desc->type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(desc->type);
}

static clprims_reduce_desc reduce_of(const clprims_scan_desc *scan) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = scan->type;
    desc.accumulator = scan->accumulator;
    desc.op = scan->op;
    desc.init = scan->init;
    desc.max_n = scan->max_n;
    desc.fast_floats = scan->fast_floats;
    desc.input = scan->input;
    desc.no_input_array = scan->no_input_array;
    desc.custom = scan->custom;
    desc.parameters = scan->parameters;
    return desc;
}

/* ---- A run's data ---- */

typedef struct run_data {
    size_t total, n, start; /* of all; of this rank's block */
    unsigned char *whole; /* the elements of all ranks */
    unsigned char *values; /* accumulators that are combined, of an operator of ours */
    test_buffer in;
} run_data;

/* Rank r's value of the parameter. */
static uint64_t parameter_of(const drawn *d, size_t r, void *stored) {
    const clprims_type type = d->desc.type;
    test_store_integer(clprims_type_bytes(type), stored, 0, d->parameter + r);
    return oracle_load_integer(type, stored, 0);
}

static void define_values(const drawn *d, run_data *run, const size_t *starts) {
    uint64_t stored;
    if (d->desc.type >= CLPRIMS_F32) {
        memcpy(run->values, run->whole, run->total * d->in_bytes);
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

static run_data draw_run(const drawn *d) {
    run_data run = {.total = drawn_total()};
    size_t *starts = drawn_starts(run.total);
    const size_t me = (size_t)ranks_rank();
    run.start = starts[me];
    run.n = starts[me + 1] - starts[me];
    run.whole = test_alloc(run.total, d->in_bytes);
    run.values = test_alloc(run.total + 1, d->out_bytes);
    if (d->operand != NULL) {
        d->operand->fill(run.whole, run.total);
    } else {
        const clprims_op op = d->desc.op >= CLPRIMS_ARGMIN ? CLPRIMS_MIN : d->desc.op;
        test_random_values(d->desc.type, op, run.whole, run.total);
        define_values(d, &run, starts);
    }
    run.in = test_buffer_create(run.whole + run.start * d->in_bytes, run.n, d->in_bytes,
                                test_random_below(5));
    free(starts);
    return run;
}

static clprims_buffer input_of(const drawn *d, const run_data *run) {
    return d->input == INDEX ? (clprims_buffer){NULL, 0} : run->in.at;
}

static void end_run(run_data *run) {
    test_buffer_release(&run->in);
    free(run->whole);
    free(run->values);
}

static void twin(const drawn *d, bool inclusive, const run_data *run, void *out, size_t n) {
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

/* ---- Scan ---- */

static void run_scan(const drawn *d, clprims_mpi_scan *plan) {
    run_data run = draw_run(d);
    const bool in_place = d->input != INDEX && d->in_bytes == d->out_bytes && drawn_coin();
    unsigned char *expected = test_alloc(run.total, d->out_bytes);
    unsigned char *own = test_alloc(run.n, d->out_bytes);
    test_buffer out = test_buffer_create(NULL, run.n, d->out_bytes, test_random_below(5));
    const test_buffer *target = in_place ? &run.in : &out;
    twin(d, d->desc.inclusive != 0, &run, expected, run.total);
    expect_ranks_ok(clprims_mpi_scan_run(plan, input_of(d, &run), target->at, run.n));
    test_buffer_read(target, own);
    expect_elements(expected + run.start * d->out_bytes, own, run.n, d->out_bytes);
    test_buffer_release(&out);
    free(expected);
    free(own);
    end_run(&run);
}

static void scan_is_right(const void *data) {
    clprims_mpi_scan *plan = NULL;
    drawn d;
    uint64_t p;
    (void)data;
    draw_desc(&d);
    expect_ranks_ok(clprims_mpi_scan_create(&plan, ranks_mpi(), &d.desc));
    if (d.input != ELEMENT) {
        parameter_of(&d, (size_t)ranks_rank(), &p);
        expect_ranks_ok(clprims_mpi_scan_set_parameter(plan, 0, d.in_bytes, &p));
    }
    for (int k = 0; k < DRAWN_RUNS; k++) run_scan(&d, plan);
    clprims_mpi_scan_destroy(plan);
}

/* ---- Reduce ---- */

static void run_reduce(const drawn *d, clprims_mpi_reduce *plan) {
    run_data run = draw_run(d);
    unsigned char *scanned = test_alloc(run.total + 1, d->out_bytes), out[ORACLE_TWIN_BYTES];
    const bool has_start =
        d->desc.init != NULL || d->operand == NULL || d->operand->custom.identity != NULL;
    const clprims_buffer in = input_of(d, &run);
    if (run.total == 0 && !has_start) {
        expect_ranks_failure(clprims_mpi_reduce_run(plan, in, run.n, out), CLPRIMS_ERR_DATA, 0,
                             "reduce: no elements");
    } else {
        expect_ranks_ok(clprims_mpi_reduce_run(plan, in, run.n, out));
        /* Of no elements: what an exclusive scan begins with. */
        if (run.total > 0) twin(d, true, &run, scanned, run.total);
        if (run.total == 0 && d->operand == NULL) twin(d, false, &run, scanned, 1);
        if (run.total > 0 || d->operand == NULL) {
            const size_t last = run.total > 0 ? run.total - 1 : 0;
            expect_elements(scanned + last * d->out_bytes, out, 1, d->out_bytes);
        }
    }
    free(scanned);
    end_run(&run);
}

/* The lowest position of the best value. */
static void run_arg(const drawn *d, clprims_mpi_reduce *plan) {
    run_data run = draw_run(d);
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    int64_t found = 0, best = -1;
    desc.type = d->desc.accumulator;
    desc.op = d->desc.op;
    if (run.total > 0) oracle_reduce(&desc, run.values, &best, run.total);
    expect_ranks_ok(clprims_mpi_reduce_run(plan, input_of(d, &run), run.n, &found));
    assert_int_equal(found, best);
    end_run(&run);
}

/* data: whether it is for a position, by an input with a parameter. */
static void reduce_is_right(const void *data) {
    const bool is_arg = *(const bool *)data;
    const int64_t none = -1;
    clprims_mpi_reduce *plan = NULL;
    drawn d;
    uint64_t p;
    draw_desc(&d);
    if (is_arg) {
        d = (drawn){.desc = CLPRIMS_SCAN_DESC_INIT};
        d.desc.type = drawn_integer();
        d.desc.accumulator = drawn_coin() ? d.desc.type : drawn_integer();
        d.desc.op = drawn_coin() ? CLPRIMS_ARGMIN : CLPRIMS_ARGMAX;
        d.desc.init = &none;
        d.desc.max_n = DRAWN_LARGEST;
        d.in_bytes = clprims_type_bytes(d.desc.type);
        d.out_bytes = clprims_type_bytes(d.desc.accumulator);
        draw_input(&d, drawn_coin() ? EXPRESSION : INDEX);
    }
    const clprims_reduce_desc desc = reduce_of(&d.desc);
    expect_ranks_ok(clprims_mpi_reduce_create(&plan, ranks_mpi(), &desc));
    if (d.input != ELEMENT) {
        parameter_of(&d, (size_t)ranks_rank(), &p);
        expect_ranks_ok(clprims_mpi_reduce_set_parameter(plan, 0, d.in_bytes, &p));
    }
    for (int k = 0; k < DRAWN_RUNS; k++) {
        if (is_arg) {
            run_arg(&d, plan);
        } else {
            run_reduce(&d, plan);
        }
    }
    clprims_mpi_reduce_destroy(plan);
}

void add_drawn_cases(test_cases *cases) {
    const size_t most = test_long() ? 20 : 2;
    for (size_t k = 0; k < most; k++) {
        const bool is_arg = k % 2 == 0;
        ranks_add(cases, scan_is_right, NULL, 0, "ranks/drawn/scan/%zu", k);
        ranks_add(cases, reduce_is_right, &is_arg, sizeof is_arg, "ranks/drawn/%s/%zu",
                  is_arg ? "arg" : "reduce", k);
    }
}
