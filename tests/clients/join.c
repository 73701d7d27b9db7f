/* SPDX-License-Identifier: MIT */
/*
 * The inner join of two tables on uint64 keys. The right table is sorted by key; a search gives
 * each row of the left one the bounds of its matches; offsets and parents make a pair of each
 * match.
 */
#include "../examples/call.h"

#include <clprims/clprims.h>
#include <stdio.h>

enum { LEFT = 200000, RIGHT = 100000, KEYS = 65537, PAIRS = 8 * LEFT };
static uint64_t left[LEFT], right[RIGHT], sorted[RIGHT];
static cl_uint order[RIGHT]; /* sorted[k] is right[order[k]] */
static int64_t lower[LEFT], upper[LEFT], offsets[LEFT + 1], row[PAIRS], match[PAIRS];

/* Pair k is of left[row[k]] and right[order[lower[row[k]] + match[k]]]. */
static size_t on_device(clprims_context *context) {
    clprims_sort *sort;
    clprims_search *search;
    clprims_offsets *count;
    clprims_parents *expand;
    const clprims_sort_desc by_key = {.type = CLPRIMS_U64, .indices = CLPRIMS_U32, .max_n = RIGHT};
    const clprims_sort_arrays keys = {.keys_in = right, .keys_out = sorted, .indices = order};
    call(clprims_sort_create(&sort, context, &by_key));
    call(clprims_sort_run(sort, &keys, RIGHT));

    const clprims_search_desc both = {
        .type = CLPRIMS_U64, .bound = CLPRIMS_SEARCH_BOTH, .max_n = LEFT, .max_length = RIGHT};
    const clprims_search_arrays bounds = {sorted, left, lower, {RIGHT}, upper};
    call(clprims_search_create(&search, context, &both));
    call(clprims_search_run(search, &bounds, LEFT));

    const clprims_offsets_desc widths = {.type = CLPRIMS_I64, .max_n = LEFT};
    call(clprims_offsets_create(&count, context, &widths));
    call(clprims_offsets_run(count, &(clprims_offsets_arrays){lower, upper, offsets}, LEFT));

    const size_t pairs = (size_t)offsets[LEFT];
    const clprims_parents_desc rows = {
        .result = CLPRIMS_PARENTS_BOTH, .max_n = pairs, .max_segments = LEFT};
    const clprims_parents_arrays each = {offsets, row, match, {LEFT}};
    call(clprims_parents_create(&expand, context, &rows));
    call(clprims_parents_run(expand, &each, pairs));
    return pairs;
}

int main(void) {
    static uint64_t times[KEYS]; /* that each key is in the right table */
    clprims_context *context;
    size_t expected = 0, wrong = 0;
    for (uint64_t i = 0; i < RIGHT; i++) times[right[i] = i * i % KEYS]++;
    for (uint64_t i = 0; i < LEFT; i++) expected += times[left[i] = i * 2654435761u % KEYS];
    call(clprims_context_create(&context, NULL));
    const size_t pairs = on_device(context);
    clprims_context_destroy(context);
    for (size_t k = 0; k < pairs; k++) { /* no pair is there twice */
        wrong += left[row[k]] != right[order[lower[row[k]] + match[k]]];
        wrong += (size_t)(offsets[row[k]] + match[k]) != k;
    }
    wrong += pairs != expected;
    printf("%d and %d rows, %zu pairs, %s plain C\n", LEFT, RIGHT, pairs,
           wrong ? "unlike" : "as by");
    return wrong != 0;
}
