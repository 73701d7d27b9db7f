/* SPDX-License-Identifier: MIT */
/* Runs whose numbers of elements stand in device memory, for the tests of each subject's own. */
#ifndef TESTS_SUBJECT_COUNTED_H
#define TESTS_SUBJECT_COUNTED_H

#include "subjects/runs/subject_buffers.h"

/* Counted runs of a plan, around each multiple of the tile, refused ones among them, and plain ones
 * in turn. like: subject, description, sizes of the plan and variant. */
void subject_counted_is_right(const subject_data *like, void *plan, size_t tile, bool in_place);

/* One run of these numbers, counted or plain, of which no number is too large. */
void subject_one_is_right(const subject_data *like, void *plan, const size_t n[SUBJECT_NUMBERS],
                          bool counted, bool in_place);

/* A run of which number k is this one, too large; name: as the message has it. */
void subject_number_is_refused(const subject_data *like, void *plan, size_t k, uint64_t number,
                               const char *name);
/* The same of each number that may stand in device memory. */
void subject_numbers_are_refused(const subject_data *like, void *plan);

/* Adds the case of counted runs of one plan. */
void subject_add_counted(test_cases *cases, const subject *of, const void *desc, size_t tile,
                         bool in_place, const char *name);

#endif
