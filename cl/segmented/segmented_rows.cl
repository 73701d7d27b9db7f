/* SPDX-License-Identifier: MIT */
/*
 * Reductions by length, of rows that a tile holds. A work-group takes a tile of whole rows. It
 * loads the tile by vectors, side by side, into local memory. There each work-item combines pieces
 * of up to CLP_ROW_PIECE neighbours of a row, in place; of a longer row, a work-item then combines
 * the pieces' totals. How operands are grouped depends on the length alone. Longer rows are shares.
 */
#define CLP_ROW_PIECE 32

/* Elements of a load: 16 bytes, where a work-item's elements are whole loads, and work-items are
 * enough for the elements in front of the first whole load and behind the last one. */
#define CLP_ROW_ITEMS (CLP_ROW_TILE / CLP_GROUP)
#if CLP_INPUTS > 0 && 16 % CLP_E_BYTES == 0 && CLP_ROW_ITEMS * CLP_E_BYTES % 16 == 0 &&            \
    CLP_GROUP * CLP_E_BYTES >= 32
#define CLP_ROW_LOADED (16 / CLP_E_BYTES)
#define CLP_ROW_LOAD clp_load_stream
typedef uint4 clp_row_whole;
#else
#define CLP_ROW_LOADED 1
#define CLP_ROW_LOAD *
typedef CLP_E clp_row_whole;
#endif
#define CLP_ROW_LOADS (CLP_ROW_ITEMS / CLP_ROW_LOADED)

typedef union clp_row_load {
    CLP_E element[CLP_ROW_LOADED];
    clp_row_whole whole;
} clp_row_load;

/* A place is free behind each 128 bytes, so that lanes with pieces of one length meet in few banks.
 */
#define CLP_ROW_PAD (CLP_VALUE_BYTES <= 4 ? 32 : CLP_VALUE_BYTES <= 8 ? 16 : 8)
#define CLP_ROW_PLACES (CLP_ROW_TILE + CLP_ROW_LOADED)

static inline uint clp_row_place(uint place) {
    return place + place / CLP_ROW_PAD;
}

/* Brings elements to local memory. Returns the first one's place: the address of place 0 is a
 * multiple of a load's bytes. */
CLP_INLINE uint clp_stage_rows(const clp_run *run, ulong first, uint count,
                               local clp_value *values) {
    const uint item = (uint)get_local_id(0);
    const uint past = (uint)((ulong)(run->in + first) / CLP_E_BYTES) % CLP_ROW_LOADED;
    const uint lead = min((CLP_ROW_LOADED - past) % CLP_ROW_LOADED, count);
    const uint loads = (count - lead) / CLP_ROW_LOADED;
    clp_row_load load[CLP_ROW_LOADS];
#if CLP_INPUTS > 0
    const global clp_row_whole *const whole =
        (const global clp_row_whole *)(run->in + first + lead);
#pragma unroll
    for (uint v = 0; v < CLP_ROW_LOADS; v++) {
        if (item + v * CLP_GROUP < loads)
            load[v].whole = CLP_ROW_LOAD(whole + item + v * CLP_GROUP);
    }
    if (item < count - loads * CLP_ROW_LOADED) {
        const uint j = item < lead ? item : loads * CLP_ROW_LOADED + item;
        values[clp_row_place(past + j)] = clp_element(run, first + j);
    }
#endif
#pragma unroll
    for (uint v = 0; v < CLP_ROW_LOADS; v++) {
        const uint j = lead + (item + v * CLP_GROUP) * CLP_ROW_LOADED;
        if (item + v * CLP_GROUP >= loads) continue;
        local clp_value *const to = values + clp_row_place(past + j);
#pragma unroll
        for (uint k = 0; k < CLP_ROW_LOADED; k++) {
            to[k] = CLP_VALUE_OF(run, load[v].element[k], first + j + k);
        }
    }
    return past;
}

/* Combines the values at every `step`-th place from `from` on, in front of `to`. */
CLP_INLINE clp_value clp_fold_row(const local clp_value *values, uint from, uint to, uint step) {
    clp_value total = values[clp_row_place(from)];
#pragma unroll 4
    for (uint at = from + step; at < to; at += step) {
        total = clp_combine_ordered(total, values[clp_row_place(at)]);
    }
    return total;
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_rows(CLP_SEGMENTED_PARAMETERS) {
    local clp_value values[CLP_ROW_PLACES + CLP_ROW_PLACES / CLP_ROW_PAD + 1];
    local clp_counts counts;
    CLP_TAKE_COUNTS(report + report_first)
    const clp_run run = CLP_RUN;
    const uint length = (uint)heads_first, pieces = (length + CLP_ROW_PIECE - 1) / CLP_ROW_PIECE;
    const uint each = pieces > 1 ? (length + pieces - 1) / pieces : 1;
    const ulong row = get_group_id(0) * share; /* rows of a tile */
    const bool works = counts.workers > 0 && row < counts.segments;
    if (counts.workers > 0 && get_global_id(0) == 0) {
        const clp_report found = {0, -1, (long)counts.segments};
        report[report_first] = found;
    }
    CLP_END_UNLESS(works)
    const uint rows = works ? (uint)min(share, counts.segments - row) : 0;
    const uint elements = (uint)min(counts.n - row * length, (ulong)rows * length);
    const uint past = clp_stage_rows(&run, row * length, elements, values), end = past + elements;
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* values written above, read below */
    for (uint u = (uint)get_local_id(0); pieces > 1 && u < rows * pieces; u += CLP_GROUP) {
        const uint own = u / pieces, first = past + own * length;
        const uint at = first + (u - own * pieces) * each, to = min(at + each, first + length);
        if (at < min(to, end))
            values[clp_row_place(at)] = clp_fold_row(values, at, min(to, end), 1);
    }
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* pieces' totals written above, read below */
    for (uint own = (uint)get_local_id(0); own < rows; own += CLP_GROUP) {
        const uint from = past + own * length, to = min(from + length, end);
        out[out_first + row + own] =
            clp_result(&run, row + own, clp_fold_row(values, from, to, each));
    }
}
