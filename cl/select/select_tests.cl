/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of narrow elements with a number, all those of a word at once; the host recognizes
 * them in the predicate's text. CLP_TEST_LESS: x < CLP_TEST_NUMBER, else x == CLP_TEST_NUMBER;
 * CLP_TEST_NOT: the contrary; CLP_TEST_SIGNED: x has a sign.
 */
#if CLP_TESTS_WORDS
#define CLP_TEST_LOWEST (CLP_T0_BYTES == 1 ? 0x01010101u : 0x00010001u)
#define CLP_TEST_HIGHEST (CLP_T0_BYTES == 1 ? 0x80808080u : 0x80008000u)
#define CLP_TEST_HALF (CLP_T0_BYTES == 1 ? 0x80u : 0x8000u)
#define CLP_TEST_PER_WORD (4 / CLP_T0_BYTES)

/* Brings the highest bit of each element to the word's upper end, in order. */
#define CLP_TEST_GATHER (CLP_T0_BYTES == 1 ? 0x00204081u : 0x00008001u)

/* The highest bit of each element that is kept. The number has no sign, as the signed element's
 * highest bit is turned over. */
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

/* The bits of the word's elements below those of the words behind. */
static inline uint clp_test_before(uint word, uint bits) {
    return clp_shift_pair(clp_test_word(word) * CLP_TEST_GATHER, bits, CLP_TEST_PER_WORD);
}

static inline uint clp_test_chunk(uint4 chunk) {
    const uint last = clp_test_before(chunk.w, 0);
    return clp_test_before(chunk.x, clp_test_before(chunk.y, clp_test_before(chunk.z, last)));
}
#endif
