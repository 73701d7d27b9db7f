/* SPDX-License-Identifier: MIT */
/*
 * Selection in one pass by look-ahead. The reducers find the bits of every chunk and leave them for
 * the scanners in a note; the scanners put the kept elements side by side in their own part of the
 * stage and store them from there.
 */

/* ---- Filling a stage ---- */

static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, bool ahead,
                                  local ulong *gate, local uint4 *stage) {
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    const uint lead = number > 0 ? CLP_LEAD : 0; /* chunks before array 0 */
    const ulong flags = (ulong)io->flags + (CLP_BY_BITS ? first / 8 : first);
    const ulong flags_end = flags + (CLP_BY_BITS ? (io->shift + count + 7) / 8 : count);
    uint bytes = 0;
#define CLP_FROM(k) (clp_floor_16((ulong)(io->in##k + first)) - (k == 0 ? 16 * lead : 0))
#define CLP_SPAN_OF(k) clp_span(CLP_FROM(k), (ulong)(io->in##k + first + count))
#define CLP_EXPECT_ARRAY(k) bytes += CLP_SPAN_OF(k);
#define CLP_CHUNK_OF(k)                                                                            \
    (CLP_REGION_##k + clp_region_chunk((ulong)(io->in##k + first)) - (k == 0 ? lead : 0))
#define CLP_FETCH_ARRAY(k)                                                                         \
    clp_fetch(ahead, gate, stage + CLP_CHUNK_OF(k), (const global void *)CLP_FROM(k),              \
              CLP_SPAN_OF(k));
    CLP_EACH_ARRAY(CLP_EXPECT_ARRAY)
    if (CLP_FLAG_CHUNKS > 0) bytes += clp_span(flags, flags_end);
    if (count == 0) bytes = 0;
    if (!ahead) clp_copies_expect(gate, bytes);
    if (bytes > 0) {
        CLP_EACH_ARRAY(CLP_FETCH_ARRAY)
    }
    if (CLP_FLAG_CHUNKS > 0 && bytes > 0) {
        clp_fetch(ahead, gate, stage + CLP_REGION_FLAGS + clp_region_chunk(flags),
                  (const global void *)clp_floor_16(flags), clp_span(flags, flags_end));
    }
    if (!ahead) clp_copies_end(gate);
}

/* ---- Reading a stage ---- */

/* A tile in a stage. */
typedef struct clp_view {
    const clp_io *io;
    local uint4 *stage;
    ulong first;
    uint count;
    bool aligned; /* every tile begins with a chunk */
    bool whole; /* and all elements are there */
} clp_view;

static inline clp_view clp_view_of(const clp_job *job, local clp_ring *ring, uint stage) {
    const clp_io *io = job->io;
    const uint number = ring->number[stage];
    clp_view view = {io, ring->data[clp_data_of(stage)], (ulong)number * CLP_TILE, 0, false, false};
    ulong places = CLP_BY_FLAGS ? (ulong)io->flags : 0;
    view.count = clp_count_in(job, number);
#define CLP_ADD_PLACE(k) places |= (ulong)io->in##k;
    CLP_EACH_ARRAY(CLP_ADD_PLACE)
    view.aligned = (places & 15) == 0;
    view.whole = view.aligned && view.count == CLP_TILE;
    return view;
}

#define CLP_REGION_POINTER(k)                                                                      \
    static inline local clp_t##k *clp_region##k(const clp_view *view) {                            \
        return (local clp_t##k *)((local uchar *)(view->stage + CLP_REGION_##k) +                  \
                                  ((ulong)(view->io->in##k + view->first) & 127));                 \
    }
CLP_EACH_ARRAY(CLP_REGION_POINTER)

static inline const local uchar *clp_flag_region(const clp_view *view) {
    const ulong flags = (ulong)view->io->flags + (CLP_BY_BITS ? view->first / 8 : view->first);
    return (const local uchar *)(view->stage + CLP_REGION_FLAGS) + (flags & 127);
}

/* A chunk at any place. Narrow elements are read as words: bytes would take a register each. */
#define CLP_LOOSE_CHUNK(k)                                                                         \
    static inline clp_chunk##k clp_loose_chunk##k(const local clp_t##k *from) {                    \
        clp_chunk##k chunk;                                                                        \
        if (CLP_HAS_PICKS && CLP_IS_QUADS(k)) {                                                    \
            const uint bits = (clp_local_address(from) & 3) * 8;                                   \
            const local uint *words = (const local uint *)((const local uchar *)from - bits / 8);  \
            chunk.quad[0] = (uint4)(clp_word_at(words, 0, bits), clp_word_at(words, 1, bits),      \
                                    clp_word_at(words, 2, bits), clp_word_at(words, 3, bits));     \
            return chunk;                                                                          \
        }                                                                                          \
        for (uint j = 0; j < CLP_VEC; j++) chunk.element[j] = from[j];                             \
        return chunk;                                                                              \
    }
CLP_EACH_ARRAY(CLP_LOOSE_CHUNK)

/* The bits and bit j, if so. Of many bits NVIDIA's compiler makes less than of many predicates. */
static inline uint clp_with_bit(uint bits, uint j, bool yes) {
#if CLP_VEC > 4
    return bits | (uint)yes << j;
#else
    return clp_with_bit_if(bits, j, yes);
#endif
}

/* What comes before a lane's next chunk. */
typedef struct clp_run {
#if CLP_BY_RUNS
    clp_t0 previous;
#endif
    bool has_previous;
} clp_run;

static inline clp_run clp_run_at(const clp_view *view, uint start) {
    clp_run run;
    run.has_previous = view->first + start > 0;
#if CLP_BY_RUNS
    run.previous =
        clp_region0(view)[(int)start - 1]; /* of the first tile: not read from there on */
#endif
    return run;
}

/* The lane's chunk that begins at element `start` of the tile: the bits of its first `real`
 * elements. aligned: the chunk of array 0, or of the flags, may be read as words. */
static inline uint clp_staged_bits(const clp_view *view, uint start, uint real, bool aligned,
                                   clp_run *run) {
    uint bits = 0;
#if CLP_BY_FLAGS
    const local uchar *flags = clp_flag_region(view) + start;
    if (aligned && CLP_VEC % 4 == 0) {
        for (uint j = 0; j < CLP_VEC; j += 4) {
            bits |= clp_bits_of_bytes(*(const local uint *)(flags + j)) << j;
        }
        return bits;
    }
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real) bits |= (uint)(flags[j] != 0) << j;
    }
#elif CLP_BY_BITS
    const uint at = view->io->shift + start;
    const local uchar *flags = clp_flag_region(view) + at / 8;
    bits = (flags[0] | flags[1] << 8 | flags[2] << 16) >> at % 8 & ((1u << real) - 1);
#elif CLP_TESTS_WORDS
    const local clp_t0 *x = clp_region0(view) + start;
    const uint4 quad =
        aligned ? clp_load_quad((const local uint4 *)x) : clp_loose_chunk0(x).quad[0];
    bits = clp_test_chunk(quad) & ((1u << real) - 1);
#else
    const local clp_t0 *x = clp_region0(view) + start;
    clp_chunk0 chunk;
    if (aligned && CLP_IS_QUADS(0)) {
        for (uint q = 0; q < CLP_VEC * sizeof(clp_t0) / 16; q++) {
            chunk.quad[q] = ((const local uint4 *)x)[q];
        }
    } else {
        chunk = clp_loose_chunk0(x);
    }
#if CLP_BY_RUNS
    bits = !run->has_previous && real > 0 ? 1 : 0;
    if (run->has_previous && real > 0) {
        bits = clp_with_bit(bits, 0, !clp_same(run->previous, chunk.element[0]));
    }
#define CLP_ADD_BIT(j)                                                                             \
    if (j > 0 && j < real) {                                                                       \
        bits = clp_with_bit(bits, j, !clp_same(chunk.element[j - (j > 0)], chunk.element[j]));     \
    }
    CLP_EACH_ELEMENT(CLP_ADD_BIT)
    run->previous = chunk.element[CLP_VEC - 1];
    run->has_previous = true;
#else
    const ulong i = view->first + start;
#define CLP_ADD_BIT(j)                                                                             \
    if (j < real) bits = clp_with_bit(bits, j, clp_keep(chunk.element[j], i + j));
    CLP_EACH_ELEMENT(CLP_ADD_BIT)
#endif
#endif
    return bits;
}

/* ---- Reducers ---- */

/* As clp_scan_chunks, for chunks of a lane that stand side by side. */
static inline uint clp_scan_side_by_side(const uint bits[CLP_ROWS], uint at[CLP_ROWS]) {
    uint own = 0;
#define CLP_ADD_CHUNK(r)                                                                           \
    at[r] = own;                                                                                   \
    own += popcount(bits[r]);
    CLP_EACH_ROW(CLP_ADD_CHUNK)
    const uint sum = clp_scan_words(own);
#define CLP_MOVE_CHUNK(r) at[r] += sum - own;
    CLP_EACH_ROW(CLP_MOVE_CHUNK)
    return clp_shuffle_word(sum, CLP_SUBGROUP - 1);
}

static inline CLP_A clp_reduce_segment(const clp_job *job, local clp_ring *ring, uint stage,
                                       uint segment, local CLP_A *exchange) {
    const clp_view view = clp_view_of(job, ring, stage);
    const uint lane = clp_lane();
    local clp_note *notes =
        ring->note[clp_data_of(stage)] + segment * CLP_ROWS * CLP_SUBGROUP + lane;
    uint bits[CLP_ROWS], at[CLP_ROWS];
#define CLP_START(r) (segment * CLP_SEGMENT + CLP_CHUNK_PLACE(r))
#define CLP_WHOLE_BITS(r) bits[r] = clp_staged_bits(&view, CLP_START(r), CLP_VEC, true, &run);
#define CLP_PART_BITS(r)                                                                           \
    bits[r] = clp_staged_bits(                                                                     \
        &view, CLP_START(r),                                                                       \
        clamp(view.count, CLP_START(r), CLP_START(r) + CLP_VEC) - CLP_START(r), false, &run);
    clp_run run = clp_run_at(&view, CLP_START(0));
    if (view.whole) {
        CLP_EACH_ROW(CLP_WHOLE_BITS)
    } else {
        CLP_EACH_ROW(CLP_PART_BITS)
    }
    const uint kept = clp_scan_side_by_side(bits, at);
#define CLP_LEAVE_NOTE(r) notes[(r)*CLP_SUBGROUP] = (clp_note)(bits[r] | at[r] << CLP_NOTE_SHIFT);
    CLP_EACH_ROW(CLP_LEAVE_NOTE)
#if CLP_LENGTHS
    ulong behind = 0;
#define CLP_LAST_KEPT(r)                                                                           \
    if (bits[r] != 0) behind = view.first + CLP_START(r) + 32 - clz(bits[r]);
    CLP_EACH_ROW(CLP_LAST_KEPT)
    behind = clp_subgroup_scan(clp_kept(0, behind), true, exchange).behind;
    return clp_kept(kept, behind);
#else
    return clp_kept(kept, 0);
#endif
}

/* ---- Scanners ---- */

/* Steps of clp_compact, for each row. */
#define CLP_TAKE_QUADS(r)                                                                          \
    for (uint q = 0; q < sizeof chunk[0] / 16; q++) {                                              \
        chunk[r].quad[q] = ((const local uint4 *)(part + CLP_CHUNK_PLACE(r)))[q];                  \
    }
#define CLP_TAKE_LOOSE_0(r) chunk[r] = clp_loose_chunk0(part + CLP_CHUNK_PLACE(r));
#define CLP_TAKE_LOOSE_1(r) chunk[r] = clp_loose_chunk1(part + CLP_CHUNK_PLACE(r));
#define CLP_TAKE_LOOSE_2(r) chunk[r] = clp_loose_chunk2(part + CLP_CHUNK_PLACE(r));
#define CLP_TAKE_LOOSE_3(r) chunk[r] = clp_loose_chunk3(part + CLP_CHUNK_PLACE(r));
#define CLP_PUT_ROW(r)                                                                             \
    {                                                                                              \
        uint next = note[r] >> CLP_NOTE_SHIFT;                                                     \
        for (uint j = 0; j < CLP_VEC; j++) {                                                       \
            const bool keeps = (note[r] & 1u << j) != 0;                                           \
            if (CLP_PARTITION && !keeps) {                                                         \
                part[kept + (CLP_CHUNK_PLACE(r) + j - next)] = chunk[r].element[j];                \
            }                                                                                      \
            if (keeps) part[next] = chunk[r].element[j];                                           \
            next += keeps;                                                                         \
        }                                                                                          \
    }

#define CLP_READ_NOTE(r) note[r] = notes[(r)*CLP_SUBGROUP];

/* clp_compact: kept elements of the scanner's segment side by side at its start; rejected ones of a
 * partition behind (those past the tile's end go behind all that are real). Each array's turn reads
 * the notes anew: with those of the first, NVIDIA's compiler mixed up rows.
 * clp_store: from there to the output. */
#define CLP_SCANNER_OF_ARRAY(k)                                                                    \
    static inline void clp_compact##k(const clp_view *view, uint segment,                          \
                                      const local clp_note *notes, uint kept) {                    \
        const uint lane = clp_lane();                                                              \
        local clp_t##k *part = clp_region##k(view) + segment * CLP_SEGMENT;                        \
        clp_chunk##k chunk[CLP_ROWS];                                                              \
        uint note[CLP_ROWS];                                                                       \
        if (CLP_IS_QUADS(k) && !CLP_MAKES_STRINGS(k) && view->whole) {                             \
            CLP_EACH_ROW(CLP_TAKE_QUADS)                                                           \
        } else {                                                                                   \
            CLP_EACH_ROW(CLP_TAKE_LOOSE_##k)                                                       \
        }                                                                                          \
        clp_subgroup_barrier(); /* the part is read above, overwritten below */                    \
        CLP_EACH_ROW(CLP_READ_NOTE)                                                                \
        CLP_EACH_ROW(CLP_PUT_ROW)                                                                  \
    }                                                                                              \
    static inline void clp_store##k(const clp_view *view, uint segment, uint from, ulong at,       \
                                    uint count) {                                                  \
        const local clp_t##k *part = clp_region##k(view) + segment * CLP_SEGMENT + from;           \
        global clp_t##k *to = view->io->out##k + at;                                               \
        if (CLP_T##k##_BYTES % 4 == 0) {                                                           \
            clp_copy_words((global uint *)to, (const local uint *)part,                            \
                           count *(CLP_T##k##_BYTES / 4));                                         \
        } else {                                                                                   \
            clp_copy_bytes((global uchar *)to, (const local uchar *)part,                          \
                           count *CLP_T##k##_BYTES);                                               \
        }                                                                                          \
    }
#if CLP_VALUES
CLP_EACH_ARRAY(CLP_SCANNER_OF_ARRAY)
#endif

/* Stores what clp_compact left, and the places; before: of the segment. */
static inline void clp_store_segment(const clp_view *view, uint segment, uint kept, CLP_A before,
                                     const local ushort *place) {
    const ulong at = clp_count_of(before);
    const uint start = segment * CLP_SEGMENT;
    const uint real = clamp(view->count, start, start + CLP_SEGMENT) - start;
#define CLP_STORE_KEPT(k) clp_store##k(view, segment, 0, at, fitting);
#define CLP_STORE_REJECTED(k) clp_store##k(view, segment, kept, rejected_at, real - kept);
#if CLP_VALUES
    const uint fitting = clp_fitting(view->io, at, kept);
    CLP_EACH_ARRAY(CLP_STORE_KEPT)
#endif
#if CLP_PARTITION
    const ulong rejected_at = view->io->total + view->first + start - at;
    CLP_EACH_ARRAY(CLP_STORE_REJECTED)
#endif
#if CLP_PLACES
    for (uint k = clp_lane(); k < kept; k += CLP_SUBGROUP) {
        clp_place_out(view->io, view->first + start, place, k, at + k, before);
    }
#endif
}

static inline void clp_scan_tiles(const clp_job *job, local clp_ring *ring, local CLP_A *exchange) {
    const uint scanner = clp_subgroup_number(), lane = clp_lane();
    const local ushort *place = 0;
    for (clp_cursor at = {0, 0};; clp_advance(&at)) {
        CLP_CREW_WAIT(2, CLP_SCANNERS, scanner == 0,
                      clp_gate_wait(&ring->full[at.stage], at.parity);) /* opened by the loader */
        if (ring->number[at.stage] >= job->tiles) return;
        const clp_view view = clp_view_of(job, ring, at.stage);
        CLP_CREW_WAIT(4, CLP_SCANNERS, scanner == 0, /* opened by the first reducer */
                      clp_gate_wait(&ring->reduced[at.stage], at.parity);)
        const local clp_note *notes =
            ring->note[clp_data_of(at.stage)] + scanner * CLP_ROWS * CLP_SUBGROUP + lane;
        const uint last = notes[(CLP_ROWS - 1) * CLP_SUBGROUP];
        const uint bits = last & ((1u << CLP_NOTE_SHIFT) - 1);
        const uint kept =
            clp_shuffle_word((last >> CLP_NOTE_SHIFT) + popcount(bits), CLP_SUBGROUP - 1);
#if CLP_HAS_PICKS
#define CLP_COMPACT(k)                                                                             \
    if (CLP_MAKES_STRINGS(k) && view.aligned) {                                                    \
        clp_compact_strings((local uint4 *)(clp_region##k(&view) + scanner * CLP_SEGMENT), notes,  \
                            ring->pick);                                                           \
    } else {                                                                                       \
        clp_compact##k(&view, scanner, notes, kept);                                               \
    }
#else
#define CLP_COMPACT(k) clp_compact##k(&view, scanner, notes, kept);
#endif
#if CLP_VALUES
        CLP_EACH_ARRAY(CLP_COMPACT)
#endif
        ulong behind = 0;
#if CLP_PLACES
#define CLP_PUT_PLACE(r)                                                                           \
    for (uint j = 0, next = note[r] >> CLP_NOTE_SHIFT; j < CLP_VEC; j++) {                         \
        if ((note[r] & 1u << j) == 0) continue;                                                    \
        ring->place[scanner][next++] = (ushort)(CLP_CHUNK_PLACE(r) + j);                           \
    }
        uint note[CLP_ROWS];
        place = ring->place[scanner];
        CLP_EACH_ROW(CLP_READ_NOTE)
        CLP_EACH_ROW(CLP_PUT_PLACE)
#endif
        clp_subgroup_barrier(); /* kept elements side by side above, stored below by other lanes */
#if CLP_LENGTHS
        if (kept > 0) behind = view.first + scanner * CLP_SEGMENT + place[kept - 1] + 1;
#endif
        CLP_CREW_WAIT(4, CLP_SCANNERS, scanner == 0, /* opened by the looker */
                      clp_gate_wait(&ring->prefixed[at.stage], at.parity);)
        CLP_A before = ring->prefix[at.stage];
        if (scanner > 0) before = clp_op(before, ring->segment[at.stage][scanner]);
        clp_store_segment(&view, scanner, kept, before, place);
        const bool is_last = view.first + view.count == job->n;
        if (lane == 0 && is_last && scanner == (max(view.count, 1u) - 1) / CLP_SEGMENT) {
            clp_conclude(job->io, job->n, clp_op(before, clp_kept(kept, behind)));
        }
        clp_stage_was_written();
        clp_subgroup_barrier(); /* the stage is used above, given back below */
        if (lane == 0) clp_gate_arrive(&ring->empty[at.stage]); /* the loader waits */
    }
}

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_select_lookahead(CLP_IO_PARAMETERS, ulong n, volatile global ulong *state,
                          volatile global uint *tickets, uint run) {
    local clp_ring ring __attribute__((aligned(128)));
    local CLP_A exchange[CLP_EXCHANGE];
    CLP_SET_IO
    const clp_job job = {&io, n, clp_tiles_of(n), clp_padding(), state, run};
#if CLP_HAS_PICKS
    clp_fill_picks(ring.pick); /* before the barrier behind the setting of the gates */
#endif
    clp_look_ahead(&job, tickets, &ring, exchange);
}
