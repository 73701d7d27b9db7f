/* SPDX-License-Identifier: MIT */
/* Draws sorts: types, orders, windows, payloads, indices, algorithms, knobs, places. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_keys.h"
#include "fuzz/fuzz_passes.h"
#include "sort/sort_plan.h"

static void draw_knobs(clprims_sort_algorithm algorithm, char tuning[FUZZ_TUNING]) {
    const bool serial = algorithm == CLPRIMS_SORT_SERIAL;
    const fuzz_cap none[] = {{NULL, 0}};
    if (algorithm == CLPRIMS_SORT_ONESWEEP) {
        fuzz_draw_knobs(clp_onesweep_knobs, CLP_ONESWEEP_KNOBS, none, tuning);
        return;
    }
    const fuzz_cap caps[] = {{"GROUP", serial ? 1 : 64},       {"ITEMS", 9},
                             {"BITS", serial ? 12 : 8},        {"PARTS", 40},
                             {"SINGLE", serial ? 1 << 24 : 4}, {NULL, 0}};
    fuzz_draw_knobs(clp_sort_knobs, CLP_SORT_KNOBS, caps, tuning);
}

static void draw_window(clprims_sort_desc *desc) {
    const size_t bits = 8 * clprims_type_bytes(desc->type);
    const size_t one = fuzz_between(0, bits), other = fuzz_between(0, bits);
    const bool is_float = desc->type >= CLPRIMS_F32;
    if (!fuzz_coin()) return;
    /* The twin compares numbers, not their bits. */
    if (is_float && desc->floats == CLPRIMS_SORT_NAN_LAST) return;
    desc->begin_bit = (unsigned)(one < other ? one : other);
    desc->end_bit = (unsigned)(one < other ? other : one);
}

static void draw_arrays(clprims_sort_desc *desc) {
    desc->payloads = fuzz_between(0, fuzz_coin() ? 1 : CLPRIMS_SORT_PAYLOADS);
    for (size_t k = 0; k < desc->payloads; k++)
        desc->payload_bytes[k] = fuzz_between(1, fuzz_coin() ? 16 : 256);
    if (fuzz_coin()) desc->indices = fuzz_index_type();
    const bool has_others = desc->payloads > 0 || desc->indices != CLPRIMS_TYPE_DEFAULT;
    desc->no_keys = has_others && fuzz_coin();
}

void fuzz_draw_keys(clprims_sort_desc *desc, char text[SORT_KEYS_TEXT]) {
    clprims_type types[CLPRIMS_SORT_KEYS] = {desc->type};
    const size_t way = test_random_below(4);
    if (way == 0) desc->key = "x";
    if (way != 1) return;
    for (size_t k = 1; k < CLPRIMS_SORT_KEYS; k++) {
        types[k] = fuzz_coin() ? desc->type : (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    }
    sort_by_keys(desc, types, fuzz_between(2, CLPRIMS_SORT_KEYS), text);
}

void fuzz_sort(void) {
    char tuning[FUZZ_TUNING] = "", text[SORT_KEYS_TEXT] = "";
    sort_case c;
    clprims_sort *plan = NULL;
    memset(&c, 0, sizeof c);
    const clprims_sort_desc init = {0};
    c.desc = init;
    c.desc.type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    c.desc.descending = fuzz_coin();
    c.desc.floats = (clprims_sort_floats)fuzz_between(0, CLPRIMS_SORT_TOTAL_ORDER);
    draw_window(&c.desc);
    draw_arrays(&c.desc);
    fuzz_draw_keys(&c.desc, text);
    c.desc.max_n = 1 + fuzz_size(test_small() ? 300 : 100000);
    c.desc.algorithm = (clprims_sort_algorithm)fuzz_between(
        0, test_info().layer == CLPRIMS_LAYER_NVIDIA ? CLPRIMS_SORT_ONESWEEP : CLPRIMS_SORT_SERIAL);
    if (fuzz_coin() && test_bears_shapes() && c.desc.algorithm != CLPRIMS_SORT_AUTO) {
        draw_knobs(c.desc.algorithm, tuning);
        c.desc.tuning = tuning;
    }
    fuzz_note("sort of %s%s %s, floats %d, bits [%u, %u), %zu payloads, indices %s, no_keys %d, "
              "descending %d, max_n %zu, %s, tuning %s",
              clprims_type_name(c.desc.type), c.desc.key != NULL ? " by an expression" : "", text,
              (int)c.desc.floats, c.desc.begin_bit, c.desc.end_bit, c.desc.payloads,
              clprims_type_name(c.desc.indices), c.desc.no_keys, c.desc.descending, c.desc.max_n,
              clprims_sort_algorithm_name(c.desc.algorithm), tuning);
    if (!fuzz_created(clprims_sort_create(&plan, test_context(), &c.desc))) return;
    clprims_sort_destroy(plan);
    const size_t runs = fuzz_between(4, 12);
    for (size_t i = 0; i < runs; i++) {
        c.least_n = c.most_n = fuzz_pass_size(c.desc.max_n);
        c.data = (sort_data)fuzz_between(0, SORT_DATA_KINDS - 1);
        c.first = fuzz_between(0, 9);
        c.keys_in_place = fuzz_coin();
        c.payloads_in_place = fuzz_coin();
        c.by_run = test_random_below(4) == 0;
        sort_is_right(&c);
    }
    subject_forget_plans();
}
