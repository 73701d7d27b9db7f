/* SPDX-License-Identifier: MIT */
/* Every two buffers of a call laid on each other: refused by name, unless the call allows it. */
#include "calls/calls.h"

#include <stdio.h>
#include <string.h>

/* A multiple of every element's size, and where a sub-buffer may begin on every device. */
enum { BASE = 12288, BYTES = BASE + 4 * CALL_MOST_BYTES };

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
    const call *c;
    void *plan;
    cl_mem parent, sub; /* the second from BASE on */
    test_buffer own[CALL_MOST_BUFFERS]; /* for those that are not laid on each other */
} overlaps;

/* The element of that size in which, or for `behind` at or behind which, the byte is. */
static size_t element_at(size_t byte, size_t element_bytes, bool behind) {
    return (byte + (behind ? element_bytes - 1 : 0)) / element_bytes;
}

static size_t second_place(layout how, const call_buffer *first, const call_buffer *second) {
    const size_t bytes = first->n * first->element_bytes, end = BASE + bytes;
    switch (how) {
    case ON_BEGINNING:
        return element_at(BASE, second->element_bytes, false);
    case ON_MIDDLE:
        return element_at(BASE + bytes / 2, second->element_bytes, false);
    case ON_LAST_BYTE:
    case ON_LAST_BYTE_OF_SUB_BUFFER:
        return element_at(bytes > 0 ? end - 1 : end, second->element_bytes, false);
    default:
        return element_at(end, second->element_bytes, true);
    }
}

/* Whether the bytes that they have in common are theirs by the call's rule. */
static bool may_lie_so(const call *c, size_t one, size_t other, size_t place, bool one_is_first) {
    const call_buffer *a = &c->buffers[one_is_first ? one : other];
    const call_buffer *b = &c->buffers[one_is_first ? other : one];
    const size_t b_start = place * b->element_bytes, b_end = b_start + b->n * b->element_bytes;
    const size_t a_end = BASE + a->n * a->element_bytes;
    const call_rule rule = call_rule_of(c, one, other);
    if (a->n == 0 || b->n == 0 || b_start >= a_end || b_end <= BASE) return true;
    if (rule == CALL_SAME_PLACE) return b_start == BASE && a->element_bytes == b->element_bytes;
    return rule == CALL_ANYWHERE;
}

static void expect_refusal(const overlaps *o, clprims_status status, size_t one, size_t other) {
    const clprims_error *error = clprims_last_error();
    if (status != CLPRIMS_ERR_ARGUMENT && status != CLPRIMS_ERR_UNSUPPORTED) {
        test_fail("gave %s: %s", clprims_status_name(status), error->message);
    }
    expect_contains(error->message, o->c->buffers[one].name);
    expect_contains(error->message, o->c->buffers[other].name);
    if (strstr(error->message, " overlaps ") == NULL) {
        expect_contains(error->message, " is the place of ");
    }
}

/* Lays the two on each other, `one` first or `other` first. */
static void lay(const overlaps *o, size_t one, size_t other, layout how, bool one_is_first) {
    const call *c = o->c;
    const size_t first = one_is_first ? one : other, second = one_is_first ? other : one;
    const call_buffer *a = &c->buffers[first], *b = &c->buffers[second];
    const bool in_sub = how == ON_LAST_BYTE_OF_SUB_BUFFER || how == BEHIND_SUB_BUFFER;
    const size_t place = second_place(how, a, b);
    clprims_buffer at[CALL_MOST_BUFFERS];
    for (size_t k = 0; k < call_count(c); k++) {
        at[k] = call_place(&c->buffers[k], o->own[k].at.mem, 0);
    }
    at[first] =
        in_sub ? call_place(a, o->sub, 0) : call_place(a, o->parent, BASE / a->element_bytes);
    at[second] = call_place(b, o->parent, place);
    test_note("%s: %s %s %s", c->name, b->name, layout_names[how], a->name);
    const clprims_status status = c->enqueue(o->plan, test_queue(), at, 0, NULL, NULL);
    if (may_lie_so(c, one, other, place, one_is_first)) {
        test_expect_ok(status, "enqueue", __FILE__, __LINE__);
    } else {
        expect_refusal(o, status, one, other);
    }
    expect_cl(clFinish(test_queue()));
}

static void open(overlaps *o, const call *c) {
    const cl_buffer_region region = {BASE, BYTES - BASE};
    const cl_uint zero = 0;
    cl_int code = CL_SUCCESS;
    *o = (overlaps){.c = c, .plan = c->create()};
    o->parent = clCreateBuffer(test_info().context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    expect_cl(code);
    o->sub = clCreateSubBuffer(o->parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    expect_cl(code);
    expect_cl(
        clEnqueueFillBuffer(test_queue(), o->parent, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
    for (size_t k = 0; k < call_count(c); k++) o->own[k] = call_make_buffer(c, k, 0);
}

static void close(overlaps *o) {
    for (size_t k = 0; k < call_count(o->c); k++) test_buffer_release(&o->own[k]);
    expect_cl(clReleaseMemObject(o->sub));
    expect_cl(clReleaseMemObject(o->parent));
    o->c->destroy(o->plan);
}

static void all_pairs(const void *data) {
    overlaps o;
    open(&o, *(const call *const *)data);
    const size_t count = call_count(o.c);
    for (size_t one = 0; one < count; one++) {
        for (size_t other = one + 1; other < count; other++) {
            for (int how = 0; how < LAYOUTS; how++) {
                lay(&o, one, other, (layout)how, true);
                lay(&o, one, other, (layout)how, false);
            }
        }
    }
    close(&o);
}

void calls_add_overlaps(test_cases *cases) {
    if (test_small()) return; /* host code */
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        test_add(cases, all_pairs, &c, sizeof c, "calls/overlaps/%s", c->name);
    }
}
