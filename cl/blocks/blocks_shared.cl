/* SPDX-License-Identifier: MIT */
/*
 * Blocks for the caller's kernels: what stands once in a text, behind the device layer. The host
 * (src/blocks/blocks_text.c) renames clp_ to clprims_ there, and to clprims_NAME_ in what follows
 * for each block:
 *
 *   types.cl, sort_sums.cl, sort_keys.cl, lookback.cl   as in the library's own programs
 *   blocks_padding.cl    what lookback.cl stands on
 *   blocks_room.cl       a block's local memory, sums of counts over the work-group
 *   blocks_lanes.cl      functions of a sub-group
 *   blocks_group.cl      reductions and scans of a work-group
 *   blocks_tile.cl       loads, stores, exchanges, compaction, histograms
 *   blocks_sort.cl       ranks and sorts
 *   blocks_look_back.cl  prefixes over work-groups
 *
 * Functions of the caller take a block's room and end with a barrier if they read from it, so that
 * the room may be used again at once; include/clprims/blocks.h says what they do. The functions
 * that they are made of leave this barrier to them.
 */
#define CLP_LOCAL(name) clp_##name##_local
/* A count that says that all elements are real. */
#define CLP_WHOLE (~0u)
#define CLP_SUBGROUPS (CLP_GROUP / CLP_SUBGROUP)
