/* SPDX-License-Identifier: MIT */
/*
 * Onesweep of segments, each sorted by itself: what differs from the sort of one array. The digits
 * of each segment are counted apart, in a row of sums for each segment and pass; a second launch
 * turns them into bases; behind the passes a third launch copies what an odd number of passes
 * leaves elsewhere. Tiles are listed by segmented sort, in the order of the segments; CLP_N is
 * their number. A work-group counts tiles that follow each other, so that most rows are added once
 * for all its tiles.
 */

/* ---- Counts of all passes ---- */

/* A tile's keys, by all of the group. */
CLP_INLINE void clp_count_tile_of_segment(const global CLP_K *keys, uint n, local uint *column,
                                          uint *shared) {
    const uint lane = (uint)get_local_id(0);
    const uint head = (uint)clp_head_of(keys, n), quads = (n - head) / CLP_QUAD_KEYS;
    const uint tail = head + quads * CLP_QUAD_KEYS;
    const global uint4 *quad = (const global uint4 *)(keys + head);
    uint i = lane;
    for (; i + 3 * CLP_GROUP < quads; i += 4 * CLP_GROUP) {
        uint4 now[4];
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) now[j] = clp_load_stream(quad + i + j * CLP_GROUP);
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) clp_count_quad(now[j], column, shared);
    }
    for (; i < quads; i += CLP_GROUP) clp_count_quad(quad[i], column, shared);
    if (lane < head) clp_count_digits(keys[lane], column, shared);
    if (lane < n - tail) clp_count_digits(keys[tail + lane], column, shared);
}

/* Adds what the group has counted to the segment's sums, and clears it. */
CLP_INLINE void clp_end_segment(local uint *counts, global CLP_COUNT *sums, uint segment) {
    CLP_ROLE_BARRIER(CLP_BARRIER_COUNTED, CLP_GROUP / 32); /* counts, counted above, added below */
    clp_add_columns(counts, sums + (ulong)segment * CLP_PASSES * CLP_ROW);
    CLP_ROLE_BARRIER(CLP_BARRIER_WRITTEN, CLP_GROUP / 32); /* counts, added above, cleared below */
    clp_clear_quads((local uint4 *)counts, CLP_PASSES * CLP_ROW * CLP_COLUMNS / 4);
    CLP_ROLE_BARRIER(CLP_BARRIER_COUNTED, CLP_GROUP / 32); /* counts, before the next segment */
}

/* sums: CLP_PASSES rows for each segment, 0 between runs. state: words of the first pass, which are
 * cleared. A group counts tiles that follow one another. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_segments_digits(const global CLP_K *keys_in, ulong keys_first, CLP_N_PARAMETERS,
                              global CLP_COUNT *sums, global uint *live, global uint4 *state,
                              ulong state_quads CLP_TILE_PARAMETERS) {
    const uint end_of_all = (uint)CLP_N;
    local uint counts[CLP_PASSES * CLP_ROW * CLP_COLUMNS] __attribute__((aligned(1024)));
    const uint lane = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint share = (end_of_all + groups - 1) / groups, first = min(end_of_all, group * share);
    const uint end = min(end_of_all, first + share);
    uint shared = 0;
    clp_clear_quads((local uint4 *)counts, CLP_PASSES * CLP_ROW * CLP_COLUMNS / 4);
    for (ulong i = get_global_id(0); i < state_quads; i += get_global_size(0)) {
        state[i] = (uint4)(0);
    }
    if (group == 0 && lane < CLP_PASSES) {
        live[lane] = 0;
        live[CLP_TICKETS + lane] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, cleared above, counted below */
    for (uint t = first; t < end; t++) {
        const uint4 tile = tiles[t];
        const bool is_last = t + 1 == end || (tiles[t + 1].z & CLP_FIRST_TILE) != 0;
        clp_count_tile_of_segment(keys_in + keys_first + clp_tile_begin(tile), clp_tile_keys(tile),
                                  counts + lane % CLP_COLUMNS, &shared);
        if (is_last) clp_end_segment(counts, sums, tile.w);
    }
    if (CLP_BITS_ARE_SHARED && shared != 0) live[CLP_SHARED_SEEN] = 1;
}

/* ---- Where digits begin ---- */

/* How many keys a row of sums has counted, for all lanes. */
CLP_INLINE CLP_COUNT clp_keys_of_row(const global CLP_COUNT *sums) {
    CLP_COUNT sum = 0;
    for (uint digit = clp_lane(); digit < CLP_ROW; digit += 32) sum += sums[digit];
    CLP_UNROLL
    for (uint distance = 1; distance < 32; distance *= 2) {
        sum += clp_shuffle_count(sum, clp_lane() ^ distance);
    }
    return sum;
}

/* Sub-groups take the first tile of each segment, with each pass. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_segments_bases(CLP_N_PARAMETERS, global CLP_COUNT *sums, global CLP_COUNT *bases,
                             global uint *live CLP_TILE_PARAMETERS) {
    const ulong rows = CLP_N * CLP_PASSES, step = get_global_size(0) / 32;
    for (ulong row = get_global_id(0) / 32; row < rows; row += step) {
        const uint4 tile = tiles[row / CLP_PASSES];
        const uint pass = row % CLP_PASSES;
        const ulong segment = (ulong)tile.w * CLP_PASSES * CLP_ROW;
        if ((tile.z & CLP_FIRST_TILE) == 0) continue;
        const CLP_COUNT n = clp_keys_of_row(sums + segment + pass * CLP_ROW);
        const uint found = clp_set_bases(pass, (CLP_COUNT)clp_tile_begin(tile), n, sums + segment,
                                         bases + segment);
        if (clp_lane() == 0 && found != 0) atomic_or(&live[pass], found);
    }
    if (get_global_id(0) != 0) return;
    live[CLP_SHARED] = live[CLP_SHARED_SEEN];
    live[CLP_SHARED_SEEN] = 0;
}

/* ---- What is left to copy ---- */

CLP_KERNEL(CLP_GROUP)
void clp_sort_segments_copy(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint in_place,
                            const global uint *live CLP_TILE_PARAMETERS) {
    const uint end = (uint)CLP_N;
    const clp_role role = clp_copy_role(clp_live_passes(live), in_place);
    if (!role.runs) return;
    CLP_MOVES
    for (uint t = (uint)get_group_id(0); t < end; t += (uint)get_num_groups(0)) {
        const uint4 tile = tiles[t];
        const ulong first = clp_tile_begin(tile), behind = first + clp_tile_keys(tile);
        for (ulong i = first + get_local_id(0); i < behind; i += CLP_GROUP) {
            if (keeps && to != from) to[i] = from[i];
            CLP_EACH_VALUE(CLP_VALUE_COPY)
        }
    }
}
