/* SPDX-License-Identifier: MIT */
/*
 * Load: threads that call plans of all subjects' samples at once, each call compared with plain C.
 * Each thread has a plan of each sample; expectations of the harness belong to the main thread, so
 * that failures are told by load_fail. Random data are the harness's, of which each thread has its
 * own.
 */
#ifndef TESTS_LOAD_H
#define TESTS_LOAD_H

#include "subjects/subjects.h"

enum { LOAD_MOST_ARRAYS = 2 * SUBJECT_SLOTS };

/* Each call ends as one of the first four. */
typedef struct load_counts {
    uint64_t compared;
    uint64_t refused; /* malformed data that were found */
    uint64_t failed; /* because a call inside was made to fail */
    uint64_t lost; /* none of these */
    uint64_t elements; /* of the inputs of what was compared */
    uint64_t plans; /* that were created */
    uint64_t faults; /* calls that were made to fail and said so: runs, creates and others */
} load_counts;

/* A plan that each thread has; of NULL: the one-shot calls, whose plans the context keeps. */
typedef struct load_subject {
    const char *name;
    const subject *of;
    const void *desc;
} load_subject;

typedef struct load_thread {
    clprims_context *context;
    cl_context cl;
    cl_command_queue shared; /* the context's */
    cl_command_queue queue; /* this thread's own */
    size_t max_n;
    bool faulty; /* OpenCL calls and allocations may fail at random */
    bool calm; /* not in the next call */
    const char *name; /* of the running subject */
    load_counts *counts; /* of that subject */
    load_counts now; /* of the running call, whose numbers are 0 or not */
    void *arrays[LOAD_MOST_ARRAYS]; /* to be freed after the call */
    size_t array_count;
} load_thread;

/* A number of elements: small, any up to most, or most. */
size_t load_size(size_t most);

/* An array of n elements, which are zeros, freed after the call. */
void *load_array(load_thread *t, size_t n, size_t bytes);

/* load_samples.c: creates a plan, and makes one call with new data, compared. */
clprims_status load_create_sample(load_thread *t, const load_subject *s, void **plan);
void load_call_sample(load_thread *t, const load_subject *s, void *plan);

/* load_once.c */
void load_call_once(load_thread *t);

/* Makes a call of the library that must return `expected`, unless it is made to fail: then it must
 * say so. Whether it returned `expected`. A call that must not return OK counts as refused. */
#define LOAD_TRY(t, expected, call) (load_arm(t), load_judge(t, expected, call, #call))
void load_arm(load_thread *t);
bool load_judge(load_thread *t, clprims_status expected, clprims_status status, const char *call);

/* The call worked on n elements, and its result is this one. */
void load_compare(load_thread *t, const void *expected, const void *actual, size_t count,
                  size_t bytes, size_t n);

#if defined(__GNUC__)
__attribute__((format(__printf__, 2, 3)))
#endif
void load_fail(load_thread *t, const char *format, ...);

#endif
