/* SPDX-License-Identifier: MIT */
/* Indices of gather and scatter. */
#include "subjects/draws/drawn_indices.h"

void drawn_indices_limit(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = 2 * n + 1;
}

void drawn_indices_numbers(subject_data *d, size_t n) {
    const bool is_any = d->most[1] > 2 * n && test_random_below(2) == 0;
    d->n[1] = 1 + test_random_below(is_any ? d->most[1] : 2 * n + 1);
    if (d->may_be_malformed && test_random_below(16) == 0) d->n[1] = 0;
}

/* An index that none of the elements has, as the type holds it. */
static int64_t draw_outside(clprims_type type, size_t length) {
    const int64_t beyond[] = {(int64_t)length, -1, (int64_t)length + 1, INT64_MIN, INT64_MAX};
    const int64_t beyond_32[] = {(int64_t)length, -1, (int64_t)length + 7, INT32_MIN, INT32_MAX};
    const size_t which = test_random_below(5);
    if (type == CLPRIMS_I32) return beyond_32[which];
    if (type == CLPRIMS_U32) return (int64_t)(uint32_t)beyond_32[which];
    return beyond[which];
}

/* As many indices are outside as the variant says, or at times one, and all where there are no
 * elements. */
static size_t count_outside(const subject_data *d, size_t length) {
    const size_t wanted = (size_t)d->variant, n = d->n[0];
    const bool is_malformed = d->may_be_malformed && test_random_below(3) == 0;
    const size_t outside = wanted > 0 ? wanted : is_malformed ? 1 : 0;
    return length == 0 || outside > n ? n : outside;
}

drawn_indices drawn_indices_begin(subject_data *d, size_t slot, clprims_type type, size_t length) {
    const size_t n = d->n[0], bytes = type == CLPRIMS_TYPE_DEFAULT ? 8 : clprims_type_bytes(type);
    return (drawn_indices){.type = type,
                           .bytes = bytes,
                           .n = n,
                           .length = length,
                           .values = subject_in(d, slot, "index", n, subject_room(d, 0), bytes),
                           .outside = count_outside(d, length),
                           .report = {CLPRIMS_GATHER_VALID, -1, 0, (int64_t)n}};
}

bool drawn_index(subject_data *d, drawn_indices *x, size_t i, size_t span, int64_t *index) {
    const bool is_outside = span == 0 || test_random_below(x->n - i) < x->outside;
    *index = is_outside ? draw_outside(x->type, x->length) : (int64_t)test_random_below(span);
    x->outside -= is_outside && x->outside > 0;
    test_store_integer(x->bytes, x->values, i, (uint64_t)*index);
    if (!is_outside || x->report.fault != CLPRIMS_GATHER_VALID) return !is_outside;
    x->report = (clprims_gather_report){CLPRIMS_GATHER_INDEX, (int64_t)i, *index, (int64_t)x->n};
    d->status = d->verdict = CLPRIMS_ERR_DATA;
    return false;
}
