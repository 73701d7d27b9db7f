/* SPDX-License-Identifier: MIT */
/* The scan's program: a prelude that holds every choice, and the files that belong to it. */
#include "cl_sources.h"
#include "core/type.h"
#include "scan/scan_engine.h"

/* Of clp_report in cl/engine/count_report.cl. */
enum { REPORT_BYTES = sizeof(clprims_scan_report) };

/* Defines the operator on vectors, and how vectors are loaded and stored. */
static void add_wide(clp_text *text, const clp_scan_spec *spec, size_t simd) {
    const char *value = clp_type_text(spec->what.working);
    const char *stored = clp_type_text(spec->what.accumulator);
    const char *out = clp_type_text(spec->what.out_type);
    clp_text_add(text, "#define CLP_A_WIDE %s%zu\n#define CLP_OUT_WIDE %s%zu\n", value, simd, out,
                 simd);
    clp_text_add(text, "#define CLP_STORED_WIDE(value) convert_%s%zu(convert_%s%zu(value))\n", out,
                 simd, stored, simd);
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
                 clp_op_text(spec->what.op, spec->what.working, false));
}

/* Whether the scan adds bytes or halves, unchanged from an array. */
static bool adds_narrow_elements(const clp_operation *what) {
    return what->op == CLPRIMS_ADD && what->input == NULL && what->has_input_array &&
           what->type_bytes <= 2;
}

/* Whether sums of bytes and halves are computed within words: only their low bits count. */
static bool is_packed(const clp_operation *what) {
    return adds_narrow_elements(what) && what->result == NULL &&
           what->out_type == what->accumulator && what->type_bytes == what->accumulator_bytes;
}

/* Whether the scan adds integers of 64 bits. */
static bool sums_longs(const clp_operation *what) {
    return what->op == CLPRIMS_ADD && what->working_bytes == 8 && !clp_type_is_float(what->working);
}

/* Chooses 32-bit words for sums of bytes and halves to 64 bits: within a tile if they fit, and for
 * the aggregates of a batch if these fit too. */
static void choose_short_sums(const clp_operation *what, clp_shape *shape, bool *word_sums) {
    const bool integers = !clp_type_is_float(what->accumulator) && what->accumulator_bytes == 8;
    if (!clp_shape_is_ring(shape) || !integers || !adds_narrow_elements(what)) return;
    const size_t largest = ((size_t)1 << 8 * what->type_bytes) - 1;
    shape->ring.short_sums = largest * shape->tile <= INT32_MAX;
    *word_sums = largest * shape->tile * 32 * shape->ring.units <= INT32_MAX;
}

clprims_status clp_scan_prelude(const clprims_context *context, const void *user,
                                const clp_shape *chosen, clp_text *text) {
    const clp_scan_spec *spec = user;
    clp_shape shape = *chosen;
    bool word_sums = spec->word_sums;
    choose_short_sums(&spec->what, &shape, &word_sums);
    clp_text_add_operation(text, context, &spec->what);
    clp_text_add_stored(text, &spec->what, true, "CLP_R r, CLP_R previous, ulong i");
    clp_text_add(text, "#define CLP_GUARD %d\n", spec->what.op == CLPRIMS_CUSTOM);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_REPORTS 0\n");
    clp_text_add(text, "#define CLP_COUNT_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_text_add(text, "#define CLP_REPRODUCIBLE %d\n", spec->order_matters);
    clp_shape_add(text, &shape, spec->what.working_bytes, word_sums);
    const bool packed = !clp_shape_is_serial(&shape) && is_packed(&spec->what);
    clp_text_add(text, "#define CLP_PACKED %d\n", packed);
    if (shape.variant == CLP_SINGLE_WAVE_SMALL) {
        clp_text_add(text, "#define CLP_LONG_SUMS %d\n", sums_longs(&spec->what));
    }
    if (clp_shape_simd(&shape) > 1) add_wide(text, spec, shape.serial.simd);
    return CLPRIMS_OK;
}

/* ---- The programs ---- */

#define TILE_PARTS                                                                                 \
    &clp_count_report_cl, &clp_count_cl, &clp_types_cl, &clp_parameters_cl, &clp_io_cl,            \
        &clp_items_cl

static const clp_part serial[] = {TILE_PARTS, &clp_tile_serial_cl, &clp_lookback_cl,
                                  &clp_lookback_serial_cl, NULL};
static const clp_part lookback[] = {TILE_PARTS, CLP_LOOKBACK_PARTS, NULL};
static const clp_part wave[] = {TILE_PARTS, CLP_WAVE_PARTS(&clp_single_wave_cl), NULL};
static const clp_part small_wave[] = {TILE_PARTS, CLP_WAVE_PARTS(&clp_single_wave_small_cl), NULL};
static const clp_part lookahead[] = {TILE_PARTS, CLP_LOOKAHEAD_PARTS, NULL};
static const clp_part levels[] = {TILE_PARTS, CLP_LEVELS_PARTS, NULL};
static const clp_part levels_serial[] = {TILE_PARTS, CLP_LEVELS_SERIAL_PARTS, NULL};

const clp_variant_program clp_scan_programs[CLP_VARIANTS] = {
    CLP_SCAN_PROGRAMS(serial, lookback, wave, lookahead, levels, levels_serial),
    [CLP_SINGLE_WAVE_SMALL] = {"clp_scan_single_wave_small", small_wave},
};
