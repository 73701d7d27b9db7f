/* SPDX-License-Identifier: MIT */
/*
 * The look-ahead kernel of scan and offsets: how the ring's stages of lookahead.cl are filled,
 * read, reduced and scanned. Each input array has a region of the stage. A region starts at the
 * same place within 128 bytes as the tile in device memory, since the bulk copy moves multiples of
 * 16 bytes between multiples of 16.
 */

/* ---- Stages as tiles ---- */

#if CLP_INPUTS > 0
/* The chunk of the region where the copy of that address begins. */
static inline uint clp_region_chunk(ulong from) {
    return (uint)from % 128 / 16;
}

/* Starts the copy of one input, widened to multiples of 16 bytes. */
static inline void clp_fetch_region(bool ahead, local ulong *mbarrier, local uint4 *region,
                                    ulong from, ulong end) {
    const ulong aligned = from & ~15ul;
    clp_fetch(ahead, mbarrier, region + clp_region_chunk(from), (const global void *)aligned,
              (uint)(end - aligned));
}

static inline ulong clp_region_end(const global CLP_E *from, uint count) {
    return ((ulong)(from + count) + 15) & ~15ul;
}
#endif

static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, bool ahead,
                                  local ulong *mbarrier, local uint4 *stage) {
    const clp_tile tile = clp_tile_at(number, n);
    uint bytes = 0;
#if CLP_INPUTS > 0
    const global CLP_E *in = io->in + tile.first;
    const ulong end = clp_region_end(in, tile.loaded);
    bytes += (uint)(end - ((ulong)in & ~15ul));
#if CLP_INPUTS == 2
    const global CLP_E *with = io->with + tile.first;
    const ulong with_end = clp_region_end(with, tile.loaded);
    bytes += (uint)(with_end - ((ulong)with & ~15ul));
#endif
#endif
    if (tile.loaded == 0) bytes = 0;
    if (!ahead) clp_copies_expect(mbarrier, bytes);
#if CLP_INPUTS > 0
    if (bytes > 0) clp_fetch_region(ahead, mbarrier, stage, (ulong)in, end);
#endif
#if CLP_INPUTS == 2
    if (bytes > 0)
        clp_fetch_region(ahead, mbarrier, stage + CLP_REGION_CHUNKS, (ulong)with, with_end);
#endif
    if (!ahead) clp_copies_end(mbarrier);
}

/* A tile in a stage. */
typedef struct clp_staged {
    const clp_io *io;
    const local CLP_E *in;
    const local CLP_E *with;
    ulong first;
    uint loaded;
    bool aligned; /* its elements start at multiples of 16 bytes */
} clp_staged;

static inline const local CLP_E *clp_region(const local uint4 *region, const global CLP_E *from) {
    return (const local CLP_E *)((const local uchar *)region + ((ulong)from & 127));
}

static inline clp_staged clp_stage(const clp_io *io, const local uint4 *stage, uint number,
                                   ulong n) {
    const clp_tile tile = clp_tile_at(number, n);
    clp_staged staged;
    staged.io = io;
    staged.first = tile.first;
    staged.loaded = tile.loaded;
    staged.aligned = clp_starts_with_chunk(io, tile.first);
#if CLP_INPUTS > 0
    staged.in = clp_region(stage, io->in + tile.first);
#endif
#if CLP_INPUTS == 2
    staged.with = clp_region(stage + CLP_REGION_CHUNKS, io->with + tile.first);
#endif
    return staged;
}

/* Where the lane's vector of the row starts in the tile. A row lies across the lanes; if `own`,
 * each lane has a contiguous part of the segment instead. */
static inline uint clp_staged_start(uint segment, uint row, bool own) {
    if (own) return segment * CLP_SEGMENT + (clp_lane() * CLP_ROWS + row) * CLP_VEC;
    return segment * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
}

static inline CLP_A clp_staged_item(const clp_staged *staged, uint i) {
#if CLP_INPUTS == 2
    return clp_input(staged->in[i], staged->with[i], staged->first + i CLP_USER(staged->io));
#elif CLP_INPUTS == 1
    return clp_input(staged->in[i], staged->first + i CLP_USER(staged->io));
#else
    return clp_input(staged->first + i CLP_USER(staged->io));
#endif
}

/* Reads the lane's vector from element `start` on, element by element, with padding behind the end
 * of the input. */
static inline void clp_read_elements(const clp_staged *staged, uint start, clp_item *item) {
    clp_items_pad(item);
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if (start + j < staged->loaded) clp_items_set(item, j, clp_staged_item(staged, start + j));
    }
}

/* Reads a vector that is there as a whole. */
#if CLP_INPUTS > 0
static inline clp_in_vector clp_take_vector(const local CLP_E *region, uint start, bool aligned) {
    if (!aligned) return clp_vector_behind(region + start);
    clp_in_vector vector;
    const local clp_piece *pieces = (const local clp_piece *)(region + start);
    for (uint p = 0; p < CLP_PIECES; p++) vector.piece[p] = pieces[p];
    return vector;
}

static inline void clp_read_pieces(const clp_staged *staged, uint start, bool aligned,
                                   clp_item *item) {
    const clp_in_vector in = clp_take_vector(staged->in, start, aligned);
#if CLP_INPUTS == 2
    const clp_in_vector with = clp_take_vector(staged->with, start, aligned);
    clp_items_take(item, &in, &with, staged->io, staged->first + start);
#else
    clp_items_take(item, &in, staged->io, staged->first + start);
#endif
}
#else
static inline void clp_read_pieces(const clp_staged *staged, uint start, bool aligned,
                                   clp_item *item) {
    clp_read_elements(staged, start, item);
}
#endif

/* Reads the lane's vectors of a full segment. One test for all rows: a test in each row would keep
 * the loads from overlapping. */
CLP_INLINE void clp_read_rows(const clp_staged *staged, uint segment, bool own,
                              clp_item item[CLP_ROWS][CLP_ITEMS]) {
    if (staged->aligned) {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            clp_read_pieces(staged, clp_staged_start(segment, r, own), true, item[r]);
        }
    } else {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            clp_read_pieces(staged, clp_staged_start(segment, r, own), false, item[r]);
        }
    }
}

/* Reads the lane's vectors of a segment. whole: of a full one. Packed elements are read past the
 * end, within the region, and cut afterwards. */
CLP_INLINE void clp_read_segment(const clp_staged *staged, uint segment, bool own, bool whole,
                                 clp_item item[CLP_ROWS][CLP_ITEMS]) {
    if (CLP_PACKED || whole || (!CLP_GUARD && staged->loaded == CLP_TILE)) {
        clp_read_rows(staged, segment, own, item);
    } else {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            clp_read_elements(staged, clp_staged_start(segment, r, own), item[r]);
        }
    }
#if CLP_PACKED
    if (staged->loaded == CLP_TILE) return;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        clp_items_cut(item[r], clp_reach(staged->loaded, clp_staged_start(segment, r, own)));
    }
#endif
}

/* ---- Reducers ---- */

static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange) {
    const clp_staged staged =
        clp_stage(job->io, ring->data[clp_data_of(stage)], ring->number[stage], job->n);
    /* Where the order of operands counts, a lane's contiguous part takes one scan over the lanes
     * instead of one a row. With an even number of rows the lanes' parts would start in the same
     * banks of local memory. */
    const bool own = !CLP_COMMUTATIVE && CLP_ROWS % 2 == 1;
    clp_item item[CLP_ROWS][CLP_ITEMS];
    clp_read_segment(&staged, segment, own, CLP_GUARD, item); /* clp_is_whole */
    return clp_segment_sum(item, own, exchange);
}

/* ---- Scanners ---- */

/* Tells the loader that the scanner has read the stage. */
static inline void clp_give_back(local clp_ring *ring, uint slot) {
    clp_subgroup_barrier(); /* the stage is read above, given back below */
    if (clp_lane() == 0) clp_mbarrier_arrive(&ring->empty[slot]); /* the loader waits */
}

/* Scans tiles from *from on, and sets *from to where it ends. whole: up to the first tile that is
 * not full, so that no element need be tested. */
CLP_INLINE void clp_scan_from(const clp_job *job, local clp_ring *ring, clp_cursor *from,
                              bool whole, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number();
    clp_cursor at = *from;
    for (;; clp_advance(&at)) {
        CLP_ROLE_WAIT(
            2, CLP_SCANNERS, scanner == 0,
            clp_mbarrier_wait(&ring->full[at.stage], at.parity);) /* completed by the loader */
        const uint number = ring->number[at.stage];
        if (number >= job->tiles) break;
        const clp_staged staged =
            clp_stage(job->io, ring->data[clp_data_of(at.stage)], number, job->n);
        clp_tile tile = clp_tile_at(number, job->n);
#if CLP_GUARD
        if (whole && tile.count < CLP_TILE) break;
        tile.whole = whole;
#endif
        clp_read_segment(&staged, scanner, false, whole, tile.item);
        if (CLP_FREED_EARLY) clp_give_back(ring, at.stage);
        clp_tile_reduce(&tile, exchange);
        CLP_ROLE_WAIT(4, CLP_SCANNERS, scanner == 0, /* by the first reducer, and by look-back */
                      clp_mbarrier_wait(&ring->reduced[at.stage], at.parity);
                      clp_mbarrier_wait(&ring->prefixed[at.stage], at.parity);)
        const CLP_A before = ring->segment[at.stage][scanner];
        CLP_A prefix = ring->prefix[at.stage];
        if (!CLP_FREED_EARLY) clp_give_back(ring, at.stage);
        bool has_prefix = CLP_HAS_START || number > 0;
        if (scanner > 0 && clp_is_whole(scanner - 1, tile.count)) {
            prefix = has_prefix ? clp_op(prefix, before) : before;
            has_prefix = true;
        }
        clp_tile_store(&tile, prefix, has_prefix, job->io);
    }
    *from = at;
}

CLP_INLINE void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    clp_cursor at = {0, 0};
#if CLP_GUARD
    clp_scan_from(job, ring, &at, true, exchange);
#endif
    clp_scan_from(job, ring, &at, false, exchange);
}

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_scan_lookahead(CLP_IO_PARAMETERS, ulong most_n, CLP_A start, volatile global ulong *state,
                        volatile global uint *tickets,
                        uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    const clp_io io = CLP_IO;
    const ulong n = clp_read_count(most_n, counted, counted_first, io.report);
    const clp_job job = {&io, n, clp_tiles_of(n), start, state, run};
    clp_look_ahead(&job, tickets, &ring, exchange);
}
