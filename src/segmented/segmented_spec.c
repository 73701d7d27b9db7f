/* SPDX-License-Identifier: MIT */
/* From a description to a checked spec: every default and every refusal. */
#include "core/check.h"
#include "core/type.h"
#include "segmented/segmented_plan.h"

#include <string.h>

/* ---- Heads ---- */

static clprims_status check_enumerators(const clprims_segmented_desc *desc) {
    CLP_TRY(clp_check_enumerator("segmented", "kind", (int)desc->kind, CLPRIMS_SEGMENTED_EXCLUSIVE,
                                 "clprims_segmented_kind"));
    CLP_TRY(clp_check_enumerator("segmented", "by", (int)desc->by, CLPRIMS_SEGMENTS_EQUAL,
                                 "clprims_segments_by"));
    return CLPRIMS_OK;
}

/* Structs must be declared, as the structs of an operation. */
static clprims_status take_keys(const clprims_context *context, clp_segmented_spec *spec) {
    if (spec->heads_type == CLPRIMS_STRUCT) {
        CLP_FAIL_IF(spec->equal == NULL, CLPRIMS_ERR_ARGUMENT,
                    "segmented: heads_type = %d (struct) needs desc.equal; it is NULL",
                    (int)spec->heads_type);
        return clp_check_struct("segmented", &spec->what.custom);
    }
    CLP_TRY(clp_check_type("segmented", "heads_type", spec->heads_type));
    return clp_check_float64(context, "segmented", spec->heads_type, spec->heads_type);
}

/* Flags, bits, or one length. */
static clprims_status take_untyped(clp_segmented_spec *spec) {
    CLP_FAIL_IF(spec->heads_type != CLPRIMS_TYPE_DEFAULT, CLPRIMS_ERR_ARGUMENT,
                "segmented: heads_type = %d (%s), but %s has none; leave "
                "CLPRIMS_TYPE_DEFAULT",
                (int)spec->heads_type, clprims_type_name(spec->heads_type),
                clp_segments_by_text(spec->by));
    spec->heads_type = CLPRIMS_U8;
    return CLPRIMS_OK;
}

static clprims_status take_heads(const clprims_context *context, clp_segmented_spec *spec) {
    const char *by = clp_segments_by_text(spec->by);
    CLP_FAIL_IF(spec->unique_keys && (spec->by != CLPRIMS_SEGMENTS_KEYS || !spec->reduces),
                CLPRIMS_ERR_ARGUMENT,
                "segmented: unique_keys needs a reduction by keys; reduces = %d, %s", spec->reduces,
                by);
    if (spec->by == CLPRIMS_SEGMENTS_OFFSETS) {
        CLP_TRY(clp_check_offsets("segmented", "heads_type", spec->heads_type, spec->max_n,
                                  &spec->heads_type));
    } else if (spec->by == CLPRIMS_SEGMENTS_KEYS) {
        CLP_TRY(take_keys(context, spec));
    } else {
        CLP_TRY(take_untyped(spec));
    }
    spec->heads_bytes = spec->heads_type == CLPRIMS_STRUCT ? spec->what.custom.type_bytes
                                                           : clprims_type_bytes(spec->heads_type);
    return CLPRIMS_OK;
}

/* ---- The operation ---- */

static clprims_status check_arg(const clprims_segmented_desc *desc) {
    const bool is_arg = desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
    CLP_FAIL_IF(!is_arg && desc->local_index, CLPRIMS_ERR_ARGUMENT,
                "segmented: local_index needs argmin or argmax; op = %d (%s)", (int)desc->op,
                clprims_op_name(desc->op));
    if (!is_arg || desc->kind == CLPRIMS_SEGMENTED_REDUCE) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "segmented: op = %d (%s) needs a reduction; kind = %d (%s)", (int)desc->op,
                    clprims_op_name(desc->op), (int)desc->kind,
                    desc->kind == CLPRIMS_SEGMENTED_EXCLUSIVE ? "exclusive" : "inclusive");
}

/* Fills in the result of an empty segment. */
static void take_empty(const clprims_segmented_desc *desc, clp_segmented_spec *spec, void *empty) {
    const clp_operation *what = &spec->what;
    if (desc->init != NULL) {
        memcpy(empty, desc->init, spec->result_bytes);
    } else if (what->is_arg) {
        const cl_long none = -1;
        memcpy(empty, &none, sizeof none);
    } else if (what->op != CLPRIMS_CUSTOM) {
        clp_op_identity(what->op, what->accumulator, empty);
    } else if (what->custom.identity != NULL) {
        memcpy(empty, what->custom.identity, what->accumulator_bytes);
    } else {
        spec->is_empty_fault = spec->reduces;
    }
}

static clprims_status take_sizes(const clprims_segmented_desc *desc, clp_segmented_spec *spec) {
    CLP_TRY(clp_check_max_n("segmented", desc->max_n, SIZE_MAX / 32));
    if (!clp_segmented_by_offsets(spec)) return CLPRIMS_OK;
    spec->max_segments = desc->max_segments;
    return clp_check_max_segments("segmented", desc->max_segments, SIZE_MAX / 32);
}

clprims_status clp_segmented_spec_fill(const clprims_context *context,
                                       const clprims_segmented_desc *desc, clp_segmented_spec *spec,
                                       void *start, void *empty) {
    CLP_TRY(check_enumerators(desc));
    CLP_TRY(check_arg(desc));
    *spec = (clp_segmented_spec){.what = {CLP_OPERATION_OF(desc), .takes_arg = true,

                                          .inclusive = desc->kind != CLPRIMS_SEGMENTED_EXCLUSIVE},
                                 .by = desc->by,
                                 .heads_type = desc->heads_type,
                                 .equal = desc->equal,
                                 .reduces = desc->kind == CLPRIMS_SEGMENTED_REDUCE,
                                 .local_index = desc->local_index != 0,
                                 .unique_keys = desc->unique_keys != 0,
                                 .max_n = desc->max_n};
    CLP_TRY(take_sizes(desc, spec));
    CLP_TRY(clp_operation_fill(context, "segmented", desc->init, &spec->what, start));
    const bool is_arg = spec->what.is_arg;
    CLP_TRY(take_heads(context, spec));
    const size_t indices = desc->local_index ? 2 : 1;
    spec->value_bytes = is_arg ? (indices + 1) * sizeof(cl_ulong) : spec->what.working_bytes;
    spec->result_bytes = is_arg ? sizeof(cl_long) : spec->what.accumulator_bytes;
    take_empty(desc, spec, empty);
    return CLPRIMS_OK;
}
