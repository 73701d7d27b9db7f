/* SPDX-License-Identifier: MIT */
/* Items: an ordered key and the number of an element; no two are alike. */
#define CLP_LAST_INDEX ((CLP_COUNT) ~(CLP_COUNT)1) /* of no element */

#if CLP_PACKED
typedef ulong clp_item; /* the key above the index */

CLP_INLINE clp_item clp_item_of(CLP_K key, ulong index) {
    return (ulong)key << 32 | index;
}

CLP_INLINE bool clp_item_precedes(clp_item a, clp_item b) {
    return a < b;
}

CLP_INLINE CLP_K clp_item_key(clp_item item) {
    return (CLP_K)(item >> 32);
}

CLP_INLINE ulong clp_item_index(clp_item item) {
    return (uint)item;
}
#else
typedef struct clp_item {
    CLP_K key;
    CLP_COUNT index;
} clp_item;

CLP_INLINE clp_item clp_item_of(CLP_K key, ulong index) {
    const clp_item item = {key, (CLP_COUNT)index};
    return item;
}

CLP_INLINE bool clp_item_precedes(clp_item a, clp_item b) {
    return clp_precedes(a.key, a.index, b.key, b.index);
}

CLP_INLINE CLP_K clp_item_key(clp_item item) {
    return item.key;
}

CLP_INLINE ulong clp_item_index(clp_item item) {
    return item.index;
}
#endif

/* The last of all items. */
CLP_INLINE clp_item clp_item_last(void) {
    return clp_item_of(~(CLP_K)0, ~(CLP_COUNT)0);
}
