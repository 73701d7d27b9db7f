/* SPDX-License-Identifier: MIT */
/* Draws reductions: types, operators of ours and of the user's, knobs, sizes, places. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "harness/custom_operators.h"
#include "harness/oracle_reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plan and the text that it was made of. */
typedef struct drawn_reduce {
    clprims_reduce_desc desc;
    clprims_reduce *reduce;
    const custom_operand *operand; /* NULL: a built-in operator */
    uint64_t init;
    char tuning[FUZZ_TUNING];
} drawn_reduce;

/* ---- Descriptions ---- */

static void draw_init(drawn_reduce *d) {
    const double tenth = 0.1;
    const float short_tenth = 0.1f;
    d->desc.init = &d->init;
    d->init = 7;
    if (d->desc.op >= CLPRIMS_ARGMIN) return;
    if (d->desc.accumulator == CLPRIMS_F64) memcpy(&d->init, &tenth, sizeof tenth);
    if (d->desc.accumulator == CLPRIMS_F32) memcpy(&d->init, &short_tenth, sizeof short_tenth);
}

/* Sums of narrow integers in floats round as well. */
static void draw_built_in(drawn_reduce *d) {
    clprims_reduce_desc *desc = &d->desc;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    const bool is_narrow = desc->type != CLPRIMS_I64 && desc->type != CLPRIMS_U64;
    desc->accumulator = desc->type;
    if (fuzz_coin()) {
        desc->accumulator = is_float ? CLPRIMS_F64
                            : is_narrow && fuzz_coin()
                                ? CLPRIMS_F64
                                : (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    }
    desc->op = (clprims_op)fuzz_between(
        CLPRIMS_ADD, desc->accumulator >= CLPRIMS_F32 ? CLPRIMS_MUL : CLPRIMS_XOR);
    if (test_random_below(4) == 0) desc->op = fuzz_coin() ? CLPRIMS_ARGMIN : CLPRIMS_ARGMAX;
    if (test_random_below(3) == 0) draw_init(d);
}

static void draw_with_parameters(drawn_reduce *d) {
    d->desc.type = d->desc.accumulator = CLPRIMS_U32;
    d->desc.op = (clprims_op)fuzz_between(CLPRIMS_ADD, CLPRIMS_XOR);
    d->desc.input = FUZZ_INPUT;
    d->desc.parameters = FUZZ_PARAMETERS;
}

static void draw_desc(drawn_reduce *d) {
    static const custom_operand *const operands[] = {&custom_affine, &custom_marked, &custom_scaled,
                                                     &custom_squares};
    d->desc = (clprims_reduce_desc)CLPRIMS_REDUCE_DESC_INIT;
    if (test_random_below(4) == 0) {
        d->operand = operands[test_random_below(4)];
        CUSTOM_DESCRIBE(d->operand, &d->desc);
    } else if (test_random_below(4) == 0) {
        draw_with_parameters(d);
    } else {
        draw_built_in(d);
    }
    d->desc.max_n = 1 + fuzz_size(test_small() ? 3000 : 1200000);
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        const size_t group = fuzz_coin() ? 1 : (size_t)32 << test_random_below(4);
        snprintf(d->tuning, sizeof d->tuning, "GROUP=%zu GROUPS=%zu DEPTH=%zu WAITERS=%zu", group,
                 fuzz_between(1, 9), (size_t)1 << test_random_below(6), fuzz_between(0, 3));
        d->desc.tuning = d->tuning;
    }
    fuzz_note("reduce %s to %s %s, init %s, input %s, max_n %zu, tuning %s",
              clprims_type_name(d->desc.type), clprims_type_name(d->desc.accumulator),
              clprims_op_name(d->desc.op), d->desc.init ? "given" : "none",
              d->desc.input ? d->desc.input : "x", d->desc.max_n,
              d->desc.tuning ? d->desc.tuning : "none");
}

/* ---- Runs ---- */

static void fill(const drawn_reduce *d, void *in, size_t n) {
    const clprims_reduce_desc *desc = &d->desc;
    if (d->operand != NULL) {
        d->operand->fill(in, n);
    } else if (desc->type >= CLPRIMS_F32 && desc->op != CLPRIMS_MUL) {
        if (test_random_below(4) == 0) {
            oracle_edge_values(desc->type, in, n);
        } else {
            test_random_unit(desc->type, in, n);
        }
    } else {
        test_random_values(desc->type, desc->op >= CLPRIMS_ARGMIN ? CLPRIMS_MIN : desc->op, in, n);
    }
}

static void find_expected(const drawn_reduce *d, const void *in, void *out, size_t n) {
    const clprims_reduce_desc *desc = &d->desc;
    if (d->operand != NULL) {
        const bool commutes = desc->op != CLPRIMS_CUSTOM || desc->custom.commutative;
        oracle_reduce_custom(&d->operand->twin, commutes, desc->init, in, out, n);
    } else {
        oracle_reduce(desc, in, out, n);
    }
}

/* The same for elements of which the input expression makes others. */
static void expect_with_parameters(const drawn_reduce *d, const fuzz_parameters *parameters,
                                   const void *in, void *out, size_t n) {
    uint32_t *made = fuzz_input(parameters, in, n);
    expect_ok(
        clprims_reduce_set_parameter(d->reduce, 0, sizeof(cl_mem), &parameters->buffer.at.mem));
    expect_ok(clprims_reduce_set_parameter(d->reduce, 1, 4, &parameters->shift));
    find_expected(d, made, out, n);
    free(made);
}

static void run(const drawn_reduce *d) {
    const clprims_reduce_desc *desc = &d->desc;
    const bool has_in = !desc->no_input_array;
    const size_t in_bytes =
        desc->type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(desc->type);
    const size_t bytes =
        d->operand != NULL ? d->operand->twin.accumulator_bytes : oracle_reduce_bytes(desc);
    const size_t size = fuzz_pass_size(desc->max_n), n = size > 0 ? size : 1;
    unsigned char expected[ORACLE_TWIN_BYTES], actual[ORACLE_TWIN_BYTES];
    void *in = test_alloc(n, in_bytes < 8 ? 8 : in_bytes);
    const clprims_buffer none = {NULL, 0};
    pass_turn turn = fuzz_turn();
    fuzz_parameters parameters = fuzz_draw_parameters();
    fill(d, in, n);
    if (desc->parameters != NULL) {
        expect_with_parameters(d, &parameters, in, expected, n);
    } else {
        find_expected(d, in, expected, n);
    }
    const bool counted = test_random_below(3) == 0;
    const cl_event *gate = turn.gate ? &turn.gate : NULL;
    test_buffer from = test_buffer_create_roomy(in, n, in_bytes, fuzz_between(0, 9),
                                                counted ? desc->max_n - n : 0);
    test_buffer to = test_buffer_create(NULL, 1, bytes, fuzz_between(0, 9));
    test_buffer number = test_buffer_create(&(uint64_t){n}, 1, 8, fuzz_between(0, 2));
    if (counted) {
        expect_ok(clprims_reduce_enqueue_counted(d->reduce, pass_turn_queue(&turn),
                                                 has_in ? from.at : none, to.at, number.at, none,
                                                 pass_turn_waits(&turn), gate, NULL));
    } else {
        expect_ok(clprims_reduce_enqueue(d->reduce, pass_turn_queue(&turn), has_in ? from.at : none,
                                         to.at, n, none, pass_turn_waits(&turn), gate, NULL));
    }
    pass_turn_end(&turn);
    test_buffer_expect_unchanged(&number, &(uint64_t){n});
    test_buffer_release(&number);
    fuzz_end_parameters(&parameters);

    test_buffer_read(&to, actual);
    test_buffer_expect_unchanged(&from, in);
    expect_elements(expected, actual, 1, bytes);
    test_buffer_release(&from);
    test_buffer_release(&to);
    free(in);
}

void fuzz_reduce(void) {
    drawn_reduce d = {.reduce = NULL};
    draw_desc(&d);
    if (!fuzz_created(clprims_reduce_create(&d.reduce, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(4, 12);
    for (size_t i = 0; i < runs; i++) run(&d);
    clprims_reduce_destroy(d.reduce);
}
