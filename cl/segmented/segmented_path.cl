/* SPDX-License-Identifier: MIT */
/*
 * The variant "merge-path", on GPUs whose lanes cannot exchange values in loops: a work-group has a
 * share that fits its local memory, a tile of the merge path, elements and ends together. By keys,
 * flags and bits, of which it takes scans, a tile is elements, each with a byte that says whether
 * it is a head.
 *
 * A launch finds the shares, by searches side by side. Then each work-group brings its tile to
 * local memory. Each work-item finds its place on the tile's merge path, takes CLP_PLACES items in
 * their order, and joins what comes in front of its first end to what earlier work-items leave
 * open. The end of a launch is that of the other shares (segmented_finish.cl), with the same join.
 *
 * No work-group waits for another one. Barriers order the steps of a kernel.
 */
#define CLP_PLACES (CLP_ITEMS - 1) /* odd: lanes that stand side by side read other banks */
#define CLP_TILE (CLP_GROUP * CLP_PLACES)
#define CLP_BLOCK (CLP_GROUP < 128 ? 3 : 17) /* odd, too */
#define CLP_BLOCKS ((CLP_GROUP + CLP_BLOCK - 1) / CLP_BLOCK)
typedef char clp_share_has_room[sizeof(clp_share) <= CLP_PART_BYTES ? 1 : -1];

/* ---- What work-items leave open ---- */

typedef struct clp_tail {
    clp_value value; /* behind the last end, where has */
    uint has, ends;
} clp_tail;

typedef struct clp_carries {
    clp_tail tail[CLP_GROUP];
    clp_tail block[CLP_BLOCKS]; /* of CLP_BLOCK work-items together */
    clp_tail front[CLP_BLOCKS + 1]; /* of each block; the last one is the tile's */
    uint broken, has_first;
    uint lowest; /* the first work-item that met a segment without a value */
} clp_carries;

/* Puts a tail in front of a sum. */
static inline void clp_put_in_front(clp_tail lower, clp_tail *sum) {
    if (lower.has) {
        sum->value = sum->has ? clp_combine_ordered(lower.value, sum->value) : lower.value;
        sum->has = 1;
    }
    sum->ends = lower.ends;
}

/* Puts tails [from, to) in front of a sum, back to the last end. */
CLP_INLINE void clp_combine_tails(const local clp_tail *tails, uint from, uint to, clp_tail *sum) {
    for (uint j = to; j > from && !sum->ends; j--) clp_put_in_front(tails[j - 1], sum);
}

/* What tails [from, to) leave open. */
CLP_INLINE void clp_sum_tails(const local clp_tail *tails, uint from, uint to,
                              local clp_tail *result) {
    clp_tail sum;
    sum.has = sum.ends = 0;
    clp_combine_tails(tails, from, to, &sum);
    *result = sum;
}

/* What is open in front of a work-item, as far as its group knows. */
CLP_INLINE void clp_tail_before(const local clp_carries *carries, uint item, clp_tail *sum) {
    sum->has = sum->ends = 0;
    clp_combine_tails(carries->tail, item / CLP_BLOCK * CLP_BLOCK, item, sum);
    if (!sum->ends) clp_put_in_front(carries->front[item / CLP_BLOCK], sum);
}

/* Sets `before` from all work-items' `own`, in a work-group that works. A macro, as barriers stand
 * at a kernel's top level. */
#define CLP_COMBINE_TAILS(works)                                                                   \
    carries.tail[item] = own;                                                                      \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tails written above, read below */                   \
    if ((works) && item < CLP_BLOCKS) {                                                            \
        const uint first = item * CLP_BLOCK, last = min(first + CLP_BLOCK, (uint)CLP_GROUP);       \
        clp_sum_tails(carries.tail, first, last, &carries.block[item]);                            \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* blocks written above, read below */                  \
    if ((works) && item <= CLP_BLOCKS) {                                                           \
        clp_sum_tails(carries.block, 0, item, &carries.front[item]);                               \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* fronts written above, read below */                  \
    if (works) clp_tail_before(&carries, item, &before);

/* ---- A tile in local memory ---- */

#if CLP_REDUCES && !CLP_EMPTY /* results are staged where the ends stand, and stored in a row */
#define CLP_STAGES_RESULTS 1
#define CLP_END_BYTES ((sizeof(CLP_OUT) + 1) / 2 * 2) /* a multiple of a place's 2 */
#else
#define CLP_STAGES_RESULTS 0
#define CLP_END_BYTES (CLP_BY_OFFSETS ? 2 : 1)
#endif
#define CLP_PLACE_BYTES                                                                            \
    (!CLP_BY_OFFSETS                 ? sizeof(CLP_E) + 1                                           \
     : sizeof(CLP_E) > CLP_END_BYTES ? sizeof(CLP_E)                                               \
                                     : CLP_END_BYTES)
#define CLP_OUT_IN_PLACE (CLP_INPUTS > 0 && CLP_E_BYTES == CLP_OUT_BYTES)

/* Elements, behind them the places of ends, or the bytes of heads; of a scan the outputs, too. */
typedef struct clp_path {
    long16 chunks[CLP_TILE * CLP_PLACE_BYTES / 128 + 2]; /* any type is aligned there */
#if !CLP_REDUCES && !CLP_OUT_IN_PLACE
    CLP_OUT out[CLP_TILE];
#endif
    ushort diagonal[CLP_GROUP + 1]; /* ends in front of each work-item's items */
} clp_path;

/* A tile, with a work-item's items: elements [i, last), ends [k, last_end). */
typedef struct clp_walk {
    local uchar *bytes, *ends_at;
    uint elements, ends;
    uint i, last, k, last_end;
} clp_walk;

#define CLP_ELEMENT_AT(walk, j) (((local CLP_E *)(walk)->bytes)[j])
#define CLP_END_AT(walk, j) (*(local ushort *)((walk)->ends_at + (j)*CLP_END_BYTES))

/* Calls load(r, j) for `wide` places of the work-item, then store(r, j) for what is below `count`,
 * and so on. */
#define CLP_STAGE(count, wide, load, store)                                                        \
    for (uint round = 0; round < (count); round += (wide)*CLP_GROUP) {                             \
        _Pragma("unroll") for (uint r = 0; r < (wide); r++) {                                      \
            load(r, round + r * CLP_GROUP + item);                                                 \
        }                                                                                          \
        _Pragma("unroll") for (uint r = 0; r < (wide); r++) {                                      \
            const uint at = round + r * CLP_GROUP + item;                                          \
            if (at < (count)) {                                                                    \
                store(r, at);                                                                      \
            }                                                                                      \
        }                                                                                          \
    }

/* Brings the share to local memory. Notes whether an end is outside of it. */
CLP_INLINE void clp_stage(const clp_run *run, const clp_share *share, local clp_path *path,
                          local clp_carries *carries, clp_walk *walk) {
    const uint item = (uint)get_local_id(0);
    walk->elements = (uint)(share->last - share->first);
    walk->ends = (uint)(share->last_segment - share->segment);
    walk->bytes = (local uchar *)path->chunks;
    walk->ends_at = walk->bytes + (walk->elements * (uint)sizeof(CLP_E) + 127) / 128 * 128;
#if CLP_INPUTS > 0
    CLP_E x[8];
#define CLP_LOAD_ELEMENT(r, j) x[r] = run->in[share->first + min((j), walk->elements - 1)]
#define CLP_STORE_ELEMENT(r, j) CLP_ELEMENT_AT(walk, j) = x[r]
    CLP_STAGE(walk->elements, 8, CLP_LOAD_ELEMENT, CLP_STORE_ELEMENT)
#endif
#if CLP_BY_OFFSETS
    ulong end[4];
#define CLP_LOAD_END(r, j)                                                                         \
    end[r] = (ulong)clp_offset(run, share->segment + min((j) + 1, walk->ends)) - share->first
#define CLP_STORE_END(r, j)                                                                        \
    CLP_END_AT(walk, j) = (ushort)min(end[r], 0xfffful);                                           \
    if (end[r] > walk->elements) carries->broken = 1
    CLP_STAGE(walk->ends, 4, CLP_LOAD_END, CLP_STORE_END)
#else
    bool head[8];
#define CLP_LOAD_HEAD(r, j) head[r] = (j) < walk->elements && clp_is_head(run, share->first + (j))
#define CLP_STORE_HEAD(r, j) walk->ends_at[j] = head[r]
    CLP_STAGE(walk->elements, 8, CLP_LOAD_HEAD, CLP_STORE_HEAD)
#endif
}

static inline uint clp_place_of(const clp_walk *walk, uint item) {
    return min(item * CLP_PLACES, walk->elements + walk->ends);
}

/* Finds the ends in front of the work-item's items, as clp_ends_before does. Notes whether an end
 * falls. */
CLP_INLINE void clp_find_place(const clp_walk *walk, local clp_path *path,
                               local clp_carries *carries) {
    const uint item = (uint)get_local_id(0), d = clp_place_of(walk, item);
    uint from = d > walk->elements ? d - walk->elements : 0, to = min(d, walk->ends);
    while (from < to) {
        const uint middle = (from + to) / 2;
        if (CLP_END_AT(walk, middle) + middle < d) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    path->diagonal[item] = (ushort)from;
    if (item == 0) path->diagonal[CLP_GROUP] = (ushort)walk->ends;
    for (uint k = item + 1; k < walk->ends; k += CLP_GROUP) {
        if (CLP_END_AT(walk, k) < CLP_END_AT(walk, k - 1)) carries->broken = 1;
    }
}

CLP_INLINE void clp_set_place(clp_walk *walk, const local clp_path *path) {
    const uint item = (uint)get_local_id(0);
    walk->k = path->diagonal[item];
    walk->last_end = path->diagonal[item + 1];
    walk->i = clp_place_of(walk, item) - walk->k;
    walk->last = clp_place_of(walk, item + 1) - walk->last_end;
}

/* Takes a work-item's items in their order. An end that another work-item takes is not read: its
 * result may stand there. */
#if CLP_BY_OFFSETS
#define CLP_WALK(on_element, on_end)                                                               \
    for (uint step = 0; step < CLP_PLACES; step++) {                                               \
        if (walk.k < walk.last_end &&                                                              \
            (walk.i >= walk.last || CLP_END_AT(&walk, walk.k) <= walk.i)) {                        \
            on_end;                                                                                \
            walk.k++;                                                                              \
        } else if (walk.i < walk.last) {                                                           \
            on_element;                                                                            \
            walk.i++;                                                                              \
        }                                                                                          \
    }
#else
#define CLP_WALK(on_element, on_end)                                                               \
    for (; walk.i < walk.last; walk.i++) {                                                         \
        if (walk.ends_at[walk.i] != 0) {                                                           \
            on_end;                                                                                \
        }                                                                                          \
        on_element;                                                                                \
    }
#endif

CLP_INLINE void clp_take(const clp_run *run, const clp_share *share, const clp_walk *walk,
                         clp_tail *sum) {
    const clp_value value =
        CLP_VALUE_OF(run, CLP_ELEMENT_AT(walk, walk->i), share->first + walk->i);
    sum->value = sum->has ? clp_combine_ordered(sum->value, value) : value;
    sum->has = 1;
}

/* Segment k of the tile. Its first one is left to the launch's end. */
CLP_INLINE void clp_end_in_tile(const clp_run *run, const clp_share *share, const clp_walk *walk,
                                uint k, const clp_tail *sum, local clp_carries *carries,
                                clp_part *noted) {
#if CLP_REDUCES
    const ulong segment = share->segment + k;
    if (k == 0) {
        carries->has_first = sum->has;
        if (sum->has) run->firsts[get_group_id(0)] = sum->value;
        return;
    }
#if CLP_STAGES_RESULTS
    *(local CLP_OUT *)&CLP_END_AT(walk, k) =
        sum->has ? clp_result(run, segment, sum->value) : clp_result_of_none(run, segment);
#else
    clp_store_segment(run, segment, sum->has, sum->value, noted);
#endif
#endif
}

/* own: what is open behind the work-item's items; first: in front of its first end. */
CLP_INLINE void clp_walk_sums(const clp_run *run, const clp_share *share, clp_walk walk,
                              clp_tail *own, clp_tail *first, local clp_carries *carries,
                              clp_part *noted) {
    own->has = own->ends = first->has = 0;
#define CLP_ON_END                                                                                 \
    if (own->ends) {                                                                               \
        clp_end_in_tile(run, share, &walk, walk.k, own, carries, noted);                           \
    } else {                                                                                       \
        *first = *own;                                                                             \
    }                                                                                              \
    own->has = 0;                                                                                  \
    own->ends = 1
    CLP_WALK(clp_take(run, share, &walk, own), CLP_ON_END)
}

/* Writes the tile's part, and its tail, by one work-item, that with the lowest empty segment. */
CLP_INLINE void clp_put_tile(const clp_run *run, const clp_share *share, bool ends,
                             const local clp_carries *carries, ulong empty) {
    const ulong tile = get_group_id(0);
    if (get_local_id(0) != (carries->lowest < CLP_GROUP ? carries->lowest : 0)) return;
    if (tile >= run->counts->workers) return;
    const clp_tail tail = carries->front[CLP_BLOCKS];
    const clp_part part = {
        0,        ends ? share->segment : CLP_NONE, empty, ends || tail.ends, carries->has_first,
        tail.has, share->broken || carries->broken};
    run->parts[tile] = part;
    if (tail.has) run->tails[tile] = tail.value;
}

/* ---- The launch's end: in place of what segmented_finish.cl has for it ---- */

/* An entry becomes what is in front of the work-item's parts. `noted` is free behind the tile. */
#undef CLP_COMBINE_PARTS
#define CLP_COMBINE_PARTS                                                                          \
    CLP_WAIT_FOR_LAST                                                                              \
    clp_carry sum;                                                                                 \
    clp_carry_none(&sum);                                                                          \
    if (item == 0) carries.broken = 0;                                                             \
    if (item == 0) carries.lowest = CLP_GROUP;                                                     \
    if (shared.is_last) {                                                                          \
        clp_sum_parts(&run, item);                                                                 \
        clp_carry_get(&run, counts.workers + item, &sum);                                          \
    }                                                                                              \
    own.has = sum.has;                                                                             \
    own.ends = sum.ends;                                                                           \
    if (sum.has) own.value = sum.value;                                                            \
    CLP_COMBINE_TAILS(shared.is_last)                                                              \
    if (sum.broken) carries.broken = 1;                                                            \
    if (sum.empty > 0) atomic_min(&carries.lowest, item); /* with the other work-items' */         \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* broken and lowest written above, read below */       \
    if (shared.is_last) clp_put_entries(&run, &before, &carries, sum.empty);                       \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* entries written above, read below by all */

CLP_INLINE void clp_put_entries(const clp_run *run, const clp_tail *before,
                                const local clp_carries *carries, ulong empty) {
    const uint item = (uint)get_local_id(0);
    const ulong entry = run->counts->workers + item;
    const clp_part part = {0, CLP_NONE, 0, before->ends, 0, before->has, 0};
    const clp_part whole = {0, CLP_NONE, empty, 0, 0, 0, carries->broken};
    run->parts[entry] = part;
    if (before->has) run->tails[entry] = before->value;
    if (item == (carries->lowest < CLP_GROUP ? carries->lowest : 0)) {
        run->parts[run->counts->workers + CLP_GROUP] = whole;
    }
}

/* ---- Kernels ---- */

CLP_KERNEL(CLP_GROUP)
void clp_segmented_shares(CLP_SEGMENTED_PARAMETERS) {
    local clp_counts counts;
    CLP_TAKE_COUNTS(0)
    const clp_run run = CLP_RUN;
    const ulong tile = get_global_id(0);
    if (tile < counts.workers) ((global clp_share *)lane_heads)[tile] = clp_share_of(&run, tile);
}

/* The beginning of a kernel: the work-group's share, or none. */
#define CLP_START_TILE(report_at)                                                                  \
    local clp_path path;                                                                           \
    local clp_carries carries;                                                                     \
    local clp_shared shared;                                                                       \
    local clp_counts counts;                                                                       \
    const uint item = (uint)get_local_id(0);                                                       \
    const ulong tile = get_group_id(0);                                                            \
    clp_share held = {0, 0, 0, 0, false};                                                          \
    clp_part noted = {0, CLP_NONE, 0, 0, 0, 0, 0};                                                 \
    clp_tail own, first, before;                                                                   \
    clp_walk walk;                                                                                 \
    if (item == 0) carries.broken = carries.has_first = 0;                                         \
    if (item == 0) carries.lowest = CLP_GROUP;                                                     \
    CLP_TAKE_COUNTS(report_at)                                                                     \
    const clp_run run = CLP_RUN;                                                                   \
    if (tile < counts.workers) held = ((const global clp_share *)lane_heads)[tile];

/* Stages a tile, and joins what its work-items leave open. */
#define CLP_SUM_TILE                                                                               \
    clp_stage(&run, &held, &path, &carries, &walk);                                                \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* tile staged above, read below */                     \
    clp_find_place(&walk, &path, &carries);                                                        \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* places found above, read below */                    \
    clp_set_place(&walk, &path);                                                                   \
    clp_walk_sums(&run, &held, walk, &own, &first, &carries, &noted);                              \
    CLP_COMBINE_TAILS(true)

#if CLP_REDUCES
CLP_KERNEL(CLP_GROUP)
void clp_segmented_outputs(CLP_SEGMENTED_PARAMETERS) {
    CLP_START_TILE(report + report_first)
    CLP_SUM_TILE
    if (own.ends) {
        clp_put_in_front(before, &first);
        clp_end_in_tile(&run, &held, &walk, walk.k, &first, &carries, &noted);
    }
    if (noted.empty > 0) atomic_min(&carries.lowest, item); /* with the other work-items' */
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* results written above, read below */
#if CLP_STAGES_RESULTS
    for (uint k = item; k < walk.ends; k += CLP_GROUP) {
        if (k > 0) run.out[held.segment + k] = *(local CLP_OUT *)&CLP_END_AT(&walk, k);
    }
#endif
    clp_put_tile(&run, &held, walk.ends > 0, &carries, noted.empty);
    CLP_FINISH_RUN
}
#else
#if CLP_BY_OFFSETS
/* Cuts a tile down to the elements behind its last end. */
CLP_INLINE void clp_cut_to_tail(const clp_run *run, clp_share *share) {
    if (share->segment == share->last_segment) return;
    share->segment = share->last_segment;
    share->first = clamp((ulong)clp_offset(run, share->segment), share->first, share->last);
}
#endif

CLP_KERNEL(CLP_GROUP)
void clp_segmented_prefixes(CLP_SEGMENTED_PARAMETERS) {
    CLP_START_TILE(0)
    const bool ends = held.segment < held.last_segment;
#if CLP_BY_OFFSETS
    clp_cut_to_tail(&run, &held);
#endif
    CLP_SUM_TILE
    clp_put_tile(&run, &held, ends, &carries, 0);
    CLP_FINISH_PREFIXES
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_outputs(CLP_SEGMENTED_PARAMETERS) {
    CLP_START_TILE(report + report_first)
    CLP_SUM_TILE
    if (!before.ends && tile < counts.workers) {
        clp_tail open;
        open.has = parts[tile].has_tail;
        open.ends = 0;
        if (open.has) open.value = tails[tile];
        clp_put_in_front(open, &before);
    }
#if CLP_OUT_IN_PLACE
    local CLP_OUT *out_at = (local CLP_OUT *)path.chunks;
#else
    local CLP_OUT *out_at = path.out;
#endif
#define CLP_SCAN_ELEMENT                                                                           \
    const clp_tail open = before;                                                                  \
    clp_take(&run, &held, &walk, &before);                                                         \
    out_at[walk.i] = clp_scanned(&run, held.first + walk.i, open.has, open.value, before.value)
    CLP_WALK(CLP_SCAN_ELEMENT, before.has = 0)
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* outputs written above, read below */
    for (uint i = item; i < walk.elements; i += CLP_GROUP) run.out[held.first + i] = out_at[i];
    clp_put_tile(&run, &held, false, &carries, 0);
    CLP_FINISH_RUN
}
#endif
