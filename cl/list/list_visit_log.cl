/* SPDX-License-Identifier: MIT */
/*
 * Level 0 without scattered writes. Each walk appends the elements that it visits to a visit log.
 * The log is stored in columns of CLP_ROWS entries, CLP_SIDE columns interleaved, so that a
 * sub-group writes one coalesced row per step. Once the sublists are ranked, the rank of a log
 * entry follows from its column and row. An order is written directly as the log is read. Ranks are
 * sorted by element: first into buckets, whose places are known because the elements are a
 * permutation, then within local memory (list_place.cl).
 */

#define CLP_SIDE 32 /* interleaved columns */

/* Returns the position of the first entry of a column; its entries are CLP_SIDE apart. */
static inline ulong clp_column_at(uint column) {
    return (ulong)(column / CLP_SIDE) * (CLP_ROWS * CLP_SIDE) + column % CLP_SIDE;
}

/* ---- Walking ---- */

/* Allocates one column per active lane; the columns are adjacent. */
static inline uint clp_take_column(bool active, volatile global uint *used) {
    uint before, first = 0;
    const uint takers = clp_count_lanes(active, &before);
    if (clp_leads()) first = atomic_add(used, takers); /* with itself */
    return clp_of_leader(first) + before;
}

/* Walks every sublist of level 0. starts: for each column, the sublist of its first entry and the
 * offset in that sublist. A lane takes another column only when its last one is full. */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk_log(global const CLP_LINK *restrict links, global uint *restrict visits,
                       global uint2 *restrict starts, uint chunks, global clp_part *restrict parts,
                       global clp_lead *restrict leads, global CLP_A *restrict offsets,
                       global clp_list_state *state, const clp_list_level given_level,
                       uint attempt) {
    if (attempt > 0 && !state->again) return;
    const clp_list_level level = attempt > 0 ? clp_second_level(given_level, state) : given_level;
    const CLP_INDEX all = (CLP_INDEX)level.sublists;
    const clp_nodes above = {parts + level.above, leads + level.above, offsets + level.above, 0};
    clp_batch batch = clp_fixed_batch(&level);
    const clp_walking walking = clp_walking_of(&level, state, above, 0, attempt);
    clp_begin_walks(&walking, 0);
    clp_walker walker = clp_open(&batch, &walking);
    while (clp_any(walker.id < all)) {
        const uint column = clp_take_column(walker.id < all, &state->used[attempt]);
        const bool owner = walker.id < all && column < chunks;
        if (walker.id < all && !owner) {
            clp_give_up(&walking, walking.broken, CLP_ASTRAY);
            walker.id = all;
        }
        if (owner) starts[column] = (uint2)((uint)walker.id, (uint)walker.offset);
        global uint *entry = visits + clp_column_at(owner ? column : 0);
        for (uint row = 0; row < CLP_ROWS; row++, entry += CLP_SIDE) {
            const CLP_LINK to = links[level.links_at + walker.node];
            const bool on = walker.id < all;
            if (owner) *entry = on ? (uint)walker.node : CLP_NO_ELEMENT;
            clp_look_ahead(&batch, &walking);
            if (!on) continue;
            walker.offset++;
            if (clp_goes_on(&walker.pace, to, &walking)) {
                walker.node = (CLP_INDEX)to;
            } else {
                clp_close_at(to, walker.id, walker.offset, &walking);
                walker = clp_open(&batch, &walking);
            }
        }
    }
}

/* ---- Reading columns ---- */

/* Returns the number of columns that the walks of a valid list used; 0 for any other list. */
static inline uint clp_columns(global const clp_list_state *state, uint most) {
    return state->valid ? min(state->used[state->again], most) : 0;
}

static inline bool clp_is_first(CLP_INDEX node, CLP_INDEX head, const clp_list_level *level) {
    return clp_is_splitter((CLP_LINK)node, level) || node == head;
}

#if CLP_RESULT_ORDER
/*
 * Writes the order. Columns pass through local memory, so that neighbouring lanes write
 * neighbouring ranks. Local memory holds for each lane's column: the elements; for each row that
 * starts a sublist, the rank that row 0 would have in that sublist; the mask of those rows.
 */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_order(global const uint *restrict visits, global const uint2 *restrict starts,
                    uint chunks, global const CLP_A *restrict offsets,
                    global CLP_LINK *restrict out, ulong out_at,
                    global const clp_list_state *restrict state, const clp_list_level given_level) {
    local uint elements[CLP_SORT_GROUP * (CLP_ROWS + 1)], bases[CLP_SORT_GROUP * (CLP_ROWS + 1)];
    local uint firsts[CLP_SORT_GROUP];
    const clp_list_level level = clp_as_walked(given_level, state);
    const CLP_INDEX head = (CLP_INDEX)state->head;
    const uint lane = (uint)get_local_id(0), column = (uint)get_global_id(0);
    local uint *element = elements + lane * (CLP_ROWS + 1), *base = bases + lane * (CLP_ROWS + 1);
    if (!state->valid) clp_write_zeros(out + out_at, (CLP_INDEX)level.count);
    if (column < clp_columns(state, chunks)) {
        const uint2 start = starts[column];
        uint own[CLP_ROWS];
        CLP_UNROLL
        for (uint row = 0; row < CLP_ROWS; row++) {
            own[row] = visits[clp_column_at(column) + row * CLP_SIDE];
        }
        uint mask = 0;
        CLP_UNROLL
        for (uint row = 0; row < CLP_ROWS; row++) {
            element[row] = own[row];
            mask |= (uint)clp_is_first((CLP_INDEX)own[row], head, &level) << row;
        }
        firsts[lane] = mask;
        /* The last entry is for rows before the first splitter. */
        base[CLP_ROWS] = (uint)offsets[level.above + start.x] + start.y;
        for (uint row = 0; row < CLP_ROWS; row++, mask >>= 1) {
            if ((mask & 1) == 0) continue;
            const CLP_INDEX id = clp_id_of((CLP_INDEX)element[row], &level);
            base[row] = (uint)offsets[level.above + id] - row;
        }
    } else {
        for (uint row = 0; row < CLP_ROWS; row++) element[row] = CLP_NO_ELEMENT;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* elements, bases and firsts written above, read below */
    CLP_UNROLL_SOME
    for (uint i = lane; i < CLP_SORT_GROUP * CLP_ROWS; i += CLP_SORT_GROUP) {
        const uint from = i / CLP_ROWS, row = i % CLP_ROWS;
        const uint found = elements[from * (CLP_ROWS + 1) + row];
        const uint before = firsts[from] & (uint)((2ul << row) - 1);
        const uint by = before != 0 ? 31 - clz(before) : CLP_ROWS;
        const uint rank = bases[from * (CLP_ROWS + 1) + by] + row;
        if (found != CLP_NO_ELEMENT && rank < level.count) out[out_at + rank] = (CLP_LINK)found;
    }
}
#endif

#if !CLP_RESULT_ORDER
/* Reads a column and ranks its entries. It loads a rank for every entry, not only for splitters, so
 * that no load depends on another. */
static inline void clp_read_column(clp_column *c, uint column, global const uint *visits,
                                   global const uint2 *starts, global const CLP_A *offsets,
                                   CLP_INDEX head, const clp_list_level *level) {
    const uint2 start = starts[column];
    visits += clp_column_at(column);
    offsets += level->above;
    uint rank = (uint)offsets[start.x] + start.y - 1, firsts = 0;
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) c->element[row] = visits[row * CLP_SIDE];
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        const CLP_INDEX node = (CLP_INDEX)c->element[row];
        firsts |= (uint)clp_is_first(node, head, level) << row;
        c->result[row] = (uint)offsets[clp_id_of(node, level)];
    }
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        rank = (firsts >> row & 1) != 0 ? c->result[row] : rank + 1;
        c->result[row] = rank;
    }
}

/* Sorts the entries of the visit log into buckets of 1 << bits windows. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_sort(global const uint *restrict visits, global const uint2 *restrict starts,
                   uint chunks, global const CLP_A *restrict offsets, global uint *restrict cursors,
                   global clp_item *restrict items, uint bucket_bits,
                   global const clp_list_state *restrict state, const clp_list_level given_level) {
    CLP_SORTER(sorter);
    const clp_list_level level = clp_as_walked(given_level, state);
    const clp_buckets buckets = {0, bucket_bits, level.count};
    const uint column = (uint)get_global_id(0);
    clp_column c;
    clp_sorting own;
    clp_empty_column(&c);
    if (column < clp_columns(state, chunks)) {
        clp_read_column(&c, column, visits, starts, offsets, (CLP_INDEX)state->head, &level);
    }
    clp_find_places(&sorter, &c, &buckets, cursors, &own);
    clp_move_items(&sorter, &c, &buckets, items, &own);
}
#endif
