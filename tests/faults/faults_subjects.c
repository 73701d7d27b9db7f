/* SPDX-License-Identifier: MIT */
/* Create, enqueue and run of every subject, for test_faults. */
#include "faults/faults_stage.h"

/* ---- What they work on ---- */

void faults_open_subject(stage *s, const operation *o) {
    subject_data *d = &s->data;
    s->fault = o->fault;
    *d = (subject_data){.of = o->of, .desc = o->fault->desc};
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) d->n[k] = d->most[k] = o->fault->n[k];
    subject_draw(d);
    expect_ok(subject_plan(d, s->context, o->fault->tuning, &s->plan));
    s->buffers = subject_buffers_create(d, NULL, 0);
    s->arrays = subject_arrays_create(d);
}

/* Gives arrays that are read and written what they had: a run that failed half-way may have begun
 * to write. */
void faults_refresh_subject(stage *s) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &s->data.at[k];
        const size_t bytes = array->n * array->bytes;
        if (!array->is_written || array->values == NULL || bytes == 0) continue;
        memcpy(s->arrays.at[k], array->values, bytes);
        expect_cl(clEnqueueWriteBuffer(test_queue(), s->buffers.own[k].at.mem, CL_TRUE, 0, bytes,
                                       array->values, 0, NULL, NULL));
    }
}

void faults_close_subject(stage *s) {
    s->data.of->destroy(s->plan);
    subject_buffers_release(&s->buffers);
    subject_arrays_free(&s->arrays);
    subject_free(&s->data);
}

/* ---- Their calls ---- */

/* A create that fails must set what it is given, which is no plan. */
static clprims_status run_create(stage *s) {
    subject_data d = s->data;
    void *made = s;
    if (s->fault->create_desc != NULL) d.desc = s->fault->create_desc;
    const clprims_status status = subject_plan(&d, s->context, s->fault->tuning, &made);
    s->made = made;
    return status;
}

static void undo_create(stage *s) {
    s->data.of->destroy(s->made);
}

static clprims_status run_enqueue(stage *s) {
    subject_submission call = s->buffers.call;
    call.queue = s->queue;
    call.num_wait = 1;
    call.wait = &s->ready;
    call.event = &s->event;
    return s->data.of->enqueue(s->plan, &s->data, &call);
}

static void undo_enqueue(stage *s) {
    assert_non_null(s->event);
    expect_cl(clWaitForEvents(1, &s->event));
    expect_cl(clReleaseEvent(s->event));
    s->event = NULL;
    subject_buffers_expect(&s->data, &s->buffers);
    /* A run on the context's queue: the plan gives back the other one, and orders the next run. */
    faults_refresh_subject(s);
    expect_ok(s->data.of->enqueue(s->plan, &s->data, &s->buffers.call));
    expect_cl(clFinish(test_queue()));
}

static clprims_status run_plainly(stage *s) {
    return s->data.of->run(s->plan, &s->data, s->arrays.at);
}

static void undo_plain(stage *s) {
    subject_arrays_expect(&s->data, &s->arrays);
}

/* ---- Operations ---- */

static void append(operations *to, const subject *of, const subject_fault *fault, const char *call,
                   const char *order, bool out_of_order) {
    char suffix[FAULTS_NAME];
    const bool creates = call[1] == 'c', enqueues = call[1] == 'e';
    snprintf(suffix, sizeof suffix, "%s%s", fault->suffix, order);
    operation *o = faults_append(to, fault->name, call, suffix);
    o->of = of;
    o->fault = fault;
    o->run = creates ? run_create : enqueues ? run_enqueue : run_plainly;
    o->undo = creates ? undo_create : enqueues ? undo_enqueue : undo_plain;
    o->out_of_order = out_of_order;
}

static void append_all(operations *to, const subject *of, const subject_fault *fault) {
    const subject_order order = fault->order;
    append(to, of, fault, "_create", "", false);
    if (fault->is_only_created) return;
    if (order != SUBJECT_NOT_ENQUEUED) {
        append(to, of, fault, "_enqueue", "", order == SUBJECT_OUT_OF_ORDER);
    }
    if (order == SUBJECT_BOTH_ORDERS) append(to, of, fault, "_enqueue", "/out-of-order", true);
    append(to, of, fault, "_run", "", false);
}

void faults_append_subjects(operations *to) {
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.fault_count; k++) {
            append_all(to, subjects[i], &subjects[i]->plans.faults[k]);
        }
    }
}
