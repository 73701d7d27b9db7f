/* SPDX-License-Identifier: MIT */
/* What the files of test_scan share: the algorithms and shapes to try, and plans that are kept. */
#ifndef TESTS_SCAN_CASES_H
#define TESTS_SCAN_CASES_H

#include "subjects/runs/subject_buffers.h"

/* A shape of tiles, small so that a test crosses many of them. */
typedef struct scan_shape {
    const char *name; /* of the case: "one" work-item a group, or "many" */
    const char *tuning; /* small tiles of that shape */
    const char *ahead; /* the same for a look-ahead: few sub-groups, or more of all */
} scan_shape;

enum { SCAN_SHAPES = 2 };
extern const scan_shape scan_shapes[SCAN_SHAPES];

/* Forms that only some devices run: a look-back as a wave, and look-aheads as they are fed on
 * devices of an older compute capability; *count gets how many of them this device can run. */
enum { SCAN_MOST_FORMS = 3 };
const scan_shape *scan_forms(int *count);
clprims_algorithm scan_form_algorithm(const scan_shape *form);

/* The algorithms that the device can run; AUTO is not among them. */
int scan_algorithm_count(void);
clprims_algorithm scan_algorithm(int number);

bool scan_can_run(const clprims_scan_desc *desc);

/* Sets the algorithm, and the shape's tuning for it. */
void scan_set(clprims_scan_desc *desc, clprims_algorithm algorithm, const scan_shape *shape);

/* A plan for desc, which is kept (subject_kept_plan). */
clprims_scan *scan_plan(const clprims_scan_desc *desc);

/* The first slots of the subject. */
enum { SCAN_IN, SCAN_OUT };

typedef struct scan_case {
    clprims_scan_desc desc;
    const custom_operand *operand; /* NULL: a built-in operator and input */
    size_t n, in_first, out_first;
    bool in_place, by_run; /* through clprims_scan_run */
    void (*fill)(const subject_data *d, void *in, size_t n); /* NULL: as the subject does */
} scan_case;

/* The data of a scan by this plan. */
subject_data scan_data(const clprims_scan_desc *desc, size_t n);

/* Scans fresh data of a scan_case, and compares. */
void scan_is_right(const void *data);

/* The cases of the other files. */
void add_counted_cases(test_cases *cases);
void add_custom_cases(test_cases *cases);
void add_narrow_cases(test_cases *cases);
void add_local_cases(test_cases *cases);
void add_parameter_cases(test_cases *cases);
void add_refusal_cases(test_cases *cases);
void add_run_cases(test_cases *cases);
void add_safety_cases(test_cases *cases);
void add_sweep_cases(test_cases *cases);

#endif
