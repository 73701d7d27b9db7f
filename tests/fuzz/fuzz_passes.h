/* SPDX-License-Identifier: MIT */
/* What the fuzzers of scan, offsets and select draw alike. */
#ifndef TESTS_FUZZ_PASSES_H
#define TESTS_FUZZ_PASSES_H

#include "fuzz/fuzz_lists.h"
#include "harness/passes.h"

/* Where work-groups can't wait for each other, mostly one that works there. */
clprims_algorithm fuzz_algorithm(void);

/* Adds knobs of the single-pass engine, and hooks as tests/harness/hooked.c takes them: late tiles,
 * run numbers that are used up, tiles that publish nothing (fallback only), older instructions. */
void fuzz_draw_pass_knobs(clprims_algorithm algorithm, char tuning[FUZZ_TUNING]);

/* Whether such a plan can work in place: a tile that publishes nothing can't say that it overwrites
 * its input. */
bool fuzz_can_be_in_place(const char *tuning);

/* A number of elements up to max_n, often max_n or nearly so. */
size_t fuzz_pass_size(size_t max_n);

/* A queue of several, in order or not, and at times an event that opens after the submission. */
pass_turn fuzz_turn(void);

#endif
