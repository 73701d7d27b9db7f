/* SPDX-License-Identifier: MIT */
/*
 * A tile: the elements that one work-group holds in registers from loading to storing. A tile is
 * CLP_SUBGROUPS adjacent segments, one a sub-group; a segment is CLP_ROWS rows; a row is one vector
 * of CLP_VEC elements a lane. So the lanes of every access are adjacent in memory, and elements
 * keep their order from lane to lane and from row to row.
 *
 * io.cl says where elements come from. Past the end of the input there is padding: the operator's
 * identity where the library knows it (CLP_GUARD 0), else a value on which the operator is never
 * called (CLP_GUARD 1): the user's operator need not bear it.
 *
 * The steps that exchange or store rows are unrolled by the prelude's CLP_EACH_ROW(step) = step(0)
 * step(1) ...: not every compiler unrolls a loop of exchanges, a register array that a loop indexes
 * goes to memory, and from a loop of stores Clang 14 makes a look-ahead of offsets that spills
 * 16 bytes instead of 8 for an H200. A step is a macro because it writes the caller's variables.
 *
 * Local memory is used by clp_shuffle alone, on devices without shuffles.
 */

/* Sub-groups that hold segments. In a look-ahead these are the scanners; the work-group has others
 * as well. */
#ifdef CLP_SCANNERS
#define CLP_SUBGROUPS CLP_SCANNERS
#else
#define CLP_SUBGROUPS (CLP_GROUP / CLP_SUBGROUP)
#endif
/* Whether a condition usually holds, so that the compiler puts the usual path in a row: a run of
 * few tiles takes as long as fetching its code. A macro, as the hint does not pass through a
 * function. */
#ifdef CLP_SCANNERS
#define CLP_USUAL(condition) (condition)
#else
#define CLP_USUAL(condition) CLP_LIKELY(condition)
#endif

#define CLP_ROW (CLP_SUBGROUP * CLP_VEC)
#define CLP_SEGMENT (CLP_ROWS * CLP_ROW)
#define CLP_TILE (CLP_SUBGROUPS * CLP_SEGMENT)

#if CLP_SUBGROUPS > CLP_SUBGROUP
#error "tile.cl: more sub-groups than a sub-group has lanes"
#endif

/* Whether sums of 32 bits are added across lanes as words, by the device's own instructions. Only
 * in a look-ahead and in a wave: there aggregates are published and combined as words too. */
#if defined(CLP_WORD_SUMS) && !CLP_SUBGROUP_IS_GROUP
#define CLP_SUMS_ARE_WORDS (CLP_SHORT_SUMS || (CLP_WORD_SUMS && CLP_A_BYTES == 4))
#else
#define CLP_SUMS_ARE_WORDS 0
#endif

typedef struct clp_tile {
    clp_item item[CLP_ROWS][CLP_ITEMS];
    clp_sum before[CLP_ROWS]; /* the segment up to the lane's vector; where sums are not words, not
                                 set in lane 0 of row 0 */
    clp_sum total; /* of the segment; right only if it is full, or padded */
    ulong first; /* index of the tile's first element in the scanned range */
    uint count; /* outputs that are real */
    uint loaded; /* inputs that are real */
#if CLP_GUARD && defined(CLP_STAGES)
    bool whole; /* known to be full */
#endif
} clp_tile;

/* Where the lane's vector of the row starts in the tile. */
static inline uint clp_vector_start(uint row) {
    return clp_subgroup_number() * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
}

/* The number of elements from `start` on that come before `end`. */
static inline uint clp_reach(uint end, uint start) {
    return max(end, start) - start;
}

/* Whether the tile is known to be full, so that no element need be tested. */
static inline bool clp_is_known_whole(const clp_tile *tile) {
#if CLP_GUARD && defined(CLP_STAGES)
    return tile->whole;
#else
    return false;
#endif
}

static inline bool clp_is_full(const clp_tile *tile) {
#if CLP_GUARD && defined(CLP_STAGES)
    return tile->whole;
#else
    return tile->count == CLP_TILE;
#endif
}

static inline bool clp_is_real(const clp_tile *tile, uint i) {
    return !CLP_GUARD || clp_is_known_whole(tile) || i < tile->count;
}

/* The number of real elements of the vector that starts there. */
static inline uint clp_real_in_vector(const clp_tile *tile, uint start) {
    return clp_is_known_whole(tile) ? CLP_VEC : clp_reach(tile->count, start);
}

/* ---- Loading ---- */

/* The tile's place, without its elements. */
static inline clp_tile clp_tile_at(ulong number, ulong n) {
    clp_tile tile;
    tile.first = number * CLP_TILE;
    tile.count = (uint)min((ulong)CLP_TILE, n - tile.first);
    tile.loaded = (uint)min((ulong)CLP_TILE, n - CLP_EXTRA - tile.first);
    return tile;
}

/* Loads the tile. Full and aligned tiles take a path of their own, without a test in each row. */
static inline clp_tile clp_tile_load(const clp_io *io, ulong number, ulong n) {
    clp_tile tile = clp_tile_at(number, n);
#if CLP_E_IN_CHUNKS
    if (CLP_USUAL(tile.loaded == CLP_TILE && clp_starts_with_chunk(io, tile.first))) {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            clp_items_at(io, tile.first + clp_vector_start(r), tile.item[r]);
        }
        return tile;
    }
#endif
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint start = clp_vector_start(r);
        clp_items_load(tile.item[r], io, tile.first + start, clp_reach(tile.loaded, start));
    }
    return tile;
}

#if CLP_TURNS_IN
/* A whole tile's vectors, as neighbours load neighbouring chunks. */
CLP_INLINE void clp_vector_load(clp_in_vector *in, const global CLP_E *from) {
#pragma unroll
    for (uint c = 0; c < CLP_E_CHUNKS; c++) {
        in->chunk[c] = ((const global uint4 *)from)[c * CLP_GROUP + clp_lane()];
    }
}

/* Gives each work-item the chunks of its own vector. */
CLP_INLINE void clp_vector_turn(clp_in_vector *in, bool whole, local uint4 *turned) {
    if (whole) {
#pragma unroll
        for (uint c = 0; c < CLP_E_CHUNKS; c++) {
            turned[clp_turned(c * CLP_GROUP + clp_lane(), CLP_E_CHUNKS)] = in->chunk[c];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* chunks written above, read below */
    if (whole) {
#pragma unroll
        for (uint c = 0; c < CLP_E_CHUNKS; c++) {
            in->chunk[c] = turned[clp_lane() * (CLP_E_CHUNKS + 1) + c];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* chunks read above, overwritten by the next exchange */
}

/* Loads the tile, whose row is one vector a work-item, through local memory. */
CLP_INLINE clp_tile clp_tile_load_turned(const clp_io *io, ulong number, ulong n,
                                         local uint4 *turned) {
    clp_tile tile = clp_tile_at(number, n);
    const bool whole = tile.loaded == CLP_TILE && clp_starts_with_chunk(io, tile.first);
    const uint start = clp_vector_start(0);
    clp_in_vector in;
    if (whole) clp_vector_load(&in, io->in + tile.first);
#if CLP_INPUTS == 2
    clp_in_vector with;
    if (whole) clp_vector_load(&with, io->with + tile.first);
    clp_vector_turn(&in, whole, turned);
    clp_vector_turn(&with, whole, turned);
    if (whole) clp_items_take(tile.item[0], &in, &with, io, tile.first + start);
#else
    clp_vector_turn(&in, whole, turned);
    if (whole) clp_items_take(tile.item[0], &in, io, tile.first + start);
#endif
    if (!whole) clp_items_load(tile.item[0], io, tile.first + start, clp_reach(tile.loaded, start));
    return tile;
}
#endif

#if CLP_BURST > 0
/* Memory is faster where it does not turn from reads to writes and back at each tile. So the first
 * eighth of a block's tiles prefetch the whole next block into the cache, eight tiles each. By one
 * work-item. */
static inline void clp_fetch_burst(const clp_io *io, uint number, ulong n) {
    const uint share = 8, place = number % CLP_BURST;
    const ulong first = ((ulong)number - place + CLP_BURST + place * share) * CLP_TILE;
    if (place >= CLP_BURST / share || first + share * CLP_TILE > n) return;
    const ulong from = (ulong)(io->in + first) & ~15ul;
    clp_fetch_ahead((const global void *)from, share * CLP_TILE * CLP_E_BYTES);
}
#endif

/* ---- Reducing ---- */

/* Combines one row into *carry, which holds the segment's earlier rows (row > 0). */
#if CLP_SUMS_ARE_WORDS
static inline void clp_row_reduce(clp_tile *tile, uint row, uint start, clp_sum *carry,
                                  local CLP_A *exchange) {
    const uint sum = (uint)clp_items_sum(tile->item[row], CLP_VEC);
    const uint scanned = clp_scan_words(sum), earlier = row > 0 ? (uint)*carry : 0;
    tile->before[row] = (clp_sum)(earlier + scanned - sum);
    *carry = (clp_sum)(earlier + clp_shuffle_word(scanned, CLP_SUBGROUP - 1));
}
#else
static inline void clp_row_reduce(clp_tile *tile, uint row, uint start, CLP_A *carry,
                                  local CLP_A *exchange) {
    const uint lane = clp_lane();
    const CLP_A sum = clp_items_sum(tile->item[row], clp_real_in_vector(tile, start));
    const bool real = clp_is_real(tile, start);
    const CLP_A scanned = clp_subgroup_scan(sum, real, exchange);
    CLP_A lower, total;
    clp_shuffle_below(scanned, exchange, &lower, &total);
    tile->before[row] = lower;
    if (row > 0 && lane == 0) tile->before[row] = *carry;
    if (row > 0 && lane > 0 && real) tile->before[row] = clp_op(*carry, lower);
    const uint row_end = start - lane * CLP_VEC + CLP_ROW;
    if (row == 0) {
        *carry = total;
    } else if (clp_is_real(tile, row_end - 1)) {
        *carry = clp_op(*carry, total);
    }
}
#endif

/* Sets tile->before and tile->total. */
static inline void clp_tile_reduce(clp_tile *tile, local CLP_A *exchange) {
#define CLP_REDUCE_ROW(r) clp_row_reduce(tile, r, clp_vector_start(r), &tile->total, exchange);
    CLP_EACH_ROW(CLP_REDUCE_ROW)
}

#ifdef CLP_SCANNERS
/* Combines a full or padded segment; the last lane gets the result. own: each lane has a contiguous
 * part of the segment, so that one scan over the lanes keeps the order; else each row takes one,
 * unless the operator commutes. */
CLP_INLINE CLP_A clp_segment_sum(clp_item item[CLP_ROWS][CLP_ITEMS], bool own,
                                 local CLP_A *exchange) {
    const bool whole_lanes = CLP_COMMUTATIVE || own;
#if CLP_SUMS_ARE_WORDS
    uint sum = 0;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) sum += (uint)clp_items_sum(item[r], CLP_VEC);
    return (CLP_A)(clp_sum)clp_add_lanes(sum);
#else
    CLP_A total;
#define CLP_ADD_ROW(r)                                                                             \
    {                                                                                              \
        CLP_A sum = clp_items_sum(item[r], CLP_VEC);                                               \
        if (!whole_lanes) sum = clp_subgroup_scan(sum, true, exchange);                            \
        total = r == 0 ? sum : clp_op(total, sum);                                                 \
    }
    CLP_EACH_ROW(CLP_ADD_ROW)
    return whole_lanes ? clp_subgroup_scan(total, true, exchange) : total;
#endif
}
#endif

#if CLP_WINDOW > 1
/* For a fallback: the aggregate of another work-group's full tile, by one sub-group, row after
 * row. */
static inline CLP_A clp_tile_reduce_single(const clp_io *io, ulong number, ulong n,
                                           local CLP_A *exchange) {
    clp_tile tile = clp_tile_at(number, n);
    CLP_A total;
    for (uint row = 0; row < CLP_TILE / CLP_ROW; row++) {
        clp_sum carry;
        const uint start = row * CLP_ROW + clp_lane() * CLP_VEC;
        clp_items_load(tile.item[0], io, tile.first + start, clp_reach(tile.loaded, start));
        clp_row_reduce(&tile, 0, start, &carry, exchange);
        total = row == 0 ? carry : clp_op(total, carry);
    }
    return total;
}
#else
/* For a fallback: the aggregate of another work-group's full tile, by one work-item. */
static inline CLP_A clp_tile_reduce_single(const clp_io *io, ulong number, ulong n,
                                           local CLP_A *exchange) {
    const ulong first = number * CLP_TILE;
    CLP_A total;
    for (uint i = 0; i < CLP_TILE; i++) {
        const CLP_A item = clp_item_at(io, first + i);
        total = i == 0 ? item : clp_op(total, item);
    }
    return total;
}
#endif

/* ---- Storing ---- */

/* Scans the lane's vector of that row onto what comes before it. prefix: of the segment. */
static inline clp_out_vector clp_scan_row(const clp_tile *tile, uint row, CLP_A prefix,
                                          bool has_prefix, const clp_io *io) {
    const uint start = clp_vector_start(row);
    const ulong i = tile->first + start;
#if CLP_SUMS_ARE_WORDS
    const CLP_A running = (has_prefix ? prefix : 0) + (CLP_A)tile->before[row];
    return clp_items_scan(tile->item[row], clp_real_in_vector(tile, start), running, true, io, i);
#else
    const bool has_before = row > 0 || clp_lane() > 0;
    CLP_A running = has_prefix ? prefix : tile->before[row];
    if (has_prefix && has_before && clp_is_real(tile, start)) {
        running = clp_op(prefix, tile->before[row]);
    }
    return clp_items_scan(tile->item[row], clp_real_in_vector(tile, start), running,
                          has_prefix || has_before, io, i);
#endif
}

/* Scans and stores the lane's vector of the row, in chunks where it is whole and at a multiple of
 * 16 bytes. */
static inline void clp_store_vector(const clp_tile *tile, uint row, CLP_A prefix, bool has_prefix,
                                    const clp_io *io, global CLP_OUT *to) {
    const clp_out_vector vector = clp_scan_row(tile, row, prefix, has_prefix, io);
    const uint start = clp_vector_start(row);
#if CLP_OUT_IN_CHUNKS
    if (start + CLP_VEC <= tile->count && clp_is_aligned(to)) {
        global uint4 *chunks = (global uint4 *)(to + start);
        for (uint c = 0; c < CLP_OUT_CHUNKS; c++) clp_store_stream(chunks + c, vector.chunk[c]);
        return;
    }
#endif
    for (uint j = 0; j < CLP_VEC; j++) {
        if (start + j < tile->count) to[start + j] = vector.element[j];
    }
}

#if CLP_OUT_IN_CHUNKS
static inline void clp_store_chunks(const clp_tile *tile, uint row, CLP_A prefix, bool has_prefix,
                                    const clp_io *io, global CLP_OUT *to) {
    const clp_out_vector vector = clp_scan_row(tile, row, prefix, has_prefix, io);
    global uint4 *chunks = (global uint4 *)(to + clp_vector_start(row));
    for (uint c = 0; c < CLP_OUT_CHUNKS; c++) clp_store_stream(chunks + c, vector.chunk[c]);
}
#endif

#ifdef CLP_SHIFTS_ROWS
/* Scans and stores the segment's first `real` elements, whatever place `to` the segment starts at:
 * each row is shifted to aligned chunks across the lanes. */
CLP_INLINE void clp_store_unaligned(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                    const clp_io *io, global CLP_OUT *to, uint real) {
    const uint start = clp_lane() * CLP_VEC;
    clp_out_vector last;
#define CLP_STORE_SHIFTED(r)                                                                       \
    clp_store_part(clp_shift_row(clp_scan_row(tile, r, prefix, has_prefix, io), r, &last, to),     \
                   (r)*CLP_ROW + start, to, real);
    CLP_EACH_ROW(CLP_STORE_SHIFTED)
    if (clp_lane() == CLP_SUBGROUP - 1) {
        clp_store_rest(&last, CLP_SEGMENT - CLP_VEC, to, real);
    }
}
#endif

/* Reports what the primitive finds in the lane's segment. */
CLP_INLINE void clp_report_tile(const clp_tile *tile, CLP_A prefix, const clp_io *io) {
#if CLP_REPORTS
    const uint segment = clp_subgroup_number() * CLP_SEGMENT;
    const uint loaded = clamp(tile->loaded, segment, segment + CLP_SEGMENT) - segment;
    const bool is_last =
        tile->loaded < tile->count && tile->loaded / CLP_SEGMENT == segment / CLP_SEGMENT;
    if (clp_lane() == 0) {
        clp_report_segment(io, tile->first + segment, loaded, is_last, prefix,
                           clp_op(prefix, tile->total));
    }
#endif
}

/* Scans and stores the lane's whole segment. */
CLP_INLINE void clp_tile_store(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                               const clp_io *io) {
    global CLP_OUT *to = io->out + tile->first;
    clp_report_tile(tile, prefix, io);
#define CLP_STORE_CHUNKS(r) clp_store_chunks(tile, r, prefix, has_prefix, io, to);
#define CLP_STORE_ROW(r) clp_store_vector(tile, r, prefix, has_prefix, io, to);
#if CLP_OUT_IN_CHUNKS
    if (CLP_USUAL(clp_is_full(tile) && clp_is_aligned(to))) {
        CLP_EACH_ROW(CLP_STORE_CHUNKS)
        return;
    }
#endif
#ifdef CLP_SHIFTS_ROWS
    const uint segment_start = clp_subgroup_number() * CLP_SEGMENT;
    clp_store_unaligned(tile, prefix, has_prefix, io, to + segment_start,
                        clp_reach(tile->count, segment_start));
#else
    CLP_EACH_ROW(CLP_STORE_ROW)
#endif
}

#if CLP_TURNS_OUT
/* Scans and stores the tile, as clp_tile_load_turned loads it. */
CLP_INLINE void clp_tile_store_turned(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                      const clp_io *io, local uint4 *turned, bool stores) {
    global CLP_OUT *to = io->out + tile->first;
    const bool whole = stores && tile->count == CLP_TILE && clp_is_aligned(to);
    if (whole) {
        const clp_out_vector vector = clp_scan_row(tile, 0, prefix, has_prefix, io);
#pragma unroll
        for (uint c = 0; c < CLP_OUT_CHUNKS; c++) {
            turned[clp_lane() * (CLP_OUT_CHUNKS + 1) + c] = vector.chunk[c];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* chunks written above, read below */
    if (!stores) return;
    clp_report_tile(tile, prefix, io);
    if (!whole) {
        clp_store_vector(tile, 0, prefix, has_prefix, io, to);
        return;
    }
#pragma unroll
    for (uint c = 0; c < CLP_OUT_CHUNKS; c++) {
        const uint at = c * CLP_GROUP + clp_lane();
        ((global uint4 *)to)[at] = turned[clp_turned(at, CLP_OUT_CHUNKS)];
    }
}
#endif
