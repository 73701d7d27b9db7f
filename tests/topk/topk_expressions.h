/* SPDX-License-Identifier: MIT */
/* Top-k by keys that an expression makes of elements. */
#ifndef TESTS_TOPK_EXPRESSIONS_H
#define TESTS_TOPK_EXPRESSIONS_H

#include "harness/harness.h"

void topk_add_expressions(test_cases *cases);

#endif
