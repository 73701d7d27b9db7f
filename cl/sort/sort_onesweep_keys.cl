/* SPDX-License-Identifier: MIT */
/*
 * Onesweep: how keys are kept between passes, how a pass's digit is taken from a kept key, and the
 * words of `live`, by which the kernels of a run tell each other what they have found.
 */
#define CLP_ROW 256 /* digits; fewer bits leave some unused */
#define CLP_ROW_GROUPS (CLP_ROW / 32)
#define CLP_QUAD_KEYS (16 / CLP_K_BYTES)

#if CLP_WIDE
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define CLP_ADD_COUNT(sum, count) atom_add(sum, (ulong)(count))
#define CLP_COUNT4 ulong4
#define CLP_CONVERT_COUNT4 convert_ulong4
#define CLP_PLACE long
#define CLP_CONVERT_PLACE4 convert_long4
#else
#define CLP_ADD_COUNT atomic_add
#define CLP_COUNT4 uint4
#define CLP_CONVERT_COUNT4
#define CLP_PLACE int
#define CLP_CONVERT_PLACE4 as_int4
#endif

/* ---- Keys between passes ---- */

/* Floats are kept as unsigned integers that compare alike from the first pass to the last. */
#if CLP_ORDER >= 2
CLP_INLINE CLP_K clp_all_if_negative(CLP_K key) {
    return (key & CLP_TOP_BIT) != 0 ? ~(CLP_K)0 : 0;
}
CLP_INLINE CLP_K clp_enter(CLP_K key) {
    return key ^ (clp_all_if_negative(key) | CLP_TOP_BIT);
}
/* mask: all bits, or none to keep the key: a branch would take registers. */
CLP_INLINE CLP_K clp_leave_if(CLP_K kept, CLP_K mask) {
    return kept ^ ((~clp_all_if_negative(kept) | CLP_TOP_BIT) & mask);
}
#else
CLP_INLINE CLP_K clp_enter(CLP_K key) {
    return key;
}
CLP_INLINE CLP_K clp_leave_if(CLP_K kept, CLP_K mask) {
    return kept;
}
#endif

CLP_INLINE CLP_K clp_leave(CLP_K kept) {
    return clp_leave_if(kept, ~(CLP_K)0);
}

/* Of a kept key: the integer by whose bits it is sorted; some of them, the bits of clp_flip_of, are
 * sorted the other way round. */
CLP_INLINE CLP_K clp_sorted_bits(CLP_K kept) {
#if CLP_ORDER == 2
    const CLP_K numbers = 2 * CLP_INFINITY_BITS + 1;
    if ((CLP_K)(kept - (CLP_TOP_BIT - 1 - CLP_INFINITY_BITS)) > numbers) {
        return CLP_DESCENDING ? 0 : ~(CLP_K)0;
    }
#endif
#if CLP_ORDER == 2 || CLP_ORDER == 3
    if (kept == CLP_TOP_BIT - 1) return CLP_TOP_BIT;
#endif
    return kept;
}

#define CLP_BITS_ARE_SHARED (CLP_ORDER == 2 || CLP_ORDER == 3)
#if CLP_BITS_ARE_SHARED
/* Whether another key has the same sorted bits: -0.0 has the bits of 0.0, and all NaN have the
 * same, unless they are sorted by their bits. Then a stable order of equal keys can be seen, and
 * keys alone need ballots, too. key: as it came. */
CLP_INLINE bool clp_shares_bits(CLP_K key) {
    const bool is_nan = CLP_ORDER == 2 && (CLP_K)(2 * key) > (CLP_K)(2 * CLP_INFINITY_BITS);
    return is_nan || key == CLP_TOP_BIT;
}
#endif

/* What stands behind the last key of the last tile: its digits are the greatest. */
#if CLP_ORDER == 1
#define CLP_FILL ((CLP_K)(CLP_DESCENDING ? CLP_TOP_BIT : CLP_TOP_BIT - 1))
#else
#define CLP_FILL ((CLP_K)(CLP_DESCENDING ? 0 : ~(CLP_K)0))
#endif

CLP_INLINE CLP_COUNT clp_shuffle_count(CLP_COUNT count, uint lane) {
#if CLP_WIDE
    return clp_shuffle_long(count, lane);
#else
    return clp_shuffle_word(count, lane);
#endif
}

/* Keys in front of the first whole quad. */
CLP_INLINE ulong clp_head_of(const global CLP_K *keys, ulong n) {
    return min(n, (16 - ((ulong)keys & 15)) % 16 / CLP_K_BYTES);
}

/* By all of a group. */
CLP_INLINE void clp_clear_quads(local uint4 *quads, uint count) {
    for (uint i = (uint)get_local_id(0); i < count; i += CLP_GROUP) quads[i] = (uint4)(0);
}

/* ---- Words of all groups ---- */

/* Words of live. live[pass]: 0 if the pass has nothing to do, else 1 or CLP_LOPSIDED, and bits from
 * CLP_TELLING on (sort_onesweep_digits.cl). Behind them: */
#define CLP_TICKETS CLP_PASSES /* one for each pass: the next tile to take */
#define CLP_COUNTED (2 * CLP_PASSES) /* work-groups that have counted: the last one goes on */
#define CLP_SHARED (2 * CLP_PASSES + 1) /* whether clp_shares_bits is true of some key */
#define CLP_SHARED_SEEN (2 * CLP_PASSES + 2) /* CLP_SHARED, while it is being found out */
#define CLP_DISTINCT_FOUND (2 * CLP_PASSES + 3) /* distinct keys; 0: too many to be counted */
#define CLP_MANY_SEEN (2 * CLP_PASSES + 4) /* whether some work-group has found too many */
#define CLP_FALL_SEEN (2 * CLP_PASSES + 5) /* whether some key is less than the one before it */

/* ---- Digits ---- */

/* How to cut a pass's digit out of clp_sorted_bits. Digits are kept times 4: as offsets of counters
 * in bytes. */
typedef struct clp_cut {
    uint shift; /* of keys of 8 bytes: bits to the right; of others: a rotation to the left */
    uint mask; /* of a digit, times 4 */
    uint flip; /* bits of a digit that compare the other way, times 4 */
} clp_cut;

/* The bits of the pass's digit that compare the other way round. */
CLP_INLINE uint clp_flip_of(uint shift, uint bits) {
    const uint digits = (1u << bits) - 1, top = 8 * CLP_K_BYTES - 1;
    uint flip = CLP_DESCENDING ? digits : 0;
    if (CLP_ORDER == 1 && top >= shift && top < shift + bits) flip ^= 1u << (top - shift);
    return flip;
}

CLP_INLINE uint clp_shift_of(uint pass) {
    return CLP_BEGIN_BIT + pass * CLP_BITS;
}

CLP_INLINE uint clp_bits_of(uint shift) {
    return min((uint)CLP_BITS, (uint)CLP_END_BIT - shift);
}

CLP_INLINE clp_cut clp_cut_of(uint pass) {
    const uint shift = clp_shift_of(pass), bits = clp_bits_of(shift);
    clp_cut cut;
    cut.shift = CLP_K_BYTES == 8 ? shift : (2 - shift) & 31;
    cut.mask = ((1u << bits) - 1) << 2;
    cut.flip = clp_flip_of(shift, bits) << 2;
    return cut;
}

/* `flipped` with four times the digit in its low bits, which hold the flip. plain: no key shares
 * its bits. */
CLP_INLINE uint clp_digit_at(CLP_K kept, clp_cut cut, uint flipped, bool plain) {
    const CLP_K bits = plain ? kept : clp_sorted_bits(kept);
#if CLP_K_BYTES == 8
    return ((uint)(bits >> cut.shift) << 2 & cut.mask) ^ flipped;
#else
    return (rotate((uint)bits, cut.shift) & cut.mask) ^ flipped;
#endif
}

/* What clp_enter makes CLP_FILL of. */
#define CLP_FILL_IN clp_leave(CLP_FILL)

/* ---- Counters of a sub-group ---- */

/* The sum over this lane and the lanes below it. */
CLP_INLINE uint clp_sum_to_lane(uint value) {
    CLP_UNROLL
    for (uint distance = 1; distance < 32; distance *= 2) {
        const uint lower = clp_shuffle_up_word(value, distance);
        if (clp_lane() >= distance) value += lower;
    }
    return value;
}

CLP_INLINE CLP_COUNT clp_sum_counts_to_lane(CLP_COUNT sum) {
#if CLP_WIDE
    CLP_UNROLL
    for (uint distance = 1; distance < 32; distance *= 2) {
        const uint low = clp_shuffle_up_word((uint)sum, distance);
        const uint high = clp_shuffle_up_word((uint)(sum >> 32), distance);
        if (clp_lane() >= distance) sum += (ulong)high << 32 | low;
    }
    return sum;
#else
    return clp_sum_to_lane(sum);
#endif
}

/* Clears the sub-group's row. */
CLP_INLINE void clp_clear_counters(local uint *counters) {
    local uint4 *row = (local uint4 *)(counters + clp_subgroup_number() * CLP_ROW);
    row[clp_lane()] = (uint4)(0);
    row[clp_lane() + 32] = (uint4)(0);
    clp_subgroup_barrier(); /* counters, cleared above, counted by the caller */
}

/* ---- Sorted keys ---- */

/* Of `count` runs of equal keys, a power of two: the one that place i is in. begins: the runs'. */
CLP_INLINE uint clp_run_of(const local CLP_COUNT *begins, const uint count, ulong i) {
    uint run = 0;
    CLP_UNROLL
    for (uint step = count / 2; step > 0; step /= 2) {
        if (begins[run + step] <= i) run += step;
    }
    return run;
}
