/* SPDX-License-Identifier: MIT */
/* OpenCL calls that fail on one rank, each in turn. */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include "mpi/ranks.h"

typedef enum failing { NOTHING, BUFFERS, READS, WRITES, LAUNCHES, BUILDS, FAILINGS } failing;
extern const char *const failing_names[FAILINGS];

/* Makes call k of the last rank's fail while the action runs, for all k, until none is left, and
 * expects that every rank gets the status and that rank's number; of builds, which fail as where a
 * driver can't write its cache, a message that names the cache. least: how many fail at least. */
void fail_each(failing what, clprims_status (*action)(void *arrays), void *arrays, int least);

/* The same; `prepare` comes before each action, and no call of it fails. */
void fail_each_after(failing what, clprims_status (*prepare)(void *arrays),
                     clprims_status (*action)(void *arrays), void *arrays, int least);

/* Makes the last rank's first call fail while the action runs, which does without it. */
void fail_in_vain(failing what, clprims_status (*action)(void *arrays), void *arrays);

#endif
