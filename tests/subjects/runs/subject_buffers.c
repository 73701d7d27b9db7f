/* SPDX-License-Identifier: MIT */
/* The data of a run in device buffers and host arrays. */
#include "subjects/runs/subject_buffers.h"

/* ---- Device buffers -------------------------------------------------------------------------- */

clprims_buffer subject_place(const subject_array *array, cl_mem mem, size_t first) {
    return (clprims_buffer){mem, array->has_bits ? 8 * first + array->first_bit : first};
}

clprims_buffer subject_no_buffer(void) {
    return (clprims_buffer){(cl_mem)(void *)test_queue(), SIZE_MAX / 64};
}

/* Elements of the buffer itself: guards begin behind what is written, where nothing else is said.
 */
static size_t guarded_elements(const subject_array *array) {
    const bool ends_early =
        array->is_written && array->values == NULL && !array->is_undefined_behind;
    return ends_early ? array->written : array->n;
}

subject_buffers subject_buffers_create(const subject_data *d, const size_t firsts[SUBJECT_SLOTS],
                                       size_t spare) {
    subject_buffers b = {.call = {.queue = test_queue()}};
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        const size_t n = guarded_elements(array);
        if (array->name == NULL) continue;
        b.own[k] = test_buffer_create_roomy(array->values, n, array->bytes,
                                            firsts != NULL ? firsts[k] : 0, array->n - n + spare);
        b.call.at[k] = subject_place(array, b.own[k].at.mem, b.own[k].at.first);
    }
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].shares > 0) b.call.at[k] = b.call.at[d->at[k].shares - 1];
    }
    return b;
}

subject_buffers subject_buffers_draw(const subject_data *d) {
    size_t firsts[SUBJECT_SLOTS];
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) firsts[k] = test_random_below(10);
    return subject_buffers_create(d, firsts, 0);
}

void subject_buffers_release(subject_buffers *b) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) test_buffer_release(&b->own[k]);
}

/* Where several elements are right, the found ones are expected. */
static void expect_what_agrees(const subject_array *array, const void *found) {
    for (size_t i = 0; array->twin != NULL && i < array->written; i++) {
        char *expected = (char *)array->expected + i * array->bytes;
        const char *actual = (const char *)found + i * array->bytes;
        if (oracle_twin_agrees(array->twin, expected, actual)) {
            memcpy(expected, actual, array->bytes);
        }
    }
}

static void read_what_agrees(const subject_array *array, const test_buffer *buffer) {
    if (array->twin == NULL) return;
    void *found = test_alloc(array->n, array->bytes);
    test_buffer_read(buffer, found);
    expect_what_agrees(array, found);
    free(found);
}

/* What an array with values has after the run; the caller frees it. */
static void *whole_of(const subject_array *array) {
    void *whole = test_alloc(array->n, array->bytes);
    memcpy(whole, array->values, array->n * array->bytes);
    memcpy(whole, array->expected, array->written * array->bytes);
    return whole;
}

static void expect_report(const subject_data *d, const subject_array *array,
                          const test_buffer *buffer) {
    union {
        char bytes[64];
        max_align_t alignment;
    } found;
    test_buffer_read(buffer, found.bytes);
    const clprims_status verdict = d->of->check(found.bytes);
    if (verdict != d->verdict) {
        test_fail("the report gives %s, not %s", clprims_status_name(verdict),
                  clprims_status_name(d->verdict));
    }
    if (array->is_judged) return;
    expect_elements(array->expected, found.bytes, array->written, array->bytes);
}

static void expect_array(const subject_data *d, const subject_array *array,
                         const test_buffer *buffer) {
    read_what_agrees(array, buffer);
    if (!array->is_written) {
        test_buffer_expect_unchanged(buffer, array->values);
    } else if (array->is_report) {
        expect_report(d, array, buffer);
    } else if (array->is_undefined_behind) {
        void *found = test_alloc(array->n, array->bytes);
        test_buffer_read(buffer, found);
        expect_elements(array->expected, found, array->written, array->bytes);
        free(found);
    } else if (array->values != NULL) {
        void *whole = whole_of(array);
        test_buffer_expect_unchanged(buffer, whole);
        free(whole);
    } else {
        test_buffer_expect_unchanged(buffer, array->expected);
    }
}

static void judge(const subject_data *d, void *const *results) {
    const char *wrong = d->of->judge(d, results);
    if (wrong != NULL) test_fail("%s", wrong);
}

void subject_buffers_expect(const subject_data *d, const subject_buffers *b) {
    void *results[SUBJECT_SLOTS] = {NULL};
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        if (array->name == NULL) continue;
        test_note("%s of %s, n = %zu, %zu", array->name, d->of->name, d->n[0], d->n[1]);
        if (array->is_report || !array->is_judged) expect_array(d, array, &b->own[k]);
        if (!array->is_judged) continue;
        results[k] = test_alloc(array->n, array->bytes);
        test_buffer_read(&b->own[k], results[k]);
    }
    if (d->of->judge != NULL) judge(d, results);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) free(results[k]);
}

void subject_enqueue_is_right(const subject_data *d, void *plan) {
    subject_placed_is_right(d, plan, NULL);
}

void subject_placed_is_right(const subject_data *d, void *plan, const size_t *firsts) {
    subject_buffers b = subject_buffers_create(d, firsts, 0);
    expect_ok(d->of->enqueue(plan, d, &b.call));
    expect_cl(clFinish(b.call.queue));
    subject_buffers_expect(d, &b);
    subject_buffers_release(&b);
}

/* ---- Host arrays ----------------------------------------------------------------------------- */

static void expect_plain(const subject_data *d, const subject_array *array, const test_array *out) {
    const bool counts = array->is_count && d->status != CLPRIMS_ERR_DATA;
    test_array_expect_guards(out);
    if (array->is_judged || (array->is_report && !counts)) return;
    if (d->status == CLPRIMS_OK || counts) {
        expect_what_agrees(array, out->values);
        expect_elements(array->expected, out->values, array->written, array->bytes);
    } else if (array->values != NULL) {
        expect_elements(array->values, out->values, array->n, array->bytes);
    } else {
        test_array_expect_untouched(out);
    }
}

subject_arrays subject_arrays_create(const subject_data *d) {
    subject_arrays a = {.at = {NULL}};
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        if (array->name == NULL || array->n == 0) continue;
        a.own[k] = test_array_create(array->values, array->n, array->bytes);
        a.at[k] = a.own[k].values;
    }
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].shares > 0) a.at[k] = a.at[d->at[k].shares - 1];
    }
    return a;
}

void subject_arrays_free(subject_arrays *a) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) test_array_free(&a->own[k]);
}

void subject_arrays_expect(const subject_data *d, const subject_arrays *a) {
    void *results[SUBJECT_SLOTS] = {NULL};
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        if (a->own[k].values == NULL) continue;
        if (!array->is_report) results[k] = a->at[k];
        test_note("%s of %s, n = %zu, %zu", array->name, d->of->name, d->n[0], d->n[1]);
        if (array->is_written) {
            expect_plain(d, array, &a->own[k]);
        } else {
            expect_elements(array->values, a->at[k], array->n, array->bytes);
        }
    }
    if (d->of->judge != NULL) judge(d, results);
}

void subject_run_is_right(const subject_data *d, void *plan) {
    subject_arrays a = subject_arrays_create(d);
    const clprims_status status = d->of->run(plan, d, a.at);
    if (status != d->status) {
        test_fail("the run gave %s, not %s: %s", clprims_status_name(status),
                  clprims_status_name(d->status), clprims_last_error()->message);
    }
    if (d->part != NULL) expect_contains(clprims_last_error()->message, d->part);
    subject_arrays_expect(d, &a);
    subject_arrays_free(&a);
}

void subject_none_is_right(const subject_data *like, void *plan) {
    subject_data d = *like;
    cl_event event = NULL;
    memset(d.n, 0, sizeof d.n);
    subject_draw(&d);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (!d.at[k].is_report) d.at[k].name = NULL;
    }
    subject_buffers b = subject_buffers_create(&d, NULL, 0);
    b.call.event = &event;
    expect_ok(d.of->enqueue(plan, &d, &b.call));
    expect_cl(clWaitForEvents(1, &event));
    expect_cl(clReleaseEvent(event));
    subject_buffers_expect(&d, &b);
    subject_run_is_right(&d, plan);
    subject_buffers_release(&b);
    subject_free(&d);
}

void subject_expect_as_run(subject_data *d, void *plan) {
    subject_buffers b = subject_buffers_create(d, NULL, 0);
    expect_ok(d->of->enqueue(plan, d, &b.call));
    expect_cl(clFinish(b.call.queue));
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        subject_array *array = &d->at[k];
        if (!array->is_written) continue;
        void *found = test_alloc(array->n, array->bytes);
        test_buffer_read(&b.own[k], found);
        memcpy(array->expected, found, array->written * array->bytes);
        free(found);
    }
    subject_buffers_release(&b);
}

void subject_drawn_is_right(const subject_data *like, void *plan, const size_t *firsts,
                            bool by_run) {
    subject_data d = *like;
    subject_draw(&d);
    if (by_run) {
        subject_run_is_right(&d, plan);
    } else {
        subject_placed_is_right(&d, plan, firsts);
    }
    subject_free(&d);
}

void subject_case_is_right(const subject_data *like, void *plan, size_t first, bool by_run) {
    size_t firsts[SUBJECT_SLOTS];
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) firsts[k] = first * (k + 1);
    subject_drawn_is_right(like, plan, firsts, by_run);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

subject_data subject_call_draw(const subject *of, const subject_call *c) {
    const bool is_nvidia = c->nvidia_desc != NULL && test_info().layer == CLPRIMS_LAYER_NVIDIA;
    subject_data d = {.of = of,
                      .desc = is_nvidia ? c->nvidia_desc : c->desc,
                      .variant = c->variant,
                      .counted = c->counted};
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        d.n[k] = c->n[k];
        d.most[k] = c->most[k] != 0 ? c->most[k] : c->n[k];
    }
    subject_draw(&d);
    return d;
}

subject_scene subject_scene_open(const subject_call_ref *ref) {
    const subject_call *c = ref->call;
    subject_scene scene = {.data = subject_call_draw(ref->of, c)};
    const bool is_nvidia = scene.data.desc != c->desc;
    scene.tuning = is_nvidia ? c->nvidia_tuning : c->tuning;
    if (c->needs_shapes && !test_bears_shapes()) scene.tuning = NULL;
    scene.plan = subject_opened_plan(&scene.data, scene.tuning);
    return scene;
}

void subject_add_calls(test_cases *cases, test_function *run, const char *prefix) {
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.call_count; k++) {
            const subject_call_ref ref = {subjects[i], &subjects[i]->plans.calls[k]};
            test_add_row(cases, run, ref, "%s/%s", prefix, ref.call->name);
        }
    }
}

subject_call_ref subject_call_find(const char *name) {
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.call_count; k++) {
            const subject_call *c = &subjects[i]->plans.calls[k];
            if (strcmp(c->name, name) == 0) return (subject_call_ref){subjects[i], c};
        }
    }
    fprintf(stderr, "no call has the name %s\n", name);
    exit(EXIT_FAILURE);
}
