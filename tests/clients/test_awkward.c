/* SPDX-License-Identifier: MIT */
/*
 * Awkward Array's own kernels for CPUs beside ours, on random and malformed jagged arrays. They
 * come with the Python package awkward-cpp, which tests/run installs into build/awkward; the
 * environment's CLPRIMS_AWKWARD may name another libawkward-cpu-kernels.so. Without it the cases
 * are skipped.
 */
#include "clients/awkward_kernels.h"

#include <dlfcn.h>
#include <glob.h>

/* ---- Their kernels ---- */

static void *open_kernels(void) {
    static const char installed[] = CLPRIMS_AWKWARD_FOLDER
        "/lib/python*/site-packages/awkward_cpp/lib/libawkward-cpu-kernels.so";
    const char *given = getenv("CLPRIMS_AWKWARD");
    glob_t found;
    if (given != NULL) return dlopen(given, RTLD_NOW);
    if (glob(installed, 0, NULL, &found) != 0) return NULL;
    void *library = dlopen(found.gl_pathv[0], RTLD_NOW);
    globfree(&found);
    return library;
}

static void *kernels(void) {
    static void *library;
    if (library == NULL) library = open_kernels();
    return library;
}

kernel *kernel_of(const char *name) {
    kernel *function;
    void *symbol = dlsym(kernels(), name);
    if (symbol == NULL) test_fail("awkward-cpp has no %s", name);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

/* ---- Reducers ---- */

/* What a reducer of theirs is given. */
typedef struct reducer_arguments {
    void *to;
    const void *from;
    const int64_t *offsets;
    int64_t lists;
} reducer_arguments;

typedef kernel_error call_reducer(kernel *function, const reducer_arguments *a);

static kernel_error call_plain(kernel *function, const reducer_arguments *a) {
    typedef kernel_error reducer(void *, const void *, const int64_t *, int64_t);
    return ((reducer *)function)(a->to, a->from, a->offsets, a->lists);
}

static kernel_error call_count(kernel *function, const reducer_arguments *a) {
    typedef kernel_error reducer(void *, const int64_t *, int64_t);
    return ((reducer *)function)(a->to, a->offsets, a->lists);
}

static kernel_error call_index(kernel *function, const reducer_arguments *a) {
    typedef kernel_error reducer(void *, const void *, const int64_t *, const int64_t *, int64_t);
    return ((reducer *)function)(a->to, a->from, a->offsets, a->offsets, a->lists);
}

/* Least and greatest values are given the value of an empty list. */
static const int16_t most_int16 = INT16_MAX;
static const float least_float32 = -3e38f;
static const uint64_t least_uint64;
static const double most_float64 = 1e300;

#define CALL_FROM(name, type, start)                                                               \
    static kernel_error name(kernel *function, const reducer_arguments *a) {                       \
        typedef kernel_error reducer(void *, const void *, const int64_t *, int64_t, type);        \
        return ((reducer *)function)(a->to, a->from, a->offsets, a->lists, start);                 \
    }
CALL_FROM(call_from_int16, int16_t, most_int16)
CALL_FROM(call_from_float32, float, least_float32)
CALL_FROM(call_from_uint64, uint64_t, least_uint64)
CALL_FROM(call_from_float64, double, most_float64)

typedef struct reducer {
    const char *name;
    call_reducer *call;
    clprims_op op;
    clprims_type type, accumulator;
    const void *init;
    const char *input;
    bool is_long; /* of the long tier */
} reducer;

static const reducer reducers[] = {
    {"awkward_reduce_sum_int64_int8_64", call_plain, CLPRIMS_ADD, CLPRIMS_I8, CLPRIMS_I64, NULL,
     NULL, false},
    {"awkward_reduce_sum_float32_float32_64", call_plain, CLPRIMS_ADD, CLPRIMS_F32, CLPRIMS_F32,
     NULL, NULL, false},
    {"awkward_reduce_prod_int64_int32_64", call_plain, CLPRIMS_MUL, CLPRIMS_I32, CLPRIMS_I64, NULL,
     NULL, false},
    {"awkward_reduce_min_int16_int16_64", call_from_int16, CLPRIMS_MIN, CLPRIMS_I16, CLPRIMS_I16,
     &most_int16, NULL, false},
    {"awkward_reduce_max_float32_float32_64", call_from_float32, CLPRIMS_MAX, CLPRIMS_F32,
     CLPRIMS_F32, &least_float32, NULL, false},
    {"awkward_reduce_argmin_float32_64", call_index, CLPRIMS_ARGMIN, CLPRIMS_F32, CLPRIMS_F32, NULL,
     NULL, false},
    {"awkward_reduce_argmax_int8_64", call_index, CLPRIMS_ARGMAX, CLPRIMS_I8, CLPRIMS_I8, NULL,
     NULL, false},
    {"awkward_reduce_countnonzero_int32_64", call_plain, CLPRIMS_ADD, CLPRIMS_I32, CLPRIMS_I64,
     NULL, "x != 0", false},
    {"awkward_reduce_count_64", call_count, CLPRIMS_ADD, CLPRIMS_I32, CLPRIMS_I64, NULL, "1", true},
    {"awkward_reduce_sum_uint64_uint16_64", call_plain, CLPRIMS_ADD, CLPRIMS_U16, CLPRIMS_U64, NULL,
     NULL, true},
    {"awkward_reduce_sum_float64_float64_64", call_plain, CLPRIMS_ADD, CLPRIMS_F64, CLPRIMS_F64,
     NULL, NULL, true},
    {"awkward_reduce_max_uint64_uint64_64", call_from_uint64, CLPRIMS_MAX, CLPRIMS_U64, CLPRIMS_U64,
     &least_uint64, NULL, true},
    {"awkward_reduce_min_float64_float64_64", call_from_float64, CLPRIMS_MIN, CLPRIMS_F64,
     CLPRIMS_F64, &most_float64, NULL, true},
    {"awkward_reduce_argmin_uint16_64", call_index, CLPRIMS_ARGMIN, CLPRIMS_U16, CLPRIMS_U16, NULL,
     NULL, true},
    {"awkward_reduce_argmax_float64_64", call_index, CLPRIMS_ARGMAX, CLPRIMS_F64, CLPRIMS_F64, NULL,
     NULL, true},
};

static clprims_segmented *plan_of(clprims_segmented_desc *desc) {
    test_needs_types(desc->type, desc->accumulator);
    desc->max_n = MOST_N;
    desc->max_segments = MOST_LISTS;
    return subject_made_plan(&subject_segmented, desc);
}

test_segments lists_of(size_t k) {
    static const size_t sizes[] = {0, 1, 7, 130, 1001, MOST_N - 1};
    return segments_make((segments_shape)(k % SEGMENTS_SHAPES), sizes[k / SEGMENTS_SHAPES], false);
}
static void reducers_agree(const void *data) {
    const reducer *r = data;
    kernel *theirs = kernel_of(r->name);
    clprims_segmented_desc desc = {.op = r->op,
                                   .type = r->type,
                                   .accumulator = r->accumulator,
                                   .init = r->init,
                                   .input = r->input};
    clprims_segmented *plan = plan_of(&desc);
    const size_t bytes = segmented_out_bytes(&desc);
    for (size_t k = 0; k < LISTS; k++) {
        test_segments lists = lists_of(k);
        const clprims_op values = r->op >= CLPRIMS_ARGMIN ? CLPRIMS_MIN : r->op;
        void *in = test_scratch(lists.n, clprims_type_bytes(r->type));
        void *expected = test_scratch(lists.count, bytes),
             *actual = test_scratch(lists.count, bytes);
        const reducer_arguments a = {expected, in, lists.offsets, (int64_t)lists.count};
        const clprims_segmented_arrays arrays = {in, lists.offsets, actual,
                                                 .sizes = {.segments = lists.count}};
        test_note("array %zu: %zu elements in %zu lists", k, lists.n, lists.count);
        test_random_values(r->type, values, in, lists.n);
        const kernel_error error = r->call(theirs, &a);
        if (error.words != NULL) test_fail("%s", error.words);
        expect_ok(clprims_segmented_run(plan, &arrays, lists.n));
        expect_elements(expected, actual, lists.count, bytes);
    }
}

/* ---- Indices ---- */

/* Numbers elements within their lists: the scan of ones. */
static void local_indices_agree(void) {
    typedef kernel_error numbering(int64_t *, const int64_t *, int64_t);
    numbering *theirs = (numbering *)kernel_of("awkward_ListArray64_localindex_64");
    clprims_segmented_desc desc = {.kind = CLPRIMS_SEGMENTED_EXCLUSIVE,
                                   .type = CLPRIMS_I64,
                                   .no_input_array = 1,
                                   .input = "1"};
    clprims_segmented *plan = plan_of(&desc);
    for (size_t k = 0; k < LISTS; k++) {
        test_segments lists = lists_of(k);
        int64_t *expected = test_scratch(lists.n, 8), *actual = test_scratch(lists.n, 8);
        const clprims_segmented_arrays arrays = {NULL, lists.offsets, actual,
                                                 .sizes = {.segments = lists.count}};
        test_note("array %zu: %zu elements in %zu lists", k, lists.n, lists.count);
        for (size_t i = 0; i < lists.n; i++) expected[i] = actual[i] = -7;
        const kernel_error error = theirs(expected, lists.offsets, (int64_t)lists.count);
        if (error.words != NULL) test_fail("%s", error.words);
        expect_ok(clprims_segmented_run(plan, &arrays, lists.n));
        expect_values(CLPRIMS_I64, expected, actual, lists.n);
    }
}

/* ---- Starts and stops ---- */

/* Both make offsets of starts and stops, or name the first list that stops before it starts. */
static void compact_offsets_agree(void) {
    typedef kernel_error compacting(int64_t *, const int64_t *, const int64_t *, int64_t);
    compacting *theirs = (compacting *)kernel_of("awkward_ListArray64_compact_offsets_64");
    int64_t starts[MOST_N], stops[MOST_N], expected[MOST_N + 1], actual[MOST_N + 1];
    const clprims_offsets_arrays arrays = {starts, stops, actual};
    clprims_offsets_desc desc = {.type = CLPRIMS_I64, .max_n = MOST_N};
    clprims_offsets *plan = subject_made_plan(&subject_offsets, &desc);
    for (size_t n = 0; n <= MOST_N; n = 3 * n + 2) {
        for (size_t bad = 0; bad < 4; bad++) {
            char message[64];
            for (size_t i = 0; i < n; i++) {
                starts[i] = (int64_t)test_random_below(1 << 20);
                stops[i] = starts[i] + (int64_t)test_random_below(9);
            }
            for (size_t b = 0; b < bad && n > 0; b++) {
                const size_t at = test_random_below(n);
                stops[at] = starts[at] - 1 - (int64_t)test_random_below(5);
            }
            const kernel_error error = theirs(expected, starts, stops, (int64_t)n);
            if (error.words == NULL) {
                expect_ok(clprims_offsets_run(plan, &arrays, n));
                expect_values(CLPRIMS_I64, expected, actual, n + 1);
                continue;
            }
            snprintf(message, sizeof message, "stops[%lld]", (long long)error.list);
            expect_failure(clprims_offsets_run(plan, &arrays, n), CLPRIMS_ERR_DATA, message);
        }
    }
}

/* ---- Malformed offsets ---- */

static clprims_parents *parents_plan(void) {
    clprims_parents_desc desc = {.max_n = MOST_N, .max_segments = MOST_LISTS};
    return subject_made_plan(&subject_parents, &desc);
}

/* Segments and parents name the same offset. */
static void expect_bad_offset(clprims_segmented *plan, clprims_parents *parents,
                              const clprims_segmented_arrays *arrays, size_t n, size_t count,
                              long long number) {
    int64_t out[MOST_N];
    char message[64];
    snprintf(message, sizeof message, "segmented: offsets[%lld] =", number);
    expect_failure(clprims_segmented_run(plan, arrays, n), CLPRIMS_ERR_DATA, message);
    snprintf(message, sizeof message, "parents: offsets[%lld] =", number);
    const clprims_parents_arrays at = {arrays->heads, out, NULL, {count}};
    expect_failure(clprims_parents_run(parents, &at, n), CLPRIMS_ERR_DATA, message);
}

/* Their check names the list, ours the offset: the one that ends the list, or the first of all.
 * Lists have elements, because theirs takes any empty list. */
static void faults_agree(void) {
    typedef kernel_error checking(const int64_t *, const int64_t *, int64_t, int64_t);
    enum { COUNT = 200, ELEMENTS = 1000 };
    checking *theirs = (checking *)kernel_of("awkward_ListArray64_validity");
    int64_t offsets[COUNT + 1], in[ELEMENTS] = {0}, out[COUNT];
    const clprims_segmented_arrays arrays = {in, offsets, out, .sizes = {.segments = COUNT}};
    clprims_segmented_desc desc = {.type = CLPRIMS_I64};
    clprims_segmented *plan = plan_of(&desc);
    clprims_parents *parents = parents_plan();
    for (size_t k = 0; k < 150; k++) {
        offsets[0] = (int64_t)test_random_below(5);
        for (size_t i = 1; i <= COUNT; i++) {
            offsets[i] = offsets[i - 1] + 1 + (int64_t)test_random_below(4);
        }
        for (size_t b = 0; b < k % 4; b++) {
            const size_t at = k % 5 == 0 ? 0 : k % 5 == 1 ? COUNT : test_random_below(COUNT + 1);
            offsets[at] = (int64_t)test_random_below(3 * ELEMENTS) - ELEMENTS;
            if (at < COUNT && offsets[at] == offsets[at + 1]) offsets[at]--;
            if (at > 0 && offsets[at] == offsets[at - 1]) offsets[at]--;
        }
        const kernel_error error = theirs(offsets, offsets + 1, COUNT, ELEMENTS);
        if (error.words == NULL) {
            expect_ok(clprims_segmented_run(plan, &arrays, ELEMENTS));
            continue;
        }
        const bool first = offsets[0] < 0 || offsets[0] > ELEMENTS;
        test_note("array %zu, list %lld: %s", k, (long long)error.list, error.words);
        expect_bad_offset(plan, parents, &arrays, ELEMENTS, COUNT,
                          first ? 0 : (long long)error.list + 1);
        if (first) assert_int_equal(error.list, 0);
    }
}

/* ---- Cases ---- */

static void kernels_are_missing(void) {
    test_skip("awkward-cpp is not installed, or cannot be loaded");
}

void test_program(test_cases *cases) {
    if (kernels() == NULL) {
        test_add_plain(cases, kernels_are_missing, "awkward/kernels");
        return;
    }
    for (size_t i = 0; i < sizeof reducers / sizeof reducers[0]; i++) {
        if (reducers[i].is_long && !test_long()) continue;
        test_add_row(cases, reducers_agree, reducers[i], "awkward/%s",
                     reducers[i].name + strlen("awkward_"));
    }
    test_add_plain(cases, local_indices_agree, "awkward/localindex");
    test_add_plain(cases, compact_offsets_agree, "awkward/compact_offsets");
    test_add_plain(cases, faults_agree, "awkward/validity");
    awkward_add_jagged(cases);
}
