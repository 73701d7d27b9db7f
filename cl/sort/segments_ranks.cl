/* SPDX-License-Identifier: MIT */
/* Short segments in local memory: the rank of each element is how many of its segment come before
 * it. */
#define CLP_SHORT_KEYS (CLP_GROUP * CLP_SHORT) /* in local memory */

/* Elements of the row that come before its element `item`. */
CLP_INLINE uint clp_short_rank(const local CLP_K *row, uint item, uint length) {
    const CLP_K own = clp_compared(row[item]);
    uint rank = 0;
    for (uint i = 0; i < length; i++) {
        const CLP_K other = clp_compared(row[i]);
        rank += i < item ? other <= own : other < own;
    }
    return rank;
}

/* Brings the segments of a work-group to local memory, a row of 1 << bits keys each. */
CLP_INLINE void clp_short_read(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                               const local uint *lengths, local CLP_K *keys, uint bits) {
    const uint lane = (uint)get_local_id(0), item = lane & ((1u << bits) - 1);
    for (uint row = lane >> bits; row < CLP_GROUP; row += CLP_GROUP >> bits) {
        if (item < lengths[row]) {
            keys[(row << bits) + item] = keys_in[keys_in_first + begins[row] + item];
        }
    }
}

CLP_INLINE void clp_short_sort(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                               const local uint *lengths, const local CLP_K *keys, uint bits) {
    const uint lane = (uint)get_local_id(0), item = lane & ((1u << bits) - 1);
    for (uint row = lane >> bits; row < CLP_GROUP; row += CLP_GROUP >> bits) {
        if (item < lengths[row]) {
            const local CLP_K *segment = keys + (row << bits);
            const ulong begin = begins[row];
            const ulong to = begin + clp_short_rank(segment, item, lengths[row]);
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = segment[item];
            CLP_EACH_VALUE(CLP_VALUE_TO)
        }
    }
}
