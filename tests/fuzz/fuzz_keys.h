/* SPDX-License-Identifier: MIT */
/* What the fuzzers of sort, segmented sort and top-k draw alike. */
#ifndef TESTS_FUZZ_KEYS_H
#define TESTS_FUZZ_KEYS_H

#include "fixtures/sort_cases.h"

/* Whether keys of the description's type are the elements, an expression makes them, or elements
 * are structures of several keys, which the text declares. */
void fuzz_draw_keys(clprims_sort_desc *desc, char text[SORT_KEYS_TEXT]);

#endif
