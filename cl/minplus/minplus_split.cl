/* SPDX-License-Identifier: MIT */
/*
 * k dealt to crews: with CLP_SPLIT > 1 a group has so many crews of work-items, each of which folds
 * its own share of every slab into cells of its own, for the whole tile. minplus_join.cl joins them
 * at the end. Where a product has too few tiles to fill the device, that is where more work-items
 * come from.
 */

#if CLP_SPLIT > 1
#define CLP_CREW (CLP_GROUP / CLP_SPLIT) /* work-items */
#define CLP_SHARE (CLP_DEPTH / CLP_SPLIT) /* k of a slab */
#define CLP_SELF_IN_CREW ((uint)get_local_id(0) % CLP_CREW)
#define CLP_OWN_CREW ((uint)get_local_id(0) / CLP_CREW)
#define CLP_FIRST_SHARED (CLP_OWN_CREW * CLP_SHARE)
/* Of `count` k that are there of a slab, those of the crew's share. */
#define CLP_SHARE_OF(count) min(count - min(count, CLP_FIRST_SHARED), (uint)CLP_SHARE)
/* Elements of local memory: two slabs, or what all crews but the first leave of their cells. */
#define CLP_LEFT_BEHIND ((CLP_SPLIT - 1) * CLP_TILE_ROWS * CLP_TILE_COLUMNS)
#define CLP_LEFT_ROOM                                                                              \
    (CLP_ARGMIN && CLP_LEFT_BEHIND > 2 * CLP_LEFT_SLAB ? CLP_LEFT_BEHIND : 2 * CLP_LEFT_SLAB)
#define CLP_RIGHT_ROOM (CLP_LEFT_BEHIND > 2 * CLP_RIGHT_SLAB ? CLP_LEFT_BEHIND : 2 * CLP_RIGHT_SLAB)
#else
#define CLP_SHARE CLP_DEPTH
#define CLP_SELF_IN_CREW ((uint)get_local_id(0))
#define CLP_FIRST_SHARED 0
#define CLP_SHARE_OF(count) (count)
#define CLP_LEFT_ROOM (2 * CLP_LEFT_SLAB)
#define CLP_RIGHT_ROOM (2 * CLP_RIGHT_SLAB)
#endif
