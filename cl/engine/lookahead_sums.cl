/* SPDX-License-Identifier: MIT */
/* A look-ahead whose aggregates are sums of 32 bits: they are added across lanes by one
 * instruction. */
#if CLP_WORD_SUMS
/* The value that a sum of 32 bits stands for. */
#if CLP_SHORT_SUMS
#define CLP_WORD_VALUE(sum) (CLP_A)(int)(sum)
#else
#define CLP_WORD_VALUE(sum) (CLP_A)(sum)
#endif

static inline CLP_A clp_part_total(const clp_part *part, uint batch) {
    uint sum = 0;
#define CLP_ADD_UNIT(u) sum += u < part->real ? (uint)part->word[u] : 0;
    CLP_EACH_UNIT(CLP_ADD_UNIT)
    return CLP_WORD_VALUE(clp_add_lanes(sum));
}

static inline CLP_A clp_publish_segments(const clp_look *look, uint number, bool publishes,
                                         CLP_A own, bool real) {
    const uint sum = clp_add_lanes(real ? (uint)own : 0);
    if (clp_lane() == 0 && publishes) clp_publish_sum(look, number, sum);
    const uint scanned = clp_scan_words(real ? (uint)own : 0);
    return CLP_WORD_VALUE(clp_shuffle_up_word(scanned, 1));
}
#endif
