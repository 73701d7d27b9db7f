/* SPDX-License-Identifier: MIT */
/* The cases of top-k that files beside test_topk.c add. */
#ifndef TESTS_TOPK_SUITE_H
#define TESTS_TOPK_SUITE_H

#include "harness/harness.h"

/* Top-k by keys that an expression makes of elements. */
void topk_add_expressions(test_cases *cases);

/* Top-k of segments. */
void topk_add_segments(test_cases *cases);

/* What top-k refuses. */
void topk_add_refusals(test_cases *cases);

#endif
