/* SPDX-License-Identifier: MIT */
/* Numbers of runs. What work-groups publish to each other bears the run's number, so that nothing
 * is cleared between runs. */
#ifndef CLP_RUN_NUMBER_H
#define CLP_RUN_NUMBER_H

#include "core/context.h"

/* A run's number stands in 30 bits of each published word; 0 is none's. */
enum { CLP_MOST_RUN = (1 << 30) - 1 };

/* Sets *number to the one after `last`, the last one submitted. When the numbers are used up, each
 * run has the greatest one and clears the words first: to start again with 1 would need a clearing
 * that is known to have been executed, and a run whose wait list fails is not. The clearing waits
 * for what the run waits for: on a queue out of order the run before may be there. */
clprims_status clp_next_run(const char *who, cl_uint last, cl_mem words, cl_command_queue queue,
                            cl_uint num_wait, const cl_event *wait, cl_uint *number);

#endif
