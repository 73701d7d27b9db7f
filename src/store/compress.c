/* SPDX-License-Identifier: MIT */
#include "store/compress.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_MATCH = 4, WINDOW = 1 << 16, HASH_BITS = 15, MOST_TRIES = 64, MORE = 15 };

/* By the format the last match begins 12 bytes before the end, and 5 literals follow it. */
enum { LAST_MATCH = 12, LAST_LITERALS = 5 };

/* ---- Compressing ---- */

/* Places whose first bytes have the same hash are chained, the last one first. A place is stored
 * with 1 added; 0: there is none. */
typedef struct coder {
    clp_span from;
    uint8_t *to;
    size_t used; /* of from.count bytes there; beyond: they were too few */
    size_t first[1 << HASH_BITS], before[WINDOW];
} coder;

typedef struct match {
    size_t length, distance;
} match;

static size_t hash_at(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word * 2654435761u >> (32 - HASH_BITS);
}

static void enter(coder *c, size_t at) {
    size_t *first = &c->first[hash_at((const uint8_t *)c->from.bytes + at)];
    c->before[at % WINDOW] = *first;
    *first = at + 1;
}

/* The longest one for the bytes at `at`, which is entered after that. */
static match find(coder *c, size_t at) {
    const uint8_t *bytes = c->from.bytes;
    const size_t most = c->from.count - LAST_LITERALS - at;
    match best = {0, 0};
    size_t next = c->first[hash_at(bytes + at)];
    for (int tries = 0; tries < MOST_TRIES && next > 0 && at + 1 - next < WINDOW; tries++) {
        const size_t there = next - 1;
        size_t length = 0;
        while (length < most && bytes[there + length] == bytes[at + length]) length++;
        if (length > best.length) best = (match){length, at - there};
        next = c->before[there % WINDOW];
    }
    enter(c, at);
    return best;
}

static void put(coder *c, size_t byte) {
    if (c->used < c->from.count) c->to[c->used] = (uint8_t)byte;
    c->used++;
}

/* What a half of the token has no room for. */
static void put_rest(coder *c, size_t number) {
    if (number < MORE) return;
    for (number -= MORE; number >= 255; number -= 255) put(c, 255);
    put(c, number);
}

static size_t half(size_t number) {
    return number < MORE ? number : MORE;
}

/* m: NULL for the last sequence. */
static void put_sequence(coder *c, size_t first, size_t literals, const match *m) {
    const uint8_t *bytes = c->from.bytes;
    const size_t length = m != NULL ? m->length - LEAST_MATCH : 0;
    put(c, half(literals) << 4 | half(length));
    put_rest(c, literals);
    for (size_t i = 0; i < literals; i++) put(c, bytes[first + i]);
    if (m == NULL) return;
    put(c, m->distance & 255);
    put(c, m->distance >> 8);
    put_rest(c, length);
}

/* A match gives way to a longer one that begins a byte later. */
static void put_all(coder *c) {
    size_t at = 0, first = 0; /* of the literals */
    while (at + LAST_MATCH < c->from.count) {
        match m = find(c, at);
        while (m.length >= LEAST_MATCH && at + 1 + LAST_MATCH < c->from.count) {
            const match later = find(c, at + 1);
            if (later.length <= m.length) break;
            m = later;
            at++;
        }
        if (m.length < LEAST_MATCH) {
            at++;
            continue;
        }
        put_sequence(c, first, at - first, &m);
        for (size_t i = 2; i < m.length && at + i + LAST_MATCH < c->from.count; i++) {
            enter(c, at + i);
        }
        first = at += m.length;
    }
    put_sequence(c, first, c->from.count - first, NULL);
}

size_t clp_compress(clp_span from, uint8_t *to) {
    coder *c = calloc(1, sizeof *c);
    if (c == NULL) return 0;
    c->from = from;
    c->to = to;
    put_all(c);
    const size_t used = c->used < from.count ? c->used : 0;
    free(c);
    return used;
}

/* ---- Decompressing ---- */

/* Takes a number whose first part stood in a token; false: it is longer than the bytes. */
static bool take_number(clp_span *from, size_t *number) {
    const uint8_t *bytes = from->bytes;
    if (*number < MORE) return true;
    for (size_t i = 0; i < from->count; i++) {
        *number += bytes[i];
        if (bytes[i] == 255) continue;
        *from = (clp_span){bytes + i + 1, from->count - i - 1};
        return true;
    }
    return false;
}

bool clp_decompress(clp_span from, uint8_t *to, size_t count) {
    size_t used = 0;
    while (from.count > 0) {
        const uint8_t *bytes = from.bytes;
        size_t literals = bytes[0] >> 4, length = bytes[0] & MORE;
        from = (clp_span){bytes + 1, from.count - 1};
        if (!take_number(&from, &literals)) return false;
        if (literals > from.count || literals > count - used) return false;
        memcpy(to + used, from.bytes, literals);
        used += literals;
        from = (clp_span){(const uint8_t *)from.bytes + literals, from.count - literals};
        if (from.count == 0) return used == count;
        if (from.count < 2) return false;
        bytes = from.bytes;
        const size_t distance = (size_t)(bytes[0] | bytes[1] << 8);
        from = (clp_span){bytes + 2, from.count - 2};
        if (!take_number(&from, &length)) return false;
        length += LEAST_MATCH;
        if (distance == 0 || distance > used || length > count - used) return false;
        for (; length > 0; length--, used++) to[used] = to[used - distance];
    }
    return false;
}
