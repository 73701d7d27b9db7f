/* SPDX-License-Identifier: MIT */
/*
 * Other libraries on the same device, in the same run: a small C interface that each is put behind.
 *
 * A library that needs another compiler or headers which may be missing is built as a module of its
 * own, clprims-peer-<name>.so beside clprims-bench, when CMake finds what it needs. The module's
 * one symbol is peer_libraries(). What is not there is named in the summary and fails nothing.
 *
 * A suite asks bench_peers() to do a task beside its own rows; it hands over how to write the
 * inputs and how to verify a result, and every peer goes through both before it is timed.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The task -------------------------------------------------------------------------------- */

typedef enum peer_primitive {
    PEER_SCAN, /* exclusive sum: input 0 to output 0 */
    PEER_SELECT_IF, /* elements < limit, in order; output 1 is their count, a uint64 */
    PEER_SELECT_FLAGGED, /* elements whose byte of input 1 is not 0; output 1 is their count */
    PEER_UNIQUE, /* the first of each run of equals; output 1 is their count */
    PEER_ENCODE, /* runs: values, output 1 is their count, output 2 their uint32 lengths */
    PEER_OFFSETS, /* inputs starts and stops, output 0 the n + 1 int64 offsets */
    PEER_REDUCE, /* the sum of input 0, one element of its type */
    PEER_SEGMENTED_SUM, /* of input 0, between each two of input 1, int64 offsets */
    PEER_ROW_SUM, /* of each `length` elements of input 0; n is a multiple of it */
    PEER_SEGMENTED_SCAN, /* the same, inclusive sums; every element is in a segment */
    PEER_SUM_BY_KEY, /* of runs of the uint32 keys of input 1; output 1 has each run's key, output 2
                      * their count */
    PEER_SCAN_BY_KEY, /* inclusive sums within runs of the uint32 keys of input 1 */
    /* how often the high bits of input 0, a number below limit (a power of two), occur: uint32 */
    PEER_HISTOGRAM,
    PEER_SORT, /* input 0 ascending to output 0 */
    PEER_SORT_PAIRS, /* the same, stable; input 1, elements of 4 or 8 bytes, moves to output 1 */
    PEER_SEGMENTED_SORT, /* between each two of input 1, int64 offsets, ascending to output 0 */
    /* of each `length` elements the `limit` greatest, in any order, to output 0, and their places
     * from the first of these elements, uint32, to output 1; of equal ones any; length 0: of all */
    PEER_TOP_K,
    PEER_ARGSORT, /* the indices that sort input 0, to output 1; no peer has it */
    PEER_MERGE, /* inputs 0 and 1, both ascending, to output 0; n is that of the output */
    /* uint32 lower bounds of the n elements of input 1 in input 0, which ascends */
    PEER_LOWER_BOUND,
    /* PEER_BLOCK_ROUNDS times, within each tile of `limit` work-items with `length` uint32 elements
     * each: inclusive sums; the tile's sum is added to its first element; ascending sort. Before
     * each round x becomes x * 2654435761 + the round. */
    PEER_BLOCK_SCAN,
    PEER_BLOCK_REDUCE,
    PEER_BLOCK_SORT,
    PEER_NOTHING /* what no peer is asked for */
} peer_primitive;

/* The numbers of clprims_type, which C++ modules need not include. */
typedef enum peer_type {
    PEER_I8 = 1,
    PEER_I16 = 2,
    PEER_I32 = 3,
    PEER_I64 = 4,
    PEER_U8 = 5,
    PEER_U16 = 6,
    PEER_U32 = 7,
    PEER_U64 = 8,
    PEER_F32 = 9,
    PEER_F64 = 10
} peer_type;

enum { PEER_INPUTS = 2, PEER_OUTPUTS = 3, PEER_BLOCK_ROUNDS = 32 };

typedef struct peer_task {
    peer_primitive primitive;
    peer_type type; /* of input 0 */
    size_t n;
    uint64_t limit; /* of PEER_SELECT_IF and PEER_HISTOGRAM, integer types only; of PEER_TOP_K */
    size_t length; /* of segments without offsets, else 0 */
    size_t in_bytes[PEER_INPUTS], out_bytes[PEER_OUTPUTS]; /* 0: there is none; a count: 8 */
} peer_task;

/* ---- A library ------------------------------------------------------------------------------- */

/* The device of the run, for libraries that can use it; names for those that have their own. */
typedef struct peer_device {
    const char *name; /* "NVIDIA H200" */
    void *context, *id, *queue; /* cl_context, cl_device_id, cl_command_queue */
    bool is_cpu;
    /* Enqueues what keeps the queue busy while the host submits what is timed. */
    void (*space)(void *space_self);
    void *space_self;
} peer_device;

typedef struct peer_seconds {
    double device; /* of a host library: as wall */
    double wall; /* from the call until its result is there */
} peer_seconds;

/* All functions but knows and destroy return NULL, or why they failed. */
typedef struct peer_library {
    const char *name; /* "CUB" */
    const char *version;
    bool on_host; /* runs on the CPU, whatever the device is */
    /* Why it can't run here (another vendor's device, say), or NULL. */
    const char *(*refuses)(const peer_device *device);
    bool (*knows)(const peer_task *task);
    /* Allocates inputs, outputs and scratch. */
    const char *(*create)(void **state, const peer_task *task, const peer_device *device);
    const char *(*write)(void *state, int input, size_t first_byte, size_t bytes, const void *from);
    const char *(*read)(void *state, int output, size_t first_byte, size_t bytes, void *to);
    /* Sets every byte of the outputs to 0xa5. */
    const char *(*poison)(void *state);
    const char *(*run)(void *state, peer_seconds *seconds);
    void (*destroy)(void *state); /* NULL is fine */
} peer_library;

/* Of a module: its libraries; NULL ends them. */
typedef const peer_library *const *peer_libraries_function(void);
const peer_library *const *peer_libraries(void);

#ifdef __cplusplus
}
#endif

#endif
