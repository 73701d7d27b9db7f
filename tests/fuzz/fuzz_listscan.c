/* SPDX-License-Identifier: MIT */
/* Draws list scans and forests: types, operators, the user's own too, knobs. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_lists.h"
#include "subjects/draws/drawn_input.h"

static void draw_built_in(clprims_listscan_desc *desc) {
    static const uint64_t seven = 7;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    desc->op = (clprims_op)fuzz_between(CLPRIMS_ADD, is_float ? CLPRIMS_MUL : CLPRIMS_XOR);
    if (is_float) return;
    desc->accumulator = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    if (test_random_below(3) == 0) desc->init = &seven;
}

void fuzz_listscan(void) {
    const custom_operand *operand = NULL;
    char tuning[FUZZ_TUNING] = "";
    clprims_listscan_desc desc = {.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64};
    desc.inclusive = fuzz_coin();
    desc.max_n = fuzz_list_max_n();
    if (test_random_below(4) == 0) {
        operand = fuzz_coin() ? &custom_affine : &custom_marked;
        CUSTOM_DESCRIBE(operand, &desc);
    } else if (test_random_below(3) == 0) {
        desc.type = CLPRIMS_U32;
        desc.op = (clprims_op)fuzz_between(CLPRIMS_ADD, CLPRIMS_XOR);
        desc.input = DRAWN_WEIGHED;
        desc.parameters = DRAWN_WEIGHTS;
    } else {
        draw_built_in(&desc);
    }
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_scan_knobs(tuning);
        desc.tuning = tuning;
    }
    fuzz_note("listscan %s of %s to %s, links %s, max_n %zu, tuning %s", clprims_op_name(desc.op),
              clprims_type_name(desc.type), clprims_type_name(desc.accumulator),
              clprims_type_name(desc.link), desc.max_n, tuning);
    fuzz_runs(
        &(subject_data){
            .of = &subject_listscan, .desc = &desc, .most = {desc.max_n}, .operand = operand},
        fuzz_between(1, 30));
}

void fuzz_forest(void) {
    char tuning[FUZZ_TUNING] = "";
    clprims_forest_desc desc = {.link = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64};
    desc.max_n = fuzz_list_max_n();
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_scan_knobs(tuning);
        desc.tuning = tuning;
    }
    fuzz_note("forest of %s, max_n %zu, tuning %s", clprims_type_name(desc.link), desc.max_n,
              tuning);
    fuzz_runs(&(subject_data){.of = &subject_forest, .desc = &desc, .most = {desc.max_n}},
              fuzz_between(1, 30));
}
