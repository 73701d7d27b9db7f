/* SPDX-License-Identifier: MIT */
/* From a scan's description to a checked spec and a shape: every default and every refusal. */
#include "core/check.h"
#include "core/type.h"
#include "scan/scan_engine.h"

/* ---- The algorithm ---- */

static bool is_staged(const clp_operation *what) {
    return clp_pass_stages(what->type_bytes) && clp_pass_stages(what->accumulator_bytes) &&
           clp_pass_stages(what->out_bytes);
}

static clprims_algorithm choose(const clprims_context *context, const clp_scan_spec *spec,
                                const char **reason) {
    if (!context->device.has_int64_atomics) {
        *reason = "the device has no 64-bit atomics";
        return CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    }
    if (!context->words_arrive) {
        *reason = "the probe missed words that the device's work-groups publish";
        return CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    }
    if (!context->groups_progress) {
        *reason = "the probe saw no forward progress of resident work-groups";
        return CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    }
    if (clp_pass_can_look_ahead(context) && is_staged(&spec->what)) {
        *reason = "persistent work-groups prefetch tiles into local memory";
        return CLPRIMS_ALGORITHM_LOOKAHEAD;
    }
    if (spec->order_matters && !context->device.is_cpu && context->layer != CLPRIMS_LAYER_LOCAL) {
        *reason = "a reproducible look-back would be slower here than reading the input twice";
        return CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    }
    *reason = "this device guarantees forward progress of resident work-groups";
    return CLPRIMS_ALGORITHM_LOOKBACK;
}

static clprims_status choose_algorithm(const clprims_context *context, clprims_algorithm wanted,
                                       clp_scan_spec *spec, const char **reason) {
    const char *name = clprims_algorithm_name(wanted);
    spec->algorithm = wanted;
    *reason = "the caller asked for it";
    if (wanted == CLPRIMS_ALGORITHM_AUTO) {
        spec->algorithm = choose(context, spec, reason);
        return CLPRIMS_OK;
    }
    if (wanted == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) return CLPRIMS_OK;
    CLP_TRY(clp_pass_check_words(context, "scan", wanted));
    CLP_FAIL_IF(wanted == CLPRIMS_ALGORITHM_LOOKAHEAD && !clp_pass_can_look_ahead(context),
                CLPRIMS_ERR_UNSUPPORTED,
                "scan: %s needs the nvidia layer; this is the %s layer of \"%s\"", name,
                clprims_layer_name(context->layer), context->device.info.name);
    CLP_FAIL_IF(wanted == CLPRIMS_ALGORITHM_LOOKAHEAD && !is_staged(&spec->what),
                CLPRIMS_ERR_UNSUPPORTED,
                "scan: elements of %zu and %zu bytes; %s takes 1, 2 or a multiple of 4; use "
                "lookback",
                spec->what.type_bytes, spec->what.accumulator_bytes, name);
    CLP_FAIL_IF(wanted == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK && spec->order_matters,
                CLPRIMS_ERR_UNSUPPORTED,
                "scan: %s can't promise the same bits in every run; set fast_floats or "
                "use lookback or reduce-then-scan",
                name);
    return CLPRIMS_OK;
}

clprims_status clp_scan_spec_fill(const clprims_context *context, const clprims_scan_desc *desc,
                                  clp_scan_spec *spec, void *start, const char **reason) {
    CLP_TRY(clp_check_enumerator("scan", "algorithm", (int)desc->algorithm,
                                 CLPRIMS_ALGORITHM_LOOKAHEAD, "clprims_algorithm"));
    CLP_TRY(clp_check_max_n("scan", desc->max_n, SIZE_MAX));
    *spec = (clp_scan_spec){.what = {CLP_OPERATION_OF(desc), .inclusive = desc->inclusive != 0},
                            .max_n = desc->max_n};
    CLP_TRY(clp_operation_fill(context, "scan", desc->init, &spec->what, start));
    CLP_FAIL_IF(!desc->inclusive && clp_operation_names(&spec->what, "previous"),
                CLPRIMS_ERR_ARGUMENT,
                "scan: desc.result names previous, which inclusive scans have; r of this "
                "exclusive one is the result before the element");
    spec->order_matters = !desc->fast_floats && clp_operation_rounds(&spec->what);
    spec->word_sums = spec->what.op == CLPRIMS_ADD && spec->what.working_bytes == 4 &&
                      !clp_type_is_float(spec->what.working);
    return choose_algorithm(context, desc->algorithm, spec, reason);
}

/* SIMD width: elements in a 64-byte (AVX-512) vector; OpenCL C has no vectors of more than 16. */
static size_t choose_simd(const clp_scan_spec *spec) {
    if (spec->what.op == CLPRIMS_CUSTOM || spec->what.result != NULL) return 1;
    return spec->what.working_bytes <= 4 ? 16 : 8;
}

clp_pass_need clp_scan_need(const clp_scan_spec *spec, const char *tuning) {
    /* A lane's outputs are 16 bytes then: with more, its stores would leave gaps. */
    const bool narrow_in = spec->what.has_input_array &&
                           spec->what.type_bytes < spec->what.out_bytes &&
                           spec->what.out_bytes <= 16 && 16 % spec->what.out_bytes == 0;
    const size_t bytes = spec->what.type_bytes;
    const bool users = spec->what.op == CLPRIMS_CUSTOM;
    /* A user's operator on narrow elements takes longer than memory does. */
    const bool many = narrow_in || (users && bytes <= 4);
    const bool small_tiles = !many && (bytes == 2 || bytes == 4);
    const bool narrowest = narrow_in && 8 * bytes == spec->what.out_bytes;
    const bool rows_of_6 = small_tiles || (narrow_in && !narrowest);
    const bool short_batches = narrowest || (!many && !users && (bytes == 1 || bytes == 8));
    return (clp_pass_need){.who = "scan",
                           .programs = clp_scan_programs,
                           .prelude = clp_scan_prelude,
                           .user = spec,
                           .algorithm = spec->algorithm,
                           .tuning = tuning,
                           .element_bytes = spec->what.type_bytes,
                           .vec = clp_shape_vec(spec->what.type_bytes, spec->what.out_bytes),
                           .value_bytes = spec->what.working_bytes,
                           .staged_bits =
                               spec->what.has_input_array ? 8 * spec->what.type_bytes : 0,
                           .simd = choose_simd(spec),
                           .out_bytes = spec->what.out_bytes,
                           .commutes = !users,
                           .max_n = spec->max_n,
                           /* Measured on an H200. */
                           .ring = {.bursts = narrow_in && 4 * bytes <= spec->what.out_bytes,
                                    .scanners = many ? 12 : 0,
                                    .reducers = many ? 6 : 0,
                                    .rows = rows_of_6 ? 6
                                            : many    ? 5
                                                      : 0,
                                    .vec = narrow_in ? 16 / spec->what.out_bytes : 0,
                                    .stages = small_tiles ? 8 : 0,
                                    .units = short_batches ? 2 : 0}};
}
