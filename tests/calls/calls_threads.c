/* SPDX-License-Identifier: MIT */
/* What belongs to one thread: its watcher and its error record. */
#include "calls/calls.h"

#include <pthread.h>
#include <stdio.h>

typedef struct other_thread {
    const call *c;
    void *plan;
    cl_command_queue queue;
    const clprims_buffer *at;
    clprims_status good, bad; /* of a call that is right, and of one without a queue */
    bool told; /* its own watcher was told of its kernels */
    char message[256];
} other_thread;

static void note_kernel(void *user, cl_kernel kernel, cl_event event) {
    (void)kernel;
    (void)event;
    *(bool *)user = true;
}

/* No expectations here: they belong to the main thread. */
static void *run_other(void *argument) {
    other_thread *other = argument;
    const call *c = other->c;
    other->good = c->enqueue(other->plan, other->queue, other->at, 0, NULL, NULL);
    clprims_watch(note_kernel, &other->told);
    if (other->good == CLPRIMS_OK) {
        other->good = c->enqueue(other->plan, other->queue, other->at, 0, NULL, NULL);
    }
    clprims_watch(NULL, NULL);
    other->bad = c->enqueue(other->plan, NULL, other->at, 0, NULL, NULL);
    snprintf(other->message, sizeof other->message, "%s", clprims_last_error()->message);
    clFinish(other->queue);
    return NULL;
}

/* The main thread's watcher is told of its own kernels alone, and its record stays as it is. */
static void threads_are_apart(const void *data) {
    const call *c = *(const call *const *)data;
    pthread_t thread;
    bool told = false;
    test_buffer buffers[CALL_MOST_BUFFERS];
    clprims_buffer at[CALL_MOST_BUFFERS];
    for (size_t k = 0; k < call_count(c); k++) {
        buffers[k] = call_make_buffer(c, k, 0);
        at[k] = buffers[k].at;
    }
    other_thread other = {.c = c, .plan = c->create(), .queue = test_queue_create(false), .at = at};
    void *plan = c->create();
    clprims_watch(note_kernel, &told);
    expect_failure(c->enqueue(NULL, test_queue(), at, 0, NULL, NULL), CLPRIMS_ERR_ARGUMENT,
                   "is NULL");
    assert_int_equal(pthread_create(&thread, NULL, run_other, &other), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_false(told);
    expect_contains(clprims_last_error()->message, "plan is NULL");
    assert_int_equal(other.good, CLPRIMS_OK);
    assert_int_equal(other.bad, CLPRIMS_ERR_ARGUMENT);
    assert_true(other.told);
    expect_contains(other.message, "queue is NULL");
    expect_ok(c->enqueue(plan, test_queue(), at, 0, NULL, NULL));
    clprims_watch(NULL, NULL);
    assert_true(told);
    expect_cl(clFinish(test_queue()));
    for (size_t k = 0; k < call_count(c); k++) test_buffer_release(&buffers[k]);
    expect_cl(clReleaseCommandQueue(other.queue));
    c->destroy(other.plan);
    c->destroy(plan);
}

void calls_add_threads(test_cases *cases) {
    const call *scan = call_at(0);
    test_add(cases, threads_are_apart, &scan, sizeof scan, "calls/threads/%s", scan->name);
}
