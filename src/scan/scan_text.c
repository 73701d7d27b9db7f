/* SPDX-License-Identifier: MIT */
/* The scan's program: a prelude that holds every choice, and the files that belong to it. */
#include "core/program.h"
#include "core/type.h"
#include "scan/scan_engine.h"

/* The operator on vectors, and the way of such vectors from and to memory. */
static void add_wide(clp_text *text, const clp_scan_spec *spec, size_t simd) {
    const char *value = clp_type_text(spec->what.working);
    const char *stored = clp_type_text(spec->what.accumulator);
    clp_text_add(text, "#define CLP_A_WIDE %s%zu\n#define CLP_OUT_WIDE %s%zu\n", value, simd,
                 stored, simd);
    clp_text_add(text, "#define CLP_STORED_WIDE(value) convert_%s%zu(value)\n", stored, simd);
    clp_text_add(text, "#define CLP_INPUT_WIDE %d\n", spec->what.input == NULL);
    clp_text_add(text, "#define CLP_EXACT_IDENTITY %d\n", !clp_type_is_float(spec->what.working));
    if (spec->what.input == NULL) {
        clp_text_add(text, "#define CLP_E_WIDE %s%zu\n", clp_type_text(spec->what.type), simd);
        clp_text_add(text, "#define CLP_WIDENED(x) convert_%s%zu(convert_%s%zu(x))\n", value, simd,
                     stored, simd);
    }
    clp_text_add(text,
                 "static inline CLP_A_WIDE clp_op_wide(CLP_A_WIDE a, CLP_A_WIDE b) "
                 "{ return (%s); }\n",
                 clp_op_text(spec->what.op, spec->what.working));
}

/* Whether bytes or halves are added as they stand in an array. */
static bool adds_narrow_elements(const clp_operation *what) {
    return what->op == CLPRIMS_ADD && what->input == NULL && what->has_input_array &&
           what->type_bytes <= 2;
}

/* Sums of bytes and halves, whose low bits are all that counts, are made within words. */
static bool is_packed(const clp_operation *what) {
    return adds_narrow_elements(what) && what->type_bytes == what->accumulator_bytes;
}

static bool sums_longs(const clp_operation *what) {
    return what->op == CLPRIMS_ADD && what->working_bytes == 8 && !clp_type_is_float(what->working);
}

/* Sums of bytes and halves to 64 bits, while they are small. */
static void choose_short_sums(const clp_operation *what, clp_shape *shape, bool *word_sums) {
    const bool integers = !clp_type_is_float(what->accumulator) && what->accumulator_bytes == 8;
    if (shape->stages == 0 || !integers || !adds_narrow_elements(what)) return;
    const size_t largest = ((size_t)1 << 8 * what->type_bytes) - 1;
    shape->short_sums = largest * shape->tile <= INT32_MAX;
    *word_sums = largest * shape->tile * 32 * shape->units <= INT32_MAX;
}

static void add_prelude(clp_text *text, const clp_device *device, const clp_scan_spec *spec,
                        const clp_shape *chosen) {
    clp_shape refined = *chosen;
    bool word_sums = spec->word_sums;
    choose_short_sums(&spec->what, &refined, &word_sums);
    const clp_shape *shape = &refined;
    clp_text_add_operation(text, device, &spec->what);
    clp_text_add(text, "#define CLP_GUARD %d\n", spec->what.op == CLPRIMS_CUSTOM);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_REPORTS 0\n");
    clp_text_add(text, "#define CLP_REPRODUCIBLE %d\n", spec->order_matters);
    clp_shape_add(text, shape, spec->what.working_bytes, word_sums);
    const bool packed = shape->group > 1 && is_packed(&spec->what);
    clp_text_add(text, "#define CLP_PACKED %d\n", packed);
    if (packed) clp_text_add_each(text, "CLP_EACH_ITEM", shape->vec * spec->what.type_bytes / 4);
    if (shape->few) clp_text_add(text, "#define CLP_LONG_SUMS %d\n", sums_longs(&spec->what));
    clp_text_add(text, "#define CLP_FALLBACK %d\n",
                 spec->algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK);
    if (shape->group == 1 && shape->simd > 1) add_wide(text, spec, shape->simd);
}

clprims_status clp_scan_build(const clprims_context *context, const clp_scan_spec *spec,
                              const clp_shape *shape, cl_program *program) {
    const char *tile = shape->group == 1 ? "tile/tile_serial.cl" : "tile/tile.cl";
    const char *const lookback[] = {"tile/types.cl",
                                    "tile/io.cl",
                                    "tile/items.cl",
                                    tile,
                                    "engine/group_scan.cl",
                                    "engine/lookback.cl",
                                    "engine/lookback_kernel.cl",
                                    NULL};
    const char *const lookahead[] = {"tile/types.cl",
                                     "tile/io.cl",
                                     "tile/items.cl",
                                     "tile/unaligned.cl",
                                     tile,
                                     "engine/lookback.cl",
                                     "engine/lookahead.cl",
                                     "engine/lookahead_sums.cl",
                                     "engine/lookahead_kernel.cl",
                                     NULL};
    const char *const wave[] = {"tile/types.cl",
                                "tile/io.cl",
                                "tile/items.cl",
                                tile,
                                "engine/group_scan.cl",
                                "engine/lookback.cl",
                                "engine/single_wave_tile.cl",
                                shape->few ? "engine/single_wave_small.cl"
                                           : "engine/single_wave.cl",
                                NULL};
    const char *const apart[] = {"tile/types.cl",
                                 "tile/io.cl",
                                 "tile/items.cl",
                                 tile,
                                 "engine/lookback.cl",
                                 "engine/lookback_specialised.cl",
                                 NULL};
    const char *const levels[] = {
        "tile/types.cl",       "tile/io.cl", "tile/items.cl", tile, "engine/group_scan.cl",
        "scan/scan_levels.cl", NULL};
    const char *const serial[] = {"tile/types.cl",
                                  "tile/io.cl",
                                  "tile/items.cl",
                                  tile,
                                  "engine/lookback.cl",
                                  "engine/lookback_serial.cl",
                                  NULL};
    const char *const *parts = shape->wave ? wave : lookback;
    if (shape->apart) parts = apart;
    if (shape->group == 1) parts = serial;
    if (spec->algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD) parts = lookahead;
    if (spec->algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) parts = levels;
    clp_text prelude = {0};
    add_prelude(&prelude, &context->device, spec, shape);
    const clprims_status status = clp_program_build(context, "scan", &prelude, parts, program);
    clp_text_free(&prelude);
    return status;
}
