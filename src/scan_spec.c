/* SPDX-License-Identifier: MIT */
/* From a scan's description to a checked spec and a shape: every default and every refusal. */
#include "scan_engine.h"

#include <string.h>

/* ---- The caller's values ---- */

static bool is_type(clprims_type type) {
    return type == CLPRIMS_STRUCT || clprims_type_bytes(type) > 0;
}

static clprims_status check_enumerators(const clprims_scan_desc *desc) {
    if (desc->struct_size != sizeof *desc) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: desc.struct_size = %zu, not %zu; start from CLPRIMS_SCAN_DESC_INIT",
                        desc->struct_size, sizeof *desc);
    }
    if (!is_type(desc->type)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: type = %d is none of clprims_type",
                        (int)desc->type);
    }
    if (desc->accumulator != CLPRIMS_TYPE_DEFAULT && !is_type(desc->accumulator)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: accumulator = %d is none of clprims_type",
                        (int)desc->accumulator);
    }
    if ((unsigned)desc->op > CLPRIMS_CUSTOM) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: op = %d is none of clprims_op", (int)desc->op);
    }
    if ((unsigned)desc->algorithm > CLPRIMS_SCAN_LOOKAHEAD) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: algorithm = %d is none of clprims_scan_algorithm",
                        (int)desc->algorithm);
    }
    if (desc->max_n == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: max_n = 0; set the largest n that the plan will be given");
    }
    return CLPRIMS_OK;
}

static clprims_status check_struct(const clp_scan_spec *spec) {
    const clprims_custom *custom = &spec->custom;
    if (spec->type != CLPRIMS_STRUCT && spec->accumulator != CLPRIMS_STRUCT) return CLPRIMS_OK;
    if (custom->type_name == NULL || custom->declarations == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: CLPRIMS_STRUCT needs custom.type_name and custom.declarations; "
                        "%s is NULL",
                        custom->type_name == NULL ? "type_name" : "declarations");
    }
    if (custom->type_bytes == 0 || custom->type_bytes % 4 != 0 ||
        custom->type_bytes > CLP_SCAN_LARGEST_VALUE) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: custom.type_bytes = %zu; it must be a multiple of 4 from 4 to %d",
                        custom->type_bytes, CLP_SCAN_LARGEST_VALUE);
    }
    if (spec->accumulator == CLPRIMS_STRUCT && spec->op != CLPRIMS_CUSTOM) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: operator %s does not know structs; use CLPRIMS_CUSTOM",
                        clprims_op_name(spec->op));
    }
    if (spec->type != spec->accumulator && spec->input == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: from %s to %s there is no conversion; give one as desc.input",
                        clprims_type_name(spec->type), clprims_type_name(spec->accumulator));
    }
    return CLPRIMS_OK;
}

static clprims_status check_operator(const clprims_context *context, const clp_scan_spec *spec) {
    const bool bits = spec->op == CLPRIMS_AND || spec->op == CLPRIMS_OR || spec->op == CLPRIMS_XOR;
    if (bits && clp_type_is_float(spec->accumulator)) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "scan: operator %s is not defined for %s",
                        clprims_op_name(spec->op), clprims_type_name(spec->accumulator));
    }
    if (spec->op == CLPRIMS_CUSTOM && spec->custom.op == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: CLPRIMS_CUSTOM needs custom.op; it is NULL");
    }
    const bool needs_float64 = spec->type == CLPRIMS_F64 || spec->accumulator == CLPRIMS_F64;
    if (needs_float64 && !context->device.has_float64) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "scan: \"%s\" has no float64",
                        context->device.info.name);
    }
    return CLPRIMS_OK;
}

/* Built-in operators on 8 and 16 bits work in 32: the low bits are the same, and the compiler need
 * not cut every intermediate result. */
static void choose_working(clp_scan_spec *spec) {
    const bool narrow = spec->accumulator_bytes < 4 && spec->op != CLPRIMS_CUSTOM;
    spec->working = spec->accumulator;
    spec->working_bytes = spec->accumulator_bytes;
    if (!narrow) return;
    const bool is_signed = spec->accumulator == CLPRIMS_I8 || spec->accumulator == CLPRIMS_I16;
    spec->working = is_signed ? CLPRIMS_I32 : CLPRIMS_U32;
    spec->working_bytes = 4;
}

/* The same for a value of the accumulator's type, in place. */
static void widen(const clp_scan_spec *spec, void *value) {
    int8_t i8;
    int16_t i16;
    int32_t wide = 0;
    if (spec->working == spec->accumulator) return;
    if (spec->accumulator == CLPRIMS_I8) {
        memcpy(&i8, value, sizeof i8);
        wide = i8;
    } else if (spec->accumulator == CLPRIMS_I16) {
        memcpy(&i16, value, sizeof i16);
        wide = i16;
    } else {
        memcpy(&wide, value, spec->accumulator_bytes); /* unsigned; the low bytes come first */
    }
    memcpy(value, &wide, sizeof wide);
}

static clprims_status take_start(const clprims_scan_desc *desc, clp_scan_spec *spec, void *start) {
    const void *custom_identity = spec->custom.identity;
    spec->has_start = desc->init != NULL || !spec->inclusive;
    if (desc->init != NULL) {
        memcpy(start, desc->init, spec->accumulator_bytes);
    } else if (!spec->has_start) {
        memset(start, 0, spec->accumulator_bytes);
    } else if (spec->op != CLPRIMS_CUSTOM) {
        clp_op_identity(spec->op, spec->accumulator, start);
    } else if (custom_identity != NULL) {
        memcpy(start, custom_identity, spec->accumulator_bytes);
    } else {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: an exclusive scan by a custom operator needs its first output; "
                        "give init or custom.identity");
    }
    widen(spec, start);
    return CLPRIMS_OK;
}

/* ---- The algorithm ---- */

static clprims_scan_algorithm choose(const clprims_context *context, const clp_scan_spec *spec,
                                     const char **reason) {
    if (!context->device.has_int64_atomics) {
        *reason = "the device has no 64-bit atomics";
        return CLPRIMS_SCAN_REDUCE_THEN_SCAN;
    }
    if (!context->groups_progress) {
        *reason = "the progress of the device's work-groups is not known";
        return CLPRIMS_SCAN_REDUCE_THEN_SCAN;
    }
    if (clp_pass_can_look_ahead(context)) {
        *reason = "the device copies into local memory by itself";
        return CLPRIMS_SCAN_LOOKAHEAD;
    }
    if (spec->order_matters && !context->device.is_cpu) {
        *reason = "the same bits in every run cost a look-back more than a second read";
        return CLPRIMS_SCAN_REDUCE_THEN_SCAN;
    }
    *reason = "work-groups that have started go on to their end here";
    return CLPRIMS_SCAN_LOOKBACK;
}

static clprims_status choose_algorithm(const clprims_context *context,
                                       clprims_scan_algorithm wanted, clp_scan_spec *spec,
                                       const char **reason) {
    const char *name = clprims_scan_algorithm_name(wanted);
    spec->algorithm = wanted;
    *reason = "the caller asked for it";
    if (wanted == CLPRIMS_SCAN_AUTO) {
        spec->algorithm = choose(context, spec, reason);
    } else if (wanted != CLPRIMS_SCAN_REDUCE_THEN_SCAN && !context->device.has_int64_atomics) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "scan: %s needs 64-bit atomics, which \"%s\" lacks; use reduce-then-scan",
                        name, context->device.info.name);
    } else if (wanted == CLPRIMS_SCAN_LOOKAHEAD && !clp_pass_can_look_ahead(context)) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "scan: %s needs the nvidia layer and compute capability 9.0; this is the "
                        "%s layer of \"%s\"",
                        name, clprims_layer_name(context->layer), context->device.info.name);
    } else if (wanted == CLPRIMS_SCAN_LOOKBACK_FALLBACK && spec->order_matters) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "scan: %s can't promise the same bits in every run; set fast_floats or "
                        "use lookback or reduce-then-scan",
                        name);
    }
    return CLPRIMS_OK;
}

/* Whether regrouping the operands changes the result's bits. A user's operator on integers is
 * associative by its contract; one on floats or structs may hide rounding. */
static bool rounds(const clp_scan_spec *spec) {
    const bool exact_op = spec->op == CLPRIMS_MIN || spec->op == CLPRIMS_MAX;
    return spec->accumulator == CLPRIMS_STRUCT ||
           (clp_type_is_float(spec->accumulator) && !exact_op);
}

clprims_status clp_scan_spec_fill(const clprims_context *context, const clprims_scan_desc *desc,
                                  clp_scan_spec *spec, void *start, const char **reason) {
    CLP_TRY(check_enumerators(desc));
    *spec = (clp_scan_spec){
        .type = desc->type,
        .accumulator = desc->accumulator == CLPRIMS_TYPE_DEFAULT ? desc->type : desc->accumulator,
        .op = desc->op,
        .custom = desc->custom,
        .input = desc->input,
        .has_input_array = !desc->no_input_array,
        .inclusive = desc->inclusive != 0,
        .max_n = desc->max_n};
    CLP_TRY(check_struct(spec));
    CLP_TRY(check_operator(context, spec));
    if (!spec->has_input_array && spec->input == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: no_input_array without desc.input; give an expression of i");
    }
    const size_t custom_bytes = spec->custom.type_bytes;
    spec->type_bytes = spec->type == CLPRIMS_STRUCT ? custom_bytes : clprims_type_bytes(spec->type);
    spec->accumulator_bytes =
        spec->accumulator == CLPRIMS_STRUCT ? custom_bytes : clprims_type_bytes(spec->accumulator);
    spec->order_matters = !desc->fast_floats && rounds(spec);
    choose_working(spec);
    CLP_TRY(take_start(desc, spec, start));
    return choose_algorithm(context, desc->algorithm, spec, reason);
}

clp_pass_need clp_scan_need(const clp_scan_spec *spec, const char *tuning) {
    return (clp_pass_need){.who = "scan",
                           .tuning = tuning,
                           .element_bytes = spec->type_bytes,
                           .vec = clp_shape_vec(spec->type_bytes, spec->accumulator_bytes),
                           .value_bytes = spec->working_bytes,
                           .staged_bits = spec->has_input_array ? 8 * spec->type_bytes : 0,
                           .looks_ahead = spec->algorithm == CLPRIMS_SCAN_LOOKAHEAD,
                           .waits_for_all = spec->algorithm == CLPRIMS_SCAN_LOOKBACK,
                           .max_n = spec->max_n};
}
