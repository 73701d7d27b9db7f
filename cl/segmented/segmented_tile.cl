/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group", of reductions by offsets: tiles of a share, which a sub-group of 32
 * lanes reads and scans, CLP_VEC neighbours a lane, which stay in registers. In NVIDIA's layer it
 * takes 0.70 to 0.85 of the time of a work-group's tiles (segmented_path.cl; H200, 2^28).
 *
 * A tile is a segmented scan. A lane scans its elements from the last start among them; five steps
 * of exchanges scan the lanes; then what is in front of a lane is taken into its elements up to
 * their first start. Starts are heads of segments, elements outside of the share, and the first
 * element of all where nothing is open.
 *
 * A tile begins at a multiple of CLP_VEC elements, whatever the arrays' alignment. So the grouping
 * of operands depends on the share alone, and floats have the same bits in every run.
 *
 * Local memory: a tile for each sub-group, the scanned values, from which any lane reads the total
 * in front of a head, and bytes of heads. Sub-groups do not wait for each other; lanes meet at
 * barriers of their sub-group.
 */
#define CLP_VEC CLP_ITEMS
#define CLP_TILE (32 * CLP_VEC)

#if CLP_ITEMS > 16
#error "segmented_tile.cl: a bit for each of a lane's elements twice does not fit a word"
#endif

/* Bytes of a lane's values in local memory, with a gap of 16, so that lanes meet in no bank. */
#define CLP_LANE_BYTES ((CLP_VEC * CLP_VALUE_BYTES + 15) / 16 * 16 + 16)
#define CLP_LEAST_BYTES 48 /* for the scan of parts */

/* What a sub-group has in local memory. */
typedef struct clp_local_tile {
    uchar values[32 * (CLP_LANE_BYTES > CLP_LEAST_BYTES
                           ? CLP_LANE_BYTES
                           : CLP_LEAST_BYTES)]; /* scanned; clp_value_in says where */
    uchar heads[CLP_TILE]; /* whether a segment begins */
} __attribute__((aligned(16))) clp_local_tile;

/* A tile's place: elements [at + from, at + to) belong to the share, and from < CLP_VEC. */
typedef struct clp_span {
    ulong at;
    uint from, to;
} clp_span;

static inline clp_span clp_tile_span(ulong first, ulong last) {
    const ulong at = first / CLP_VEC * CLP_VEC;
    const clp_span span = {at, (uint)(first - at), (uint)min(last - at, (ulong)CLP_TILE)};
    return span;
}

static inline bool clp_is_whole(const clp_span *span) {
    return span->from == 0 && span->to == CLP_TILE;
}

static inline bool clp_is_in(const clp_span *span, uint k) {
    return k >= span->from && k < span->to;
}

/* Returns the place in the tile where the lane's elements begin. */
static inline uint clp_start(void) {
    return clp_lane() * CLP_VEC;
}

/* ---- Neighbours in memory ---- */

/* Whether one access loads a lane's neighbours: they have 4, 8 or a multiple of 16 bytes
 * together, and a place that is a multiple of their size, or of 16. */
CLP_INLINE bool clp_is_aligned(const global void *at, const uint bytes) {
    const bool suits = bytes == 4 || bytes == 8 || bytes % 16 == 0;
    return suits && ((ulong)at & (min(bytes, 16u) - 1)) == 0;
}

CLP_INLINE void clp_load_neighbours(const global void *from, const uint bytes, void *to) {
    if (bytes == 4) *(uint *)to = *(const global uint *)from;
    if (bytes == 8) {
        const uint2 pair = *(const global uint2 *)from;
        ((uint *)to)[0] = pair.x;
        ((uint *)to)[1] = pair.y;
    }
    for (uint c = 0; c < bytes / 16; c++) {
        ((uint4 *)to)[c] = clp_load_stream((const global uint4 *)from + c);
    }
}

/* `chunks` makes the place of a lane's neighbours in registers a multiple of 16 bytes. */
typedef union clp_in_vec {
    CLP_E element[CLP_VEC];
    uint4 chunks[(sizeof(CLP_E) * CLP_VEC + 15) / 16];
} clp_in_vec;

/* ---- Rows ---- */

/* What lanes have of a tile: first the elements, then each scanned from the start before it on. */
typedef struct clp_row {
    clp_value value[CLP_VEC];
    clp_value before; /* the combination in front of the lane's elements, where something is open */
    uint starts; /* a bit for each of the lane's elements in front of which nothing is open */
} clp_row;

/* The end of a row while it is scanned. */
typedef struct clp_row_tail {
    clp_value value; /* from the last start up to the lane's last element */
    clp_value whole; /* from the last start up to the row's last element */
    uint some; /* lanes with a start */
    uint start; /* lane where the value begins */
} clp_row_tail;

/* A step of the scan over lanes: each lane takes in the lane `distance` below, unless a start
 * stands between the two. */
CLP_INLINE void clp_row_step(clp_row_tail *tail, const uint distance) {
    const clp_value lower = clp_value_below(tail->value, distance);
    if (clp_lane() >= tail->start + distance) {
        tail->value = clp_combine_ordered(lower, tail->value);
    }
}

CLP_INLINE void clp_scan_row(clp_row *row, clp_row_tail *tail) {
    const uint lane = clp_lane();
#pragma unroll
    for (uint j = 1; j < CLP_VEC; j++) {
        if ((row->starts >> j & 1) == 0) {
            row->value[j] = clp_combine_ordered(row->value[j - 1], row->value[j]);
        }
    }
    tail->value = row->value[CLP_VEC - 1];
    tail->some = clp_ballot(row->starts != 0);
    const uint some = tail->some & ((2u << lane) - 1);
    tail->start = some == 0 ? 0 : 31 - clz(some);
    clp_row_step(tail, 1);
    clp_row_step(tail, 2);
    clp_row_step(tail, 4);
    clp_row_step(tail, 8);
    clp_row_step(tail, 16);
    row->before = clp_value_below(tail->value, 1);
    tail->whole = clp_value_of_lane(tail->value, 31);
}

/* Takes what is open in front of the row into it; open is then what is behind it. */
CLP_INLINE void clp_carry_into_row(clp_row *row, const clp_row_tail *tail, clp_open *open) {
    const uint lane = clp_lane();
    if ((tail->some & ((1u << lane) - 1)) == 0) {
        row->before = lane > 0 ? clp_combine_ordered(open->value, row->before) : open->value;
    }
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if ((row->starts & ((2u << j) - 1)) != 0) continue;
        row->value[j] = clp_combine_ordered(row->before, row->value[j]);
    }
    open->value = tail->some == 0 ? clp_combine_ordered(open->value, tail->whole) : tail->whole;
    open->has = true;
}

/* ---- A tile ---- */

/* The lane's heads, and what begins in front of a share's first tile. A tile whose first element is
 * not the first of its lane has what is open in the place of the element before, so that the scan
 * takes it along. */
static inline uint clp_starts_of(const clp_span *span, uint heads, bool has_open) {
    if (clp_lane() > 0) return heads;
    if (!has_open) return heads | 1u << span->from;
    return span->from > 0 ? heads | 1u << (span->from - 1) : heads;
}

static inline bool clp_can_read(const clp_run *run, ulong at) {
    return CLP_INPUTS == 0 || clp_is_aligned(run->in + at, sizeof(CLP_E) * CLP_VEC);
}

/* The lane's elements as they stand in memory, where all are read at once: as the tile is whole and
 * aligned. */
typedef struct clp_elements {
    bool are_read;
#if CLP_INPUTS > 0
    clp_in_vec vec;
#endif
} clp_elements;

/* Starts to read the tile: its heads are found while the loads are under way. */
CLP_INLINE void clp_start_tile(const clp_run *run, const clp_span *span, clp_elements *elements) {
    elements->are_read = clp_is_whole(span) && clp_can_read(run, span->at);
#if CLP_INPUTS > 0
    if (elements->are_read) {
        clp_load_neighbours(run->in + span->at + clp_start(), sizeof(CLP_E) * CLP_VEC,
                            &elements->vec);
    }
#endif
}

/* Leaves the scanned values in local memory. */
CLP_INLINE void clp_leave_row(local clp_local_tile *tile, const clp_row *row) {
    union {
        clp_value value[CLP_VEC];
        uint4 chunk[(CLP_VALUE_BYTES * CLP_VEC + 15) / 16];
    } quad;
    local uint4 *to = (local uint4 *)(tile->values + clp_lane() * CLP_LANE_BYTES);
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) quad.value[j] = row->value[j];
#pragma unroll
    for (uint c = 0; c < (CLP_VALUE_BYTES * CLP_VEC + 15) / 16; c++) to[c] = quad.chunk[c];
}

/* Scans the tile's elements, of which there is at least one: heads has a bit for each of the lane's
 * that begins a segment. open: in front of the tile, then behind it, as if no segment ended there.
 */
CLP_INLINE void clp_take_tile(const clp_run *run, local clp_local_tile *tile, const clp_span *span,
                              const clp_elements *elements, uint heads, clp_open *open) {
    clp_row row;
    clp_row_tail tail;
    row.starts = clp_starts_of(span, heads, open->has);
    if (elements->are_read) {
        const ulong i = span->at + clp_start();
#pragma unroll
        for (uint j = 0; j < CLP_VEC; j++) {
            row.value[j] = CLP_VALUE_OF(run, elements->vec.element[j], i + j);
        }
    } else {
#pragma unroll
        for (uint j = 0; j < CLP_VEC; j++) {
            const uint k = clp_start() + j;
            row.value[j] = open->value; /* in front of the share; behind it whatever */
            if (clp_is_in(span, k)) {
                row.value[j] = clp_element(run, span->at + k);
            } else {
                row.starts |= 1u << j; /* so that nothing is combined with it */
            }
        }
    }
    clp_scan_row(&row, &tail);
    clp_carry_into_row(&row, &tail, open);
    clp_leave_row(tile, &row);
    if (span->to == CLP_TILE) return;
    const uint last = span->to - 1;
    clp_value own = row.value[0];
#pragma unroll
    for (uint j = 1; j < CLP_VEC; j++) {
        if (last % CLP_VEC == j) own = row.value[j];
    }
    open->value = clp_value_of_lane(own, last / CLP_VEC);
}

#if CLP_COMMUTATIVE && !CLP_ARG
CLP_INLINE clp_value clp_fold_step(clp_value total, uint distance) {
    return clp_combine_ordered(total, clp_value_of_lane(total, clp_lane() ^ distance));
}

#if CLP_INPUTS > 0
typedef union clp_fold_vec {
    CLP_E element[4];
    uint4 chunks[(sizeof(CLP_E) * 4 + 15) / 16];
} clp_fold_vec;
#endif

/* Whether 4 neighbours have 4, 8 or a multiple of 16 bytes. */
#define CLP_FOURS_SUIT (CLP_INPUTS == 0 || sizeof(CLP_E) <= 2 || sizeof(CLP_E) % 4 == 0)

/* Combines a whole tile in any order: a lane takes 4 neighbours of every 128 elements, so that
 * loads are coalesced. */
CLP_INLINE clp_value clp_fold_tile(const clp_run *run, ulong first) {
    clp_value total;
#if CLP_INPUTS > 0
    clp_fold_vec vec[CLP_ITEMS / 4];
#pragma unroll
    for (uint r = 0; r < CLP_ITEMS / 4; r++) {
        clp_load_neighbours(run->in + first + (r * 32 + clp_lane()) * 4, sizeof(CLP_E) * 4,
                            &vec[r]);
    }
#endif
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const ulong i = first + (k / 4 * 32 + clp_lane()) * 4 + k % 4;
        const clp_value value = CLP_VALUE_OF(run, vec[k / 4].element[k % 4], i);
        total = k > 0 ? clp_combine_ordered(total, value) : value;
    }
    return total;
}

/* Takes as many whole tiles as end before `end` into what is open, by each lane in registers, where
 * `first` is a tile's place. Returns where they end. */
CLP_INLINE ulong clp_fold_tiles(const clp_run *run, ulong first, ulong last, ulong end,
                                clp_open *open) {
    clp_value total;
    bool some = false;
    if (!CLP_FOURS_SUIT || first % CLP_VEC != 0 || !clp_can_read(run, first)) return first;
    while (last - first >= CLP_TILE && first + CLP_TILE < end) {
        const clp_value own = clp_fold_tile(run, first);
        total = some ? clp_combine_ordered(total, own) : own;
        some = true;
        first += CLP_TILE;
    }
    if (!some) return first;
    total = clp_fold_step(total, 16);
    total = clp_fold_step(total, 8);
    total = clp_fold_step(total, 4);
    total = clp_fold_step(total, 2);
    total = clp_fold_step(total, 1);
    total = clp_value_of_lane(total, 0);
    open->value = open->has ? clp_combine_ordered(open->value, total) : total;
    open->has = true;
    return first;
}
#else
CLP_INLINE ulong clp_fold_tiles(const clp_run *run, ulong first, ulong last, ulong end,
                                clp_open *open) {
    return first;
}
#endif

/* The value at place k of a tile. */
static inline clp_value clp_value_in(const local clp_local_tile *tile, uint k) {
    const local uchar *lane = tile->values + k / CLP_VEC * CLP_LANE_BYTES;
    return ((const local clp_value *)lane)[k % CLP_VEC];
}
