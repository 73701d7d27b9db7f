/* SPDX-License-Identifier: MIT */
/*
 * Keys that the caller's expressions make of elements, which the sort then takes for its own; and
 * what the sort moved the indices for alone, put in order by these: large elements, and with
 * several keys all that moves. Segmented sort and top-k take one key: they get the bits of several
 * keys in one integer, or where 64 bits are too few the rank of each element in a sort by all keys.
 * A work-item takes CLP_EACH adjacent elements: on GPUs one, on CPUs so many that a launch stays
 * small, since PoCL compiles a kernel again for its first launch of 2^16 work-items.
 */
typedef char clp_element_has_the_stated_size[sizeof(CLP_E) == CLP_E_BYTES ? 1 : -1];

#define CLP_N_PARAMETERS ulong most CLP_COUNT_PARAMETERS

/* The first of the work-item's elements, and the one behind its last; none where the count is
 * refused, which the sort reports. */
#define CLP_BEGIN (get_global_id(0) * CLP_EACH)
#define CLP_END clp_end(most, counted, counted_first)
static inline ulong clp_end(ulong most, const global ulong *counted, ulong counted_first) {
    const ulong n = clp_read_count(most, counted, counted_first, 0);
    return n == CLP_REFUSED ? 0 : min(n, CLP_BEGIN + CLP_EACH);
}

#if CLP_HAS_ORDER
#define CLP_ORDER_PARAMETERS const global CLP_INDEX *order, ulong order_first
/* The index of the element that comes as number i; order: NULL where all stay. */
static inline ulong clp_index_of(CLP_ORDER_PARAMETERS, ulong i) {
    return order != 0 ? (ulong)order[order_first + i] : i;
}
#endif

/* A macro because keys have different types. */
#define CLP_KEY_OF(k, x, i) clp_users_key##k(x, i CLP_USER_PASSED)

#if CLP_IS_PACKED
/* The integer of `width` bits that compares as a key of these bits does. order: CLP_ORDER of
 * sort_keys.cl, which has the same for one type. */
CLP_INLINE ulong clp_ordered_bits(ulong bits, uint width, uint order) {
    const ulong top = 1ul << (width - 1), all = top | (top - 1);
    const ulong infinity = width == 64 ? 0x7ff0000000000000ul : 0x7f800000ul;
    const ulong key = bits == top && (order == 2 || order == 3) ? 0 : bits;
    ulong ordered = key;
    if (order == 2 && (key & ~top) > infinity) return all;
    if (order == 1 || (order > 1 && (key & top) == 0)) ordered = key ^ top;
    if (order > 1 && (key & top) != 0) ordered = key ^ all;
    return CLP_DESCENDING ? ordered ^ all : ordered;
}

/* Appends the window of `count` bits from bit `begin` on of the key's ordered bits. */
CLP_INLINE ulong clp_pack(ulong packed, ulong bits, uint width, uint order, uint begin,
                          uint count) {
    const ulong window = clp_ordered_bits(bits, width, order) >> begin & (~0ul >> (64 - count));
    return packed << count | window;
}

#define CLP_ONE_KEY(x, i) (CLP_MADE) CLP_PACKED(x, i)
#else
#define CLP_ONE_KEY(x, i) CLP_KEY_OF(0, x, i)
#endif

#if CLP_KEYS == 1 || CLP_IS_PACKED
CLP_KERNEL(CLP_GROUP)
void clp_sort_make(const global CLP_E *elements, ulong first, CLP_N_PARAMETERS,
                   global CLP_MADE *made CLP_USER_PARAMETERS) {
    const ulong end = CLP_END;
    CLP_USER_KEPT
    for (ulong i = CLP_BEGIN; i < end; i++) made[i] = CLP_ONE_KEY(elements[first + i], i);
}
#else
/* Keys number `key` of elements in the order that the keys behind it have made; and a copy of that
 * order, which a sort by these keys moves. A macro because keys have different types. */
#define CLP_STORE_KEY(k)                                                                           \
    if (key == k) ((global clp_made##k *)made)[i] = CLP_KEY_OF(k, elements[first + index], index);
CLP_KERNEL(CLP_GROUP)
void clp_sort_make(const global CLP_E *elements, ulong first, CLP_N_PARAMETERS, uint key,
                   CLP_ORDER_PARAMETERS, global CLP_INDEX *before,
                   global void *made CLP_USER_PARAMETERS) {
    const ulong end = CLP_END;
    CLP_USER_KEPT
    for (ulong i = CLP_BEGIN; i < end; i++) {
        const ulong index = clp_index_of(order, order_first, i);
        before[i] = (CLP_INDEX)index;
        CLP_EACH_KEY(CLP_STORE_KEY)
    }
}
#endif

#if CLP_HAS_RANKS
/* The inverse of the order of all keys. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_rank(CLP_N_PARAMETERS, const global CLP_INDEX *order, global CLP_MADE *ranks) {
    const ulong end = CLP_END;
    for (ulong i = CLP_BEGIN; i < end; i++) ranks[order[i]] = (CLP_MADE)i;
}
#endif

#if CLP_MOVED > 0
/* Macros because the arrays have different types, as in sort.cl. */
#define CLP_MOVED_PARAMETERS(k)                                                                    \
    , const global clp_moved##k *in##k, ulong in_first##k, global clp_moved##k *out##k,            \
        ulong out_first##k
#define CLP_MOVE(k) out##k[out_first##k + i] = in##k[in_first##k + index];
/* By their order; and, in place, from where all were gathered. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_gather(CLP_N_PARAMETERS, CLP_ORDER_PARAMETERS CLP_EACH_MOVED(CLP_MOVED_PARAMETERS)) {
    const ulong end = CLP_END;
    for (ulong i = CLP_BEGIN; i < end; i++) {
        const ulong index = clp_index_of(order, order_first, i);
        CLP_EACH_MOVED(CLP_MOVE)
    }
}
#endif
