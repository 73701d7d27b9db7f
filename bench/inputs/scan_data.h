/* SPDX-License-Identifier: MIT */
/*
 * The scans that are measured: their input as a function of the index, and their twin in plain C.
 * Both work chunk by chunk, so that every element of every size can be compared whatever the
 * host's memory is.
 */
#ifndef BENCH_SCAN_DATA_H
#define BENCH_SCAN_DATA_H

#include <clprims/clprims.h>
#include <stdbool.h>

typedef struct scan_case {
    const char *name;
    clprims_type type, accumulator;
    clprims_op op;
    bool exclusive, inclusive; /* which of the two are measured */
    size_t in_bytes, out_bytes;
    clprims_custom custom;
    /* Writes elements first, first + 1, ... of the input. */
    void (*fill)(void *in, size_t first, size_t count);
    /* Scans count elements on from *carry, one accumulator value, and leaves the next one there. */
    void (*twin)(const void *in, void *out, size_t count, bool inclusive, void *carry);
    /* Combines one accumulator value with the next one, which gets the result. */
    void (*join)(const void *carry, void *next);
    const void *identity; /* the first carry */
    /* What makes a case a variant of another, which no peer is asked for. */
    size_t in_first, out_first, more; /* elements before the buffers' places, and beyond the size */
    bool fast_floats;
    clprims_algorithm algorithm; /* the one with the means of an older device; or AUTO */
    const char *means; /* its knobs, or NULL */
    size_t capability; /* of that older device; 0: of the device itself */
} scan_case;

static inline bool scan_is_variant(const scan_case *what) {
    return what->in_first > 0 || what->out_first > 0 || what->more > 0 || what->fast_floats ||
           what->algorithm != CLPRIMS_ALGORITHM_AUTO;
}

extern const scan_case scan_cases[];
extern const size_t scan_case_count;

/* The first index at which the results differ, count if none; zeros of both signs are equal. */
size_t scan_compare(const scan_case *what, const void *got, const void *want, size_t count);

#endif
