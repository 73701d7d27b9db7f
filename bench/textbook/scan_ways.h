/* SPDX-License-Identifier: MIT */
/* The device scans of seed 004, which its table of scans and its table of compactions share. */
#ifndef TEXTBOOK_SCAN_WAYS_H
#define TEXTBOOK_SCAN_WAYS_H

#include "textbook.h"

typedef enum scan_way {
    SCAN_NAIVE,
    SCAN_WORK_EFFICIENT,
    SCAN_REMAPPED, /* work-efficient, with as many work-items as there is work for */
    SCAN_IN_LOCAL_MEMORY
} scan_way;

typedef struct scan_plan scan_plan;

/* A plan for exclusive sums of up to max_n ints. NULL and a message on failure. */
scan_plan *scan_plan_create(const textbook_device *device, scan_way way, size_t max_n);
/* Scans in to out, two buffers; the event may be NULL. */
bool scan_plan_enqueue(scan_plan *plan, cl_mem in, cl_mem out, size_t n, cl_event *event);
void scan_plan_destroy(scan_plan *plan);

/* Exclusive sums of int32; the variant is not looked at. */
extern const textbook_subject scan_subject;

/* The library's own scan as a step: create, submit and destroy. */
bool scan_library_create(void **state, const textbook_device *device,
                         const textbook_problem *problem, int number);
bool scan_library_submit(void *state, const textbook_problem *problem, cl_event *event);
void scan_library_destroy(void *state);
#define SCAN_LIBRARY_STEP                                                                          \
    { "clprims", 0, 0, false, scan_library_create, scan_library_submit, NULL, scan_library_destroy }

#endif
