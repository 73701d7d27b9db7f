/* SPDX-License-Identifier: MIT */
/*
 * The accumulator's type as words, so that a value of any type and size travels between lanes and
 * between work-groups; sub-group scans on that.
 *
 * The room's files, in the order of a program:
 *   types.cl        values as words, shuffles, scans over lanes
 *   parameters.cl   parameters of the caller's texts
 *   io.cl           input and output arrays; vectors in memory
 *   items.cl        a lane's vector in registers: its sum and its scan
 *   unaligned.cl    16-byte vectors at any byte, for look-ahead
 *   tile.cl         a work-group's tile in registers: load, reduce, scan, store
 *   tile_serial.cl  the same functions for CPUs, in place of tile.cl
 */

typedef char clp_accumulator_has_the_stated_size[sizeof(CLP_A) == CLP_A_BYTES ? 1 : -1];
typedef char clp_output_has_the_stated_size[sizeof(CLP_OUT) == CLP_OUT_BYTES ? 1 : -1];
typedef char clp_element_has_the_stated_size[sizeof(CLP_E) == CLP_E_BYTES ? 1 : -1];

#define CLP_A_WORDS ((CLP_A_BYTES + 3) / 4)

typedef union clp_split {
    CLP_A value;
    uint words[CLP_A_WORDS];
} clp_split;

/* The bits of the last word that the value does not fill are zero. */
static inline clp_split clp_split_value(CLP_A value) {
    clp_split split;
    split.words[CLP_A_WORDS - 1] = 0;
    split.value = value;
    return split;
}

/* ---- Exchange between the lanes of a sub-group ---- */

#if CLP_SUBGROUP_IS_GROUP
#define CLP_EXCHANGE (2 * CLP_GROUP)

/* The work-group is one sub-group, which exchanges values through local memory. All work-items must
 * come here: there are two barriers. */
CLP_INLINE CLP_A clp_shuffle(CLP_A value, uint lane, local CLP_A *exchange) {
    const uint self = (uint)get_local_id(0);
    exchange[self] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read below by other lanes */
    const CLP_A result = exchange[lane];
    barrier(CLK_LOCAL_MEM_FENCE); /* values read above, overwritten by the next exchange */
    return result;
}

/* The values of the lane below and of the last lane. */
CLP_INLINE void clp_shuffle_below(CLP_A value, local CLP_A *exchange, CLP_A *below, CLP_A *last) {
    const uint self = (uint)get_local_id(0);
    exchange[self] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* written above, read below by the lane above */
    *below = exchange[max(self, 1u) - 1];
    *last = exchange[CLP_GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE); /* read above, overwritten by the next exchange */
}
#else
#define CLP_EXCHANGE 1

static inline CLP_A clp_shuffle(CLP_A value, uint lane, local CLP_A *exchange) {
    clp_split split = clp_split_value(value);
    for (uint w = 0; w < CLP_A_WORDS; w++) split.words[w] = clp_shuffle_word(split.words[w], lane);
    return split.value;
}

/* The value of the lane `distance` below; the lowest lanes get some value that must not be used. */
static inline CLP_A clp_shuffle_up(CLP_A value, uint distance, local CLP_A *exchange) {
    clp_split split = clp_split_value(value);
    for (uint w = 0; w < CLP_A_WORDS; w++) {
        split.words[w] = clp_shuffle_up_word(split.words[w], distance);
    }
    return split.value;
}

static inline void clp_shuffle_below(CLP_A value, local CLP_A *exchange, CLP_A *below,
                                     CLP_A *last) {
    *below = clp_shuffle_up(value, 1, exchange);
    *last = clp_shuffle(value, CLP_SUBGROUP - 1, exchange);
}
#endif

/* One step of a scan over the lanes. A macro, as all steps over a distance are: it writes the
 * caller's `value`, and as a function it would be simplified before its distance is known, to code
 * with an instruction more. */
#if CLP_SUBGROUP_IS_GROUP
/* Steps take the halves of `exchange` in turn, so that each needs one barrier. The last step takes
 * the upper half: the exchange that follows a scan writes the lower one. */
#define CLP_SCAN_STEPS                                                                             \
    ((CLP_GROUP > 1) + (CLP_GROUP > 2) + (CLP_GROUP > 4) + (CLP_GROUP > 8) + (CLP_GROUP > 16) +    \
     (CLP_GROUP > 32) + (CLP_GROUP > 64) + (CLP_GROUP > 128) + (CLP_GROUP > 256) +                 \
     (CLP_GROUP > 512))
#define CLP_FIRST_HALF (CLP_SCAN_STEPS % 2 * CLP_GROUP)
#define CLP_SCAN_STEP(distance)                                                                    \
    exchange[half_at + lane] = value;                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* half written above, read below by other lanes */              \
    if (lane >= distance && real) value = clp_op(exchange[half_at + lane - distance], value);      \
    half_at = CLP_GROUP - half_at;
#else
#define CLP_SCAN_STEP(distance)                                                                    \
    {                                                                                              \
        const CLP_A lower = clp_shuffle_up(value, distance, exchange);                             \
        if (lane >= distance && real) value = clp_op(lower, value);                                \
    }
#endif

/* Inclusive scan over the lanes (Kogge and Stone 1973): after step d each lane has the combination
 * of the 2d lanes up to itself. Lanes whose value is not real stand behind all that are, and the
 * operator is not called on them. The steps are cut by the preprocessor: a barrier must not stand
 * in a branch. */
CLP_INLINE CLP_A clp_subgroup_scan(CLP_A value, bool real, local CLP_A *exchange) {
    const uint lane = clp_lane();
#if CLP_SUBGROUP_IS_GROUP
    uint half_at = CLP_FIRST_HALF;
#endif
#if CLP_SUBGROUP > 1
    CLP_SCAN_STEP(1)
#endif
#if CLP_SUBGROUP > 2
    CLP_SCAN_STEP(2)
#endif
#if CLP_SUBGROUP > 4
    CLP_SCAN_STEP(4)
#endif
#if CLP_SUBGROUP > 8
    CLP_SCAN_STEP(8)
#endif
#if CLP_SUBGROUP > 16
    CLP_SCAN_STEP(16)
#endif
#if CLP_SUBGROUP > 32
    CLP_SCAN_STEP(32)
#endif
#if CLP_SUBGROUP > 64
    CLP_SCAN_STEP(64)
#endif
#if CLP_SUBGROUP > 128
    CLP_SCAN_STEP(128)
#endif
#if CLP_SUBGROUP > 256
    CLP_SCAN_STEP(256)
#endif
#if CLP_SUBGROUP > 512
    CLP_SCAN_STEP(512)
#endif
    return value;
}

#if !CLP_SUBGROUP_IS_GROUP
/* One step of it, which writes the caller's `sum`. */
#define CLP_WORD_STEP(distance)                                                                    \
    if (CLP_SUBGROUP > distance) {                                                                 \
        const uint lower = clp_shuffle_up_word(sum, distance);                                     \
        sum += lane >= distance ? lower : 0;                                                       \
    }

/* Inclusive sums over the lanes. */
static inline uint clp_scan_words(uint sum) {
    const uint lane = clp_lane();
    CLP_WORD_STEP(1)
    CLP_WORD_STEP(2)
    CLP_WORD_STEP(4)
    CLP_WORD_STEP(8)
    CLP_WORD_STEP(16)
    CLP_WORD_STEP(32)
    CLP_WORD_STEP(64)
    return sum;
}
#endif
