/* SPDX-License-Identifier: MIT */
/* The variants: which kernel a plan launches is one of these values. Scan, offsets, select and
 * segmented share them; each has a table of the programs that it has for them. */
#ifndef CLP_VARIANTS_H
#define CLP_VARIANTS_H

#include <stdbool.h>

typedef enum clp_variant {
    CLP_SERIAL_TILE, /* one work-item a group; look-back */
    CLP_SERIAL_TILE_FALLBACK, /* the same; look-back with fallback */
    CLP_LOOKBACK, /* one tile a group; look-back */
    CLP_LOOKBACK_FALLBACK, /* the same; a missing predecessor is reduced by who needs it */
    CLP_SINGLE_WAVE, /* all groups are resident: each reads all predecessors at once */
    CLP_LOOKAHEAD, /* persistent groups whose sub-groups share a ring of stages */
    CLP_LOOKAHEAD_UNALIGNED, /* the same for arrays that start anywhere */
    CLP_LEVELS, /* reduce-then-scan: one tile a group, several launches */
    CLP_LEVELS_SERIAL, /* the same; one work-item a group */
    CLP_VARIANTS
} clp_variant;

/* Which member of clp_shape's union describes a variant's tiles. */
typedef enum clp_shape_kind { CLP_SHAPE_SERIAL, CLP_SHAPE_GROUP, CLP_SHAPE_RING } clp_shape_kind;

typedef struct clp_variant_traits {
    const char *name; /* for users */
    const char *key; /* behind the primitive's name, the key of its tuning lines */
    clp_shape_kind kind;
    bool needs_nvidia; /* the nvidia layer */
    bool falls_back; /* needs no progress of other groups */
    bool is_wave;
    bool by_levels; /* several launches, which need no progress and no 64-bit atomics */
    clp_variant serial; /* what takes its place where a group is one work-item */
} clp_variant_traits;

extern const clp_variant_traits clp_variants[CLP_VARIANTS];

/* A primitive's program for one variant; no kernel: it has none. */
typedef struct clp_variant_program {
    const char *kernel; /* of the levels: the last one that a run launches */
    const char *const *parts; /* files of cl/, NULL at the end */
} clp_variant_program;

#endif
