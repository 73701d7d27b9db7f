/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FILES_MACROS_H
#define TESTS_FILES_MACROS_H

#include "harness/harness.h"

/* The cases of the tables of macros. */
void files_add_macros(test_cases *cases);

#endif
