/* SPDX-License-Identifier: MIT */
/* The scan in one pass by look-ahead: how the ring's stages are filled, read, reduced and scanned.
 * Each input array has a region of the stage. */

/* ---- Stages as tiles ---- */

#if CLP_INPUTS > 0
/* Starts the copy of one input; the region gets what stands at multiples of 16 bytes. */
static inline void clp_fetch_region(local ulong *gate, local uint4 *region, ulong from, ulong end) {
    const ulong aligned = from & ~15ul;
    clp_gate_copy(gate, region, (const global void *)aligned, (uint)(end - aligned));
}

static inline ulong clp_region_end(const global CLP_E *from, uint count) {
    return ((ulong)(from + count) + 15) & ~15ul;
}
#endif

static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, local ulong *gate,
                                  local uint4 *stage) {
    const clp_tile tile = clp_tile_at(number, n);
#if CLP_INPUTS > 0
    if (tile.loaded > 0) {
        const global CLP_E *in = io->in + tile.first;
        const ulong end = clp_region_end(in, tile.loaded);
        uint bytes = (uint)(end - ((ulong)in & ~15ul));
#if CLP_INPUTS == 2
        const global CLP_E *with = io->with + tile.first;
        const ulong with_end = clp_region_end(with, tile.loaded);
        bytes += (uint)(with_end - ((ulong)with & ~15ul));
#endif
        clp_gate_expect(gate, bytes);
        clp_fetch_region(gate, stage, (ulong)in, end);
#if CLP_INPUTS == 2
        clp_fetch_region(gate, stage + CLP_REGION_CHUNKS, (ulong)with, with_end);
#endif
        return;
    }
#endif
    clp_gate_arrive(gate);
}

/* A tile in a stage: where its elements stand, and whether all of them do, aligned. */
typedef struct clp_staged {
    const local uint4 *data;
    const local CLP_E *in;
    const local CLP_E *with;
    ulong first;
    uint loaded;
    bool whole;
} clp_staged;

static inline const local CLP_E *clp_region(const local uint4 *region, const global CLP_E *from) {
    return (const local CLP_E *)((const local uchar *)region + ((ulong)from & 15));
}

static inline clp_staged clp_stage(const clp_io *io, const local uint4 *stage, uint number,
                                   ulong n) {
    const clp_tile tile = clp_tile_at(number, n);
    clp_staged staged;
    staged.data = stage;
    staged.first = tile.first;
    staged.loaded = tile.loaded;
    staged.whole = CLP_E_IN_CHUNKS && tile.loaded == CLP_TILE && clp_starts_with_chunk(io, 0);
#if CLP_INPUTS > 0
    staged.in = clp_region(stage, io->in);
#endif
#if CLP_INPUTS == 2
    staged.with = clp_region(stage + CLP_REGION_CHUNKS, io->with);
#endif
    return staged;
}

/* The lane's vector of that row and segment, element by element; padding past the end. */
static inline void clp_read_vector(const clp_staged *staged, uint segment, uint row,
                                   CLP_A item[CLP_VEC]) {
    const uint start = segment * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
    for (uint j = 0; j < CLP_VEC; j++) {
        const uint k = start + j;
        item[j] = clp_padding();
        if (k >= staged->loaded) continue;
#if CLP_INPUTS == 2
        item[j] = clp_input(staged->in[k], staged->with[k], staged->first + k);
#elif CLP_INPUTS == 1
        item[j] = clp_input(staged->in[k], staged->first + k);
#else
        item[j] = clp_input(staged->first + k);
#endif
    }
}

#if CLP_E_IN_CHUNKS
static inline clp_in_vector clp_staged_vector(const local uint4 *region, uint start) {
    clp_in_vector vector;
    for (uint c = 0; c < CLP_E_CHUNKS; c++) {
        vector.chunk[c] = region[start / CLP_VEC * CLP_E_CHUNKS + c];
    }
    return vector;
}

static inline void clp_read_chunks(const clp_staged *staged, uint segment, uint row,
                                   CLP_A item[CLP_VEC]) {
    const uint start = segment * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
    const clp_in_vector in = clp_staged_vector(staged->data, start);
#if CLP_INPUTS == 2
    const clp_in_vector with = clp_staged_vector(staged->data + CLP_REGION_CHUNKS, start);
    clp_items_of(&in, &with, staged->first + start, item);
#else
    clp_items_of(&in, &in, staged->first + start, item);
#endif
}
#else
#define clp_read_chunks clp_read_vector
#endif

/* ---- Reducers ---- */

static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange) {
    const clp_staged staged = clp_stage(job->io, ring->data[stage], ring->number[stage], job->n);
    CLP_A item[CLP_ROWS][CLP_VEC];
    CLP_A total;
#define CLP_FETCH_CHUNKS(r) clp_read_chunks(&staged, segment, r, item[r]);
#define CLP_FETCH_ROW(r) clp_read_vector(&staged, segment, r, item[r]);
    if (staged.whole) {
        CLP_EACH_ROW(CLP_FETCH_CHUNKS)
    } else {
        CLP_EACH_ROW(CLP_FETCH_ROW)
    }
#define CLP_ADD_ROW(r)                                                                             \
    {                                                                                              \
        CLP_A sum = item[r][0];                                                                    \
        for (uint j = 1; j < CLP_VEC; j++) sum = clp_op(sum, item[r][j]);                          \
        if (!CLP_COMMUTATIVE) sum = clp_subgroup_scan(sum, true, exchange);                        \
        total = r == 0 ? sum : clp_op(total, sum);                                                 \
    }
    CLP_EACH_ROW(CLP_ADD_ROW)
    if (CLP_COMMUTATIVE) total = clp_subgroup_scan(total, true, exchange);
    return total;
}

/* ---- Scanners ---- */

static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number();
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        clp_gate_wait(&ring->full[at.stage], at.parity); /* opened by the loader */
        const uint number = ring->number[at.stage];
        if (number >= job->tiles) return;
        const clp_staged staged = clp_stage(job->io, ring->data[at.stage], number, job->n);
        clp_tile tile = clp_tile_at(number, job->n);
#define CLP_TAKE_CHUNKS(r) clp_read_chunks(&staged, scanner, r, tile.item[r]);
#define CLP_TAKE_ROW(r) clp_read_vector(&staged, scanner, r, tile.item[r]);
        if (staged.whole) {
            CLP_EACH_ROW(CLP_TAKE_CHUNKS)
        } else {
            CLP_EACH_ROW(CLP_TAKE_ROW)
        }
        clp_tile_reduce(&tile, exchange);
        clp_gate_wait(&ring->reduced[at.stage], at.parity); /* opened by the first reducer */
        const CLP_A before = ring->segment[at.stage][scanner];
        clp_gate_wait(&ring->prefixed[at.stage], at.parity); /* opened by the looker */
        CLP_A prefix = ring->prefix[at.stage];
        clp_subgroup_barrier(); /* the stage is read above, given back below */
        if (clp_lane() == 0) clp_gate_arrive(&ring->empty[at.stage]); /* the loader waits */
        bool has_prefix = CLP_HAS_START || number > 0;
        if (scanner > 0 && clp_is_whole(scanner - 1, tile.count)) {
            prefix = has_prefix ? clp_op(prefix, before) : before;
            has_prefix = true;
        }
        clp_tile_store(&tile, prefix, has_prefix, job->io);
    }
}

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_scan_lookahead(CLP_IO_PARAMETERS, ulong n, CLP_A start, volatile global ulong *state,
                        volatile global uint *tickets, uint run) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    const clp_io io = CLP_IO;
    const clp_job job = {&io, n, clp_tiles_of(n), start, state, run};
    clp_look_ahead(&job, tickets, &ring, exchange);
}
