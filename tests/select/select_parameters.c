/* SPDX-License-Identifier: MIT */
/* Parameters of predicates and of comparisons: their values, and bad ones. */
#include "fixtures/select_cases.h"
#include "subjects/runs/subject_parameters.h"

typedef struct parameter_case {
    const pass_way *way;
    bool by_runs; /* else by a predicate */
    bool partition;
} parameter_case;

static clprims_select_desc describe(const parameter_case *c) {
    clprims_select_desc desc = select_describe(
        c->by_runs ? CLPRIMS_SELECT_RUNS : CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, c->way);
    desc.partition = c->partition;
    desc.max_n = 4001;
    desc.predicate = c->by_runs ? NULL : SUBJECT_WEIGHTED_INPUT " % 2 != 0";
    desc.equal = c->by_runs ? "min(a, limit) * weight[0] == min(b, limit) * weight[0]" : NULL;
    desc.parameters = SUBJECT_WEIGHTED_PARAMETERS;
    return desc;
}

/* Whether the element is kept. */
static void load_odd(const void *in, size_t i, void *value) {
    const uint64_t kept = subject_weighted(in, i) % 2;
    memcpy(value, &kept, sizeof kept);
}

static void load_other(const void *in, size_t i, void *value) {
    const uint64_t kept = i == 0 || subject_limited(in, i - 1) != subject_limited(in, i);
    memcpy(value, &kept, sizeof kept);
}

static void fill_words(void *in, size_t n) {
    subject_fill(in, sizeof(uint32_t), n, 200);
}

static const custom_operand odd = {.twin.load = load_odd, .fill = fill_words},
                            other = {.twin.load = load_other, .fill = fill_words};

static subject_data data_like(const parameter_case *c, const clprims_select_desc *desc) {
    return (subject_data){.of = &subject_select,
                          .desc = desc,
                          .most = {desc->max_n},
                          .operand = c->by_runs ? &other : &odd};
}

static void parameters_are_used(const void *data) {
    const clprims_select_desc desc = describe(data);
    const subject_data like = data_like(data, &desc);
    subject_parameters_are_used(&like);
}

static void values_are_checked(const void *data) {
    const clprims_select_desc desc = describe(data);
    const subject_data like = data_like(data, &desc);
    subject_values_are_checked(&like);
}

void add_parameter_cases(test_cases *cases) {
    size_t count = 0;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const parameter_case by[] = {
            {&ways[w], false, false}, {&ways[w], true, false}, {&ways[w], false, true}};
        static const char *const names[] = {"predicate", "equal", "partition"};
        for (size_t k = 0; k < 3; k++) {
            test_add_row(cases, parameters_are_used, by[k], "select/parameters/%s/%s", names[k],
                         ways[w].name);
        }
    }
    const parameter_case one = {&ways[0], false, false};
    test_add_row(cases, values_are_checked, one, "select/parameters/values");
}
