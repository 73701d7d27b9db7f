/* SPDX-License-Identifier: MIT */
/* One-shot calls that test_faults lets fail, each of which makes its plan: one that failed must
 * leave none that is broken. */
#include "core/context.h"
#include "faults/faults_stage.h"

enum { N = 100000 };

static uint32_t values[N]; /* every third one is 0 */
static uint64_t sum;
static int64_t nonzero[N];
static size_t count;

static clprims_status run_sum(stage *s) {
    sum = 0;
    const clprims_status status = clprims_sum(s->context, CLPRIMS_U32, values, N, &sum);
    if (status != CLPRIMS_OK) assert_null(s->context->kept.first);
    return status;
}

static void undo_sum(stage *s) {
    uint64_t expected = 0;
    for (size_t i = 0; i < N; i++) expected += values[i];
    assert_int_equal(sum, expected);
    clprims_forget_plans(s->context);
}

/* On a queue that is not the context's. */
static clprims_status run_sum_enqueue(stage *s) {
    clprims_buffer in = {NULL, 0}, out = {NULL, 0};
    sum = 0;
    clprims_status status = clprims_buffer_create(&in, s->context, sizeof values, values);
    if (status == CLPRIMS_OK) status = clprims_buffer_create(&out, s->context, sizeof sum, &sum);
    if (status == CLPRIMS_OK) {
        status =
            clprims_sum_enqueue(s->context, s->queue, CLPRIMS_U32, in, N, out, 0, NULL, &s->event);
        if (status != CLPRIMS_OK) assert_null(s->context->kept.first);
    }
    if (status == CLPRIMS_OK) {
        clWaitForEvents(1, &s->event);
        clReleaseEvent(s->event);
        status = clprims_buffer_read(s->context, out, sizeof sum, 1, &sum);
    }
    clprims_buffer_release(&in);
    clprims_buffer_release(&out);
    if (status != CLPRIMS_OK) clprims_forget_plans(s->context);
    return status;
}

static clprims_status run_nonzero(stage *s) {
    const clprims_status status =
        clprims_nonzero(s->context, CLPRIMS_U32, values, N, nonzero, &count);
    if (status != CLPRIMS_OK) assert_int_equal(count, 0);
    if (status != CLPRIMS_OK) assert_null(s->context->kept.first);
    return status;
}

static void undo_nonzero(stage *s) {
    size_t expected = 0;
    for (int64_t i = 0; i < N; i++) {
        if (values[i] != 0) assert_int_equal(nonzero[expected++], i);
    }
    assert_int_equal(count, expected);
    clprims_forget_plans(s->context);
}

void faults_append_once(operations *to) {
    operation *sums = faults_append(to, "once", "_create", "/sum");
    sums->run = run_sum;
    sums->undo = undo_sum;
    operation *enqueued = faults_append(to, "once", "_create", "/sum-of-buffers");
    enqueued->run = run_sum_enqueue;
    enqueued->undo = undo_sum;
    operation *selects = faults_append(to, "once", "_create", "/nonzero");
    selects->run = run_nonzero;
    selects->undo = undo_nonzero;
    for (uint32_t i = 0; i < N; i++) values[i] = i % 3 == 0 ? 0 : i * 2654435761u;
}
