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

typedef struct load_thread {
    clprims_context *context;
    cl_context cl;
    cl_command_queue shared; /* the context's */
    cl_command_queue queue; /* this thread's own */
    size_t max_n;
    uint64_t random;
    bool faulty; /* OpenCL calls and allocations may fail at random */
    bool calm; /* not in the next call */
    const char *name; /* of the running subject */
    load_counts *counts; /* of that subject */
    load_counts now; /* of the running call, whose numbers are 0 or not */
    void *arrays[LOAD_MOST_ARRAYS];
    size_t array_count;
    cl_mem buffers[LOAD_MOST_ARRAYS];
    size_t buffer_bytes[LOAD_MOST_ARRAYS];
    size_t buffer_count;
} load_thread;

typedef struct load_subject {
    const char *name;
    clprims_status (*create)(load_thread *t, void **plan);
    void (*destroy)(void *plan);
    void (*call)(load_thread *t, void *plan); /* one call with new data, compared */
} load_subject;

/* The tables that stand in load_*.c, each with its number of subjects. */
/* clang-format off */
#define LOAD_TABLES(TABLE) \
    TABLE(passes, 7) \
    TABLE(segments, 5) \
    TABLE(sorts, 7) \
    TABLE(merges, 2) \
    TABLE(lists, 3) \
    TABLE(matrices, 3) \
    TABLE(once, 1)
/* clang-format on */

#define LOAD_TABLE_ADD(name, count) +count
#define LOAD_TABLE_DECLARE(name, count) extern const load_subject load_##name[count];
enum { LOAD_SUBJECTS = 0 LOAD_TABLES(LOAD_TABLE_ADD) };
LOAD_TABLES(LOAD_TABLE_DECLARE)
#undef LOAD_TABLE_ADD
#undef LOAD_TABLE_DECLARE

/* ---- Data ------------------------------------------------------------------------------------ */

uint64_t load_below(load_thread *t, uint64_t bound);

/* A number of elements: small, any up to most, or most. */
size_t load_size(load_thread *t, size_t most);

/* An array of exactly n elements, freed after the call. Its values are below bound; 0: zeros. */
int32_t *load_int32(load_thread *t, size_t n, uint64_t bound);
uint32_t *load_uint32(load_thread *t, size_t n, uint64_t bound);
uint8_t *load_uint8(load_thread *t, size_t n, uint64_t bound);
void *load_array(load_thread *t, size_t n, size_t bytes);

/* offsets[0] = 0 to offsets[segments] = n, of which many segments are empty. */
int32_t *load_offsets(load_thread *t, size_t n, size_t segments);

/* A number of segments, at most max_n. */
size_t load_draw_segments(load_thread *t);

/* The positions 0 to n - 1, by the number at each one; of equal numbers the lowest comes first. */
const uint32_t *load_order(load_thread *t, const uint32_t *numbers, size_t n);
void load_order_into(uint32_t *order, const uint32_t *numbers, size_t n);

/* ---- Device memory --------------------------------------------------------------------------- */

/* How a call is made. */
typedef enum load_way {
    LOAD_RUN, /* plain arrays */
    LOAD_ENQUEUE, /* on the thread's own queue */
    LOAD_COUNTED, /* the same, and numbers are read in device memory */
    LOAD_EXCEEDED /* a number there is too large, so that the call writes nothing */
} load_way;

load_way load_draw_way(load_thread *t);

/* Elements that arrays have room for: n, and where n is read in device memory most. */
size_t load_room(load_way way, size_t n, size_t most);

/* A buffer for `room` elements between guards, with n values and poison behind them; released after
 * the call. */
clprims_buffer load_buffer(load_thread *t, const void *values, size_t n, size_t room, size_t bytes);

/* The same with one number: n, or one above most. */
clprims_buffer load_number(load_thread *t, load_way way, uint64_t n, uint64_t most);

/* Reads the first n elements by the thread's own queue, on which the call was submitted: none where
 * it was EXCEEDED. All behind them must still be poison. */
void load_read(load_thread *t, load_way way, clprims_buffer buffer, void *values, size_t n,
               size_t bytes);

/* Defines check_<kind>: whether the report of a counted run says what it must. */
#define LOAD_REPORT(kind) LOAD_REPORT_OF(kind, clprims_##kind##_report)
#define LOAD_REPORT_OF(kind, type)                                                                 \
    static bool check_##kind(load_thread *t, load_way way, clprims_buffer report) {                \
        const clprims_status expected = way == LOAD_EXCEEDED ? CLPRIMS_ERR_DATA : CLPRIMS_OK;      \
        type found;                                                                                \
        load_read(t, LOAD_ENQUEUE, report, &found, 1, sizeof found);                               \
        return LOAD_TRY(t, expected, clprims_##kind##_check(&found));                              \
    }

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Makes a call of the library that must return `expected`, unless it is made to fail: then it must
 * say so. Whether it returned `expected`. A call that must return DATA counts as refused. */
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
