/* SPDX-License-Identifier: MIT */
/* Draws selections: what decides, types, results, algorithms, knobs, sizes, places. */
#include "fixtures/select_cases.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "subjects/draws/drawn_result.h"

static const clprims_type index_types[] = {CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32, CLPRIMS_U32,
                                           CLPRIMS_I64, CLPRIMS_U64};

static void draw_results(clprims_select_desc *desc) {
    const bool runs = desc->by == CLPRIMS_SELECT_RUNS;
    for (size_t k = 1; k < desc->arrays; k++)
        desc->type[k] = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    if (desc->by <= CLPRIMS_SELECT_PREDICATE && test_random_below(4) == 0) {
        desc->partition = 1;
        return;
    }
    const bool is_text = desc->arrays == 1 && desc->type[0] < CLPRIMS_F32 && fuzz_coin();
    if (is_text) drawn_result_draw(desc->type[0], true, false, &desc->result, &desc->result_type);
    if (desc->result == NULL) {
        desc->result_type = CLPRIMS_TYPE_DEFAULT; /* which goes with a text */
        desc->indices = index_types[test_random_below(5)];
    }
    if (runs) desc->lengths = index_types[test_random_below(5)];
    if (desc->result == NULL && test_random_below(6) == 0) {
        desc->no_values = 1;
        desc->arrays = desc->by < CLPRIMS_SELECT_PREDICATE && fuzz_coin() ? 0 : 1;
    }
}

static clprims_select_desc draw_desc(char tuning[FUZZ_TUNING]) {
    const pass_way way = {fuzz_algorithm(), NULL, "drawn"};
    const clprims_select_by by =
        (clprims_select_by)fuzz_between(CLPRIMS_SELECT_FLAGS, CLPRIMS_SELECT_RUNS);
    clprims_type type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_STRUCT);
    if (type == CLPRIMS_STRUCT && by == CLPRIMS_SELECT_NONZERO) type = CLPRIMS_I16;
    clprims_select_desc desc = select_describe(by, type, fuzz_between(1, 4), &way);
    desc.max_n = 1 + fuzz_size(test_small() ? 600 : 100000);
    draw_results(&desc);
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_pass_knobs(way.algorithm, tuning);
        desc.tuning = tuning;
    }
    return desc;
}

static select_case draw_run(const clprims_select_desc *desc) {
    select_case c = {.desc = *desc,
                     .pattern = (select_pattern)test_random_below(SELECT_PATTERNS),
                     .n = fuzz_pass_size(desc->max_n),
                     .in_first = fuzz_between(0, 9),
                     .out_first = fuzz_between(0, 9),
                     .flags_first = fuzz_between(0, 40),
                     .apart = fuzz_between(0, 5),
                     .tight = fuzz_coin(),
                     .by_run = test_random_below(4) == 0};
    if (test_random_below(4) == 0) c.lacking = fuzz_between(1, 100);
    if (test_random_below(4) == 0) c.spare = fuzz_between(1, 100);
    if (c.by_run) {
        c.flags_first = 0;
        c.endless = c.lacking == 0 && !c.tight && fuzz_coin();
        return c;
    }
    c.turn = fuzz_turn();
    c.in_place = !desc->partition && desc->result == NULL && !desc->no_values && !c.tight &&
                 c.lacking == 0 && c.spare == 0 && desc->algorithm == CLPRIMS_ALGORITHM_LOOKBACK &&
                 fuzz_coin();
    return c;
}

void fuzz_select(void) {
    char tuning[FUZZ_TUNING] = "";
    const clprims_select_desc desc = draw_desc(tuning);
    clprims_select *plan = NULL;
    fuzz_note("select by %d, %zu arrays of %s, indices %s, lengths %s, partition %d, max_n %zu, "
              "%s, tuning %s",
              (int)desc.by, desc.arrays, clprims_type_name(desc.type[0]),
              clprims_type_name(desc.indices), clprims_type_name(desc.lengths), desc.partition,
              desc.max_n, clprims_algorithm_name(desc.algorithm),
              desc.tuning ? desc.tuning : "none");
    if (!fuzz_created(clprims_select_create(&plan, test_context(), &desc))) return;
    clprims_select_destroy(plan);
    const size_t runs = fuzz_between(4, 12);
    for (size_t i = 0; i < runs; i++) {
        const select_case c = draw_run(&desc);
        select_is_right(&c);
    }
    subject_forget_plans();
}
