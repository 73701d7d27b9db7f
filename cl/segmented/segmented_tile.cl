/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group": tiles of a share, which a sub-group of 32 lanes reads, scans and writes.
 * A tile has CLP_ROWS rows; a row has CLP_VEC neighbouring elements a lane, which stay in
 * registers. A scan has rows of 4, so that the outputs of a lane are one store. A reduction has a
 * single row, so that lanes exchange values once a tile.
 *
 * A row is a segmented scan. A lane scans its elements from the last start among them; five steps
 * of exchanges scan the lanes; then what is in front of a lane is taken into its elements up to
 * their first start. Starts are heads of segments, elements outside of the share, and the first
 * element of all where nothing is open.
 *
 * A tile begins at a multiple of CLP_VEC elements, whatever the arrays' alignment. So the grouping
 * of operands depends on the share alone, and floats have the same bits in every run.
 *
 * Local memory: a tile for each sub-group, of a reduction the scanned values, from which any lane
 * reads the total in front of a head, and the places of heads. Sub-groups do not wait for each
 * other; lanes meet at barriers of their sub-group.
 */
#define CLP_VEC (CLP_REDUCES ? CLP_ITEMS : 4)
#define CLP_VEC_BITS ((1u << CLP_VEC) - 1)
#define CLP_ROWS (CLP_ITEMS / CLP_VEC)
#define CLP_ROW (32 * CLP_VEC)
#define CLP_TILE (CLP_ROWS * CLP_ROW)
#define CLP_BESIDE (CLP_ROWS > 1 ? 2 : 1) /* rows that are scanned side by side */

#if CLP_ITEMS > 16
#error "segmented_tile.cl: a bit for each of a lane's elements twice does not fit a word"
#endif

/* Bytes of a lane's values in local memory, with a gap of 16, so that lanes meet in no bank. */
#define CLP_LANE_BYTES ((CLP_VEC * CLP_VALUE_BYTES + 15) / 16 * 16 + 16)

/* What a sub-group has in local memory. */
typedef struct clp_local_tile {
#if CLP_REDUCES
    uchar values[32 * CLP_LANE_BYTES]; /* scanned; clp_value_in says where */
#endif
#if CLP_REDUCES && !CLP_BY_OFFSETS
    ushort place[CLP_TILE]; /* of the heads */
#else
    uchar heads[CLP_TILE]; /* by offsets: whether a segment begins */
#endif
} __attribute__((aligned(16))) clp_local_tile;

/* A tile's place: elements [at + from, at + to) belong to the share, and from < CLP_VEC. */
typedef struct clp_span {
    ulong at;
    uint from, to;
} clp_span;

static inline clp_span clp_span_of(ulong first, ulong last) {
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

/* Returns the place in the tile where the lane's elements of a row begin. */
static inline uint clp_start_of(uint row) {
    return row * CLP_ROW + clp_lane() * CLP_VEC;
}

/* ---- Neighbours in memory ---- */

/* Whether one access loads or stores a lane's neighbours: they have 4, 8 or a multiple of 16 bytes
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

CLP_INLINE void clp_store_neighbours(global void *to, const uint bytes, const void *from) {
    if (bytes == 4) *(global uint *)to = *(const uint *)from;
    if (bytes == 8) *(global uint2 *)to = *(const uint2 *)from;
    for (uint c = 0; c < bytes / 16; c++) {
        clp_store_stream((global uint4 *)to + c, ((const uint4 *)from)[c]);
    }
}

/* `chunks` makes the place of a lane's neighbours in registers a multiple of 16 bytes. */
typedef union clp_in_vec {
    CLP_E element[CLP_VEC];
    uint4 chunks[(sizeof(CLP_E) * CLP_VEC + 15) / 16];
} clp_in_vec;

#if !CLP_BY_OFFSETS
CLP_INLINE clp_share clp_subgroup_share_of(const clp_run *run, ulong worker) {
    const ulong rows = (run->counts->n + CLP_ROW - 1) / CLP_ROW;
    const ulong each = (rows + run->counts->workers - 1) / run->counts->workers * CLP_ROW;
    const ulong first = min(worker * each, run->counts->n);
    const clp_share share = {first, min(first + each, run->counts->n), 0, 0, false};
    return share;
}
#endif

/* ---- Rows ---- */

/* A row: first its elements, then each scanned from the start before it on. */
typedef struct clp_row {
    clp_value value[CLP_VEC];
    clp_value before; /* the combination in front of the lane's elements, where something is open */
    uint heads; /* a bit for each of the lane's elements that begins a segment */
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
CLP_INLINE void clp_row_step(clp_row_tail *tail, const uint count, const uint distance) {
#pragma unroll
    for (uint r = 0; r < count; r++) {
        const clp_value lower = clp_value_below(tail[r].value, distance);
        if (clp_lane() >= tail[r].start + distance) {
            tail[r].value = clp_combine_ordered(lower, tail[r].value);
        }
    }
}

/* Scans each row by itself. Rows go side by side, as the exchanges of one would wait for each
 * other.
 */
CLP_INLINE void clp_scan_rows(clp_row *row, clp_row_tail *tail, const uint count) {
    const uint lane = clp_lane();
#pragma unroll
    for (uint r = 0; r < count; r++) {
        const uint starts = row[r].starts;
#pragma unroll
        for (uint j = 1; j < CLP_VEC; j++) {
            if ((starts >> j & 1) == 0) {
                row[r].value[j] = clp_combine_ordered(row[r].value[j - 1], row[r].value[j]);
            }
        }
        tail[r].value = row[r].value[CLP_VEC - 1];
        tail[r].some = clp_ballot(starts != 0);
        const uint some = tail[r].some & ((2u << lane) - 1);
        tail[r].start = some == 0 ? 0 : 31 - clz(some);
    }
    clp_row_step(tail, count, 1);
    clp_row_step(tail, count, 2);
    clp_row_step(tail, count, 4);
    clp_row_step(tail, count, 8);
    clp_row_step(tail, count, 16);
#pragma unroll
    for (uint r = 0; r < count; r++) {
        row[r].before = clp_value_below(tail[r].value, 1);
        tail[r].whole = clp_value_of_lane(tail[r].value, 31);
    }
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

/* What becomes of a scanned row: a reduction leaves it in local memory, a scan stores it. */
typedef struct clp_sink clp_sink;
CLP_INLINE void clp_row_out(const clp_run *run, const clp_span *span, uint r, const clp_row *row,
                            clp_sink *sink);

/* Returns the start of a share's first tile. A tile whose first element is not the first of its
 * lane has what is open in the place of the element before, so that the scan takes it along. */
static inline uint clp_first_start(const clp_span *span, bool has_open) {
    if (!has_open) return 1u << span->from;
    return span->from > 0 ? 1u << (span->from - 1) : 0;
}

CLP_INLINE void clp_set_heads(clp_row *row, const clp_span *span, uint r, uint heads,
                              const clp_open *open) {
    row->heads = row->starts = heads >> r * CLP_VEC & CLP_VEC_BITS;
    if (r == 0 && clp_lane() == 0) row->starts |= clp_first_start(span, open->has);
}

/* A tile's elements as they stand in memory, where all rows are read at once: as it is whole and
 * aligned. */
typedef struct clp_elements {
    bool are_read;
#if CLP_INPUTS > 0
    clp_in_vec vec[CLP_ROWS];
#endif
} clp_elements;

static inline bool clp_can_read(const clp_run *run, ulong at) {
    return CLP_INPUTS == 0 || clp_is_aligned(run->in + at, sizeof(CLP_E) * CLP_VEC);
}

CLP_INLINE void clp_read_elements(const clp_run *run, ulong at, clp_elements *elements) {
#if CLP_INPUTS > 0
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        clp_load_neighbours(run->in + at + clp_start_of(r), sizeof(CLP_E) * CLP_VEC,
                            &elements->vec[r]);
    }
#endif
}

/* Starts to read the tile: its heads are found while the loads are under way. */
CLP_INLINE void clp_start_tile(const clp_run *run, const clp_span *span, clp_elements *elements) {
    elements->are_read = clp_is_whole(span) && clp_can_read(run, span->at);
    if (elements->are_read) clp_read_elements(run, span->at, elements);
}

CLP_INLINE void clp_take_whole(const clp_run *run, const clp_span *span,
                               const clp_elements *elements, uint heads, clp_open *open,
                               clp_sink *sink) {
#pragma unroll
    for (uint first = 0; first < CLP_ROWS; first += CLP_BESIDE) {
        clp_row row[CLP_BESIDE];
        clp_row_tail tail[CLP_BESIDE];
#pragma unroll
        for (uint r = 0; r < CLP_BESIDE; r++) {
            const ulong i = span->at + clp_start_of(first + r);
#pragma unroll
            for (uint j = 0; j < CLP_VEC; j++) {
                row[r].value[j] = CLP_VALUE_OF(run, elements->vec[first + r].element[j], i + j);
            }
            clp_set_heads(&row[r], span, first + r, heads, open);
        }
        clp_scan_rows(row, tail, CLP_BESIDE);
#pragma unroll
        for (uint r = 0; r < CLP_BESIDE; r++) {
            clp_carry_into_row(&row[r], &tail[r], open);
            if (sink != 0) clp_row_out(run, span, first + r, &row[r], sink);
        }
    }
}

/* A tile that is not whole, or not aligned: row by row, element by element. */
CLP_INLINE void clp_take_part(const clp_run *run, const clp_span *span, uint heads, clp_open *open,
                              clp_sink *sink) {
    const uint last = span->to - 1;
    for (uint r = 0; r * CLP_ROW < span->to; r++) {
        clp_row row;
        clp_row_tail tail;
        uint outside = 0;
        for (uint j = 0; j < CLP_VEC; j++) {
            const uint k = clp_start_of(r) + j;
            row.value[j] = open->value; /* in front of the share; behind it whatever */
            if (clp_is_in(span, k)) {
                row.value[j] = clp_element(run, span->at + k);
            } else {
                outside |= 1u << j;
            }
        }
        clp_set_heads(&row, span, r, heads, open);
        row.starts |= outside; /* so that nothing is combined with them */
        clp_scan_rows(&row, &tail, 1);
        clp_carry_into_row(&row, &tail, open);
        if (sink != 0) clp_row_out(run, span, r, &row, sink);
        if (last / CLP_ROW != r) continue;
        clp_value own = row.value[0];
        for (uint j = 1; j < CLP_VEC; j++) {
            if (last % CLP_VEC == j) own = row.value[j];
        }
        open->value = clp_value_of_lane(own, last % CLP_ROW / CLP_VEC);
    }
}

/* Scans the tile's elements, of which there is at least one: heads has CLP_VEC bits a row, which
 * say where segments begin. open: in front of the tile, then behind it, as if no segment ended
 * there. sink: NULL: nothing comes of the rows. */
CLP_INLINE void clp_take_tile(const clp_run *run, const clp_span *span,
                              const clp_elements *elements, uint heads, clp_open *open,
                              clp_sink *sink) {
    if (elements->are_read) {
        clp_take_whole(run, span, elements, heads, open, sink);
    } else {
        clp_take_part(run, span, heads, open, sink);
    }
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

/* Notes what is open behind the share. */
CLP_INLINE void clp_note_open(const clp_run *run, ulong worker, const clp_open *open,
                              clp_part *part) {
    part->has_tail = open->has;
    if (open->has && clp_lane() == 0) run->tails[worker] = open->value;
}

#if CLP_REDUCES
struct clp_sink {
    local clp_local_tile *tile;
};

/* The value at place k of a tile. */
static inline clp_value clp_value_in(const local clp_local_tile *tile, uint k) {
    const local uchar *lane = tile->values + k / CLP_VEC * CLP_LANE_BYTES;
    return ((const local clp_value *)lane)[k % CLP_VEC];
}

/* Leaves the row in local memory. */
CLP_INLINE void clp_row_out(const clp_run *run, const clp_span *span, uint r, const clp_row *row,
                            clp_sink *sink) {
    union {
        clp_value value[CLP_VEC];
        uint4 chunk[(CLP_VALUE_BYTES * CLP_VEC + 15) / 16];
    } quad;
    local uint4 *to = (local uint4 *)(sink->tile->values + clp_lane() * CLP_LANE_BYTES);
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) quad.value[j] = row->value[j];
#pragma unroll
    for (uint c = 0; c < (CLP_VALUE_BYTES * CLP_VEC + 15) / 16; c++) to[c] = quad.chunk[c];
}
#else
/* Notes the combination of elements [first, last), in which no segment begins, as the share's tail.
 */
CLP_INLINE void clp_note_fold(const clp_run *run, ulong worker, ulong first, ulong last,
                              clp_part *part) {
    clp_open open = clp_nothing_open();
    while (first < last) {
        first = clp_fold_tiles(run, first, last, CLP_NONE, &open);
        if (first == last) break;
        const clp_span span = clp_span_of(first, last);
        clp_elements elements;
        clp_start_tile(run, &span, &elements);
        clp_take_tile(run, &span, &elements, 0, &open, 0);
        first = span.at + span.to;
    }
    clp_note_open(run, worker, &open, part);
}

typedef union clp_out_vec {
    CLP_OUT element[CLP_VEC];
    uint4 chunks[(sizeof(CLP_OUT) * CLP_VEC + 15) / 16];
} clp_out_vec;

struct clp_sink {
    uint unused;
};

/* Stores the row's outputs. */
CLP_INLINE void clp_row_out(const clp_run *run, const clp_span *span, uint r, const clp_row *row,
                            clp_sink *sink) {
    const uint start = clp_start_of(r);
    global CLP_OUT *to = run->out + span->at + start;
    clp_out_vec quad;
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        const clp_value before = j > 0 ? row->value[j - 1] : row->before;
        const bool has = (row->starts >> j & 1) == 0;
        if (!CLP_STORES_TEXT || clp_is_in(span, start + j)) {
            quad.element[j] = clp_scanned(run, span->at + start + j, has, before, row->value[j]);
        }
    }
    if (clp_is_whole(span) && clp_is_aligned(run->out + span->at, sizeof quad.element)) {
        clp_store_neighbours(to, sizeof quad.element, &quad);
        return;
    }
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if (clp_is_in(span, start + j)) to[j] = quad.element[j];
    }
}
#endif
