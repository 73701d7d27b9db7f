/* SPDX-License-Identifier: MIT */
/* Parents, local indices and gather beside Awkward Array's kernels. */
#include "clients/awkward_kernels.h"

static clprims_parents *both_plan(void) {
    clprims_parents_desc desc = {
        .result = CLPRIMS_PARENTS_BOTH, .max_n = MOST_N, .max_segments = MOST_LISTS};
    return subject_made_plan(&subject_parents, &desc);
}

static clprims_gather *gather_plan(void) {
    clprims_gather_desc desc = {.type = CLPRIMS_I64, .max_n = MOST_N};
    return subject_made_plan(&subject_gather, &desc);
}

/* ---- Parents and local indices ---- */

/* Theirs number the elements of lists from the first offset on, and are told how many there are. */
static void parents_agree(void) {
    typedef kernel_error naming(int64_t *, const int64_t *, int64_t, int64_t);
    typedef kernel_error numbering(int64_t *, const int64_t *, int64_t);
    naming *name = (naming *)kernel_of("awkward_ListOffsetArray64_reduce_local_nextparents_64");
    numbering *number = (numbering *)kernel_of("awkward_ListArray64_localindex_64");
    clprims_parents *plan = both_plan();
    for (size_t k = 0; k < LISTS; k++) {
        test_segments lists = lists_of(k);
        const int64_t begin = lists.offsets[0], count = (int64_t)lists.count;
        int64_t *expected[2], *actual[2];
        test_note("array %zu: %zu elements in %zu lists", k, lists.n, lists.count);
        for (size_t w = 0; w < 2; w++) {
            expected[w] = test_scratch(lists.n, 8);
            actual[w] = test_scratch(lists.n, 8);
            for (size_t i = 0; i < lists.n; i++) expected[w][i] = actual[w][i] = -7;
        }
        kernel_error error =
            name(expected[0] + begin, lists.offsets, count, lists.offsets[count] - begin);
        if (error.words == NULL) error = number(expected[1], lists.offsets, count);
        if (error.words != NULL) test_fail("%s", error.words);
        const clprims_parents_arrays at = {lists.offsets, actual[0], actual[1], {lists.count}};
        expect_ok(clprims_parents_run(plan, &at, lists.n));
        for (size_t w = 0; w < 2; w++) expect_values(CLPRIMS_I64, expected[w], actual[w], lists.n);
    }
}

/* ---- Lists in another order ---- */

/* Where each element of new lists comes from in the old content: theirs in one kernel, ours by
 * parents, a gather of starts, and the local index. */
static void broadcast_agrees(void) {
    typedef kernel_error placing(int64_t *, const int64_t *, int64_t, const int64_t *,
                                 const int64_t *, int64_t);
    placing *theirs = (placing *)kernel_of("awkward_ListArray64_broadcast_tooffsets_64");
    clprims_parents *parents = both_plan();
    clprims_gather *gather = gather_plan();
    for (size_t k = 0; k < LISTS; k++) {
        test_segments lists = lists_of(k);
        const size_t count = lists.count, n = (size_t)(lists.offsets[count] - lists.offsets[0]);
        int64_t *starts = test_scratch(count, 8), *stops = test_scratch(count, 8);
        int64_t *expected = test_scratch(n, 8), *segment = test_scratch(n, 8);
        int64_t *local = test_scratch(n, 8), *start = test_scratch(n, 8);
        const int64_t begin = lists.offsets[0];
        for (size_t i = 0; i <= count; i++) lists.offsets[i] -= begin;
        for (size_t i = 0; i < count; i++) {
            starts[i] = (int64_t)test_random_below(50000);
            stops[i] = starts[i] + lists.offsets[i + 1] - lists.offsets[i];
        }
        test_note("array %zu: %zu elements in %zu lists", k, n, count);
        const kernel_error error =
            theirs(expected, lists.offsets, (int64_t)count + 1, starts, stops, 50000 + MOST_N);
        if (error.words != NULL) test_fail("%s", error.words);
        const clprims_parents_arrays by = {lists.offsets, segment, local, {count}};
        const clprims_gather_arrays from = {segment, starts, start, {count}};
        expect_ok(clprims_parents_run(parents, &by, n));
        expect_ok(clprims_gather_run(gather, &from, n));
        for (size_t i = 0; i < n; i++) start[i] += local[i];
        expect_values(CLPRIMS_I64, expected, start, n);
    }
}

/* ---- Indices outside ---- */

/* Both name the first index that is outside of the content. */
static void carries_agree(void) {
    typedef kernel_error carrying(int64_t *, const int64_t *, int64_t, int64_t);
    enum { LENGTH = 900 };
    carrying *theirs = (carrying *)kernel_of("awkward_IndexedArray64_getitem_nextcarry_64");
    clprims_gather *plan = gather_plan();
    int64_t index[MOST_N], content[LENGTH], carry[MOST_N], expected[MOST_N], actual[MOST_N];
    const clprims_gather_arrays at = {index, content, actual, {LENGTH}};
    for (size_t i = 0; i < LENGTH; i++) content[i] = (int64_t)test_random();
    for (size_t k = 0; k < 60; k++) {
        const size_t n = 1 + test_random_below(MOST_N);
        char message[64];
        for (size_t i = 0; i < n; i++) index[i] = (int64_t)test_random_below(LENGTH);
        for (size_t b = 0; b < k % 4; b++) {
            index[test_random_below(n)] = b % 2 == 0 ? -1 - (int64_t)b : (int64_t)(LENGTH + b - 1);
        }
        const kernel_error error = theirs(carry, index, (int64_t)n, LENGTH);
        test_note("array %zu, n = %zu: %s", k, n, error.words == NULL ? "valid" : error.words);
        if (error.words == NULL) {
            for (size_t i = 0; i < n; i++) expected[i] = content[carry[i]];
            expect_ok(clprims_gather_run(plan, &at, n));
            expect_values(CLPRIMS_I64, expected, actual, n);
            continue;
        }
        snprintf(message, sizeof message, "gather: index[%lld] =", (long long)error.list);
        expect_failure(clprims_gather_run(plan, &at, n), CLPRIMS_ERR_DATA, message);
    }
}

void awkward_add_jagged(test_cases *cases) {
    test_add_plain(cases, parents_agree, "awkward/nextparents");
    test_add_plain(cases, broadcast_agrees, "awkward/broadcast_tooffsets");
    test_add_plain(cases, carries_agree, "awkward/nextcarry");
}
