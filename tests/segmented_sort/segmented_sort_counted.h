/* SPDX-License-Identifier: MIT */
/* Segmented sorts whose numbers of elements and segments stand in device memory. */
#ifndef TESTS_SEGMENTED_SORT_COUNTED_H
#define TESTS_SEGMENTED_SORT_COUNTED_H

#include "harness/harness.h"

#include <clprims/segmented_sort.h>

/* A case of one plan, of uint32 alone by int64 offsets. */
void segmented_sort_add_counted(test_cases *cases, const clprims_segmented_sort_desc *desc,
                                const char *name);
void segmented_sort_add_counted_refusals(test_cases *cases,
                                         const clprims_segmented_sort_desc *desc);

#endif
