/* SPDX-License-Identifier: MIT */
/* The program of a sort: a prelude that holds every choice, and the files that belong to it. */
#include "cl_sources.h"
#include "core/test_hooks.h"
#include "core/type.h"
#include "sort/sort_plan.h"

#include <stdio.h>

const char *clp_sort_unsigned(size_t bytes) {
    return bytes == 1 ? "uchar" : bytes == 2 ? "ushort" : bytes == 4 ? "uint" : "ulong";
}

int clp_sort_order(clprims_type type, clprims_sort_floats floats) {
    if (clp_type_is_float(type)) return 2 + (int)floats;
    return type <= CLPRIMS_I64;
}

void clp_sort_add_keys(clp_text *text, const clp_sort_spec *spec) {
    clp_text_add(text, "#define CLP_K %s\n#define CLP_K_BYTES %zu\n",
                 clp_sort_unsigned(spec->key_bytes), spec->key_bytes);
    clp_text_add(text, "#define CLP_ORDER %d\n#define CLP_DESCENDING %d\n",
                 clp_sort_order(spec->type, spec->floats), spec->descending);
    if (spec->type == CLPRIMS_F32) clp_text_add(text, "#define CLP_INFINITY_BITS 0x7f800000u\n");
    if (spec->type == CLPRIMS_F64) {
        clp_text_add(text, "#define CLP_INFINITY_BITS 0x7ff0000000000000ul\n");
    }
    clp_text_add(text, "#define CLP_NO_KEYS %d\n", spec->no_keys);
}

static void add_run(clp_text *text, const clp_sort_spec *spec) {
    enum { REPORT_BYTES = sizeof(clprims_sort_report) };
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_COUNT_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_text_add(text, "#define CLP_BEGIN_BIT %u\n#define CLP_END_BIT %u\n", spec->begin,
                 spec->end);
}

void clp_sort_add_payload(clp_text *text, size_t k, size_t bytes) {
    char name[16];
    snprintf(name, sizeof name, "clp_value%zu", k);
    clp_text_add_moved(text, name, bytes);
    clp_text_add(text, "#define CLP_VALUE%zu_TYPE clp_value%zu\n", k, k);
}

static void add_indices(clp_text *text, size_t k, clprims_type indices) {
    const char *type = clp_type_text(indices);
    clp_text_add(text, "#define CLP_VALUE%zu_TYPE %s\n", k, type);
    clp_text_add(text, "#define CLP_VALUE%zu_AT(from, makes, i) ((makes) ? (%s)(i) : (from)[i])\n",
                 k, type);
}

static void add_values(clp_text *text, const clp_sort_spec *spec) {
    const size_t moved = spec->payloads + (clp_sort_moves_elements(spec) ? 1 : 0);
    size_t k = 0;
    for (; k < moved; k++) {
        clp_sort_add_payload(text, k, spec->value_bytes[k]);
        clp_text_add(text, "#define CLP_VALUE%zu_AT(from, makes, i) (from)[i]\n", k);
    }
    if (clp_sort_has_order(spec)) add_indices(text, k++, spec->order);
    if (clp_sort_has_indices(spec)) add_indices(text, k, spec->indices);
    clp_text_add_each(text, "CLP_EACH_VALUE", spec->values);
}

static void add_passes(clp_text *text, const clp_sort_shape *shape) {
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_COUNT %s\n", shape->group,
                 clp_sort_unsigned(shape->count_bytes));
    clp_text_add(text, "#define CLP_BITS %zu\n#define CLP_DIGITS %zu\n#define CLP_PASSES %zu\n",
                 shape->bits, shape->digits, shape->passes);
    clp_text_add_each(text, "CLP_EACH_ROUND", clp_sort_rounds(shape->group));
}

static void add_tiles(clp_text *text, const clprims_sort *plan, const clp_sort_shape *shape) {
    add_passes(text, shape);
    clp_text_add(text, "#define CLP_ITEMS %zu\n#define CLP_LANES %zu\n#define CLP_RETURNS %d\n",
                 shape->items, clp_sort_team(plan, shape), !plan->head.context->device.is_cpu);
    clp_text_add(text, "#define CLP_COUNT4 %s4\n", clp_sort_unsigned(shape->count_bytes));
    clp_text_add_each(text, "CLP_EACH_PASS", shape->passes);
}

static void add_serial(clp_text *text, const clp_sort_shape *shape) {
    add_passes(text, shape);
    clp_text_add(text, "#define CLP_LINE %zu\n#define CLP_STREAM_N %zuul\n", shape->line,
                 shape->stream);
}

/* Rows of keys that a work-item ranks at once, with their values. */
static size_t rows_matched(const clprims_sort *plan, const clp_sort_shape *shape) {
    enum { MOST_BYTES = 16 }; /* of four rows, in registers */
    size_t bytes = 0;
    for (size_t k = 0; k < plan->spec.values; k++) bytes += plan->spec.value_bytes[k];
    return bytes > MOST_BYTES ? 1 : shape->items % 4 == 0 ? 4 : 2;
}

void clp_sort_add_words(clp_text *text, const clp_sort_spec *spec, bool exist, size_t most) {
    const size_t bytes = exist ? clp_sort_word_bytes(spec) : sizeof(cl_ulong);
    clp_text_add(text, "#define CLP_MOST_WORDS %zu\n", most);
    clp_text_add(text, "#define CLP_PACKS %d\n#define CLP_WORD %s\n#define CLP_WORD_BYTES %zu\n",
                 exist && clp_sort_packs(spec), bytes == 16 ? "ulong2" : clp_sort_unsigned(bytes),
                 bytes);
}

static void add_network(clp_text *text, const clprims_sort *plan, const clp_sort_shape *shape) {
    const size_t tiles = (shape->network + CLP_NETWORK_TILE - 1) / CLP_NETWORK_TILE;
    clp_text_add(text, "#define CLP_MERGED_TILES %zu\n", tiles);
    clp_sort_add_words(text, &plan->spec, tiles > 0, CLP_NETWORK_WORDS);
}

static void add_onesweep(clp_text *text, const clprims_sort *plan, const clp_sort_shape *shape) {
    add_passes(text, shape);
    clp_text_add(text, "#define CLP_RANKERS %zu\n#define CLP_ITEMS %zu\n#define CLP_COLUMNS %zu\n",
                 shape->rankers, shape->items, shape->columns);
    clp_text_add(text, "#define CLP_VALUES %zu\n#define CLP_WIDE %d\n", plan->spec.values,
                 shape->count_bytes == sizeof(cl_ulong));
    add_network(text, plan, shape);
    clp_text_add(text, "#define CLP_PASS_ONLY %d\n#define CLP_IN_SEGMENTS %d\n",
                 shape != &plan->shape || plan->most_segments > 0, plan->most_segments > 0);
    clp_text_add(text, "#define CLP_COUNT_PARTS %zu\n", shape->count_parts);
    clp_text_add(text, "#define CLP_TABLE_COLUMNS %zu\n",
                 shape == &plan->shape ? shape->table_columns : 0);
    clp_text_add(text, "#define CLP_DELAYED_TILES %zu\n", clp_test_hooks_get()->delay);
    clp_text_add(text, "#define CLP_DISORDER %d\n", clp_test_hooks_get()->disorder != 0);
    clp_text_add(text, "#define CLP_SAME_IF_EQUAL %d\n#define CLP_MATCHED %zu\n",
                 clp_sort_takes_all_bits(&plan->spec), rows_matched(plan, shape));
    clp_text_add_each(text, "CLP_EACH_PASS", shape->passes);
}

/* What every program of the plan begins with. */
static void begin(clp_text *prelude, const clprims_sort *plan) {
    add_run(prelude, &plan->spec);
    clp_sort_add_keys(prelude, &plan->spec);
    add_values(prelude, &plan->spec);
}

#define COMMON                                                                                     \
    &clp_count_report_cl, &clp_count_cl, &clp_sort_keys_cl, &clp_sort_sums_cl, &clp_sort_cl
#define ONESWEEP &clp_device_nvidia_ranks_cl, COMMON, &clp_sort_onesweep_keys_cl
#define PASS &clp_sort_onesweep_digits_cl, &clp_sort_onesweep_cl, &clp_sort_onesweep_pass_cl

clprims_status clp_sort_build(clprims_sort *plan) {
    static const clp_part tile[] = {COMMON, &clp_sort_copy_cl, &clp_sort_tile_cl, NULL};
    static const clp_part serial[] = {COMMON, &clp_sort_serial_cl, NULL};
    static const clp_part onesweep[] = {ONESWEEP,
                                        &clp_sort_onesweep_counts_cl,
                                        PASS,
                                        &clp_sort_network_cl,
                                        &clp_sort_onesweep_few_cl,
                                        &clp_sort_copy_cl,
                                        NULL};
    static const clp_part pass[] = {ONESWEEP, PASS, NULL};
    static const clp_part runs[] = {ONESWEEP,
                                    &clp_sort_onesweep_counts_cl,
                                    &clp_sort_onesweep_digits_cl,
                                    &clp_sort_network_cl,
                                    &clp_sort_onesweep_few_cl,
                                    NULL};
    static const clp_part segments[] = {ONESWEEP, PASS, &clp_sort_onesweep_segments_cl, NULL};
    clp_text prelude = {0};
    begin(&prelude, plan);
    if (clp_sort_is_serial(plan)) {
        add_serial(&prelude, &plan->shape);
        return clp_plan_build(&plan->head, &prelude, serial, 0, &plan->program);
    }
    if (!clp_sort_is_onesweep(plan)) {
        add_tiles(&prelude, plan, &plan->shape);
        return clp_plan_build(&plan->head, &prelude, tile, 0, &plan->program);
    }
    add_onesweep(&prelude, plan, &plan->shape);
    CLP_TRY(clp_plan_build(&plan->head, &prelude,
                           plan->most_segments > 0      ? segments
                           : clp_sort_writes_runs(plan) ? runs
                                                        : onesweep,
                           0, &plan->program));
    if (plan->shape.small_n == 0) return CLPRIMS_OK;
    begin(&prelude, plan);
    add_onesweep(&prelude, plan, &plan->small);
    return clp_plan_build(&plan->head, &prelude, pass, 0, &plan->small_program);
}
