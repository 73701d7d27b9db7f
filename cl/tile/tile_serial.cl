/* SPDX-License-Identifier: MIT */
/*
 * Tiles for CPUs, with the functions of tile.cl: one work-item walks a tile that its core's cache
 * holds, twice, to reduce it and to scan it. No barriers, no local memory; nobody waits.
 *
 * A built-in operator takes CLP_SIMD elements at a time, as a vector whose lanes are scanned by
 * shifts (Hillis and Steele 1986): only the running value goes from one vector to the next. Any
 * other operator (CLP_SIMD 1) walks CLP_CHAINS parts of the tile side by side, so that a core has
 * several independent operations at work. Either way the operator is called on real elements only,
 * and always in the same order.
 */
#if CLP_SIMD > 1 && !defined(CLP_EXACT_IDENTITY)
#error "tile_serial.cl: CLP_EXACT_IDENTITY, of vectors, is not set by the prelude"
#endif

#define CLP_TILE (CLP_ROWS * CLP_VEC)
#define CLP_SUBGROUPS 1
#define CLP_CHAINS 4

/* A store that bypasses the caches, and a prefetch into them. Both are Clang's: OpenCL C has no
 * such store, and PoCL does nothing for OpenCL's prefetch(). */
#if CLP_SIMD > 1
static inline void clp_stream(CLP_OUT_WIDE value, global CLP_OUT_WIDE *to) {
#if defined(__clang__)
    __builtin_nontemporal_store(value, to);
#else
    *to = value;
#endif
}

static inline void clp_prefetch(const global char *from) {
#if defined(__clang__) && CLP_AHEAD > 0
    __builtin_prefetch(from, 0, 3);
#endif
}
#endif
#define CLP_LINE_BYTES 64

typedef struct clp_tile {
    const clp_io *io;
    ulong first; /* index of the tile's first element in the scanned range */
    ulong next; /* as first, of the tile that this core takes next if all cores are as fast */
    uint count; /* outputs */
    uint loaded; /* inputs */
    CLP_A total;
    bool streams; /* the output exceeds the caches, and bypasses them */
#if CLP_SIMD == 1
    CLP_A part[CLP_CHAINS]; /* the parts' aggregates, from clp_tile_reduce */
#endif
} clp_tile;

static inline clp_tile clp_tile_load(const clp_io *io, ulong number, ulong n) {
    clp_tile tile;
    tile.io = io;
    tile.first = number * CLP_TILE;
    tile.count = (uint)min((ulong)CLP_TILE, n - tile.first);
    tile.loaded = (uint)min((ulong)CLP_TILE, n - CLP_EXTRA - tile.first);
    tile.streams = n >= CLP_STREAM_N;
    const bool has_next = n - CLP_EXTRA - tile.first >= (CLP_AHEAD + 1ul) * CLP_TILE;
    tile.next = tile.first + (has_next ? CLP_AHEAD * CLP_TILE : 0);
    return tile;
}

static inline CLP_A clp_tile_item(const clp_tile *tile, uint i) {
#if CLP_EXTRA
    if (i >= tile->loaded) return CLP_IDENTITY;
#endif
    return clp_item_at(tile->io, tile->first + i);
}

/* Scans item i onto the running value, if there is one, and returns the next running value. */
static inline CLP_A clp_item_store(const clp_tile *tile, uint i, CLP_A running, bool has_running,
                                   global CLP_OUT *to) {
    const CLP_A item = clp_tile_item(tile, i);
    const CLP_A next = has_running ? clp_op(running, item) : item;
    to[i] = clp_stored_at(tile->io, CLP_INCLUSIVE ? next : running, has_running ? running : next,
                          tile->first + i);
    return next;
}

#if CLP_SIMD > 1
/* ---- Vectors ---- */

#if CLP_SIMD == 16
#define CLP_LAST_LANE sf
#define CLP_UP_1 s00123456789abcde
#define CLP_UP_2 s010123456789abcd
#define CLP_UP_4 s01230123456789ab
#define CLP_UP_8 s0123456701234567
#elif CLP_SIMD == 8
#define CLP_LAST_LANE s7
#define CLP_UP_1 s00123456
#define CLP_UP_2 s01012345
#define CLP_UP_4 s01230123
#else
#error "tile_serial.cl: CLP_SIMD must be 1, 8 or 16"
#endif

/* Vectors at any element. */
#if CLP_INPUT_WIDE
typedef struct __attribute__((packed)) clp_loose_in {
    CLP_E_WIDE vector;
} clp_loose_in;
#endif

typedef struct __attribute__((packed)) clp_loose_out {
    CLP_OUT_WIDE vector;
} clp_loose_out;

static inline CLP_A_WIDE clp_tile_vector(const clp_tile *tile, uint i) {
#if CLP_INPUT_WIDE && CLP_INPUTS == 2
    return CLP_WIDENED(((const global clp_loose_in *)(tile->io->in + tile->first + i))->vector,
                       ((const global clp_loose_in *)(tile->io->with + tile->first + i))->vector);
#elif CLP_INPUT_WIDE
    return CLP_WIDENED(((const global clp_loose_in *)(tile->io->in + tile->first + i))->vector);
#else
    union {
        CLP_A item[CLP_SIMD];
        CLP_A_WIDE vector;
    } lanes;
    for (uint lane = 0; lane < CLP_SIMD; lane++) lanes.item[lane] = clp_tile_item(tile, i + lane);
    return lanes.vector;
#endif
}

/* Prefetches the next tile's elements while this tile's are stored, at the same pace. */
static inline void clp_tile_fetch(const clp_tile *tile, uint i) {
    for (uint byte = 0; byte < CLP_SIMD * CLP_E_BYTES; byte += CLP_LINE_BYTES) {
#if CLP_INPUTS > 0
        clp_prefetch((const global char *)(tile->io->in + tile->next + i) + byte);
#endif
#if CLP_INPUTS > 1
        clp_prefetch((const global char *)(tile->io->with + tile->next + i) + byte);
#endif
    }
}

/* checked: the mark of a fault, of a primitive that knows faults, is kept by every combination.
 * Unchecked: values are right up to the first fault, and the first value behind it bears its mark.
 */
CLP_INLINE CLP_A_WIDE clp_combine(CLP_A_WIDE a, CLP_A_WIDE b, bool checked) {
#if CLP_REPORTS
    if (!checked) return clp_op_unchecked_wide(a, b);
#endif
    return clp_op_wide(a, b);
}

/* The identity in all lanes, hidden from the compiler: what it makes of shuffles with known lanes
 * can be slow (on a Zen 5, vpexpandq waits for the former contents of its target). */
CLP_INLINE CLP_A_WIDE clp_hidden_identity(void) {
#if CLP_EXACT_IDENTITY
    volatile CLP_A_WIDE hidden = (CLP_A_WIDE)(CLP_IDENTITY);
    return hidden;
#else
    return (CLP_A_WIDE)(0);
#endif
}

/* A step of the scan over a vector's lanes. Combining with the identity takes fewer instructions
 * than keeping the lowest lanes as they are. A macro, as swizzles are names of members. */
#if CLP_EXACT_IDENTITY
#define CLP_LANES_STEP(up, lowest, highest)                                                        \
    {                                                                                              \
        CLP_A_WIDE below = value.up;                                                               \
        below.lowest = none.highest;                                                               \
        value = clp_combine(below, value, checked);                                                \
    }
#else
#define CLP_LANES_STEP(up, lowest, highest)                                                        \
    {                                                                                              \
        CLP_A_WIDE next = clp_combine(value.up, value, checked);                                   \
        next.lowest = value.lowest;                                                                \
        value = next;                                                                              \
    }
#endif

/* Inclusive scan over the lanes. */
CLP_INLINE CLP_A_WIDE clp_lanes_scan(CLP_A_WIDE value, CLP_A_WIDE none, bool checked) {
    CLP_LANES_STEP(CLP_UP_1, s0, CLP_LAST_LANE)
#if CLP_SIMD > 8
    CLP_LANES_STEP(CLP_UP_2, s01, sef)
    CLP_LANES_STEP(CLP_UP_4, s0123, scdef)
    CLP_LANES_STEP(CLP_UP_8, lo, hi)
#else
    CLP_LANES_STEP(CLP_UP_2, s01, s67)
    CLP_LANES_STEP(CLP_UP_4, s0123, s4567)
#endif
    return value;
}

/* The outputs of a vector, from what comes before it and its lanes' inclusive scan. */
CLP_INLINE CLP_A_WIDE clp_lanes_result(CLP_A_WIDE before, CLP_A_WIDE scanned, CLP_A_WIDE none) {
#if CLP_INCLUSIVE
    return clp_combine(before, scanned, false);
#elif CLP_EXACT_IDENTITY
    CLP_A_WIDE below = scanned.CLP_UP_1;
    below.s0 = none.CLP_LAST_LANE;
    return clp_combine(before, below, false);
#else
    CLP_A_WIDE result = clp_op_wide(before, scanned.CLP_UP_1);
    result.s0 = before.s0;
    return result;
#endif
}

#define CLP_REDUCED_ROW (4 * CLP_SIMD)

#if CLP_EXACT_IDENTITY
/* The aggregate of the tile's whole rows, at least one; *at gets the first item behind them. Four
 * vectors side by side, whose lanes are combined at the end. */
CLP_INLINE CLP_A clp_rows_reduce(const clp_tile *tile, uint *at) {
    const uint row = CLP_REDUCED_ROW;
    CLP_A_WIDE a = clp_tile_vector(tile, 0);
    CLP_A_WIDE b = clp_tile_vector(tile, CLP_SIMD);
    CLP_A_WIDE c = clp_tile_vector(tile, 2 * CLP_SIMD);
    CLP_A_WIDE d = clp_tile_vector(tile, 3 * CLP_SIMD);
    uint i = row;
    for (; i + row <= tile->loaded; i += row) {
        a = clp_op_wide(a, clp_tile_vector(tile, i));
        b = clp_op_wide(b, clp_tile_vector(tile, i + CLP_SIMD));
        c = clp_op_wide(c, clp_tile_vector(tile, i + 2 * CLP_SIMD));
        d = clp_op_wide(d, clp_tile_vector(tile, i + 3 * CLP_SIMD));
    }
    *at = i;
    const CLP_A_WIDE all = clp_op_wide(clp_op_wide(a, b), clp_op_wide(c, d));
    return clp_lanes_scan(all, clp_hidden_identity(), true).CLP_LAST_LANE;
}
#else
/* The same, with the lanes combined after each row: one lane's elements through a whole tile may
 * overflow where the factors of a row cancel each other, as 2 and 0.5 in turn do. */
CLP_INLINE CLP_A clp_rows_reduce(const clp_tile *tile, uint *at) {
    const uint row = CLP_REDUCED_ROW;
    CLP_A total = 0;
    uint i = 0;
    for (; i + row <= tile->loaded; i += row) {
        const CLP_A_WIDE ab =
            clp_op_wide(clp_tile_vector(tile, i), clp_tile_vector(tile, i + CLP_SIMD));
        const CLP_A_WIDE cd = clp_op_wide(clp_tile_vector(tile, i + 2 * CLP_SIMD),
                                          clp_tile_vector(tile, i + 3 * CLP_SIMD));
        const CLP_A part = clp_lanes_scan(clp_op_wide(ab, cd), (CLP_A_WIDE)(0), true).CLP_LAST_LANE;
        total = i == 0 ? part : clp_op(total, part);
    }
    *at = i;
    return total;
}
#endif

/* Sets tile->total, unless the tile is empty. */
static inline void clp_tile_reduce(clp_tile *tile, local CLP_A *exchange) {
    if (tile->count == 0) return;
    uint i = 1;
    CLP_A total =
        tile->loaded >= CLP_REDUCED_ROW ? clp_rows_reduce(tile, &i) : clp_tile_item(tile, 0);
    for (; i < tile->count; i++) total = clp_op(total, clp_tile_item(tile, i));
    tile->total = total;
}

/* Scans whole vectors from item *at on onto the running value. Vectors that bypass the caches must
 * be aligned. Returns the next running value. Behind a fault it and the outputs are wrong, except
 * that it bears the fault's mark. */
CLP_INLINE CLP_A clp_vectors_store(const clp_tile *whole, uint *at, CLP_A running, bool streams,
                                   global CLP_OUT *to) {
    /* Copies: the compiler knows that no store changes them. */
    const clp_io io = *whole->io;
    clp_tile copy = *whole;
    copy.io = &io;
    const clp_tile *tile = &copy;
    const CLP_A_WIDE none = clp_hidden_identity();
    CLP_A_WIDE before = (CLP_A_WIDE)(running);
#if CLP_REPORTS
    CLP_A_WIDE met = before;
#endif
    uint i = *at;
    for (; i + CLP_SIMD <= tile->loaded; i += CLP_SIMD) {
        const CLP_A_WIDE items = clp_tile_vector(tile, i);
        const CLP_A_WIDE scanned = clp_lanes_scan(items, none, false);
        clp_tile_fetch(tile, i);
        const CLP_A_WIDE result = clp_lanes_result(before, scanned, none);
        before = clp_combine(before, (CLP_A_WIDE)(scanned.CLP_LAST_LANE), false);
#if CLP_REPORTS
        met |= items | result;
#endif
        if (streams) {
            clp_stream(CLP_STORED_WIDE(result), (global CLP_OUT_WIDE *)(to + i));
        } else {
            ((global clp_loose_out *)(to + i))->vector = CLP_STORED_WIDE(result);
        }
    }
    *at = i;
#if CLP_REPORTS
    return before.s0 | clp_fault_among(met | before);
#else
    return before.s0;
#endif
}

/* Returns the running value behind the tile. */
static inline CLP_A clp_tile_scan(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                  const clp_io *io) {
    global CLP_OUT *to = io->out + tile->first;
    const bool in_place = (const global void *)io->out == (const global void *)io->in;
    const bool is_aligned = (ulong)to % sizeof(CLP_OUT) == 0;
    const bool streams = tile->streams && !in_place && is_aligned;
    const uint unaligned = (uint)(-(ulong)to & (sizeof(CLP_OUT_WIDE) - 1)) / sizeof(CLP_OUT);
    uint head = streams ? unaligned : 0;
    if (!has_prefix && head == 0) head = CLP_SIMD;
    CLP_A running = prefix;
    uint i = 0;
    for (; i < min(head, tile->count); i++) {
        running = clp_item_store(tile, i, running, has_prefix, to);
        has_prefix = true;
    }
    if (streams) {
        running = clp_vectors_store(tile, &i, running, true, to);
    } else {
        running = clp_vectors_store(tile, &i, running, false, to);
    }
    for (; i < tile->count; i++) running = clp_item_store(tile, i, running, true, to);
    return running;
}

#else
/* ---- One at a time, in chains ---- */

/* Unrolled here: an array that a loop indexes is not in registers. */
#define CLP_EACH_CHAIN(step) step(0) step(1) step(2) step(3)

/* Sets tile->total and the parts' aggregates, unless the tile is empty. */
static inline void clp_tile_reduce(clp_tile *tile, local CLP_A *exchange) {
    const uint length = tile->count / CLP_CHAINS;
    if (tile->count == 0) return;
    CLP_A total;
    uint i = 1;
    if (length == 0) {
        total = clp_tile_item(tile, 0);
    } else {
        CLP_A part[CLP_CHAINS];
#define CLP_BEGIN(k) part[k] = clp_tile_item(tile, k * length);
        CLP_EACH_CHAIN(CLP_BEGIN)
#define CLP_ADD(k) part[k] = clp_op(part[k], clp_tile_item(tile, k * length + i));
        for (; i < length; i++) {
            CLP_EACH_CHAIN(CLP_ADD)
        }
#define CLP_KEEP(k) tile->part[k] = part[k];
        CLP_EACH_CHAIN(CLP_KEEP)
        total = clp_op(clp_op(part[0], part[1]), clp_op(part[2], part[3]));
        i = CLP_CHAINS * length;
    }
    for (; i < tile->count; i++) total = clp_op(total, clp_tile_item(tile, i));
    tile->total = total;
}

static inline CLP_A clp_tile_scan(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                  const clp_io *io) {
    global CLP_OUT *to = io->out + tile->first;
    const uint length = tile->count / CLP_CHAINS;
    CLP_A last = prefix;
    if (length > 0) {
        CLP_A running[CLP_CHAINS];
        running[0] = prefix;
        running[1] = has_prefix ? clp_op(prefix, tile->part[0]) : tile->part[0];
        running[2] = clp_op(running[1], tile->part[1]);
        running[3] = clp_op(running[2], tile->part[2]);
#define CLP_STEP(k, has_running)                                                                   \
    running[k] = clp_item_store(tile, k * length + i, running[k], has_running, to);
#define CLP_FIRST(k) CLP_STEP(k, has_prefix || k > 0)
#define CLP_FURTHER(k) CLP_STEP(k, true)
        uint i = 0;
        CLP_EACH_CHAIN(CLP_FIRST)
        for (i = 1; i < length; i++) {
            CLP_EACH_CHAIN(CLP_FURTHER)
        }
        last = running[CLP_CHAINS - 1];
        has_prefix = true;
    }
    for (uint i = CLP_CHAINS * length; i < tile->count; i++) {
        last = clp_item_store(tile, i, last, has_prefix, to);
        has_prefix = true;
    }
    return last;
}
#endif

static inline CLP_A clp_tile_reduce_single(const clp_io *io, ulong number, ulong n,
                                           local CLP_A *exchange) {
    clp_tile tile = clp_tile_load(io, number, n);
    clp_tile_reduce(&tile, exchange);
    return tile.total;
}

static inline void clp_tile_store(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                  const clp_io *io) {
#if CLP_REPORTS
    clp_report_segment(io, tile->first, tile->loaded, tile->loaded < tile->count, prefix,
                       clp_op(prefix, tile->total));
#endif
    clp_tile_scan(tile, prefix, has_prefix, io);
}
