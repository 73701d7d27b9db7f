/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CORE_SIZES_H
#define TESTS_CORE_SIZES_H

#include "harness.h"

void core_add_sizes(test_cases *cases);

#endif
