/* SPDX-License-Identifier: MIT */
/* Parameters of the input's expression: their values, changes between runs, and bad ones. */
#include "reduce/reduce_cases.h"
#include "subjects/runs/subject_parameters.h"

static clprims_reduce_desc describe(const reduce_shape *shape) {
    clprims_reduce_desc desc = {.type = CLPRIMS_U32,
                                .max_n = 5003,
                                .input = SUBJECT_WEIGHTED_INPUT,
                                .parameters = SUBJECT_WEIGHTED_PARAMETERS,
                                .tuning = shape->tuning};
    return desc;
}

static void parameters_are_used(const void *data) {
    const clprims_reduce_desc desc = describe(data);
    const subject_data like = reduce_data(&desc, 0);
    subject_parameters_are_used(&like);
}

static void values_are_checked(const void *data) {
    const clprims_reduce_desc desc = describe(data);
    const subject_data like = reduce_data(&desc, 0);
    subject_values_are_checked(&like);
}

void add_parameter_cases(test_cases *cases) {
    for (size_t s = 0; s < REDUCE_SHAPES; s++) {
        if (s > 0 && !test_bears_shapes()) continue;
        test_add_row(cases, parameters_are_used, reduce_shapes[s], "reduce/parameters/%s",
                     reduce_shapes[s].name);
    }
    test_add_row(cases, values_are_checked, reduce_shapes[0], "reduce/parameters/values");
}
