/* SPDX-License-Identifier: MIT */
/* Indices of gather and scatter. The second number of a run is that of the elements that they name;
 * the variant says how many are outside of these. */
#ifndef TESTS_DRAWN_INDICES_H
#define TESTS_DRAWN_INDICES_H

#include "subjects/subjects.h"

/* limit() and numbers() of both. */
void drawn_indices_limit(size_t n, size_t most[SUBJECT_NUMBERS]);
void drawn_indices_numbers(subject_data *d, size_t n);

/* The indices of a run under construction. */
typedef struct drawn_indices {
    clprims_type type;
    size_t bytes; /* of an index */
    size_t n, length;
    void *values;
    size_t outside; /* how many are still to be outside */
    clprims_gather_report report; /* scatter's has the same members */
} drawn_indices;

/* Makes the array of indices. */
drawn_indices drawn_indices_begin(subject_data *d, size_t slot, clprims_type type, size_t length);

/* Draws and stores index number i, below `span` unless it is outside. Returns whether it is inside.
 * The first one outside makes the report and the status of the run. */
bool drawn_index(subject_data *d, drawn_indices *indices, size_t i, size_t span, int64_t *index);

#endif
