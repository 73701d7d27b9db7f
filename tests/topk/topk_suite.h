/* SPDX-License-Identifier: MIT */
/* The cases of top-k that files beside test_topk.c add. */
#ifndef TESTS_TOPK_SUITE_H
#define TESTS_TOPK_SUITE_H

#include "harness/harness.h"

#include <clprims/topk.h>

/* The k of as many elements as stand in device memory: a case of one plan, of type uint32 with
 * int32 indices. */
void topk_add_counted(test_cases *cases, const clprims_topk_desc *desc, const char *name);
void topk_add_counted_refusals(test_cases *cases, const clprims_topk_desc *desc);

/* Top-k by keys that an expression makes of elements. */
void topk_add_expressions(test_cases *cases);

/* What top-k refuses. */
void topk_add_refusals(test_cases *cases);

#endif
