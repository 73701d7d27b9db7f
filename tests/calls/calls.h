/* SPDX-License-Identifier: MIT */
/* What holds for the calls of all subjects (subjects/subjects.h): which arrays may overlap, that
 * each has a `first` of its own, what the commands wait for. Each call has n == max_n, so that its
 * scratch has no room to spare; counted ones have fewer elements. */
#ifndef TESTS_CALLS_H
#define TESTS_CALLS_H

#include "subjects/runs/subject_buffers.h"

/* calls_overlaps.c, calls_firsts.c, calls_threads.c, calls_variants.c, calls_knobs.c, calls_none.c,
 * calls_unused.c, calls_images.c, calls_order.c, calls_descriptions.c */
void calls_add_overlaps(test_cases *cases);
void calls_add_firsts(test_cases *cases);
void calls_add_threads(test_cases *cases);
void calls_add_variants(test_cases *cases);
void calls_add_knobs(test_cases *cases);
void calls_add_none(test_cases *cases);
void calls_add_unused(test_cases *cases);
void calls_add_images(test_cases *cases);
void calls_add_order(test_cases *cases);
void calls_add_descriptions(test_cases *cases);

#endif
