/* SPDX-License-Identifier: MIT */
/* The calls of the min-plus product and of the closure that test_faults.c makes to fail. */
#ifndef TESTS_FAULTS_MINPLUS_H
#define TESTS_FAULTS_MINPLUS_H

#include "harness.h"

typedef enum faults_minplus {
    PRODUCT_CREATE,
    PRODUCT_ENQUEUE,
    PRODUCT_RUN,
    PATHS_CREATE,
    PATHS_ENQUEUE,
    PATHS_RUN
} faults_minplus;

/* Makes plans and buffers, and gives them back. */
void faults_minplus_set(void);
void faults_minplus_clear(void);

/* Makes the call; *made: the plan of a create, *event: of an enqueue. */
clprims_status faults_minplus_run(faults_minplus call, cl_command_queue queue, void **made,
                                  cl_event *event);

/* Checks the result of a call that succeeded and whose event has come, and gives it back. */
void faults_minplus_undo(faults_minplus call, void *made);

#endif
