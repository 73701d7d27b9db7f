/* SPDX-License-Identifier: MIT */
/*
 * Reduce by key in one pass by look-ahead. The reducers find where runs begin and what each lane's
 * elements come to, and leave it for the scanners. These put the segment's keys and totals side by
 * side in its own part of the stage and store them from there. A total stands at its run's end: the
 * first one of a segment is of a run that began before, and gets what the prefix has of it.
 */

/* ---- Filling a stage ---- */

static inline ulong clp_floor_16(ulong at) {
    return at & ~15ul;
}

static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, bool ahead,
                                  local ulong *mbarrier, local uint4 *stage) {
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    const uint lead = number > 0 ? 1 : 0; /* the chunk with the key before */
    const ulong keys = (ulong)(io->heads + first), values = (ulong)(io->in + first);
    const ulong keys_from = clp_floor_16(keys) - 16 * lead, values_from = clp_floor_16(values);
    const ulong keys_to = clp_floor_16((ulong)(io->heads + first + count) + 15);
    const ulong values_to = clp_floor_16((ulong)(io->in + first + count) + 15);
    const uint key_bytes = count > 0 ? (uint)(keys_to - keys_from) : 0;
    const uint value_bytes = count > 0 ? (uint)(values_to - values_from) : 0;
    if (!ahead) clp_copies_expect(mbarrier, key_bytes + value_bytes);
    if (count > 0) {
        clp_fetch(ahead, mbarrier, stage + CLP_KEYS_AT + (uint)keys % 128 / 16 - lead,
                  (const global void *)keys_from, key_bytes);
        clp_fetch(ahead, mbarrier, stage + CLP_VALUES_AT + (uint)values % 128 / 16,
                  (const global void *)values_from, value_bytes);
    }
    if (!ahead) clp_copies_end(mbarrier);
}

/* A tile in a stage. */
typedef struct clp_view {
    const clp_io *io;
    local CLP_HEAD *keys;
    local CLP_E *values;
    ulong first;
    uint count;
} clp_view;

static inline clp_view clp_view_of(const clp_job *job, local clp_ring *ring, uint slot) {
    const uint number = ring->number[slot];
    const ulong first = (ulong)number * CLP_TILE;
    local uint4 *stage = ring->data[clp_data_of(slot)];
    local uchar *keys = (local uchar *)(stage + CLP_KEYS_AT);
    local uchar *values = (local uchar *)(stage + CLP_VALUES_AT);
    const clp_view view = {job->io,
                           (local CLP_HEAD *)(keys + ((ulong)(job->io->heads + first) & 127)),
                           (local CLP_E *)(values + ((ulong)(job->io->in + first) & 127)), first,
                           clp_count_in(job, number)};
    return view;
}

/* Elements among the CLP_ROWS from `start` on that are real. */
static inline uint clp_real(const clp_view *view, uint start) {
    return clamp(view->count, start, start + CLP_ROWS) - start;
}

static inline clp_value clp_value_at(const clp_view *view, uint k) {
    return clp_input(view->values[k], view->first + k CLP_USER(view->io));
}

/* ---- Reducers ---- */

typedef union clp_value_split {
    clp_value value;
    uint words[(CLP_VALUE_BYTES + 3) / 4];
} clp_value_split;

/* The value of the lane that many below; the lowest lanes get their own. */
CLP_INLINE clp_value clp_value_below(clp_value value, uint distance) {
    clp_value_split split;
    split.words[(CLP_VALUE_BYTES + 3) / 4 - 1] = 0;
    split.value = value;
    for (uint w = 0; w < (CLP_VALUE_BYTES + 3) / 4; w++) {
        split.words[w] = clp_shuffle_up_word(split.words[w], distance);
    }
    return split.value;
}

/* What the lane's `real` elements from `start` on come to behind the last of them that begins a
 * run. */
CLP_INLINE clp_value clp_fold_own(const clp_view *view, uint start, uint real, uint *begin) {
    clp_value total;
    uint bits = 0;
    const bool is_first = view->first + start == 0;
    CLP_HEAD before = view->keys[is_first ? 0 : (int)start - 1];
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        if (r >= real) continue;
        const CLP_HEAD key = view->keys[start + r];
        const bool begins = !clp_same(before, key CLP_USER(view->io));
        const clp_value value = clp_value_at(view, start + r);
        if (begins) bits |= 1u << r;
        total = begins || r == 0 ? value : clp_combine_values(total, value);
        before = key;
    }
    *begin = is_first && real > 0 ? bits | 1 : bits;
    return total;
}

#define CLP_OPEN_STEP(distance)                                                                    \
    {                                                                                              \
        const clp_value lower = clp_value_below(total, distance);                                  \
        if (lane >= first + distance && real > 0) total = clp_combine_values(lower, total);        \
    }

static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange) {
    const clp_view view = clp_view_of(job, ring, stage);
    const uint lane = clp_lane(), item = segment * 32 + lane, start = item * CLP_ROWS;
    const uint real = clp_real(&view, start);
    uint begin;
    clp_value total;
    if (view.count == CLP_TILE) {
        total = clp_fold_own(&view, start, CLP_ROWS, &begin);
    } else {
        total = clp_fold_own(&view, start, real, &begin);
    }
    const uint count = popcount(begin), up_to = clp_scan_words(count);
    const uint some = clp_ballot(begin != 0) & ((2u << lane) - 1);
    const uint first = some == 0 ? 0 : 31 - clz(some); /* the lane where the value begins */
    CLP_OPEN_STEP(1)
    CLP_OPEN_STEP(2)
    CLP_OPEN_STEP(4)
    CLP_OPEN_STEP(8)
    CLP_OPEN_STEP(16)
    ring->note[clp_data_of(stage)][item] = begin | (up_to - count) << CLP_ROWS;
    ring->open[clp_data_of(stage)][item] = clp_value_below(total, 1);
    const clp_runs runs = {total, up_to};
    return runs;
}

/* ---- Scanners ---- */

/* A scanner's segment. */
typedef struct clp_own {
    local CLP_HEAD *keys; /* of the segment */
    local CLP_OUT *totals; /* in place of its values */
    uint begin; /* the lane's elements that begin a run, a bit each */
    uint place; /* runs that begin in the segment before them */
    uint kept; /* runs that begin in the segment */
    bool is_last; /* whether the array ends with it */
} clp_own;

static inline clp_own clp_own_of(const clp_job *job, const clp_view *view, uint scanner,
                                 uint note) {
    clp_own own;
    own.keys = view->keys + scanner * CLP_SEGMENT;
    own.totals = (local CLP_OUT *)(view->values + scanner * CLP_SEGMENT);
    own.begin = note & ((1u << CLP_ROWS) - 1);
    own.place = note >> CLP_ROWS;
    own.kept = clp_shuffle_word(own.place + popcount(own.begin), 31);
    own.is_last =
        view->first + view->count == job->n && scanner == (max(view->count, 1u) - 1) / CLP_SEGMENT;
    return own;
}

/* Puts keys and totals side by side at the start of the segment. open: in front of the lane's
 * elements, of which there are `real`. Returns what is open behind them. */
CLP_INLINE clp_value clp_compact(const clp_view *view, const clp_own *own, clp_value open,
                                 uint start, uint real) {
    CLP_HEAD key[CLP_ROWS];
    clp_value value[CLP_ROWS];
    uint place = own->place;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        if (r >= real) continue;
        key[r] = view->keys[start + r];
        value[r] = clp_value_at(view, start + r);
    }
    clp_subgroup_barrier(); /* the segment is read above, overwritten below */
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        if (r >= real) continue;
        const bool begins = (own->begin >> r & 1) != 0;
        if (begins) {
            own->keys[place] = key[r];
            own->totals[place] = place > 0 ? clp_result(view->io, open) : CLP_STORED(open);
            place++;
        }
        const bool alone = begins || (r == 0 && clp_lane() == 0);
        open = alone ? value[r] : clp_combine_values(open, value[r]);
    }
    return open;
}

/* Stores what clp_compact left; before: of the segment. */
static inline void clp_store_runs(const clp_io *io, const clp_own *own, clp_runs before) {
    const uint lane = clp_lane(), at = before.count;
#if CLP_UNIQUE
    const uint keys = clp_fitting(io, at, own->kept);
    for (uint k = lane; k < keys; k += 32) io->keys[at + k] = own->keys[k];
#endif
    const uint totals = own->kept > 0 ? clp_fitting(io, at, own->kept - 1) : 0;
    for (uint k = lane; k < totals; k += 32) io->out[at + k] = own->totals[k + 1];
    if (lane == 0 && own->kept > 0 && at > 0 && at - 1 < io->room) {
        clp_value total = own->totals[0];
        total = own->begin & 1 ? before.value : clp_combine_values(before.value, total);
        io->out[at - 1] = clp_result(io, total);
    }
}

/* The last run's total, and how many there are; end: what is open behind the last lane. */
static inline void clp_write_end(const clp_job *job, const clp_own *own, clp_runs before,
                                 clp_value end) {
    const clp_io *io = job->io;
    const uint runs = before.count + own->kept;
    const clp_report found = {0, -1, runs};
    if (own->kept == 0) end = clp_combine_values(before.value, end);
    if (job->n > 0 && runs - 1 < io->room) io->out[runs - 1] = clp_result(io, end);
    *io->count = runs;
    *io->report = found;
}

static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number(), lane = clp_lane(), item = scanner * 32 + lane;
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        CLP_ROLE_WAIT(
            2, CLP_SCANNERS, scanner == 0,
            clp_mbarrier_wait(&ring->full[at.stage], at.parity);) /* completed by the loader */
        if (ring->number[at.stage] >= job->tiles) return;
        const clp_view view = clp_view_of(job, ring, at.stage);
        CLP_ROLE_WAIT(4, CLP_SCANNERS, scanner == 0, /* completed by the first reducer */
                      clp_mbarrier_wait(&ring->reduced[at.stage], at.parity);)
        const clp_own own =
            clp_own_of(job, &view, scanner, ring->note[clp_data_of(at.stage)][item]);
        clp_value end = ring->open[clp_data_of(at.stage)][item];
        if (own.kept > 0 || own.is_last) {
            if (view.count == CLP_TILE) {
                end = clp_compact(&view, &own, end, item * CLP_ROWS, CLP_ROWS);
            } else {
                end = clp_compact(&view, &own, end, item * CLP_ROWS,
                                  clp_real(&view, item * CLP_ROWS));
            }
        }
        clp_subgroup_barrier(); /* runs side by side above, stored below by other lanes */
        CLP_ROLE_WAIT(4, CLP_SCANNERS, scanner == 0, /* completed by look-back */
                      clp_mbarrier_wait(&ring->prefixed[at.stage], at.parity);)
        CLP_A before = ring->prefix[at.stage];
        if (scanner > 0) before = clp_op(before, ring->segment[at.stage][scanner]);
        clp_store_runs(job->io, &own, before);
        if (own.is_last && lane == (max(view.count, 1u) - 1) % CLP_SEGMENT / CLP_ROWS) {
            clp_write_end(job, &own, before, end);
        }
        clp_stage_was_written();
        clp_subgroup_barrier(); /* the stage is used above, given back below */
        if (lane == 0) clp_mbarrier_arrive(&ring->empty[at.stage]); /* the loader waits */
    }
}

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_segmented_lookahead(const global CLP_E *in, ulong in_first, const global CLP_HEAD *heads,
                             ulong heads_first, global CLP_OUT *out, ulong out_first,
                             global CLP_HEAD *keys, ulong keys_first, global ulong *count,
                             ulong count_first, global clp_report *report, ulong report_first,
                             ulong most_n, ulong room, clp_value start,
                             volatile global ulong *state, volatile global uint *tickets,
                             uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    const clp_io io = {
        in + in_first, heads + heads_first, out + out_first,       keys + keys_first,
        room,          count + count_first, report + report_first, start CLP_USER_IO};
    const ulong n = clp_read_count(most_n, counted, counted_first, io.report);
    const clp_job job = {&io, n, clp_tiles_of(n), clp_padding(), state, run};
    if (n == CLP_REFUSED && get_global_id(0) == 0) *io.count = CLP_REFUSED;
    clp_look_ahead(&job, tickets, &ring, exchange);
}
