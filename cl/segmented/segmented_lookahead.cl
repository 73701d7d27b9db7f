/* SPDX-License-Identifier: MIT */
/*
 * The variant "lookahead": segments by keys, flags or bits in a single pass, reduced or scanned
 * (engine/lookahead.cl has the algorithm, the roles, and why nobody waits for ever).
 *
 *   reduce  a sub-group finds where runs begin in its segment of a tile, scans it, and leaves the
 *           results in its own part of the stage: the outputs of a scan, or the keys and totals of
 *           a reduction's runs side by side, a total where the next run begins. (A segment's last
 *           key stays in its place: the next segment's reducer reads it.)
 *   scan    waits for the prefix, completes what is in front of the segment's first run, which
 * began before the segment, and stores.
 *
 * Each element is read once, and the scanners only store.
 */

/* ---- Filling a stage ---- */

static inline ulong clp_floor_16(ulong at) {
    return at & ~15ul;
}

/* Returns the address of the heads of the tile that begins with element `first`. */
static inline ulong clp_heads_from(const clp_io *io, ulong first) {
#if CLP_BY_BITS
    return (ulong)io->heads + (io->first_bit + first) / 8;
#else
    return (ulong)(io->heads + first);
#endif
}

static inline uint clp_heads_bytes(const clp_io *io, uint count) {
#if CLP_BY_BITS
    return ((uint)io->first_bit % 8 + count + 7) / 8;
#else
    return count * CLP_HEAD_BYTES;
#endif
}

static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, bool ahead,
                                  local ulong *mbarrier, local uint4 *stage) {
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    const uint lead = CLP_BY_KEYS && number > 0 ? 1 : 0; /* the chunk with the key before */
    const ulong heads = clp_heads_from(io, first), values = (ulong)(io->in + first);
    const ulong heads_from = clp_floor_16(heads) - 16 * lead, values_from = clp_floor_16(values);
    const ulong heads_to = clp_floor_16(heads + clp_heads_bytes(io, count) + 15);
    const ulong values_to = clp_floor_16((ulong)(io->in + first + count) + 15);
    const uint head_bytes = count > 0 ? (uint)(heads_to - heads_from) : 0;
    const uint value_bytes = count > 0 ? (uint)(values_to - values_from) : 0;
    if (!ahead) clp_copies_expect(mbarrier, head_bytes + value_bytes);
    if (count > 0) {
        clp_fetch(ahead, mbarrier, stage + CLP_HEADS_AT + (uint)heads % 128 / 16 - lead,
                  (const global void *)heads_from, head_bytes);
        clp_fetch(ahead, mbarrier, stage + CLP_VALUES_AT + (uint)values % 128 / 16,
                  (const global void *)values_from, value_bytes);
    }
    if (!ahead) clp_copies_end(mbarrier);
}

/* A tile in a stage. */
typedef struct clp_view {
    const clp_io *io;
    local CLP_HEAD *heads; /* of bits the byte of the first */
    local CLP_E *values;
    ulong first, n;
    uint count;
} clp_view;

static inline clp_view clp_view_of(const clp_job *job, local clp_ring *ring, uint slot) {
    const uint number = ring->number[slot];
    const ulong first = (ulong)number * CLP_TILE;
    local uint4 *stage = ring->data[clp_data_of(slot)];
    local uchar *heads = (local uchar *)(stage + CLP_HEADS_AT);
    local uchar *values = (local uchar *)(stage + CLP_VALUES_AT);
    clp_view view;
    view.io = job->io;
    view.heads = (local CLP_HEAD *)(heads + (clp_heads_from(job->io, first) & 127));
    view.values = (local CLP_E *)(values + ((ulong)(job->io->in + first) & 127));
    view.first = first;
    view.n = job->n;
    view.count = clp_count_in(job, number);
    return view;
}

static inline clp_value clp_value_at(const clp_view *view, uint k) {
    return clp_input(view->values[k], view->io->base + view->first + k CLP_USER(view->io));
}

static inline local CLP_OUT *clp_outputs_of(const clp_view *view, uint segment) {
    return (local CLP_OUT *)(view->values + segment * CLP_SEGMENT);
}

/* ---- Reducers ---- */

typedef union clp_value_split {
    clp_value value;
    uint words[(CLP_VALUE_BYTES + 3) / 4];
} clp_value_split;

/* Returns the value of the lane `distance` below; the lowest lanes get their own. */
CLP_INLINE clp_value clp_value_below(clp_value value, uint distance) {
    clp_value_split split;
    split.words[(CLP_VALUE_BYTES + 3) / 4 - 1] = 0;
    split.value = value;
    for (uint w = 0; w < (CLP_VALUE_BYTES + 3) / 4; w++) {
        split.words[w] = clp_shuffle_up_word(split.words[w], distance);
    }
    return split.value;
}

/* What a reducer knows of its lane's elements. */
typedef struct clp_lane_runs {
    CLP_HEAD head[CLP_ROWS];
    clp_value value[CLP_ROWS]; /* from the last begin of a run up to this element */
    uint begin; /* which of them begin a run, a bit each */
} clp_lane_runs;

#if CLP_BY_BITS
/* The bits of a lane's elements from `start` on. */
static inline uint clp_bits_from(const clp_view *view, uint start) {
    const uint behind = clp_local_address(view->heads) % 4;
    const local uint *words = (const local uint *)((const local uchar *)view->heads - behind);
    const uint at = 8 * behind + (uint)view->io->first_bit % 8 + start;
    return (uint)(((ulong)words[at / 32 + 1] << 32 | words[at / 32]) >> at % 32);
}
#endif

/* Takes the lane's `real` elements from `start` on. */
CLP_INLINE void clp_take_lane(const clp_view *view, uint start, uint real, clp_lane_runs *own) {
    const bool is_first = view->first + start == 0;
    /* Whether element `start` + r begins a run. The macro reads `before`, or `bits`, which other
     * kinds of heads lack. */
#if CLP_BY_KEYS
    CLP_HEAD before = view->heads[is_first ? 0 : (int)start - 1];
#define CLP_BEGINS(r) !clp_same(before, view->heads[start + r] CLP_USER(view->io))
#elif CLP_BY_BITS
    const uint bits = clp_bits_from(view, start);
#define CLP_BEGINS(r) ((bits >> (r)&1) != 0)
#else
#define CLP_BEGINS(r) (view->heads[start + r] != 0)
#endif
    own->begin = 0;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        if (r >= real) continue;
        const clp_value value = clp_value_at(view, start + r);
        const bool begins = CLP_BEGINS(r);
        if (begins) own->begin |= 1u << r;
        own->value[r] = begins || r == 0 ? value : clp_value_op(own->value[r - (r > 0)], value);
#if CLP_BY_KEYS
        own->head[r] = before = view->heads[start + r];
#endif
    }
    if (is_first && real > 0) own->begin |= 1;
}

#if CLP_REDUCES
/* Puts the lane's keys and totals at their places in the segment, of which `place` is the first.
 * open: in front of the lane's elements, unless the segment begins with them. */
CLP_INLINE void clp_put_lane(const clp_lane_runs *own, clp_value open, uint place,
                             local CLP_HEAD *keys, local CLP_OUT *totals) {
    const bool is_open = clp_lane() > 0 && own->begin != 0;
    local CLP_OUT *first = totals + place;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint begins = own->begin >> r & 1;
        if (begins != 0) {
#if CLP_UNIQUE
            keys[place] = own->head[r];
#endif
            if (r > 0) totals[place] = clp_stored(own->value[r - (r > 0)]);
        }
        place += begins;
    }
    if (is_open) {
        const clp_value total = *first;
        *first = clp_stored(own->begin & 1 ? open : clp_value_op(open, total));
    }
}

#else
/* Puts the outputs of the lane's `real` elements at their places. open: in front of them, but for
 * lane 0. closed: whether a run begins in front of them in the segment, so that the segment's
 * prefix has no part of it. */
CLP_INLINE void clp_put_lane(const clp_io *io, clp_lane_runs *own, clp_value open, bool closed,
                             uint real, local CLP_OUT *to) {
    const bool has_open = clp_lane() > 0;
    clp_value before = open;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        if (r >= real) continue;
        const bool begins = (own->begin >> r & 1) != 0;
        const bool seen = (own->begin & ((2u << r) - 1)) != 0;
        clp_value total = own->value[r];
        if (has_open && !seen) total = clp_value_op(open, total);
#if CLP_INCLUSIVE
        to[r] = closed || seen ? clp_result(io, total) : clp_stored(total);
#else
        before = begins ? io->start : closed || seen ? clp_value_op(io->start, before) : before;
        if (r > 0 || has_open || begins) to[r] = clp_stored(before);
        before = total;
#endif
    }
}
#endif

/* A step of the scan over lanes. It writes the caller's `total`, and reads its `lane`, `first` and
 * `real`: as a function it gets other code of the compiler. */
#define CLP_OPEN_STEP(distance)                                                                    \
    {                                                                                              \
        const clp_value lower = clp_value_below(total, distance);                                  \
        if (lane >= first + distance && real > 0) total = clp_value_op(lower, total);              \
    }

/* real: the number of the lane's elements. */
CLP_INLINE CLP_A clp_reduce_lanes(const clp_view *view, local clp_ring *ring, uint slot,
                                  uint segment, uint real) {
    const uint lane = clp_lane(), start = segment * CLP_SEGMENT + lane * CLP_ROWS;
    clp_lane_runs own;
    clp_take_lane(view, start, real, &own);
    const uint count = popcount(own.begin), up_to = clp_scan_words(count);
    const uint lanes = clp_ballot(own.begin != 0), some = lanes & ((2u << lane) - 1);
    const uint first = some == 0 ? 0 : 31 - clz(some); /* the lane where the value begins */
    clp_value total = own.value[0];
#pragma unroll
    for (uint r = 1; r < CLP_ROWS; r++) {
        if (r < real) total = own.value[r];
    }
    CLP_OPEN_STEP(1)
    CLP_OPEN_STEP(2)
    CLP_OPEN_STEP(4)
    CLP_OPEN_STEP(8)
    CLP_OPEN_STEP(16)
    const clp_value open = clp_value_below(total, 1);
    clp_subgroup_barrier(); /* the segment is read above, overwritten below */
#if CLP_REDUCES
    if (lanes != 0) {
        clp_put_lane(&own, open, up_to - count, view->heads + segment * CLP_SEGMENT,
                     clp_outputs_of(view, segment));
        clp_stage_was_written();
    }
#else
    clp_put_lane(view->io, &own, open, (lanes & ((1u << lane) - 1)) != 0, real,
                 clp_outputs_of(view, segment) + lane * CLP_ROWS);
    clp_stage_was_written();
#endif
    const uint lowest = lanes == 0 ? 0 : 31 - clz(lanes & -lanes);
    const uint bits = clp_shuffle_word(own.begin, lowest);
    const clp_found_runs found = {up_to, /* in lane 31 */
                                  bits == 0 ? CLP_SEGMENT
                                            : lowest * CLP_ROWS + 31 - clz(bits & -bits)};
    if (lane == 31) ring->found[clp_data_of(slot)][segment] = found;
    if (view->first + start + real == view->n && real > 0) ring->end[clp_data_of(slot)] = total;
    /* The last lane's are the segment's. Where it has no elements, a begin keeps the operator off.
     */
    const clp_runs runs = {total, real == 0 ? 1 : up_to};
    return runs;
}

static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange) {
    const clp_view view = clp_view_of(job, ring, stage);
    if (view.count == CLP_TILE) return clp_reduce_lanes(&view, ring, stage, segment, CLP_ROWS);
    const uint start = segment * CLP_SEGMENT + clp_lane() * CLP_ROWS;
    const uint real = clamp(view.count, start, start + CLP_ROWS) - start;
    return clp_reduce_lanes(&view, ring, stage, segment, real);
}

/* ---- Scanners ---- */

#if CLP_REDUCES
/* Stores the keys and totals of the segment's runs; before: of the segment. */
static inline void clp_store_segment(const clp_view *view, uint segment, clp_found_runs found,
                                     clp_runs before) {
    const clp_io *io = view->io;
    const local CLP_OUT *totals = clp_outputs_of(view, segment);
    const uint at = before.count;
    const uint key_end = CLP_UNIQUE ? clp_fitting(io, at, found.count) : 0;
    const uint total_end = io->room < at ? 0 : clp_fitting(io, at, found.count - 1) + 1;
    for (uint k = clp_lane(); k < found.count; k += 32) {
        clp_value total = totals[k];
        if (k == 0) {
            total = found.first == 0 ? before.value : clp_value_op(before.value, total);
        }
        if (k < key_end) io->keys[at + k] = view->heads[segment * CLP_SEGMENT + k];
        if (k < total_end && at + k > 0) io->out[at + k - 1] = clp_result(io, total);
    }
}

/* The last run's total, and how many there are; end: of the elements of the last segment. */
static inline void clp_write_end(const clp_job *job, clp_found_runs found, clp_runs before,
                                 clp_value end) {
    const clp_io *io = job->io;
    const uint runs = before.count + found.count;
    const clp_report report = {0, -1, runs};
    if (job->n > 0 && runs - 1 < io->room) {
        if (found.count == 0) end = clp_value_op(before.value, end);
        io->out[runs - 1] = clp_result(io, end);
    }
    *io->count = runs;
    *io->report = report;
}
#else
/* Stores one output, the segment's `e`th. */
CLP_INLINE void clp_store_output(const clp_io *io, const local CLP_OUT *outputs, uint e,
                                 clp_found_runs found, clp_value before, global CLP_OUT *to) {
    CLP_OUT output = outputs[e];
    if (e < found.first) {
        clp_value total = output;
        total = !CLP_INCLUSIVE && e == 0 ? before : clp_value_op(before, total);
        output = clp_result(io, total);
    }
    to[e] = output;
}

/* Stores the segment's outputs; before: of the segment. */
CLP_INLINE void clp_store_segment(const clp_view *view, uint segment, clp_found_runs found,
                                  clp_runs before) {
    const uint start = segment * CLP_SEGMENT;
    const uint real = clamp(view->count, start, start + CLP_SEGMENT) - start;
    const local CLP_OUT *outputs = clp_outputs_of(view, segment);
    global CLP_OUT *to = view->io->out + view->first + start;
    if (real == CLP_SEGMENT) {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            clp_store_output(view->io, outputs, r * 32 + clp_lane(), found, before.value, to);
        }
        return;
    }
    for (uint e = clp_lane(); e < real; e += 32) {
        clp_store_output(view->io, outputs, e, found, before.value, to);
    }
}

static inline void clp_write_end(const clp_job *job, clp_found_runs found, clp_runs before,
                                 clp_value end) {
    *job->io->report = job->io->found;
}
#endif

static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number(), lane = clp_lane();
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        CLP_ROLE_WAIT(
            2, CLP_SCANNERS, scanner == 0,
            clp_mbarrier_wait(&ring->full[at.stage], at.parity);) /* completed by the loader */
        if (ring->number[at.stage] >= job->tiles) return;
        const clp_view view = clp_view_of(job, ring, at.stage);
        CLP_ROLE_WAIT(4, CLP_SCANNERS, scanner == 0, /* by the first reducer, and by look-back */
                      clp_mbarrier_wait(&ring->reduced[at.stage], at.parity);
                      clp_mbarrier_wait(&ring->prefixed[at.stage], at.parity);)
        const clp_found_runs found = ring->found[clp_data_of(at.stage)][scanner];
        CLP_A before = ring->prefix[at.stage];
        if (scanner > 0) before = clp_op(before, ring->segment[at.stage][scanner]);
        clp_store_segment(&view, scanner, found, before);
        const bool is_last =
            view.first + view.count == job->n && scanner == (max(view.count, 1u) - 1) / CLP_SEGMENT;
        if (is_last && lane == 0) {
            clp_write_end(job, found, before, ring->end[clp_data_of(at.stage)]);
        }
        clp_subgroup_barrier(); /* the stage is used above, given back below */
        if (lane == 0) clp_mbarrier_arrive(&ring->empty[at.stage]); /* the loader waits */
    }
}

/* ---- The kernel ---- */

#if CLP_MARKED
#define CLP_OFFSET_PARAMETERS                                                                      \
    , const global CLP_OFFSET *offsets, ulong offsets_first, ulong most_segments,                  \
        const global ulong *counted_segments, ulong counted_segments_first,                        \
        const global uint *fault

/* Takes the elements between the first and the last offset for the array. Returns how many there
 * are, of faulty offsets none. */
static inline ulong clp_set_marks(clp_io *io, const clp_marks *marks, uint fault) {
    io->found.segments = (long)marks->offsets - 1;
    if (fault != CLP_NO_FAULT) {
        io->found.fault = CLP_FAULT_OFFSETS;
        io->found.index = fault;
        return 0;
    }
    io->in += marks->low;
    io->out += marks->low;
    io->base = (ulong)marks->low;
    return marks->span;
}
#else
#define CLP_OFFSET_PARAMETERS
#endif

CLP_KERNEL(CLP_GROUP)
void clp_segmented_lookahead(const global CLP_E *in, ulong in_first, const global CLP_HEAD *heads,
                             ulong heads_first, global CLP_OUT *out, ulong out_first,
                             global CLP_HEAD *keys, ulong keys_first, global ulong *count,
                             ulong count_first, global clp_report *report, ulong report_first,
                             ulong most_n, ulong room, clp_value start CLP_OFFSET_PARAMETERS,
                             volatile global ulong *state, volatile global uint *tickets,
                             uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    clp_io io = {in + in_first,
                 heads + (CLP_BY_BITS ? 0 : heads_first),
                 out + out_first,
                 keys + keys_first,
                 heads_first,
                 room,
                 count + count_first,
                 report + report_first,
                 0,
                 {0, -1, -1},
                 start CLP_USER_IO};
    ulong n = clp_read_count(most_n, counted, counted_first, io.report);
#if CLP_MARKED
    const ulong segments = clp_read_segments(
        most_segments, counted_segments, counted_segments_first, n == CLP_REFUSED ? 0 : io.report);
    const clp_marks marks = clp_marks_of(offsets + offsets_first, n, segments);
    n = marks.offsets == 0 ? CLP_REFUSED : clp_set_marks(&io, &marks, *fault);
#endif
    const clp_job job = {&io, n, clp_tiles_of(n), clp_padding(), state, run};
    if (CLP_REDUCES && n == CLP_REFUSED && get_global_id(0) == 0) *io.count = CLP_REFUSED;
    clp_look_ahead(&job, tickets, &ring, exchange);
}
