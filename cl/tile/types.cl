/* SPDX-License-Identifier: MIT */
/*
 * The accumulator's type as words, so that a value of any type and size travels between lanes and
 * between work-groups; and sub-group scans built on that.
 */

/* For functions that get arrays which are in registers as long as there is no call. */
#define CLP_INLINE static inline __attribute__((always_inline))

typedef char clp_accumulator_has_the_stated_size[sizeof(CLP_A) == CLP_A_BYTES ? 1 : -1];
typedef char clp_output_has_the_stated_size[sizeof(CLP_OUT) == CLP_OUT_BYTES ? 1 : -1];
typedef char clp_element_has_the_stated_size[sizeof(CLP_E) == CLP_E_BYTES ? 1 : -1];

#define CLP_A_WORDS ((CLP_A_BYTES + 3) / 4)

typedef union clp_split {
    CLP_A value;
    uint words[CLP_A_WORDS];
} clp_split;

/* Bits of the last word that the value does not fill are zero. */
static inline clp_split clp_split_value(CLP_A value) {
    clp_split split;
    split.words[CLP_A_WORDS - 1] = 0;
    split.value = value;
    return split;
}

/* ---- Exchange between the lanes of a sub-group ------------------------------------------------
 */

#if CLP_SUBGROUP_IS_GROUP
#define CLP_EXCHANGE CLP_GROUP

/* Every work-item of the group must come here: this is two barriers. */
static inline CLP_A clp_shuffle(CLP_A value, uint lane, local CLP_A *exchange) {
    const uint self = (uint)get_local_id(0);
    exchange[self] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read below by other lanes */
    const CLP_A result = exchange[lane];
    barrier(CLK_LOCAL_MEM_FENCE); /* values read above, overwritten by the next exchange */
    return result;
}

static inline CLP_A clp_shuffle_up(CLP_A value, uint distance, local CLP_A *exchange) {
    const uint self = (uint)get_local_id(0);
    return clp_shuffle(value, self >= distance ? self - distance : self, exchange);
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
#endif

/* One step of a scan over the lanes: the value behind that of the lane `distance` below. */
CLP_INLINE CLP_A clp_scan_step(CLP_A value, uint distance, bool real, local CLP_A *exchange) {
    const CLP_A lower = clp_shuffle_up(value, distance, exchange);
    if (clp_lane() >= distance && real) value = clp_op(lower, value);
    return value;
}

/* Inclusive scan over the lanes (Kogge and Stone). Lanes whose value is not real come after all
 * that are, and the operator is not called on them. */
static inline CLP_A clp_subgroup_scan(CLP_A value, bool real, local CLP_A *exchange) {
#if CLP_SUBGROUP > 1
    value = clp_scan_step(value, 1, real, exchange);
#endif
#if CLP_SUBGROUP > 2
    value = clp_scan_step(value, 2, real, exchange);
#endif
#if CLP_SUBGROUP > 4
    value = clp_scan_step(value, 4, real, exchange);
#endif
#if CLP_SUBGROUP > 8
    value = clp_scan_step(value, 8, real, exchange);
#endif
#if CLP_SUBGROUP > 16
    value = clp_scan_step(value, 16, real, exchange);
#endif
#if CLP_SUBGROUP > 32
    value = clp_scan_step(value, 32, real, exchange);
#endif
#if CLP_SUBGROUP > 64
    value = clp_scan_step(value, 64, real, exchange);
#endif
#if CLP_SUBGROUP > 128
    value = clp_scan_step(value, 128, real, exchange);
#endif
#if CLP_SUBGROUP > 256
    value = clp_scan_step(value, 256, real, exchange);
#endif
#if CLP_SUBGROUP > 512
    value = clp_scan_step(value, 512, real, exchange);
#endif
    return value;
}

#if !CLP_SUBGROUP_IS_GROUP
/* One step of it: the sum, and that of the lane `distance` below. */
CLP_INLINE uint clp_word_step(uint sum, uint distance) {
    const uint lower = clp_shuffle_up_word(sum, distance);
    return sum + (clp_lane() >= distance ? lower : 0);
}

/* Inclusive sums over the lanes. */
static inline uint clp_scan_words(uint sum) {
    if (CLP_SUBGROUP > 1) sum = clp_word_step(sum, 1);
    if (CLP_SUBGROUP > 2) sum = clp_word_step(sum, 2);
    if (CLP_SUBGROUP > 4) sum = clp_word_step(sum, 4);
    if (CLP_SUBGROUP > 8) sum = clp_word_step(sum, 8);
    if (CLP_SUBGROUP > 16) sum = clp_word_step(sum, 16);
    if (CLP_SUBGROUP > 32) sum = clp_word_step(sum, 32);
    if (CLP_SUBGROUP > 64) sum = clp_word_step(sum, 64);
    return sum;
}
#endif
