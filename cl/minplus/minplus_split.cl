/* SPDX-License-Identifier: MIT */
/*
 * Split-k: with CLP_SPLIT > 1 the work-items of a work-group form CLP_SPLIT slices. Each slice
 * folds its share of every slab into its own cells, for the whole tile; minplus_split_reduce.cl
 * combines the slices at the end. This gives more work-items to a product whose tiles are too few
 * to fill the device. Slices belong to one work-group, so no work-group waits for another.
 */

#if CLP_SPLIT > 1
#define CLP_SLICE_GROUP (CLP_GROUP / CLP_SPLIT) /* work-items */
#define CLP_SHARE (CLP_DEPTH / CLP_SPLIT) /* k of a slab */
#define CLP_ITEM_IN_SLICE ((uint)get_local_id(0) % CLP_SLICE_GROUP)
#define CLP_OWN_SLICE ((uint)get_local_id(0) / CLP_SLICE_GROUP)
#define CLP_FIRST_SHARED (CLP_OWN_SLICE * CLP_SHARE)
/* Elements of local memory: two slabs, or the partial cells of all slices but the first */
#define CLP_PARTIAL_CELLS ((CLP_SPLIT - 1) * CLP_TILE_ROWS * CLP_TILE_COLUMNS)
#define CLP_LEFT_ROOM                                                                              \
    (CLP_ARGMIN && CLP_PARTIAL_CELLS > 2 * CLP_LEFT_SLAB ? CLP_PARTIAL_CELLS : 2 * CLP_LEFT_SLAB)
#define CLP_RIGHT_ROOM                                                                             \
    (CLP_PARTIAL_CELLS > 2 * CLP_RIGHT_SLAB ? CLP_PARTIAL_CELLS : 2 * CLP_RIGHT_SLAB)
#else
#define CLP_SHARE CLP_DEPTH
#define CLP_ITEM_IN_SLICE ((uint)get_local_id(0))
#define CLP_OWN_SLICE 0
#define CLP_FIRST_SHARED 0
#define CLP_LEFT_ROOM (2 * CLP_LEFT_SLAB)
#define CLP_RIGHT_ROOM (2 * CLP_RIGHT_SLAB)
#endif

/* Returns the number of k in this slice's share, of a slab with `count` valid k. */
static inline uint clp_share_of(uint count) {
    return CLP_SPLIT > 1 ? min(count - min(count, (uint)CLP_FIRST_SHARED), (uint)CLP_SHARE) : count;
}
