/* SPDX-License-Identifier: MIT */
/*
 * emulated_topk TRIALS: top-k of segments by teams, one program of it (PROGRAM), on the machine of
 * machine.h, beside a sort of plain C: teams of each size, lengths around what a team reads at once
 * and has room for, equal keys, keys that descend, so that all are candidates, long segments in
 * pieces.
 */
#include "device_emulated.h"

enum { MOST = 40000, SEGMENTS_MOST = 12, FIRST = 3, K_MOST = 300, GUARD = 0x77 };

#define TRIAL "k %u, piece %u", t.k, t.piece

static struct trial {
    uint number, k, piece, length, segments, n;
    bool is_counted;
} t;

static CLP_K keys[MOST + FIRST], piece_keys[MOST];
static clp_topk_element elements[MOST + FIRST], values[SEGMENTS_MOST * K_MOST + FIRST];
static CLP_INDEX indices[SEGMENTS_MOST * K_MOST + FIRST];
static CLP_COUNT piece_indices[MOST];
static CLP_OFFSET offsets[SEGMENTS_MOST + 1 + FIRST];
static ulong sizes[4];
static ulong2 pieces[MOST];
static uint counts[SEGMENTS_MOST + FIRST], found[CLP_FOUND], order[MOST];

static uint draw_length(void) {
    const uint team = CLP_TEAM, step = CLP_TEAM_STEP;
    if (random_below(4) == 0) return random_below(3);
    if (random_below(4) == 0) return step + random_below(3) - 1;
    if (random_below(5) == 0) return min((uint)MOST, 3 * step + random_below(step));
    return 1 + random_below(CLP_SHORT > 0 ? 34 * CLP_SHORT : 2 * team);
}

/* Keys of few values, at random, or in order, the best one last. */
static void draw_keys(uint begin, uint length) {
    const uint how = random_below(3), values = 1 + random_below(1u << random_below(10));
    for (uint i = 0; i < length; i++) {
        CLP_K *key = &keys[FIRST + begin + i];
        *key = how == 0 ? random_below(values) : how == 1 ? random_below(~0u >> 1) : i / 2;
        if (CLP_ORDER == 2 && random_below(2) == 0) *key ^= CLP_TOP_BIT;
        if (CLP_K_BYTES == 8 && how == 1) *key = *key << 29 ^ random_below(~0u >> 1);
        if (how == 2) *key = CLP_DESCENDING ? i / 2 : MOST - i / 2;
    }
}

void draw(uint number) {
    t = (struct trial){.number = number};
    const uint of_team = CLP_SHORT > 0 ? 2 * CLP_SHORT : (CLP_TEAM_ROOM - 1) * CLP_TEAM;
    const uint most_k = min((uint)K_MOST, of_team);
    t.k = 1 + random_below(random_below(2) == 0 ? min(20u, most_k) : most_k);
    t.piece = 2 * K_MOST + random_below(random_below(2) == 0 ? 1000 : MOST);
    t.is_counted = random_below(2) == 0;
    t.n = CLP_BY_LENGTH ? 0 : random_below(3);
    t.length = 1 + draw_length();
    offsets[FIRST] = t.n;
    while (t.segments < SEGMENTS_MOST) {
        const uint length = CLP_BY_LENGTH ? t.length : draw_length();
        if (t.n + length > MOST) break;
        draw_keys(t.n, length);
        t.n += length;
        offsets[FIRST + ++t.segments] = t.n;
    }
    for (uint i = 0; i < sizeof elements; i++) ((uchar *)elements)[i] = (uchar)random_below(256);
    memset(values, GUARD, sizeof values);
    memset(indices, GUARD, sizeof indices);
    memset(counts, GUARD, sizeof counts);
    memset(found, 0, sizeof found);
    sizes[0] = t.n;
    sizes[1] = t.segments;
}

static uint what;

static void body(void) {
    clp_topk_rows(offsets, CLP_BY_LENGTH ? t.length : FIRST, t.is_counted ? MOST : t.n, t.segments,
                  t.is_counted ? sizes : 0, keys, FIRST, elements, FIRST, values, FIRST, indices,
                  FIRST, counts, FIRST, found, pieces, piece_keys, piece_indices, t.k, t.piece,
                  MOST, what);
}

void run(void) {
    for (what = CLP_OF_SEGMENTS; what <= CLP_OF_LONG; what++) {
        launch(1 + random_below(2), CLP_GROUP, body);
    }
}

static int compare(const void *one, const void *other) {
    const uint a = *(const uint *)one, b = *(const uint *)other;
    return clp_precedes(clp_ordered(keys[FIRST + a]), a, clp_ordered(keys[FIRST + b]), b) ? -1 : 1;
}

static bool is_guarded(const void *at, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (((const uchar *)at)[i] != GUARD) return false;
    }
    return true;
}

bool is_right(void) {
    for (uint s = 0; s < t.segments; s++) {
        const uint begin = (uint)offsets[FIRST + s], length = (uint)offsets[FIRST + s + 1] - begin;
        for (uint i = 0; i < length; i++) order[i] = begin + i;
        qsort(order, length, sizeof order[0], compare);
        CHECK(counts[FIRST + s] == min(length, t.k));
        for (uint j = 0; j < t.k; j++) {
            const uint at = FIRST + s * t.k + j;
            if (j >= length) {
                CHECK(is_guarded(&values[at], sizeof values[0]));
                CHECK(is_guarded(&indices[at], sizeof indices[0]));
                continue;
            }
            CHECK(indices[at] == order[j]);
            CHECK(memcmp(&values[at], &elements[FIRST + order[j]], sizeof values[0]) == 0);
        }
    }
    CHECK(found[CLP_FAULT] == 0);
    return true;
}
