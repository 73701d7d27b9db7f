/* SPDX-License-Identifier: MIT */
/*
 * The kernel of selection in a single wave (single_wave_tile.cl). All work-groups are resident at
 * once, one tile each:
 *   1. The tile is read into registers, and its kept elements are counted.
 *   2. Work-item 0 publishes the tile's aggregate.
 *   3. Each sub-group loads the aggregates of a batch of predecessor tiles. While the loads are on
 *      their way, it stages its kept elements in local memory. Then it sums its batches.
 *   4. The sums of all sub-groups are the tile's prefix, and the staged elements are stored.
 *
 * An aggregate is one word, tagged with the run's number: the number of kept elements. For run
 * lengths it is 16 bits of that, and above them 1 + the position of the last kept element.
 *
 * Local memory: clp_shared of select_group.cl, and a value for each sub-group, twice.
 *
 * A work-group waits only for tiles with lower tickets, whose work-groups have started. These
 * publish before they wait, so every wait ends once the device lets resident work-groups proceed.
 */
#if CLP_LENGTHS && CLP_TILE > 65535
#error "select_single_wave.cl: more elements in a tile than 16 bits count"
#endif

#define CLP_BATCH 32
#define CLP_COUNT_MASK (CLP_LENGTHS ? 0xffffu : 0xffffffffu)

/* What tile `number` has published. Tiles from `end` on count as empty and are not read. */
static inline ulong clp_see_tile(const clp_look *look, uint number, uint end) {
    const ulong none = (ulong)(look->run << 2 | CLP_AGGREGATE) << 32;
    return number < end ? clp_observe(look->state + number) : none;
}

static inline bool clp_is_missing(const clp_look *look, ulong word) {
    return (uint)(word >> 32) != (look->run << 2 | CLP_AGGREGATE);
}

/* Returns the value of the batch that begins with tile `first` to all lanes. word: what the lane
 * has seen of its tile so far. Polls until all tiles of the batch are there. Partner:
 * clp_publish_sum of earlier tiles. */
static inline CLP_A clp_sum_batch(const clp_look *look, ulong word, uint first, uint end) {
    const uint number = first + clp_lane();
    while (clp_ballot(clp_is_missing(look, word)) != 0) {
        if (clp_is_missing(look, word)) word = clp_see_tile(look, number, end);
    }
    const uint count = clp_add_lanes((uint)word & CLP_COUNT_MASK);
#if CLP_LENGTHS
    const uint place = (uint)word >> 16, some = clp_ballot(place > 0);
    const uint last = some == 0 ? 0 : 31 - clz(some);
    const uint last_place = clp_shuffle_word(place, last);
    return clp_kept(count, some == 0 ? 0 : (ulong)(first + last) * CLP_TILE + last_place);
#else
    return clp_kept(count, 0);
#endif
}

/* Combines the parts of the first `count` sub-groups. */
static inline CLP_A clp_sum_parts(const local CLP_A *parts, uint count) {
    CLP_A sum = clp_padding();
#pragma unroll
    for (uint s = 0; s < CLP_SUBGROUPS; s++) {
        if (s < count) sum = clp_op(sum, parts[s]);
    }
    return sum;
}

/* 1 + the index in the array of the segment's last kept element, or 0. */
static inline ulong clp_segment_behind(const clp_rows *rows, ulong first) {
#if CLP_LENGTHS
    uint place = 0;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint some = clp_ballot(rows->bits[r] != 0), lane = some == 0 ? 0 : 31 - clz(some);
        const uint bits = clp_shuffle_word(rows->bits[r], lane);
        if (some != 0) place = clp_chunk_start(r) + (lane - clp_lane()) * CLP_VEC + 32 - clz(bits);
    }
    return place == 0 ? 0 : first + place;
#else
    return 0;
#endif
}

/* A later tile's output may overwrite this tile's input, so the whole tile must be in registers
 * before its aggregate is published. Elements that decide are there, since they are counted. For
 * the others clp_await_rows makes the bits depend on the loaded words. It ORs the words in under a
 * mask that is always 0, because a run's number is below 2^30; the compiler can't know that. */
#if CLP_VALUES && (CLP_ARRAYS > 1 || CLP_BY_FLAGS || CLP_BY_BITS)
#define CLP_WORDS_OF_CHUNK(k)                                                                      \
    static inline uint clp_words_of##k(const clp_chunk##k *chunk) {                                \
        uint words = 0;                                                                            \
        for (uint q = 0; q < sizeof *chunk / 16; q++) {                                            \
            words |= chunk->quad[q].x | chunk->quad[q].y | chunk->quad[q].z | chunk->quad[q].w;    \
        }                                                                                          \
        return words;                                                                              \
    }
CLP_EACH_ARRAY(CLP_WORDS_OF_CHUNK)

static inline void clp_await_rows(clp_rows *rows, uint run) {
#define CLP_AWAIT_CHUNK(k) rows->bits[r] |= clp_words_of##k(&rows->chunk##k[r]) & -(run >> 30);
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        CLP_EACH_ARRAY(CLP_AWAIT_CHUNK)
    }
}
#else
static inline void clp_await_rows(clp_rows *rows, uint run) {}
#endif

/* tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_select_single_wave(CLP_IO_PARAMETERS, ulong most_n, volatile global ulong *state,
                            volatile global uint *tickets,
                            uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_shared shared;
    local CLP_A segments[CLP_SUBGROUPS];
    local CLP_A batches[CLP_SUBGROUPS];
    CLP_SET_IO
    const ulong n = clp_read_count(most_n, counted, counted_first, io.result);
    if (clp_is_idle(n, CLP_TILE)) return;
    const uint item = (uint)get_local_id(0), subgroup = clp_subgroup_number();
    if (item == 0) shared.number = clp_take_ticket(tickets, n, CLP_TILE);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number;
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    const clp_look look = {state, run, clp_padding(), &io, n};
    clp_rows rows;
    clp_read_rows(&io, first, count, true, &rows);
    clp_await_rows(&rows, run);
    const uint kept = clp_scan_chunks(rows.bits, rows.at, shared.exchange);
    const CLP_A segment = clp_kept(kept, clp_segment_behind(&rows, first));
    if (clp_lane() == 0) segments[subgroup] = segment;
    barrier(CLK_LOCAL_MEM_FENCE); /* segments written above, read below */
    const CLP_A own = clp_sum_parts(segments, CLP_SUBGROUPS);
    const uint place = clp_behind_of(own) > 0 ? (uint)(clp_behind_of(own) - first) : 0;
    if (item == 0 && first + CLP_TILE < n) {
        clp_publish_sum(&look, number, (uint)clp_count_of(own) | place << 16);
    }
    const uint to_read = (number + CLP_BATCH - 1) / CLP_BATCH;
    const uint each = max((to_read + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS, 1u);
    const uint from = subgroup * each, end = min(from + each, to_read);
    ulong word = clp_see_tile(&look, from * CLP_BATCH + clp_lane(), number);
    const uint earlier = (uint)clp_count_of(clp_sum_parts(segments, subgroup));
    clp_stage_rows(&rows, count, (uint)clp_count_of(own), earlier, &shared);
    CLP_A part = clp_padding();
    for (uint b = from; b < end; b++) {
        part = clp_op(part, clp_sum_batch(&look, word, b * CLP_BATCH, number));
        word = clp_see_tile(&look, (b + 1) * CLP_BATCH + clp_lane(), number);
    }
    if (clp_lane() == 0) batches[subgroup] = part;
    barrier(CLK_LOCAL_MEM_FENCE); /* staged, and batches written, above, read below */
    const CLP_A before = clp_sum_parts(batches, CLP_SUBGROUPS);
    clp_copy_out(&io, first, count, (uint)clp_count_of(own), before, &shared);
    if (item == 0 && first + count == n) clp_write_count(&io, n, clp_op(before, own));
}
