/* SPDX-License-Identifier: MIT */
/*
 * Scatter, out[index[i]] = in[i]. What happens where indices repeat, CLP_REPEATS:
 *   CLP_LAST      The last element is stored, by two launches (on CPUs by one, scatter_last.cl).
 * The first leaves in winner[j] the greatest i + 1 of all i whose index is j and, where both fit 64
 * bits (CLP_PACKED), in[i] below it. The second stores the element of each winner and clears the
 * winner for the next run: place after place (clp_scatter_places), which moves consecutive bytes,
 * or index after index, where `out` is much longer than the indices are. scratch: the winners, zero
 * between runs; detail: whether it is the second launch. CLP_DISTINCT  No index repeats. Plain
 * stores. CLP_COMBINE   out[j] is combined with all elements whose index is j, by CLP_ATOMIC where
 * there is one for the type and operator, else by compare-exchange of the word that holds out[j].
 * scratch: the edges; detail: the bytes of the buffer of `out`.
 */
#define CLP_INDEXED clp_scatter
#define CLP_LAST 0
#define CLP_DISTINCT 1
#define CLP_COMBINE 2

#if (CLP_E_BYTES == 8 || CLP_PACKED) && CLP_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#endif

#if CLP_REPEATS == CLP_LAST && CLP_GROUP > 1
#if CLP_PACKED
typedef ulong clp_winner;

typedef union clp_packed {
    uint word;
    clp_moved moved;
} clp_packed;

static inline uint clp_number_of(clp_winner winner) {
    return (uint)(winner >> 32);
}

static inline clp_winner clp_winner_of(ulong i, clp_moved x) {
    clp_packed low = {0};
    low.moved = x;
    return (i + 1) << 32 | low.word;
}

static inline clp_moved clp_element_of(const clp_run *run, clp_winner winner) {
    const clp_packed low = {(uint)winner};
    return low.moved;
}
#else
#define CLP_ATOMIC atomic_max
typedef uint clp_winner;

static inline uint clp_number_of(clp_winner winner) {
    return winner;
}

static inline clp_winner clp_winner_of(ulong i, clp_moved x) {
    return (uint)i + 1;
}

static inline clp_moved clp_element_of(const clp_run *run, clp_winner winner) {
    return run->in[winner - 1];
}
#endif
#elif CLP_REPEATS == CLP_COMBINE
/* An element as the word that it was moved as, and as what it is. */
typedef union clp_element {
    clp_moved moved;
    CLP_E value;
} clp_element;
#endif

#if CLP_REPEATS == CLP_COMBINE && !defined(CLP_ATOMIC)
#if CLP_E_BYTES == 8
typedef ulong clp_word;
#define CLP_EXCHANGE atom_cmpxchg
#else
typedef uint clp_word;
#define CLP_EXCHANGE atomic_cmpxchg
#endif

/* The element is the word's low bytes. */
typedef union clp_cell {
    clp_word word;
    CLP_E element;
} clp_cell;

#define CLP_CELL_MASK (~(clp_word)0 >> 8 * (sizeof(clp_word) - CLP_E_BYTES))

static inline CLP_E clp_element_of(clp_word word, uint shift) {
    const clp_cell cell = {word >> shift};
    return cell.element;
}

static inline clp_word clp_word_with(clp_word word, uint shift, CLP_E element) {
    clp_cell cell = {0};
    cell.element = element;
    return (word & ~(CLP_CELL_MASK << shift)) | cell.word << shift;
}

static inline uint clp_shift_of(const clp_run *run, ulong at) {
    return (uint)((ulong)(run->out + at) % sizeof(clp_word) * 8);
}

/* The word that holds out[at]. The buffer's first and last word may have bytes outside of the
 * buffer, which nobody may touch. Elements in this word are combined in a word of their own, an
 * edge, and the last work-group combines the edges with the elements. An edge has the operator's
 * identity in each element before and after a run. */
static inline volatile global clp_word *clp_word_of(const clp_run *run, ulong at) {
    const ulong word = (ulong)(run->out + at) / sizeof(clp_word) * sizeof(clp_word);
#if CLP_E_BYTES < 4
    if (word < run->buffer) return run->scratch;
    if (word + sizeof(clp_word) > run->buffer + run->detail) return run->scratch + 1;
#endif
    return (volatile global clp_word *)(size_t)word;
}

/* Ends where the element does not change the word: MIN, MAX, AND and OR change most words a few
 * times only. A word that has changed meanwhile then equals one of a run in another order. */
CLP_INLINE void clp_combine(const clp_run *run, ulong at, CLP_E x) {
    volatile global clp_word *const place = clp_word_of(run, at);
    const uint shift = clp_shift_of(run, at);
    clp_word before = *place, found;
    do {
        const CLP_E combined = (CLP_E)clp_op(clp_element_of(before, shift), x);
        const clp_word after = clp_word_with(before, shift, combined);
        if (after == before) return;
        found = before;
        before = CLP_EXCHANGE(place, found, after); /* with the other work-items' */
    } while (before != found);
#if CLP_E_BYTES < 4
    clp_device_fence(); /* edge above, counter of work-groups below; with the last group's */
#endif
}
#elif CLP_REPEATS == CLP_COMBINE
CLP_INLINE void clp_combine(const clp_run *run, ulong at, CLP_E x) {
    CLP_ATOMIC((volatile global CLP_E *)run->out + at, x); /* with the other work-items' */
}
#endif

#if CLP_REPEATS != CLP_LAST || CLP_GROUP > 1
static inline void clp_fetch(const clp_run *run, ulong i, ulong at, clp_moved *x) {
    *x = run->in[i];
}

/* Without CLP_PACKED LAST needs no x, which then is not loaded either. */
CLP_INLINE ulong clp_place(const clp_run *run, ulong i, ulong at, const clp_moved *x) {
    if (at >= run->length) return i;
#if CLP_REPEATS == CLP_COMBINE
    const clp_element element = {*x};
    clp_combine(run, at, element.value);
#elif CLP_REPEATS == CLP_DISTINCT
    run->out[at] = *x;
#else
    volatile global clp_winner *const winner = (volatile global clp_winner *)run->scratch + at;
    if (run->detail == 0) {
        CLP_ATOMIC(winner, clp_winner_of(i, *x)); /* with the other work-items' */
    } else if (clp_number_of(*winner) == (uint)i + 1) {
        run->out[at] = run->in[i];
        *winner = 0; /* another element is none, whether it reads this or the number */
    }
#endif
    return CLP_NOWHERE;
}
#endif

/* Combines the edges with up to three elements at each end of `out`. */
static inline void clp_end_run(const clp_run *run) {
#if CLP_REPEATS == CLP_COMBINE && CLP_E_BYTES < 4
    global CLP_E *const out = (global CLP_E *)run->out;
    const ulong ends = min(run->length, 6ul);
    for (ulong k = 0; k < ends; k++) {
        const ulong at = k < 3 ? k : run->length - ends + k;
        const volatile global clp_word *const word = clp_word_of(run, at);
        if (word != run->scratch && word != run->scratch + 1) continue;
        out[at] = (CLP_E)clp_op(out[at], clp_element_of(*word, clp_shift_of(run, at)));
    }
    run->scratch[0] = run->scratch[1] =
        clp_word_with(0, 0, CLP_IDENTITY) * (~(clp_word)0 / CLP_CELL_MASK);
#endif
}

#if CLP_REPEATS == CLP_LAST && CLP_GROUP > 1
/* The second launch, place after place. A count that was refused left no winner. */
CLP_KERNEL(CLP_GROUP)
void clp_scatter_places(CLP_INDEXED_PARAMETERS) {
    const ulong length = clp_read_length(most_length, counted_length, counted_length_first, 0);
    const clp_run run = CLP_RUN(0, length == CLP_REFUSED ? 0 : length);
    global clp_winner *const winners = (global clp_winner *)scratch;
    for (ulong j = get_global_id(0); j < run.length; j += get_global_size(0)) {
        const clp_winner winner = winners[j];
        if (winner == 0) continue;
        run.out[j] = clp_element_of(&run, winner);
        winners[j] = 0;
    }
}
#endif
