/* SPDX-License-Identifier: MIT */
/* The shapes of a single pass's tiles: what a primitive needs, and what is chosen for it. */
#ifndef CLP_PASS_SHAPE_H
#define CLP_PASS_SHAPE_H

#include "core/context.h"
#include "core/text.h"
#include "engine/variants.h"

/* One work-item a group: cl/tile/tile_serial.cl. */
typedef struct clp_serial_shape {
    size_t spins; /* polls before a fallback */
    size_t simd; /* elements taken at a time */
    size_t ahead; /* tiles from a core's own to its next; 0: no cache to fetch it into */
    size_t stream_n; /* the least n whose output bypasses the caches */
    size_t single_n; /* the largest n that one work-item scans alone */
} clp_serial_shape;

/* One tile a group: cl/tile/tile.cl. */
typedef struct clp_group_shape {
    size_t window; /* predecessors that a look-back observes together */
    size_t spins; /* polls before a fallback */
} clp_group_shape;

/* Persistent groups: cl/engine/lookahead.cl. */
typedef struct clp_ring_shape {
    size_t scanners; /* sub-groups */
    size_t reducers; /* sub-groups */
    size_t loaders; /* sub-groups */
    bool freed_early; /* scanners free a stage before its tile's prefix is known */
    size_t stages;
    size_t burst_kb; /* bytes that a block of tiles reads and writes, in KB */
    size_t burst; /* tiles of a block, which are prefetched together; 0: none */
    size_t units; /* tiles of a lane in a batch of aggregates */
    size_t most_groups; /* resident work-groups */
    bool short_sums; /* sums within a tile fit a signed 32-bit word; values are wider */
} clp_ring_shape;

/* A variant's tiles: which elements each work-item takes. */
typedef struct clp_shape {
    clp_variant variant;
    size_t group; /* work-items of a work-group */
    size_t rows;
    size_t vec; /* elements of a lane's vector */
    size_t tile; /* elements */
    size_t capability; /* compute capability whose instructions are used; 0 unless NVIDIA's */
    union {
        clp_serial_shape serial;
        clp_group_shape grouped;
        clp_ring_shape ring;
    }; /* clp_shape_kind_of says which member */
} clp_shape;

static inline clp_shape_kind clp_shape_kind_of(const clp_shape *shape) {
    return clp_variants[shape->variant].kind;
}

static inline bool clp_shape_is_ring(const clp_shape *shape) {
    return clp_shape_kind_of(shape) == CLP_SHAPE_RING;
}

static inline bool clp_shape_is_serial(const clp_shape *shape) {
    return clp_shape_kind_of(shape) == CLP_SHAPE_SERIAL;
}

/* Elements of a CPU's vector that the program takes at a time; 1: no vector. */
static inline size_t clp_shape_simd(const clp_shape *shape) {
    return clp_shape_is_serial(shape) ? shape->serial.simd : 1;
}

/* Adds the macros of the shape's program, except the device's. user: the need's. */
typedef clprims_status clp_pass_prelude(const clprims_context *context, const void *user,
                                        const clp_shape *shape, clp_text *prelude);

/* What a primitive asks of a look-ahead's ring in local memory. 0: the engine's default. */
typedef struct clp_ring_need {
    size_t kept_bits; /* bits that an element takes in the ring as a whole, beside the stages */
    size_t bytes; /* of the ring, whatever the tile */
    size_t stage_bytes; /* of each stage, beyond the staged elements and one region's rounding */
    bool bursts; /* the output is many times as large as the input */
    size_t scanners, reducers; /* sub-groups */
    size_t rows, vec; /* of a scanner's part of a tile */
    size_t stages;
    size_t units; /* tiles of a lane in a batch of aggregates */
} clp_ring_need;

/* What a primitive asks the engine for. */
typedef struct clp_pass_need {
    const char *who; /* the primitive, for messages and, before a variant's key, tuning lines */
    const clp_variant_program *programs; /* one for each variant */
    clp_pass_prelude *prelude;
    const void *user;
    clprims_algorithm algorithm; /* never AUTO */
    bool is_auto; /* the caller left it open: short arrays may get other variants */
    const char *tuning; /* the caller's knobs, or NULL */
    size_t element_bytes; /* by which tuning lines are chosen */
    size_t vec; /* elements of a lane's vector */
    size_t value_bytes; /* of the running value */
    size_t staged_bits; /* bits that all inputs have of an element; 0 without input */
    size_t simd; /* elements that the text can take at a time on a CPU; 0: one */
    size_t out_bytes; /* of an element of the output */
    bool commutes; /* operands may change places, and the identity is known, as a small single wave
                      needs */
    size_t max_n;
    size_t group; /* work-items of a tile, where each group takes one; 0: the engine's default */
    size_t rows; /* of a tile, where each group takes one; 0: the engine's default */
    bool packs_rows; /* one scan takes four rows: they are not joined to one in the local layer */
    clp_ring_need ring;
} clp_pass_need;

/* The number of elements up to which a look-ahead's plan takes each single wave; 0: never. */
typedef struct clp_wave_sizes {
    size_t wave, small;
} clp_wave_sizes;

/* The variant and the tiles of a plan that wishes for that variant, from defaults, tuning and the
 * need: knobs may ask for one work-item a group, or for a single wave, or for none. */
clprims_status clp_shape_choose(const clprims_context *context, const clp_pass_need *need,
                                clp_variant wish, const char *tuning, clp_shape *shape);
clprims_status clp_shape_choose_ring(const clprims_context *context, const clp_pass_need *need,
                                     clp_shape *shape, clp_wave_sizes *sizes);

/* Whether the primitive has that variant and the context can run it. */
static inline bool clp_variant_is_there(const clprims_context *context, const clp_pass_need *need,
                                        clp_variant variant) {
    return need->programs[variant].kernel != NULL &&
           (!clp_variants[variant].needs_nvidia || context->layer == CLPRIMS_LAYER_NVIDIA);
}

/* Elements of a lane's vector for an input and an output of these sizes: 16 bytes of the wider
 * type, or 32 where the other is narrower, so that its accesses are longer.
 */
size_t clp_shape_vec(size_t a_bytes, size_t b_bytes);

static inline size_t clp_shape_tiles(size_t n, const clp_shape *shape) {
    return n / shape->tile + (n % shape->tile != 0);
}

/* Local memory of a work-group whose work-items exchange values of that size there, twice, with 3
 * KB for what else a kernel has. */
static inline size_t clp_exchange_bytes(const clp_shape *shape, size_t value_bytes) {
    enum { BESIDES = 3 << 10 };
    return 2 * shape->group * value_bytes + BESIDES;
}

/* 64-bit words of the state that a tile's published value takes. */
static inline size_t clp_shape_words(size_t value_bytes) {
    return (value_bytes + 3) / 4;
}

/* The shape's macros, for a running value of that size; word_sums: tiles' aggregates are
 * sums of 32 bits. */
void clp_shape_add(clp_text *text, const clp_shape *shape, size_t value_bytes, bool word_sums);

#endif
