/* SPDX-License-Identifier: MIT */
/*
 * A run whose wait list fails is never executed, and leaves its plan as if it had never been
 * submitted: the next run has the same commands as any other, and its results are right. Junk is
 * the data of some of the runs that are dropped and of some that are not: what the dropped runs
 * leave behind differs most from what the next run must find.
 */
#include "faults/faults_waits.h"
#include "faults/faulty.h"
#include "subjects/runs/subject_buffers.h"

/* What a run is: neither, one or both of these. */
enum { DROPPED = 1, JUNK = 2 };
enum { DRAWN_RUNS = 6 };

typedef struct dropping {
    subject_scene scene;
    const subject_call *call;
    subject_buffers b;
    cl_command_queue queue;
    size_t commands; /* of a run; 0: unknown */
} dropping;

/* Every second element, more or less, is anything. A number of elements that is junk is refused,
 * whatever the elements are: it is rare. */
static void add_junk(subject_array *array) {
    if (array->is_written || array->values == NULL) return;
    for (size_t i = 0; i < array->n; i++) {
        if (test_random_below(array->is_number ? 8 : 2) != 0) continue;
        const uint64_t junk = test_random();
        for (size_t b = 0; b < array->bytes; b++) {
            ((unsigned char *)array->values)[i * array->bytes + b] =
                (unsigned char)(junk >> b % 8 * 8);
        }
    }
}

static clprims_status enqueue(dropping *d) {
    return d->scene.data.of->enqueue(d->scene.plan, &d->scene.data, &d->b.call);
}

static void create_buffers(dropping *d, bool is_junk) {
    const subject *of = d->scene.data.of;
    subject_data data = is_junk ? subject_call_draw(of, d->call) : d->scene.data;
    for (size_t k = 0; k < SUBJECT_SLOTS && is_junk; k++) add_junk(&data.at[k]);
    d->b = subject_buffers_create(&data, NULL, 0);
    d->b.call.queue = d->queue;
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
    d->b.call.num_wait = 1;
    d->b.call.wait = &gate;
    d->b.call.event = &done;
    faulty_hold();
    faulty_record();
    expect_ok(enqueue(d));
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

static void make_run(dropping *d, int what) {
    create_buffers(d, what & JUNK);
    if (what & DROPPED) {
        submit_dropped(d);
    } else {
        faulty_record();
        expect_ok(enqueue(d));
        expect_commands(d);
        expect_cl(clFinish(d->queue));
    }
    if (what == 0) subject_buffers_expect(&d->scene.data, &d->b);
    subject_buffers_release(&d->b);
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

/* Submits a run of junk up to its k-th kernel; false: it has fewer. */
static bool submit_up_to(dropping *d, size_t k) {
    create_buffers(d, true);
    faulty_arm_call("clEnqueueNDRangeKernel", k, CL_OUT_OF_RESOURCES);
    const clprims_status status = enqueue(d);
    const char *failed = faulty_disarm();
    test_note("kernel %zu failed", k);
    assert_int_equal(status != CLPRIMS_OK, failed != NULL);
    if (failed != NULL) assert_false(faulty_left_running());
    clFinish(d->queue);
    subject_buffers_release(&d->b);
    return failed != NULL;
}

/* A run fails at its k-th kernel, another at its first one, then one is dropped: as if there had
 * been none. */
static void submit_half(dropping *d) {
    for (size_t k = 1; submit_up_to(d, k); k++) {
        submit_up_to(d, 1);
        d->commands = 0; /* there may be more from now on */
        make_run(d, DROPPED);
        make_run(d, 0);
    }
}

static void dropped_runs_leave_nothing(const void *data) {
    const subject_call_ref *ref = data;
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        dropping d = {.scene = subject_scene_open(ref),
                      .call = ref->call,
                      .queue = test_queue_create(out_of_order)};
        make_runs(&d);
        submit_half(&d);
    }
}

void faults_add_dropped(test_cases *cases) {
    subject_add_calls(cases, dropped_runs_leave_nothing, "faults/dropped");
}
