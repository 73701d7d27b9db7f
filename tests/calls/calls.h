/* SPDX-License-Identifier: MIT */
/*
 * One table of enqueue calls, at least one of each primitive, for what holds for all of them: which
 * arrays may overlap, that each array has a `first` of its own, what the commands wait for. Each
 * call has n == max_n, so that its scratch has no room to spare; counted ones have fewer elements.
 */
#ifndef TESTS_CALLS_H
#define TESTS_CALLS_H

#include "harness/harness.h"

enum { CALL_MOST_BUFFERS = 8, CALL_MOST_BYTES = 8192, CALL_LIST_N = 100, CALL_COUNTED = 57 };

/* What a buffer has before the run. */
typedef enum call_content {
    CALL_ZEROS, /* it is written only */
    CALL_NONE, /* it is empty, and need not be there */
    CALL_VALUES, /* integers from 0 to 6 */
    CALL_STOPS, /* the same and 7 more */
    CALL_LINKS, /* of a list that ends at element 0 */
    CALL_HEADS, /* the head of that list */
    CALL_COUNT, /* CALL_COUNTED, of a counted call */
    CALL_ASCENDING /* element i is i */
} call_content;

typedef struct call_buffer {
    const char *name; /* as messages have it */
    size_t n; /* elements that the call may touch */
    size_t element_bytes;
    call_content content;
    bool written;
    bool bits; /* `first` counts bits */
} call_buffer;

/* Where two buffers may lie that are not both only read: apart unless the call says otherwise. */
typedef enum call_rule { CALL_APART, CALL_SAME_PLACE, CALL_ANYWHERE } call_rule;

typedef struct call_exception {
    size_t one, other;
    call_rule rule;
} call_exception;

typedef clprims_status call_enqueue(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                    cl_uint num_wait, const cl_event *wait, cl_event *event);

typedef struct call {
    const char *name;
    void *(*create)(void);
    void (*destroy)(void *plan);
    call_enqueue *enqueue; /* at: as many as it has buffers; the others are not read */
    call_buffer buffers[CALL_MOST_BUFFERS]; /* the unused ones have no name */
    call_exception exceptions[4]; /* the unused ones are zeros */
} call;

/* Rows of a table. */
#define CALL_IN(name, n, bytes)                                                                    \
    { name, n, bytes, CALL_VALUES, false, false }
#define CALL_OUT(name, n, bytes)                                                                   \
    { name, n, bytes, CALL_ZEROS, true, false }
#define CALL_NO_IN(name, bytes)                                                                    \
    { name, 0, bytes, CALL_NONE, false, false }
#define CALL_NO_OUT(name, bytes)                                                                   \
    { name, 0, bytes, CALL_NONE, true, false }
#define CALL_NUMBER(name)                                                                          \
    { name, 1, 8, CALL_COUNT, false, false }
#define CALL_REPORT(type) CALL_OUT("report", 1, sizeof(type))

/* The tables that stand in calls_*.c, each with its number of calls. */
/* clang-format off */
#define CALL_TABLES(TABLE) \
    TABLE(passes, 20) \
    TABLE(lists, 12) \
    TABLE(segmented, 9) \
    TABLE(sorts, 10) \
    TABLE(bins, 7) \
    TABLE(merges, 8) \
    TABLE(jagged, 6) \
    TABLE(counts, 6)
/* clang-format on */

#define CALL_TABLE_ADD(name, count) +count
#define CALL_TABLE_DECLARE(name, count) extern const call calls_of_##name[count];
enum { CALLS = 0 CALL_TABLES(CALL_TABLE_ADD) };
CALL_TABLES(CALL_TABLE_DECLARE)
#undef CALL_TABLE_ADD
#undef CALL_TABLE_DECLARE

const call *call_at(size_t i); /* i < CALLS */
size_t call_count(const call *c); /* of its buffers */

call_rule call_rule_of(const call *c, size_t one, size_t other);

/* A buffer with what it has before the run. */
test_buffer call_make_buffer(const call *c, size_t k, size_t first);

/* An object that is no buffer, at a place that no buffer has: looking at it is a mistake where the
 * call needs no such array. */
clprims_buffer call_no_buffer(void);

/* The same values on the host: CALL_MOST_BYTES or fewer. */
void call_fill(const call_buffer *buffer, void *values);

/* What the call is given for that place. */
clprims_buffer call_place(const call_buffer *buffer, cl_mem mem, size_t first);

/* calls_overlaps.c, calls_firsts.c, calls_threads.c, calls_variants.c, calls_knobs.c, calls_none.c,
 * calls_images.c */
void calls_add_overlaps(test_cases *cases);
void calls_add_firsts(test_cases *cases);
void calls_add_threads(test_cases *cases);
void calls_add_variants(test_cases *cases);
void calls_add_knobs(test_cases *cases);
void calls_add_none(test_cases *cases);
void calls_add_images(test_cases *cases);

#endif
