/* SPDX-License-Identifier: MIT */
/* Calls of the subjects' samples: on plain arrays, on buffers between guards, counted ones, and
 * ones whose number in device memory is too large. */
#include "load/load.h"

enum { POISON = 0xa5, MOST_SIDE = 40 };

/* How a call is made. */
typedef enum load_way {
    RUN, /* plain arrays */
    ENQUEUE, /* on the thread's own queue */
    COUNTED, /* the same, and numbers are read in device memory */
    EXCEEDED /* a number there is too large, so that the call writes nothing */
} load_way;

static load_way draw_way(void) {
    const uint64_t drawn = test_random_below(10);
    return drawn == 9 ? EXCEEDED : (load_way)(drawn / 3);
}

size_t load_size(size_t most) {
    switch (test_random_below(4)) {
    case 0:
        return most;
    case 1:
        return test_random_below(most < 70 ? most + 1 : 70);
    default:
        return test_random_below(most + 1);
    }
}

void *load_array(load_thread *t, size_t n, size_t bytes) {
    void *array = calloc(n > 0 ? n : 1, bytes);
    if (array == NULL || t->array_count == LOAD_MOST_ARRAYS) abort();
    t->arrays[t->array_count++] = array;
    return array;
}

static size_t most_of(const load_thread *t, const subject *of) {
    return of->traits.is_square ? MOST_SIDE : t->max_n;
}

clprims_status load_create_sample(load_thread *t, const load_subject *s, void **plan) {
    size_t most[SUBJECT_NUMBERS];
    subject_limit_for(s->of, most_of(t, s->of), most);
    return subject_create(s->of, t->context, s->desc, NULL, most, plan);
}

/* ---- Arrays ---- */

/* What the array has before, and after. The poison is what the run may not touch. */
static unsigned char *before(load_thread *t, const subject_array *array) {
    unsigned char *content = load_array(t, array->n, array->bytes);
    memset(content, POISON, array->n * array->bytes);
    if (array->values != NULL) memcpy(content, array->values, array->n * array->bytes);
    return content;
}

static void compare(load_thread *t, const subject_array *array, const unsigned char *found,
                    bool is_written) {
    unsigned char *expected = before(t, array);
    const size_t written = is_written ? array->written : 0;
    const size_t count = is_written && array->is_undefined_behind ? written : array->n;
    if (written > 0) memcpy(expected, array->expected, written * array->bytes);
    load_compare(t, expected, found, count, array->bytes, 0);
}

/* ---- Plain arrays ---- */

static void run_plainly(load_thread *t, const subject_data *d, void *plan) {
    void *at[SUBJECT_SLOTS] = {NULL};
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].name != NULL && d->at[k].n > 0) at[k] = before(t, &d->at[k]);
    }
    const bool is_made = LOAD_TRY(t, d->status, d->of->run(plan, d, at));
    t->now.compared += is_made; /* though there may be no elements */
    for (size_t k = 0; is_made && k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        if (at[k] == NULL || array->is_report || array->is_count || array->is_judged) continue;
        compare(t, array, at[k], array->is_written && d->status == CLPRIMS_OK);
    }
    if (!is_made || d->status != CLPRIMS_OK || d->of->judge == NULL) return;
    const char *wrong = d->of->judge(d, at);
    if (wrong != NULL) load_fail(t, "n = %zu: %s", d->n[0], wrong);
}

/* ---- Device memory ---- */

/* A buffer with an element of poison on each side. */
static cl_mem create_buffer(load_thread *t, const subject_array *array) {
    const size_t bytes = array->bytes, all = (array->n + 2) * bytes;
    cl_int code = CL_SUCCESS;
    unsigned char *content = malloc(all);
    if (content == NULL) abort();
    memset(content, POISON, all);
    if (array->values != NULL) memcpy(content + bytes, array->values, array->n * bytes);
    cl_mem mem =
        clCreateBuffer(t->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, all, content, &code);
    free(content);
    if (code != CL_SUCCESS) abort();
    return mem;
}

/* The elements, whose guards are looked at. */
static unsigned char *read_buffer(load_thread *t, const subject_array *array, cl_mem mem) {
    const size_t bytes = array->bytes, all = (array->n + 2) * bytes;
    unsigned char *content = load_array(t, all, 1);
    if (clEnqueueReadBuffer(t->queue, mem, CL_TRUE, 0, all, content, 0, NULL, NULL) != CL_SUCCESS) {
        load_fail(t, "clEnqueueReadBuffer of %zu bytes failed", all);
    }
    for (size_t i = 0; i < bytes; i++) {
        if (content[i] == POISON && content[all - 1 - i] == POISON) continue;
        load_fail(t, "%s: a guard of %zu elements was written", array->name, array->n);
        break;
    }
    return content + bytes;
}

static void expect_report(load_thread *t, const subject_data *d, const unsigned char *found,
                          bool is_exceeded) {
    const clprims_status verdict = is_exceeded ? CLPRIMS_ERR_DATA : d->verdict;
    (void)LOAD_TRY(t, verdict, d->of->check(found));
}

static void read_all(load_thread *t, const subject_data *d, const cl_mem *mems, bool is_exceeded) {
    void *results[SUBJECT_SLOTS] = {NULL};
    t->now.compared++;
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        if (mems[k] == NULL) continue;
        unsigned char *found = read_buffer(t, array, mems[k]);
        if (array->is_report) expect_report(t, d, found, is_exceeded);
        if (array->is_judged) results[k] = found;
        if (array->is_judged || (is_exceeded && (array->is_report || array->is_count))) continue;
        compare(t, array, found, array->is_written && !is_exceeded);
    }
    const char *wrong = d->of->judge != NULL ? d->of->judge(d, results) : NULL;
    if (wrong != NULL) load_fail(t, "n = %zu: %s", d->n[0], wrong);
}

static void run_on_queue(load_thread *t, const subject_data *d, void *plan, bool is_exceeded) {
    subject_submission call = {.queue = t->queue};
    cl_mem mems[SUBJECT_SLOTS] = {NULL};
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].name == NULL) continue;
        mems[k] = create_buffer(t, &d->at[k]);
        call.at[k] = (clprims_buffer){mems[k], d->at[k].has_bits ? 8 : 1};
    }
    if (LOAD_TRY(t, CLPRIMS_OK, d->of->enqueue(plan, d, &call))) read_all(t, d, mems, is_exceeded);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (mems[k] != NULL) clReleaseMemObject(mems[k]);
    }
}

/* ---- Calls ---- */

/* Makes one of the numbers in device memory too large; whether there is one. */
static bool exceed(subject_data *d) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        subject_array *array = &d->at[k];
        if (!array->is_number) continue;
        *(uint64_t *)array->values = d->most[array->number] + 1 + test_random_below(1000);
        return true;
    }
    return false;
}

void load_call_sample(load_thread *t, const load_subject *s, void *plan) {
    subject_data d = {.of = s->of, .desc = s->desc, .may_be_malformed = true};
    const load_way way = draw_way();
    subject_limit_for(s->of, most_of(t, s->of), d.most);
    d.is_plain = way == RUN;
    d.counted = way >= COUNTED;
    subject_draw_about(&d, load_size(most_of(t, s->of)));
    const bool is_exceeded = way == EXCEEDED && exceed(&d);
    if (s->of->prepare == NULL || LOAD_TRY(t, CLPRIMS_OK, s->of->prepare(plan, &d))) {
        if (way == RUN) {
            run_plainly(t, &d, plan);
        } else {
            run_on_queue(t, &d, plan, is_exceeded);
        }
    }
    t->now.elements += d.n[0];
    subject_free(&d);
}
