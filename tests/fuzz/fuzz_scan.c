/* SPDX-License-Identifier: MIT */
/* Draws scans: types, operators of ours and of the user's, algorithms, knobs. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_result.h"

static void draw_built_in(clprims_scan_desc *desc, uint64_t *init) {
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    desc->op = (clprims_op)fuzz_between(CLPRIMS_ADD, is_float ? CLPRIMS_MUL : CLPRIMS_XOR);
    desc->accumulator = desc->type;
    if (fuzz_coin()) {
        desc->accumulator = is_float ? CLPRIMS_F64 : (clprims_type)fuzz_between(1, CLPRIMS_U64);
    }
    if (test_random_below(3) == 0) desc->init = fuzz_init(desc->accumulator, 7, init);
}

void fuzz_scan(void) {
    char tuning[FUZZ_TUNING] = "";
    uint64_t init = 0;
    clprims_scan_desc desc = {0};
    const custom_operand *operand = NULL;
    if (test_random_below(4) == 0) {
        operand = custom_operands[test_random_below(CUSTOM_OPERANDS)];
        CUSTOM_DESCRIBE(operand, &desc);
    } else if (test_random_below(4) == 0) {
        desc.type = desc.accumulator = CLPRIMS_U32;
        desc.op = (clprims_op)fuzz_between(CLPRIMS_ADD, CLPRIMS_XOR);
        desc.input = DRAWN_WEIGHED;
        desc.parameters = DRAWN_WEIGHTS;
    } else {
        draw_built_in(&desc, &init);
    }
    desc.inclusive = fuzz_coin();
    desc.fast_floats = fuzz_coin();
    if ((operand == NULL || operand == &custom_affine) && desc.input == NULL && fuzz_coin()) {
        drawn_result_draw(desc.accumulator, true, desc.inclusive, &desc.result, &desc.result_type);
    }
    desc.algorithm = fuzz_algorithm();
    desc.max_n = 2 + fuzz_size(test_small() ? 600 : 300000);
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_pass_knobs(desc.algorithm, tuning);
        desc.tuning = tuning;
    }
    fuzz_note("scan %s to %s %s %s, init %s, input %s, result %s of %s, max_n %zu, %s, fast %d, "
              "tuning %s",
              clprims_type_name(desc.type), clprims_type_name(desc.accumulator),
              clprims_op_name(desc.op), desc.inclusive ? "inclusive" : "exclusive",
              desc.init ? "given" : "none", desc.input ? desc.input : "x",
              desc.result ? desc.result : "r", clprims_type_name(desc.result_type), desc.max_n,
              clprims_algorithm_name(desc.algorithm), desc.fast_floats, tuning);
    fuzz_runs(
        &(subject_data){
            .of = &subject_scan, .desc = &desc, .most = {desc.max_n}, .operand = operand},
        fuzz_between(4, 16));
}
