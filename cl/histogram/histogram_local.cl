/* SPDX-License-Identifier: MIT */
/*
 * Counts in local memory, by atomics. A bin has CLP_COPIES adjacent counters, and a work-item adds
 * to the counter of its lane. With a counter for each bank, no two lanes of a sub-group ever
 * conflict, whatever the values are.
 *
 * If the bins do not fit local memory, a work-group holds CLP_PART_BINS of them, and CLP_PARTS
 * adjacent work-groups read the same slice of the input at about the same time, all but the first
 * from the cache. No work-group waits for another.
 */
CLP_DEFINE_ADD_TO(clp_add_to_local, local)

/* Counts need one word here: within a work-group's slice no count reaches 2^32. */
#if CLP_WEIGHTED
#define CLP_PART_WORDS CLP_WORDS
#else
#define CLP_PART_WORDS 1
#endif

/* What a work-group shares. */
typedef struct clp_shared {
    uint counters[CLP_PART_BINS * CLP_PART_WORDS * CLP_COPIES];
    uint outside, block;
    uint is_last; /* whether this work-group is the last of the run */
} clp_shared;

typedef char clp_shared_has_the_stated_size[sizeof(clp_shared) == CLP_SHARED_BYTES ? 1 : -1];

CLP_INLINE void clp_count_in(local uint *counters, uint bin, const clp_io *io, ulong i,
                             uint largest, int top_bit) {
    local uint *counter = counters + bin * (CLP_PART_WORDS * CLP_COPIES);
#if CLP_WEIGHTED
    clp_add_to_local(counter, CLP_COPIES, clp_weight(io, i, largest, top_bit));
#else
    atomic_inc(counter);
#endif
}

/* The sum of a bin's counters. Each lane begins at another copy, so that the lanes of a sub-group
 * read different banks. */
static inline clp_sum clp_part_sum(const local uint *counter, uint lane) {
    clp_sum sum = clp_sum_of(0, 0);
    for (uint c = 0; c < CLP_COPIES; c++) {
        const uint copy = (c + lane) % CLP_COPIES;
#if CLP_WEIGHTED
        uint words[CLP_WORDS];
        for (uint w = 0; w < CLP_WORDS; w++) words[w] = counter[w * CLP_COPIES + copy];
        sum = clp_add(sum, clp_sum_of_words(words));
#else
        sum = clp_add(sum, clp_sum_of(counter[copy], 0));
#endif
    }
    return sum;
}

/* A macro because CLP_EACH_ELEMENT takes it as an argument and it writes the kernel's variables. */
#define CLP_TAKE(x, index)                                                                         \
    {                                                                                              \
        const uint bin = clp_bin(&io, x, index), here = bin - first_bin;                           \
        if (CLP_PARTS == 1 ? bin < CLP_BINS : here < part_bins) {                                  \
            clp_count_in(counters, here, &io, index, largest, top_bit);                            \
        } else if (bin == CLP_NO_BIN) {                                                            \
            outside++;                                                                             \
            block = min(block, clp_block(index));                                                  \
        }                                                                                          \
    }

/* A macro because CLP_ARRIVE takes it as an argument and it names the kernel's `shared`. */
#define CLP_PART_COUNT(b)                                                                          \
    (uint) clp_part_sum(shared.counters + (b) * (CLP_PART_WORDS * CLP_COPIES), b)

CLP_KERNEL(CLP_GROUP)
void clp_histogram_local(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                         volatile global uint *found CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    CLP_WEIGHT_SCALE
    const uint part = get_group_id(0) % CLP_PARTS, first_bin = part * CLP_PART_BINS;
    const uint part_bins = min((uint)CLP_PART_BINS, CLP_BINS - first_bin);
    const ulong slice = get_group_id(0) / CLP_PARTS, slices = get_num_groups(0) / CLP_PARTS;
    for (uint c = get_local_id(0); c < CLP_PART_BINS * CLP_PART_WORDS * CLP_COPIES;
         c += CLP_GROUP) {
        shared.counters[c] = 0;
    }
    if (get_local_id(0) == 0) {
        shared.outside = 0;
        shared.block = CLP_NO_BLOCK;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all of shared, initialized above, used below by all */
    {
        local uint *const counters = shared.counters + get_local_id(0) % CLP_COPIES;
        uint outside = 0, block = CLP_NO_BLOCK;
        CLP_EACH_ELEMENT(slice, slices, CLP_TAKE)
        if (outside > 0 && part == 0) {
            atomic_add(&shared.outside, outside);
            atomic_min(&shared.block, block);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all of shared, added to above, read below */
#if CLP_ARRIVALS
    CLP_ARRIVE(CLP_GROUP, part_bins, first_bin, slices, CLP_PART_COUNT)
#else
    for (uint b = get_local_id(0); b < part_bins; b += CLP_GROUP) {
        clp_add_to_global(sums + (ulong)(first_bin + b) * CLP_WORDS, 1,
                          clp_part_sum(shared.counters + b * (CLP_PART_WORDS * CLP_COPIES), b));
    }
    if (get_local_id(0) == 0 && shared.outside > 0) {
        clp_tell_outside(found, shared.outside, shared.block);
    }
    CLP_FINISH_IF_LAST(shared.is_last)
#endif
}
