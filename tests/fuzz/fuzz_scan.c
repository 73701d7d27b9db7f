/* SPDX-License-Identifier: MIT */
/* Draws scans: types, operators of ours and of the user's, algorithms, knobs, sizes, places. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "harness/custom_operators.h"

#include <stdlib.h>
#include <string.h>

/* A plan and the text that it was made of. */
typedef struct drawn_scan {
    clprims_scan_desc desc;
    clprims_scan *scan;
    const custom_operand *operand; /* NULL: a built-in operator */
    uint32_t *made; /* what an expression with parameters makes of a run's input; or NULL */
    uint64_t init[2];
    char tuning[FUZZ_TUNING];
} drawn_scan;

/* ---- Descriptions -----------------------------------------------------------------------------
 */

static void draw_custom(drawn_scan *d) {
    static const custom_operand *const operands[] = {&custom_affine, &custom_marked, &custom_scaled,
                                                     &custom_squares};
    d->operand = operands[test_random_below(4)];
    CUSTOM_DESCRIBE(d->operand, &d->desc);
}

static void draw_built_in(drawn_scan *d) {
    clprims_scan_desc *desc = &d->desc;
    const double seven = 7;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    desc->op = (clprims_op)fuzz_between(CLPRIMS_ADD, is_float ? CLPRIMS_MUL : CLPRIMS_XOR);
    desc->accumulator = desc->type;
    if (fuzz_coin()) {
        desc->accumulator = is_float ? CLPRIMS_F64 : (clprims_type)fuzz_between(1, CLPRIMS_U64);
    }
    if (test_random_below(3) != 0) return;
    desc->init = d->init;
    d->init[0] = 7;
    if (desc->accumulator == CLPRIMS_F64) memcpy(d->init, &seven, sizeof seven);
    if (desc->accumulator == CLPRIMS_F32) memcpy(d->init, &(float){7}, sizeof(float));
}

static void draw_with_parameters(drawn_scan *d) {
    d->desc.type = d->desc.accumulator = CLPRIMS_U32;
    d->desc.op = (clprims_op)fuzz_between(CLPRIMS_ADD, CLPRIMS_XOR);
    d->desc.input = FUZZ_INPUT;
    d->desc.parameters = FUZZ_PARAMETERS;
}

static void draw_desc(drawn_scan *d) {
    d->desc = (clprims_scan_desc)CLPRIMS_SCAN_DESC_INIT;
    if (test_random_below(4) == 0) {
        draw_custom(d);
    } else if (test_random_below(4) == 0) {
        draw_with_parameters(d);
    } else {
        draw_built_in(d);
    }
    d->desc.inclusive = fuzz_coin();
    d->desc.fast_floats = fuzz_coin();
    d->desc.algorithm = fuzz_algorithm();
    d->desc.max_n = 2 + fuzz_size(test_small() ? 600 : 300000);
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_pass_knobs(d->desc.algorithm, d->tuning);
        d->desc.tuning = d->tuning;
    }
    fuzz_note("scan %s to %s %s %s, init %s, input %s, max_n %zu, %s, fast %d, tuning %s",
              clprims_type_name(d->desc.type), clprims_type_name(d->desc.accumulator),
              clprims_op_name(d->desc.op), d->desc.inclusive ? "inclusive" : "exclusive",
              d->desc.init ? "given" : "none", d->desc.input ? d->desc.input : "x", d->desc.max_n,
              clprims_algorithm_name(d->desc.algorithm), d->desc.fast_floats,
              d->desc.tuning ? d->desc.tuning : "none");
}

/* ---- Runs -------------------------------------------------------------------------------------
 */

static void expect_result(const drawn_scan *d, const void *in, const void *out, size_t n) {
    if (d->operand == NULL) {
        expect_scan(&d->desc, d->made != NULL ? d->made : in, out, n, 0);
        return;
    }
    const oracle_twin *twin = &d->operand->twin;
    void *expected = test_alloc(n, twin->accumulator_bytes);
    oracle_scan_custom(twin, d->desc.inclusive, custom_start(d->operand), in, expected, n);
    expect_elements(expected, out, n, twin->accumulator_bytes);
    free(expected);
}

static void run_enqueued(const drawn_scan *d, const void *in, size_t in_bytes, size_t out_bytes,
                         size_t n) {
    const bool has_in = !d->desc.no_input_array;
    const bool in_place =
        has_in && in_bytes == out_bytes && fuzz_can_be_in_place(d->desc.tuning) && fuzz_coin();
    const bool counted = test_random_below(3) == 0;
    const size_t spare = counted ? d->desc.max_n - n : 0;
    test_buffer from = test_buffer_create_roomy(in, n, in_bytes, fuzz_between(0, 9), spare);
    test_buffer to = test_buffer_create_roomy(NULL, n, out_bytes, fuzz_between(0, 9), spare);
    test_buffer number = test_buffer_create(&(uint64_t){n}, 1, 8, fuzz_between(0, 2));
    const test_buffer *target = in_place ? &from : &to;
    const clprims_buffer none = {NULL, 0};
    pass_turn turn = fuzz_turn();
    void *out = test_alloc(n, out_bytes);
    const cl_event *gate = turn.gate ? &turn.gate : NULL;
    if (counted) {
        expect_ok(clprims_scan_enqueue_counted(d->scan, pass_turn_queue(&turn),
                                               has_in ? from.at : none, target->at, number.at, none,
                                               pass_turn_waits(&turn), gate, NULL));
    } else {
        expect_ok(clprims_scan_enqueue(d->scan, pass_turn_queue(&turn), has_in ? from.at : none,
                                       target->at, n, pass_turn_waits(&turn), gate, NULL));
    }
    pass_turn_end(&turn);
    test_buffer_expect_unchanged(&number, &(uint64_t){n});
    test_buffer_release(&number);

    test_buffer_read(target, out);
    if (!in_place) test_buffer_expect_unchanged(&from, in);
    expect_result(d, in, out, n);
    test_buffer_release(&from);
    test_buffer_release(&to);
    free(out);
}

static void run_plain(const drawn_scan *d, const void *in, size_t in_bytes, size_t out_bytes,
                      size_t n) {
    test_array from = test_array_create(in, n, in_bytes);
    test_array to = test_array_create(NULL, n, out_bytes);
    const bool in_place = in_bytes == out_bytes && fuzz_coin();
    void *out = in_place ? from.values : to.values;
    expect_ok(clprims_scan_run(d->scan, d->desc.no_input_array ? NULL : from.values, out, n));
    expect_result(d, in, out, n);
    test_array_expect_guards(&from);
    test_array_expect_guards(&to);
    test_array_free(&from);
    test_array_free(&to);
}

static void set_parameters(drawn_scan *d, const fuzz_parameters *parameters, const void *in,
                           size_t n) {
    if (d->desc.parameters == NULL) return;
    d->made = fuzz_input(parameters, in, n);
    expect_ok(clprims_scan_set_parameter(d->scan, 0, sizeof(cl_mem), &parameters->buffer.at.mem));
    expect_ok(clprims_scan_set_parameter(d->scan, 1, 4, &parameters->shift));
}

static void run(drawn_scan *d) {
    const bool is_struct = d->desc.type == CLPRIMS_STRUCT;
    const size_t in_bytes =
        is_struct ? d->desc.custom.type_bytes : clprims_type_bytes(d->desc.type);
    const size_t out_bytes = d->operand != NULL ? d->operand->twin.accumulator_bytes
                                                : clprims_type_bytes(d->desc.accumulator);
    const size_t n = fuzz_pass_size(d->desc.max_n);
    void *in = test_alloc(n, in_bytes);
    if (d->operand != NULL)
        d->operand->fill(in, n);
    else
        test_random_values(d->desc.type, d->desc.op, in, n);
    fuzz_parameters parameters = fuzz_draw_parameters();
    set_parameters(d, &parameters, in, n);
    if (fuzz_can_be_in_place(d->desc.tuning) && test_random_below(4) == 0) {
        run_plain(d, in, in_bytes, out_bytes, n);
    } else {
        run_enqueued(d, in, in_bytes, out_bytes, n);
    }
    fuzz_end_parameters(&parameters);
    free(d->made);
    d->made = NULL;
    free(in);
}

void fuzz_scan(void) {
    drawn_scan d = {.scan = NULL};
    draw_desc(&d);
    if (!fuzz_created(clprims_scan_create(&d.scan, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(4, 16);
    for (size_t i = 0; i < runs; i++) run(&d);
    clprims_scan_destroy(d.scan);
}
