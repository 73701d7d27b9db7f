/* SPDX-License-Identifier: MIT */
/* Numbers of runs. Each word that work-groups publish to each other bears the run's number. A
 * reader takes no word of another run, so nothing is cleared between runs. */
#ifndef CLP_RUN_NUMBER_H
#define CLP_RUN_NUMBER_H

#include "plan/plan.h"

/* A run's number has 30 bits of each published word. No run has the number 0, that of cleared
 * words. */
enum { CLP_MOST_RUN = (1 << 30) - 1 };

/* Gives the number after `last`, the last one submitted. When the numbers are used up, each run has
 * the greatest number and clears the words first (*cleared, else NULL). Starting again with 1 would
 * need proof that a clearing was executed, and a run whose wait list fails never is. */
static inline cl_uint clp_next_run(cl_uint last, cl_mem words, cl_mem *cleared) {
    *cleared = last < CLP_MOST_RUN ? NULL : words;
    return last < CLP_MOST_RUN ? last + 1 : last;
}

#endif
