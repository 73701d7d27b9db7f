/* SPDX-License-Identifier: MIT */
/* Turns a product's description into a checked spec and a shape: every default and every refusal.
 */
#include "core/context.h"
#include "core/tuning.h"
#include "core/type.h"
#include "minplus/minplus_plan.h"

#include <string.h>

/* ---- The caller's values ----------------------------------------------------------------------
 */

const char *clprims_semiring_name(clprims_semiring semiring) {
    static const char names[][9] = {"min-plus", "max-plus", "min-max", "or-and", "custom"};
    return CLP_TEXT_OF_ENUMERATOR(names, semiring, "unknown");
}

static bool is_ordered_type(clprims_type type) {
    return type == CLPRIMS_F32 || type == CLPRIMS_F64 || type == CLPRIMS_I32 || type == CLPRIMS_I64;
}

static clprims_status check_type(const clprims_context *context, const clp_minplus_spec *spec) {
    const char *semiring = clprims_semiring_name(spec->semiring);
    const char *type = clprims_type_name(spec->type);
    CLP_FAIL_IF(clprims_type_bytes(spec->type) == 0, CLPRIMS_ERR_ARGUMENT,
                "%s: type = %d (%s) is no built-in type", spec->who, (int)spec->type, type);
    CLP_FAIL_IF(spec->semiring <= CLPRIMS_MIN_MAX && !is_ordered_type(spec->type),
                CLPRIMS_ERR_UNSUPPORTED,
                "%s: %s of %s; it is there for int32, int64, float32 and float64", spec->who,
                semiring, type);
    CLP_FAIL_IF(spec->semiring == CLPRIMS_OR_AND && clp_type_is_float(spec->type),
                CLPRIMS_ERR_UNSUPPORTED, "%s: or-and of %s; it is there for integers", spec->who,
                type);
    return clp_check_float64(context, spec->who, spec->type, spec->type);
}

static clprims_status take_no_edge(const void *no_edge, clp_minplus_spec *spec) {
    const bool mirrored = spec->semiring == CLPRIMS_MAX_PLUS;
    const int64_t farthest = clp_minplus_no_edge(spec->type, spec->semiring, NULL);
    const int64_t value = clp_minplus_no_edge(spec->type, spec->semiring, no_edge);
    CLP_FAIL_IF(mirrored ? value >= 0 || value < farthest : value <= 0 || value > farthest,
                CLPRIMS_ERR_ARGUMENT,
                "%s: no_edge = %lld; for %s of %s it must be %s 0 and not beyond %lld", spec->who,
                (long long)value, clprims_semiring_name(spec->semiring),
                clprims_type_name(spec->type), mirrored ? "below" : "above", (long long)farthest);
    memcpy(&spec->no_edge, &value, sizeof value);
    return CLPRIMS_OK;
}

clprims_status clp_minplus_take_type(const clprims_context *context, const void *no_edge,
                                     clp_minplus_spec *spec) {
    CLP_TRY(check_type(context, spec));
    if (clp_minplus_is_limited(spec->type, spec->semiring)) return take_no_edge(no_edge, spec);
    CLP_FAIL_IF(no_edge != NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: no_edge is not NULL, but %s of %s has none to be set", spec->who,
                clprims_semiring_name(spec->semiring), clprims_type_name(spec->type));
    return CLPRIMS_OK;
}

static clprims_status take_custom(clp_minplus_spec *spec) {
    const clprims_semiring_custom *custom = &spec->custom;
    if (spec->semiring != CLPRIMS_SEMIRING_CUSTOM) {
        const char *unread = custom->extend != NULL ? custom->extend : custom->combine;
        if (unread == NULL) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: \"%s\" is given, but semiring = %d (%s); only "
                        "CLPRIMS_SEMIRING_CUSTOM reads custom.extend and combine",
                        spec->who, unread, (int)spec->semiring,
                        clprims_semiring_name(spec->semiring));
    }
    CLP_FAIL_IF(custom->extend == NULL || custom->combine == NULL || custom->identity == NULL,
                CLPRIMS_ERR_ARGUMENT,
                "%s: CLPRIMS_SEMIRING_CUSTOM needs custom.extend, combine and identity; "
                "%s is NULL",
                spec->who,
                custom->extend == NULL    ? "extend"
                : custom->combine == NULL ? "combine"
                                          : "identity");
    unsigned char bytes[sizeof spec->no_edge] = {0};
    memcpy(bytes, custom->identity, clprims_type_bytes(spec->type));
    spec->no_edge = 0;
    for (size_t i = sizeof bytes; i-- > 0;) spec->no_edge = spec->no_edge << 8 | bytes[i];
    return CLPRIMS_OK;
}

clprims_status clp_minplus_spec_fill(const clprims_context *context,
                                     const clprims_minplus_desc *desc, clp_minplus_spec *spec) {
    *spec = (clp_minplus_spec){.who = "minplus",
                               .type = clp_type_or(desc->type, CLPRIMS_F32),
                               .semiring = desc->semiring,
                               .custom = desc->custom,
                               .accumulate = desc->accumulate != 0,
                               .argmin = desc->argmin != 0,
                               .nonnegative = desc->nonnegative != 0,
                               .most = {desc->max.m, desc->max_n, desc->max.k, desc->max.batch}};
    CLP_TRY(clp_check_enumerator("minplus", "semiring", (int)desc->semiring,
                                 CLPRIMS_SEMIRING_CUSTOM, "clprims_semiring"));
    CLP_TRY(clp_minplus_take_type(context, desc->no_edge, spec));
    CLP_FAIL_IF(spec->argmin && spec->semiring > CLPRIMS_MIN_MAX, CLPRIMS_ERR_UNSUPPORTED,
                "minplus: argmin of %s, which does not choose between paths",
                clprims_semiring_name(spec->semiring));
    CLP_FAIL_IF(
        spec->nonnegative && (spec->semiring != CLPRIMS_MIN_PLUS || !clp_type_is_float(spec->type)),
        CLPRIMS_ERR_ARGUMENT, "minplus: nonnegative is for min-plus of floats, not for %s of %s",
        clprims_semiring_name(spec->semiring), clprims_type_name(spec->type));
    return take_custom(spec);
}

/* ---- The shape --------------------------------------------------------------------------------
 */

/* SIMD width in elements; 1 for a custom semiring, whose text is scalar. */
static clprims_status choose_lanes(const clprims_context *context, const clp_minplus_spec *spec,
                                   size_t *lanes) {
    const size_t bytes = clprims_type_bytes(spec->type);
    const cl_device_info query = bytes == 8   ? CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
                                 : bytes == 4 ? CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
                                 : bytes == 2 ? CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
                                              : CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR;
    cl_uint width = 0;
    *lanes = 1;
    if (spec->semiring == CLPRIMS_SEMIRING_CUSTOM) return CLPRIMS_OK;
    const cl_int code = clGetDeviceInfo(context->device.info.id, query, sizeof width, &width, NULL);
    if (code != CL_SUCCESS) {
        return clp_fail_cl(code, "%s: asking for the width of vectors failed", spec->who);
    }
    *lanes = 2;
    while (2 * *lanes <= width && *lanes < 16) *lanes *= 2;
    return CLPRIMS_OK;
}

typedef struct group_default {
    size_t high, wide, rows, columns, depth, split;
} group_default;

/* By the bytes of an element, up to 4 or 8. All fit 32 KiB of local memory. */
static const group_default group_defaults[2][CLP_MINPLUS_RANKS] = {
    {{16, 16, 8, 8, 16, 1}, {8, 8, 8, 8, 16, 1}, {8, 8, 4, 4, 32, 2}, {4, 8, 4, 4, 64, 8}},
    {{8, 16, 8, 4, 16, 1}, {8, 8, 8, 4, 16, 1}, {8, 8, 4, 4, 16, 2}, {4, 8, 4, 4, 32, 4}}};

static void set_defaults(const clprims_context *context, const clp_minplus_spec *spec,
                         clp_minplus_rank rank, size_t lanes, clp_knob knobs[CLP_MINPLUS_KNOBS]) {
    const bool wide_type = clprims_type_bytes(spec->type) == 8;
    const bool heavy = spec->argmin || wide_type;
    const group_default *of = &group_defaults[wide_type][rank];
    size_t *high = &knobs[CLP_MINPLUS_HIGH].value, *wide = &knobs[CLP_MINPLUS_WIDTH].value;
    size_t *split = &knobs[CLP_MINPLUS_SPLIT].value;
    memcpy(knobs, clp_minplus_knobs, sizeof clp_minplus_knobs);
    if (context->device.is_cpu || context->device.max_group == 1) {
        knobs[CLP_MINPLUS_ROWS].value = heavy ? 4 : 6;
        knobs[CLP_MINPLUS_COLUMNS].value = heavy ? 2 * lanes : 4 * lanes;
        knobs[CLP_MINPLUS_BLOCKS].value = 16;
        return;
    }
    *high = of->high;
    *wide = of->wide;
    knobs[CLP_MINPLUS_ROWS].value = of->rows;
    knobs[CLP_MINPLUS_COLUMNS].value = heavy ? 4 : of->columns;
    knobs[CLP_MINPLUS_DEPTH].value = of->depth;
    knobs[CLP_MINPLUS_SIGNLESS].value = rank != CLP_MINPLUS_TINY;
    knobs[CLP_MINPLUS_BARRIERS].value = 1;
    *split = of->split;
    if (spec->follows && !wide_type) {
        *high = 8;
        knobs[CLP_MINPLUS_DEPTH].value = 8; /* fewer k to search; 1.11 times 16 on an H200 */
        knobs[CLP_MINPLUS_PAIRS].value = 3;
    }
    while (*high * *wide * *split > context->device.max_group) {
        *(*split > 1 ? split : *high >= *wide ? high : wide) /= 2;
    }
}

static clprims_status check_serial(const clprims_context *context, const clp_minplus_spec *spec,
                                   const clp_minplus_shape *shape) {
    const size_t bytes = clprims_type_bytes(spec->type);
    const size_t index_bytes = spec->argmin ? bytes : 0;
    const size_t local_bytes =
        shape->columns * (shape->depth * bytes + shape->tile_rows * (bytes + index_bytes));
    CLP_FAIL_IF(shape->columns % shape->lanes != 0 ||
                    shape->rows * (shape->columns / shape->lanes) > 256,
                CLPRIMS_ERR_ARGUMENT,
                "%s: ROWS=%zu COLUMNS=%zu; without a group COLUMNS must be a multiple of "
                "%zu, and ROWS * COLUMNS at most 256 times that",
                spec->who, shape->rows, shape->columns, shape->lanes);
    CLP_FAIL_IF(local_bytes > context->device.local_bytes, CLPRIMS_ERR_ARGUMENT,
                "%s: ROWS=%zu BLOCKS=%zu COLUMNS=%zu DEPTH=%zu need %zu bytes of local "
                "memory; \"%s\" has %zu",
                spec->who, shape->rows, shape->blocks, shape->columns, shape->depth, local_bytes,
                context->device.info.name, context->device.local_bytes);
    return CLPRIMS_OK;
}

static bool one_divides_other(size_t a, size_t b) {
    return a % b == 0 || b % a == 0;
}

/* Two slabs, or the partial cells in their place; see cl/minplus/minplus_split.cl. */
static size_t local_bytes_of(const clp_minplus_shape *shape, size_t bytes, bool argmin) {
    const size_t left = 2 * shape->depth * (shape->tile_rows + 4);
    const size_t right = 2 * shape->depth * shape->tile_columns;
    const size_t behind = (shape->split - 1) * shape->tile_rows * shape->tile_columns;
    return bytes * ((argmin && behind > left ? behind : left) + (behind > right ? behind : right));
}

/* Returns whether all work-items fetch the same number of chunks of 4 at the same distances; see
 * cl/minplus/minplus_staged.cl. */
static bool deals_evenly(const clp_minplus_shape *shape) {
    return shape->group % 2 == 0 && shape->tile_rows * shape->depth / 4 % shape->group == 0 &&
           shape->tile_columns * shape->depth / 4 % shape->group == 0 &&
           one_divides_other(shape->group / 2, shape->tile_rows) &&
           one_divides_other(shape->group, shape->tile_columns / 4);
}

static clprims_status check_tile(const clprims_context *context, const clp_minplus_spec *spec,
                                 const clp_minplus_shape *shape) {
    const size_t bytes = clprims_type_bytes(spec->type);
    const size_t local_bytes = local_bytes_of(shape, bytes, spec->argmin);
    CLP_FAIL_IF(!shape->barriers, CLPRIMS_ERR_ARGUMENT,
                "%s: HIGH=%zu WIDE=%zu on \"%s\": work-groups of many need barriers in "
                "loops, which compilers for CPUs get wrong; add BARRIERS=1 to try all the "
                "same",
                spec->who, shape->high, shape->wide, context->device.info.name);
    CLP_FAIL_IF(shape->rows % 4 != 0 || shape->columns % 4 != 0 ||
                    shape->rows * shape->columns > 256 || shape->group > context->device.max_group,
                CLPRIMS_ERR_ARGUMENT,
                "%s: HIGH=%zu WIDE=%zu SPLIT=%zu ROWS=%zu COLUMNS=%zu; ROWS and COLUMNS must "
                "be multiples of 4, ROWS * COLUMNS at most 256, HIGH * WIDE * SPLIT at "
                "most %zu",
                spec->who, shape->high, shape->wide, shape->split, shape->rows, shape->columns,
                context->device.max_group);
    CLP_FAIL_IF(shape->depth % shape->split != 0 || shape->depth / shape->split < 2,
                CLPRIMS_ERR_ARGUMENT, "%s: DEPTH=%zu SPLIT=%zu; DEPTH must be at least twice SPLIT",
                spec->who, shape->depth, shape->split);
    CLP_FAIL_IF(!deals_evenly(shape), CLPRIMS_ERR_ARGUMENT,
                "%s: DEPTH=%zu with HIGH=%zu WIDE=%zu ROWS=%zu COLUMNS=%zu does not deal "
                "whole chunks of 4 to all work-items; take a larger DEPTH",
                spec->who, shape->depth, shape->high, shape->wide, shape->rows, shape->columns);
    CLP_FAIL_IF(local_bytes > context->device.local_bytes, CLPRIMS_ERR_ARGUMENT,
                "%s: HIGH=%zu WIDE=%zu ROWS=%zu COLUMNS=%zu DEPTH=%zu, tiles of %zu * %zu, "
                "need %zu bytes of local memory; \"%s\" has %zu",
                spec->who, shape->high, shape->wide, shape->rows, shape->columns, shape->depth,
                shape->tile_rows, shape->tile_columns, local_bytes, context->device.info.name,
                context->device.local_bytes);
    return CLPRIMS_OK;
}

/* Returns the key of tuning lines for this kind of product. */
static const char *tuning_name(const clp_minplus_spec *spec, clp_minplus_rank rank) {
    static const char *const names[][CLP_MINPLUS_RANKS] = {
        {"minplus", "minplus-narrow", "minplus-small", "minplus-tiny"},
        {"minplus-float", "minplus-float-narrow", "minplus-float-small", "minplus-float-tiny"},
        {"minplus-nonnegative", "minplus-nonnegative-narrow", "minplus-nonnegative-small",
         "minplus-nonnegative-tiny"},
        {"minplus-argmin", "minplus-argmin-narrow", "minplus-argmin-small", "minplus-argmin-tiny"}};
    const bool is_float = clp_type_is_float(spec->type);
    return names[spec->argmin ? 3 : spec->nonnegative ? 2 : is_float][rank];
}

/* Returns whether sums without a sign compare as their bits do; see cl/minplus/minplus_cells.cl. */
static bool has_signless_way(const clp_minplus_spec *spec) {
    return spec->semiring == CLPRIMS_MIN_PLUS &&
           (spec->argmin ? spec->follows && spec->type == CLPRIMS_F32
                         : spec->type == CLPRIMS_F32 || spec->type == CLPRIMS_I32);
}

clprims_status clp_minplus_shape_choose(const clprims_context *context,
                                        const clp_minplus_spec *spec, clp_minplus_rank rank,
                                        const char *tuning, clp_minplus_shape *shape) {
    clp_knob knobs[CLP_MINPLUS_KNOBS];
    size_t lanes;
    CLP_TRY(choose_lanes(context, spec, &lanes));
    set_defaults(context, spec, rank, lanes, knobs);
    CLP_TRY(clp_knobs_set(context, tuning_name(spec, rank), clprims_type_bytes(spec->type), tuning,
                          knobs, CLP_MINPLUS_KNOBS));
    *shape = (clp_minplus_shape){.high = knobs[CLP_MINPLUS_HIGH].value,
                                 .wide = knobs[CLP_MINPLUS_WIDTH].value,
                                 .rows = knobs[CLP_MINPLUS_ROWS].value,
                                 .columns = knobs[CLP_MINPLUS_COLUMNS].value,
                                 .depth = knobs[CLP_MINPLUS_DEPTH].value,
                                 .blocks = knobs[CLP_MINPLUS_BLOCKS].value,
                                 .pairs = knobs[CLP_MINPLUS_PAIRS].value,
                                 .unroll = knobs[CLP_MINPLUS_UNROLL].value,
                                 .signless = knobs[CLP_MINPLUS_SIGNLESS].value,
                                 .barriers = knobs[CLP_MINPLUS_BARRIERS].value != 0,
                                 .lanes = lanes,
                                 .split = knobs[CLP_MINPLUS_SPLIT].value};
    if (shape->high * shape->wide == 1 || spec->semiring == CLPRIMS_SEMIRING_CUSTOM)
        shape->split = 1;
    shape->group = shape->high * shape->wide * shape->split;
    const bool sums_words = spec->type == CLPRIMS_I32 && (spec->semiring == CLPRIMS_MIN_PLUS ||
                                                          spec->semiring == CLPRIMS_MAX_PLUS);
    const bool pairs_are_signless = spec->argmin && has_signless_way(spec);
    if ((spec->argmin && !pairs_are_signless) || spec->semiring == CLPRIMS_SEMIRING_CUSTOM) {
        shape->pairs = 1;
    }
    if (shape->pairs == 4 && !sums_words) shape->pairs = 1;
    if (spec->nonnegative && shape->signless == 0) shape->signless = 1;
    if (!has_signless_way(spec)) shape->signless = 0;
    const bool serially = shape->group == 1;
    if (!serially) shape->lanes = 1;
    shape->tile_rows = serially ? shape->rows * shape->blocks : shape->high * shape->rows;
    shape->tile_columns = serially ? shape->columns : shape->wide * shape->columns;
    return CLPRIMS_OK;
}

clprims_status clp_minplus_shape_check(const clprims_context *context, const clp_minplus_spec *spec,
                                       const clp_minplus_shape *shape) {
    return shape->group == 1 ? check_serial(context, spec, shape)
                             : check_tile(context, spec, shape);
}
