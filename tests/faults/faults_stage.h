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
    test_buffer flags, offset_sums, count, verdict; /* with PASS_PLANS */
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

typedef enum needs {
    NO_PLAN,
    SCAN_PLAN,
    LIST_PLAN,
    ALONG_PLANS,
    PASS_PLANS,
    MINPLUS_PLANS,
    SORT_PLAN,
    SEGMENTED_SORT_PLAN,
    TOPK_PLAN,
    SEGMENTED_PLAN,
    HISTOGRAM_PLAN,
    MERGE_PLANS,
    JAGGED_PLANS
} needs;

typedef struct operation {
    const char *name;
    needs needs;
    clprims_status (*run)(stage *s);
    void (*undo)(stage *s); /* checks the result of a run that succeeded and gives it back */
    clprims_algorithm algorithm;
    bool out_of_order;
} operation;

#define FAULTS_OPERATION(name, needs, run, undo, out_of_order)                                     \
    { name, needs, run, undo, CLPRIMS_ALGORITHM_AUTO, out_of_order }

/* Waits for the event that a call gave. */
void faults_await(stage *s);

/* In faults_along.c: list scan and forests, and the plans that ALONG_PLANS stands for. */
enum { FAULTS_ALONG = 7 };
extern const operation faults_along[FAULTS_ALONG];
void faults_plan_along(stage *s);

/* In faults_passes.c: the same for offsets, select, partitions and reduce; and what gives all that
 * back. */
enum { FAULTS_PASSES = 12 };
extern const operation faults_passes[FAULTS_PASSES];
void faults_plan_passes(stage *s);
void faults_clear_passes(stage *s);

/* In faults_segmented.c: the reduction by key, and the plan that SEGMENTED_PLAN stands for. */
enum { FAULTS_SEGMENTED = 4 };
extern const operation faults_segmented[FAULTS_SEGMENTED];
void faults_plan_segmented(void);
void faults_segmented_clear(void);

/* In faults_sort.c: the sort, and the plan that SORT_PLAN stands for. */
enum { FAULTS_SORT = 10 };
extern const operation faults_sort[FAULTS_SORT];
void faults_plan_sort(void);
void faults_plan_segmented_sort(void);
void faults_plan_topk(void);
void faults_sort_clear(void);

/* In faults_histogram.c: the same of the histogram. */
enum { FAULTS_HISTOGRAM = 4 };
extern const operation faults_histogram[FAULTS_HISTOGRAM];
void faults_plan_histogram(void);
void faults_histogram_clear(void);

/* In faults_merge.c: merge and search, and the plans that MERGE_PLANS stands for. */
enum { FAULTS_MERGE = 7 };
extern const operation faults_merge[FAULTS_MERGE];
void faults_plan_merge(void);
void faults_merge_clear(void);
/* In faults_jagged.c: the same of parents and gather. */
enum { FAULTS_JAGGED = 8 };
extern const operation faults_jagged[FAULTS_JAGGED];
void faults_plan_jagged(void);
void faults_jagged_clear(void);

/* In faults_once.c: one-shot calls. */
enum { FAULTS_ONCE = 2 };
extern const operation faults_once[FAULTS_ONCE];

/* In faults_minplus.c: the product and the closure, and the plans that MINPLUS_PLANS stands for. */
enum { FAULTS_MINPLUS = 8 };
extern const operation faults_minplus[FAULTS_MINPLUS];
void faults_plan_minplus(void);
void faults_minplus_clear(void);

#endif
