/* SPDX-License-Identifier: MIT */
/* The shapes of a single pass's tiles: what a primitive needs, and what is chosen for it. */
#ifndef CLP_PASS_SHAPE_H
#define CLP_PASS_SHAPE_H

#include "core/text.h"

/* A run's number stands in 30 bits of each published word. */
enum { CLP_PASS_MOST_RUN = (1 << 30) - 1 };

/* How the elements are dealt to work-items; see cl/tile/tile.cl and cl/engine/lookahead.cl. */
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
    size_t alone_n; /* up to so many elements are taken by one work-item at once */
    bool wave; /* each group looks at all tiles before its own at once */
    bool few; /* a wave of groups that take hardly longer than their launch */
    size_t mute, late, first_run; /* test_hooks.h */
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

/* Local memory of a group whose work-items exchange values of that size there, and what little a
 * kernel has besides. */
static inline size_t clp_exchange_bytes(const clp_shape *shape, size_t value_bytes) {
    enum { BESIDES = 1024 };
    return shape->group * value_bytes + BESIDES;
}

/* 64-bit words of the state that a tile's published value takes. */
static inline size_t clp_shape_words(size_t value_bytes) {
    return (value_bytes + 3) / 4;
}

/* The shape's macros, for a running value of that size; word_sums: tiles' aggregates are
 * sums of 32 bits. */
void clp_shape_add(clp_text *text, const clp_shape *shape, size_t value_bytes, bool word_sums);

#endif
