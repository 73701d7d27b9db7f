/* SPDX-License-Identifier: MIT */
/* Teams and keys, flags or bits: each lane asks which of its elements begin a segment. */
CLP_QUAD(clp_head_quad, CLP_HEAD)

static inline bool clp_can_read_heads(const clp_run *run, ulong at) {
#if CLP_BY_BITS
    return (run->first_bit + at) % CLP_VEC == 0;
#else
    return clp_head_quad_is_aligned(run->heads + at);
#endif
}

/* Of a row that is whole and aligned, whose lane's elements begin at number i. */
#if CLP_BY_KEYS
#define CLP_ROW_HEADS_READ                                                                         \
    clp_head_quad quad[CLP_ROWS];                                                                  \
    CLP_HEAD before[CLP_ROWS];                                                                     \
    _Pragma("unroll") for (uint r = 0; r < CLP_ROWS; r++) {                                        \
        const ulong i = span->at + clp_start_of(r);                                                \
        quad[r] = clp_head_quad_at(run->heads + i);                                                \
        before[r] = run->heads[i > 0 ? i - 1 : 0];                                                 \
    }
#define CLP_ROW_HEADS(r) clp_heads_of(&quad[r], before[r])

static inline uint clp_heads_of(const clp_head_quad *quad, CLP_HEAD before) {
    uint heads = clp_same(before, quad->element[0]) ? 0 : 1;
#pragma unroll
    for (uint j = 1; j < CLP_VEC; j++) {
        if (!clp_same(quad->element[j - 1], quad->element[j])) heads |= 1u << j;
    }
    return heads;
}
#elif CLP_BY_BITS
#define CLP_ROW_HEADS_READ                                                                         \
    uchar byte[CLP_ROWS];                                                                          \
    _Pragma("unroll") for (uint r = 0; r < CLP_ROWS; r++) {                                        \
        byte[r] = run->heads[(run->first_bit + span->at + clp_start_of(r)) / 8];                   \
    }
#define CLP_ROW_HEADS(r)                                                                           \
    (byte[r] >> (run->first_bit + span->at + clp_start_of(r)) % 8 & ((1u << CLP_VEC) - 1))
#else
#define CLP_ROW_HEADS_READ                                                                         \
    clp_head_quad quad[CLP_ROWS];                                                                  \
    _Pragma("unroll") for (uint r = 0; r < CLP_ROWS; r++) {                                        \
        quad[r] = clp_head_quad_at(run->heads + span->at + clp_start_of(r));                       \
    }
#define CLP_ROW_HEADS(r) clp_nonzero_bytes(quad[r].word)

/* A bit for each byte that is not 0. */
static inline uint clp_nonzero_bytes(uint bytes) {
    const uint high = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
    return (high >> 7) * 0x10204080u >> 28;
}
#endif

/* Brings the heads of what follows the tile into the device's cache. */
static inline void clp_fetch_heads(const clp_run *run, const clp_span *span, ulong last) {
#if CLP_AHEAD > 0 && !CLP_BY_BITS
    const ulong next = span->at + CLP_AHEAD * CLP_TILE + clp_lane() * (CLP_TILE / 32);
    if (next < last) clp_fetch_line(run->heads + next);
#endif
}

/* The tile's heads, CLP_VEC bits a row. */
CLP_INLINE uint clp_ask_heads(const clp_run *run, const clp_span *span) {
    uint heads = 0;
    if (clp_is_whole(span) && clp_can_read_heads(run, span->at)) {
        CLP_ROW_HEADS_READ
#pragma unroll
        for (uint r = 0; r < CLP_ROWS; r++) heads |= CLP_ROW_HEADS(r) << r * CLP_VEC;
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
/* Counts the heads. */
CLP_INLINE clp_part clp_look_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const clp_span span = clp_span_of(first, share.last);
        clp_fetch_heads(run, &span, share.last);
        part.heads += popcount(clp_ask_heads(run, &span));
    }
    for (uint distance = 16; distance > 0; distance /= 2) {
        part.heads += clp_long_of_lane(part.heads, clp_lane() ^ distance);
    }
    return part;
}

/* Where the results of a share go. */
struct clp_sink {
    local clp_team_tile *tile;
    clp_part part; /* of the share so far */
    ulong first; /* of the share */
    ulong number; /* segments that have begun */
    ulong worker;
};

/* Notes the first segment that ends in the share, in front of the row's first head. */
CLP_INLINE void clp_end_first(const clp_run *run, const clp_span *span, uint r, const clp_row *row,
                              uint some, clp_sink *sink) {
    const uint lane = 31 - clz(some & -some); /* of the head */
    const uint heads = clp_shuffle_word(row->heads, lane);
    const uint place = r * CLP_ROW + lane * CLP_VEC + popcount((heads & -heads) - 1);
    sink->part.segment = sink->number > 0 ? sink->number - 1 : CLP_NONE;
    sink->part.has_first = span->at + place != sink->first;
    sink->part.ends = 1;
    if (sink->part.has_first && clp_lane() == 0) run->firsts[sink->worker] = sink->tile->value[0];
}

/* Stores the results of the segments in front of the row's heads. */
CLP_INLINE void clp_row_out(const clp_run *run, const clp_span *span, uint r, const clp_row *row,
                            clp_sink *sink) {
    local clp_team_tile *tile = sink->tile;
    const uint lane = clp_lane(), lower = (1u << lane) - 1;
    uint rank = 0, count = 0, some = 0;
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        const uint lanes = clp_ballot((row->heads >> j & 1) != 0);
        rank += popcount(lanes & lower);
        count += popcount(lanes);
        some |= lanes;
    }
    if (some == 0) return;
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if ((row->heads >> j & 1) == 0) continue;
        tile->value[rank] = j > 0 ? row->value[j - 1] : row->before;
        if (CLP_UNIQUE) tile->place[rank] = (uchar)(lane * CLP_VEC + j);
        rank++;
    }
    clp_subgroup_barrier(); /* results above, stored below by other lanes */
    const bool is_first = !sink->part.ends;
    if (is_first) clp_end_first(run, span, r, row, some, sink);
    for (uint k = lane; k < count; k += 32) {
        const ulong own = sink->number + k;
        if (k > 0 || !is_first) clp_store_segment(run, own - 1, true, tile->value[k], &sink->part);
        if (CLP_UNIQUE && own < run->segments) {
            run->keys[own] = run->heads[span->at + r * CLP_ROW + tile->place[k]];
        }
    }
    sink->number += count;
    clp_subgroup_barrier(); /* results read above, overwritten below */
}

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    const ulong begun = run->parts[worker].heads;
    clp_sink sink = {tile, {0, CLP_NONE, 0, 0, 0, 0, 0}, share.first, begun, worker};
    clp_open open = clp_nothing_open();
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const clp_span span = clp_span_of(first, share.last);
        clp_elements elements;
        clp_start_tile(run, &span, share.last, &elements);
        clp_fetch_heads(run, &span, share.last);
        clp_take_tile(run, &span, &elements, clp_ask_heads(run, &span), &open, &sink);
    }
    sink.part.heads = sink.number - begun;
    clp_note_open(run, worker, &open, &sink.part);
    return sink.part;
}
#else
/* Goes back from the share's end to the last head. */
CLP_INLINE clp_part clp_look_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.last;
    while (from > share.first && !part.ends) {
        const ulong most = (from - CLP_TILE + CLP_VEC - 1) / CLP_VEC * CLP_VEC;
        const ulong first = from - share.first > CLP_TILE ? most : share.first;
        const clp_span span = clp_span_of(first, from);
        const uint heads = clp_ask_heads(run, &span);
        uint behind = 0; /* 1 + the place of the lane's last head */
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint own = heads >> r * CLP_VEC & ((1u << CLP_VEC) - 1);
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

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    const clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    clp_sink sink = {0};
    clp_open open = clp_nothing_open();
    open.has = run->parts[worker].has_tail;
    if (open.has) open.value = run->tails[worker];
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const clp_span span = clp_span_of(first, share.last);
        clp_elements elements;
        clp_start_tile(run, &span, share.last, &elements);
        clp_fetch_heads(run, &span, share.last);
        clp_take_tile(run, &span, &elements, clp_ask_heads(run, &span), &open, &sink);
    }
    return part;
}
#endif
