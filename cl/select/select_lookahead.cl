/* SPDX-License-Identifier: MIT */
/*
 * The kernel of selection by look-ahead, with the roles of lookahead.cl:
 *
 *   load       copies a tile of each array, and of the flags, into a stage (select_staged.cl)
 *   reduce     finds the bits of every chunk, leaves them in a note with the number of kept
 *              elements before the chunk, and publishes the tile's aggregate
 *   look-back  sums the aggregates of all predecessor tiles
 *   scan       puts the kept elements of a segment side by side, in place in the stage, and stores
 *              them from there
 *
 * The reducers evaluate the predicate, so that the aggregate is published as early as possible. The
 * notes spare the scanners a second evaluation and a scan.
 *
 * Where indices or lengths are written, positions are put side by side instead, and elements of 4
 * bytes or more are stored from where they stand (CLP_GATHERS): a position is 2 bytes.
 *
 * Local memory: the ring of lookahead.cl, with the members of select_stages.cl. lookahead.cl says
 * who waits for whom, and why that ends.
 */
#define CLP_GATHERS (CLP_PLACES && CLP_VALUES && !CLP_PARTITION && !CLP_HAS_PERMUTES)

/* ---- Reducers ---- */

/* As clp_scan_chunks, but a lane's chunks are adjacent: one scan across lanes serves all rows. */
static inline uint clp_scan_side_by_side(const uint bits[CLP_ROWS], uint at[CLP_ROWS]) {
    uint own = 0;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        at[r] = own;
        own += popcount(bits[r]);
    }
    const uint sum = clp_scan_words(own);
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) at[r] += sum - own;
    return clp_shuffle_word(sum, CLP_SUBGROUP - 1);
}

static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange) {
    const clp_view view = clp_view_of(job, ring, stage);
    local clp_note *notes =
        ring->note[clp_data_of(stage)] + segment * CLP_ROWS * CLP_SUBGROUP + clp_lane();
    uint bits[CLP_ROWS], at[CLP_ROWS];
    const uint first = segment * CLP_SEGMENT + clp_chunk_place(0);
    clp_run run = clp_run_at(&view, first);
    if (view.whole) {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            bits[r] = clp_staged_bits(&view, first + r * CLP_VEC, CLP_VEC, true, &run);
        }
    } else {
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint start = first + r * CLP_VEC;
            const uint real = clamp(view.count, start, start + CLP_VEC) - start;
            bits[r] = clp_staged_bits(&view, start, real, false, &run);
        }
    }
    const uint kept = clp_scan_side_by_side(bits, at);
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        notes[r * CLP_SUBGROUP] = (clp_note)(bits[r] | at[r] << CLP_NOTE_SHIFT);
    }
#if CLP_LENGTHS
    uint place = 0; /* 1 + the position in the tile of the lane's last kept element */
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        if (bits[r] != 0) place = first + r * CLP_VEC + 32 - clz(bits[r]);
    }
    const uint some = clp_ballot(place > 0);
    const uint last = clp_shuffle_word(place, some == 0 ? 0 : 31 - clz(some));
    return clp_kept(kept, some == 0 ? 0 : view.first + last);
#else
    return clp_kept(kept, 0);
#endif
}

/* ---- Scanners ---- */

static inline void clp_read_notes(const local clp_note *notes, uint note[CLP_ROWS]) {
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) note[r] = notes[r * CLP_SUBGROUP];
}

/* Functions of each array; a macro because the array's type and members are in their text.
 *
 * clp_packed_start: the element of the segment at which the packed elements begin. It is the one
 * with the position that they have within 16 bytes of the output, if they fit from there on.
 *
 * clp_compact: puts the kept elements of the segment side by side at its start. Rejected elements
 * of a partition follow, and after them the elements past the tile's end, which count as rejected.
 * All chunks are in registers before the first store, so that the segment can be packed in place.
 * Each array reads the notes anew: when it used the notes of the array before, NVIDIA's compiler
 * mixed up rows.
 *
 * clp_store: copies from the segment to the output. */
#define CLP_SCANNER_OF_ARRAY(k)                                                                    \
    static inline uint clp_packed_start##k(const clp_view *view, ulong at, uint kept) {            \
        const uint place = (uint)(ulong)(view->io->out##k + at) % 16 / CLP_T##k##_BYTES;           \
        if (!CLP_PACKS_BYTES(k) || !view->aligned || place + kept > CLP_SEGMENT) return 0;         \
        return place;                                                                              \
    }                                                                                              \
    static inline void clp_compact##k(const clp_view *view, uint segment,                          \
                                      const local clp_note *notes, uint kept) {                    \
        local clp_t##k *part = clp_region##k(view) + segment * CLP_SEGMENT;                        \
        clp_chunk##k chunk[CLP_ROWS];                                                              \
        uint note[CLP_ROWS];                                                                       \
        if (CLP_IS_QUADS(k) && !CLP_PACKS_BYTES(k) && view->whole) {                               \
            _Pragma("unroll") for (uint r = 0; r < CLP_ROWS; r++) {                                \
                for (uint q = 0; q < sizeof chunk[0] / 16; q++) {                                  \
                    chunk[r].quad[q] =                                                             \
                        clp_load_quad((const local uint4 *)(part + clp_chunk_place(r)) + q);       \
                }                                                                                  \
            }                                                                                      \
        } else {                                                                                   \
            _Pragma("unroll") for (uint r = 0; r < CLP_ROWS; r++) {                                \
                chunk[r] = clp_loose_chunk##k(part + clp_chunk_place(r));                          \
            }                                                                                      \
        }                                                                                          \
        clp_subgroup_barrier(); /* the part is read above, overwritten below */                    \
        clp_read_notes(notes, note);                                                               \
        _Pragma("unroll") for (uint r = 0; r < CLP_ROWS; r++) {                                    \
            uint next = note[r] >> CLP_NOTE_SHIFT;                                                 \
            for (uint j = 0; j < CLP_VEC; j++) {                                                   \
                const bool keeps = (note[r] & 1u << j) != 0;                                       \
                if (CLP_PARTITION && !keeps) {                                                     \
                    part[kept + (clp_chunk_place(r) + j - next)] = chunk[r].element[j];            \
                }                                                                                  \
                if (keeps) part[next] = chunk[r].element[j];                                       \
                next += keeps;                                                                     \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static inline void clp_store##k(const clp_view *view, uint segment, uint from, ulong at,       \
                                    uint count) {                                                  \
        const local clp_t##k *part = clp_region##k(view) + segment * CLP_SEGMENT + from;           \
        global clp_t##k *to = view->io->out##k + at;                                               \
        const bool alike = (((uint)(ulong)to ^ clp_local_address(part)) & 15) == 0;                \
        if (CLP_T##k##_BYTES % 4 == 0) {                                                           \
            clp_copy_words((global uint *)to, (const local uint *)part,                            \
                           count *(CLP_T##k##_BYTES / 4));                                         \
        } else if (CLP_PREFIX_FIRST && alike) {                                                    \
            clp_copy_chunks((global uchar *)to, (const local uchar *)part,                         \
                            count *CLP_T##k##_BYTES);                                              \
        } else {                                                                                   \
            clp_copy_bytes((global uchar *)to, (const local uchar *)part,                          \
                           count *CLP_T##k##_BYTES);                                               \
        }                                                                                          \
    }
#if CLP_VALUES && !CLP_GATHERS
CLP_EACH_ARRAY(CLP_SCANNER_OF_ARRAY)
#endif

#if CLP_PLACES
/* Stores the indices and lengths of the kept elements, as clp_place_out does; with CLP_GATHERS also
 * the elements, from their positions in the stage. before: the value of all earlier segments. */
static inline void clp_store_placed(const clp_view *view, uint segment, const local ushort *place,
                                    CLP_A before, uint kept) {
    const clp_io *io = view->io;
    const uint start = segment * CLP_SEGMENT;
    const ulong first = view->first + start, at = clp_count_of(before);
    const uint fitting = clp_fitting(io, at, kept);
#if CLP_LENGTHS /* the run before the segment's first kept element began in an earlier one */
    if (clp_lane() == 0 && kept > 0 && at > 0 && at - 1 < io->room) {
        io->lengths[at - 1] = (CLP_LENGTH)(first + place[0] + 1 - before.behind);
    }
#endif
#define CLP_GATHER(k) (io->out##k + at)[q] = clp_region##k(view)[start + here];
    for (uint q = clp_lane(); q < fitting; q += CLP_SUBGROUP) {
        const uint here = place[q];
#if CLP_GATHERS
        CLP_EACH_ARRAY(CLP_GATHER)
#endif
#if CLP_INDICES
        (io->indices + at)[q] = clp_index_out(io, first + here);
#endif
#if CLP_LENGTHS
        if (q + 1 < kept) (io->lengths + at)[q] = (CLP_LENGTH)(place[q + 1] - here);
#endif
    }
}
#endif

/* Stores what clp_compact left, and the indices and lengths. before: the value of all earlier
 * segments. */
static inline void clp_store_segment(const clp_view *view, uint segment, uint kept, CLP_A before,
                                     const local ushort *place) {
    const ulong at = clp_count_of(before);
    const uint start = segment * CLP_SEGMENT;
    const uint real = clamp(view->count, start, start + CLP_SEGMENT) - start;
#define CLP_STORE_KEPT(k)                                                                          \
    clp_store##k(view, segment, clp_packed_start##k(view, at, kept), at, fitting);
#define CLP_STORE_REJECTED(k) clp_store##k(view, segment, kept, rejected_at, real - kept);
#if CLP_VALUES && !CLP_GATHERS
    const uint fitting = clp_fitting(view->io, at, kept);
    CLP_EACH_ARRAY(CLP_STORE_KEPT)
#endif
#if CLP_PARTITION
    const ulong rejected_at = view->io->total + view->first + start - at;
    CLP_EACH_ARRAY(CLP_STORE_REJECTED)
#endif
#if CLP_PLACES
    clp_store_placed(view, segment, place, before, kept);
#endif
}

/* The first of the lane's notes in the scanner's segment; the next ones are CLP_SUBGROUP apart, so
 * that lanes read adjacent words. */
static inline const local clp_note *clp_notes_of(local clp_ring *ring, uint stage, uint scanner) {
    return ring->note[clp_data_of(stage)] + scanner * CLP_ROWS * CLP_SUBGROUP + clp_lane();
}

/* The number of kept elements of the scanner's segment, which follows from the last lane's last
 * note. */
static inline uint clp_kept_of(const local clp_note *notes) {
    const uint last = notes[(CLP_ROWS - 1) * CLP_SUBGROUP];
    const uint bits = last & ((1u << CLP_NOTE_SHIFT) - 1);
    return clp_shuffle_word((last >> CLP_NOTE_SHIFT) + popcount(bits), CLP_SUBGROUP - 1);
}

#if CLP_HAS_PERMUTES
#define CLP_COMPACT(k)                                                                             \
    if (CLP_PACKS_BYTES(k) && view->aligned) {                                                     \
        clp_compact_packed((local uint4 *)(clp_region##k(view) + scanner * CLP_SEGMENT), notes,    \
                           ring->permute, clp_packed_start##k(view, at, kept) * CLP_T##k##_BYTES); \
    } else {                                                                                       \
        clp_compact##k(view, scanner, notes, kept);                                                \
    }
#else
#define CLP_COMPACT(k) clp_compact##k(view, scanner, notes, kept);
#endif

#if CLP_VALUES && !CLP_GATHERS
/* Compacts every array's part of the scanner's segment. at: the position of the kept elements in
 * the output if CLP_PREFIX_FIRST; otherwise not yet known and not used. */
static inline void clp_compact_all(const clp_view *view, local clp_ring *ring, uint scanner,
                                   const local clp_note *notes, uint kept, ulong at) {
    CLP_EACH_ARRAY(CLP_COMPACT)
    clp_stage_was_written();
}
#endif

/* Puts the positions of the segment's kept elements side by side. */
static inline void clp_put_places(const local clp_note *notes, local ushort *place) {
    uint note[CLP_ROWS];
    clp_read_notes(notes, note);
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        for (uint j = 0, next = note[r] >> CLP_NOTE_SHIFT; j < CLP_VEC; j++) {
            if ((note[r] & 1u << j) == 0) continue;
            place[next++] = (ushort)(clp_chunk_place(r) + j);
        }
    }
}

/* The scanner of the last segment that has elements writes the number of kept elements. It has the
 * prefix of all elements before it, so no other step is needed. */
static inline void clp_write_count_once(const clp_job *job, const clp_view *view, uint scanner,
                                        CLP_A before, CLP_A own) {
    const bool is_last = view->first + view->count == job->n;
    if (clp_lane() == 0 && is_last && scanner == (max(view->count, 1u) - 1) / CLP_SEGMENT) {
        clp_write_count(job->io, job->n, clp_op(before, own));
    }
}

/* Waits for look-back; returns the value of everything before the scanner's segment. */
static inline CLP_A clp_wait_for_prefix(local clp_ring *ring, const clp_cursor *at, uint scanner) {
    CLP_ROLE_WAIT(4, CLP_SCANNERS, scanner == 0, /* completed by look-back */
                  clp_mbarrier_wait(&ring->prefixed[at->stage], at->parity);)
    const CLP_A before = ring->prefix[at->stage];
    return scanner > 0 ? clp_op(before, ring->segment[at->stage][scanner]) : before;
}

static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number(), lane = clp_lane();
    local ushort *place = 0;
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        CLP_ROLE_WAIT(
            2, CLP_SCANNERS, scanner == 0,
            clp_mbarrier_wait(&ring->full[at.stage], at.parity);) /* completed by the loader */
        if (ring->number[at.stage] >= job->tiles) return;
        const clp_view view = clp_view_of(job, ring, at.stage);
        CLP_ROLE_WAIT(4, CLP_SCANNERS, scanner == 0, /* completed by the first reducer */
                      clp_mbarrier_wait(&ring->reduced[at.stage], at.parity);)
        const local clp_note *notes = clp_notes_of(ring, at.stage, scanner);
        const uint kept = clp_kept_of(notes);
        CLP_A before = clp_padding();
        if (CLP_PREFIX_FIRST) before = clp_wait_for_prefix(ring, &at, scanner);
#if CLP_VALUES && !CLP_GATHERS
        clp_compact_all(&view, ring, scanner, notes, kept, clp_count_of(before));
#endif
        ulong behind = 0;
#if CLP_PLACES
        place = ring->place[scanner];
        clp_put_places(notes, place);
#endif
        clp_subgroup_barrier(); /* kept elements side by side above, stored below by other lanes */
#if CLP_LENGTHS
        if (kept > 0) behind = view.first + scanner * CLP_SEGMENT + place[kept - 1] + 1;
#endif
        if (!CLP_PREFIX_FIRST) before = clp_wait_for_prefix(ring, &at, scanner);
        clp_store_segment(&view, scanner, kept, before, place);
        clp_write_count_once(job, &view, scanner, before, clp_kept(kept, behind));
        clp_subgroup_barrier(); /* the stage is used above, given back below */
        if (lane == 0) clp_mbarrier_arrive(&ring->empty[at.stage]); /* the loader waits */
    }
}

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_select_lookahead(CLP_IO_PARAMETERS, ulong most_n, volatile global ulong *state,
                          volatile global uint *tickets,
                          uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    CLP_SET_IO
    const ulong n = clp_read_count(most_n, counted, counted_first, io.result);
    const clp_job job = {&io, n, clp_tiles_of(n), clp_padding(), state, run};
#if CLP_HAS_PERMUTES
    clp_fill_permutes(ring.permute); /* before the barrier that follows the mbarriers' setting */
#endif
    clp_look_ahead(&job, tickets, &ring, exchange);
}
