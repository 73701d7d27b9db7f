/* SPDX-License-Identifier: MIT */
/* Lists, list scans and forests: one plan and many n. */
#include "sizes/sizes.h"

void test_program(test_cases *cases) {
    sizes_add_layouts(cases);
    sizes_add_lists(cases);
    sizes_add_large(cases);
}
