/* SPDX-License-Identifier: MIT */
/* One plan of the library at one size, beside peers that do the same: created, run once, verified,
 * timed, reported. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "peers/beside.h"

/* What a plan takes for its n. */
typedef struct bench_choice {
    const char *method; /* the algorithm's name */
    const char *variant; /* the plan's */
} bench_choice;

/* What a suite hands over beside the job that it has the peers do. */
typedef struct bench_plan {
    clprims_status (*create)(void *self, bench_choice *chosen);
    clprims_status (*submit)(void *self, cl_command_queue queue, cl_event *event);
    void (*destroy)(void *self); /* of what was not created, too */
    size_t scratch_bytes; /* what the plan allocates besides, about; 0: little */
    cl_mem in[PEER_INPUTS], out[PEER_OUTPUTS]; /* of the task's sizes, NULL where those are 0 */
} bench_plan;

/* Makes the buffers and writes the inputs; false if the device has no room for the arrays, the
 * plan's scratch, the copy's buffers and the arrays of a peer at once, which skips the job. */
bool bench_plan_begin(bench *b, const beside_job *job, bench_plan *plan);

/* Reports the plan's row, then the peers'; gives the buffers back. */
void bench_plan_measure(bench *b, beside_job *job, bench_plan *plan);

#endif
