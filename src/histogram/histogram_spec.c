/* SPDX-License-Identifier: MIT */
/* From a description to a checked spec: every default and every refusal. */
#include "core/check.h"
#include "core/type.h"
#include "histogram/histogram_plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const size_t most_bins = (size_t)1 << 31;

/* ---- Elements ---- */

static clprims_status check_type(const clprims_context *context, const clprims_histogram_desc *desc,
                                 clp_histogram_spec *spec) {
    const clprims_custom *custom = &desc->custom;
    const bool is_struct = desc->type == CLPRIMS_STRUCT;
    spec->type = desc->type;
    spec->type_bytes = is_struct ? custom->type_bytes : clprims_type_bytes(desc->type);
    CLP_TRY(clp_check_type("histogram", "type", desc->type));
    CLP_TRY(clp_check_float64(context, "histogram", desc->type, desc->type));
    if (!is_struct) return CLPRIMS_OK;
    CLP_FAIL_IF(desc->by != CLPRIMS_HISTOGRAM_EXPRESSION, CLPRIMS_ERR_ARGUMENT,
                "histogram: CLPRIMS_STRUCT needs "
                "CLPRIMS_HISTOGRAM_EXPRESSION; structs have no order");
    return clp_check_struct("histogram", custom);
}

/* ---- Bins ---- */

static clprims_status check_range(const clprims_context *context,
                                  const clprims_histogram_desc *desc, clp_histogram_spec *spec) {
    const bool is_finite = isfinite(desc->least) && isfinite(desc->most);
    CLP_FAIL_IF(!is_finite || !(desc->least < desc->most) || !isfinite(desc->most - desc->least),
                CLPRIMS_ERR_ARGUMENT,
                "histogram: least = %.17g, most = %.17g; both and their difference must be "
                "finite, and least below most",
                desc->least, desc->most);
    spec->least = desc->least;
    spec->most = desc->most;
    if (!clp_type_is_float(spec->type) && spec->type_bytes <= 4) {
        clp_histogram_product_find(spec, &spec->product);
    }
    if (spec->product.is_exact || context->device.has_float64) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "histogram: %zu even bins of %s from %.17g to %.17g need float64, which \"%s\" "
                    "lacks; give edges",
                    spec->bins, clprims_type_name(spec->type), spec->least, spec->most,
                    context->device.info.name);
}

/* Element i of edges of floats. */
static double edge_value(clprims_type type, const void *edges, size_t i) {
    const size_t bytes = clprims_type_bytes(type);
    const unsigned char *at = (const unsigned char *)edges + i * bytes;
    float single;
    double wide;
    if (type == CLPRIMS_F64) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&single, at, sizeof single);
    return single;
}

/* The same of integers, so that they compare as unsigned ones do. */
static uint64_t edge_order(clprims_type type, const void *edges, size_t i) {
    const size_t bytes = clprims_type_bytes(type);
    const bool is_signed = type <= CLPRIMS_I64;
    uint64_t bits = 0;
    memcpy(&bits, (const unsigned char *)edges + i * bytes, bytes); /* the low bytes come first */
    return is_signed ? bits ^ (uint64_t)1 << (8 * bytes - 1) : bits;
}

static bool edges_rise(clprims_type type, const void *edges, size_t i) {
    if (!clp_type_is_float(type)) {
        return i == 0 || edge_order(type, edges, i) >= edge_order(type, edges, i - 1);
    }
    const double here = edge_value(type, edges, i);
    return i == 0 ? !isnan(here) : here >= edge_value(type, edges, i - 1);
}

static clprims_status check_edges(const clprims_histogram_desc *desc) {
    CLP_FAIL_IF(desc->edges == NULL, CLPRIMS_ERR_ARGUMENT, "histogram: edges is NULL, for %zu bins",
                desc->bins);
    for (size_t i = 0; i <= desc->bins; i++) {
        if (edges_rise(desc->type, desc->edges, i)) continue;
        char here[CLP_NUMBER_CHARS], before[CLP_NUMBER_CHARS];
        const size_t last = i > 0 ? i - 1 : 0;
        clp_print_number(desc->type, desc->edges, (int64_t)i, here);
        clp_print_number(desc->type, desc->edges, (int64_t)last, before);
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "histogram: edges[%zu] = %s is not at least edges[%zu] = %s", i, here, last,
                        before);
    }
    return CLPRIMS_OK;
}

static clprims_status check_bins(const clprims_context *context, const clprims_histogram_desc *desc,
                                 clp_histogram_spec *spec) {
    CLP_FAIL_IF(desc->bins == 0 || desc->bins > most_bins, CLPRIMS_ERR_ARGUMENT,
                "histogram: bins = %zu; it must be from 1 to %zu", desc->bins, most_bins);
    spec->bins = desc->bins;
    spec->by = desc->by;
    if (desc->by == CLPRIMS_HISTOGRAM_EVEN) return check_range(context, desc, spec);
    if (desc->by == CLPRIMS_HISTOGRAM_EDGES) return check_edges(desc);
    if (desc->bin != NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "histogram: CLPRIMS_HISTOGRAM_EXPRESSION needs desc.bin; it is NULL");
}

/* ---- Sums ---- */

static bool is_integer(clprims_type type) {
    return clprims_type_bytes(type) > 0 && !clp_type_is_float(type);
}

static clprims_type default_sums(clprims_type weights) {
    if (weights == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_U64;
    if (clp_type_is_float(weights)) return weights;
    return weights <= CLPRIMS_I64 ? CLPRIMS_I64 : CLPRIMS_U64;
}

static clprims_status check_sums(const clprims_context *context, const clprims_histogram_desc *desc,
                                 clp_histogram_spec *spec) {
    const bool weighted = desc->weights != CLPRIMS_TYPE_DEFAULT;
    spec->weights = desc->weights;
    spec->weight_bytes = clprims_type_bytes(desc->weights);
    CLP_FAIL_IF(weighted && spec->weight_bytes == 0, CLPRIMS_ERR_ARGUMENT,
                "histogram: weights = %d (%s) is no type of numbers", (int)desc->weights,
                clprims_type_name(desc->weights));
    spec->floats = weighted && clp_type_is_float(desc->weights);
    spec->sums = desc->sums == CLPRIMS_TYPE_DEFAULT ? default_sums(desc->weights) : desc->sums;
    spec->sum_bytes = clprims_type_bytes(spec->sums);
    const bool fits = spec->floats ? clp_type_is_float(spec->sums)
                                   : is_integer(spec->sums) && spec->sum_bytes >= 4;
    CLP_FAIL_IF(!fits, CLPRIMS_ERR_ARGUMENT, "histogram: sums = %d (%s); %s needs %s",
                (int)spec->sums, clprims_type_name(spec->sums),
                weighted ? clprims_type_name(desc->weights) : "a count",
                spec->floats ? "float32 or float64" : "an integer of 32 or 64 bits");
    CLP_TRY(clp_check_float64(context, "histogram", desc->weights, spec->sums));
    const bool counts_wide = !weighted && spec->sum_bytes == 8 && desc->max_n > UINT32_MAX;
    spec->words = spec->floats ? (desc->fast_floats ? 2 : 4)
                  : weighted   ? spec->sum_bytes / 4
                               : 1 + (size_t)counts_wide;
    return CLPRIMS_OK;
}

clprims_status clp_histogram_spec_fill(const clprims_context *context,
                                       const clprims_histogram_desc *desc,
                                       clp_histogram_spec *spec) {
    *spec = (clp_histogram_spec){.custom = &desc->custom,
                                 .bin = desc->bin,
                                 .max_n = desc->max_n,
                                 .refuses_outside = desc->refuse_outside != 0};
    CLP_TRY(clp_check_enumerator("histogram", "by", (int)desc->by, CLPRIMS_HISTOGRAM_EXPRESSION,
                                 "clprims_histogram_by"));
    CLP_TRY(clp_check_max_n("histogram", desc->max_n, SIZE_MAX / 512));
    CLP_TRY(check_type(context, desc, spec));
    CLP_TRY(check_bins(context, desc, spec));
    return check_sums(context, desc, spec);
}
