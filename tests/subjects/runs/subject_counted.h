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

/* What a counted call refuses, whatever the plan; and reports that are none. */
void subject_counted_is_refused(const subject_data *like, void *plan);
void subject_reports_are_checked(const subject *of);

/* Adds the case of counted runs of one plan, and NAME/refusals: what its counted calls refuse. */
void subject_add_counted(test_cases *cases, const subject *of, const void *desc, size_t tile,
                         bool in_place, const char *name);
void subject_add_counted_refused(test_cases *cases, const subject *of, const void *desc,
                                 const char *name);

#endif
