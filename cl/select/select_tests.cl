/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of narrow elements with a number, on all elements of a 32-bit word at once (SWAR:
 * SIMD within a register). A predicate called for each byte would cost several instructions an
 * element, and instructions bound the selection of bytes. The host recognizes these comparisons in
 * the predicate's text.
 *
 * CLP_TEST_LESS: x < CLP_TEST_NUMBER; otherwise x == CLP_TEST_NUMBER. CLP_TEST_NOT negates the
 * result. CLP_TEST_SIGNED: x is signed.
 *
 * No local memory; no work-group waits for another.
 */
#if CLP_TESTS_WORDS
#define CLP_TEST_LOWEST (CLP_T0_BYTES == 1 ? 0x01010101u : 0x00010001u)
#define CLP_TEST_HIGHEST (CLP_T0_BYTES == 1 ? 0x80808080u : 0x80008000u)
#define CLP_TEST_HALF (CLP_T0_BYTES == 1 ? 0x80u : 0x8000u)
#define CLP_TEST_PER_WORD (4 / CLP_T0_BYTES)

/* The factor that moves the highest bit of each element to the word's upper end, in order. Its
 * other partial products fall on lower bits, or out of the word, and none of them meet. */
#define CLP_TEST_GATHER (CLP_T0_BYTES == 1 ? 0x00204081u : 0x00008001u)

/* Returns the highest bit of each element that is kept.
 *
 * Less: the lower bits of an element, plus CLP_TEST_HALF less the lower bits of the number, carry
 * into the highest bit if and only if they are not less. The sum never leaves the element. The
 * highest bits of element and number then decide. Flipping the highest bit of a signed element maps
 * its order to that of unsigned numbers; the host gives a number that is mapped already.
 *
 * Equal: an element of the XOR is 0 if and only if neither its highest bit is set nor its lower
 * bits plus all ones carry into it. */
static inline uint clp_test_word(uint word) {
#if CLP_TEST_LESS
    const uint x = CLP_TEST_SIGNED ? word ^ CLP_TEST_HIGHEST : word;
    const uint sum = (x & ~CLP_TEST_HIGHEST) +
                     (CLP_TEST_HALF - CLP_TEST_NUMBER % CLP_TEST_HALF) * CLP_TEST_LOWEST;
    const uint rest = CLP_TEST_NUMBER < CLP_TEST_HALF ? sum | x : sum & x; /* not less */
#else
    const uint x = word ^ CLP_TEST_NUMBER * CLP_TEST_LOWEST;
    const uint rest = ((x & ~CLP_TEST_HIGHEST) + ~CLP_TEST_HIGHEST) | x; /* not the same */
#endif
    return (CLP_TEST_NOT ? rest : ~rest) & CLP_TEST_HIGHEST;
}

/* Puts a bit for each element of the word below `bits`, the bits of the later words. */
static inline uint clp_test_before(uint word, uint bits) {
    return clp_shift_pair(clp_test_word(word) * CLP_TEST_GATHER, bits, CLP_TEST_PER_WORD);
}

static inline uint clp_test_chunk(uint4 chunk) {
    const uint last = clp_test_before(chunk.w, 0);
    return clp_test_before(chunk.x, clp_test_before(chunk.y, clp_test_before(chunk.z, last)));
}
#endif
