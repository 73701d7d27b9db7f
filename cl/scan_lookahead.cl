/* SPDX-License-Identifier: MIT */
/* The scan in one pass by look-ahead: what the ring's tiles are read, reduced and scanned by. */

/* ---- Stages as tiles ---- */

/* A tile in a stage: where its elements stand, and whether all of them do, aligned. */
typedef struct clp_staged {
    const local uint4 *data;
    uint shift; /* bytes before the first element */
    ulong first;
    uint count;
    bool whole;
} clp_staged;

static inline clp_staged clp_stage(const clp_job *job, const local clp_ring *ring, uint stage,
                                   uint number) {
    clp_staged staged;
    staged.data = ring->data[stage];
    staged.shift = CLP_HAS_INPUT ? (uint)(ulong)job->in & 15 : 0;
    staged.first = (ulong)number * CLP_TILE;
    staged.count = clp_count_in(job, number);
    staged.whole = CLP_E_IN_CHUNKS && staged.shift == 0 && staged.count == CLP_TILE;
    return staged;
}

/* The lane's vector of that row and segment, element by element; padding past the end. */
static inline void clp_read_vector(const clp_staged *staged, uint segment, uint row,
                                   CLP_A item[CLP_VEC]) {
    const uint start = segment * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
#if CLP_HAS_INPUT
    const local uchar *bytes = (const local uchar *)staged->data + staged->shift;
    const local CLP_E *from = (const local CLP_E *)bytes + start;
#endif
    for (uint j = 0; j < CLP_VEC; j++) {
        item[j] = clp_padding();
        if (start + j >= staged->count) continue;
#if CLP_HAS_INPUT
        item[j] = clp_input(from[j], staged->first + start + j);
#else
        item[j] = clp_input(staged->first + start + j);
#endif
    }
}

#if CLP_E_IN_CHUNKS
static inline void clp_read_chunks(const clp_staged *staged, uint segment, uint row,
                                   CLP_A item[CLP_VEC]) {
    const uint start = segment * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
    clp_in_vector vector;
    for (uint c = 0; c < CLP_E_CHUNKS; c++) {
        vector.chunk[c] = staged->data[start / CLP_VEC * CLP_E_CHUNKS + c];
    }
    for (uint j = 0; j < CLP_VEC; j++) {
        item[j] = clp_input(vector.element[j], staged->first + start + j);
    }
}
#else
#define clp_read_chunks clp_read_vector
#endif

/* ---- Reducers ---- */

/* Combines a full segment, or a padded one, by one sub-group; every lane gets it. */
static inline CLP_A clp_reduce_segment(const clp_staged *staged, uint segment,
                                       local CLP_A *exchange) {
    CLP_A item[CLP_ROWS][CLP_VEC];
    CLP_A total;
#define CLP_FETCH_CHUNKS(r) clp_read_chunks(staged, segment, r, item[r]);
#define CLP_FETCH_ROW(r) clp_read_vector(staged, segment, r, item[r]);
    if (staged->whole) {
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
    return clp_shuffle(total, CLP_SUBGROUP - 1, exchange);
}

static inline void clp_reduce_tiles(const clp_job *job, local clp_ring *ring,
                                    local CLP_A *exchange) {
    const uint reducer = clp_subgroup_number() - CLP_SCANNERS;
    const uint lane = clp_lane();
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        clp_gate_wait(&ring->full[at.stage], at.parity); /* opened by the loader */
        const uint number = ring->number[at.stage];
        if (number >= job->tiles) return;
        const clp_staged staged = clp_stage(job, ring, at.stage, number);
        for (uint s = reducer; s < CLP_SCANNERS; s += CLP_REDUCERS) {
            if (!clp_is_whole(s, staged.count)) break;
            const CLP_A sum = clp_reduce_segment(&staged, s, exchange);
            if (lane == 0) ring->segment[at.stage][s] = sum;
        }
        CLP_CREW_BARRIER(1, CLP_REDUCERS); /* segments above, read below by the first reducer */
        if (reducer == 0) {
            const CLP_A own = ring->segment[at.stage][min(lane, CLP_SCANNERS - 1u)];
            const bool real = lane < CLP_SCANNERS && clp_is_whole(lane, staged.count);
            const CLP_A scanned = clp_subgroup_scan(own, real, exchange);
            const clp_look look = {job->state, job->run, job->start, job->in, job->n};
            if (lane == CLP_SCANNERS - 1 && number + 1 < job->tiles) {
                clp_publish_value(&look, number, CLP_AGGREGATE, scanned);
            }
            const CLP_A lower = clp_shuffle_up(scanned, 1, exchange);
            if (lane < CLP_SCANNERS) ring->segment[at.stage][lane] = lower;
            clp_subgroup_barrier(); /* segments above, before the arrival of lane 0 */
            if (lane == 0) clp_gate_arrive(&ring->reduced[at.stage]); /* the scanners wait */
        }
    }
}

/* ---- Scanners ---- */

static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number();
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        clp_gate_wait(&ring->full[at.stage], at.parity); /* opened by the loader */
        const uint number = ring->number[at.stage];
        if (number >= job->tiles) return;
        const clp_staged staged = clp_stage(job, ring, at.stage, number);
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
        clp_tile_store(&tile, prefix, has_prefix, job->out);
    }
}

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_scan_lookahead(const global CLP_E *in, ulong in_first, global CLP_OUT *out,
                        ulong out_first, ulong n, CLP_A start, volatile global ulong *state,
                        volatile global uint *tickets, uint run) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    const uint tiles = (uint)((n + CLP_TILE - 1) / CLP_TILE);
    const clp_job job = {in + in_first, out + out_first, n, tiles, start, state, run};
    if (get_local_id(0) == 0) {
        for (uint s = 0; s < CLP_STAGES; s++) {
            clp_gate_set(&ring.taken[s], 1);
            clp_gate_set(&ring.full[s], 1);
            clp_gate_set(&ring.reduced[s], 1);
            clp_gate_set(&ring.prefixed[s], 1);
            clp_gate_set(&ring.empty[s], CLP_SCANNERS);
        }
        clp_gates_are_set();
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* gates set above, used below */
    const uint subgroup = clp_subgroup_number();
    if (subgroup < CLP_SCANNERS) {
        clp_scan_tiles(&job, &ring, exchange);
    } else if (subgroup < CLP_LOOKER) {
        clp_reduce_tiles(&job, &ring, exchange);
    } else if (subgroup == CLP_LOOKER) {
        clp_look_for_tiles(&job, &ring, exchange);
    } else if (clp_lane() == 0) {
        clp_load_tiles(&job, tickets, &ring);
    }
}
