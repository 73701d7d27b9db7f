/* SPDX-License-Identifier: MIT */
/*
 * Sums of floats. A first kernel finds the largest weight. It sets the quantum; the counting kernel
 * then adds weights as integer multiples of the quantum (clp_weight of histogram.cl), which is
 * exact in any order. At the end a sum is rounded once, to a float.
 *
 * Local memory: the largest exponent of the work-group and the lowest faulty block. No work-group
 * waits for another.
 */

#define CLP_BIAS(mantissa) ((mantissa) == 23 ? 127 : 1023)

/* Finds the largest exponent field of the weights of elements in a bin, and the lowest block with a
 * weight that is not finite. The element is read only if its weight's exponent exceeds all
 * exponents that the work-item has seen, so that nearly all of the traffic is weights. */
CLP_KERNEL(CLP_GROUP)
void clp_histogram_largest(CLP_IO_PARAMETERS, volatile global uint *found CLP_USER_PARAMETERS) {
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    local uint largest, block;
    const ulong items = get_num_groups(0) * CLP_GROUP;
    uint own = 0, own_block = CLP_NO_BLOCK;
    for (ulong i = get_group_id(0) * CLP_GROUP + get_local_id(0); i < n; i += items) {
        const uint field = (uint)(clp_weight_bits(io.weights[i]) >> CLP_MANTISSA);
        if (field <= own || clp_bin(&io, io.in[i], i) == CLP_NO_BIN) continue;
        own = field;
        if (field == CLP_FIELD_NOT_FINITE) own_block = clp_block(i);
    }
    if (get_local_id(0) == 0) {
        largest = 0;
        block = CLP_NO_BLOCK;
    }
#if CLP_GROUP > 1
    barrier(CLK_LOCAL_MEM_FENCE); /* largest and block, initialized above, used below by all */
#endif
    atomic_max(&largest, own);
    if (own_block != CLP_NO_BLOCK) atomic_min(&block, own_block);
#if CLP_GROUP > 1
    barrier(CLK_LOCAL_MEM_FENCE); /* largest and block, written above, read below by one */
#endif
    if (get_local_id(0) == 0) {
        atomic_max(found + CLP_LARGEST, largest);
        if (block != CLP_NO_BLOCK) atomic_max(found + CLP_WEIGHT_BLOCK, ~block);
    }
}

/* Shifts a number of 128 bits to the right and rounds to the nearest, ties to even. The result has
 * fewer than 64 bits; 0 < shift. */
CLP_INLINE ulong clp_shift_rounded(ulong low, ulong high, int shift) {
    ulong kept, lost; /* lost: the highest bit that is shifted out, then whether there are others */
    if (shift > 128) return 0;
    if (shift == 128) {
        kept = 0;
        lost = high >> 62 & 2;
        if ((high << 1 | low) != 0) lost |= 1;
    } else if (shift > 64) {
        kept = high >> (shift - 64);
        lost = high >> (shift - 65) << 1 & 2;
        if ((high & ((1ul << (shift - 65)) - 1)) != 0 || low != 0) lost |= 1;
    } else {
        kept = shift == 64 ? high : low >> shift | high << (64 - shift);
        lost = low >> (shift - 1) << 1 & 2;
        if ((low & ((1ul << (shift - 1)) - 1)) != 0) lost |= 1;
    }
    return kept + (lost == 3 || (lost == 2 && (kept & 1) != 0));
}

/* A sum of multiples of the quantum as a float of the output's type. */
CLP_INLINE CLP_OUT clp_output_of(clp_sum sum, uint largest, int top_bit) {
#if CLP_WORDS == 4
    ulong low = sum.low, high = sum.high;
#else
    ulong low = sum, high = (long)sum < 0 ? ~0ul : 0;
#endif
    const bool negative = (long)high < 0;
    if (negative) {
        low = ~low + 1;
        high = ~high + (low == 0);
    }
    const int least = 1 - CLP_BIAS(CLP_OUT_MANTISSA); /* exponent of the smallest normal number */
    const int quantum = (int)largest - CLP_BIAS(CLP_MANTISSA) - top_bit;
    const int length = high != 0 ? 128 - (int)clz(high) : 64 - (int)clz(low);
    const int exponent = quantum + length - 1; /* of the sum's top bit */
    const int last = max(exponent, least) - CLP_OUT_MANTISSA; /* of the result's last bit */
    const int shift = last - quantum;
    const ulong digits = low == 0 && high == 0 ? 0
                         : shift > 0           ? clp_shift_rounded(low, high, shift)
                                               : low << -shift;
    /* Rounding up to the next power of two carries into the exponent. */
    const ulong implied = 1ul << CLP_OUT_MANTISSA;
    const int field = last + CLP_OUT_MANTISSA + CLP_BIAS(CLP_OUT_MANTISSA);
    const ulong infinity = (2ul * CLP_BIAS(CLP_OUT_MANTISSA) + 1) << CLP_OUT_MANTISSA;
    ulong bits =
        digits < implied ? digits : ((ulong)max(field, 0) << CLP_OUT_MANTISSA) + digits - implied;
    bits = min(bits, infinity);
#if CLP_OUT_MANTISSA == 23
    return as_float((uint)bits | (negative ? 0x80000000u : 0u));
#else
    return as_double(bits | (negative ? 0x8000000000000000ul : 0ul));
#endif
}
