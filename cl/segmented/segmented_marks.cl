/* SPDX-License-Identifier: MIT */
/*
 * The variant "lookahead" by offsets: offsets become bits, in two launches before the single pass.
 * Bit k says whether a segment begins with element low + k, of the elements [low, low + span)
 * between the first and the last offset. The first launch clears the words. The second checks the
 * offsets and sets the bits, CLP_MARK_ROWS rows of 32 offsets at a time.
 *
 * Where a sub-group's offsets stand close together, their words are made in local memory: the words
 * between the first and the last one are the sub-group's alone, and stored; these two are merged
 * into global memory by atomics, as other sub-groups have bits of them, too. Elsewhere each bit is
 * an atomic.
 */
#define CLP_MARK_ROWS 8 /* of a sub-group, whose offsets are loaded at once */
#define CLP_NO_PLACE (~0ul)

#define CLP_MARK_PARAMETERS                                                                        \
    const global CLP_OFFSET *offsets, ulong offsets_first, ulong most_n, ulong most_segments,      \
        volatile global uint *bits, volatile global uint *fault CLP_COUNT_PARAMETERS,              \
        const global ulong *counted_segments, ulong counted_segments_first

/* Declares the kernel's `marks`, what is to be marked: nothing where a count is refused or the
 * elements' bounds are at fault. */
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

/* A sub-group's words in local memory: the most that CLP_MARK_ROWS rows may span. */
#define CLP_MARK_WORDS 256
#define CLP_GROUP_WORDS (CLP_GROUP / 32 * CLP_MARK_WORDS)

/* The offsets that a sub-group takes at once: the lane has one of each row. */
typedef struct clp_mark_rows {
    ulong place[CLP_MARK_ROWS]; /* of the bit; from `span` on: there is none */
    bool are_whole; /* no offset is at fault */
} clp_mark_rows;

/* Reads offsets from number `at` on, and notes the lowest one at fault. */
static inline clp_mark_rows clp_read_marks(const clp_marks *marks, const global CLP_OFFSET *from,
                                           ulong at, volatile global uint *fault) {
    long offset[CLP_MARK_ROWS], before[CLP_MARK_ROWS];
    clp_mark_rows rows;
    uint broken = 0; /* the lane's offsets at fault, a bit for each row */
#pragma unroll
    for (uint r = 0; r < CLP_MARK_ROWS; r++) {
        const ulong k = min(at + r * 32 + clp_lane(), marks->offsets - 1);
        offset[r] = from[k];
        before[r] = k == 0 ? 0 : from[k - 1];
    }
#pragma unroll
    for (uint r = 0; r < CLP_MARK_ROWS; r++) {
        const bool is_broken =
            (ulong)offset[r] > marks->n || (ulong)before[r] > (ulong)offset[r]; /* below 0, too */
        rows.place[r] = is_broken ? CLP_NO_PLACE : (ulong)(offset[r] - marks->low);
        broken |= is_broken ? 1u << r : 0;
    }
    if (broken != 0) {
        const uint lowest = 31 - clz(broken & -broken);
        const ulong place = min(at + lowest * 32 + clp_lane(), marks->offsets - 1);
        atomic_min(fault, (uint)place); /* with other lanes' and work-groups' */
    }
    rows.are_whole = clp_ballot(broken != 0) == 0;
    return rows;
}

/* Sets the rows' bits, which stand in the words from `low` to `high`, by way of local memory. Its
 * words are 0 before and after. */
static inline void clp_mark_words(const clp_marks *marks, const clp_mark_rows *rows, uint low,
                                  uint high, volatile local uint *words, global uint *bits) {
#pragma unroll
    for (uint r = 0; r < CLP_MARK_ROWS; r++) {
        const ulong place = rows->place[r];
        if (place < marks->span) {
            atomic_or(&words[(uint)(place / 32) - low], 1u << place % 32); /* with other lanes' */
        }
    }
    clp_subgroup_barrier(); /* bits set above, read below by other lanes */
    for (uint w = low + clp_lane(); w <= high; w += 32) {
        const uint word = words[w - low];
        words[w - low] = 0;
        if (w > low && w < high) {
            bits[w] = word;
        } else if (word != 0) {
            atomic_or((volatile global uint *)&bits[w], word); /* with other sub-groups' */
        }
    }
    clp_subgroup_barrier(); /* words cleared above, used below by other lanes */
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_mark(CLP_MARK_PARAMETERS) {
    local uint words[CLP_GROUP_WORDS];
    CLP_TAKE_MARKS
    const ulong subgroup = get_global_id(0) / 32, subgroups = get_global_size(0) / 32;
    const ulong count = marks.offsets; /* 0: a count was refused */
    local uint *const own = words + clp_subgroup_number() * CLP_MARK_WORDS;
    for (uint w = clp_lane(); w < CLP_MARK_WORDS; w += 32) own[w] = 0;
    clp_subgroup_barrier(); /* words cleared above, used below by other lanes */
    for (ulong at = subgroup * 32 * CLP_MARK_ROWS; at < count;
         at += subgroups * 32 * CLP_MARK_ROWS) {
        const clp_mark_rows rows = clp_read_marks(&marks, offsets + offsets_first, at, fault);
        const uint first = (uint)(rows.place[0] / 32);
        const uint last = (uint)(min(rows.place[CLP_MARK_ROWS - 1], marks.span) / 32);
        const uint low = clp_shuffle_word(first, 0), high = clp_shuffle_word(last, 31);
        if (rows.are_whole && high >= low && high - low < CLP_MARK_WORDS) {
            clp_mark_words(&marks, &rows, low, high, own, (global uint *)bits);
            continue;
        }
        for (uint r = 0; r < CLP_MARK_ROWS; r++) {
            const ulong place = rows.place[r];
            if (place < marks.span)
                atomic_or(&bits[place / 32], 1u << place % 32); /* with other rows' */
        }
    }
}
