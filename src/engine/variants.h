/* SPDX-License-Identifier: MIT */
/* The variants: which kernel a plan launches is one of these values. Scan, offsets, select and
 * segmented share them; each has a table of the programs that it has for them. */
#ifndef CLP_VARIANTS_H
#define CLP_VARIANTS_H

#include "core/program.h"

#include <stdbool.h>

typedef enum clp_variant {
    CLP_SERIAL_TILE, /* one work-item a group; look-back */
    CLP_SERIAL_TILE_FALLBACK, /* one work-item a group; look-back with fallback */
    CLP_LOOKBACK, /* one tile a group; look-back */
    CLP_LOOKBACK_FALLBACK, /* one tile a group; whoever misses a predecessor reduces it */
    CLP_SINGLE_WAVE, /* one tile a group, all resident: each reads all predecessors at once */
    CLP_SINGLE_WAVE_SMALL, /* single wave in less code, for the shortest arrays */
    CLP_LOOKAHEAD, /* persistent groups whose sub-groups share a ring of stages */
    CLP_LEVELS, /* reduce-then-scan: one tile a group, several launches */
    CLP_LEVELS_SERIAL, /* reduce-then-scan: one work-item a group */
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
    clp_variant serial; /* the variant in its place where a work-group is one work-item */
} clp_variant_traits;

extern const clp_variant_traits clp_variants[CLP_VARIANTS];

/* A primitive's program for one variant; kernel NULL: the primitive lacks the variant. */
typedef struct clp_variant_program {
    const char *kernel;
    const clp_part *parts; /* files of cl/, NULL at the end */
} clp_variant_program;

/* The files of a scan's programs behind the primitive's own. */
#define CLP_LOOKBACK_PARTS                                                                         \
    &clp_tile_cl, &clp_group_scan_cl, &clp_lookback_cl, &clp_lookback_kernel_cl
#define CLP_WAVE_PARTS(kernel)                                                                     \
    &clp_tile_cl, &clp_group_scan_cl, &clp_lookback_cl, &clp_single_wave_tile_cl, kernel
#define CLP_LOOKAHEAD_PARTS                                                                        \
    &clp_unaligned_cl, &clp_tile_cl, &clp_lookback_cl, &clp_lookahead_cl, &clp_lookahead_sums_cl,  \
        &clp_lookahead_kernel_cl
#define CLP_LEVELS_PARTS                                                                           \
    &clp_tile_cl, &clp_group_scan_cl, &clp_levels_cl, &clp_lookback_kernel_cl, &clp_level_sums_cl
#define CLP_LEVELS_SERIAL_PARTS                                                                    \
    &clp_tile_serial_cl, &clp_levels_cl, &clp_lookback_serial_cl, &clp_level_sums_cl

/* The programs of scan and offsets, of their lists of files. */
#define CLP_SCAN_PROGRAMS(serial, lookback, wave, lookahead, levels, levels_serial)                \
    [CLP_SERIAL_TILE] = {"clp_scan_serial", serial},                                               \
    [CLP_SERIAL_TILE_FALLBACK] = {"clp_scan_serial", serial},                                      \
    [CLP_LOOKBACK] = {"clp_scan_lookback", lookback},                                              \
    [CLP_LOOKBACK_FALLBACK] = {"clp_scan_lookback", lookback},                                     \
    [CLP_SINGLE_WAVE] = {"clp_scan_single_wave", wave},                                            \
    [CLP_LOOKAHEAD] = {"clp_scan_lookahead", lookahead},                                           \
    [CLP_LEVELS] = {"clp_scan_lookback", levels},                                                  \
    [CLP_LEVELS_SERIAL] = {"clp_scan_serial", levels_serial}

#endif
