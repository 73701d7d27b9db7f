/* SPDX-License-Identifier: MIT */
/*
 * Offsets as bits: of elements [low, low + span) between the first and the last offset, bit k says
 * whether a segment begins with element low + k. One launch clears the words, the next checks the
 * offsets and sets the bits, a row of 32 offsets at a time: words whose offsets all stand in one
 * row are stored, those at its ends are merged with what other rows have of them.
 */
#define CLP_MARK_ROWS 8 /* of a sub-group, whose offsets are loaded at once */

#define CLP_MARK_PARAMETERS                                                                        \
    const global CLP_OFFSET *offsets, ulong offsets_first, ulong most_n, ulong most_segments,      \
        volatile global uint *bits, volatile global uint *fault CLP_COUNT_PARAMETERS,              \
        const global ulong *counted_segments, ulong counted_segments_first

/* What is to be marked: nothing where a count is refused or the elements' bounds are at fault. */
#define CLP_TAKE_MARKS                                                                             \
    const clp_marks marks = clp_marks_of(                                                          \
        offsets + offsets_first, clp_read_count(most_n, counted, counted_first, 0),                \
        clp_read_segments(most_segments, counted_segments, counted_segments_first, 0));

CLP_KERNEL(CLP_GROUP)
void clp_segmented_clear(CLP_MARK_PARAMETERS) {
    CLP_TAKE_MARKS
    const ulong words = marks.span / 32 + 2; /* whose last one is read in vain */
    for (ulong w = get_global_id(0); w < words; w += get_global_size(0)) bits[w] = 0;
    if (get_global_id(0) == 0) *fault = CLP_NO_FAULT;
}

#define CLP_WORD_MERGE(distance)                                                                   \
    {                                                                                              \
        const uint lower = clp_shuffle_up_word(word, distance);                                    \
        if (lane >= first + distance) word |= lower;                                               \
    }

/* A row: the lane has offset number k, if `real`, and the one before it. */
static inline void clp_mark_row(const clp_marks *marks, ulong k, bool real, long before,
                                long offset, volatile global uint *bits,
                                volatile global uint *fault) {
    const uint lane = clp_lane();
    const bool broken = real && (offset < before || offset < 0 || (ulong)offset > marks->n);
    const ulong place = (ulong)(offset - marks->low);
    const bool marked = real && !broken && offset >= marks->low && place < marks->span;
    const uint own = marked ? (uint)(place / 32) : CLP_NO_FAULT; /* no word has that number */
    uint word = marked ? 1u << place % 32 : 0;
    const uint lower_word = clp_shuffle_up_word(own, 1);
    const uint starts = clp_ballot(lane == 0 || lower_word != own);
    const uint first = 31 - clz(starts & ((2u << lane) - 1));
    CLP_WORD_MERGE(1)
    CLP_WORD_MERGE(2)
    CLP_WORD_MERGE(4)
    CLP_WORD_MERGE(8)
    CLP_WORD_MERGE(16)
    const bool is_last = lane == 31 || (starts >> lane & 2) != 0;
    if (is_last && marked && first > 0 && lane < 31) {
        bits[own] = word;
    } else if (is_last && marked) {
        atomic_or(&bits[own], word); /* with other rows' */
    }
    if (broken) atomic_min(fault, (uint)k); /* with other rows' */
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_mark(CLP_MARK_PARAMETERS) {
    CLP_TAKE_MARKS
    const global CLP_OFFSET *const from = offsets + offsets_first;
    const ulong subgroup = get_global_id(0) / 32, subgroups = get_global_size(0) / 32;
    const ulong count = marks.offsets; /* 0: a count was refused */
    for (ulong at = subgroup * 32 * CLP_MARK_ROWS; at < count;
         at += subgroups * 32 * CLP_MARK_ROWS) {
        long offset[CLP_MARK_ROWS], before[CLP_MARK_ROWS];
#pragma unroll
        for (uint r = 0; r < CLP_MARK_ROWS; r++) {
            const ulong k = min(at + r * 32 + clp_lane(), count - 1);
            offset[r] = from[k];
            before[r] = k == 0 ? 0 : from[k - 1];
        }
#define CLP_MARK_ROW(r)                                                                            \
    {                                                                                              \
        const ulong k = at + (r)*32 + clp_lane();                                                  \
        clp_mark_row(&marks, k, k < count, before[r], offset[r], bits, fault);                     \
    }
        CLP_MARK_ROW(0)
        CLP_MARK_ROW(1)
        CLP_MARK_ROW(2)
        CLP_MARK_ROW(3)
        CLP_MARK_ROW(4)
        CLP_MARK_ROW(5)
        CLP_MARK_ROW(6)
        CLP_MARK_ROW(7)
    }
}
