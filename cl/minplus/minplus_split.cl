/* SPDX-License-Identifier: MIT */
/*
 * k dealt to crews: with CLP_SPLIT > 1 a group has so many crews of work-items, each of which folds
 * its own share of every slab into cells of its own, for the whole tile. minplus_split_reduce.cl
 * joins them at the end. Where a product has too few tiles to fill the device, that is where more
 * work-items come from.
 */
#ifndef CLP_SPLIT
#error "minplus_split.cl: CLP_SPLIT, the crews of a group, is not set by the prelude"
#endif

#if CLP_SPLIT > 1
#define CLP_SLICE_GROUP (CLP_GROUP / CLP_SPLIT) /* work-items */
#define CLP_SHARE (CLP_DEPTH / CLP_SPLIT) /* k of a slab */
#define CLP_ITEM_IN_SLICE ((uint)get_local_id(0) % CLP_SLICE_GROUP)
#define CLP_OWN_SLICE ((uint)get_local_id(0) / CLP_SLICE_GROUP)
#define CLP_FIRST_SHARED (CLP_OWN_SLICE * CLP_SHARE)
/* Of `count` k that are there of a slab, those of the crew's share. */
#define CLP_SHARE_OF(count) min(count - min(count, CLP_FIRST_SHARED), (uint)CLP_SHARE)
/* Elements of local memory: two slabs, or what all crews but the first leave of their cells. */
#define CLP_PARTIAL_CELLS ((CLP_SPLIT - 1) * CLP_TILE_ROWS * CLP_TILE_COLUMNS)
#define CLP_LEFT_ROOM                                                                              \
    (CLP_ARGMIN && CLP_PARTIAL_CELLS > 2 * CLP_LEFT_SLAB ? CLP_PARTIAL_CELLS : 2 * CLP_LEFT_SLAB)
#define CLP_RIGHT_ROOM                                                                             \
    (CLP_PARTIAL_CELLS > 2 * CLP_RIGHT_SLAB ? CLP_PARTIAL_CELLS : 2 * CLP_RIGHT_SLAB)
#else
#define CLP_SHARE CLP_DEPTH
#define CLP_ITEM_IN_SLICE ((uint)get_local_id(0))
#define CLP_FIRST_SHARED 0
#define CLP_SHARE_OF(count) (count)
#define CLP_LEFT_ROOM (2 * CLP_LEFT_SLAB)
#define CLP_RIGHT_ROOM (2 * CLP_RIGHT_SLAB)
#endif
