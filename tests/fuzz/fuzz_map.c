/* SPDX-License-Identifier: MIT */
/* Draws maps: types of the input and of each output, values, knobs. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_map.h"

void fuzz_map(void) {
    char tuning[FUZZ_TUNING] = "";
    clprims_map_desc desc = {0};
    const map_type *in = test_random_below(5) > 0 ? &map_types[test_random_below(MAP_TYPES)] : NULL;
    const size_t outputs = fuzz_between(1, CLPRIMS_MAP_OUTPUTS);
    if (test_random_below(5) > 0) {
        map_describe(&desc, in, outputs, test_random_below(MAP_TYPES), test_random_below(7));
    } else {
        desc.type = CLPRIMS_U32;
        desc.output[0].value = DRAWN_WEIGHED;
        desc.parameters = DRAWN_WEIGHTS;
    }
    desc.max_n = 1 + fuzz_size(test_small() ? 300 : 100000);
    if (test_random_below(4) > 0) {
        snprintf(tuning, sizeof tuning, "GROUP=%zu DEPTH=%zu VEC=%zu",
                 test_bears_shapes() ? (size_t)1 << test_random_below(7) : 1,
                 (size_t)1 << test_random_below(4), (size_t)1 << test_random_below(5));
        desc.tuning = tuning;
    }
    fuzz_note("map, %s %s to %zu outputs, the first \"%s\", max_n %zu, tuning %s",
              clprims_type_name(desc.type), in != NULL && in->name != NULL ? in->name : "", outputs,
              desc.output[0].value, desc.max_n, tuning);
    fuzz_runs(&(subject_data){.of = &subject_map,
                              .desc = &desc,
                              .most = {desc.max_n},
                              .variant = (int)fuzz_between(0, CLPRIMS_MAP_OUTPUTS - 1)},
              fuzz_between(1, 6));
}
