/* SPDX-License-Identifier: MIT */
/*
 * The end of a run, and the zeros before the first one. The sums become the output, and the words
 * found become the report; all of them are zeroed for the next run.
 *
 * With few bins the last work-group of the counting kernel does this (CLP_FINISH_IF_LAST), which
 * saves a launch; last_group.cl finds it by a ticket. With many bins it is a kernel of its own. No
 * work-group waits for another; local memory holds only whether the group is the last.
 */

/* By one work-item, after all have read `found`. */
CLP_INLINE void clp_forget(volatile global uint *found) {
    for (uint w = 0; w < CLP_FOUND_WORDS; w++) found[w] = 0;
}

/* Zeroes what every run leaves zeroed, except a run of which the submission failed half-way. */
CLP_KERNEL(CLP_GROUP)
void clp_histogram_clear(global uint *sums, global uint *found, ulong bins) {
    const ulong items = get_num_groups(0) * CLP_GROUP;
    for (ulong w = get_global_id(0); w < bins * CLP_SUM_WORDS; w += items) sums[w] = 0;
    if (get_global_id(0) == 0) clp_forget(found);
}

#if !CLP_FLOATS
CLP_INLINE CLP_OUT clp_output_of(clp_sum sum, uint largest, int top_bit) {
    return (CLP_OUT)sum;
}
#endif

/* The lowest index of a block of indices whose element is outside. */
CLP_INLINE long clp_index_outside(const clp_io *io, ulong n, uint block) {
    const ulong first = (ulong)block << CLP_BLOCK_SHIFT;
    const ulong end = min(first + (1ul << CLP_BLOCK_SHIFT), n);
    for (ulong i = first; i < end; i++) {
        if (clp_bin(io, io->in[i], i) == CLP_NO_BIN) return (long)i;
    }
    return -1;
}

#if CLP_FLOATS
/* The lowest index of a block whose element is in a bin and has a weight that is not finite. */
CLP_INLINE long clp_index_not_finite(const clp_io *io, ulong n, uint block) {
    const ulong first = (ulong)block << CLP_BLOCK_SHIFT;
    const ulong end = min(first + (1ul << CLP_BLOCK_SHIFT), n);
    for (ulong i = first; i < end; i++) {
        if (clp_weight_bits(io->weights[i]) >> CLP_MANTISSA != CLP_FIELD_NOT_FINITE) continue;
        if (clp_bin(io, io->in[i], i) != CLP_NO_BIN) return (long)i;
    }
    return -1;
}
#endif

static inline clp_report clp_report_of(const clp_io *io, ulong n,
                                       const volatile global uint *found) {
    clp_report report;
    report.outside = (long)((ulong)found[CLP_OUTSIDE_HIGH] << 32 | found[CLP_OUTSIDE_LOW]);
    report.fault = CLP_REFUSE_OUTSIDE && report.outside > 0 ? CLP_FAULT_OUTSIDE : 0;
    report.index = report.outside > 0 ? clp_index_outside(io, n, ~found[CLP_OUTSIDE_BLOCK]) : -1;
#if CLP_FLOATS
    if (found[CLP_LARGEST] == CLP_FIELD_NOT_FINITE) {
        report.fault = CLP_FAULT_WEIGHT;
        report.index = clp_index_not_finite(io, n, ~found[CLP_WEIGHT_BLOCK]);
    }
#endif
    return report;
}

/* Where the output and the report go: the arguments of a kernel. */
typedef struct clp_end {
    ulong bins;
    global CLP_OUT *out;
    global clp_report *report;
#if CLP_LEAVES_COUNTERS
    const global clp_counter *counters; /* of each work-item of the counting kernel */
    ulong counting;
#endif
} clp_end;

#define CLP_END_PARAMETERS                                                                         \
    ulong bins, global CLP_OUT *out, ulong out_first, global clp_report *report, ulong report_first
/* clang-format off */
#if CLP_LEAVES_COUNTERS
#define CLP_END {bins, out + out_first, report + report_first, counters, counting}
#else
#define CLP_END {bins, out + out_first, report + report_first}
#endif
/* clang-format on */
#if CLP_LEAVES_COUNTERS
#define CLP_COUNTERS_PARAMETERS , const global clp_counter *counters, ulong counting
#else
#define CLP_COUNTERS_PARAMETERS
#endif

/* Returns the sum of bin b and zeroes its words. */
static inline clp_sum clp_take_sum(const clp_end *end, ulong n, volatile global uint *sums,
                                   ulong b) {
    uint words[CLP_WORDS];
    for (uint w = 0; w < CLP_WORDS; w++) {
#if CLP_ENDS_ITSELF
        words[w] = atomic_xchg(&sums[b * CLP_SUM_WORDS + w], 0u); /* added to by all groups */
#else
        words[w] = sums[b * CLP_WORDS + w];
        if (words[w] != 0) sums[b * CLP_WORDS + w] = 0;
#endif
    }
    clp_sum sum = clp_sum_of_words(words);
#if CLP_LEAVES_COUNTERS
    const ulong items = clp_items_with_elements(n, end->counting);
    for (ulong item = 0; item < items; item++) {
        sum =
            clp_add(sum, clp_sum_of_copies(end->counters + item * CLP_COPIES * (ulong)CLP_BINS, b));
    }
#endif
    return sum;
}

/* Writes the share of work-item `item` of `items`. read: the number of elements from
 * clp_read_count. counted: the address of that number. */
CLP_INLINE void clp_finish(const clp_io *io, ulong read, const global ulong *counted,
                           const clp_end *end, volatile global uint *sums,
                           const volatile global uint *found, ulong item, ulong items) {
    const bool refused = read == CLP_REFUSED;
    const ulong n = clp_elements_of(read);
    CLP_WEIGHT_SCALE
    const ulong outside = (ulong)found[CLP_OUTSIDE_HIGH] << 32 | found[CLP_OUTSIDE_LOW];
    bool faulty = refused || (CLP_REFUSE_OUTSIDE && outside > 0);
#if CLP_FLOATS
    faulty = faulty || found[CLP_LARGEST] == CLP_FIELD_NOT_FINITE;
#endif
#if CLP_GROUP == 1 /* adjacent bins, so that no two work-items write to one line of a cache */
    const ulong each = (end->bins + items - 1) / items, step = 1;
    const ulong first = min(item * each, end->bins), behind = min(first + each, end->bins);
#else
    const ulong first = item, behind = end->bins, step = items;
#endif
    for (ulong b = first; b < behind; b += step) {
        const clp_sum sum = clp_take_sum(end, n, sums, b);
        if (!faulty) end->out[b] = clp_output_of(sum, largest, top_bit);
    }
    if (item != 0) return;
    if (refused) {
        clp_report_count(end->report, *counted, true);
    } else {
        *end->report = clp_report_of(io, n, found);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_histogram_finish(CLP_IO_PARAMETERS, CLP_END_PARAMETERS, volatile global uint *sums,
                          volatile global uint *found CLP_COUNTERS_PARAMETERS CLP_USER_PARAMETERS) {
    const clp_io io = CLP_IO;
    const clp_end end = CLP_END;
    const ulong read = clp_read_count(most, counted, counted_first, 0);
    clp_finish(&io, read, counted + counted_first, &end, sums, found, get_global_id(0),
               get_num_groups(0) * CLP_GROUP);
    clp_device_fence(); /* found above, ticket below; with the last group's */
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* found, read above by all; ticket below, by one */
    if (get_local_id(0) == 0 && clp_is_last_group(found + CLP_TICKETS, get_num_groups(0))) {
        clp_forget(found);
    }
}

/* ---- The end by the last work-group that counts ---- */

#if CLP_ENDS_ITSELF
#define CLP_OWN_END_PARAMETERS CLP_END_PARAMETERS,

/* Each work-group comes here after it has added its counts. is_last: a word of local memory. A
 * macro because it takes the kernel's parameters, and barriers stay at the kernel's top level. */
#define CLP_FINISH_IF_LAST(is_last)                                                                \
    clp_device_fence(); /* counts above, ticket below; with the last group's */                    \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* counts above, added by all; ticket below, by one */ \
    if (get_local_id(0) == 0) {                                                                    \
        (is_last) = clp_is_last_group(found + CLP_TICKETS, get_num_groups(0));                     \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* is_last, written above, read below */                \
    if (is_last) {                                                                                 \
        const clp_end end = CLP_END;                                                               \
        const ulong read = clp_read_count(most, counted, counted_first, 0);                        \
        clp_device_fence(); /* ticket above, counts below; with the other groups' */               \
        clp_finish(&io, read, counted + counted_first, &end, sums, found, get_local_id(0),         \
                   CLP_GROUP);                                                                     \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* found, read above by all; cleared below, by one */  \
    if ((is_last) && get_local_id(0) == 0) clp_forget(found);
#else
#define CLP_OWN_END_PARAMETERS
#define CLP_FINISH_IF_LAST(is_last)
#endif
