/* SPDX-License-Identifier: MIT */
/* Parameters of the input's and the keys' expressions: values, changes between runs, bad ones. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_parameters.h"

static clprims_segmented_desc describe(const char *tuning) {
    clprims_segmented_desc desc = {.by = CLPRIMS_SEGMENTS_KEYS,
                                   .heads_type = CLPRIMS_U32,
                                   .type = CLPRIMS_U32,
                                   .max_n = 3001,
                                   .input = SUBJECT_WEIGHTED_INPUT,
                                   .parameters = SUBJECT_WEIGHTED_PARAMETERS,
                                   .tuning = tuning};
    return desc;
}

static void parameters_are_used(const void *data) {
    const char *const *tuning = data;
    const clprims_segmented_desc desc = describe(*tuning);
    const subject_data like = {.of = &subject_segmented, .desc = &desc, .most = {desc.max_n}};
    subject_parameters_are_used(&like);
}

static void values_are_checked(const void *data) {
    const char *const *tuning = data;
    const clprims_segmented_desc desc = describe(*tuning);
    const subject_data like = {.of = &subject_segmented, .desc = &desc, .most = {desc.max_n}};
    subject_values_are_checked(&like);
}

/* Keys are equal that are no further apart than the step. */
static void equality_takes_a_parameter(const void *data) {
    static const struct {
        uint32_t step, count, sums[3];
    } runs[] = {{0, 3, {3, 3, 4}}, {3, 2, {6, 4}}, {18, 1, {10}}, {2, 3, {3, 3, 4}}};
    static const uint32_t in[4] = {1, 2, 3, 4}, keys[4] = {9, 9, 12, 30};
    const char *const *tuning = data;
    clprims_segmented_desc desc = describe(*tuning);
    desc.input = NULL;
    desc.equal = "abs_diff(a, b) <= step";
    desc.parameters = "uint step";
    clprims_segmented *plan = segmented_plan(&desc);
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        uint32_t out[4] = {0};
        size_t count = 0;
        const clprims_segmented_arrays a = {in, keys, out, .count = &count};
        expect_ok(clprims_segmented_set_parameter(plan, 0, 4, &runs[k].step));
        expect_ok(clprims_segmented_run(plan, &a, 4));
        assert_int_equal(count, runs[k].count);
        expect_elements(runs[k].sums, out, count, 4);
    }
}

/* ---- The initial value ---- */

typedef struct init_case {
    const char *name;
    clprims_segmented_kind kind;
    clprims_op op;
    bool has_init; /* in the description */
} init_case;

enum { INIT_N = 9, INIT_SEGMENTS = 3 };
static const int16_t init_values[INIT_N] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int64_t init_offsets[INIT_SEGMENTS + 1] = {0, 3, 3, INIT_N};

/* What a run gives: sums from the initial value on, or where each segment's least value is. */
static size_t define_init(const init_case *c, int64_t init, int64_t *expected) {
    size_t count = 0;
    for (size_t s = 0; s < INIT_SEGMENTS; s++) {
        const bool is_empty = init_offsets[s] == init_offsets[s + 1];
        int64_t sum = init;
        if (c->op == CLPRIMS_ARGMIN && !is_empty) sum = init_offsets[s];
        for (int64_t i = init_offsets[s]; i < init_offsets[s + 1]; i++) {
            if (c->kind == CLPRIMS_SEGMENTED_EXCLUSIVE) expected[count++] = sum;
            if (c->op == CLPRIMS_ADD) sum += init_values[i];
            if (c->kind == CLPRIMS_SEGMENTED_INCLUSIVE) expected[count++] = sum;
        }
        if (c->kind == CLPRIMS_SEGMENTED_REDUCE) expected[count++] = sum;
    }
    return count;
}

/* It holds until it is set again. */
static void init_is_set(const void *data) {
    static const int64_t inits[] = {-300, 7, 7, -1};
    const init_case *c = data;
    const clprims_segmented_desc desc = {.kind = c->kind,
                                         .type = CLPRIMS_I16,
                                         .accumulator = CLPRIMS_I64,
                                         .op = c->op,
                                         .init = c->has_init ? &inits[0] : NULL,
                                         .max_n = INIT_N,
                                         .max_segments = INIT_SEGMENTS};
    clprims_segmented *plan = subject_made_plan(&subject_segmented, &desc);
    for (size_t k = c->has_init ? 0 : 1; k < 4; k++) {
        int64_t out[INIT_N] = {0}, expected[INIT_N];
        const clprims_segmented_arrays a = {init_values, init_offsets, out,
                                            .sizes.segments = INIT_SEGMENTS};
        if (k == 1 || k == 3) expect_ok(clprims_segmented_set_init(plan, &inits[k]));
        expect_ok(clprims_segmented_run(plan, &a, INIT_N));
        const size_t count = define_init(c, inits[k], expected);
        test_note("run %zu, %s", k, c->name);
        expect_elements(expected, out, count, sizeof *out);
    }
}

static void init_is_refused(void) {
    static const clprims_segmented_desc desc = {
        .type = CLPRIMS_I32, .max_n = 10, .max_segments = 1};
    const int32_t init = 5;
    clprims_segmented *plan = subject_made_plan(&subject_segmented, &desc);
    expect_failure(clprims_segmented_set_init(plan, &init), CLPRIMS_ERR_ARGUMENT,
                   "segmented_set_init: the plan was created without desc.init");
    expect_failure(clprims_segmented_set_init(plan, NULL), CLPRIMS_ERR_ARGUMENT, "init is NULL");
    expect_failure(clprims_segmented_set_init(NULL, &init), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
}

static void add_init_cases(test_cases *cases) {
    static const init_case all[] = {
        {"reduce", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_ADD, true},
        {"inclusive", CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_ADD, true},
        {"exclusive", CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_ADD, false},
        {"argmin", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_ARGMIN, false},
    };
    test_add_rows(cases, init_is_set, all, "segmented/set-init");
    test_add_plain(cases, init_is_refused, "segmented/set-init/refused");
}

void add_parameter_cases(test_cases *cases) {
    const char *tuning = test_bears_shapes() ? "GROUP=8 SHARE=11 GROUPS=64" : NULL;
    test_add_row(cases, parameters_are_used, tuning, "segmented/parameters/many");
    test_add_row(cases, values_are_checked, tuning, "segmented/parameters/values/many");
    test_add_row(cases, equality_takes_a_parameter, tuning, "segmented/parameters/equal");
    add_init_cases(cases);
}
