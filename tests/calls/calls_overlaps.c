/* SPDX-License-Identifier: MIT */
/* Every two buffers of a call laid on each other: refused by name, unless the call allows it. */
#include "calls/calls.h"

/* A multiple of every element's size, and where a sub-buffer may begin on every device. */
enum { BASE = 12288, BYTES = BASE + 4 * 8192 };

/* Where the second buffer lies when the first one is at BASE. */
typedef enum layout {
    ON_BEGINNING,
    ON_MIDDLE,
    ON_LAST_BYTE,
    BEHIND,
    ON_LAST_BYTE_OF_SUB_BUFFER,
    BEHIND_SUB_BUFFER,
    LAYOUTS
} layout;

static const char *const layout_names[LAYOUTS] = {
    "on the beginning", "on the middle", "on the last byte of",
    "behind",           "on the end of", "behind the sub-buffer of"};

typedef struct overlaps {
    subject_scene scene;
    const subject_data *d;
    cl_mem parent, sub; /* the second from BASE on */
    subject_buffers own; /* for arrays that are not laid on each other */
} overlaps;

/* The element of that size in which, or for `behind` at or behind which, the byte is. */
static size_t element_at(size_t byte, size_t element_bytes, bool behind) {
    return (byte + (behind ? element_bytes - 1 : 0)) / element_bytes;
}

static size_t second_place(layout how, const subject_array *first, const subject_array *second) {
    const size_t bytes = first->n * first->bytes, end = BASE + bytes;
    switch (how) {
    case ON_BEGINNING:
        return element_at(BASE, second->bytes, false);
    case ON_MIDDLE:
        return element_at(BASE + bytes / 2, second->bytes, false);
    case ON_LAST_BYTE:
    case ON_LAST_BYTE_OF_SUB_BUFFER:
        return element_at(bytes > 0 ? end - 1 : end, second->bytes, false);
    default:
        return element_at(end, second->bytes, true);
    }
}

/* Whether the bytes that they have in common are theirs by the call's rule. */
static bool may_lie_so(const subject_data *d, size_t one, size_t other, size_t place,
                       bool one_is_first) {
    const subject_array *a = &d->at[one_is_first ? one : other];
    const subject_array *b = &d->at[one_is_first ? other : one];
    const size_t b_start = place * b->bytes, b_end = b_start + b->n * b->bytes;
    const size_t a_end = BASE + a->n * a->bytes;
    const subject_rule rule = subject_rule_of(d, one, other);
    if (a->n == 0 || b->n == 0 || b_start >= a_end || b_end <= BASE) return true;
    if (rule == SUBJECT_SAME_PLACE) return b_start == BASE && a->bytes == b->bytes;
    return rule == SUBJECT_ANYWHERE;
}

static void expect_refusal(const overlaps *o, clprims_status status, size_t one, size_t other) {
    const clprims_error *error = clprims_last_error();
    if (status != CLPRIMS_ERR_ARGUMENT && status != CLPRIMS_ERR_UNSUPPORTED) {
        test_fail("gave %s: %s", clprims_status_name(status), error->message);
    }
    expect_contains(error->message, o->d->at[one].name);
    expect_contains(error->message, o->d->at[other].name);
    if (strstr(error->message, " overlaps ") == NULL) {
        expect_contains(error->message, " is the place of ");
    }
}

/* Lays the two on each other, `one` first or `other` first. */
static void lay(const overlaps *o, size_t one, size_t other, layout how, bool one_is_first) {
    const subject_data *d = o->d;
    const size_t first = one_is_first ? one : other, second = one_is_first ? other : one;
    const subject_array *a = &d->at[first], *b = &d->at[second];
    const bool in_sub = how == ON_LAST_BYTE_OF_SUB_BUFFER || how == BEHIND_SUB_BUFFER;
    const size_t place = second_place(how, a, b);
    subject_submission call = o->own.call;
    call.at[first] =
        in_sub ? subject_place(a, o->sub, 0) : subject_place(a, o->parent, BASE / a->bytes);
    call.at[second] = subject_place(b, o->parent, place);
    test_note("%s: %s %s %s", d->of->name, b->name, layout_names[how], a->name);
    const clprims_status status = d->of->enqueue(o->scene.plan, d, &call);
    if (may_lie_so(d, one, other, place, one_is_first)) {
        test_expect_ok(status, "enqueue", __FILE__, __LINE__);
    } else {
        expect_refusal(o, status, one, other);
    }
    expect_cl(clFinish(test_queue()));
}

static void open(overlaps *o, const subject_call_ref *ref) {
    const cl_buffer_region region = {BASE, BYTES - BASE};
    const cl_uint zero = 0;
    cl_int code = CL_SUCCESS;
    o->scene = subject_scene_open(ref);
    o->d = &o->scene.data;
    o->own = subject_buffers_create(o->d, NULL, 0);
    o->parent = test_mem(BYTES);
    o->sub = clCreateSubBuffer(o->parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    expect_cl(code);
    expect_cl(
        clEnqueueFillBuffer(test_queue(), o->parent, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
}

static void all_pairs(const void *data) {
    overlaps o;
    open(&o, data);
    for (size_t one = 0; one < SUBJECT_SLOTS; one++) {
        for (size_t other = one + 1; other < SUBJECT_SLOTS; other++) {
            if (o.d->at[one].name == NULL || o.d->at[other].name == NULL) continue;
            for (int how = 0; how < LAYOUTS; how++) {
                lay(&o, one, other, (layout)how, true);
                lay(&o, one, other, (layout)how, false);
            }
        }
    }
    expect_cl(clReleaseMemObject(o.sub));
}

void calls_add_overlaps(test_cases *cases) {
    if (test_small()) return; /* host code */
    subject_add_calls(cases, all_pairs, "calls/overlaps");
}
