/* SPDX-License-Identifier: MIT */
/*
 * The selections and offsets that are measured: inputs made element by element in order, and what
 * must come out of them in plain C.
 */
#ifndef BENCH_SELECT_DATA_H
#define BENCH_SELECT_DATA_H

#include "peers/peers.h"
#include <clprims/clprims.h>

typedef struct select_case {
    const char *name; /* "uint32 predicate 50 %" */
    clprims_type type;
    clprims_select_by by;
    double share; /* that is kept; for runs 1 / the mean length */
    bool lengths; /* of the runs, too */
    peer_primitive peer;
} select_case;

extern const select_case select_cases[];
extern const size_t select_case_count;

/* Makes the elements one after another; start from {case}. */
typedef struct select_stream {
    const select_case *what;
    uint64_t made; /* elements so far */
    uint64_t run; /* number of the current run */
    bool keeps; /* the last one made */
} select_stream;

/* The next element's bits, and its flag. */
uint64_t select_next(select_stream *stream);

/* The value below which a random element is kept, as the type counts. */
uint64_t select_limit(const select_case *what);

#endif
