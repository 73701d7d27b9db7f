/* SPDX-License-Identifier: MIT */
/* What a selection's description and buffers are refused for. */
#include "core/status.h"
#include "select/select_plan.h"

#include <string.h>

/* ---- The description ---- */

static const char *const by_texts[] = {[CLPRIMS_SELECT_FLAGS] = "by = 0 (flags)",
                                       [CLPRIMS_SELECT_BITS] = "by = 1 (bits)",
                                       [CLPRIMS_SELECT_PREDICATE] = "by = 2 (predicate)",
                                       [CLPRIMS_SELECT_NONZERO] = "by = 3 (nonzero)",
                                       [CLPRIMS_SELECT_RUNS] = "by = 4 (runs)"};

static const char *const type_names[CLPRIMS_SELECT_ARRAYS] = {"type[0]", "type[1]", "type[2]",
                                                              "type[3]"};

static clprims_status check_enumerators(const clprims_select_desc *desc) {
    CLP_TRY(clp_check_enumerator("select", "by", (int)desc->by, CLPRIMS_SELECT_RUNS,
                                 "clprims_select_by"));
    CLP_FAIL_IF(desc->arrays > CLPRIMS_SELECT_ARRAYS, CLPRIMS_ERR_ARGUMENT,
                "select: arrays = %zu; at most %d", desc->arrays, CLPRIMS_SELECT_ARRAYS);
    return clp_check_max_n("select", desc->max_n, SIZE_MAX);
}

static clprims_status check_type(const clprims_context *context, clprims_type type,
                                 const char *name, const clprims_custom *custom, size_t *bytes) {
    *bytes = clprims_type_bytes(type);
    if (type == CLPRIMS_STRUCT) {
        *bytes = custom->type_bytes;
        CLP_TRY(clp_check_struct("select", custom));
    }
    CLP_TRY(clp_check_type("select", name, type));
    return clp_check_float64(context, "select", type, type);
}

static clprims_status check_decision(const clprims_select_desc *desc) {
    const bool by_array = desc->by >= CLPRIMS_SELECT_PREDICATE;
    const char *by = by_texts[desc->by];
    CLP_FAIL_IF(by_array && desc->arrays == 0, CLPRIMS_ERR_ARGUMENT,
                "select: arrays = 0, but %s decides by the first array", by);
    CLP_FAIL_IF(desc->by == CLPRIMS_SELECT_PREDICATE && desc->predicate == NULL,
                CLPRIMS_ERR_ARGUMENT, "select: %s needs desc.predicate; it is NULL", by);
    CLP_FAIL_IF(desc->type[0] == CLPRIMS_STRUCT && desc->by == CLPRIMS_SELECT_NONZERO,
                CLPRIMS_ERR_ARGUMENT,
                "select: %s, but a struct is not compared with 0; give a "
                "predicate",
                by);
    CLP_FAIL_IF(desc->type[0] == CLPRIMS_STRUCT && desc->by == CLPRIMS_SELECT_RUNS &&
                    desc->equal == NULL,
                CLPRIMS_ERR_ARGUMENT, "select: %s of structs needs desc.equal; it is NULL", by);
    CLP_FAIL_IF(desc->lengths != CLPRIMS_TYPE_DEFAULT && desc->by != CLPRIMS_SELECT_RUNS,
                CLPRIMS_ERR_ARGUMENT, "select: lengths = %d (%s) are of runs, but %s",
                (int)desc->lengths, clprims_type_name(desc->lengths), by);
    return CLPRIMS_OK;
}

static clprims_status check_results(const clprims_select_desc *desc) {
    CLP_FAIL_IF(desc->no_values && desc->arrays > 1, CLPRIMS_ERR_ARGUMENT,
                "select: arrays = %zu with no_values; only the first can decide", desc->arrays);
    if (!desc->partition) return CLPRIMS_OK;
    CLP_FAIL_IF(desc->arrays == 0 || desc->no_values, CLPRIMS_ERR_ARGUMENT,
                "select: a partition needs values to part; arrays = %zu, no_values = %d",
                desc->arrays, desc->no_values);
    CLP_FAIL_IF(desc->by == CLPRIMS_SELECT_RUNS || desc->indices != CLPRIMS_TYPE_DEFAULT,
                CLPRIMS_ERR_ARGUMENT,
                "select: a partition goes by flags, bits, a predicate or nonzero, without "
                "indices; %s, indices = %d (%s)",
                by_texts[desc->by], (int)desc->indices, clprims_type_name(desc->indices));
    return CLPRIMS_OK;
}

static clprims_status take_result(const clprims_context *context, const clprims_select_desc *desc,
                                  clp_select_spec *spec) {
    const bool is_default = desc->result_type == CLPRIMS_TYPE_DEFAULT;
    if (spec->result == NULL && is_default) return CLPRIMS_OK;
    CLP_FAIL_IF(spec->result == NULL, CLPRIMS_ERR_ARGUMENT,
                "select: result_type = %d (%s) without a result", (int)desc->result_type,
                clprims_type_name(desc->result_type));
    CLP_FAIL_IF(desc->arrays > 1 || desc->indices != CLPRIMS_TYPE_DEFAULT || desc->partition ||
                    desc->no_values,
                CLPRIMS_ERR_ARGUMENT,
                "select: a result with arrays = %zu, indices = %d (%s), partition = %d, "
                "no_values = %d; it needs one array at most, and 0",
                desc->arrays, (int)desc->indices, clprims_type_name(desc->indices), desc->partition,
                desc->no_values);
    CLP_FAIL_IF(is_default && desc->arrays == 0, CLPRIMS_ERR_ARGUMENT,
                "select: a result without an array needs result_type");
    spec->values = false;
    spec->stores_text = true;
    spec->indices = is_default ? desc->type[0] : desc->result_type;
    return check_type(context, spec->indices, "result_type", &desc->custom, &spec->index_bytes);
}

/* Look-ahead copies elements of the built-in types' sizes and of 12 and 16 bytes by whole chunks of
 * device memory; look-back takes the others. */
static clprims_status choose_algorithm(const clprims_context *context, clprims_algorithm wanted,
                                       clp_select_spec *spec) {
    enum { LARGEST_STAGED = 16 };
    CLP_TRY(clp_pass_choose(context, "select", wanted, &spec->algorithm));
    for (size_t k = 0; k < spec->arrays && spec->algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD; k++) {
        const size_t bytes = spec->bytes[k];
        if (bytes <= LARGEST_STAGED && clp_pass_stages(bytes)) continue;
        CLP_FAIL_IF(wanted != CLPRIMS_ALGORITHM_AUTO, CLPRIMS_ERR_UNSUPPORTED,
                    "select: array %zu has elements of %zu bytes; lookahead takes 1, 2, 4, "
                    "8, 12 or 16; use lookback",
                    k, bytes);
        spec->algorithm = CLPRIMS_ALGORITHM_LOOKBACK;
    }
    return CLPRIMS_OK;
}

clprims_status clp_select_read_texts(clp_plan *plan, const clprims_select_desc *desc) {
    const char *by = by_texts[desc->by];
    const bool by_predicate = desc->by == CLPRIMS_SELECT_PREDICATE;
    const clp_user_text texts[] = {
        {"desc.predicate", desc->predicate, "x i", by_predicate ? NULL : by},
        {"desc.equal", desc->equal, "a b", desc->by == CLPRIMS_SELECT_RUNS ? NULL : by},
        {"desc.result", desc->result, desc->arrays > 0 ? "r x i" : "i", NULL},
        {"custom.op", desc->custom.op, NULL, "a selection has no operator"},
        {NULL}};
    return clp_plan_read_texts(plan, texts, &desc->custom, desc->parameters);
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
                              .index_bytes = clprims_type_bytes(desc->indices),
                              .result = desc->result,
                              .custom = desc->custom,
                              .max_n = desc->max_n};
    memcpy(spec->type, desc->type, sizeof spec->type);
    for (size_t k = 0; k < desc->arrays; k++) {
        CLP_TRY(check_type(context, desc->type[k], type_names[k], &desc->custom, &spec->bytes[k]));
    }
    CLP_TRY(take_result(context, desc, spec));
    if (clp_select_has_flags(spec) && !spec->values && !clp_select_reads_again(spec)) {
        spec->arrays = 0;
    }
    if (desc->indices != CLPRIMS_TYPE_DEFAULT) {
        CLP_TRY(clp_check_reach("select", "indices", desc->indices, "max_n", max_n, max_n));
    }
    if (desc->lengths != CLPRIMS_TYPE_DEFAULT) {
        CLP_TRY(clp_check_reach("select", "lengths", desc->lengths, "max_n", max_n, max_n));
    }
    return choose_algorithm(context, desc->algorithm, spec);
}

/* ---- Buffers ---- */

static const char *const in_names[CLPRIMS_SELECT_ARRAYS] = {"in[0]", "in[1]", "in[2]", "in[3]"};
static const char *const out_names[CLPRIMS_SELECT_ARRAYS] = {"out[0]", "out[1]", "out[2]",
                                                             "out[3]"};

/* What the plan does not have has elements of 0 bytes. */
size_t clp_select_list_arrays(const clp_plan *plan, clp_call *call, clp_run_array *rows) {
    const clp_select_spec *spec = &((const clprims_select *)plan)->spec;
    clp_select_run *run = (clp_select_run *)call;
    clprims_select_buffers *b = &run->buffers;
    const clprims_select_arrays *plain = &run->arrays;
    const size_t n = run->n, room = b->sizes.capacity; /* as much as there is */
    const bool has_bits = spec->by == CLPRIMS_SELECT_BITS;
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        const bool is_there = k < spec->arrays, is_text = k == 0 && spec->stores_text;
        const bool is_written = is_text || (is_there && spec->values);
        clp_run_array *out = &rows[CLP_SELECT_OUT + k];
        rows[CLP_SELECT_IN + k] =
            clp_read_row(in_names[k], &b->in[k], plain->in[k], is_there ? n : 0, spec->bytes[k]);
        *out = clp_written_row(out_names[k], &b->out[k], plain->out[k], spec->partition ? n : room,
                               is_text      ? spec->index_bytes
                               : is_written ? spec->bytes[k]
                                            : 0);
        if (!is_text) out->place = CLP_SELECT_IN + k + 1;
    }
    rows[CLP_SELECT_FLAGS] =
        clp_read_row("flags", &b->flags, plain->flags, n, clp_select_has_flags(spec) && !has_bits);
    if (has_bits) rows[CLP_SELECT_FLAGS].roles |= CLP_BITS;
    rows[CLP_SELECT_INDICES] = clp_written_row("indices", &b->indices, plain->indices, room,
                                               spec->stores_text ? 0 : spec->index_bytes);
    rows[CLP_SELECT_LENGTHS] = clp_written_row("lengths", &b->lengths, plain->lengths, room,
                                               clprims_type_bytes(spec->lengths));
    rows[CLP_SELECT_COUNT] = clp_written_row("count", &b->count, NULL, 1, sizeof(cl_ulong));
    if (plain->count != NULL) rows[CLP_SELECT_COUNT].roles |= CLP_OPTIONAL;
    rows[CLP_SELECT_COUNTED] = clp_count_row("n", &b->n);
    return CLP_SELECT_ROWS;
}

clprims_status clp_select_check_in_place(const clp_select_spec *spec, const clp_run_array *rows) {
    const bool by_other_tiles = spec->algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK ||
                                spec->algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        const clp_run_array *out = &rows[CLP_SELECT_OUT + k];
        if (!out->in_place) continue;
        CLP_FAIL_IF(spec->partition, CLPRIMS_ERR_ARGUMENT,
                    "select: %s is the place of %s; a partition cannot work in place", out->name,
                    in_names[k]);
        CLP_FAIL_IF(by_other_tiles, CLPRIMS_ERR_UNSUPPORTED,
                    "select: %s is the place of %s; %s cannot work in place", out->name,
                    in_names[k], clprims_algorithm_name(spec->algorithm));
    }
    return CLPRIMS_OK;
}
