/* SPDX-License-Identifier: MIT */
/* What a selection's description and buffers are refused for. */
#include "core/check.h"
#include "select/select_plan.h"

#include <string.h>

/* ---- The description ---- */

static clprims_status check_enumerators(const clprims_select_desc *desc) {
    if ((unsigned)desc->by > CLPRIMS_SELECT_RUNS) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: by = %d is none of clprims_select_by",
                        (int)desc->by);
    }
    if (desc->arrays > CLPRIMS_SELECT_ARRAYS) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: arrays = %zu; at most %d", desc->arrays,
                        CLPRIMS_SELECT_ARRAYS);
    }
    return clp_check_max_n("select", desc->max_n, SIZE_MAX);
}

static clprims_status check_type(const clprims_context *context, const clprims_select_desc *desc,
                                 size_t k, size_t *bytes) {
    const clprims_type type = desc->type[k];
    const clprims_custom *custom = &desc->custom;
    *bytes = clprims_type_bytes(type);
    if (type == CLPRIMS_STRUCT) {
        *bytes = custom->type_bytes;
        if (custom->type_name == NULL || custom->declarations == NULL) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "select: CLPRIMS_STRUCT needs custom.type_name and "
                            "custom.declarations; %s is NULL",
                            custom->type_name == NULL ? "type_name" : "declarations");
        }
        if (*bytes == 0 || *bytes % 4 != 0 || *bytes > CLP_SELECT_LARGEST) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "select: custom.type_bytes = %zu; it must be a multiple of 4 from 4 "
                            "to %d",
                            *bytes, CLP_SELECT_LARGEST);
        }
    }
    if (*bytes == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: type[%zu] = %d is none of clprims_type", k,
                        (int)type);
    }
    if (type == CLPRIMS_F64 && !context->device.has_float64) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "select: \"%s\" has no float64",
                        context->device.info.name);
    }
    return CLPRIMS_OK;
}

/* Types of indices and lengths: how far they reach. */
static clprims_status check_reach(const char *name, clprims_type type, size_t max_n) {
    uint64_t reach = 0;
    if (type == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    if (type == CLPRIMS_I32) reach = INT32_MAX;
    if (type == CLPRIMS_U32) reach = UINT32_MAX;
    if (type == CLPRIMS_I64 || type == CLPRIMS_U64) reach = INT64_MAX;
    if (reach == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: %s = %d (%s) is no 32- or 64-bit integer type", name, (int)type,
                        clprims_type_name(type));
    }
    if (max_n <= reach) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "select: max_n = %zu is beyond the reach of %s of type %s; use int64", max_n,
                    name, clprims_type_name(type));
}

static clprims_status check_decision(const clprims_select_desc *desc) {
    const bool by_array = desc->by >= CLPRIMS_SELECT_PREDICATE;
    if (by_array && desc->arrays == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: arrays = 0, but by = %d decides by the first array",
                        (int)desc->by);
    }
    if (desc->by == CLPRIMS_SELECT_PREDICATE && desc->predicate == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: CLPRIMS_SELECT_PREDICATE needs desc.predicate; it is NULL");
    }
    if (desc->type[0] == CLPRIMS_STRUCT && desc->by == CLPRIMS_SELECT_NONZERO) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: a struct is not compared with 0; give a predicate");
    }
    if (desc->type[0] == CLPRIMS_STRUCT && desc->by == CLPRIMS_SELECT_RUNS && desc->equal == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: runs of structs need desc.equal");
    }
    if (desc->lengths != CLPRIMS_TYPE_DEFAULT && desc->by != CLPRIMS_SELECT_RUNS) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: lengths are of CLPRIMS_SELECT_RUNS only");
    }
    return CLPRIMS_OK;
}

static clprims_status check_results(const clprims_select_desc *desc) {
    if (desc->no_values && desc->arrays > 1) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: arrays = %zu with no_values; only the first can decide",
                        desc->arrays);
    }
    if (!desc->partition) return CLPRIMS_OK;
    if (desc->arrays == 0 || desc->no_values) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: a partition needs values to part");
    }
    if (desc->by == CLPRIMS_SELECT_RUNS || desc->indices != CLPRIMS_TYPE_DEFAULT) {
        return clp_fail(
            CLPRIMS_ERR_ARGUMENT,
            "select: a partition goes by flags, bits, a predicate or nonzero, without indices");
    }
    return CLPRIMS_OK;
}

clprims_status clp_select_spec_fill(const clprims_context *context, const clprims_select_desc *desc,
                                    clp_select_spec *spec) {
    CLP_TRY(check_enumerators(desc));
    CLP_TRY(check_decision(desc));
    CLP_TRY(check_results(desc));
    *spec = (clp_select_spec){.by = desc->by,
                              .arrays = desc->arrays,
                              .values = desc->arrays > 0 && !desc->no_values,
                              .indices = desc->indices,
                              .lengths = desc->lengths,
                              .partition = desc->partition != 0,
                              .predicate = desc->predicate,
                              .equal = desc->equal,
                              .custom = desc->custom,
                              .max_n = desc->max_n};
    memcpy(spec->type, desc->type, sizeof spec->type);
    for (size_t k = 0; k < desc->arrays; k++) {
        CLP_TRY(check_type(context, desc, k, &spec->bytes[k]));
    }
    if (clp_select_has_flags(spec) && !spec->values) spec->arrays = 0;
    CLP_TRY(check_reach("indices", desc->indices, desc->max_n));
    CLP_TRY(check_reach("lengths", desc->lengths, desc->max_n));
    return clp_pass_choose(context, "select", desc->algorithm, &spec->algorithm);
}

/* ---- Buffers ---- */

enum { MOST_INPUTS = CLPRIMS_SELECT_ARRAYS + 1, MOST_OUTPUTS = CLPRIMS_SELECT_ARRAYS + 3 };

static const char *const in_names[CLPRIMS_SELECT_ARRAYS] = {"in[0]", "in[1]", "in[2]", "in[3]"};
static const char *const out_names[CLPRIMS_SELECT_ARRAYS] = {"out[0]", "out[1]", "out[2]",
                                                             "out[3]"};

/* As bytes. */
static clp_array flags_of(const clp_select_spec *spec, clprims_buffer flags, size_t n) {
    if (spec->by != CLPRIMS_SELECT_BITS) return (clp_array){"flags", flags, n, 1};
    const clprims_buffer bytes = {flags.mem, flags.first / 8};
    return (clp_array){"flags", bytes, (flags.first % 8 + n + 7) / 8, 1};
}

/* An output and an input of the same array: apart, or one place. */
static clprims_status check_own(const clp_select_spec *spec, const clp_array *in,
                                const clp_array *out) {
    bool in_place = false;
    CLP_TRY(clp_arrays_begin_alike("select", in, out, &in_place));
    if (!in_place) return clp_arrays_apart("select", in, out);
    if (spec->partition) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: %s is the place of %s; a partition can't be so", out->name,
                        in->name);
    }
    if (spec->algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK ||
        spec->algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "select: %s is the place of %s; %s can't work in place", out->name,
                        in->name, clprims_algorithm_name(spec->algorithm));
    }
    return CLPRIMS_OK;
}

static size_t list_inputs(const clp_select_spec *spec, const clprims_select_buffers *buffers,
                          size_t n, clp_array *inputs) {
    size_t count = 0;
    for (size_t k = 0; k < spec->arrays; k++) {
        inputs[count++] = (clp_array){in_names[k], buffers->in[k], n, spec->bytes[k]};
    }
    if (clp_select_has_flags(spec)) inputs[count++] = flags_of(spec, buffers->flags, n);
    return count;
}

static size_t list_outputs(const clp_select_spec *spec, const clprims_select_buffers *buffers,
                           size_t n, size_t capacity, clp_array *outputs) {
    size_t count = 0;
    for (size_t k = 0; k < spec->arrays && spec->values; k++) {
        outputs[count++] = (clp_array){out_names[k], buffers->out[k],
                                       spec->partition ? n : capacity, spec->bytes[k]};
    }
    if (spec->indices != CLPRIMS_TYPE_DEFAULT) {
        outputs[count++] =
            (clp_array){"indices", buffers->indices, capacity, clprims_type_bytes(spec->indices)};
    }
    if (spec->lengths != CLPRIMS_TYPE_DEFAULT) {
        outputs[count++] =
            (clp_array){"lengths", buffers->lengths, capacity, clprims_type_bytes(spec->lengths)};
    }
    outputs[count++] = (clp_array){"count", buffers->count, 1, sizeof(cl_ulong)};
    return count;
}

clprims_status clp_select_check_buffers(const clprims_context *context, const clp_select_spec *spec,
                                        const clprims_select_buffers *buffers, size_t n,
                                        clprims_buffer counted, size_t capacity) {
    clp_array inputs[MOST_INPUTS], outputs[MOST_OUTPUTS];
    const size_t ins = n > 0 ? list_inputs(spec, buffers, n, inputs) : 0;
    const size_t outs = list_outputs(spec, buffers, n, capacity, outputs);
    for (size_t i = 0; i < ins; i++) CLP_TRY(clp_array_check(context, "select", &inputs[i]));
    for (size_t o = 0; o < outs; o++) {
        if (outputs[o].n == 0) continue;
        CLP_TRY(clp_array_check(context, "select", &outputs[o]));
        for (size_t i = 0; i < ins; i++) {
            const bool own = i == o && i < spec->arrays && spec->values;
            CLP_TRY(own ? check_own(spec, &inputs[i], &outputs[o])
                        : clp_arrays_apart("select", &inputs[i], &outputs[o]));
        }
        for (size_t p = 0; p < o; p++) {
            if (outputs[p].n > 0) CLP_TRY(clp_arrays_apart("select", &outputs[p], &outputs[o]));
        }
    }
    return clp_count_check(context, "select", counted, outputs, outs);
}
