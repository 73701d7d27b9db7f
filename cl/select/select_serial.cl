/* SPDX-License-Identifier: MIT */
/*
 * The kernel of selection for CPUs, by decoupled look-back (lookback.cl) or by levels (levels.cl).
 * One work-item compacts a tile that fits its core's cache, finds the number of kept elements
 * before the tile, and copies the compacted tile to the output. There is no barrier.
 *
 * Local memory: the compacted tile. With look-back the tile is read before its aggregate is
 * published, so the output may overwrite the input.
 *
 * Steps for each array are macros, because the array's number is a part of the names of its type
 * and members.
 *
 * A work-item waits only for tiles with lower tickets, whose work-items have started (lookback.cl).
 * By levels, nobody waits.
 */
#define CLP_TILE (CLP_ROWS * CLP_VEC)

/* The aggregate of a full tile, for the fallback of lookback.cl. */
static inline CLP_A clp_tile_reduce_single(const clp_io *io, ulong number, ulong n,
                                           local CLP_A *exchange) {
    uint count = 0;
    ulong behind = 0;
    for (uint k = 0; k < CLP_TILE; k++) {
        const ulong i = number * CLP_TILE + k;
        if (!clp_keeps(io, i)) continue;
        behind = i + 1;
        count++;
    }
    return clp_kept(count, behind);
}

/* The compacted tile. A partition's rejected elements are at the end, the last one first: their
 * first position is not known before the tile is counted. */
#define CLP_STAGED_ARRAY(k) clp_t##k array##k[CLP_TILE];

typedef struct clp_staged {
#if CLP_VALUES
    CLP_EACH_ARRAY(CLP_STAGED_ARRAY)
#endif
#if CLP_PLACES
    ushort place[CLP_TILE]; /* positions in the tile of the kept elements */
#endif
    CLP_A exchange[CLP_EXCHANGE];
} clp_staged;

/* Stages element j of the tile and returns the new number of kept elements. The store needs no
 * branch: if the element is not kept, the next one overwrites it. */
static inline uint clp_stage_element(const clp_io *io, ulong first, uint j, uint kept,
                                     local clp_staged *staged) {
    const bool keeps = clp_keeps(io, first + j);
    CLP_ASSERT(kept <= j && j < CLP_TILE);
#define CLP_STAGE_KEPT(k) staged->array##k[kept] = io->in##k[first + j];
#define CLP_STAGE_EITHER(k)                                                                        \
    staged->array##k[keeps ? kept : CLP_TILE - 1 - (j - kept)] = io->in##k[first + j];
#if CLP_PARTITION
    CLP_EACH_ARRAY(CLP_STAGE_EITHER)
#elif CLP_VALUES
    CLP_EACH_ARRAY(CLP_STAGE_KEPT)
#endif
#if CLP_PLACES
    staged->place[kept] = (ushort)j;
#endif
    return kept + keeps;
}

#define CLP_BLOCK 32
#define CLP_LEAD_BLOCK 256

/* A tile of which all elements are kept is copied from input to output and not staged. Where bits
 * decide, finding tiles of one answer takes as long as it saves. */
#define CLP_LEADS (CLP_VALUES && !CLP_PLACES && !CLP_PARTITION && !CLP_BY_BITS)

/* Stages a block. Often all or none of its elements are kept, and compilers vectorize the loops for
 * these two cases. */
static inline uint clp_stage_block(const clp_io *io, ulong first, uint j, uint kept,
                                   local clp_staged *staged) {
    uint some = 0;
    CLP_ASSERT(kept <= j && j + CLP_BLOCK <= CLP_TILE);
    for (uint q = 0; q < CLP_BLOCK; q++) some += clp_keeps_later(io, first + j + q);
    if (!CLP_PARTITION && some == 0) return kept;
    if (!CLP_PARTITION && some == CLP_BLOCK) {
#define CLP_STAGE_BLOCK(k)                                                                         \
    for (uint q = 0; q < CLP_BLOCK; q++) staged->array##k[kept + q] = io->in##k[first + j + q];
#if CLP_VALUES
        CLP_EACH_ARRAY(CLP_STAGE_BLOCK)
#endif
#if CLP_PLACES
        for (uint q = 0; q < CLP_BLOCK; q++) staged->place[kept + q] = (ushort)(j + q);
#endif
        return kept + CLP_BLOCK;
    }
    for (uint q = 0; q < CLP_BLOCK; q++) kept = clp_stage_element(io, first, j + q, kept, staged);
    return kept;
}

/* Returns a number of elements at the tile's start that are all kept; the tile's count if all of
 * its elements are kept. */
static inline uint clp_lead(const clp_io *io, ulong first, uint count) {
    uint lead = 1;
    if (count == 0 || !clp_keeps(io, first)) return 0;
    while (lead < count) {
        const uint end = min(lead + CLP_LEAD_BLOCK, count);
        uint some = 0;
        for (uint j = lead; j < end; j++) some += clp_keeps_later(io, first + j);
        if (some < end - lead) return lead;
        lead = end;
    }
    return lead;
}

/* Whether no array's output overlaps its input. Only then may a tile be read again after its
 * aggregate is published. */
static inline bool clp_is_disjoint(const clp_io *io, ulong n) {
    bool disjoint = true;
#define CLP_AND_DISJOINT(k)                                                                        \
    disjoint = disjoint && ((ulong)(io->out##k + n) <= (ulong)io->in##k ||                         \
                            (ulong)(io->in##k + n) <= (ulong)io->out##k);
    CLP_EACH_ARRAY(CLP_AND_DISJOINT)
    return disjoint;
}

#if CLP_LEADS
typedef struct __attribute__((packed)) clp_loose_line {
    ulong8 line;
} clp_loose_line;

/* Copies with stores that bypass the caches, for arrays larger than these. OpenCL C has no
 * non-temporal store; Clang has a builtin. */
static inline void clp_copy_lines(global uchar *to, const global uchar *from, uint bytes) {
    const uint head = min(bytes, (uint)(-(ulong)to & 63)), tail = head + (bytes - head) / 64 * 64;
    for (uint b = 0; b < head; b++) to[b] = from[b];
    for (uint b = head; b < tail; b += 64) {
        const ulong8 line = ((const global clp_loose_line *)(from + b))->line;
#if defined(__clang__)
        __builtin_nontemporal_store(line, (global ulong8 *)(to + b));
#else
        *(global ulong8 *)(to + b) = line;
#endif
    }
    for (uint b = tail; b < bytes; b++) to[b] = from[b];
}
#endif

/* Compacts the tile and returns the number of kept elements. The first `lead` elements are known to
 * be kept. Element 0 is taken alone, since clp_keeps_later does not serve the array's first. */
static inline uint clp_stage_tile(const clp_io *io, ulong first, uint count, uint lead,
                                  local clp_staged *staged) {
    uint kept = lead, j = lead;
#define CLP_STAGE_LEAD(k)                                                                          \
    for (uint q = 0; q < lead; q++) staged->array##k[q] = io->in##k[first + q];
#if CLP_LEADS
    CLP_EACH_ARRAY(CLP_STAGE_LEAD)
#endif
    for (; j < min(count, 1u); j++) kept = clp_stage_element(io, first, j, kept, staged);
    for (; j + CLP_BLOCK <= count; j += CLP_BLOCK) {
        kept = clp_stage_block(io, first, j, kept, staged);
    }
    for (; j < count; j++) kept = clp_stage_element(io, first, j, kept, staged);
    return kept;
}

#define CLP_COPY_KEPT(k)                                                                           \
    for (uint q = 0; q < fitting; q++) io.out##k[at + q] = staged.array##k[q];
#define CLP_COPY_ALL(k)                                                                            \
    if (n >= CLP_STREAM_N) {                                                                       \
        clp_copy_lines((global uchar *)(io.out##k + at), (const global uchar *)(io.in##k + first), \
                       fitting * sizeof(clp_t##k));                                                \
    } else {                                                                                       \
        for (uint q = 0; q < fitting; q++) io.out##k[at + q] = io.in##k[first + q];                \
    }
#define CLP_COPY_REJECTED(k)                                                                       \
    for (uint q = 0; q < count - kept; q++) {                                                      \
        io.out##k[io.total + first - at + q] = staged.array##k[CLP_TILE - 1 - q];                  \
    }

CLP_KERNEL(CLP_GROUP)
void clp_select_serial(CLP_IO_PARAMETERS, ulong most_n, volatile global ulong *state,
                       volatile global uint *tickets,
                       uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_staged staged;
    CLP_SET_IO
    const ulong n = clp_read_count(most_n, counted, counted_first, io.result);
    if (clp_is_idle(n, CLP_TILE)) return;
    const uint number = clp_take_ticket(tickets, n, CLP_TILE);
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    const uint lead = CLP_LEADS ? clp_lead(&io, first, count) : 0;
    const bool all = CLP_LEADS && lead == count && clp_is_disjoint(&io, n);
    const uint kept = all ? count : clp_stage_tile(&io, first, count, lead, &staged);
    ulong behind = 0;
#if CLP_LENGTHS
    if (kept > 0) behind = first + staged.place[kept - 1] + 1;
#endif
    const clp_look look = {state, run, clp_padding(), &io, n};
    const CLP_A own = clp_kept(kept, behind);
    const CLP_A before = clp_look_back(&look, number, own, staged.exchange);
#if CLP_FALLBACK
    /* The status is published before the output may overwrite the input. Partner: the fence of a
     * work-item that falls back. */
    clp_device_fence();
#endif
#if CLP_BY_LEVELS
    if (run == CLP_REDUCES) return;
#endif
    const ulong at = clp_count_of(before);
#if CLP_VALUES
    const uint fitting = clp_fitting(&io, at, kept);
#if CLP_LEADS
    if (all) {
        CLP_EACH_ARRAY(CLP_COPY_ALL)
    }
#endif
    if (!all) {
        CLP_EACH_ARRAY(CLP_COPY_KEPT)
    }
#endif
#if CLP_PARTITION
    CLP_EACH_ARRAY(CLP_COPY_REJECTED)
#endif
#if CLP_PLACES
    for (uint k = 0; k < kept; k++) clp_place_out(&io, first, staged.place, k, at + k, before);
#endif
    if (first + count == n) clp_write_count(&io, n, clp_op(before, own));
}
