/* SPDX-License-Identifier: MIT */
/* Items: an ordered key and the number of an element; no two are alike. How a team of work-items
 * sorts items in local memory; outside topk_teams.cl the whole work-group is the team. */
#if CLP_TEAMS
CLP_INLINE uint clp_topk_member(void) {
    return (uint)get_local_id(0) & (CLP_TEAM - 1);
}

CLP_INLINE void clp_topk_barrier(void) {
#if CLP_TEAM == CLP_SUBGROUP
    clp_subgroup_barrier();
#else
    clp_team_barrier((uint)get_local_id(0) / CLP_TEAM, CLP_TEAM);
#endif
}
#define CLP_TOPK_BARRIER clp_topk_barrier()
#else
#define CLP_TEAM CLP_GROUP

CLP_INLINE uint clp_topk_member(void) {
    return (uint)get_local_id(0);
}
#if CLP_GROUP == 1
#define CLP_TOPK_BARRIER ((void)0)
#else
#define CLP_TOPK_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif
#endif

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

/* Sorts items of a team, or of a work-group, by a bitonic network, whose blocks begin from both
 * ends. There is room for a power of two of items; what fills it comes behind them. */
CLP_INLINE void clp_items_sort(local clp_item *items, uint held) {
    uint count = 2;
    while (count < held) count *= 2;
    CLP_NO_UNROLL
    for (uint at = held + clp_topk_member(); at < count; at += CLP_TEAM) {
        items[at] = clp_item_last();
    }
    CLP_NO_UNROLL
    for (uint size = 2; size <= count; size *= 2) {
        CLP_NO_UNROLL
        for (uint distance = size / 2; distance > 0; distance /= 2) {
            CLP_TOPK_BARRIER; /* items, written by the step before, read below */
            CLP_NO_UNROLL
            for (uint pair = clp_topk_member(); pair < count / 2; pair += CLP_TEAM) {
                const uint low = 2 * pair - (pair & (distance - 1));
                const uint high = distance == size / 2 ? low ^ (size - 1) : low + distance;
                const clp_item a = items[low], b = items[high];
                if (!clp_item_precedes(b, a)) continue;
                items[low] = b;
                items[high] = a;
            }
        }
    }
    CLP_TOPK_BARRIER; /* items, written above, read behind */
}
