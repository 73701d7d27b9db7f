/* SPDX-License-Identifier: MIT */
/*
 * Single-pass scan with persistent, role-specialised work-groups ("look-ahead"). One launch. Each
 * work-group stays resident and processes tiles until none is left. Its sub-groups have fixed roles
 * and share a ring of stages in local memory:
 *
 *   load       takes the next tile by ticket and starts its asynchronous copy into a free stage;
 *              where the device has no bulk copy, several sub-groups share the copy
 *   reduce     reduces each segment of the stage and publishes the tile's aggregate at once
 *   look-back  combines the aggregates of all predecessor tiles into the tile's exclusive prefix
 *   scan       keeps the elements in registers, frees the stage, applies the prefix, stores
 *
 * Source: decoupled look-back (Merrill and Garland 2016), of which only the aggregates are left.
 * Its chain of inclusive prefixes costs a wait at each tile; here the copies of later tiles are on
 * their way meanwhile. At 2^28 int32 on an H200 it reaches 0.97 of a copy, the best
 * look-back 0.87.
 *
 * Local memory: stages of input, and for each slot the tile's number, the aggregates of its
 * segments, its prefix, and five mbarriers: taken and full (by the loader), reduced (by the first
 * reducer), prefixed (by look-back), empty (by the scanners). Each role waits for the mbarriers of
 * the roles before it, and the loader for `empty` of the stage it is to fill: a cycle, but one that
 * starts with all stages free and that each role leaves with the first tile number beyond the last.
 *
 * Between work-groups only look-back waits, for aggregates. Work-groups publish aggregates only,
 * never inclusive prefixes, and a reducer publishes without waiting for look-back. So every wait
 * ends: take the lowest ticket whose tile is not published. Stages of its work-group are held by
 * lower tickets only, and all predecessors of these are published. Look-back finds their prefixes,
 * the scanners free their stages, and the tile is loaded, reduced and published.
 *
 * Look-back combines aggregates in fixed batches of CLP_BATCH tiles, each by the same tree. Float
 * results therefore do not depend on which work-group processed which tile.
 *
 * This file has the ring and what every primitive's roles share. How a stage is filled, reduced and
 * scanned is the primitive's part (lookahead_kernel.cl, select_lookahead.cl).
 */

/* Words of the state that a tile's aggregate takes. A 32-bit sum takes one, even if the running
 * value is wider. One instruction adds 32-bit sums across lanes. */
#define CLP_P_WORDS (CLP_WORD_SUMS ? 1 : CLP_A_WORDS)

#define CLP_LOOKBACK_SUBGROUP (CLP_SCANNERS + CLP_REDUCERS)
#define CLP_LOADER (CLP_LOOKBACK_SUBGROUP + 1)
#define CLP_BATCH (32 * CLP_UNITS)

/* A small ring frees a stage as soon as its data are read. The tile's number, aggregates and prefix
 * are needed for longer, so there are twice as many slots for them as stages. */
#define CLP_SLOTS (CLP_FREED_EARLY ? 2 * CLP_STAGES : CLP_STAGES)

typedef struct clp_ring {
    uint4 data[CLP_STAGES][CLP_STAGE_CHUNKS]; /* the primitive's clp_fetch_tile lays them out */
    ulong taken[CLP_SLOTS]; /* mbarrier completed by the loader with the ticket */
    ulong full[CLP_SLOTS]; /* by the loader's copy */
    ulong reduced[CLP_SLOTS]; /* by the first reducer */
    ulong prefixed[CLP_SLOTS]; /* by look-back */
    ulong empty[CLP_SLOTS]; /* by the scanners, and the first reducer if CLP_FREED_EARLY */
    uint number[CLP_SLOTS]; /* the tile's; `tiles` or more: there is no tile, and the role ends */
    CLP_A segment[CLP_SLOTS][CLP_SCANNERS]; /* aggregates, then the prefixes within the tile */
    CLP_A prefix[CLP_SLOTS]; /* of the tile */
#ifdef CLP_RING_MEMBERS
    CLP_RING_MEMBERS /* the primitive's own */
#endif
} clp_ring;

typedef struct clp_job {
    const clp_io *io;
    ulong n;
    uint tiles;
    CLP_A start;
    volatile global ulong *state; /* CLP_P_WORDS words a tile */
    uint run;
} clp_job;

/* A place in the ring, and the parity of the phase that its mbarriers are in. */
typedef struct clp_cursor {
    uint stage;
    uint parity;
} clp_cursor;

static inline void clp_advance(clp_cursor *at) {
    if (++at->stage == CLP_SLOTS) {
        at->stage = 0;
        at->parity ^= 1;
    }
}

/* The stage that has the data of a slot. */
static inline uint clp_data_of(uint slot) {
    return CLP_FREED_EARLY && slot >= CLP_STAGES ? slot - CLP_STAGES : slot;
}

/* Waits until the slot's stage is free. With twice as many slots as stages, the slot that had the
 * stage before is the one half a round away. Partners: the scanners and the first reducer. */
static inline void clp_wait_empty(local clp_ring *ring, const clp_cursor *at) {
    const bool later = CLP_FREED_EARLY && at->stage >= CLP_STAGES;
    const uint slot = CLP_FREED_EARLY && !later ? at->stage + CLP_STAGES : clp_data_of(at->stage);
    clp_mbarrier_wait(&ring->empty[slot], later ? at->parity : at->parity ^ 1);
}

/* The number of tiles: at least one, so that an empty input has a last tile too; none where the
 * number of elements is refused. */
static inline uint clp_tiles_of(ulong n) {
    if (n == CLP_REFUSED) return 0;
    return n == 0 ? 1 : (uint)((n + CLP_TILE - 1) / CLP_TILE);
}

static inline uint clp_count_in(const clp_job *job, uint number) {
    return (uint)min((ulong)CLP_TILE, job->n - (ulong)number * CLP_TILE);
}

/* Whether the operator may be called on the whole segment: all elements are real, or padding is the
 * identity. */
static inline bool clp_is_whole(uint segment, uint count) {
    return !CLP_GUARD || (segment + 1) * CLP_SEGMENT <= count;
}

/* ---- The primitive's part ---- */

/* Starts the copies of the tile into the stage; they complete the mbarrier. ahead: prefetches the
 * tile into the device's cache instead. */
static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, bool ahead,
                                  local ulong *mbarrier, local uint4 *stage);

static inline void clp_fetch(bool ahead, local ulong *mbarrier, local void *to,
                             const global void *from, uint bytes) {
    if (ahead) clp_fetch_ahead(from, bytes);
    if (!ahead) clp_copy(mbarrier, to, from, bytes);
}

/* Combines a full or padded segment by one sub-group. The last lane gets the result. */
static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange);

/* The scanners' loop. They wait for `full`, `reduced` and `prefixed`, and arrive at `empty` as soon
 * as they have read the stage. They end at a tile number of job->tiles or more. */
static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange);

/* ---- Loader ---- */

/*
 * The loaders' loop. tickets: zero before and after each run, shared by all loaders of the launch.
 * A loader asks for a ticket one tile ahead, as an atomic's answer takes long.
 * So each work-group asks once more than it has tiles; the last to ask resets the counter. If
 * CLP_COPIES_SHARED all work-items of the loaders come here, and a tile is brought into the
 * device's cache before there is a stage for it. Else one work-item does, and starts bulk copies.
 */
static inline void clp_load_tiles(const clp_job *job, volatile global uint *tickets,
                                  local clp_ring *ring) {
    const uint last = job->tiles + (uint)get_num_groups(0) - 1;
    const bool leads = get_local_id(0) == CLP_LOADER * CLP_SUBGROUP;
    uint number = leads ? atomic_inc(tickets) : 0;
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        if (leads) {
            clp_wait_empty(ring, &at);
            if (number == last) atomic_xchg(tickets, 0u);
            ring->number[at.stage] = number;
            clp_mbarrier_arrive(&ring->taken[at.stage]); /* look-back waits */
        }
#if CLP_COPIES_SHARED
        clp_subgroup_barrier(); /* the leading work-item comes last */
        CLP_ROLE_BARRIER(5, CLP_LOADERS); /* number written above by the leading one, read below */
#endif
        const uint tile = ring->number[at.stage];
        if (tile >= job->tiles) {
            clp_copies_expect(&ring->full[at.stage], 0);
            clp_copies_end(&ring->full[at.stage]);
            return;
        }
        if (leads && CLP_COPIES_SHARED) number = atomic_inc(tickets); /* beside the copy */
        clp_fetch_tile(job->io, tile, job->n, false, &ring->full[at.stage],
                       ring->data[clp_data_of(at.stage)]);
#if CLP_COPIES_SHARED
        const uint next = clp_shuffle_word(number, 0);
        const bool prefetches = clp_subgroup_number() == CLP_LOADER && next < job->tiles;
        if (prefetches) clp_fetch_tile(job->io, next, job->n, true, 0, 0);
#else
        number = atomic_inc(tickets);
#endif
#if CLP_BURST > 0
        clp_fetch_burst(job->io, tile, job->n);
#endif
    }
}

/* ---- Look-back ---- */

/* The combination of all tiles of the batches before `batch`, start included. It only grows: a
 * work-group's tickets do, so look-back folds each whole batch once. */
typedef struct clp_known {
    CLP_A value;
    uint batch;
} clp_known;

/*
 * A lane's part of a batch: CLP_UNITS tiles, of which the first `real` count. The tiles are
 * adjacent where order matters to the operator. Else they are 32 tiles apart, so that the loads of
 * adjacent lanes coalesce.
 */
typedef struct clp_part {
    ulong word[CLP_UNITS * CLP_P_WORDS];
    volatile global ulong *from;
    uint real;
} clp_part;

#define CLP_UNIT_STRIDE (CLP_COMMUTATIVE ? 32 : 1)

/* Sets *part to the lane's part of the batch's first `count` tiles. */
static inline void clp_part_of(clp_part *part, const clp_job *job, uint batch, uint count) {
    const uint first = clp_lane() * (CLP_COMMUTATIVE ? 1 : CLP_UNITS);
    const uint more = count > first ? (count - first - 1) / CLP_UNIT_STRIDE + 1 : 0;
    part->from = job->state + ((ulong)batch * CLP_BATCH + first) * CLP_P_WORDS;
    part->real = min(more, (uint)CLP_UNITS);
}

/* The lane whose part has the last of a batch's first `count` tiles. */
static inline uint clp_last_lane(uint count) {
    return (CLP_COMMUTATIVE ? min(count, 32u) : (count + CLP_UNITS - 1) / CLP_UNITS) - 1;
}

/* Where word w of a part stands in the state, from the part's first word on. */
static inline uint clp_part_word_at(uint w) {
    return w / CLP_P_WORDS * CLP_UNIT_STRIDE * CLP_P_WORDS + w % CLP_P_WORDS;
}

/* Loads the part: one access of CLP_LOAD_WORDS words a step. */
static inline void clp_part_observe(clp_part *part) {
#pragma unroll
    for (uint w = 0; w < CLP_UNITS * CLP_P_WORDS; w += CLP_LOAD_WORDS) {
#if CLP_LOAD_WORDS == 2
        const ulong2 pair = clp_observe_pair(part->from + clp_part_word_at(w));
        part->word[w] = pair.x;
        part->word[w + 1] = pair.y;
#else
        part->word[w] = clp_observe(part->from + clp_part_word_at(w));
#endif
    }
}

/* Whether the parts of all lanes are there: each word that counts bears the tag of this run. */
static inline bool clp_part_is_there(const clp_part *part, uint tag) {
    bool there = true;
    for (uint w = 0; w < CLP_UNITS * CLP_P_WORDS; w++) {
        const bool counts = w < part->real * CLP_P_WORDS;
        there = there && (!counts || (uint)(part->word[w] >> 32) == tag);
    }
    return clp_ballot(!there) == 0;
}

#if CLP_WORD_SUMS
/* In lookahead_sums.cl or select_heads.cl: the sum of the tiles of all lanes' parts. */
static inline CLP_A clp_part_total(const clp_part *part, uint batch);

/* In the same files: sums the segments' aggregates, of which each lane has one, and publishes the
 * tile's aggregate if asked to. Returns the sum of the segments before the lane's own. */
static inline CLP_A clp_publish_segments(const clp_look *look, uint number, bool publishes,
                                         CLP_A own, bool real);
#else
static inline CLP_A clp_part_value(const clp_part *part, uint unit) {
    clp_split split;
    for (uint w = 0; w < CLP_A_WORDS; w++) {
        split.words[w] = (uint)part->word[unit * CLP_A_WORDS + w];
    }
    return split.value;
}

static inline CLP_A clp_part_fold(const clp_part *part) {
    CLP_A value = clp_padding();
    if (part->real > 0) value = clp_part_value(part, 0);
#pragma unroll
    for (uint u = 1; u < CLP_UNITS; u++) {
        if (u < part->real) value = clp_op(value, clp_part_value(part, u));
    }
    return value;
}

/* A step of two scans over the lanes, of the caller's `a` and `b`. Both shuffles come first, so
 * that one waits beside the other. */
#define CLP_PAIR_STEP(distance)                                                                    \
    {                                                                                              \
        const CLP_A lower_a = clp_shuffle_up(a, distance, exchange);                               \
        const CLP_A lower_b = clp_shuffle_up(b, distance, exchange);                               \
        if (lane >= distance && real_a) a = clp_op(lower_a, a);                                    \
        if (lane >= distance && real_b) b = clp_op(lower_b, b);                                    \
    }
#endif

/*
 * If `whole`, folds batch known->batch into *known. Returns the combination of the first `rest`
 * tiles of the next batch (of known->batch itself unless `whole`). Both batches are polled and
 * scanned side by side: one alone would leave the sub-group waiting for loads and shuffles.
 * Partner: clp_publish_value or clp_publish_sum of the reducers of all work-groups.
 */
static inline CLP_A clp_fold_batches(const clp_job *job, clp_known *known, bool whole, uint rest,
                                     local CLP_A *exchange) {
    const uint tag = job->run << 2 | CLP_AGGREGATE;
    clp_part first, second;
    clp_part_of(&first, job, known->batch, whole ? CLP_BATCH : 0);
    clp_part_of(&second, job, known->batch + whole, rest);
    clp_part_observe(&first);
    clp_part_observe(&second);
    while (!clp_part_is_there(&first, tag)) clp_part_observe(&first);
    while (!clp_part_is_there(&second, tag)) clp_part_observe(&second);
#if CLP_WORD_SUMS
    const CLP_A a = clp_part_total(&first, known->batch);
    const CLP_A b = clp_part_total(&second, known->batch + whole);
#else
    const uint lane = clp_lane();
    CLP_A a = clp_part_fold(&first), b = clp_part_fold(&second);
    const bool real_a = first.real > 0, real_b = second.real > 0;
    CLP_PAIR_STEP(1)
    CLP_PAIR_STEP(2)
    CLP_PAIR_STEP(4)
    CLP_PAIR_STEP(8)
    CLP_PAIR_STEP(16)
    a = clp_shuffle(a, clp_last_lane(CLP_BATCH), exchange);
    b = clp_shuffle(b, clp_last_lane(max(rest, 1u)), exchange);
#endif
    if (whole) {
        known->value = CLP_HAS_START || known->batch > 0 ? clp_op(known->value, a) : a;
        known->batch++;
    }
    return b;
}

static inline CLP_A clp_prefix_of(const clp_job *job, clp_known *known, uint number,
                                  local CLP_A *exchange) {
    const uint target = number / CLP_BATCH;
    const uint rest = number % CLP_BATCH;
    while (known->batch + 1 < target) clp_fold_batches(job, known, true, 0, exchange);
    if (known->batch == target && rest == 0) return known->value;
    const CLP_A partial = clp_fold_batches(job, known, known->batch < target, rest, exchange);
    if (rest == 0) return known->value;
    return CLP_HAS_START || target > 0 ? clp_op(known->value, partial) : partial;
}

static inline void clp_look_back_for_tiles(const clp_job *job, local clp_ring *ring,
                                           local CLP_A *exchange) {
    clp_known known = {job->start, 0};
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        clp_mbarrier_wait(&ring->taken[at.stage], at.parity); /* completed by the loader */
        const uint number = ring->number[at.stage];
        if (number >= job->tiles) return;
        const CLP_A before = clp_prefix_of(job, &known, number, exchange);
        if (clp_lane() == 0) {
            ring->prefix[at.stage] = before;
            clp_mbarrier_arrive(&ring->prefixed[at.stage]); /* the scanners wait */
        }
    }
}

/* ---- Reducers ---- */

static inline void clp_reduce_tiles(const clp_job *job, local clp_ring *ring,
                                    local CLP_A *exchange) {
    const uint reducer = clp_subgroup_number() - CLP_SCANNERS;
    const uint lane = clp_lane();
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        CLP_ROLE_WAIT(
            3, CLP_REDUCERS, reducer == 0,
            clp_mbarrier_wait(&ring->full[at.stage], at.parity);) /* completed by the loader */
        const uint number = ring->number[at.stage];
        if (number >= job->tiles) return;
        const uint count = clp_count_in(job, number);
        for (uint s = reducer; s < CLP_SCANNERS; s += CLP_REDUCERS) {
            if (!clp_is_whole(s, count)) break;
            const CLP_A sum = clp_reduce_segment(job, ring, at.stage, s, exchange);
            if (lane == CLP_SUBGROUP - 1) ring->segment[at.stage][s] = sum;
        }
        CLP_ROLE_BARRIER(1, CLP_REDUCERS); /* segments above, read below by the first reducer */
        if (reducer == 0) {
            /* the loader waits */
            if (CLP_FREED_EARLY && lane == 0) clp_mbarrier_arrive(&ring->empty[at.stage]);
            const CLP_A own = ring->segment[at.stage][min(lane, CLP_SCANNERS - 1u)];
            const bool real = lane < CLP_SCANNERS && clp_is_whole(lane, count);
            const clp_look look = {job->state, job->run, job->start, job->io, job->n};
#if CLP_WORD_SUMS
            const CLP_A lower =
                clp_publish_segments(&look, number, number + 1 < job->tiles, own, real);
#else
            const CLP_A scanned = clp_subgroup_scan(own, real, exchange);
            if (lane == CLP_SCANNERS - 1 && number + 1 < job->tiles) {
                clp_publish_value(&look, number, CLP_AGGREGATE, scanned);
            }
            const CLP_A lower = clp_shuffle_up(scanned, 1, exchange);
#endif
            if (lane < CLP_SCANNERS) ring->segment[at.stage][lane] = lower;
            clp_subgroup_barrier(); /* segments above, before the arrival of lane 0 */
            if (lane == 0) clp_mbarrier_arrive(&ring->reduced[at.stage]); /* the scanners wait */
        }
    }
}

/* ---- All roles ---- */

CLP_INLINE void clp_look_ahead(const clp_job *job, volatile global uint *tickets,
                               local clp_ring *ring, local CLP_A *exchange) {
    if (get_local_id(0) == 0) {
        for (uint s = 0; s < CLP_SLOTS; s++) {
            clp_mbarrier_set(&ring->taken[s], 1);
            clp_mbarrier_set(&ring->full[s], CLP_COPIES_ARRIVALS);
            clp_mbarrier_set(&ring->reduced[s], 1);
            clp_mbarrier_set(&ring->prefixed[s], 1);
            clp_mbarrier_set(&ring->empty[s], CLP_SCANNERS + CLP_FREED_EARLY);
        }
        clp_mbarriers_are_set();
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* mbarriers set above, used below */
    const uint subgroup = clp_subgroup_number();
    if (subgroup < CLP_SCANNERS) {
        clp_scan_tiles(job, ring, exchange);
    } else if (subgroup < CLP_LOOKBACK_SUBGROUP) {
        clp_reduce_tiles(job, ring, exchange);
    } else if (subgroup < CLP_LOADER) {
        clp_look_back_for_tiles(job, ring, exchange);
    } else if (CLP_COPIES_SHARED || clp_lane() == 0) {
        clp_load_tiles(job, tickets, ring);
    }
}
