/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzer's files share. A primitive is a function, fuzz_<primitive>() in a file beside
 * this one, and a line in the table of test_fuzz.c. The function draws one plan from test_random()
 * and runs it a few times beside the twin; nothing that it does may depend on anything else, so
 * that a draw replays.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "subjects/subjects.h"

#define FUZZ_DECLARE(name) void fuzz_##name(void);
SUBJECTS(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/* Says what was drawn, for a failure's message. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 1, 2)))
#endif
void fuzz_note(const char *format, ...);

/* A number in [least, most]. */
size_t fuzz_between(size_t least, size_t most);
bool fuzz_coin(void);

/* A number of elements up to `most`: tiny, next to a power of two, or any. */
size_t fuzz_size(size_t most);

/* The type of indices, positions or offsets. */
clprims_type fuzz_index_type(void);

/* A start for an accumulator of that type: 7, or of floats `real`. */
const void *fuzz_init(clprims_type type, double real, uint64_t *init);

/* Whether create gave a plan. Knobs or types that were drawn may be refused, and sizes by knobs;
 * why must then be said; any other failure fails the case. */
bool fuzz_created(clprims_status status);

/* Creates the plan that `like` describes, and runs it, now counted, now in place, at drawn places
 * and on drawn queues, with data of the subject's own. like->n[0]: the least number of elements. */
void fuzz_runs(const subject_data *like, size_t runs);

#endif
