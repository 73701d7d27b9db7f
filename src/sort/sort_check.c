/* SPDX-License-Identifier: MIT */
/* What a sort's description and buffers are refused for. */
#include "core/check.h"
#include "core/status.h"
#include "sort/sort_plan.h"

#include <string.h>

/* ---- The description ---- */

static clprims_status check_enumerators(const char *who, const clprims_sort_desc *desc) {
    CLP_FAIL_IF(clprims_type_bytes(desc->type) == 0, CLPRIMS_ERR_ARGUMENT,
                "%s: type = %d (%s), of the keys, is no integer or float type", who,
                (int)desc->type, clprims_type_name(desc->type));
    CLP_TRY(clp_check_enumerator(who, "floats", (int)desc->floats, CLPRIMS_SORT_TOTAL_ORDER,
                                 "clprims_sort_floats"));
    CLP_TRY(clp_check_enumerator(who, "algorithm", (int)desc->algorithm, CLPRIMS_SORT_ONESWEEP,
                                 "clprims_sort_algorithm"));
    return clp_check_max_n(who, desc->max_n, SIZE_MAX / 64);
}

static clprims_status check_window(const char *who, const clprims_sort_desc *desc,
                                   clp_sort_spec *spec) {
    const unsigned width = 8 * (unsigned)spec->key_bytes;
    spec->begin = desc->begin_bit;
    spec->end = desc->end_bit == 0 ? width : desc->end_bit;
    if (spec->begin < spec->end && spec->end <= width) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: bits [%u, %u) are no window of the %u bits of a key of type %s", who,
                    spec->begin, spec->end, width, clprims_type_name(desc->type));
}

static clprims_status check_payloads(const char *who, const clprims_sort_desc *desc) {
    CLP_FAIL_IF(desc->payloads > CLPRIMS_SORT_PAYLOADS, CLPRIMS_ERR_ARGUMENT,
                "%s: payloads = %zu; at most %d", who, desc->payloads, CLPRIMS_SORT_PAYLOADS);
    for (size_t k = 0; k < desc->payloads; k++) {
        if (desc->payload_bytes[k] > 0 && desc->payload_bytes[k] <= CLP_LARGEST_VALUE) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: payload_bytes[%zu] = %zu; it must be from 1 to %d", who, k,
                        desc->payload_bytes[k], CLP_LARGEST_VALUE);
    }
    return CLPRIMS_OK;
}

static clprims_status check_indices(const char *who, const clprims_sort_desc *desc) {
    const clprims_type type = desc->indices;
    if (type == CLPRIMS_TYPE_DEFAULT) {
        if (!desc->no_keys || desc->payloads > 0) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: no_keys without payloads and indices leaves no result", who);
    }
    return clp_check_reach(who, "indices", type, "max_n", desc->max_n, desc->max_n - 1);
}

/* Sets the algorithm and says why. */
static const char *choose_algorithm(const clprims_context *context, const clprims_sort_desc *desc,
                                    clp_sort_spec *spec) {
    const bool is_cpu = context->device.is_cpu;
    spec->algorithm = desc->algorithm;
    if (desc->algorithm != CLPRIMS_SORT_AUTO) return "the description asks for it";
    /* A forced layer of a GPU's is to be used. */
    if (is_cpu && context->layer == CLPRIMS_LAYER_LOCAL) {
        spec->algorithm = CLPRIMS_SORT_SERIAL;
        return "the device is a CPU: work-items need no barriers";
    }
    if (clp_onesweep_suits(context, spec)) {
        spec->algorithm = CLPRIMS_SORT_ONESWEEP;
        return "work-groups progress independently, and tiles are large";
    }
    spec->algorithm = CLPRIMS_SORT_COUNT_SCATTER;
    return is_cpu ? "sub-groups are asked for on a CPU"
                  : "it needs no progress of one work-group while another one waits";
}

static clprims_status check_algorithm(const clprims_context *context, const clp_sort_spec *spec) {
    if (spec->algorithm != CLPRIMS_SORT_ONESWEEP || context->layer == CLPRIMS_LAYER_NVIDIA) {
        return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "sort: onesweep is for layer nvidia; the context has layer %s",
                    clprims_layer_name(context->layer));
}

clprims_status clp_sort_spec_take(const char *who, const clprims_sort_desc *desc,
                                  clp_sort_spec *spec) {
    CLP_TRY(check_enumerators(who, desc));
    *spec = (clp_sort_spec){.type = desc->type,
                            .key_bytes = clprims_type_bytes(desc->type),
                            .descending = desc->descending != 0,
                            .floats = desc->floats,
                            .payloads = desc->payloads,
                            .values = desc->payloads,
                            .indices = desc->indices,
                            .element_bytes = clprims_type_bytes(desc->type),
                            .no_keys = desc->no_keys != 0,
                            .no_elements = desc->no_keys != 0,
                            .max_n = desc->max_n};
    CLP_TRY(check_window(who, desc, spec));
    CLP_TRY(check_payloads(who, desc));
    CLP_TRY(check_indices(who, desc));
    memcpy(spec->value_bytes, desc->payload_bytes, sizeof desc->payload_bytes);
    return CLPRIMS_OK;
}

void clp_sort_spec_add_values(clp_sort_spec *spec) {
    if (clp_sort_moves_elements(spec)) spec->value_bytes[spec->values++] = spec->element_bytes;
    if (clp_sort_has_order(spec)) {
        spec->value_bytes[spec->values++] = clprims_type_bytes(spec->order);
    }
    if (clp_sort_has_indices(spec)) {
        spec->value_bytes[spec->values++] = clprims_type_bytes(spec->indices);
    }
}

clprims_status clp_sort_spec_fill(const clprims_context *context, const clprims_sort_desc *desc,
                                  clp_sort_spec *spec, const char **reason) {
    enum { LARGEST_MOVED = 8 }; /* bytes of an element that moves in each pass */
    CLP_TRY(clp_sort_spec_take("sort", desc, spec));
    CLP_TRY(clp_sort_elements_check(context, "sort", desc, spec));
    const bool is_large = spec->element_bytes > LARGEST_MOVED;
    if (spec->keys > 1 || (spec->has_expression && !spec->no_elements && is_large)) {
        spec->order = clp_sort_index_type(spec->max_n);
    }
    if (spec->keys > 1 && clp_sort_has_indices(spec)) spec->order = spec->indices;
    clp_sort_spec_add_values(spec);
    *reason = choose_algorithm(context, desc, spec);
    return check_algorithm(context, spec);
}

/* ---- Buffers ---- */

static const char *const in_names[] = {"payload_in[0]", "payload_in[1]", "payload_in[2]",
                                       "payload_in[3]"};
static const char *const out_names[] = {"payload_out[0]", "payload_out[1]", "payload_out[2]",
                                        "payload_out[3]"};

/* What the plan does not have has elements of 0 bytes. */
void clp_sort_list_arrays(const clp_sort_spec *spec, clp_sort_places at,
                          const clprims_sort_arrays *plain, size_t n, clp_run_array *rows) {
    const size_t index_bytes = clprims_type_bytes(spec->indices);
    for (size_t k = 0; k < CLPRIMS_SORT_PAYLOADS; k++) {
        const bool is_there = k < spec->payloads;
        const size_t bytes = is_there ? spec->value_bytes[k] : 0;
        rows[CLP_SORT_ROW_PAYLOAD_IN + k] =
            clp_read_row(in_names[k], &at.payload_in[k], plain->payload_in[k], n, bytes);
        rows[CLP_SORT_ROW_PAYLOAD_OUT + k] =
            clp_written_row(out_names[k], &at.payload_out[k], plain->payload_out[k], n, bytes);
        rows[CLP_SORT_ROW_PAYLOAD_OUT + k].place = CLP_SORT_ROW_PAYLOAD_IN + k + 1;
    }
    rows[CLP_SORT_ROW_KEYS_IN] =
        clp_read_row("keys_in", at.keys_in, plain->keys_in, n, spec->element_bytes);
    rows[CLP_SORT_ROW_KEYS_OUT] = clp_written_row("keys_out", at.keys_out, plain->keys_out, n,
                                                  spec->no_elements ? 0 : spec->element_bytes);
    rows[CLP_SORT_ROW_KEYS_OUT].place = CLP_SORT_ROW_KEYS_IN + 1;
    rows[CLP_SORT_ROW_INDICES] =
        clp_written_row("indices", at.indices, plain->indices, n, index_bytes);
}

bool clp_sort_is_in_place(const clp_run_array *rows) {
    bool in_place = false;
    for (size_t k = 0; k < CLP_SORT_ROWS; k++) in_place = in_place || rows[k].in_place;
    return in_place;
}
