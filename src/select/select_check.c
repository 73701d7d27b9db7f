/* SPDX-License-Identifier: MIT */
/* What a selection's description and buffers are refused for. */
#include "core/status.h"
#include "select/select_plan.h"

#include <string.h>

/* ---- The description ---- */

static clprims_status check_enumerators(const clprims_select_desc *desc) {
    if ((unsigned)desc->by > CLPRIMS_SELECT_RUNS) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "select: by = %d is not a value of clprims_select_by",
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
        CLP_TRY(clp_check_struct("select", custom, CLP_SELECT_LARGEST));
    }
    if (*bytes == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "select: type[%zu] = %d is not a value of clprims_type", k, (int)type);
    }
    return clp_check_float64(context, "select", type, type);
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
    const size_t max_n = desc->max_n;
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
    if (desc->indices != CLPRIMS_TYPE_DEFAULT) {
        CLP_TRY(clp_check_reach("select", "indices", desc->indices, "max_n", max_n, max_n));
    }
    if (desc->lengths != CLPRIMS_TYPE_DEFAULT) {
        CLP_TRY(clp_check_reach("select", "lengths", desc->lengths, "max_n", max_n, max_n));
    }
    return clp_pass_choose(context, "select", desc->algorithm, &spec->algorithm);
}

/* ---- Buffers ---- */

static const char *const in_names[CLPRIMS_SELECT_ARRAYS] = {"in[0]", "in[1]", "in[2]", "in[3]"};
static const char *const out_names[CLPRIMS_SELECT_ARRAYS] = {"out[0]", "out[1]", "out[2]",
                                                             "out[3]"};

/* What the plan does not write has 0 elements, so that the caller's buffer is not looked at. */
size_t clp_select_list_arrays(const clp_plan *plan, clp_call *call, clp_run_array *rows) {
    const clp_select_spec *spec = &((const clprims_select *)plan)->spec;
    clp_select_run *run = (clp_select_run *)call;
    clprims_select_buffers *b = &run->buffers;
    const size_t n = run->n, room = b->sizes.capacity; /* as much as there is */
    const size_t flag_bytes = spec->by == CLPRIMS_SELECT_BITS ? 0 : 1;
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        const bool is_there = k < spec->arrays, is_written = is_there && spec->values;
        const size_t written = spec->partition ? n : room;
        clp_run_array *out = &rows[CLP_SELECT_OUT + k];
        rows[CLP_SELECT_IN + k] =
            clp_read_row(in_names[k], &b->in[k], is_there ? n : 0, spec->bytes[k]);
        *out = clp_written_row(out_names[k], &b->out[k], is_written ? written : 0, spec->bytes[k]);
        out->place = CLP_SELECT_IN + k + 1;
    }
    rows[CLP_SELECT_FLAGS] =
        clp_read_row("flags", &b->flags, clp_select_has_flags(spec) ? n : 0, flag_bytes);
    if (flag_bytes == 0) rows[CLP_SELECT_FLAGS].roles |= CLP_BITS;
    const size_t index_bytes = clprims_type_bytes(spec->indices);
    const size_t length_bytes = clprims_type_bytes(spec->lengths);
    rows[CLP_SELECT_INDICES] =
        clp_written_row("indices", &b->indices, index_bytes > 0 ? room : 0, index_bytes);
    rows[CLP_SELECT_LENGTHS] =
        clp_written_row("lengths", &b->lengths, length_bytes > 0 ? room : 0, length_bytes);
    rows[CLP_SELECT_COUNT] = clp_written_row("count", &b->count, 1, sizeof(cl_ulong));
    if (run->found != NULL) rows[CLP_SELECT_COUNT].roles |= CLP_OPTIONAL;
    rows[CLP_SELECT_COUNTED] = clp_count_row("n", &b->n);
    return CLP_SELECT_ROWS;
}

clprims_status clp_select_check_in_place(const clp_select_spec *spec, const clp_run_array *rows) {
    const bool by_other_tiles = spec->algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK ||
                                spec->algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        const clp_run_array *out = &rows[CLP_SELECT_OUT + k];
        if (!out->in_place) continue;
        if (spec->partition) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "select: %s is the place of %s; a partition cannot work in place",
                            out->name, in_names[k]);
        }
        if (by_other_tiles) {
            return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "select: %s is the place of %s; %s cannot work in place", out->name,
                            in_names[k], clprims_algorithm_name(spec->algorithm));
        }
    }
    return CLPRIMS_OK;
}
