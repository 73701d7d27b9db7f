/* SPDX-License-Identifier: MIT */
/* What the fuzzers of list ranking, list scan, and forests draw alike. */
#ifndef TESTS_FUZZ_LISTS_H
#define TESTS_FUZZ_LISTS_H

#include "core/knobs.h"

/* The largest n of a plan: now and then a million, as a rule less. */
size_t fuzz_list_max_n(void);

/* The most that is drawn of a knob of which more would be slow. */
typedef struct fuzz_cap {
    const char *name;
    size_t most;
} fuzz_cap;

enum { FUZZ_TUNING = 512 };

/* Adds each knob of a table with an even chance, small values as often as large ones. caps: end
 * with one without a name. */
void fuzz_draw_knobs(const clp_knob *knobs, size_t count, const fuzz_cap *caps,
                     char tuning[FUZZ_TUNING]);

/* The knobs of list scan and of forests. Groups are of whole sub-groups, or of single work-items
 * where there are none. */
void fuzz_draw_scan_knobs(char tuning[FUZZ_TUNING]);

#endif
