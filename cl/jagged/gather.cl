/* SPDX-License-Identifier: MIT */
/*
 * Gather, out[i] = in[index[i]]: what all kernels share. An index outside of `in` is a fault; its
 * output is not written. Each work-group finds the lowest position of its faults, and the last one
 * to end finds the lowest of all and writes the report. No work-group waits for another.
 *
 * Elements are moved as clp_gathered, a type of their size, which the prelude declares.
 */
typedef char clp_gathered_has_the_stated_size[sizeof(clp_gathered) == CLP_E_BYTES ? 1 : -1];

/* Returns the length of `in`, or CLP_REFUSED if it exceeds `most`; as clp_read_count. */
static inline ulong clp_read_length(ulong most, const global ulong *counted, ulong counted_first,
                                    global clp_report *report) {
    if (counted == 0) return most;
    const ulong length = counted[counted_first];
    const clp_report found = {CLP_FAULT_LENGTH, -1, 0, (long)length};
    if (length <= most) return length;
    if (get_global_id(0) == 0) *report = found;
    return CLP_REFUSED;
}

#define CLP_GATHER_PARAMETERS                                                                      \
    const global CLP_INDEX *index, ulong index_first, const global clp_gathered *in,               \
        ulong in_first, global clp_gathered *out, ulong out_first, global clp_report *report,      \
        ulong report_first, ulong most_n, ulong most_length, volatile global uint *counters,       \
        global ulong *lowest CLP_COUNT_PARAMETERS, const global ulong *counted_length,             \
        ulong counted_length_first

/* A run's arrays and numbers. */
typedef struct clp_run {
    const global CLP_INDEX *index;
    const global clp_gathered *in;
    global clp_gathered *out;
    ulong n;
    ulong length;
} clp_run;

/* An initializer, and hence a macro. */
#define CLP_RUN(n, length)                                                                         \
    { index + index_first, in + in_first, out + out_first, n, length }

/* Gathers one element. Returns its position if its index is outside. A negative index becomes a
 * number above every length. */
static inline ulong clp_gather_one(const clp_run *run, ulong i) {
    const ulong at = (ulong)(long)run->index[i];
    if (at >= run->length) return i;
    run->out[i] = run->in[at];
    return CLP_NOWHERE;
}
