/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group" by keys, flags or bits: a share, tile by tile. Each lane asks which of
 * its elements begin a segment, and keeps the answers as bits of a word.
 *
 * A reduction has two launches. The first counts the heads of each share, so that the second knows
 * the numbers of its segments, and notes the heads, a bit each, as keys and flags take longer to
 * read. In the second, lanes list the places of a tile's heads in local memory; the total of the
 * segment in front of a head is the scanned value before it. A scan's first launch goes back from a
 * share's end to its last head, and folds what is open behind it.
 */
#if !CLP_BY_OFFSETS
typedef union clp_head_vec {
    CLP_HEAD element[CLP_VEC];
    uint word[(sizeof(CLP_HEAD) * CLP_VEC + 3) / 4];
    uint4 chunks[(sizeof(CLP_HEAD) * CLP_VEC + 15) / 16];
} clp_head_vec;

static inline bool clp_can_read_heads(const clp_run *run, ulong at) {
#if CLP_BY_BITS
    return (run->heads_first + at) % min((uint)CLP_VEC, 8u) == 0;
#else
    return clp_is_aligned(run->heads + at, sizeof(CLP_HEAD) * CLP_VEC);
#endif
}

/* What is read of a tile that is whole and aligned: all rows, before one is looked at, so that the
 * loads overlap. */
typedef struct clp_heads_read {
#if CLP_BY_KEYS
    CLP_HEAD before[CLP_ROWS]; /* in front of the lane's neighbours */
#endif
#if CLP_BY_BITS
    ulong bit;
#else
    clp_head_vec vec[CLP_ROWS];
#endif
} clp_heads_read;

CLP_INLINE void clp_read_heads(const clp_run *run, const clp_span *span, clp_heads_read *read) {
#if CLP_BY_BITS
    read->bit = run->heads_first + span->at;
#else
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const ulong i = span->at + clp_start_of(r);
        clp_load_neighbours(run->heads + i, sizeof(CLP_HEAD) * CLP_VEC, &read->vec[r]);
#if CLP_BY_KEYS
        read->before[r] = run->heads[i > 0 ? i - 1 : 0];
#endif
    }
#endif
}

/* The lane's heads of row r. */
CLP_INLINE uint clp_row_heads(const clp_run *run, const clp_heads_read *read, uint r) {
#if CLP_BY_KEYS
    const clp_head_vec *const vec = &read->vec[r];
    uint heads = clp_same(read->before[r], vec->element[0] CLP_USER(run)) ? 0 : 1;
#pragma unroll
    for (uint j = 1; j < CLP_VEC; j++) {
        if (!clp_same(vec->element[j - 1], vec->element[j] CLP_USER(run))) heads |= 1u << j;
    }
    return heads;
#elif CLP_BY_BITS
    /* They stand in whole bytes, or in one. */
    const ulong bit = read->bit + clp_start_of(r);
    uint bits = run->heads[bit / 8];
    if (CLP_VEC > 8) bits |= (uint)run->heads[bit / 8 + 1] << 8;
    return CLP_VEC < 8 ? bits >> bit % 8 & CLP_VEC_BITS : bits;
#else
    /* Flags: the sum carries every byte that is not 0 into its highest bit, and the product gathers
     * a word's four highest bits in its last four. */
    uint heads = 0;
#pragma unroll
    for (uint w = 0; w < CLP_VEC / 4; w++) {
        const uint bytes = read->vec[r].word[w];
        const uint high = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
        heads |= (high >> 7) * 0x10204080u >> 28 << 4 * w;
    }
    return heads;
#endif
}

/* Returns the tile's heads, CLP_VEC bits a row. */
CLP_INLINE uint clp_ask_heads(const clp_run *run, const clp_span *span) {
    uint heads = 0;
    if (clp_is_whole(span) && clp_can_read_heads(run, span->at)) {
        clp_heads_read read;
        clp_read_heads(run, span, &read);
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) heads |= clp_row_heads(run, &read, r) << r * CLP_VEC;
        if (span->at == 0 && clp_lane() == 0) heads |= 1;
        return heads;
    }
    for (uint r = 0; r * CLP_ROW < span->to; r++) {
        for (uint j = 0; j < CLP_VEC; j++) {
            const uint k = clp_start_of(r) + j;
            bool begins = false;
            if (clp_is_in(span, k)) begins = clp_is_head(run, span->at + k);
            if (begins) heads |= 1u << (r * CLP_VEC + j);
        }
    }
    return heads;
}

#if CLP_REDUCES
#if CLP_NOTES_HEADS
/* Where the lane's heads of the tile that begins at element `first` are noted. */
static inline global clp_noted_heads *clp_lane_heads_at(const clp_run *run, ulong first) {
    return run->lane_heads + first / CLP_VEC + clp_lane();
}

/* The first launch notes the heads, a bit each, so that the second does not read keys again. */
static inline void clp_note_heads(const clp_run *run, ulong first, uint heads) {
    *clp_lane_heads_at(run, first) = (clp_noted_heads)heads;
}

CLP_INLINE uint clp_heads_again(const clp_run *run, const clp_span *span, ulong first) {
    return *clp_lane_heads_at(run, first);
}
#else
/* Bits are read again: to note them would cost as much. */
static inline void clp_note_heads(const clp_run *run, ulong first, uint heads) {}

CLP_INLINE uint clp_heads_again(const clp_run *run, const clp_span *span, ulong first) {
    return clp_ask_heads(run, span);
}
#endif

/* Counts the heads, and notes them. */
CLP_INLINE clp_part clp_summarize_share(const clp_run *run, ulong worker,
                                        local clp_local_tile *tile) {
    const clp_share share = clp_subgroup_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const clp_span span = clp_span_of(first, share.last);
        const uint heads = clp_ask_heads(run, &span);
        clp_note_heads(run, first, heads);
        part.heads += popcount(heads);
    }
    for (uint distance = 16; distance > 0; distance /= 2) {
        part.heads += clp_shuffle_long(part.heads, clp_lane() ^ distance);
    }
    return part;
}

/* What is known of a share's segments so far. */
typedef struct clp_runs {
    clp_part part;
    ulong number; /* segments that have begun */
} clp_runs;

/* Lists the places of the tile's heads. Returns their number. */
CLP_INLINE uint clp_list_heads(local clp_local_tile *tile, uint heads) {
    const uint count = popcount(heads), up_to = clp_scan_words(count);
    for (uint rank = up_to - count; heads != 0; heads &= heads - 1) {
        tile->place[rank++] = (ushort)(clp_start_of(0) + popcount((heads & -heads) - 1));
    }
    return clp_shuffle_word(up_to, 31);
}

#if CLP_UNIQUE
#define CLP_KEYS_BESIDE 8

/* Stores the keys of the segments that begin in the tile, of which `begun` have begun before. Each
 * lane loads CLP_KEYS_BESIDE keys before it stores the first one, so that the loads overlap. */
CLP_INLINE void clp_store_keys(const clp_run *run, const clp_span *span,
                               const local clp_local_tile *tile, uint count, ulong begun) {
    const ulong room = run->counts->segments > begun ? run->counts->segments - begun : 0;
    const uint end = (uint)min((ulong)count, room);
    for (uint first = clp_lane(); first < end; first += 32 * CLP_KEYS_BESIDE) {
        CLP_HEAD key[CLP_KEYS_BESIDE];
#pragma unroll
        for (uint j = 0; j < CLP_KEYS_BESIDE; j++) {
            key[j] = run->heads[span->at + tile->place[min(first + j * 32, end - 1)]];
        }
#pragma unroll
        for (uint j = 0; j < CLP_KEYS_BESIDE; j++) {
            if (first + j * 32 < end) run->keys[begun + first + j * 32] = key[j];
        }
    }
}
#else
CLP_INLINE void clp_store_keys(const clp_run *run, const clp_span *span,
                               const local clp_local_tile *tile, uint count, ulong begun) {}
#endif

/* Stores the results of the segments in front of the tile's heads. before: what is open in front of
 * the tile. */
CLP_INLINE void clp_close_runs(const clp_run *run, const clp_span *span,
                               const local clp_local_tile *tile, uint count, ulong worker,
                               const clp_open *before, clp_runs *runs) {
    const bool is_first = !runs->part.ends;
    if (count == 0) return;
    if (is_first) {
        runs->part.segment = runs->number > 0 ? runs->number - 1 : CLP_NONE;
        runs->part.has_first = before->has || tile->place[0] > span->from;
        runs->part.ends = 1;
    }
    for (uint k = clp_lane(); k < count; k += 32) {
        const uint place = tile->place[k];
        const ulong own = runs->number + k;
        const clp_value total = place > span->from ? clp_value_in(tile, place - 1) : before->value;
        if (k > 0 || !is_first) {
            clp_store_segment(run, own - 1, true, total, &runs->part);
        } else if (runs->part.has_first) {
            run->firsts[worker] = total;
        }
    }
    runs->number += count;
}

CLP_INLINE clp_part clp_process_share(const clp_run *run, ulong worker,
                                      local clp_local_tile *tile) {
    const clp_share share = clp_subgroup_share_of(run, worker);
    const ulong begun = run->parts[worker].heads;
    clp_runs runs = {{0, CLP_NONE, 0, 0, 0, 0, 0}, begun};
    clp_sink sink = {tile};
    clp_open open = clp_nothing_open();
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const clp_span span = clp_span_of(first, share.last);
        const clp_open before = open;
        clp_elements elements;
        clp_start_tile(run, &span, &elements);
        const uint heads = clp_heads_again(run, &span, first);
        const uint count = clp_list_heads(tile, heads);
        clp_take_tile(run, &span, &elements, heads, &open, &sink);
        clp_subgroup_barrier(); /* places and values left above, read below by other lanes */
        clp_store_keys(run, &span, tile, count, runs.number);
        clp_close_runs(run, &span, tile, count, worker, &before, &runs);
        clp_subgroup_barrier(); /* places and values read above, overwritten below */
    }
    runs.part.heads = runs.number - begun;
    clp_note_open(run, worker, &open, &runs.part);
    return runs.part;
}
#else
/* Goes back from the share's end to the last head. */
CLP_INLINE clp_part clp_summarize_share(const clp_run *run, ulong worker,
                                        local clp_local_tile *tile) {
    const clp_share share = clp_subgroup_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.last;
    while (from > share.first && !part.ends) {
        const ulong most = (from - CLP_TILE + CLP_VEC - 1) / CLP_VEC * CLP_VEC;
        const ulong first = from - share.first > CLP_TILE ? most : share.first;
        const clp_span span = clp_span_of(first, from);
        const uint heads = clp_ask_heads(run, &span);
        uint behind = 0; /* 1 + the place of the lane's last head */
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint own = heads >> r * CLP_VEC & CLP_VEC_BITS;
            if (own != 0) behind = clp_start_of(r) + 32 - clz(own);
        }
        for (uint distance = 16; distance > 0; distance /= 2) {
            behind = max(behind, clp_shuffle_word(behind, clp_lane() ^ distance));
        }
        part.ends = behind > 0;
        from = behind > 0 ? span.at + behind - 1 : first;
    }
    clp_note_fold(run, worker, from, share.last, &part);
    return part;
}

CLP_INLINE clp_part clp_process_share(const clp_run *run, ulong worker,
                                      local clp_local_tile *tile) {
    const clp_share share = clp_subgroup_share_of(run, worker);
    const clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    clp_sink sink = {0};
    clp_open open = clp_nothing_open();
    open.has = run->parts[worker].has_tail;
    if (open.has) open.value = run->tails[worker];
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const clp_span span = clp_span_of(first, share.last);
        clp_elements elements;
        clp_start_tile(run, &span, &elements);
        clp_take_tile(run, &span, &elements, clp_ask_heads(run, &span), &open, &sink);
    }
    return part;
}
#endif
#endif
