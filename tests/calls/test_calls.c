/* SPDX-License-Identifier: MIT */
/* What holds for the calls of all primitives alike. */
#include "calls/calls.h"

void test_program(test_cases *cases) {
    calls_add_firsts(cases);
    calls_add_overlaps(cases);
    calls_add_threads(cases);
    calls_add_variants(cases);
    calls_add_none(cases);
    calls_add_unused(cases);
    calls_add_images(cases);
    calls_add_order(cases);
    calls_add_descriptions(cases);
    if (!test_small()) calls_add_knobs(cases);
}
