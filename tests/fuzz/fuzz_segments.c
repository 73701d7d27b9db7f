/* SPDX-License-Identifier: MIT */
/* Draws segmented sorts and top-k: types, orders, arrays, lengths, knobs, places. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_keys.h"
#include "fuzz/fuzz_passes.h"
#include "segmented_sort/segments_plan.h"
#include "topk/topk_plan.h"

static clprims_sort_desc draw_keys(char text[SORT_KEYS_TEXT]) {
    clprims_sort_desc keys = {0};
    keys.type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    keys.floats = (clprims_sort_floats)fuzz_between(0, CLPRIMS_SORT_TOTAL_ORDER);
    fuzz_draw_keys(&keys, text);
    return keys;
}

static void draw_arrays(segmented_sort_case *c) {
    clprims_segmented_sort_desc *desc = &c->desc;
    desc->descending = fuzz_coin();
    desc->payloads = fuzz_between(0, fuzz_coin() ? 1 : CLPRIMS_SORT_PAYLOADS);
    for (size_t k = 0; k < desc->payloads; k++)
        desc->payload_bytes[k] = fuzz_between(1, fuzz_coin() ? 16 : 256);
    if (fuzz_coin()) desc->indices = fuzz_index_type();
    const bool has_indices = desc->indices != CLPRIMS_TYPE_DEFAULT;
    desc->local_indices = has_indices && fuzz_coin();
    desc->no_keys = (desc->payloads > 0 || has_indices) && fuzz_coin();
    desc->offsets = fuzz_index_type();
}

/* Items are odd. */
static void draw_shape(clprims_segmented_sort_desc *desc, char tuning[FUZZ_TUNING]) {
    desc->algorithm = (clprims_segmented_sort_algorithm)fuzz_between(0, 2);
    if (!fuzz_coin() || !test_bears_shapes()) return;
    if (desc->algorithm == CLPRIMS_SEGMENTED_SORT_SERIAL) {
        snprintf(tuning, FUZZ_TUNING, "MOST=%zu", fuzz_between(1, 200));
    } else if (desc->algorithm == CLPRIMS_SEGMENTED_SORT_GROUPS) {
        snprintf(tuning, FUZZ_TUNING,
                 "GROUP=%d TEAMS=%d ITEMS=%zu LARGE=%d LARGE_ITEMS=%zu RADIX=%zu",
                 32 << fuzz_between(0, 1), 8 << fuzz_between(0, 2), 1 + 2 * fuzz_between(0, 5),
                 8 << fuzz_between(0, 3), 1 + 2 * fuzz_between(0, 5), 4 * fuzz_between(0, 2));
    }
    if (tuning[0] != '\0') desc->tuning = tuning;
}

void fuzz_segmented_sort(void) {
    char tuning[FUZZ_TUNING] = "", text[SORT_KEYS_TEXT] = "";
    const clprims_sort_desc keys = draw_keys(text);
    segmented_sort_case c;
    clprims_segmented_sort *plan = NULL;
    memset(&c, 0, sizeof c);
    const clprims_segmented_sort_desc init = {0};
    c.desc = init;
    SORT_TAKE_KEYS(&c.desc, &keys);
    draw_arrays(&c);
    draw_shape(&c.desc, tuning);
    c.desc.max_n = 1 + fuzz_size(test_small() ? 300 : 20000);
    c.desc.max_segments = fuzz_between(1, test_small() ? 40 : 2000);
    fuzz_note("segmented sort of %s %s, floats %d, %zu payloads, indices %s, no_keys %d, "
              "descending %d, max_n %zu, max_segments %zu, algorithm %d, tuning %s",
              clprims_type_name(c.desc.type), text, (int)c.desc.floats, c.desc.payloads,
              clprims_type_name(c.desc.indices), c.desc.no_keys, c.desc.descending, c.desc.max_n,
              c.desc.max_segments, (int)c.desc.algorithm, tuning);
    if (!fuzz_created(clprims_segmented_sort_create(&plan, test_context(), &c.desc))) return;
    clprims_segmented_sort_destroy(plan);
    const size_t runs = fuzz_between(1, 6);
    for (size_t i = 0; i < runs; i++) {
        c.lead = fuzz_between(0, c.desc.max_n / 3);
        c.n = fuzz_between(0, c.desc.max_n - 2 * c.lead);
        c.segments = fuzz_between(0, c.desc.max_segments);
        c.data = (sort_data)fuzz_between(0, SORT_DATA_KINDS - 1);
        c.lengths = (segment_lengths)fuzz_between(0, LENGTHS_KINDS - 1);
        c.length = fuzz_between(0, 300);
        c.first = fuzz_between(0, 9);
        c.in_place = fuzz_coin();
        c.by_run = test_random_below(4) == 0;
        segmented_sort_is_right(&c);
    }
    subject_forget_plans();
}

/* Segments, or one array. */
static void draw_segments(clprims_topk_desc *desc) {
    if (fuzz_coin()) return;
    desc->max_segments = fuzz_between(1, test_small() ? 40 : 2000);
    desc->by = fuzz_coin() ? CLPRIMS_SEGMENTS_EQUAL : CLPRIMS_SEGMENTS_OFFSETS;
    if (desc->by == CLPRIMS_SEGMENTS_OFFSETS) desc->offsets = fuzz_index_type();
    desc->local_indices = desc->indices != CLPRIMS_TYPE_DEFAULT && fuzz_coin();
}

static void run_segments(const clprims_topk_desc *desc) {
    topk_segments_case c;
    memset(&c, 0, sizeof c);
    c.desc = *desc;
    c.data = (sort_data)fuzz_between(0, SORT_DATA_KINDS - 1);
    c.k = fuzz_between(1, desc->max_k);
    c.first = fuzz_between(0, 9);
    c.by_run = test_random_below(4) == 0;
    c.segments.n = fuzz_between(0, desc->max_n);
    c.segments.segments = fuzz_between(0, desc->max_segments);
    c.segments.lengths = (segment_lengths)fuzz_between(0, LENGTHS_KINDS - 1);
    c.segments.length = c.segments.n / desc->max_segments + 1 + fuzz_between(0, 300);
    c.segments.lead = fuzz_between(0, c.segments.n / 3);
    topk_segments_are_right(&c);
}

static void run_one_array(const clprims_topk_desc *desc) {
    topk_case c;
    memset(&c, 0, sizeof c);
    c.desc = *desc;
    c.n = fuzz_between(1, desc->max_n);
    c.k = fuzz_between(1, c.n < desc->max_k ? c.n : desc->max_k);
    c.data = (sort_data)fuzz_between(0, SORT_DATA_KINDS - 1);
    c.first = fuzz_between(0, 9);
    c.by_run = test_random_below(4) == 0;
    topk_is_right(&c);
}

void fuzz_topk(void) {
    char tuning[FUZZ_TUNING] = "", text[SORT_KEYS_TEXT] = "";
    const clprims_sort_desc keys = draw_keys(text);
    clprims_topk_desc desc;
    clprims_topk *plan = NULL;
    memset(&desc, 0, sizeof desc);
    SORT_TAKE_KEYS(&desc, &keys);
    desc.least = fuzz_coin();
    if (fuzz_coin()) desc.indices = fuzz_index_type();
    desc.no_values = desc.indices != CLPRIMS_TYPE_DEFAULT && fuzz_coin();
    desc.max_n = 1 + fuzz_size(test_small() ? 300 : 50000);
    desc.max_k = fuzz_between(1, desc.max_n);
    if (fuzz_coin()) desc.max_k = 1 + desc.max_k % 40; /* few of many, by samples */
    if (desc.max_k > desc.max_n) desc.max_k = desc.max_n;
    draw_segments(&desc);
    if (desc.max_segments > 0) desc.max_k = 1 + desc.max_k % 400; /* of each segment */
    if (desc.max_k > desc.max_n) desc.max_k = desc.max_n;
    if (fuzz_coin() && test_bears_shapes()) {
        const fuzz_cap caps[] = {{"GROUP", 16}, {"GROUPS", 30},   {"ROOM", 2000},
                                 {"FEW", 3000}, {"SAMPLE", 2000}, {NULL, 0}};
        fuzz_draw_knobs(clp_topk_knobs, CLP_TOPK_KNOBS, caps, tuning);
        desc.tuning = tuning;
    }
    fuzz_note("topk of %s %s, floats %d, least %d, indices %s, no_values %d, max_n %zu, "
              "max_k %zu, max_segments %zu, by %d, offsets %s, local_indices %d, tuning %s",
              clprims_type_name(desc.type), text, (int)desc.floats, desc.least,
              clprims_type_name(desc.indices), desc.no_values, desc.max_n, desc.max_k,
              desc.max_segments, (int)desc.by, clprims_type_name(desc.offsets), desc.local_indices,
              tuning);
    if (!fuzz_created(clprims_topk_create(&plan, test_context(), &desc))) return;
    clprims_topk_destroy(plan);
    const size_t runs = fuzz_between(1, 6);
    for (size_t i = 0; i < runs; i++) {
        if (desc.max_segments > 0)
            run_segments(&desc);
        else
            run_one_array(&desc);
    }
    subject_forget_plans();
}
