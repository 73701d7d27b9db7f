/* SPDX-License-Identifier: MIT */
/*
 * Parents by teams: sub-groups of 32 lanes whose exchanges may stand in loops (CLP_LOCKSTEP). A
 * team expands its share tile by tile:
 *   1. Lanes load ends of segments. Where a segment that is not empty begins in the tile, a lane
 *      sets a bit at its first element and notes the segment's number.
 *   2. A maximum scan across lanes finds, for each word of bits, the last bit before it.
 *   3. Each lane finds the last bit at or before its elements, which tells their segment, and
 *      stores 16 bytes at a time.
 * Steps 1 and 3 are coalesced, however long the segments are.
 *
 * Local memory: a clp_team_tile for each team. Lanes of a team meet at sub-group barriers; teams of
 * a work-group meet only at the kernel's end. No work-group waits for another.
 */
#define CLP_TEAMS (CLP_GROUP / 32)
#define CLP_WORDS 32 /* words of bits: one for each lane */
#define CLP_TILE (32 * CLP_WORDS)
#define CLP_OUT_VEC (16 / CLP_OUT_BYTES)
#define CLP_AHEAD 4 /* ends that a lane loads at a time; the first time in a tile it is one */
#define CLP_FAR (~0u)

/* A team's local memory. */
typedef struct clp_team_tile {
    uint segment[CLP_TILE]; /* where a segment begins: its number minus that of the share's first */
    uint heads[CLP_WORDS]; /* a bit an element: whether a segment begins */
    uint before[CLP_WORDS]; /* 1 + the last element with a bit before the word; 0: there is none */
} clp_team_tile;

/* A tile's place: elements [first, last), of which element i has the position i - base. */
typedef struct clp_place {
    ulong base, first, last;
    ulong segment; /* that element `first` is in, unless one ends right there */
    ulong begin; /* of that segment */
} clp_place;

/* clp_ends_among of parents_serial.cl by 32 lanes: each step compares 32 ends, so that the range
 * shrinks to a 32nd instead of a half. */
CLP_INLINE ulong clp_ends_among(const clp_run *run, const clp_work *work, ulong d) {
    ulong from = d > work->span ? d - work->span : 0, to = min(d, run->segments);
    while (from < to) {
        const ulong step = (to - from + 31) / 32, k = from + clp_lane() * step;
        bool before = false;
        if (k < to) before = (ulong)(long)run->offsets[k + 1] - (ulong)work->low + k < d;
        const uint count = popcount(clp_ballot(before));
        to = count == 0 ? from : min(from + count * step, to);
        if (count > 0) from += (count - 1) * step + 1;
    }
    return from;
}

/* Marks where segments begin in the tile. Of equal ends only the last one marks: the others belong
 * to empty segments. *closed: the number of the share's segments that end up to the tile's last
 * element. Returns whether an end is malformed. */
CLP_INLINE bool clp_mark_heads(const clp_run *run, const clp_share *share, const clp_place *place,
                               local clp_team_tile *tile, ulong *closed) {
    const uint lane = clp_lane(), length = (uint)(place->last - place->first);
    const uint position = (uint)(place->first - place->base);
    uint count = 32, rounds = 1, before = 0;
    bool bad = false;
    *closed = 0;
    while (count == 32) {
        uint end[CLP_AHEAD];
#pragma unroll
        for (uint v = 0; v < CLP_AHEAD; v++) {
            const ulong k = place->segment + *closed + v * 32 + lane;
            end[v] = CLP_FAR;
            if (v >= rounds || k >= share->last_segment) continue;
            const ulong at = (ulong)(long)run->offsets[k + 1];
            bad = bad || at < place->first || at > share->last;
            end[v] = (uint)min(at - place->first, (ulong)CLP_FAR);
        }
#pragma unroll
        for (uint v = 0; v < CLP_AHEAD; v++) {
            if (v >= rounds || count < 32) continue;
            const uint own = end[v], next = clp_shuffle_word(own, min(lane + 1, 31u)),
                       below = clp_shuffle_up_word(own, 1);
            bad = bad || own < (lane > 0 ? below : before);
            if (own < length && (lane == 31 || next > own)) {
                const uint at = position + own;
                atomic_or(&tile->heads[at / 32], 1u << at % 32);
                tile->segment[at] = (uint)(place->segment + *closed - share->segment) + lane + 1;
            }
            count = popcount(clp_ballot(own <= length));
            *closed += count;
            before = clp_shuffle_word(own, 31);
            clp_subgroup_barrier(); /* segments noted above, overwritten below */
        }
        if (clp_ballot(bad) != 0) return true;
        rounds = CLP_AHEAD;
    }
    return false;
}

/* Sets tile->before; a barrier follows. */
CLP_INLINE void clp_find_before(local clp_team_tile *tile) {
    const uint lane = clp_lane(), own = tile->heads[lane];
    uint last = own != 0 ? lane * 32 + 32 - clz(own) : 0;
#pragma unroll
    for (uint distance = 1; distance < 32; distance *= 2) {
        last = max(last, clp_shuffle_up_word(last, distance)); /* the lowest lanes get their own */
    }
    const uint below = clp_shuffle_up_word(last, 1);
    tile->before[lane] = lane > 0 ? below : 0;
}

typedef union clp_out_vector {
    CLP_OUT element[CLP_OUT_VEC];
    uint4 chunk;
} clp_out_vector;

/* Stores a vector from element i on. Its elements [least, most) are the team's. */
CLP_INLINE void clp_store_vector(global CLP_OUT *out, ulong i, const clp_out_vector *vector,
                                 uint least, uint most, bool aligned) {
    if (aligned && least == 0 && most == CLP_OUT_VEC) {
        clp_store_stream((global uint4 *)(out + i), vector->chunk);
        return;
    }
#pragma unroll
    for (uint j = 0; j < CLP_OUT_VEC; j++) {
        if (j >= least && j < most) out[i + j] = vector->element[j];
    }
}

static inline bool clp_begins_vector(const global CLP_OUT *at) {
    return ((ulong)at & 15) == 0;
}

/* Stores the tile's outputs. first_segment: the share's. */
CLP_INLINE void clp_store_tile(const clp_run *run, const local clp_team_tile *tile,
                               const clp_place *place, ulong first_segment) {
    const uint from = (uint)(place->first - place->base), to = (uint)(place->last - place->base);
    const uint open = (uint)(place->segment - first_segment);
    const bool parents_aligned = clp_begins_vector(run->parents + place->base);
    const bool indices_aligned = clp_begins_vector(run->indices + place->base);
    for (uint p = clp_lane() * CLP_OUT_VEC; p < to; p += 32 * CLP_OUT_VEC) {
        if (p + CLP_OUT_VEC <= from) continue;
        const uint bits = tile->heads[p / 32], lower = bits & ((1u << p % 32) - 1);
        uint at = lower != 0 ? p / 32 * 32 + 32 - clz(lower) : tile->before[p / 32];
        uint segment = at != 0 ? tile->segment[at - 1] : open;
        const uint least = p < from ? from - p : 0, most = min(to - p, (uint)CLP_OUT_VEC);
        clp_out_vector numbers, indices;
#pragma unroll
        for (uint j = 0; j < CLP_OUT_VEC; j++) {
            if (bits >> (p + j) % 32 & 1) {
                at = p + j + 1;
                segment = tile->segment[p + j];
            }
            numbers.element[j] = (CLP_OUT)(first_segment + segment);
            indices.element[j] =
                (CLP_OUT)(at != 0 ? (ulong)(p + j + 1 - at) : place->base + p + j - place->begin);
        }
        if (CLP_GIVES_PARENTS) {
            clp_store_vector(run->parents, place->base + p, &numbers, least, most, parents_aligned);
        }
        if (CLP_GIVES_INDICES) {
            clp_store_vector(run->indices, place->base + p, &indices, least, most, indices_aligned);
        }
    }
}

/* Writes a team's outputs; returns whether its offsets are malformed. */
CLP_INLINE bool clp_expand_share(const clp_run *run, ulong worker, ulong workers,
                                 local clp_team_tile *tile) {
    const clp_work work = clp_work_of(run, worker, workers);
    if (work.broken || work.begin == work.end) return work.broken;
    const ulong begins = clp_ends_among(run, &work, work.begin);
    const clp_share share = clp_share_between(&work, begins, clp_ends_among(run, &work, work.end));
    if (share.broken) return true;
    const global CLP_OUT *const out = CLP_GIVES_PARENTS ? run->parents : run->indices;
    const ulong shift = (ulong)out / CLP_OUT_BYTES % CLP_OUT_VEC; /* to a multiple of 16 bytes */
    clp_place place = {0, share.first, 0, share.segment, 0};
    while (place.first < share.last || place.segment < share.last_segment) {
        ulong closed;
        place.base = (place.first + shift) / CLP_TILE * CLP_TILE - shift;
        place.last = min(place.base + CLP_TILE, share.last);
        place.begin = (ulong)(long)run->offsets[place.segment];
        tile->heads[clp_lane()] = 0;
        clp_subgroup_barrier(); /* bits cleared above, set below */
        if (clp_mark_heads(run, &share, &place, tile, &closed)) return true;
        clp_find_before(tile);
        clp_subgroup_barrier(); /* tile marked above, read below */
        clp_store_tile(run, tile, &place, share.segment);
        place.segment += closed;
        place.first = place.last;
        clp_subgroup_barrier(); /* tile read above, overwritten below */
    }
    return false;
}

CLP_KERNEL(CLP_GROUP)
void clp_parents_team(CLP_PARENTS_PARAMETERS) {
    local clp_shared shared;
    local clp_team_tile tiles[CLP_TEAMS];
    const ulong segments =
        clp_read_count(most_segments, counted, counted_first, report + report_first);
    bool broken = false;
    if (segments != CLP_REFUSED) {
        const clp_run run = CLP_RUN(segments);
        const ulong worker = get_group_id(0) * CLP_TEAMS + clp_subgroup_number();
        broken = clp_expand_share(&run, worker, get_num_groups(0) * CLP_TEAMS,
                                  &tiles[clp_subgroup_number()]);
    }
    CLP_FINISH_PARENTS(broken)
}
