/* SPDX-License-Identifier: MIT */
/* The groups of cases of one-shot calls, and what they share. */
#ifndef TESTS_ONCE_GROUPS_H
#define TESTS_ONCE_GROUPS_H

#include "harness/harness.h"

enum { ONCE_CALLS = 10, ONCE_TYPES = 3 };

typedef struct once_call {
    const char *name;
    clprims_status (*run)(clprims_context *context, clprims_type type, const void *in, size_t n,
                          void *out);
    clprims_status (*enqueue)(clprims_context *context, cl_command_queue queue, clprims_type type,
                              clprims_buffer in, size_t n, clprims_buffer out, cl_uint num_wait,
                              const cl_event *wait, cl_event *event);
    /* Fails the case unless out is what the definition says. */
    void (*expect)(const struct once_call *call, clprims_type type, const void *in, size_t n,
                   const void *out);
    clprims_type types[ONCE_TYPES]; /* that the default tier has */
    clprims_op op;
    int inclusive;
    bool gives_indices;
    size_t *count; /* what the last run gave */
    clprims_buffer *device_count; /* where the next run on buffers puts it */
} once_call;

/* By the numbers of clp_once_call. */
extern const once_call once_calls[ONCE_CALLS];

/* The call is right for n random elements. */
void once_expect(const once_call *call, clprims_type type, size_t n);

/* n elements that suit the call. */
void once_fill(const once_call *call, clprims_type type, void *values, size_t n);
/* The number and the size of the elements that the call writes. */
size_t once_results(const once_call *call, clprims_type type, size_t n, size_t *element_bytes);

/* In once_enqueued.c, once_kept.c and once_refusals.c. */
void once_add_enqueued(test_cases *cases);
void once_add_kept(test_cases *cases);
void once_add_refusals(test_cases *cases);

#endif
