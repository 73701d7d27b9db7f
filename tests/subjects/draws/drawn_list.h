/* SPDX-License-Identifier: MIT */
/* A list in random order, for the subjects that read links. */
#ifndef TESTS_DRAWN_LIST_H
#define TESTS_DRAWN_LIST_H

#include "subjects/subjects.h"

/* Draws the links into the slot, and the head that the call is given. At times the list is
 * malformed: then d->status and the report say so. Returns the order, to be freed. */
uint32_t *drawn_list(subject_data *d, size_t slot, clprims_type link, clprims_list_report *report);

/* Makes an output one that a malformed list leaves as it is. */
void drawn_list_settle(subject_data *d, size_t slot);

#endif
