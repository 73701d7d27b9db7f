/* SPDX-License-Identifier: MIT */
/* The limit that min-plus products are compared with: the same arithmetic in registers alone. */
#ifndef BENCH_MINPLUS_LIMIT_H
#define BENCH_MINPLUS_LIMIT_H

#include "harness/bench.h"

typedef enum minplus_limit {
    LIMIT_FLOAT, /* a sum and fmin a pair */
    LIMIT_INT, /* two sums and a minimum of three for two pairs */
    LIMITS
} minplus_limit;

/* Seconds a pair, on the whole device. On a CPU, with vectors of its native width. */
double minplus_limit_measure(bench *b, minplus_limit limit);

#endif
