/* SPDX-License-Identifier: MIT */
/* Keys, as integers that compare as they do; tiles of segments. */
#define CLP_UNROLL _Pragma("unroll")
#define CLP_UNROLL_SOME _Pragma("unroll 8")
#define CLP_NO_UNROLL _Pragma("unroll 1")

typedef char clp_key_has_the_stated_size[sizeof(CLP_K) == CLP_K_BYTES ? 1 : -1];
#define CLP_TOP_BIT ((CLP_K)((CLP_K)1 << (8 * CLP_K_BYTES - 1)))

/* The unsigned integer that compares as the key does, its complement if descending. CLP_ORDER: 0
 * for unsigned keys, 1 for signed ones, 2 to 4 for clprims_sort_floats. */
CLP_INLINE CLP_K clp_ordered(CLP_K key) {
#if CLP_ORDER == 0
    const CLP_K ordered = key;
#elif CLP_ORDER == 1
    const CLP_K ordered = key ^ CLP_TOP_BIT;
#else
#if CLP_ORDER < 4
    const CLP_K zeroed = key == CLP_TOP_BIT ? 0 : key;
#else
    const CLP_K zeroed = key;
#endif
#if CLP_GROUP == 1
    /* On CPUs a branch on the sign of random numbers is mispredicted half of the time. */
    const CLP_K negative = (CLP_K)0 - (zeroed >> (8 * CLP_K_BYTES - 1));
    const CLP_K ordered = zeroed ^ (negative | CLP_TOP_BIT);
#else
    const CLP_K ordered = zeroed ^ ((zeroed & CLP_TOP_BIT) != 0 ? ~(CLP_K)0 : CLP_TOP_BIT);
#endif
#if CLP_ORDER == 2
    if ((CLP_K)(key & ~CLP_TOP_BIT) > CLP_INFINITY_BITS) return ~(CLP_K)0;
#endif
#endif
    return CLP_DESCENDING ? (CLP_K)~ordered : ordered;
}

#if CLP_ORDER == 0 || CLP_ORDER == 1 || CLP_ORDER == 4
#define CLP_INVERTS 1

/* The key that clp_ordered takes there: no two are taken alike. */
CLP_INLINE CLP_K clp_key_of_ordered(CLP_K ordered) {
    const CLP_K key = CLP_DESCENDING ? (CLP_K)~ordered : ordered;
#if CLP_ORDER == 0
    return key;
#elif CLP_ORDER == 1
    return key ^ CLP_TOP_BIT;
#else
    return key ^ ((key & CLP_TOP_BIT) != 0 ? CLP_TOP_BIT : ~(CLP_K)0);
#endif
}
#else
#define CLP_INVERTS 0
#endif

/* Whether an element comes before another one, by its ordered key and then by its index. */
CLP_INLINE bool clp_precedes(CLP_K key, ulong index, CLP_K other, ulong other_index) {
    return key < other || (key == other && index < other_index);
}

#ifdef CLP_BEGIN_BIT
/* What decides the order: the window of the key's ordered bits. */
CLP_INLINE CLP_K clp_compared(CLP_K key) {
#if CLP_BEGIN_BIT == CLP_END_BIT
    return 0;
#else
    const uint above = 8 * CLP_K_BYTES - CLP_END_BIT;
    return (CLP_K)((CLP_K)(clp_ordered(key) << above) >> (above + CLP_BEGIN_BIT));
#endif
}
#endif

/* ---- Tiles of segments ---- */

/* What segmented sort makes and onesweep takes is a uint4: x, y: the place of the tile's first key;
 * z: how many keys it has, and whether it is its segment's first tile; w: its segment, by the
 * order of the list of long ones. */
#define CLP_FIRST_TILE 0x80000000u

CLP_INLINE ulong clp_tile_begin(uint4 tile) {
    return (ulong)tile.y << 32 | tile.x;
}

CLP_INLINE uint clp_tile_keys(uint4 tile) {
    return tile.z & ~CLP_FIRST_TILE;
}
