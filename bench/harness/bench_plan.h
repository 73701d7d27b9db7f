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
    const char *library; /* whose row it is; NULL: clprims */
    clprims_status (*create)(void *self, bench_choice *chosen);
    clprims_status (*submit)(void *self, cl_command_queue queue, cl_event *event);
    void (*destroy)(void *self); /* of what was not created, too */
    size_t scratch_bytes; /* roughly, of the plan's own buffers; 0: small ones */
    cl_mem in[PEER_INPUTS], out[PEER_OUTPUTS]; /* of the task's sizes, NULL where a size is 0 */
} bench_plan;

/* Whether the device has room at once for the arrays, the plan's scratch, the buffers that
 * bench_copy_seconds keeps, and a peer's arrays. If not, prints a note and counts the job as
 * skipped; ask before an input is made on the host. job->bytes may be an upper bound here. */
bool bench_plan_fits(bench *b, const beside_job *job, const bench_plan *plan);

/* Makes the buffers and writes the inputs. */
void bench_plan_begin(bench *b, const beside_job *job, bench_plan *plan);

/* Reports the plan's row, then the peers'; gives the buffers back. */
void bench_plan_measure(bench *b, beside_job *job, bench_plan *plan);

#endif
