/* SPDX-License-Identifier: MIT */
/*
 * emulated_sort_few TRIALS: few keys sorted by the network of one work-group, by tiles that are
 * merged at once, or, keys of a byte, by their counts, one program of the sort (PROGRAM), on the
 * machine of machine.h, some groups at a time, beside plain C: keys that agree in some of their
 * bits, in place or not, numbers in device memory.
 */
#include "device_emulated.h"

enum { TILES = 6, MOST = TILES * CLP_TILE_WORDS, FIRST = 3, GUARD = 0x77 };
enum { OF_SINGLE = CLP_WORDS_OF_LANE * CLP_SINGLE_GROUP };

#define TRIAL "n = %u, by way %u", t.n, t.by

static CLP_WORD tiles[MOST];
static CLP_K given[MOST + FIRST], in[MOST + FIRST];
static CLP_K out[MOST + 2 * FIRST] __attribute__((aligned(16)));
static uint order[MOST];
static CLP_COUNT bases[CLP_ROW];
static ulong counted_word;

#define ARRAYS(k) static CLP_VALUE##k##_TYPE in##k[MOST + FIRST], out##k[MOST + 2 * FIRST];
CLP_EACH_VALUE(ARRAYS)

static struct trial {
    uint number, n;
    bool in_place, is_counted;
    enum { NETWORK, TILES_OF_NETWORK, COUNTS } by;
} t;

#include "emulated_order.h"

static void draw_keys(void) {
    const CLP_K mask = random_mask(), others = random_key();
    for (uint i = 0; i < t.n; i++) {
        CLP_K key = (random_key() & mask) | (others & ~mask);
        if (random_below(50) == 0) key = random_below(2) == 0 ? ~(CLP_K)0 : CLP_TOP_BIT;
        given[FIRST + i] = key;
        order[i] = i;
    }
}

#define FILL(k)                                                                                    \
    for (uint i = 0; i < sizeof in##k; i++) ((uchar *)in##k)[i] = (uchar)random_below(256);        \
    memset(out##k, GUARD, sizeof out##k);

static void draw_way(void) {
    t.by = t.n <= OF_SINGLE && random_below(4) != 0 ? NETWORK : TILES_OF_NETWORK;
#if CLP_K_BYTES == 1
    if (CLP_VALUES == 0 && random_below(3) == 0) t.by = COUNTS;
#endif
}

void draw(uint number) {
    const uint most = random_below(2) == 0 ? OF_SINGLE : MOST;
    t = (struct trial){.number = number, .n = (uint)random_length(number, CLP_TILE_WORDS, most)};
    draw_way();
    t.in_place = (t.by != TILES_OF_NETWORK || !CLP_PACKS) && random_below(2) == 0;
    t.is_counted = random_below(2) == 0;
    counted_word = t.n;
    draw_keys();
    qsort(order, t.n, sizeof order[0], compare);
    memcpy(in, given, sizeof in);
    memset(out, GUARD, sizeof out);
    if (t.in_place) memcpy(out + FIRST, given + FIRST, t.n * sizeof out[0]);
    CLP_EACH_VALUE(FILL)
}

#define KEYS (t.in_place ? out : in), FIRST
#define COUNT t.is_counted ? MOST : t.n, t.is_counted ? &counted_word : 0, 0
#define ARGUMENTS(k) , in##k, FIRST, out##k, FIRST, 0

static void single(void) {
    clp_sort_network_single(KEYS, out, FIRST, 0 CLP_EACH_VALUE(ARGUMENTS), COUNT, 0, 0);
}

#if CLP_K_BYTES == 1
/* As the digits' kernel leaves them. */
static void count_keys(void) {
    CLP_COUNT before = 0;
    memset(bases, 0, sizeof bases);
    for (uint i = 0; i < t.n; i++) bases[clp_ordered(given[FIRST + i])]++;
    for (uint digit = 0; digit < CLP_ROW; digit++) {
        const CLP_COUNT count = bases[digit];
        bases[digit] = before;
        before += count;
    }
}

static void runs(void) {
    clp_sort_onesweep_runs(out, FIRST, COUNT, bases);
}
#endif

static void sort_tiles(void) {
    clp_sort_network_tiles(KEYS, COUNT, 0, 0, tiles);
}

static void merge(void) {
    clp_sort_network_merge(KEYS, out, FIRST, 0 CLP_EACH_VALUE(ARGUMENTS), COUNT, tiles);
}

void run(void) {
    if (t.by == NETWORK) {
        launch(1, CLP_SINGLE_GROUP, single);
        return;
    }
#if CLP_K_BYTES == 1
    if (t.by == COUNTS) {
        count_keys();
        launch(1 + random_below(GROUPS_MOST), CLP_GROUP, runs);
        return;
    }
#endif
    launch_in_turn((t.n + CLP_TILE_WORDS - 1) / CLP_TILE_WORDS, GROUPS_MOST, CLP_TILE_GROUP,
                   sort_tiles);
    launch_in_turn((t.n + CLP_MERGED - 1) / CLP_MERGED, GROUPS_MOST, CLP_MERGE_GROUP, merge);
}

#define CHECK_VALUE(k)                                                                             \
    {                                                                                              \
        const CLP_VALUE##k##_TYPE expected = CLP_VALUE##k##_AT(in##k + FIRST, true, order[i]);     \
        CHECK(memcmp(&out##k[FIRST + i], &expected, sizeof expected) == 0);                        \
    }

bool is_right(void) {
    for (uint i = 0; i < t.n; i++) {
        CHECK(CLP_NO_KEYS || out[FIRST + i] == given[FIRST + order[i]]);
        CLP_EACH_VALUE(CHECK_VALUE)
    }
    CLP_K guard;
    memset(&guard, GUARD, sizeof guard);
    CHECK(out[FIRST - 1] == guard && out[FIRST + t.n] == guard);
    return true;
}
