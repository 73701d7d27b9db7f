/* SPDX-License-Identifier: MIT */
/*
 * The first elements of a list, by one work-group. The range of what is compared is cut into bins,
 * of which elements are counted; the bin in which the k-th element is becomes the next range, until
 * few elements more than k are up to its end. Where keys and indices are two integers, the range is
 * one of keys, and then one of the indices of those with the k-th key. What is left is sorted by
 * merges, in which each element finds its place by a search among the elements of the other run.
 */
#define CLP_BINS 1024
#define CLP_BINS_TOGETHER 32 /* summed by one work-item */

#if CLP_GROUP == 1
#define CLP_TOPK_BARRIER ((void)0)
#else
#define CLP_TOPK_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* What items are found in. words: NULL for all n elements, else `count` items, packed or by their
 * indices. flips: bits of each word. */
typedef struct clp_source {
    const global CLP_K *in;
    const global ulong *words;
    ulong n, count, flips;
} clp_source;

/* Item `at`; behind all others where a word has the index of no element. */
CLP_INLINE clp_item clp_source_item(const clp_source *source, ulong at) {
    if (CLP_PACKED && source->words != 0) {
        const ulong word = source->words[at] ^ source->flips;
        return clp_item_of((CLP_K)(word >> 32), (uint)word);
    }
    const ulong index = source->words != 0 ? source->words[at] ^ source->flips : at;
    if (index >= source->n) return clp_item_of(~(CLP_K)0, CLP_LAST_INDEX);
    return clp_item_of(clp_ordered(source->in[index]), index);
}

/* ---- The limit ---- */

/* What is compared, from `low` to `high`: items or keys, or indices of the items with a key. */
typedef struct clp_range {
    ulong low, high, key;
    bool of_index;
} clp_range;

typedef union clp_topk_space {
    clp_item items[CLP_SPACE]; /* two copies of the result, or one of each work-item */
    ulong2 bounds[CLP_GROUP]; /* the least and the greatest that a work-item has */
} clp_topk_space;

typedef struct clp_topk_shared {
    clp_topk_space space;
    uint bins[CLP_BINS];
    ulong sums[CLP_BINS / CLP_BINS_TOGETHER];
    ulong left; /* the rank in the bin */
    uint bin;
    uint word; /* what one work-item says to all, or a count */
} clp_topk_shared;

CLP_INLINE ulong clp_topk_compared(clp_item item, bool of_index) {
#if CLP_PACKED
    return item;
#else
    return of_index ? item.index : item.key;
#endif
}

/* Sets the range to one which the first `rank` items are in. Where each work-item has one or more
 * and these are enough, the greatest of their least is its end. */
CLP_INLINE void clp_topk_bounds(local clp_topk_shared *shared, const clp_source *source, ulong rank,
                                clp_range *range) {
    const uint lane = (uint)get_local_id(0);
    local ulong2 *bounds = shared->space.bounds;
    ulong2 own;
    own.x = ~0ul;
    own.y = 0;
    for (ulong at = lane; at < source->count; at += CLP_GROUP) {
        const ulong one = clp_topk_compared(clp_source_item(source, at), false);
        own.x = min(own.x, one);
        own.y = max(own.y, one);
    }
    if (rank <= min(source->count, (ulong)CLP_GROUP) && lane < source->count) own.y = own.x;
    bounds[lane] = own;
    CLP_TOPK_BARRIER; /* bounds, written above, read below */
    for (uint apart = CLP_GROUP / 2; apart > 0; apart /= 2) {
        if (lane < apart) {
            bounds[lane].x = min(bounds[lane].x, bounds[lane + apart].x);
            bounds[lane].y = max(bounds[lane].y, bounds[lane + apart].y);
        }
        CLP_TOPK_BARRIER; /* bounds, written above, read by the next round or below */
    }
    range->low = bounds[0].x;
    range->high = bounds[0].y;
}

/* Finds the bin in which the item with that rank is. */
CLP_INLINE void clp_topk_find_bin(local clp_topk_shared *shared, ulong rank) {
    const uint lane = (uint)get_local_id(0), sums = CLP_BINS / CLP_BINS_TOGETHER;
    for (uint i = lane; i < sums; i += CLP_GROUP) {
        ulong sum = 0;
        for (uint j = 0; j < CLP_BINS_TOGETHER; j++) { /* each work-item another bank */
            sum += shared->bins[i * CLP_BINS_TOGETHER + (i + j) % CLP_BINS_TOGETHER];
        }
        shared->sums[i] = sum;
    }
    CLP_TOPK_BARRIER; /* sums, written above, read below */
    if (lane == 0) {
        uint bin = 0;
        while (bin < sums - 1 && shared->sums[bin] < rank) rank -= shared->sums[bin++];
        bin *= CLP_BINS_TOGETHER;
        while (bin < CLP_BINS - 1 && shared->bins[bin] < rank) rank -= shared->bins[bin++];
        shared->bin = bin;
        shared->left = rank;
    }
    CLP_TOPK_BARRIER; /* bin and left, written above, read behind */
}

CLP_INLINE void clp_topk_count(local clp_topk_shared *shared, const clp_source *source,
                               const clp_range *range, uint shift) {
    const uint lane = (uint)get_local_id(0);
    for (uint b = lane; b < CLP_BINS; b += CLP_GROUP) shared->bins[b] = 0;
    CLP_TOPK_BARRIER; /* bins, cleared above, added to below */
    for (ulong at = lane; at < source->count; at += CLP_GROUP) {
        const clp_item item = clp_source_item(source, at);
        const ulong one = clp_topk_compared(item, range->of_index);
        if (one < range->low || one > range->high) continue;
        if (range->of_index && clp_item_key(item) != range->key) continue;
        local uint *bin = &shared->bins[(one - range->low) >> shift];
        if (sizeof(CLP_COUNT) > 4 && *bin >= 1u << 31) continue; /* enough for each rank */
        atomic_inc(bin); /* with the group's others */
    }
    CLP_TOPK_BARRIER; /* bins, added to above, read behind */
}

/* An item that at least `rank` items are up to, and at most `more` others; any of no items. */
CLP_INLINE clp_item clp_topk_limit(local clp_topk_shared *shared, const clp_source *source,
                                   ulong rank, ulong more) {
    clp_range range = {0, 0, 0, false};
    clp_topk_bounds(shared, source, rank, &range);
    for (;;) {
        const ulong width = range.high - range.low;
        const uint shift = width < CLP_BINS ? 0 : 64 - 10 - (uint)clz(width);
        clp_topk_count(shared, source, &range, shift);
        clp_topk_find_bin(shared, rank);
        const uint bin = shared->bin;
        const bool is_last = shift == 0 && (CLP_PACKED || range.of_index);
        const bool is_found = is_last || shared->bins[bin] - shared->left <= more;
        range.low += (ulong)bin << shift;
        range.high = range.low + min(range.high - range.low, (1ul << shift) - 1);
        rank = shared->left;
        CLP_TOPK_BARRIER; /* bins, bin and left, read above, written by the next round or behind */
        if (is_found) break;
        if (shift == 0) {
            range.key = range.low;
            range.of_index = true;
            range.low = 0;
            range.high = source->n;
        }
    }
#if CLP_PACKED
    return range.high;
#else
    return range.of_index ? clp_item_of((CLP_K)range.key, range.high)
                          : clp_item_of((CLP_K)range.high, ~(CLP_COUNT)0);
#endif
}

#if CLP_SORTED > 0
/* ---- The result ---- */

#define CLP_BASE_RUN 32 /* items, which are compared with each other */

/* The number of items in front of one, of a sorted run. */
CLP_INLINE uint clp_topk_search(const local clp_item *run, uint count, clp_item item) {
    uint low = 0;
    while (low < count) {
        const uint middle = (low + count) / 2;
        const bool is_behind = clp_item_precedes(run[middle], item);
        low = is_behind ? middle + 1 : low;
        count = is_behind ? count : middle;
    }
    return low;
}

/* Sorts `held` items, and returns where they are then. */
CLP_INLINE const local clp_item *clp_topk_sort(local clp_item *items, uint held) {
    local clp_item *from = items, *to = items + CLP_SORTED;
    for (uint at = (uint)get_local_id(0); at < held; at += CLP_GROUP) {
        const uint begin = at / CLP_BASE_RUN * CLP_BASE_RUN, end = min(begin + CLP_BASE_RUN, held);
        const clp_item item = from[at];
        uint place = begin;
        for (uint j = begin; j < end; j++) place += clp_item_precedes(from[j], item);
        to[place] = item;
    }
    for (uint run = CLP_BASE_RUN; run < held; run *= 2) {
        local clp_item *sorted = to;
        to = from;
        from = sorted;
        CLP_TOPK_BARRIER; /* items, written above, read below, and the other way round */
        for (uint at = (uint)get_local_id(0); at < held; at += CLP_GROUP) {
            const uint own = at / run * run, other = min(own ^ run, held);
            const uint count = min(run, held - other);
            const clp_item item = from[at];
            to[min(own, own ^ run) + (at - own) + clp_topk_search(from + other, count, item)] =
                item;
        }
    }
    CLP_TOPK_BARRIER; /* items, written above, read behind */
    return to;
}

/* The first k items, in order, of at least k. */
CLP_INLINE const local clp_item *clp_topk_first(local clp_topk_shared *shared,
                                                const clp_source *source, uint k) {
    local clp_item *items = shared->space.items;
    clp_item limit = clp_item_last();
    if (source->count > CLP_SORTED) limit = clp_topk_limit(shared, source, k, CLP_SORTED - k);
    if (get_local_id(0) == 0) shared->word = 0;
    CLP_TOPK_BARRIER; /* word, cleared above, added to below; space, read above, written below */
    for (ulong at = get_local_id(0); at < source->count; at += CLP_GROUP) {
        const clp_item item = clp_source_item(source, at);
        if (clp_item_precedes(limit, item)) continue;
        items[atomic_inc(&shared->word)] = item; /* with the group's others */
    }
    CLP_TOPK_BARRIER; /* items and word, written above, read behind */
    return clp_topk_sort(items, shared->word);
}
#endif
