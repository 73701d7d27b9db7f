/* SPDX-License-Identifier: MIT */
/* Look-back of lookahead.cl where tiles' aggregates are 32-bit sums, which one instruction adds
 * across lanes. */
#if CLP_WORD_SUMS
/* The value that a sum of 32 bits stands for: short sums are signed. */
static inline CLP_A clp_word_value(uint sum) {
    return CLP_SHORT_SUMS ? (CLP_A)(int)sum : (CLP_A)sum;
}

static inline CLP_A clp_part_total(const clp_part *part, uint batch) {
    uint sum = 0;
#pragma unroll
    for (uint u = 0; u < CLP_UNITS; u++) sum += u < part->real ? (uint)part->word[u] : 0;
    return clp_word_value(clp_add_lanes(sum));
}

static inline CLP_A clp_publish_segments(const clp_look *look, uint number, bool publishes,
                                         CLP_A own, bool real) {
    const uint sum = clp_add_lanes(real ? (uint)own : 0);
    if (clp_lane() == 0 && publishes) clp_publish_sum(look, number, sum);
    const uint scanned = clp_scan_words(real ? (uint)own : 0);
    return clp_word_value(clp_shuffle_up_word(scanned, 1));
}
#endif
