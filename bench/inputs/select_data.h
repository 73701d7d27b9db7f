/* SPDX-License-Identifier: MIT */
/* The selections that are measured: inputs made element by element, each chunk for itself, and
 * which elements are kept, in plain C. */
#ifndef BENCH_SELECT_DATA_H
#define BENCH_SELECT_DATA_H

#include "harness/parallel.h"
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

/* An input, and what comes before each chunk of BENCH_CHUNK elements of it; of the first chunk that
 * is not there: before the end. */
typedef struct select_input {
    const select_case *what;
    size_t n;
    size_t *kept; /* elements that are kept */
    size_t *head; /* the last one that is kept, plus 1; 0: none */
} select_input;

void select_input_make(select_input *input, const select_case *what, size_t n);
void select_input_free(select_input *input);

static inline size_t select_kept(const select_input *input) {
    return input->kept[(input->n + BENCH_CHUNK - 1) / BENCH_CHUNK];
}

/* Makes the elements of a chunk one after another. */
typedef struct select_stream {
    const select_case *what;
    uint64_t made; /* elements so far */
    uint64_t run; /* number of the current run */
    bool keeps; /* the last one made */
} select_stream;

select_stream select_chunk(const select_input *input, size_t chunk);

/* The next element's bits, and its flag. */
uint64_t select_next(select_stream *stream);

/* The value below which a random element is kept, as the type counts. */
uint64_t select_limit(const select_case *what);

#endif
