/* SPDX-License-Identifier: MIT */
/* Lists, list scans and forests: one plan and many n. */
#include "sizes/sizes.h"

static void add_cases(test_cases *cases) {
    sizes_add_layouts(cases);
    sizes_add_lists(cases);
    sizes_add_large(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
