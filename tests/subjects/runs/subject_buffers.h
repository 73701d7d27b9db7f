/* SPDX-License-Identifier: MIT */
/* The data of a run in guarded device buffers and host arrays, on the program's own context. */
#ifndef TESTS_SUBJECT_BUFFERS_H
#define TESTS_SUBJECT_BUFFERS_H

#include "subjects/subjects.h"

typedef struct subject_buffers {
    test_buffer own[SUBJECT_SLOTS];
    subject_submission call; /* on test_queue(), which waits for nothing */
} subject_buffers;

/* firsts: of the arrays, NULL: 0. spare: more elements that each array has room for. */
subject_buffers subject_buffers_create(const subject_data *d, const size_t firsts[SUBJECT_SLOTS],
                                       size_t spare);
/* At places that are drawn. */
subject_buffers subject_buffers_draw(const subject_data *d);
/* Fails the case unless the run wrote what is expected, and nothing else. */
void subject_buffers_expect(const subject_data *d, const subject_buffers *b);
void subject_buffers_release(subject_buffers *b);

/* The place of an array in a buffer. */
clprims_buffer subject_place(const subject_array *array, cl_mem mem, size_t first);

/* An object that is no buffer, at a place that no buffer has: looking at it is a mistake where a
 * call needs no array here. */
clprims_buffer subject_no_buffer(void);

/* Submits the call, waits and compares. */
void subject_enqueue_is_right(const subject_data *d, void *plan);
/* The same with arrays that begin at these firsts. */
void subject_placed_is_right(const subject_data *d, void *plan, const size_t *firsts);

/* The same with plain arrays between guards; arrays without elements are NULL. */
typedef struct subject_arrays {
    test_array own[SUBJECT_SLOTS];
    void *at[SUBJECT_SLOTS];
} subject_arrays;

subject_arrays subject_arrays_create(const subject_data *d);
void subject_arrays_expect(const subject_data *d, const subject_arrays *a);
void subject_arrays_free(subject_arrays *a);

/* Runs the plan on them, and compares. */
void subject_run_is_right(const subject_data *d, void *plan);

/* Both ways without elements, which need no arrays: the report is written, and the event happens.
 */
void subject_none_is_right(const subject_data *like, void *plan);

/* Submits the call and waits; from now on what it wrote is expected, bit by bit. */
void subject_expect_as_run(subject_data *d, void *plan);

/* Draws the arrays of `like`, runs the plan on buffers with these firsts or on plain arrays, and
 * compares. */
void subject_drawn_is_right(const subject_data *like, void *plan, const size_t *firsts,
                            bool by_run);

/* The same with arrays that begin at multiples of `first`, another one each. */
void subject_case_is_right(const subject_data *like, void *plan, size_t first, bool by_run);

/* ---- Calls ---- */

/* A call of the table. */
typedef struct subject_call_ref {
    const subject *of;
    const subject_call *call;
} subject_call_ref;

/* Adds a case for each call, of which the name is that of the call behind `prefix`. */
void subject_add_calls(test_cases *cases, test_function *run, const char *prefix);

/* The call of that name; ends the program if there is none. */
subject_call_ref subject_call_find(const char *name);

/* A call with its data and its plan, which the program's context has, until the case ends. */
typedef struct subject_scene {
    subject_data data;
    const char *tuning; /* of the plan */
    void *plan;
} subject_scene;

/* The data of a call. */
subject_data subject_call_draw(const subject *of, const subject_call *c);

subject_scene subject_scene_open(const subject_call_ref *ref);

#endif
