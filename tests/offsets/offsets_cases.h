/* SPDX-License-Identifier: MIT */
/* What the files of test_offsets share. */
#ifndef TESTS_OFFSETS_CASES_H
#define TESTS_OFFSETS_CASES_H

#include "harness/passes.h"
#include "subjects/runs/subject_buffers.h"

typedef struct offsets_case {
    clprims_offsets_desc desc;
    size_t n;
    bool counted; /* n is read in device memory */
    size_t starts_first, stops_first, out_first, report_first;
    bool by_run;
    /* Faults: at each of these indices below the room; a total that is too large too. */
    size_t bad[3];
    uint64_t huge; /* length of interval bad[0] in place of a fault, if not 0 */
} offsets_case;

/* Fails the running case unless this offsets_case gives what its twin gives. */
void offsets_are_right(const void *argument);

/* offsets_counted.c */
void add_counted_cases(test_cases *cases);

/* offsets_sweeps.c */
void add_sweep_cases(test_cases *cases);

/* offsets_refusals.c */
void add_refusal_cases(test_cases *cases);

#endif
