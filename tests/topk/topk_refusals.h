/* SPDX-License-Identifier: MIT */
/* What top-k refuses. */
#ifndef TESTS_TOPK_REFUSALS_H
#define TESTS_TOPK_REFUSALS_H

#include "harness/harness.h"

void topk_add_refusals(test_cases *cases);

#endif
