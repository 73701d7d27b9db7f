/* SPDX-License-Identifier: MIT */
/*
 * Merge path (Green, McColl, Bader 2012): two sorted arrays as one sequence. A diagonal is a
 * position in the merged sequence. Its split is the number of elements of a before that position,
 * found by binary search. Pieces between diagonals have equal lengths and are merged independently,
 * however the elements of a and b are distributed. In a search, a are the needles and b is the
 * sorted array.
 *
 * No local memory; no work-group waits for another.
 */

typedef char clp_element_has_the_stated_size[sizeof(CLP_E) == CLP_E_BYTES ? 1 : -1];

/* As clprims_merge_report and clprims_search_report. */
typedef struct clp_report {
    long fault;
    long n_a;
    long n_b;
} clp_report;

typedef char clp_report_has_the_stated_size[sizeof(clp_report) == CLP_MERGE_REPORT_BYTES ? 1 : -1];

#define CLP_FAULT_COUNT_A 1
#define CLP_FAULT_COUNT_B 2

typedef struct clp_io {
    const global CLP_E *a;
    const global CLP_E *b;
    ulong n_a;
    ulong n_b;
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

/* n_a, n_b: the numbers of elements, or the maxima of the numbers in device memory. */
#define CLP_IO_PARAMETERS                                                                          \
    const global CLP_E *a, ulong a_first, const global CLP_E *b, ulong b_first, ulong n_a,         \
        ulong n_b, const global ulong *counted_a, ulong counted_a_first,                           \
        const global ulong *counted_b, ulong counted_b_first
/* clang-format off */
#define CLP_IO {a + a_first, b + b_first, n_a, n_b CLP_USER_IO}
/* clang-format on */
#define CLP_COUNTS counted_a, counted_a_first, counted_b, counted_b_first

/* Of the kernels of a merge: its payload. */
#ifdef CLP_VALUE
#define CLP_PAYLOAD_PARAMETERS                                                                     \
    , const global CLP_VALUE *payload_a, ulong payload_a_first, const global CLP_VALUE *payload_b, \
        ulong payload_b_first, global CLP_VALUE *payload_out, ulong payload_out_first
#else
#define CLP_PAYLOAD_PARAMETERS
#endif

/* Takes each number of elements from device memory if it is there. If one is too large, both become
 * 0, and nothing is read or written. */
CLP_INLINE void clp_take_counts(clp_io *io, const global ulong *counted_a, ulong counted_a_first,
                                const global ulong *counted_b, ulong counted_b_first) {
    const ulong n_a = counted_a != 0 ? counted_a[counted_a_first] : io->n_a;
    const ulong n_b = counted_b != 0 ? counted_b[counted_b_first] : io->n_b;
    const bool fits = n_a <= io->n_a && n_b <= io->n_b;
    io->n_a = fits ? n_a : 0;
    io->n_b = fits ? n_b : 0;
}

/* One work-item of the launch reports the numbers if one was in device memory. report: may be
 * NULL. */
CLP_INLINE void clp_report_counts(ulong most_a, ulong most_b, const global ulong *counted_a,
                                  ulong counted_a_first, const global ulong *counted_b,
                                  ulong counted_b_first, global clp_report *report) {
    if (report == 0 || (counted_a == 0 && counted_b == 0) || get_global_id(0) != 0) return;
    const ulong n_a = counted_a != 0 ? counted_a[counted_a_first] : most_a;
    const ulong n_b = counted_b != 0 ? counted_b[counted_b_first] : most_b;
    report->fault = n_a > most_a ? CLP_FAULT_COUNT_A : n_b > most_b ? CLP_FAULT_COUNT_B : 0;
    report->n_a = (long)n_a;
    report->n_b = (long)n_b;
}

/* Whether x of a comes before y of b. Among equal elements a's come first, which makes the merge
 * stable and a search a lower bound. For upper bounds b's come first. */
CLP_INLINE bool clp_a_is_first(CLP_E x, CLP_E y, const clp_io *io) {
#if CLP_UPPER
    return clp_less(x, y CLP_USER(io));
#else
    return !clp_less(y, x CLP_USER(io));
#endif
}

/* Returns the split of a diagonal. It is within the bounds that both arrays' lengths set. */
CLP_INLINE ulong clp_find_split(const clp_io *io, ulong diagonal) {
    ulong low = diagonal > io->n_b ? diagonal - io->n_b : 0, high = min(diagonal, io->n_a);
    while (low < high) {
        const ulong middle = low + (high - low) / 2;
        const bool is_first = clp_a_is_first(io->a[middle], io->b[diagonal - 1 - middle], io);
        low = is_first ? middle + 1 : low;
        high = is_first ? high : middle;
    }
    return low;
}

/* The elements between two diagonals: n_a from element a of a on, n_b from element b of b on. */
typedef struct clp_piece {
    ulong a;
    ulong b;
    ulong n_a;
    ulong n_b;
} clp_piece;

/* first, last: the splits of both diagonals, which are `length` apart. Splits of unsorted arrays
 * may contradict each other; n_a is limited to the length, so that n_b can't wrap around. */
CLP_INLINE void clp_set_piece(clp_piece *piece, ulong diagonal, ulong length, ulong first,
                              ulong last) {
    const ulong n_a = last > first ? min(last - first, length) : 0;
    piece->a = first;
    piece->b = diagonal - first;
    piece->n_a = n_a;
    piece->n_b = length - n_a;
}
