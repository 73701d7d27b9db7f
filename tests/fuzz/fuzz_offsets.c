/* SPDX-License-Identifier: MIT */
/* Draws offsets: types, intervals and counts, algorithms, knobs. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"

void fuzz_offsets(void) {
    char tuning[FUZZ_TUNING] = "";
    clprims_offsets_desc desc = {0};
    desc.type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    desc.counts = fuzz_coin();
    desc.max_n = 1 + fuzz_size(test_small() ? 600 : 200000);
    desc.algorithm = fuzz_algorithm();
    if (test_random_below(4) != 0 && test_bears_shapes()) {
        fuzz_draw_pass_knobs(desc.algorithm, tuning);
        desc.tuning = tuning;
    }
    fuzz_note("offsets of %s, %s, max_n %zu, %s, tuning %s", clprims_type_name(desc.type),
              desc.counts ? "counts" : "intervals", desc.max_n,
              clprims_algorithm_name(desc.algorithm), tuning);
    fuzz_runs(&(subject_data){.of = &subject_offsets, .desc = &desc, .most = {desc.max_n}},
              fuzz_between(4, 16));
}
