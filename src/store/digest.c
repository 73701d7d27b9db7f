/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4). */
#include "store/digest.h"

#include <string.h>

enum { BLOCK_BYTES = 64, ROUNDS = 64, WORDS = 8, LENGTH_BYTES = 8 };

typedef struct state {
    uint32_t words[WORDS];
    uint8_t block[BLOCK_BYTES];
    uint64_t bytes; /* in all; bytes of the last block that is not full stand in `block` */
} state;

/* The first 32 bits of the fractional parts of the square roots of the first primes, and of their
 * cube roots. */
static const uint32_t square_roots[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t cube_roots[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned by) {
    return x >> by | x << (32 - by);
}

static void expand(const uint8_t block[BLOCK_BYTES], uint32_t schedule[ROUNDS]) {
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *at = block + 4 * i;
        schedule[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (size_t i = 16; i < ROUNDS; i++) {
        const uint32_t x = schedule[i - 15], y = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + schedule[i - 7] +
                      (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
}

static void compress(state *s) {
    uint32_t schedule[ROUNDS], w[WORDS];
    expand(s->block, schedule);
    memcpy(w, s->words, sizeof w);
    for (size_t i = 0; i < ROUNDS; i++) {
        const uint32_t a = w[0], e = w[4];
        const uint32_t chosen = (e & w[5]) ^ (~e & w[6]);
        const uint32_t majority = (a & w[1]) ^ (a & w[2]) ^ (w[1] & w[2]);
        const uint32_t first = w[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + chosen +
                               cube_roots[i] + schedule[i];
        for (size_t k = WORDS - 1; k > 0; k--) w[k] = w[k - 1];
        w[4] += first;
        w[0] = first + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    }
    for (size_t i = 0; i < WORDS; i++) s->words[i] += w[i];
}

static void add(state *s, const void *bytes, size_t count) {
    for (const uint8_t *from = bytes; count > 0;) {
        const size_t used = (size_t)(s->bytes % BLOCK_BYTES), room = BLOCK_BYTES - used;
        const size_t part = count < room ? count : room;
        memcpy(s->block + used, from, part);
        s->bytes += part;
        from += part;
        count -= part;
        if (part == room) compress(s);
    }
}

/* A bit, zeros, and the number of bits end the last block. */
static void finish(state *s) {
    static const uint8_t bit = 0x80, zeros[BLOCK_BYTES];
    const uint64_t bits = 8 * s->bytes;
    uint8_t length[LENGTH_BYTES];
    for (size_t i = 0; i < LENGTH_BYTES; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    add(s, &bit, 1);
    const size_t used = (size_t)((s->bytes + LENGTH_BYTES) % BLOCK_BYTES);
    add(s, zeros, (BLOCK_BYTES - used) % BLOCK_BYTES);
    add(s, length, LENGTH_BYTES);
}

clp_digest clp_digest_of(const clp_span *spans, size_t count) {
    clp_digest digest;
    state s = {.bytes = 0};
    memcpy(s.words, square_roots, sizeof s.words);
    for (size_t i = 0; i < count; i++) add(&s, spans[i].bytes, spans[i].count);
    finish(&s);
    for (size_t i = 0; i < CLP_DIGEST_BYTES; i++) {
        digest.bytes[i] = (uint8_t)(s.words[i / 4] >> (24 - 8 * (i % 4)));
    }
    return digest;
}

void clp_digest_print(const clp_digest *digest, char text[CLP_DIGEST_CHARS]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < CLP_DIGEST_BYTES; i++) {
        text[2 * i] = digits[digest->bytes[i] >> 4];
        text[2 * i + 1] = digits[digest->bytes[i] & 15];
    }
    text[2 * CLP_DIGEST_BYTES] = '\0';
}
