/* SPDX-License-Identifier: MIT */
/* Top-k of as many elements as stand in device memory. */
#ifndef TESTS_TOPK_COUNTED_H
#define TESTS_TOPK_COUNTED_H

#include "harness/harness.h"

#include <clprims/topk.h>

/* A case of one plan, of type uint32 with int32 indices. */
void topk_add_counted(test_cases *cases, const clprims_topk_desc *desc, const char *name);
void topk_add_counted_refusals(test_cases *cases, const clprims_topk_desc *desc);

#endif
