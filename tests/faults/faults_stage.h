/* SPDX-License-Identifier: MIT */
/* What the calls that are made to fail work on, and a table's row for one. */
#ifndef TESTS_FAULTS_STAGE_H
#define TESTS_FAULTS_STAGE_H

#include "harness/harness.h"

enum { N = 100000 };

typedef struct stage {
    clprims_context *context;
    cl_command_queue queue;
    clprims_scan *scan;
    clprims_list *list;
    clprims_listscan *listscan;
    clprims_forest *forest;
    clprims_offsets *offsets;
    clprims_select *select, *partition;
    clprims_reduce *reduce;
    test_buffer in;
    test_buffer out;
    test_buffer next;
    test_buffer rank;
    test_buffer report;
    test_buffer flags, offset_sums, count, verdict; /* of faults_passes.c */
    uint32_t values[N];
    uint32_t sums[N];
    int32_t links[N];
    int32_t ranks[N];
    uint8_t keeps[N];
    int64_t totals[N + 1];
    cl_event ready; /* what the scan waits for */
    /* what a run made */
    void *made;
    cl_event event;
} stage;

typedef struct operation {
    const char *name;
    void (*plan)(stage *s); /* makes the plans that run takes; NULL: it takes none */
    clprims_status (*run)(stage *s);
    void (*undo)(stage *s); /* checks the result of a run that succeeded and gives it back */
    clprims_algorithm algorithm;
    bool out_of_order;
} operation;

#define FAULTS_OPERATION(name, plan, run, undo, out_of_order)                                      \
    { name, plan, run, undo, CLPRIMS_ALGORITHM_AUTO, out_of_order }

/* Waits for the event that a call gave. */
void faults_await(stage *s);

/* ---- Groups of calls ---------------------------------------------------------------------------
 */

typedef struct faults_group {
    const operation *operations;
    size_t count;
    void (*clear)(stage *s); /* destroys the plans that were made, if any */
} faults_group;

/* The group of the file faults_<name>.c. */
#define FAULTS_GROUP(name, operations, clear)                                                      \
    const faults_group faults_of_##name = {operations, sizeof operations / sizeof operations[0],   \
                                           clear};

/* All of them; a new file is one more word. */
/* clang-format off */
#define FAULTS_GROUPS(GROUP) \
    GROUP(along) \
    GROUP(passes) \
    GROUP(segmented) \
    GROUP(sort) \
    GROUP(histogram) \
    GROUP(merge) \
    GROUP(jagged) \
    GROUP(once) \
    GROUP(minplus)
/* clang-format on */

#define FAULTS_DECLARE(name) extern const faults_group faults_of_##name;
FAULTS_GROUPS(FAULTS_DECLARE)
#undef FAULTS_DECLARE

#endif
