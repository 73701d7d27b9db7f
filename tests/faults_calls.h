/* SPDX-License-Identifier: MIT */
/* The public calls that test_faults lets fail, and what they work on. */
#ifndef TESTS_FAULTS_CALLS_H
#define TESTS_FAULTS_CALLS_H

#include "harness.h"

enum { FAULTS_N = 100000 };

/* What all calls work on. */
typedef struct stage {
    clprims_context *context;
    cl_command_queue queue;
    clprims_scan *scan;
    clprims_list *list;
    clprims_offsets *offsets;
    clprims_select *select;
    test_buffer in, out;
    test_buffer next, rank, report;
    test_buffer flags, sums64, count, verdict;
    uint32_t values[FAULTS_N], sums[FAULTS_N];
    int32_t links[FAULTS_N], ranks[FAULTS_N];
    uint8_t keeps[FAULTS_N];
    int64_t totals[FAULTS_N + 1];
    /* what a run made */
    void *made;
    cl_event event;
} stage;

typedef enum needs { NO_PLAN, SCAN_PLAN, LIST_PLAN, OFFSETS_PLAN, SELECT_PLAN } needs;

typedef struct operation {
    const char *name;
    needs needs;
    clprims_status (*run)(stage *s);
    void (*undo)(stage *s); /* checks the result of a run that succeeded and gives it back */
    clprims_scan_algorithm algorithm;
    bool out_of_order;
    bool partition;
} operation;

/* All of them; the last has no name. */
extern const operation operations[];

stage *stage_set(const operation *o);
void stage_clear(stage *s);

#endif
