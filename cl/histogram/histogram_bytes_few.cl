/* SPDX-License-Identifier: MIT */
/*
 * Few elements of one byte that all have a bin. For few elements, clearing and adding up all the
 * counters of histogram_bytes.cl would cost more than counting. Here a value has CLP_FEW_COPIES
 * counters, to which lanes add in turn by atomics.
 *
 * Local memory: the counters. No work-group waits for another; the last one to end writes the
 * output.
 */
typedef struct clp_few {
    uint counters[CLP_VALUES * CLP_FEW_COPIES];
    uint is_last; /* whether this work-group is the last of the run */
} clp_few;

CLP_INLINE void clp_count_few_of(local uint *counters, uint word) {
    for (uint j = 0; j < 4; j++) {
        atomic_inc(&counters[(word >> 8 * j & 255) * CLP_FEW_COPIES]); /* with other work-items' */
    }
}

CLP_INLINE void clp_count_few(local uint *counters, uint4 vector) {
    if (clp_is_repeated(vector)) {
        atomic_add(&counters[(vector.x & 255) * CLP_FEW_COPIES], 16u); /* with other work-items' */
        return;
    }
    clp_count_few_of(counters, vector.x);
    clp_count_few_of(counters, vector.y);
    clp_count_few_of(counters, vector.z);
    clp_count_few_of(counters, vector.w);
}

/* The sum of a value's counters. Lanes read different banks. */
CLP_INLINE uint clp_few_count(const local uint *counters, uint value) {
    uint count = 0;
    for (uint c = 0; c < CLP_FEW_COPIES; c++) {
        count += counters[value * CLP_FEW_COPIES + (c + value) % CLP_FEW_COPIES];
    }
    return count;
}
/* A macro because CLP_ARRIVE takes it as an argument and it names the kernel's `few`. */
#define CLP_FEW_COUNT(value) clp_few_count(few.counters, value)

CLP_KERNEL(CLP_FEW_GROUP)
void clp_histogram_bytes_few(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                             volatile global uint *found CLP_USER_PARAMETERS) {
    local clp_few few;
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const uint lane = (uint)get_local_id(0);
    const global uchar *const bytes = (const global uchar *)io.in;
    const ulong head = min((16 - ((ulong)bytes & 15)) % 16, n), vectors = (n - head) / 16;
    const global uint4 *const from = (const global uint4 *)(bytes + head);
    local uint *const counters = few.counters + lane % CLP_FEW_COPIES;
    ulong at = get_global_id(0);
    uint4 vector = (uint4)(0);
    if (at < vectors) vector = from[at];
    for (uint c = lane; c < CLP_VALUES * CLP_FEW_COPIES; c += CLP_FEW_GROUP) few.counters[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, cleared above, added to below */
    while (at < vectors) {
        const uint4 now = vector;
        at += get_num_groups(0) * CLP_FEW_GROUP;
        if (at < vectors) vector = from[at];
        clp_count_few(counters, now);
    }
    if (get_group_id(0) == 0) {
        for (ulong i = lane; i < head; i += CLP_FEW_GROUP) {
            atomic_inc(&counters[bytes[i] * CLP_FEW_COPIES]); /* with other work-items' */
        }
        for (ulong i = head + 16 * vectors + lane; i < n; i += CLP_FEW_GROUP) {
            atomic_inc(&counters[bytes[i] * CLP_FEW_COPIES]); /* with other work-items' */
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, added to above, read below */
#if CLP_ARRIVALS
    CLP_ARRIVE(CLP_FEW_GROUP, CLP_VALUES, 0u, get_num_groups(0), CLP_FEW_COUNT)
#else
    for (uint value = lane; value < CLP_VALUES; value += CLP_FEW_GROUP) {
        const uint count = CLP_FEW_COUNT(value), bin = clp_bin(&io, (CLP_E)(uchar)value, 0);
        if (count > 0) clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1, clp_sum_of(count, 0));
    }
    CLP_FINISH_IF_LAST(few.is_last)
#endif
}
