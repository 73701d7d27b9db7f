/* SPDX-License-Identifier: MIT */
/*
 * Offsets: an exclusive scan of the lengths of intervals, with one output more than inputs. The
 * scan's kernels run with this operator (the engine's lookback.cl and lookahead.cl say who waits
 * for whom).
 *
 * Lengths and sums must be below 2^63. The top bit of a value is the fault mark: there is a fault
 * at or before the value's last element. clp_op keeps the mark. A sum of two values without the
 * mark that reaches 2^63 gets it by itself. So the first fault is where a prefix without the mark
 * is followed by one with it, and exactly one sub-group sees that. Faults thus cost no pass and no
 * atomic.
 */
#define CLP_FAULTY (1ul << 63)

#define CLP_FAULT_NONE 0
#define CLP_FAULT_INTERVAL 1
#define CLP_FAULT_TOTAL 2
#define CLP_FAULT_COUNT 3

typedef struct clp_report {
    long fault;
    long index;
    long total;
} clp_report;
typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_REPORT_BYTES ? 1 : -1];

#if CLP_INPUTS == 2
static inline CLP_A clp_input(CLP_E start, CLP_E stop, ulong i) {
    return stop < start ? CLP_FAULTY : (ulong)stop - (ulong)start;
}
#else
static inline CLP_A clp_input(CLP_E count, ulong i) {
    return count < 0 ? CLP_FAULTY : (ulong)count;
}
#endif

static inline CLP_OUT clp_stored(CLP_A r, CLP_A previous, ulong i) {
    return (CLP_OUT)r;
}

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {CLP_FAULT_COUNT, -1, (long)n};
    if (refused) *report = found;
}

static inline CLP_A clp_op(CLP_A a, CLP_A b) {
    return (a + b) | ((a | b) & CLP_FAULTY);
}

#ifdef CLP_E_WIDE
/* clp_input and clp_op on vectors. In the result of a comparison, lanes that hold are all ones. */
static inline CLP_A_WIDE clp_lengths_wide(CLP_E_WIDE start, CLP_E_WIDE stop) {
    const CLP_A_WIDE faulty = CLP_LANES_WIDE(stop < start);
    const CLP_A_WIDE length = CLP_LANES_WIDE(stop) - CLP_LANES_WIDE(start);
    return (length & ~faulty) | (faulty & CLP_FAULTY);
}

static inline CLP_A_WIDE clp_op_wide(CLP_A_WIDE a, CLP_A_WIDE b) {
    return (a + b) | ((a | b) & CLP_FAULTY);
}
#endif
