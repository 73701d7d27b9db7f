/* SPDX-License-Identifier: MIT */
/* How a suite has its task done by the peers: verified, timed and reported beside its own rows. */
#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include "harness/bench.h"
#include "harness/parallel.h"
#include "peers.h"

/* A result, on whatever device it is, that verification reads part by part. */
typedef struct bench_result {
    const bench *b;
    cl_mem buffers[PEER_OUTPUTS]; /* of the library's own results */
    const peer_library *peer; /* NULL: read the buffers */
    void *state;
} bench_result;

void bench_result_read(const bench_result *result, int output, size_t first_byte, size_t bytes,
                       void *to);

typedef struct beside_job {
    peer_task task;
    const char *suite, *name; /* of the library's rows that these stand beside */
    double bytes, copy_seconds;
    size_t in_element_bytes[PEER_INPUTS];
    void *self;
    bench_fill *fill;
    /* Compares all of a result with plain C, or says what is wrong. */
    bool (*verify)(void *self, const bench_result *result, char *fault, size_t fault_bytes);
} beside_job;

/* The peers that are there, in their order; NULL behind the last. Loads them when first asked. */
const peer_library *bench_peer(bench *b, size_t number);
peer_device bench_peer_device(bench *b);

/* Reports a row for each peer that is there and knows the task; notes the others. */
void bench_beside(bench *b, const beside_job *job);

#endif
