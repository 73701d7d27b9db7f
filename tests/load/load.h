/* SPDX-License-Identifier: MIT */
/*
 * Load: threads that call plans of all primitives at once, each call compared with plain C. A
 * primitive is a load_subject in a table of load_<room>.c. Each thread has a plan of each subject;
 * expectations of the harness belong to the main thread, so that failures are told by load_fail.
 */
#ifndef TESTS_LOAD_H
#define TESTS_LOAD_H

#include "harness/harness.h"

enum { LOAD_MOST_ARRAYS = 16 };

typedef struct load_counts {
    uint64_t calls; /* that were compared */
    uint64_t elements; /* of their inputs */
    uint64_t refused; /* malformed data that were found */
    uint64_t plans; /* that were created */
    uint64_t faults; /* calls that were made to fail, and said so */
} load_counts;

typedef struct load_thread {
    clprims_context *context;
    cl_context cl;
    cl_command_queue shared; /* the context's */
    cl_command_queue queue; /* this thread's own */
    size_t max_n;
    uint64_t random;
    bool faulty; /* OpenCL calls and allocations may fail at random */
    bool calm; /* not in the next call */
    bool failed_now; /* the last call failed because it was made to */
    const char *name; /* of the running subject */
    load_counts counts;
    void *arrays[LOAD_MOST_ARRAYS];
    size_t array_count;
    cl_mem buffers[LOAD_MOST_ARRAYS];
    size_t buffer_count;
} load_thread;

typedef struct load_subject {
    const char *name;
    clprims_status (*create)(load_thread *t, void **plan);
    void (*destroy)(void *plan);
    void (*call)(load_thread *t, void *plan); /* one call with new data, compared */
} load_subject;

enum { LOAD_PASSES = 5, LOAD_SEGMENTS = 6, LOAD_SORTS = 5, LOAD_LISTS = 3, LOAD_MATRICES = 2 };
extern const load_subject load_passes[LOAD_PASSES];
extern const load_subject load_segments[LOAD_SEGMENTS];
extern const load_subject load_sorts[LOAD_SORTS];
extern const load_subject load_lists[LOAD_LISTS];
extern const load_subject load_matrices[LOAD_MATRICES];
extern const load_subject load_once; /* a subject without a plan */

/* ---- Data ------------------------------------------------------------------------------------ */

uint64_t load_below(load_thread *t, uint64_t bound);

/* A number of elements: small, any up to most, or most. */
size_t load_size(load_thread *t, size_t most);

/* An array of exactly n elements, freed after the call. Its values are below bound; 0: zeros. */
int32_t *load_int32(load_thread *t, size_t n, uint64_t bound);
uint8_t *load_uint8(load_thread *t, size_t n, uint64_t bound);
void *load_array(load_thread *t, size_t n, size_t bytes);

/* offsets[0] = 0 to offsets[segments] = n, of which many segments are empty. */
int32_t *load_offsets(load_thread *t, size_t n, size_t segments);

/* A buffer with these values behind one element more, released after the call. */
clprims_buffer load_buffer(load_thread *t, const void *values, size_t n, size_t bytes);

/* Reads them back by the thread's own queue, on which the call was submitted. */
void load_read(load_thread *t, clprims_buffer buffer, void *values, size_t n, size_t bytes);

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Makes a call of the library that must return `expected`, unless it is made to fail: then it must
 * say so. Whether it returned `expected`. */
#define LOAD_TRY(t, expected, call) (load_arm(t), load_judge(t, expected, call, #call))
void load_arm(load_thread *t);
bool load_judge(load_thread *t, clprims_status expected, clprims_status status, const char *call);

/* The call worked on n elements, and its result is this one. */
void load_compare(load_thread *t, const void *expected, const void *actual, size_t count,
                  size_t bytes, size_t n);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void load_fail(load_thread *t, const char *format, ...);

/* ---- Tables ---------------------------------------------------------------------------------- */

#define LOAD_DESTROY(kind)                                                                         \
    static void destroy_##kind(void *plan) {                                                       \
        clprims_##kind##_destroy(plan);                                                            \
    }

/* The end of a function that creates a plan by `desc`. */
#define LOAD_CREATE(kind)                                                                          \
    clprims_##kind *made = NULL;                                                                   \
    const clprims_status status = clprims_##kind##_create(&made, t->context, &desc);               \
    *plan = made;                                                                                  \
    return status

#endif
