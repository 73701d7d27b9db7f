/* SPDX-License-Identifier: MIT */
/*
 * The single-pass engine of scan, offsets and select: tiles whose prefixes are found in the same
 * launch that computes them, by look-back or by look-ahead. A primitive brings the kernel's text
 * and its own arguments; the engine brings the shape of the tiles, the published state, the
 * tickets and the run's number.
 */
#ifndef CLP_PASS_H
#define CLP_PASS_H

#include "internal.h"
#include <clprims/scan.h>

/* How the elements are dealt to work-items; see cl/tile.cl and cl/lookahead.cl. */
typedef struct clp_shape {
    size_t group;
    size_t rows;
    size_t vec;
    size_t tile; /* elements */
    size_t window; /* predecessors that a look-back observes together */
    size_t spins; /* polls before a fallback */
    size_t capability; /* whose means are used, 70 or more; of NVIDIA's devices only */
    bool apart; /* the last sub-group looks back; the others hold the tile */
    size_t fetch; /* from a tile to the later one that its group brings into the cache; 0: none */
    /* Of a group of one work-item only. */
    size_t simd; /* elements taken at a time */
    size_t ahead; /* from a core's tile to its next; 0: there is no cache to fetch it into */
    size_t stream_n; /* from so many elements on the output goes past the caches */
    bool wave; /* each group looks at all tiles before its own at once */
    bool few; /* a wave in as little code as may be */
    /* For tests; 0: no such tiles. */
    size_t mute; /* tiles 0, mute, 2 * mute ... publish nothing */
    size_t late; /* tiles 0, late, 2 * late ... publish long after they could */
    size_t first_run; /* the number before that of the first run */
    /* Of a look-ahead only; zero otherwise. */
    size_t scanners; /* sub-groups */
    size_t reducers; /* sub-groups */
    size_t loaders; /* sub-groups */
    bool freed_early; /* a stage is given back before its tile's prefix is known */
    size_t stages;
    size_t burst_kb; /* what a block of tiles reads and writes... */
    size_t burst; /* ... and how many tiles that is, whose input is brought into the cache together;
                     0: none */
    size_t units; /* tiles of a lane in a batch of aggregates */
    size_t most_groups; /* that stay on the device */
    bool unaligned; /* arrays may start anywhere, at no great cost */
    bool short_sums; /* sums within a tile fit 32 bits, signed, though values have more */
} clp_shape;

/* What a primitive asks the engine for. */
typedef struct clp_pass_need {
    const char *who; /* the primitive, for messages and, with "-few", "-small", "-lookahead" and,
                        where it looks_apart, "-lookback" behind it, for tuning lines */
    const char *tuning; /* the caller's knobs, or NULL */
    size_t element_bytes; /* by which tuning lines are chosen */
    size_t vec; /* elements of a lane's vector */
    size_t value_bytes; /* of the running value */
    size_t staged_bits; /* bits that an element takes in a stage of a ring; 0 without input */
    size_t kept_bits; /* the same in the ring as a whole */
    size_t ring_bytes; /* besides, whatever the tile */
    size_t stage_bytes; /* the same in each stage, beyond what one input takes */
    size_t simd; /* elements that the text can take at a time on a CPU; 0: one */
    size_t out_bytes; /* of an element of the output */
    bool looks_ahead;
    bool waits_for_all; /* a tile that never publishes would hang it */
    bool can_wave; /* its text has a look-back as a wave, which is the default for few elements */
    bool looks_apart; /* a look-back may have a sub-group of its own */
    bool bursts; /* many times more is written than read */
    bool small_too; /* a look-ahead has a look-back beside it for few elements */
    bool few_too; /* and its text has a wave for fewest, which a tuning line may ask for */
    bool unaligned_too; /* and another look-ahead for arrays that start anywhere */
    size_t max_n;
    /* Defaults that replace the engine's unless 0. */
    size_t rows; /* of one tile a group */
    size_t most_vec; /* where rows are put into one vector */
    size_t scanners, reducers, ring_vec, ring_rows, stages, units; /* of groups that stay */
} clp_pass_need;

/* Up to how many elements a pass's smaller kernels are used; 0: there is none. */
typedef struct clp_pass_sizes {
    size_t small, few;
} clp_pass_sizes;

/* Shapes from defaults, tuning and the need: for one tile a group (whose tuning lines bear that
 * name), and for groups that stay. */
clprims_status clp_shape_choose(const clprims_context *context, const clp_pass_need *need,
                                const char *name, const char *tuning, clp_shape *shape);
clprims_status clp_shape_choose_ring(const clprims_context *context, const clp_pass_need *need,
                                     clp_shape *shape, clp_pass_sizes *sizes);

/* Elements of a vector for these two sizes: 16 bytes of the wider type, or twice that when the
 * other is narrower. */
size_t clp_shape_vec(size_t a_bytes, size_t b_bytes);

static inline size_t clp_shape_tiles(size_t n, const clp_shape *shape) {
    return n / shape->tile + (n % shape->tile != 0);
}

/* 64-bit words of the state that a tile's published value takes. */
static inline size_t clp_shape_words(size_t value_bytes) {
    return (value_bytes + 3) / 4;
}

/* #define name(step) step(0) step(1) ...: loops that every compiler unrolls. */
void clp_text_add_each(clp_text *text, const char *name, size_t count);

/* The shape's macros, for a running value of that size; word_sums: tiles' aggregates are
 * sums of 32 bits. */
void clp_shape_add(clp_text *text, const clp_shape *shape, size_t value_bytes, bool word_sums);

/* The algorithm for whole numbers, whose order of addition does not matter: `wanted`, or for AUTO
 * the fastest that is known to be safe. */
clprims_status clp_pass_choose(const clprims_context *context, const char *who,
                               clprims_scan_algorithm wanted, clprims_scan_algorithm *chosen);

static inline bool clp_pass_can_look_ahead(const clprims_context *context) {
    return context->layer == CLPRIMS_LAYER_NVIDIA;
}

/* One kernel of the pass. */
typedef struct clp_pass_kernel {
    cl_program program;
    cl_kernel kernel;
    clp_shape shape;
} clp_pass_kernel;

/* Makes the program and the kernel of that shape (a look-ahead if it has stages), whatever happens
 * after; user: the primitive's plan. */
typedef clprims_status clp_pass_build(const void *user, const clp_shape *shape, cl_program *program,
                                      cl_kernel *kernel);

/* The name of the kernel in scan_lookahead.cl, scan_few.cl, scan_wave.cl or scan_lookback.cl. */
const char *clp_pass_scan_kernel(const clp_shape *shape);

/* All kernels share the state: a run's number is used once. */
typedef struct clp_pass {
    const clprims_context *context;
    const char *who;
    clp_pass_kernel main;
    clp_pass_kernel unaligned; /* of the main one's shape; may lack a kernel */
    clp_pass_kernel small, few; /* no kernel where the size is 0 */
    clp_pass_sizes sizes;
    size_t most_odd; /* of arrays that start anywhere, for the small kernel */
    cl_mem state;
    cl_mem tickets;
    size_t scratch_bytes;
    cl_uint run; /* the last one submitted */
} clp_pass;

/* Start from {0}. What was made, release gives back, whether this succeeded or not. */
clprims_status clp_pass_prepare(clp_pass *pass, const clprims_context *context,
                                const clp_pass_need *need, clp_pass_build *build, const void *user);
void clp_pass_release(clp_pass *pass);

/* One run's place in a queue. */
typedef struct clp_pass_run {
    cl_command_queue queue;
    size_t n; /* elements; 0 is one empty tile */
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} clp_pass_run;

/* Whether the elements start at another place than a multiple of 16 bytes. */
static inline bool clp_is_unaligned(clprims_buffer buffer, size_t element_bytes) {
    return buffer.first % 16 * element_bytes % 16 != 0;
}

enum { CLP_PASS_MOST_ARGUMENTS = 40 };

/* A run's number stands in 30 bits of each published word. */
enum { CLP_PASS_MOST_RUN = (1 << 30) - 1 };

/* Submits a run; the kernel gets the primitive's arguments, then state, tickets and the run's
 * number. unaligned: an array does not start at a multiple of 16 bytes. */
clprims_status clp_pass_enqueue_placed(clp_pass *pass, const clp_argument *arguments, size_t count,
                                       const clp_pass_run *run, bool unaligned);

static inline clprims_status clp_pass_enqueue(clp_pass *pass, const clp_argument *arguments,
                                              size_t count, const clp_pass_run *run) {
    return clp_pass_enqueue_placed(pass, arguments, count, run, false);
}

#endif
