/* SPDX-License-Identifier: MIT */
/* Shared by files of drawn descriptions over ranks. All ranks draw the same. */
#ifndef TESTS_RANKS_DRAWN_H
#define TESTS_RANKS_DRAWN_H

#include "mpi/ranks.h"

enum { DRAWN_LARGEST = 2000, DRAWN_RUNS = 5 };

/* Elements of all ranks: none, one, as many as ranks, or up to DRAWN_LARGEST. */
size_t drawn_total(void);

/* Where the ranks' blocks begin, and the total: even, of random sizes, or all on one rank. Free
 * them. */
size_t *drawn_starts(size_t total);

bool drawn_coin(void);
clprims_type drawn_integer(void);
const char *drawn_text(clprims_type type); /* of an integer type in OpenCL C */

#endif
