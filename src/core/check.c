/* SPDX-License-Identifier: MIT */
/* What every primitive refuses in the same words. */
#include "core/check.h"
#include "core/context.h"
#include "core/status.h"
#include "core/type.h"

#include <inttypes.h>

#include <stdbool.h>
#include <string.h>

/* ---- Pointers ---- */

clprims_status clp_given(const char *who, const char *name, const void *pointer) {
    if (pointer != NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL", who, name);
}

clprims_status clp_begin(const char *who, const char *name, const void *pointer) {
    clp_clear_error();
    return clp_given(who, name, pointer);
}

/* ---- Structures ---- */

/* No later header's structure is longer than this one's by more bytes. */
enum { MOST_UNKNOWN = 4096 };

clprims_status clp_take(const char *who, const char *name, const void *given, size_t given_bytes,
                        void *full, size_t bytes) {
    const unsigned char *from = given;
    CLP_TRY(clp_given(who, name, given));
    CLP_FAIL_IF(given_bytes == 0 || given_bytes > bytes + MOST_UNKNOWN, CLPRIMS_ERR_ARGUMENT,
                "%s: %s_bytes = %zu; give the sizeof of *%s, which has %zu bytes in clprims %s",
                who, name, given_bytes, name, bytes, clprims_version());
    for (size_t i = bytes; i < given_bytes; i++) {
        if (from[i] == 0) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s has %zu bytes, of which byte %zu is not 0; clprims %s knows %zu",
                        who, name, given_bytes, i, clprims_version(), bytes);
    }
    const size_t common = given_bytes < bytes ? given_bytes : bytes;
    memset(full, 0, bytes);
    memcpy(full, given, common);
    return CLPRIMS_OK;
}

clprims_status clp_give(const char *who, const char *name, const void *full, size_t bytes,
                        void *given, size_t given_bytes) {
    CLP_TRY(clp_given(who, name, given));
    memset(given, 0, given_bytes);
    memcpy(given, full, given_bytes < bytes ? given_bytes : bytes);
    return CLPRIMS_OK;
}

/* ---- Types ---- */

clprims_status clp_check_enumerator(const char *who, const char *name, int value, int most,
                                    const char *of) {
    if (value >= 0 && value <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s = %d is not a value of %s", who, name, value, of);
}

clprims_status clp_check_type(const char *who, const char *name, clprims_type type) {
    if (type > CLPRIMS_TYPE_DEFAULT && type <= CLPRIMS_STRUCT) return CLPRIMS_OK;
    CLP_FAIL_IF(type == CLPRIMS_TYPE_DEFAULT, CLPRIMS_ERR_ARGUMENT,
                "%s: %s = 0; set the type of the elements", who, name);
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s = %d is not a value of clprims_type", who, name,
                    (int)type);
}

clprims_status clp_check_struct_bytes(const char *who, const clprims_custom *custom) {
    if (custom->type_bytes > 0 && custom->type_bytes <= CLP_LARGEST_VALUE) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: custom.type_bytes = %zu; it must be from 1 to %d",
                    who, custom->type_bytes, CLP_LARGEST_VALUE);
}

clprims_status clp_check_struct(const char *who, const clprims_custom *custom) {
    CLP_FAIL_IF(custom->type_name == NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: CLPRIMS_STRUCT needs custom.type_name; type_name is NULL", who);
    return clp_check_struct_bytes(who, custom);
}

clprims_status clp_check_float64(const clprims_context *context, const char *who, clprims_type a,
                                 clprims_type b) {
    const bool is_used = a == CLPRIMS_F64 || b == CLPRIMS_F64;
    if (!is_used || context->device.has_float64) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "%s: \"%s\" has no float64", who,
                    context->device.info.name);
}

clprims_status clp_check_reach(const char *who, const char *name, clprims_type type,
                               const char *most_name, size_t most, size_t largest) {
    uint64_t reach = 0;
    if (type == CLPRIMS_I32) reach = INT32_MAX;
    if (type == CLPRIMS_U32) reach = UINT32_MAX;
    if (type == CLPRIMS_I64 || type == CLPRIMS_U64) reach = INT64_MAX;
    CLP_FAIL_IF(reach == 0, CLPRIMS_ERR_ARGUMENT,
                "%s: %s = %d (%s) is no 32- or 64-bit integer type", who, name, (int)type,
                clprims_type_name(type));
    if (largest <= reach) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: %s = %zu is beyond the reach of %s of type %s; use int64", who, most_name,
                    most, name, clprims_type_name(type));
}

clprims_status clp_check_offsets(const char *who, const char *name, clprims_type type, size_t max_n,
                                 clprims_type *offsets) {
    *offsets = clp_type_or(type, CLPRIMS_I64);
    CLP_FAIL_IF(clp_type_is_float(*offsets) || clprims_type_bytes(*offsets) < 4,
                CLPRIMS_ERR_ARGUMENT,
                "%s: %s = %d (%s); offsets are int32, int64, uint32 or uint64", who, name,
                (int)type, clprims_type_name(type));
    if (*offsets != CLPRIMS_U32 || max_n <= INT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: max_n = %zu exceeds %d, the most with %s uint32; use int64", who, max_n,
                    INT32_MAX, name);
}

const char *clp_offset_text(clprims_type offsets) {
    return clp_type_text(clprims_type_bytes(offsets) == 4 ? CLPRIMS_I32 : CLPRIMS_I64);
}

/* ---- Sizes of problems ---- */

clprims_status clp_check_max_n(const char *who, size_t max_n, size_t most) {
    CLP_FAIL_IF(max_n == 0, CLPRIMS_ERR_ARGUMENT,
                "%s: max_n = 0; set the largest n that the plan will be given", who);
    if (max_n <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: max_n = %zu exceeds %zu, the most of all", who,
                    max_n, most);
}

clprims_status clp_check_max_segments(const char *who, size_t max_segments, size_t most) {
    CLP_FAIL_IF(max_segments == 0, CLPRIMS_ERR_ARGUMENT,
                "%s: max_segments = 0; set the most segments that the plan will be given", who);
    if (max_segments <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: max_segments = %zu exceeds %zu, the most of all",
                    who, max_segments, most);
}

clprims_status clp_check_within(const char *who, const char *name, size_t number,
                                const char *most_name, size_t most) {
    if (number <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: %s = %zu exceeds %s = %zu given to create; create a larger plan", who,
                    name, number, most_name, most);
}

clprims_status clp_check_n(const char *who, size_t n, size_t max_n) {
    return clp_check_within(who, "n", n, "max_n", max_n);
}

/* ---- Data ---- */

clprims_status clp_fail_count(const char *who, const char *name, int64_t count) {
    return clp_fail(CLPRIMS_ERR_DATA,
                    "%s: %s = %" PRIu64 ", as read on the device, exceeds that of the call", who,
                    name, (uint64_t)count);
}

/* As kernels read it. */
static int64_t offset_at(clprims_type type, const void *offsets, int64_t i) {
    const bool is_long = clprims_type_bytes(type) == sizeof(int64_t);
    return is_long ? ((const int64_t *)offsets)[i] : ((const int32_t *)offsets)[i];
}

clprims_status clp_fail_offset(const char *who, int64_t index, clprims_type type,
                               const void *offsets, size_t n) {
    CLP_FAIL_IF(offsets == NULL, CLPRIMS_ERR_DATA,
                "%s: offsets[%" PRId64 "] is less than the offset before, less than 0, or "
                "beyond the elements",
                who, index);
    const int64_t value = offset_at(type, offsets, index);
    const int64_t before = index > 0 ? offset_at(type, offsets, index - 1) : 0;
    const bool is_beyond = value < 0 && type >= CLPRIMS_U8;
    char text[CLP_NUMBER_CHARS];
    clp_print_number(type, offsets, index, text);
    CLP_FAIL_IF(index > 0 && value < before && !is_beyond, CLPRIMS_ERR_DATA,
                "%s: offsets[%" PRId64 "] = %s is less than offsets[%" PRId64 "] = %" PRId64, who,
                index, text, index - 1, before);
    return clp_fail(CLPRIMS_ERR_DATA,
                    "%s: offsets[%" PRId64 "] = %s is not within the %zu elements", who, index,
                    text, n);
}

clprims_status clp_check_fault(const char *who, int64_t fault) {
    if (fault == 0) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s_check: report.fault = %" PRId64
                    " is not a value of clprims_%s_fault; was the report read after its event?",
                    who, fault, who);
}

clprims_status clp_check_count_report(const char *who, int64_t fault, int64_t count) {
    return fault == 1 ? clp_fail_count(who, "n", count) : clp_check_fault(who, fault);
}

/* ---- Segments ---- */

const char *clp_segments_by_text(clprims_segments_by by) {
    static const char *const texts[] = {[CLPRIMS_SEGMENTS_OFFSETS] = "by = 0 (offsets)",
                                        [CLPRIMS_SEGMENTS_KEYS] = "by = 1 (keys)",
                                        [CLPRIMS_SEGMENTS_FLAGS] = "by = 2 (flags)",
                                        [CLPRIMS_SEGMENTS_BITS] = "by = 3 (bits)",
                                        [CLPRIMS_SEGMENTS_EQUAL] = "by = 4 (equal)"};
    return texts[by];
}

clprims_status clp_check_by(const char *who, clprims_segments_by by, clprims_type offsets) {
    CLP_TRY(
        clp_check_enumerator(who, "by", (int)by, CLPRIMS_SEGMENTS_EQUAL, "clprims_segments_by"));
    CLP_FAIL_IF(by != CLPRIMS_SEGMENTS_EQUAL && by != CLPRIMS_SEGMENTS_OFFSETS,
                CLPRIMS_ERR_ARGUMENT, "%s: %s is not offsets or equal", who,
                clp_segments_by_text(by));
    if (by == CLPRIMS_SEGMENTS_OFFSETS || offsets == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: offsets = %d (%s), but %s has none; leave CLPRIMS_TYPE_DEFAULT", who,
                    (int)offsets, clprims_type_name(offsets), clp_segments_by_text(by));
}

size_t clp_rows(size_t n, size_t length) {
    return length == 0 ? 0 : n / length + (n % length > 0);
}

clprims_status clp_check_segment_sizes(const char *who, clprims_segments_by by, size_t segments,
                                       size_t length) {
    const char *text = clp_segments_by_text(by);
    CLP_FAIL_IF(by != CLPRIMS_SEGMENTS_OFFSETS && segments > 0, CLPRIMS_ERR_ARGUMENT,
                "%s: sizes.segments = %zu, but %s; only offsets need it", who, segments, text);
    if ((by == CLPRIMS_SEGMENTS_EQUAL) == (length > 0)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: sizes.length = %zu, but %s %s", who, length, text,
                    length > 0 ? "has no use for it" : "needs at least 1");
}
