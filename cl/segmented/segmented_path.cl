/* SPDX-License-Identifier: MIT */
/*
 * The variant "merge-path": a work-group has a share, and goes through it tile by tile. A tile is
 * CLP_TILE elements. It is brought to local memory side by side, so that loads are coalesced, with
 * a byte for each element that says whether a segment begins there: by keys, flags and bits each
 * element is asked, by offsets each end of a segment marks the element behind it. Then each
 * work-item scans CLP_PLACES neighbours from the last head among them on, in place, and a scan over
 * the work-items says what is open in front of each one. After that every value can be read: the
 * scanned value, behind what is open in front of its work-item where no head comes between.
 * Results are stored side by side, by offsets an end each, by keys a head each, of a scan an
 * element each. What is open behind a tile is in front of the next one.
 *
 * Shares have equal numbers of elements and ends, so that many empty segments make none longer. The
 * end of a launch is that of the other shares (segmented_finish.cl). No work-group waits for
 * another one. Loops with barriers have bounds that all work-items of the group agree on.
 */
#define CLP_PLACES (CLP_ITEMS - 1) /* odd: lanes that stand side by side read other banks */
#define CLP_TILE (CLP_GROUP * CLP_PLACES)
#define CLP_ROW_WORDS (CLP_ITEMS / 4 + 1) /* of a work-item's flags; odd, too */
/* Loads of a work-item that overlap: of elements, heads and ends. */
#define CLP_DEEP (sizeof(CLP_E) > 8 ? 4 : CLP_ITEMS < 16 ? CLP_ITEMS : 16)
#define CLP_HEADS_DEEP (sizeof(CLP_HEAD) > 8 ? 4 : 8)
#define CLP_ENDS_DEEP 4
#define CLP_LISTS (CLP_REDUCES && !CLP_BY_OFFSETS) /* whether the places of heads are listed */
#define CLP_CLOSES (CLP_REDUCES && CLP_BY_OFFSETS) /* whether ends give the results */

/* What some elements, or the parts of some shares, leave open. */
typedef struct clp_tail {
    clp_value value; /* behind the last head, where has */
    uint has, heads;
} clp_tail;

typedef union clp_room {
    clp_value value[CLP_TILE];
    clp_carry carry[CLP_GROUP]; /* at the end of a launch */
} clp_room;

typedef union clp_flags {
    uint word[CLP_GROUP * CLP_ROW_WORDS];
    uchar flag[CLP_GROUP * CLP_ROW_WORDS * 4];
#if CLP_LISTS
    ushort place[CLP_TILE]; /* of the heads, once each work-item has its own as bits */
#endif
} clp_flags;

typedef struct clp_local_tile {
    clp_room room;
    clp_flags flags;
    clp_tail tail[2][CLP_GROUP];
    uint heads[CLP_GROUP]; /* a bit for each of a work-item's elements that is a head */
    clp_tail open; /* in front of the tile; the first work-item alone asks */
    ulong bound[2], closed; /* of the share; segments that end in the tile */
    uint found[3][2]; /* by a search, in three steps */
    uint ended, broken, lowest;
} clp_local_tile;

/* ---- A tile comes to local memory ---- */

/* Returns where the byte of element j stands: in a row for each work-item. */
static inline uint clp_flag_of(uint j) {
    return j + j / CLP_PLACES * (CLP_ROW_WORDS * 4 - CLP_PLACES);
}

CLP_INLINE void clp_stage(const clp_run *run, local clp_local_tile *tile, ulong first, uint count) {
    for (uint at = (uint)get_local_id(0); at < count; at += CLP_DEEP * CLP_GROUP) {
#if CLP_INPUTS > 0
        CLP_E x[CLP_DEEP];
#pragma unroll
        for (uint r = 0; r < CLP_DEEP; r++) {
            x[r] = run->in[first + min(at + r * CLP_GROUP, count - 1)];
        }
#endif
#pragma unroll
        for (uint r = 0; r < CLP_DEEP; r++) {
            const uint j = at + r * CLP_GROUP;
            if (j < count) tile->room.value[j] = CLP_VALUE_OF(run, x[r], first + j);
        }
    }
}

#if CLP_BY_OFFSETS
/* Where a segment begins and ends, counted from the tile's first element. */
typedef struct clp_bounds {
    long begin, end;
} clp_bounds;

/* Returns segment k's bounds; behind the share's last segment, an end that is far away. */
static inline clp_bounds clp_bounds_of(const clp_run *run, const clp_share *share, ulong first,
                                       ulong k) {
    const ulong last = share->last_segment;
    clp_bounds bounds = {(long)clp_offset(run, min(k, last)) - (long)first, LONG_MAX};
    if (k < last) bounds.end = (long)clp_offset(run, k + 1) - (long)first;
    return bounds;
}

/* Notes how many segments end in the tile, from number `segment` on: the work-item does that meets
 * the first one that does not. Of offsets that fall, some work-item meets one that falls, or the
 * share's last segment never ends. */
CLP_INLINE void clp_note_bounds(local clp_local_tile *tile, const clp_bounds *bounds, ulong k,
                                ulong segment, uint count) {
    if (bounds->end < bounds->begin) tile->broken = 1;
    if (bounds->end <= (long)count || bounds->begin > (long)count) return;
    tile->closed = k - segment;
    tile->ended = k > segment && bounds->begin == (long)count;
}

CLP_INLINE void clp_mark_end(local clp_local_tile *tile, const clp_bounds *bounds, ulong k,
                             ulong segment, uint count) {
    if ((ulong)bounds->end < count) tile->flags.flag[clp_flag_of((uint)bounds->end)] = 1;
    if (!CLP_CLOSES) clp_note_bounds(tile, bounds, k, segment, count);
}

/* Marks the heads behind the ends that stand in the tile, of segments from number `segment` on.
 * next: the bounds of the work-item's first one. */
CLP_INLINE void clp_mark(const clp_run *run, local clp_local_tile *tile, const clp_share *share,
                         ulong first, uint count, ulong segment, const clp_bounds *next) {
    ulong k = segment + get_local_id(0);
    bool goes_on = k <= share->last_segment && next->end <= (long)count;
    if (k <= share->last_segment) clp_mark_end(tile, next, k, segment, count);
    for (k += CLP_GROUP; goes_on && k <= share->last_segment; k += CLP_ENDS_DEEP * CLP_GROUP) {
        clp_bounds bounds[CLP_ENDS_DEEP];
#pragma unroll
        for (uint r = 0; r < CLP_ENDS_DEEP; r++) {
            bounds[r] = clp_bounds_of(run, share, first, k + r * CLP_GROUP);
        }
#pragma unroll
        for (uint r = 0; r < CLP_ENDS_DEEP; r++) {
            if (k + r * CLP_GROUP > share->last_segment) continue;
            clp_mark_end(tile, &bounds[r], k + r * CLP_GROUP, segment, count);
        }
        goes_on = bounds[CLP_ENDS_DEEP - 1].end <= (long)count;
    }
}
#else
/* Asks CLP_HEADS_DEEP elements, from number `at` of `count` on, whether they are heads. */
CLP_INLINE void clp_ask_heads(const clp_run *run, ulong first, uint count, uint at, bool *is_head) {
    CLP_HEAD head[CLP_HEADS_DEEP], before[CLP_HEADS_DEEP];
#pragma unroll
    for (uint r = 0; r < CLP_HEADS_DEEP; r++) {
        const ulong i = first + min(at + r * CLP_GROUP, count - 1);
        head[r] = run->heads[CLP_BY_BITS ? (run->heads_first + i) / 8 : i];
        if (CLP_BY_KEYS) before[r] = run->heads[max(i, 1ul) - 1];
    }
#pragma unroll
    for (uint r = 0; r < CLP_HEADS_DEEP; r++) {
        const uint j = at + r * CLP_GROUP;
        const ulong i = first + j;
        is_head[r] = false;
        if (j >= count) continue;
#if CLP_BY_KEYS
        is_head[r] = i == 0 || !clp_same(before[r], head[r] CLP_USER(run));
#elif CLP_BY_BITS
        is_head[r] = i == 0 || (head[r] >> (run->heads_first + i) % 8 & 1) != 0;
#else
        is_head[r] = i == 0 || head[r] != 0;
#endif
    }
}

/* Marks the tile's heads. */
CLP_INLINE void clp_mark_heads(const clp_run *run, local clp_local_tile *tile, ulong first,
                               uint count) {
    for (uint at = (uint)get_local_id(0); at < count; at += CLP_HEADS_DEEP * CLP_GROUP) {
        bool is_head[CLP_HEADS_DEEP];
        clp_ask_heads(run, first, count, at, is_head);
#pragma unroll
        for (uint r = 0; r < CLP_HEADS_DEEP; r++) {
            const uint j = at + r * CLP_GROUP;
            if (j < count) tile->flags.flag[clp_flag_of(j)] = is_head[r];
        }
    }
}
#endif

/* Returns a bit for each of the work-item's elements that is a head, and clears their bytes. The
 * product gathers four bytes of 0 or 1 in the word's last four bits. */
CLP_INLINE uint clp_take_flags(local clp_local_tile *tile) {
    local uint *row = tile->flags.word + get_local_id(0) * CLP_ROW_WORDS;
    uint bits = 0;
#pragma unroll
    for (uint w = 0; w < CLP_ITEMS / 4; w++) {
        bits |= (row[w] & 0x01010101u) * 0x10204080u >> 28 << 4 * w;
        row[w] = 0;
    }
    return bits;
}

/* ---- Scans ---- */

/* Scans `real` elements of a work-item in place, behind what `tail` has. */
CLP_INLINE void clp_scan_own(local clp_value *value, uint bits, uint real, clp_tail *tail) {
    clp_value total = tail->value;
#pragma unroll
    for (uint j = 0; j < CLP_PLACES; j++) {
        if (j >= real) continue;
        const clp_value own = value[j];
        const bool is_fresh = (bits >> j & 1) != 0 || (j == 0 && !tail->has);
        total = is_fresh ? own : clp_combine_ordered(total, own);
        value[j] = total;
    }
    tail->value = total;
}

/* Scans the work-item's elements. Returns what they leave open. */
CLP_INLINE clp_tail clp_walk(local clp_local_tile *tile, uint count, const clp_tail *open) {
    const uint item = (uint)get_local_id(0), at = item * CLP_PLACES;
    const uint real = clamp(count, at, at + CLP_PLACES) - at;
    const uint bits = clp_take_flags(tile) & ((1u << real) - 1);
    clp_tail tail = *open;
    tile->heads[item] = bits;
    if (real == CLP_PLACES) {
        clp_scan_own(tile->room.value + at, bits, CLP_PLACES, &tail);
    } else {
        clp_scan_own(tile->room.value + at, bits, real, &tail);
    }
    tail.has |= real > 0;
    tail.heads = popcount(bits);
    return tail;
}

/* Puts a tail in front of another one. */
CLP_INLINE void clp_put_in_front(clp_tail lower, clp_tail *tail) {
    if (lower.has && tail->heads == 0) {
        tail->value = tail->has ? clp_combine_ordered(lower.value, tail->value) : lower.value;
        tail->has = 1;
    }
    tail->heads += lower.heads;
}

CLP_INLINE void clp_scan_step(const local clp_tail *from, local clp_tail *to, uint distance) {
    const uint item = (uint)get_local_id(0);
    clp_tail own = from[item];
    if (item >= distance) clp_put_in_front(from[item - distance], &own);
    to[item] = own;
}

/* Scans all work-items' `own`; `scanned` is then where the tails stand. A macro, as barriers stand
 * in kernels alone. */
#define CLP_SCAN_TAILS                                                                             \
    scanned = tile.tail[0];                                                                        \
    tile.tail[0][item] = own;                                                                      \
    for (uint distance = 1, side = 1; distance < CLP_GROUP; distance *= 2, side ^= 1) {            \
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tails written above, read below */               \
        clp_scan_step(scanned, tile.tail[side], distance);                                         \
        scanned = tile.tail[side];                                                                 \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tails written above, read below */

/* Returns the combination of the elements up to number j from the last head on, or from the first
 * that is open in front of the tile. */
CLP_INLINE clp_value clp_total_at(const local clp_local_tile *tile, const local clp_tail *scanned,
                                  uint j) {
    const uint owner = j / CLP_PLACES, up_to = (2u << (j - owner * CLP_PLACES)) - 1;
    const clp_value own = tile->room.value[j];
    if (owner == 0 || (tile->heads[owner] & up_to) != 0) return own;
    return clp_combine_ordered(scanned[owner - 1].value, own);
}

/* ---- Results ---- */

#if CLP_CLOSES
/* Stores the result of segment k, which ends in the tile. */
CLP_INLINE void clp_close_one(const clp_run *run, const local clp_local_tile *tile,
                              const local clp_tail *scanned, const clp_share *share, ulong first,
                              ulong k, const clp_bounds *bounds, clp_part *part) {
    const bool has = max(bounds->begin, (long)(share->first - first)) < bounds->end;
    const uint place = (uint)clamp(bounds->end - 1, 0l, CLP_TILE - 1l);
    clp_value total;
    if (has) total = clp_total_at(tile, scanned, place);
    if (k > share->segment) {
        clp_store_segment(run, k, has, total, part);
    } else {
        part->has_first = has;
        if (has) run->firsts[get_group_id(0)] = total;
    }
}

/* Stores the results of the segments that end in the tile. next: as in clp_mark. */
CLP_INLINE void clp_close(const clp_run *run, local clp_local_tile *tile,
                          const local clp_tail *scanned, const clp_share *share, ulong first,
                          uint count, ulong segment, const clp_bounds *next, clp_part *part) {
    ulong k = segment + get_local_id(0);
    bool goes_on = k <= share->last_segment && next->end <= (long)count;
    if (k <= share->last_segment) clp_note_bounds(tile, next, k, segment, count);
    if (goes_on) clp_close_one(run, tile, scanned, share, first, k, next, part);
    for (k += CLP_GROUP; goes_on && k <= share->last_segment; k += CLP_ENDS_DEEP * CLP_GROUP) {
        clp_bounds bounds[CLP_ENDS_DEEP];
#pragma unroll
        for (uint r = 0; r < CLP_ENDS_DEEP; r++) {
            bounds[r] = clp_bounds_of(run, share, first, k + r * CLP_GROUP);
        }
#pragma unroll
        for (uint r = 0; r < CLP_ENDS_DEEP; r++) {
            const ulong own = k + r * CLP_GROUP;
            goes_on = goes_on && own <= share->last_segment;
            if (goes_on) clp_note_bounds(tile, &bounds[r], own, segment, count);
            goes_on = goes_on && bounds[r].end <= (long)count;
            if (goes_on) {
                clp_close_one(run, tile, scanned, share, first, own, &bounds[r], part);
            }
        }
    }
}
#elif CLP_LISTS
/* Lists the places of the tile's heads. */
CLP_INLINE void clp_list_heads(local clp_local_tile *tile, const local clp_tail *scanned) {
    const uint item = (uint)get_local_id(0);
    uint rank = item > 0 ? scanned[item - 1].heads : 0;
    for (uint bits = tile->heads[item]; bits != 0; bits &= bits - 1) {
        tile->flags.place[rank++] = (ushort)(item * CLP_PLACES + popcount((bits & -bits) - 1));
    }
}

/* Stores the results of the segments in front of the tile's heads; `begun` have begun before the
 * tile. is_first: the first of them may have begun before the share. */
CLP_INLINE void clp_close(const clp_run *run, const local clp_local_tile *tile,
                          const local clp_tail *scanned, ulong first, ulong begun, bool is_first,
                          clp_part *part) {
    const uint heads = scanned[CLP_GROUP - 1].heads;
    for (uint k = (uint)get_local_id(0); k < heads; k += CLP_GROUP) {
        const uint place = tile->flags.place[k];
        const bool has = place > 0 || tile->open.has;
        clp_value total;
        if (place > 0) {
            total = clp_total_at(tile, scanned, place - 1);
        } else {
            total = tile->open.value;
        }
        if (CLP_UNIQUE && begun + k < run->counts->segments) {
            run->keys[begun + k] = run->heads[first + place];
        }
        if (k > 0 || !is_first) {
            clp_store_segment(run, begun + k - 1, true, total, part);
            continue;
        }
        part->segment = begun > 0 ? begun - 1 : CLP_NONE;
        part->has_first = has;
        if (has) run->firsts[get_group_id(0)] = total;
    }
}
#else
/* Stores the tile's outputs. */
CLP_INLINE void clp_store_tile(const clp_run *run, const local clp_local_tile *tile,
                               const local clp_tail *scanned, ulong first, uint count) {
#pragma unroll 4
    for (uint j = (uint)get_local_id(0); j < count; j += CLP_GROUP) {
        const uint owner = j / CLP_PLACES;
        const bool is_head = (tile->heads[owner] >> (j - owner * CLP_PLACES) & 1) != 0;
        const bool has = !is_head && (j > 0 || tile->open.has);
        const clp_value total = clp_total_at(tile, scanned, j);
        clp_value before = tile->room.value[j]; /* whatever, where nothing is before */
        if (!CLP_INCLUSIVE && has && j > 0) before = clp_total_at(tile, scanned, j - 1);
        if (!CLP_INCLUSIVE && has && j == 0) before = tile->open.value;
        run->out[first + j] = clp_scanned(run, first + j, has, before, total);
    }
}
#endif

/* ---- Kernels ---- */

/* The beginning of a kernel: the work-group's share, or none. */
#define CLP_START_SHARE(report_at)                                                                 \
    const uint item = (uint)get_local_id(0);                                                       \
    const ulong worker = get_group_id(0);                                                          \
    local clp_carry *const carries = tile.room.carry;                                              \
    const local clp_tail *scanned;                                                                 \
    clp_share held = {0, 0, 0, 0, false};                                                          \
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};                                                  \
    clp_tail own;                                                                                  \
    if (item == 0) {                                                                               \
        tile.open.has = tile.open.heads = tile.broken = tile.ended = 0;                            \
        tile.closed = 0;                                                                           \
        tile.lowest = ~0u;                                                                         \
        for (uint k = 0; k < 6; k++) tile.found[k / 2][k % 2] = 0;                                 \
    }                                                                                              \
    clp_take_flags(&tile);                                                                         \
    CLP_TAKE_COUNTS(report_at)                                                                     \
    const clp_run run = CLP_RUN;                                                                   \
    CLP_FIND_SHARE

#if CLP_BY_OFFSETS
#define CLP_HALF (CLP_GROUP / 2)

/* A search for clp_ends_before(d) by half of the work-group: each step asks for CLP_HALF ends at
 * once, so that the range becomes a CLP_HALF-th in the time of one load. */
typedef struct clp_search {
    ulong d, from, to;
} clp_search;

/* Whether the end that the work-item asks for stands among the first d items. */
CLP_INLINE bool clp_search_asks(const clp_run *run, const clp_search *search) {
    const ulong stride = (search->to - search->from + CLP_HALF - 1) / CLP_HALF;
    const ulong k = search->from + get_local_id(0) % CLP_HALF * stride;
    if (k >= search->to) return false;
    return (ulong)clp_offset(run, k + 1) - (ulong)clp_offset(run, 0) + k < search->d;
}

/* found: the number of work-items whose end does. */
CLP_INLINE void clp_search_narrow(clp_search *search, uint found) {
    const ulong stride = (search->to - search->from + CLP_HALF - 1) / CLP_HALF;
    search->to = found == 0 ? search->from : min(search->from + found * stride, search->to);
    if (found > 0) search->from += (found - 1) * stride + 1;
}

#define CLP_FIND_SHARE                                                                             \
    const uint side = item / CLP_HALF;                                                             \
    const ulong span = worker < counts.workers ? clp_span_of(&run) : CLP_NONE;                     \
    const bool searches = span != CLP_NONE && span + counts.segments > 0;                          \
    clp_search search = {searches ? clp_items_before(&run, span, worker + side) : 0, 0, 0};        \
    search.from = searches && search.d > span ? search.d - span : 0;                               \
    search.to = searches ? min(search.d, counts.segments) : 0;                                     \
    ulong left = searches ? counts.segments : 0;                                                   \
    for (uint step = 0; left > 0; left /= CLP_HALF, step = (step + 1) % 3) {                       \
        if (clp_search_asks(&run, &search)) atomic_inc(&tile.found[step][side]);                   \
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* counted above, read below */                     \
        clp_search_narrow(&search, tile.found[step][side]);                                        \
        if (item < 2) tile.found[(step + 2) % 3][item] = 0; /* which all have read */              \
    }                                                                                              \
    if (item % CLP_HALF == 0) tile.bound[side] = search.from;                                      \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* bounds written above, read below by all */           \
    if (worker < counts.workers) {                                                                 \
        held = clp_share_between(&run, worker, tile.bound[0], tile.bound[1]);                      \
    }
#else
#define CLP_FIND_SHARE                                                                             \
    if (worker < counts.workers) held = clp_share_of(&run, worker);
#endif

/* Brings elements [first, first + count) to local memory, and scans them. */
#define CLP_SCAN_TILE                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tile staged above, read below */                     \
    own.has = 0;                                                                                   \
    if (item == 0 && takes_open) own = tile.open;                                                  \
    own = clp_walk(&tile, count, &own);                                                            \
    CLP_SCAN_TAILS

#if CLP_LISTS
CLP_KERNEL(CLP_GROUP)
void clp_segmented_prefixes(CLP_SEGMENTED_PARAMETERS) {
    local clp_local_tile tile;
    local clp_shared shared;
    local clp_counts counts;
    CLP_START_SHARE(0)
    own.has = own.heads = 0;
    for (ulong first = held.first; first < held.last; first += CLP_HEADS_DEEP * CLP_GROUP) {
        const uint count = (uint)min(held.last - first, (ulong)CLP_HEADS_DEEP * CLP_GROUP);
        bool is_head[CLP_HEADS_DEEP];
        clp_ask_heads(&run, first, count, item, is_head);
#pragma unroll
        for (uint r = 0; r < CLP_HEADS_DEEP; r++) own.heads += is_head[r];
    }
    CLP_SCAN_TAILS
    if (item == 0 && worker < counts.workers) {
        part.heads = scanned[CLP_GROUP - 1].heads;
        parts[worker] = part;
    }
    CLP_FINISH_PREFIXES
}
#elif !CLP_REDUCES
/* Goes back from the share's end to the last head, tile by tile. */
CLP_KERNEL(CLP_GROUP)
void clp_segmented_prefixes(CLP_SEGMENTED_PARAMETERS) {
    local clp_local_tile tile;
    local clp_shared shared;
    local clp_counts counts;
    CLP_START_SHARE(0)
    const bool takes_open = false;
    ulong begin = held.first, end = held.last;
    bool ends = held.segment < held.last_segment;
#if CLP_BY_OFFSETS
    if (ends) begin = clamp((ulong)clp_offset(&run, held.last_segment), begin, end);
#endif
    for (bool goes_on = begin < end; goes_on;) {
        const uint count = (uint)min(end - begin, (ulong)CLP_TILE);
        const ulong first = end - count;
        clp_stage(&run, &tile, first, count);
#if !CLP_BY_OFFSETS
        clp_mark_heads(&run, &tile, first, count);
#endif
        CLP_SCAN_TILE
        ends |= scanned[CLP_GROUP - 1].heads > 0;
        if (item == 0) {
            own = tile.open;
            clp_put_in_front(scanned[CLP_GROUP - 1], &own);
            tile.open = own;
        }
        end = first;
        goes_on = begin < end && scanned[CLP_GROUP - 1].heads == 0;
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tile read above, overwritten below */
    }
    if (item == 0 && worker < counts.workers) {
        part.ends = ends;
        part.has_tail = tile.open.has;
        if (part.has_tail) tails[worker] = tile.open.value;
        parts[worker] = part;
    }
    CLP_FINISH_PREFIXES
}
#endif

/* Goes on behind the tile. Returns the number of segments that end in it or, where heads give the
 * results, that begin in it. */
CLP_INLINE ulong clp_go_on(local clp_local_tile *tile, const local clp_tail *scanned,
                           const clp_share *share, ulong segment) {
    const clp_tail all = scanned[CLP_GROUP - 1];
    if (get_local_id(0) == 0) {
        tile->open = all;
        if (tile->ended) tile->open.has = 0;
    }
    return CLP_LISTS ? all.heads : min(tile->closed, share->last_segment - segment);
}

/* Notes the share's part, by one work-item. segment: the number of the segment behind the share or,
 * where heads give the results, of segments that have begun. */
CLP_INLINE void clp_put_part(const clp_run *run, const local clp_local_tile *tile,
                             const clp_share *share, ulong segment, clp_part *part) {
    const ulong worker = get_group_id(0);
#if CLP_LISTS
    part->heads = segment - run->parts[worker].heads;
    part->ends = part->heads > 0;
#else
    part->ends = share->last_segment > share->segment;
    part->segment = part->ends ? share->segment : CLP_NONE;
    part->broken = share->broken || tile->broken || segment != share->last_segment;
#endif
    part->has_tail = tile->open.has;
    if (part->has_tail && CLP_REDUCES) run->tails[worker] = tile->open.value;
    run->parts[worker] = *part;
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_outputs(CLP_SEGMENTED_PARAMETERS) {
    local clp_local_tile tile;
    local clp_shared shared;
    local clp_counts counts;
    CLP_START_SHARE(report + report_first)
    const bool takes_open = true;
    const bool has_part = worker < counts.workers;
    const ulong tiles = max((held.last - held.first + CLP_TILE - 1) / CLP_TILE, 1ul);
    ulong segment = held.segment;
#if CLP_LISTS
    const ulong begun = has_part ? parts[worker].heads : 0;
    segment = begun; /* segments that have begun */
#elif !CLP_REDUCES
    if (item == 0 && has_part) {
        tile.open.has = parts[worker].has_tail;
        if (tile.open.has) tile.open.value = tails[worker];
    }
#endif
    for (ulong t = 0; t < tiles; t++) {
        const ulong first = held.first + t * CLP_TILE;
        const uint count = (uint)min(held.last - first, (ulong)CLP_TILE);
#if CLP_BY_OFFSETS
        const clp_bounds next = clp_bounds_of(&run, &held, first, segment + item);
#endif
        clp_stage(&run, &tile, first, count);
#if CLP_BY_OFFSETS
        clp_mark(&run, &tile, &held, first, count, segment, &next);
#else
        clp_mark_heads(&run, &tile, first, count);
#endif
        CLP_SCAN_TILE
#if CLP_LISTS
        clp_list_heads(&tile, scanned);
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* places written above, read below */
        clp_close(&run, &tile, scanned, first, segment, segment == begun, &part);
#elif CLP_CLOSES
        clp_close(&run, &tile, scanned, &held, first, count, segment, &next, &part);
#else
        clp_store_tile(&run, &tile, scanned, first, count);
#endif
#if CLP_CLOSES
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* closed written above, read below */
#endif
        segment += clp_go_on(&tile, scanned, &held, segment);
#if !CLP_CLOSES
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tile read above, overwritten below */
#endif
    }
#if CLP_EMPTY
    if (part.empty > 0) {
        atomic_min(&tile.lowest, (uint)(part.empty - 1 - held.segment)); /* with the others' */
    }
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* lowest written above, read below */
    part.empty = tile.lowest == ~0u ? 0 : held.segment + tile.lowest + 1;
#endif
    if (item == 0 && has_part) clp_put_part(&run, &tile, &held, segment, &part);
    CLP_FINISH_RUN
}
