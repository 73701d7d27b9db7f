/* SPDX-License-Identifier: MIT */
/*
 * What the kernels of gather and scatter share: one index after another, each of which names an
 * element of an array of `length` elements. An index outside of that array is a fault, and nothing
 * is moved for it. Each work-group finds the lowest position of its faults, and the last one to end
 * finds the lowest of all and writes the report. No work-group waits for another.
 *
 * The primitive has three functions: clp_fetch loads the element of index number i, which is `at`;
 * clp_place stores or combines that element, and returns i where the index is outside, else
 * CLP_NOWHERE; clp_end_run is what one work-item does when all indices have been taken.
 *
 * Elements that are only moved are clp_moved, a type of their size, which the prelude declares.
 */
typedef char clp_moved_has_the_stated_size[sizeof(clp_moved) == CLP_E_BYTES ? 1 : -1];

/* Returns the length of the array, or CLP_REFUSED if it exceeds `most`; as clp_read_count. */
static inline ulong clp_read_length(ulong most, const global ulong *counted, ulong counted_first,
                                    global clp_report *report) {
    if (counted == 0) return most;
    const ulong length = counted[counted_first];
    const clp_report found = {CLP_FAULT_LENGTH, -1, 0, (long)length};
    if (length <= most) return length;
    if (report != 0 && get_global_id(0) == 0) *report = found;
    return CLP_REFUSED;
}

/* scratch, detail: scatter's; scatter.cl says what they are. */
#define CLP_INDEXED_PARAMETERS                                                                     \
    const global CLP_INDEX *index, ulong index_first, const global clp_moved *in, ulong in_first,  \
        global clp_moved *out, ulong out_first, global clp_report *report, ulong report_first,     \
        ulong most_n, ulong most_length, volatile global uint *counters,                           \
        global ulong *lowest CLP_COUNT_PARAMETERS, const global ulong *counted_length,             \
        ulong counted_length_first, volatile global uint *scratch, ulong detail

/* A run's arrays and numbers. */
typedef struct clp_run {
    const global CLP_INDEX *index;
    const global clp_moved *in;
    global clp_moved *out;
    ulong n;
    ulong length;
    volatile global uint *scratch;
    ulong detail;
    ulong buffer; /* where the buffer of `out` begins */
} clp_run;

/* An initializer, and hence a macro. */
#define CLP_RUN(n, length)                                                                         \
    { index + index_first, in + in_first, out + out_first, n, length, scratch, detail, (ulong)out }

/* A negative index becomes a number above every length. */
static inline ulong clp_index_of(const clp_run *run, ulong i) {
    return (ulong)(long)run->index[i];
}
