/* SPDX-License-Identifier: MIT */
/* Lists, good and mutated, for the subjects that read links. */
#ifndef TESTS_DRAWN_LIST_H
#define TESTS_DRAWN_LIST_H

#include "fixtures/list/list_cases.h"
#include "subjects/subjects.h"

/* Draws the links of a list, of which every third may be mutated, and the head that the call is
 * given; or takes both from the list_case that d->how is. Returns the links, to be freed. */
int64_t *drawn_links(subject_data *d, clprims_type link);

/* Makes an input of them. */
void drawn_links_put(subject_data *d, size_t slot, clprims_type link, const int64_t *next);

/* Draws the links into the slot. Where the list is malformed, d->status and the report say so.
 * Returns the order of a list that is not, to be freed. */
uint32_t *drawn_list(subject_data *d, size_t slot, clprims_type link, clprims_list_report *report);

/* Makes an output one that a malformed list leaves as it is. */
void drawn_list_settle(subject_data *d, size_t slot);

#endif
