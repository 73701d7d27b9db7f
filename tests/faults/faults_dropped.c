/* SPDX-License-Identifier: MIT */
/*
 * A run whose wait list fails is never executed, and leaves its plan as if it had never been
 * submitted: the results of the next run have the same bits as those of a new plan. Data of junk
 * are in some of the runs that are dropped and in some that are not: what those leave behind
 * differs most from what the next run must find.
 */
#include "calls/calls.h"
#include "faults/faults_waits.h"
#include "faults/faulty.h"

#include <string.h>

/* What a step of the case does. */
typedef enum step { DROP = 1, JUNK = 2 } step; /* or neither, or both */

enum { DRAWN_STEPS = 6, MOST_RESULTS = CALL_MOST_BUFFERS * CALL_MOST_BYTES };

typedef struct dropping {
    const call *c;
    cl_command_queue queue;
    test_buffer valid[CALL_MOST_BUFFERS], junk[CALL_MOST_BUFFERS];
    unsigned char expected[MOST_RESULTS], results[MOST_RESULTS];
} dropping;

static void fill_with_junk(const call_buffer *buffer, unsigned char *values) {
    call_fill(buffer, values);
    if (buffer->written) return;
    for (size_t i = 0; i < buffer->n * buffer->element_bytes; i++) {
        values[i] = (unsigned char)test_random();
    }
}

/* Submits a run; with DROP behind an event that fails. */
static void make_run(dropping *d, void *plan, int what) {
    const test_buffer *buffers = what & JUNK ? d->junk : d->valid;
    clprims_buffer at[CALL_MOST_BUFFERS];
    cl_event gate = NULL, done = NULL;
    cl_int code = CL_SUCCESS, state = CL_COMPLETE;
    for (size_t k = 0; k < call_count(d->c); k++) {
        at[k] = call_place(&d->c->buffers[k], buffers[k].at.mem, 0);
    }
    if (!(what & DROP)) {
        expect_ok(d->c->enqueue(plan, d->queue, at, 0, NULL, NULL));
        expect_cl(clFinish(d->queue));
        return;
    }
    gate = clCreateUserEvent(test_info().context, &code);
    expect_cl(code);
    faulty_hold();
    expect_ok(d->c->enqueue(plan, d->queue, at, 1, &gate, &done));
    expect_cl(clSetUserEventStatus(gate, -5));
    clWaitForEvents(1, &done); /* gives the error of the event */
    expect_cl(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    if (state >= 0) test_fail("the driver has executed what waits for an event that fails");
    clFinish(d->queue);
    faulty_let_go();
    expect_cl(clReleaseEvent(done));
    expect_cl(clReleaseEvent(gate));
}

/* What a run of valid data writes, one buffer behind the other; returns how many bytes that is. */
static size_t results_of(dropping *d, void *plan, unsigned char *results) {
    const call *c = d->c;
    size_t bytes = 0;
    for (size_t k = 0; k < call_count(c); k++) {
        if (c->buffers[k].written) {
            test_buffer_release(&d->valid[k]);
            d->valid[k] = call_make_buffer(c, k, 0);
        }
    }
    make_run(d, plan, 0);
    for (size_t k = 0; k < call_count(c); k++) {
        if (!c->buffers[k].written) continue;
        test_buffer_read(&d->valid[k], results + bytes);
        bytes += c->buffers[k].n * c->buffers[k].element_bytes;
    }
    return bytes;
}

static void begin(dropping *d, const call *c) {
    unsigned char values[CALL_MOST_BYTES];
    d->c = c;
    for (size_t k = 0; k < call_count(c); k++) {
        const call_buffer *buffer = &c->buffers[k];
        fill_with_junk(buffer, values);
        d->valid[k] = call_make_buffer(c, k, 0);
        d->junk[k] = test_buffer_create(values, buffer->n, buffer->element_bytes, 0);
    }
}

/* The first run dropped; a run of junk, then one dropped, then two; then any. */
static void drop_runs(dropping *d, bool out_of_order) {
    static const int first[] = {DROP, 0, JUNK, DROP, 0, JUNK, DROP | JUNK, DROP, 0};
    enum { FIRST = sizeof first / sizeof first[0] };
    void *plan = d->c->create();
    const size_t bytes = results_of(d, plan, d->expected);
    d->c->destroy(plan);
    plan = d->c->create();
    for (size_t i = 0; i < FIRST + DRAWN_STEPS; i++) {
        const bool is_last = i == FIRST + DRAWN_STEPS - 1;
        const int what = i < FIRST ? first[i] : is_last ? 0 : (int)test_random_below(4);
        test_note("%s, step %zu, queue %s of order", d->c->name, i, out_of_order ? "out" : "in");
        if (what != 0) {
            make_run(d, plan, what);
        } else {
            assert_int_equal(results_of(d, plan, d->results), bytes);
            expect_elements(d->expected, d->results, bytes, 1);
        }
    }
    d->c->destroy(plan);
}

static void dropped_runs_leave_nothing(const void *data) {
    static dropping d;
    begin(&d, *(const call *const *)data);
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        d.queue = test_queue_create(out_of_order);
        drop_runs(&d, out_of_order);
        expect_cl(clReleaseCommandQueue(d.queue));
    }
    for (size_t k = 0; k < call_count(d.c); k++) {
        test_buffer_release(&d.valid[k]);
        test_buffer_release(&d.junk[k]);
    }
}

void faults_add_dropped(test_cases *cases) {
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        test_add(cases, dropped_runs_leave_nothing, &c, sizeof c, "faults/dropped/%s", c->name);
    }
}
