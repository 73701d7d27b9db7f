/* SPDX-License-Identifier: MIT */
/* From columns (cl/list_rows.cl) to ranks: how a column is read, and the results that are written
 * as columns are read, the order, and ranks that caches hold. */

typedef struct {
    uint element[CLP_ROWS]; /* CLP_NOBODY: none */
    uint rank[CLP_ROWS];
} clp_list_column;

/* Of the columns that walks of a valid list used, 0 of any other list. */
static inline uint clp_columns(global const clp_list_state *state, uint most) {
    return state->valid ? min(state->used[state->again], most) : 0;
}

/* An entry's element. Where extra sublists are marked, elements are below CLP_EXTRA. */
static inline uint clp_element_of(uint entry, const clp_list_level *level) {
    return entry != CLP_NOBODY && level->fine >= level->ids ? entry & ~CLP_EXTRA : entry;
}

static inline bool clp_is_extra(uint entry, const clp_list_level *level) {
    return entry != CLP_NOBODY && level->fine >= level->ids && (entry & CLP_EXTRA) != 0;
}

static inline bool clp_is_first(uint entry, CLP_INDEX head, const clp_list_level *level) {
    const CLP_INDEX node = clp_element_of(entry, level);
    return clp_is_extra(entry, level) || clp_mix(node, level) < level->ids - 1 || node == head;
}

/* The sublist that a splitter, or head, or an entry of an extra sublist begins. */
static inline CLP_INDEX clp_id_of(uint entry, global const uint *names,
                                  const clp_list_level *level) {
    const CLP_INDEX own = (CLP_INDEX)level->ids - 1;
    const CLP_INDEX key = clp_mix((CLP_INDEX)clp_element_of(entry, level), level);
    return clp_is_extra(entry, level) ? (CLP_INDEX)level->ids + names[key - own] : min(key, own);
}

/* A rank is looked up for every entry, if not a splitter's then any, so that no load waits for
 * another. */
static inline void clp_read_column(clp_list_column *c, uint column, global const uint *rows,
                                   global const uint2 *starts, global const uint *names,
                                   global const CLP_LINK *ranks_above, CLP_INDEX head,
                                   const clp_list_level *level) {
    const uint2 start = starts[column];
    rows += clp_column_at(column);
    ranks_above += level->above;
    uint rank = (uint)ranks_above[start.x] + start.y - 1, firsts = 0;
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) c->element[row] = rows[row * CLP_SIDE];
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        const uint entry = c->element[row];
        firsts |= (uint)clp_is_first(entry, head, level) << row;
        c->rank[row] = (uint)ranks_above[clp_id_of(entry, names, level)];
    }
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        rank = (firsts >> row & 1) != 0 ? c->rank[row] : rank + 1;
        c->rank[row] = rank;
        c->element[row] = clp_element_of(c->element[row], level);
    }
}

static inline void clp_empty_column(clp_list_column *c) {
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) c->element[row] = CLP_NOBODY;
}

/*
 * Writes the order. A column goes through local memory, so that neighbouring lanes write
 * neighbouring ranks. Of each lane's column: elements; the rank of row 0 as it would be in the
 * sublist that each row with a splitter begins; which rows those are.
 */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_order(global const uint *restrict rows, global const uint2 *restrict starts,
                    uint most, global const uint *restrict names,
                    global const CLP_LINK *restrict ranks_above, global CLP_LINK *restrict out,
                    ulong out_at, global const clp_list_state *restrict state,
                    const clp_list_level given) {
    local uint elements[CLP_SORT_GROUP * (CLP_ROWS + 1)], bases[CLP_SORT_GROUP * (CLP_ROWS + 1)];
    local uint firsts[CLP_SORT_GROUP];
    const clp_list_level level = clp_as_walked(given, state);
    const CLP_INDEX head = (CLP_INDEX)state->heads[0];
    const uint lane = (uint)get_local_id(0), column = (uint)get_global_id(0);
    local uint *element = elements + lane * (CLP_ROWS + 1), *base = bases + lane * (CLP_ROWS + 1);
    if (!state->valid) clp_write_zeros(out + out_at, (CLP_INDEX)level.count);
    if (column < clp_columns(state, most)) {
        const uint2 start = starts[column];
        uint own[CLP_ROWS];
        CLP_UNROLL
        for (uint row = 0; row < CLP_ROWS; row++) {
            own[row] = rows[clp_column_at(column) + row * CLP_SIDE];
        }
        uint mask = 0;
        CLP_UNROLL
        for (uint row = 0; row < CLP_ROWS; row++) {
            element[row] = own[row];
            mask |= (uint)clp_is_first(own[row], head, &level) << row;
        }
        firsts[lane] = mask;
        /* The last place is for rows before the first splitter. */
        base[CLP_ROWS] = (uint)ranks_above[level.above + start.x] + start.y;
        for (; mask != 0; mask &= mask - 1) {
            const uint row = 31 - clz(mask & -mask);
            const CLP_INDEX id = clp_id_of(element[row], names, &level);
            base[row] = (uint)ranks_above[level.above + id] - row;
        }
    } else {
        for (uint row = 0; row < CLP_ROWS; row++) element[row] = CLP_NOBODY;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* elements, bases and firsts written above, read below */
    CLP_UNROLL_SOME
    for (uint i = lane; i < CLP_SORT_GROUP * CLP_ROWS; i += CLP_SORT_GROUP) {
        const uint from = i / CLP_ROWS, row = i % CLP_ROWS;
        const uint found = clp_element_of(elements[from * (CLP_ROWS + 1) + row], &level);
        const uint before = firsts[from] & (uint)((2ul << row) - 1);
        const uint by = before != 0 ? 31 - clz(before) : CLP_ROWS;
        const uint rank = bases[from * (CLP_ROWS + 1) + by] + row;
        if (found != CLP_NOBODY && rank < level.count) out[out_at + rank] = (CLP_LINK)found;
    }
}

/* Writes the ranks where caches hold all of them. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_scatter(global const uint *restrict rows, global const uint2 *restrict starts,
                      uint most, global const uint *restrict names,
                      global const CLP_LINK *restrict ranks_above, global CLP_LINK *restrict out,
                      ulong out_at, global const clp_list_state *restrict state,
                      const clp_list_level given) {
    const clp_list_level level = clp_as_walked(given, state);
    const uint column = (uint)get_global_id(0);
    clp_list_column c;
    if (!state->valid) clp_write_zeros(out + out_at, (CLP_INDEX)level.count);
    if (column >= clp_columns(state, most)) return;
    clp_read_column(&c, column, rows, starts, names, ranks_above, (CLP_INDEX)state->heads[0],
                    &level);
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        if (c.element[row] < level.count) out[out_at + c.element[row]] = (CLP_LINK)c.rank[row];
    }
}
