/* SPDX-License-Identifier: MIT */
/*
 * A run whose wait list fails is never executed, and leaves its plan as if it had never been
 * submitted: the next run has the same commands as any other, and its results have the same bits as
 * those of a new plan. Junk is the data of some of the runs that are dropped and of some that are
 * not: what those leave behind differs most from what the next run must find.
 */
#include "calls/calls.h"
#include "faults/faults_waits.h"
#include "faults/faulty.h"

#include <string.h>

/* What a run is: neither, one or both of these. */
enum { DROPPED = 1, JUNK = 2 };
enum { DRAWN_RUNS = 6, MOST_RESULTS = CALL_MOST_BUFFERS * CALL_MOST_BYTES };

typedef struct dropping {
    const call *c;
    void *plan;
    cl_command_queue queue;
    test_buffer buffers[CALL_MOST_BUFFERS];
    clprims_buffer at[CALL_MOST_BUFFERS];
    size_t commands; /* of a run; 0: unknown */
    unsigned char expected[MOST_RESULTS], results[MOST_RESULTS];
} dropping;

/* Every second element, more or less. */
static void add_junk(const call_buffer *buffer, unsigned char *values) {
    if (buffer->written) return;
    for (size_t i = 0; i < buffer->n; i++) {
        if (test_random_below(2) == 0) continue;
        const uint64_t junk = test_random();
        for (size_t b = 0; b < buffer->element_bytes; b++) {
            values[i * buffer->element_bytes + b] = (unsigned char)(junk >> b % 8 * 8);
        }
    }
}

static void create_buffers(dropping *d, bool junk) {
    unsigned char values[CALL_MOST_BYTES];
    for (size_t k = 0; k < call_count(d->c); k++) {
        const call_buffer *buffer = &d->c->buffers[k];
        call_fill(buffer, values);
        if (junk) add_junk(buffer, values);
        d->buffers[k] = test_buffer_create(values, buffer->n, buffer->element_bytes, 0);
        d->at[k] = d->buffers[k].at;
    }
}

static void release_buffers(dropping *d) {
    for (size_t k = 0; k < call_count(d->c); k++) test_buffer_release(&d->buffers[k]);
}

/* A dropped run might have left out what a later one does not repeat. */
static void expect_commands(dropping *d) {
    size_t count = 0;
    faulty_recorded(&count);
    if (d->commands > 0) assert_int_equal(count, d->commands);
    d->commands = count;
}

static void submit_dropped(dropping *d) {
    cl_event done = NULL;
    cl_int code = CL_SUCCESS, state = CL_COMPLETE;
    cl_event gate = clCreateUserEvent(test_info().context, &code);
    expect_cl(code);
    faulty_hold();
    faulty_record();
    expect_ok(d->c->enqueue(d->plan, d->queue, d->at, 1, &gate, &done));
    expect_commands(d);
    expect_cl(clSetUserEventStatus(gate, -5));
    clWaitForEvents(1, &done); /* says that the list failed */
    expect_cl(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    if (state >= 0) test_fail("the driver has executed what waits for an event that failed");
    clFinish(d->queue);
    faulty_let_go();
    expect_cl(clReleaseEvent(done));
    expect_cl(clReleaseEvent(gate));
}

/* Reads what the run wrote, one buffer behind the other; returns how many bytes that is. */
static size_t read_results(const dropping *d, unsigned char *results) {
    size_t bytes = 0;
    for (size_t k = 0; k < call_count(d->c); k++) {
        if (!d->c->buffers[k].written) continue;
        test_buffer_read(&d->buffers[k], results + bytes);
        bytes += d->c->buffers[k].n * d->c->buffers[k].element_bytes;
    }
    return bytes;
}

/* One run. Valid data are compared unless they are the first. */
static void make_run(dropping *d, int what) {
    const bool is_first = d->commands == 0;
    create_buffers(d, what & JUNK);
    if (what & DROPPED) {
        submit_dropped(d);
    } else {
        faulty_record();
        expect_ok(d->c->enqueue(d->plan, d->queue, d->at, 0, NULL, NULL));
        expect_commands(d);
        expect_cl(clFinish(d->queue));
    }
    if (what == 0) {
        const size_t bytes = read_results(d, is_first ? d->expected : d->results);
        if (!is_first) expect_elements(d->expected, d->results, bytes, 1);
    }
    release_buffers(d);
}

/* The first run dropped; a run of junk, then one dropped, then two; then any. */
static void make_runs(dropping *d) {
    static const int first[] = {DROPPED, 0, JUNK, DROPPED, 0, JUNK, DROPPED | JUNK, DROPPED, 0};
    enum { FIRST = sizeof first / sizeof first[0] };
    for (size_t i = 0; i <= FIRST + DRAWN_RUNS; i++) {
        test_note("run %zu", i);
        make_run(d, i < FIRST ? first[i] : i < FIRST + DRAWN_RUNS ? (int)test_random_below(4) : 0);
    }
}

/* A run of junk is submitted up to its k-th kernel, then one is dropped: as if there had been none.
 */
static void submit_half(dropping *d) {
    const char *failed = "";
    for (size_t k = 1; failed != NULL; k++) {
        create_buffers(d, true);
        faulty_arm_call("clEnqueueNDRangeKernel", k, CL_OUT_OF_RESOURCES);
        const clprims_status status = d->c->enqueue(d->plan, d->queue, d->at, 0, NULL, NULL);
        failed = faulty_disarm();
        assert_int_equal(status != CLPRIMS_OK, failed != NULL);
        clFinish(d->queue);
        release_buffers(d);
        test_note("kernel %zu failed", k);
        d->commands = 0; /* there may be more from now on */
        make_run(d, DROPPED);
        make_run(d, 0);
    }
}

static void dropped_runs_leave_nothing(const void *data) {
    static dropping d;
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        d = (dropping){.c = *(const call *const *)data, .queue = test_queue_create(out_of_order)};
        d.plan = d.c->create();
        make_run(&d, 0);
        d.c->destroy(d.plan);
        d.plan = d.c->create();
        make_runs(&d);
        submit_half(&d);
        d.c->destroy(d.plan);
        expect_cl(clReleaseCommandQueue(d.queue));
    }
}

void faults_add_dropped(test_cases *cases) {
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        test_add(cases, dropped_runs_leave_nothing, &c, sizeof c, "faults/dropped/%s", c->name);
    }
}
