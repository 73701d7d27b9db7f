/* SPDX-License-Identifier: MIT */
/*
 * The search for splitters of a distributed sort: the number of keys of a sorted block that are not
 * above each of many probes, by binary search. Sums of these numbers over ranks tell where a probe
 * falls in the whole order. No local memory; nobody waits.
 */

static inline ulong clp_mpi_load_key(const global uchar *keys, uint bytes, ulong i) {
    switch (bytes) {
    case 1:
        return keys[i];
    case 2:
        return ((const global ushort *)keys)[i];
    case 4:
        return ((const global uint *)keys)[i];
    default:
        return ((const global ulong *)keys)[i];
    }
}

/* Returns the unsigned integer that compares as the key does; its complement if descending. order:
 * 0 for unsigned keys, 1 for signed keys, 2 to 4 for the orders of clprims_sort_floats. */
static inline ulong clp_mpi_ordered(ulong key, uint bytes, uint order, uint descending) {
    const ulong all = ~0ul >> (64 - 8 * bytes), top = 1ul << (8 * bytes - 1);
    const ulong infinity = bytes == 4 ? 0x7f800000ul : 0x7ff0000000000000ul;
    ulong ordered = key;
    if (order == 1) ordered = key ^ top;
    if (order >= 2) {
        const ulong zeroed = order < 4 && key == top ? 0 : key;
        ordered = zeroed ^ ((zeroed & top) != 0 ? all : top);
        if (order == 2 && (key & ~top) > infinity) return all;
    }
    return descending ? ordered ^ all : ordered;
}

/* One work-item for each probe. Keys are compared by bits [begin, begin + width) of their ordered
 * form. */
kernel void clp_mpi_count_keys(const global uchar *keys, ulong n, uint bytes, uint order,
                               uint descending, uint begin, uint width, const global ulong *probes,
                               ulong probe_count, global ulong *counts) {
    const ulong p = get_global_id(0);
    const ulong mask = width == 0 ? 0 : ~0ul >> (64 - width);
    ulong low = 0, high = n;
    if (p >= probe_count) return;
    while (low < high) {
        const ulong middle = low + (high - low) / 2;
        const ulong key =
            clp_mpi_ordered(clp_mpi_load_key(keys, bytes, middle), bytes, order, descending);
        const ulong seen = (key >> begin) & mask;
        if (seen <= probes[p]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    counts[p] = low;
}
