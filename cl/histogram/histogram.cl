/* SPDX-License-Identifier: MIT */
/*
 * Histogram: the bin of an element, sums as words, and what a run finds besides.
 *
 * As in CUB's AgentHistogram, a work-group counts into a private histogram and adds it to the
 * common one at the end. The private histogram is in local memory if it fits:
 *
 *   histogram_local.cl      counters in local memory, by atomics
 *   histogram_bytes.cl      elements of one byte: a counter of each value for each work-item
 *   histogram_bytes_few.cl  few elements of one byte
 *   histogram_global.cl     more bins than local memory holds: atomics in device memory
 *   histogram_serial.cl     CPUs: counters of each work-item in device memory
 *
 * Every work-group adds its counts to `sums`, which is zero before a run. The last work-group to do
 * so, or for many bins a kernel of its own (histogram_finish.cl), turns these words into the output
 * and zeroes them again. Where no element can be outside, the additions themselves tell which one
 * is the last (histogram_arrivals.cl). No work-group waits for another.
 */

typedef char clp_element_has_the_stated_size[sizeof(CLP_E) == CLP_E_BYTES ? 1 : -1];

/* What kernels find besides sums, as words that are all zero before and after a run. A lowest block
 * is kept as its complement: a maximum then needs no other initial value than 0. Kernels record
 * blocks of indices, because an index may have 64 bits; the end of the run searches the block. */
#define CLP_OUTSIDE_LOW 0 /* the number of elements outside, 64 bits */
#define CLP_OUTSIDE_HIGH 1
#define CLP_OUTSIDE_BLOCK 2 /* complement of the lowest block with an element outside */
#define CLP_LARGEST 3 /* exponent field of the largest weight, or 0 */
#define CLP_WEIGHT_BLOCK 4 /* complement of the lowest block with a weight that is not finite */
#define CLP_NO_BLOCK 0xffffffffu
#define CLP_TICKETS CLP_FOUND_WORDS /* the next word: the number of work-groups that have ended */

/* ---- The input ---- */

#if CLP_WEIGHTED
#define CLP_WEIGHTS_PARAMETERS , const global CLP_WEIGHT *weights, ulong weights_first
#define CLP_WEIGHTS , weights + weights_first
#else
#define CLP_WEIGHTS_PARAMETERS
#define CLP_WEIGHTS
#endif
/* The bins' range. Its numbers are arguments, so that one program serves all ranges. */
#if CLP_BY_EDGES
#define CLP_RANGE_PARAMETERS , const global CLP_E *edges
#define CLP_RANGE , edges
#elif CLP_BY_DOUBLES
#define CLP_RANGE_PARAMETERS , double4 range
#define CLP_RANGE , range
#elif CLP_BY_PRODUCT
#define CLP_RANGE_PARAMETERS , uint4 product, ulong addend
#define CLP_RANGE , product, addend
#else
#define CLP_RANGE_PARAMETERS
#define CLP_RANGE
#endif
/* The number of elements, from the host or from device memory. It is 0 if the number in device
 * memory exceeds max_n; the last kernel reports that. */
#define CLP_N_PARAMETERS ulong most CLP_COUNT_PARAMETERS
#define CLP_N clp_elements_of(clp_read_count(most, counted, counted_first, 0))
CLP_INLINE ulong clp_elements_of(ulong n) {
    return n == CLP_REFUSED ? 0 : n;
}

#define CLP_IO_PARAMETERS                                                                          \
    const global CLP_E *in, ulong in_first CLP_WEIGHTS_PARAMETERS CLP_RANGE_PARAMETERS,            \
        CLP_N_PARAMETERS
/* clang-format off */
#define CLP_IO {in + in_first CLP_WEIGHTS CLP_RANGE CLP_USER_IO}
/* clang-format on */

typedef struct clp_io {
    const global CLP_E *in;
#if CLP_WEIGHTED
    const global CLP_WEIGHT *weights;
#endif
#if CLP_BY_EDGES
    const global CLP_E *edges;
#elif CLP_BY_DOUBLES
    double4 range; /* the first and the last edge, the width of a bin, bins for each unit */
#elif CLP_BY_PRODUCT
    uint4 product; /* the least element, the greatest less that one, factor, shift */
    ulong addend;
#endif
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

/* ---- Bins ---- */

#define CLP_NO_BIN 0xffffffffu

#if CLP_BY_EDGES
/* The last bin whose edge is not above x, by binary search without branches: all lanes take the
 * same steps. */
CLP_INLINE uint clp_bin(const clp_io *io, CLP_E x, ulong i) {
    const global CLP_E *edges = io->edges;
    if (!(x >= edges[0] && x <= edges[CLP_BINS])) return CLP_NO_BIN;
    uint bin = 0;
    for (uint count = CLP_BINS; count > 1; count -= count / 2) {
        bin += x >= edges[bin + count / 2] ? count / 2 : 0;
    }
    return bin;
}
#elif CLP_BY_DOUBLES
/* Edge b of even bins. */
CLP_INLINE CLP_EDGE clp_edge(double4 range, uint b) {
    const double before = (double)b * range.s2;
    return (CLP_EDGE)clp_add_rounded(range.s0, before);
}

/* The product gives a bin that rounding may have put beside the right one. The edges decide. */
CLP_INLINE uint clp_bin(const clp_io *io, CLP_E element, ulong i) {
    const CLP_EDGE x = (CLP_EDGE)element;
    const double4 range = io->range;
    if (!(x >= (CLP_EDGE)range.s0 && x <= (CLP_EDGE)range.s1)) return CLP_NO_BIN;
    const double guess = ((double)x - range.s0) * range.s3;
    uint bin = guess < CLP_BINS ? (uint)max(guess, 0.0) : CLP_BINS - 1;
    while (bin > 0 && x < clp_edge(range, bin)) bin--;
    while (bin < CLP_BINS - 1 && x >= clp_edge(range, bin + 1)) bin++;
    return bin;
}
#elif CLP_BY_SHIFT
/* All integers of the type in even bins, whose number is a power of two: an element's high bits. */
CLP_INLINE uint clp_bin(const clp_io *io, CLP_E x, ulong i) {
    return ((uint)x - CLP_FIRST) >> CLP_SHIFT;
}
#elif CLP_BY_PRODUCT
/*
 * Other even bins of integers: the host has found a factor, an addend and a shift that give every
 * bin. The distance is shifted up, or the high word of the product down, so that no 64-bit number
 * is shifted by a variable: where the shift is less than 32 there are more than a quarter as many
 * bins as distances, and the shifted distance still has 32 bits.
 */
CLP_INLINE uint clp_bin(const clp_io *io, CLP_E x, ulong i) {
    const uint distance = (uint)x - io->product.s0, shift = io->product.s3;
    const uint up = 32 - min(shift, 32u), down = max(shift, 32u) - 32;
#if !CLP_TAKES_ALL
    if (distance > io->product.s1) return CLP_NO_BIN;
#endif
    const ulong scaled = (ulong)(distance << up) * io->product.s2 + (io->addend << up);
    return min((uint)(scaled >> 32) >> down, CLP_BINS - 1);
}
#else
CLP_INLINE uint clp_bin(const clp_io *io, CLP_E x, ulong i) {
    const ulong bin = clp_users_bin(x, i CLP_USER(io));
    return bin < CLP_BINS ? (uint)bin : CLP_NO_BIN;
}
#endif

/* ---- Sums ---- */

/* A sum, as a value and as 32-bit words. Atomics of 32 bits add the words, since OpenCL 1.2 has no
 * others. */
#if CLP_WORDS == 1
typedef uint clp_sum;
#elif CLP_WORDS == 2
typedef ulong clp_sum;
#else
typedef struct clp_sum {
    ulong low, high;
} clp_sum;
#endif

static inline clp_sum clp_sum_of(ulong low, ulong high) {
#if CLP_WORDS == 4
    const clp_sum sum = {low, high};
    return sum;
#else
    return (clp_sum)low;
#endif
}

CLP_INLINE uint clp_word(clp_sum sum, uint w) {
#if CLP_WORDS == 1
    return sum;
#elif CLP_WORDS == 2
    return (uint)(sum >> 32 * w);
#else
    return (uint)((w < 2 ? sum.low : sum.high) >> w % 2 * 32);
#endif
}

static inline clp_sum clp_sum_of_words(const uint *words) {
#if CLP_WORDS == 1
    return words[0];
#elif CLP_WORDS == 2
    return (ulong)words[1] << 32 | words[0];
#else
    return clp_sum_of((ulong)words[1] << 32 | words[0], (ulong)words[3] << 32 | words[2]);
#endif
}

static inline clp_sum clp_add(clp_sum a, clp_sum b) {
#if CLP_WORDS == 4
    const ulong low = a.low + b.low;
    return clp_sum_of(low, a.high + b.high + (low < b.low));
#else
    return a + b;
#endif
}

/* Words of a sum in device memory. */
#define CLP_SUM_WORDS (CLP_ARRIVALS > CLP_WORDS ? CLP_ARRIVALS : CLP_WORDS)

/* Adds a sum to words to which other work-items add too. The atomic's old value tells whether the
 * word wrapped around; the carry then goes to the next word. The total is right once all have
 * added. Words are `stride` apart. A macro because the address space differs. */
#define CLP_DEFINE_ADD_TO(name, space)                                                             \
    CLP_INLINE void name(volatile space uint *at, uint stride, clp_sum sum) {                      \
        uint carry = 0;                                                                            \
        for (uint w = 0; w < CLP_WORDS; w++) {                                                     \
            const uint word = clp_word(sum, w), value = word + carry;                              \
            carry = value < word;                                                                  \
            if (value == 0) continue;                                                              \
            const uint before = atomic_add(at + w * stride, value);                                \
            if (w + 1 < CLP_WORDS) carry += before + value < value;                                \
        }                                                                                          \
    }
CLP_DEFINE_ADD_TO(clp_add_to_global, global)

/* ---- Elements outside ---- */

/* Adds what a work-item or work-group found. count: its elements outside. block: the lowest block
 * with one. */
CLP_INLINE void clp_tell_outside(volatile global uint *found, uint count, uint block) {
    const uint before = atomic_add(found + CLP_OUTSIDE_LOW, count);
    if (before + count < count) atomic_inc(found + CLP_OUTSIDE_HIGH);
    atomic_max(found + CLP_OUTSIDE_BLOCK, ~block);
}

CLP_INLINE uint clp_block(ulong i) {
    return (uint)(i >> CLP_BLOCK_SHIFT);
}

/* ---- Weights ---- */

#if CLP_WEIGHTED && CLP_FLOATS
/* The bits of a weight without its sign. */
CLP_INLINE ulong clp_weight_bits(CLP_WEIGHT weight) {
#if CLP_MANTISSA == 23
    return as_uint(weight) & 0x7fffffff;
#else
    return as_ulong(weight) & 0x7ffffffffffffffful;
#endif
}

/* The bit at which the largest weight's top bit is placed, so that the sum of n weights does not
 * reach the sign. */
CLP_INLINE int clp_top_bit(ulong n) {
    return 32 * CLP_WORDS - 2 - (64 - (int)clz(n));
}

/* A weight as an integer multiple of the quantum, the value of a sum's lowest bit. Sums of integers
 * are exact, so float results are the same in every run, in whatever order weights are added.
 * largest: exponent field of the largest weight, at least 1. */
static inline clp_sum clp_weight(const clp_io *io, ulong i, uint largest, int top_bit) {
    const CLP_WEIGHT weight = io->weights[i];
    const ulong bits = clp_weight_bits(weight);
    const uint field = (uint)(bits >> CLP_MANTISSA);
    const ulong implied = field > 0 ? 1ul << CLP_MANTISSA : 0;
    const ulong mantissa = (bits & ((1ul << CLP_MANTISSA) - 1)) | implied;
    const int shift = top_bit - CLP_MANTISSA - (int)largest + (int)max(field, 1u);
    ulong low, high = 0;
    if (shift >= 64) {
        low = 0;
        high = mantissa << (shift - 64);
    } else if (shift > 0) {
        low = mantissa << shift;
        high = mantissa >> (64 - shift);
    } else {
        low = shift == 0 ? mantissa : shift < -60 ? 0 : ((mantissa >> (-shift - 1)) + 1) >> 1;
    }
    if (signbit(weight)) {
        low = ~low + 1;
        high = ~high + (low == 0);
    }
    return clp_sum_of(low, high);
}
#elif CLP_WEIGHTED
static inline clp_sum clp_weight(const clp_io *io, ulong i, uint largest, int top_bit) {
    return clp_sum_of((ulong)io->weights[i], 0);
}
#else
static inline clp_sum clp_weight(const clp_io *io, ulong i, uint largest, int top_bit) {
    return clp_sum_of(1, 0);
}
#endif

/* Declares the arguments of clp_weight; a macro because it declares variables of the caller. */
#if CLP_FLOATS
#define CLP_WEIGHT_SCALE                                                                           \
    const uint largest = clamp(found[CLP_LARGEST], 1u, CLP_FIELD_NOT_FINITE - 1u);                 \
    const int top_bit = clp_top_bit(n);
#else
#define CLP_WEIGHT_SCALE                                                                           \
    const uint largest = 0;                                                                        \
    const int top_bit = 0;
#endif
