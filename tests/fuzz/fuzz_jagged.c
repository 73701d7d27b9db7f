/* SPDX-License-Identifier: MIT */
/* Draws plans of parents and gather: types, knobs, sizes, segments, indices outside, places. */
#include "fixtures/jagged_cases.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"

/* Knobs of both; empty: none. */
static void draw_tuning(char *text, const char *last_knob, size_t value) {
    const size_t group = test_bears_shapes() ? (size_t)1 << test_random_below(7) : 1;
    text[0] = '\0';
    if (test_random_below(4) == 0) return;
    snprintf(text, FUZZ_TUNING, "GROUP=%zu GROUPS=%zu %s=%zu", group, fuzz_between(1, 300),
             last_knob, value);
}

void fuzz_parents(void) {
    static const clprims_type types[] = {CLPRIMS_I64, CLPRIMS_I32};
    clprims_parents_desc desc = {0};
    clprims_parents *plan = NULL;
    char tuning[FUZZ_TUNING];
    desc.result = (clprims_parents_result)fuzz_between(0, CLPRIMS_PARENTS_BOTH);
    desc.offsets_type = fuzz_index_type();
    desc.type = types[fuzz_coin()];
    desc.max_n = 1 + fuzz_size(test_small() ? 300 : 100000);
    desc.max_segments = 4 * desc.max_n + 10;
    draw_tuning(tuning, "SHARE", 1 + fuzz_size(3000));
    if (tuning[0] != '\0') desc.tuning = tuning;
    fuzz_note("parents, result %d, %s to %s, max_n %zu, tuning %s", (int)desc.result,
              clprims_type_name(desc.offsets_type), clprims_type_name(desc.type), desc.max_n,
              tuning);
    if (!fuzz_created(clprims_parents_create(&plan, test_context(), &desc))) return;
    for (size_t runs = fuzz_between(1, 6); runs > 0; runs--) {
        const size_t n = fuzz_pass_size(desc.max_n);
        const jagged_way way = (jagged_way)fuzz_between(0, JAGGED_COUNTED);
        test_segments segments =
            segments_make((segments_shape)test_random_below(SEGMENTS_SHAPES), n, false);
        if (segments.count <= desc.max_segments) {
            parents_expect(plan, &desc, &segments, way, fuzz_between(0, 9));
        }
        segments_free(&segments);
    }
    clprims_parents_destroy(plan);
}

void fuzz_gather(void) {
    clprims_gather_desc desc = {0};
    char tuning[FUZZ_TUNING];
    desc.type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_STRUCT);
    desc.custom.type_bytes = fuzz_between(1, 256);
    desc.index_type = fuzz_index_type();
    desc.max_n = 1 + fuzz_size(test_small() ? 300 : 100000);
    draw_tuning(tuning, "DEPTH", (size_t)1 << test_random_below(5));
    if (tuning[0] != '\0') desc.tuning = tuning;
    fuzz_note("gather, %s of %zu by %s, max_n %zu, tuning %s", clprims_type_name(desc.type),
              desc.custom.type_bytes, clprims_type_name(desc.index_type), desc.max_n, tuning);
    fuzz_runs(&(subject_data){.of = &subject_gather,
                              .desc = &desc,
                              .most = {desc.max_n, 2 * desc.max_n + 1},
                              .variant = fuzz_coin() ? 0 : (int)fuzz_size(1000)},
              fuzz_between(1, 6));
}

void fuzz_scatter(void) {
    clprims_scatter_desc desc = {0};
    char tuning[FUZZ_TUNING];
    desc.repeats = (clprims_scatter_repeats)fuzz_between(0, CLPRIMS_SCATTER_COMBINE);
    desc.type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_STRUCT);
    desc.custom.type_bytes = fuzz_between(1, 256);
    desc.op = (clprims_op)fuzz_between(0, CLPRIMS_XOR);
    desc.fast_floats = fuzz_coin();
    desc.index_type = fuzz_index_type();
    desc.max_n = 1 + fuzz_size(test_small() ? 300 : 100000);
    desc.max_length = 2 * desc.max_n + 1;
    draw_tuning(tuning, "DEPTH", (size_t)1 << test_random_below(5));
    if (tuning[0] != '\0') desc.tuning = tuning;
    fuzz_note("scatter, repeats %d, op %d, %s of %zu by %s, max_n %zu, tuning %s",
              (int)desc.repeats, (int)desc.op, clprims_type_name(desc.type), desc.custom.type_bytes,
              clprims_type_name(desc.index_type), desc.max_n, tuning);
    fuzz_runs(&(subject_data){.of = &subject_scatter,
                              .desc = &desc,
                              .most = {desc.max_n, desc.max_length},
                              .variant = fuzz_coin() ? 0 : (int)fuzz_size(1000)},
              fuzz_between(1, 6));
}
