/* SPDX-License-Identifier: MIT */
/*
 * From the visit log, where results are in the order of the walks, to the places of the elements:
 * at once, or if the output is larger than a cache, through buckets (list_place.cl). A malformed
 * list has no results.
 */

/* Combines the value of an entry with all that comes before its sublist. above: offsets of the
 * nodes of level 1. */
static inline CLP_A clp_complete(clp_entry entry, global const CLP_A *above,
                                 global const uint *states_above) {
    if (entry.tag == CLP_FINAL) return entry.value;
    const CLP_A offset = above[entry.tag & ~CLP_FIRST];
#if !CLP_HAS_START
    if (states_above[entry.tag & ~CLP_FIRST] == CLP_BARE_ROOT) {
        /* Keeps this a branch. From a select, compilers for CPUs generate a masked load of a
         * constant, which is slow until something else touches the constant's page. */
        mem_fence(CLK_LOCAL_MEM_FENCE);
        return entry.value;
    }
#endif
#if !CLP_INCLUSIVE
    if ((entry.tag & CLP_FIRST) != 0) return offset;
#endif
    return clp_op(offset, entry.value);
}

/* Scatters the results directly. Each work-group takes one chunk of the visit log. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_scatter(global const clp_entry *restrict visits,
                          global const uint *restrict fills, global const CLP_A *restrict offsets,
                          global const uint *restrict states,
                          global const clp_list_state *restrict state, const clp_list_level level,
                          CLP_OUTPUT) {
    const clp_output to = CLP_OUTPUT_OF;
    const ulong first = (ulong)get_group_id(0) * CLP_CHUNK;
    if (!state->valid) return;
    const uint count = fills[get_group_id(0)];
    CLP_ASSERT(count <= CLP_CHUNK);
    for (uint k = (uint)get_local_id(0); k < count; k += CLP_GROUP) {
        const clp_entry entry = clp_load_entry(&visits[first + k]);
        clp_put(&to, entry.at,
                CLP_PLACED_OF(clp_complete(entry, offsets + level.above, states + level.above)));
    }
}

#if CLP_SORTS
#define CLP_TILES ((CLP_CHUNK + CLP_BATCH_ITEMS - 1) / CLP_BATCH_ITEMS)

/* Sorts the entries of the visit log into buckets of 1 << bits windows. Each work-group takes one
 * batch of a chunk. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_listscan_sort(global const clp_entry *restrict visits, global const uint *restrict fills,
                       global const CLP_A *restrict offsets, global const uint *restrict states,
                       global uint *restrict cursors, global clp_item *restrict items,
                       uint bucket_bits, global const clp_list_state *restrict state,
                       const clp_list_level level) {
    CLP_SORTER(sorter);
    const clp_buckets buckets = {0, bucket_bits, level.count};
    const uint chunk = (uint)get_group_id(0) / CLP_TILES;
    const uint first = (uint)get_group_id(0) % CLP_TILES * CLP_BATCH_ITEMS + (uint)get_local_id(0);
    const uint fill = state->valid ? fills[chunk] : 0;
    uint tags[CLP_ROWS];
    clp_column c;
    clp_sorting own;
    clp_empty_column(&c);
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        const uint k = first + row * CLP_SORT_GROUP;
        if (k >= fill) continue;
        const clp_entry entry = clp_load_entry(&visits[(ulong)chunk * CLP_CHUNK + k]);
        c.element[row] = entry.at;
        c.result[row] = entry.value;
        tags[row] = entry.tag;
    }
    clp_find_places(&sorter, &c, &buckets, cursors, &own);
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        if (c.element[row] == CLP_NO_ELEMENT) continue;
        const clp_entry entry = {c.element[row], tags[row], c.result[row]};
        c.result[row] = clp_complete(entry, offsets + level.above, states + level.above);
    }
    clp_move_items(&sorter, &c, &buckets, items, &own);
}
#endif
