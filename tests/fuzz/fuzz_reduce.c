/* SPDX-License-Identifier: MIT */
/* Draws reductions: types, operators of ours and of the user's, knobs. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_result.h"

/* Sums of narrow integers in floats round as well. */
static void draw_built_in(clprims_reduce_desc *desc, uint64_t *init) {
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
    const bool is_place = desc->op >= CLPRIMS_ARGMIN;
    if (test_random_below(3) == 0) {
        desc->init = fuzz_init(is_place ? CLPRIMS_I64 : desc->accumulator, 0.1, init);
    }
}

void fuzz_reduce(void) {
    char tuning[FUZZ_TUNING] = "";
    uint64_t init = 0;
    clprims_reduce_desc desc = {0};
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
    const clprims_type r = desc.op >= CLPRIMS_ARGMIN ? CLPRIMS_I64 : desc.accumulator;
    if ((operand == NULL || operand == &custom_affine) && fuzz_coin()) {
        drawn_result_draw(r, false, false, &desc.result, &desc.result_type);
    }
    desc.max_n = 1 + fuzz_size(test_small() ? 3000 : 1200000);
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        const size_t group = fuzz_coin() ? 1 : (size_t)32 << test_random_below(4);
        snprintf(tuning, sizeof tuning, "GROUP=%zu GROUPS=%zu DEPTH=%zu WAITERS=%zu", group,
                 fuzz_between(1, 9), (size_t)1 << test_random_below(6), fuzz_between(0, 3));
        desc.tuning = tuning;
    }
    fuzz_note("reduce %s to %s %s, init %s, input %s, result %s of %s, max_n %zu, tuning %s",
              clprims_type_name(desc.type), clprims_type_name(desc.accumulator),
              clprims_op_name(desc.op), desc.init ? "given" : "none", desc.input ? desc.input : "x",
              desc.result ? desc.result : "r", clprims_type_name(desc.result_type), desc.max_n,
              tuning);
    fuzz_runs(&(subject_data){.of = &subject_reduce,
                              .desc = &desc,
                              .n = {1},
                              .most = {desc.max_n},
                              .operand = operand},
              fuzz_between(4, 12));
}
