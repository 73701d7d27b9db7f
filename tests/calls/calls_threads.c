/* SPDX-License-Identifier: MIT */
/* What belongs to one thread: its watcher and its error record. */
#include "calls/calls.h"

#include <pthread.h>

typedef struct other_thread {
    const subject_data *d;
    void *plan;
    subject_submission call;
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
    const subject_data *d = other->d;
    other->good = d->of->enqueue(other->plan, d, &other->call);
    clprims_watch(note_kernel, &other->told);
    if (other->good == CLPRIMS_OK) {
        other->good = d->of->enqueue(other->plan, d, &other->call);
    }
    clprims_watch(NULL, NULL);
    subject_submission without_wait = other->call;
    without_wait.num_wait = 1;
    other->bad = d->of->enqueue(other->plan, d, &without_wait);
    snprintf(other->message, sizeof other->message, "%s", clprims_last_error()->message);
    clFinish(other->call.queue);
    return NULL;
}

/* The main thread's watcher is told of its own kernels alone, and its record stays as it is. */
static void threads_are_apart(const void *data) {
    subject_scene scene = subject_scene_open(data), others = subject_scene_open(data);
    const subject_data *d = &scene.data;
    subject_buffers b = subject_buffers_create(d, NULL, 0);
    other_thread other = {.d = d, .plan = others.plan, .call = b.call};
    pthread_t thread;
    bool told = false;
    other.call.queue = test_queue_create(false);
    clprims_watch(note_kernel, &told);
    expect_failure(d->of->enqueue(NULL, d, &b.call), CLPRIMS_ERR_ARGUMENT, "is NULL");
    assert_int_equal(pthread_create(&thread, NULL, run_other, &other), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_false(told);
    expect_contains(clprims_last_error()->message, "plan is NULL");
    assert_int_equal(other.good, CLPRIMS_OK);
    assert_int_equal(other.bad, CLPRIMS_ERR_ARGUMENT);
    assert_true(other.told);
    expect_contains(other.message, "num_wait = 1, but wait is NULL");
    expect_ok(d->of->enqueue(scene.plan, d, &b.call));
    clprims_watch(NULL, NULL);
    assert_true(told);
    expect_cl(clFinish(test_queue()));
}

void calls_add_threads(test_cases *cases) {
    const subject_call_ref scan = subject_call_find("scan");
    test_add_row(cases, threads_are_apart, scan, "calls/threads/scan");
}
