/* SPDX-License-Identifier: MIT */
/*
 * emulated_onesweep_segments TRIALS: all kernels of an onesweep of segments, one program of the
 * segmented sort (PROGRAM), on the machine of machine.h, beside plain C: segments of less than a
 * tile and of many, apart and side by side, in place or not, their keys alike in some bits or in
 * all. Nothing of a run's scratch is set anew between trials.
 */
/* As other rooms have functions of these names. */
#define clp_load_row(from) (*(from))
#define clp_element(base, index, bytes) ((void *)((char *)(base) + (long)(index) * (bytes)))

#include "device_emulated.h"

enum { SEGMENTS = 8, TILES = 6, MOST = TILES * CLP_TILE, FIRST = 5, GUARD = 77 };
enum { MOST_TILES = TILES + SEGMENTS, ROWS = CLP_PASSES * CLP_ROW };

#define TRIAL "%u segments, in place %u", t.segments, t.in_place

static CLP_K given[MOST + 2 * FIRST], in[MOST + 2 * FIRST] __attribute__((aligned(16)));
static CLP_K out[MOST + 2 * FIRST] __attribute__((aligned(16))), spare[MOST];
static CLP_COUNT sums[SEGMENTS * ROWS], bases[SEGMENTS * ROWS], states[2 * MOST_TILES * CLP_ROW];
static uint live[64], order[MOST];
static uint4 tiles[MOST_TILES];

#define ARRAYS(k)                                                                                  \
    static CLP_VALUE##k##_TYPE in##k[MOST + FIRST], out##k[MOST + 2 * FIRST], spare##k[MOST];
CLP_EACH_VALUE(ARRAYS)

static struct trial {
    uint number, segments, tiles, n, groups, in_place, pass;
    CLP_K mask; /* of bits in which keys differ; of 0 each segment has its own */
    uint begin[SEGMENTS], length[SEGMENTS];
} t;

#include "emulated_order.h"

/* Keys of a segment agree in some bits, which the next segment may have otherwise. */
static void draw_keys(uint segment) {
    const CLP_K mask = t.mask != 0 ? t.mask : random_mask(), others = random_key();
    for (uint i = t.begin[segment]; i < t.begin[segment] + t.length[segment]; i++) {
        CLP_K key = (random_key() & mask) | (others & ~mask);
        if (t.mask == 0 && random_below(500) == 0)
            key = random_below(2) == 0 ? ~(CLP_K)0 : CLP_TOP_BIT;
        given[FIRST + i] = key;
        order[i] = i;
    }
    qsort(order + t.begin[segment], t.length[segment], sizeof order[0], compare);
}

static void draw_tiles(uint segment) {
    for (uint at = 0; at < t.length[segment]; at += CLP_TILE) {
        const uint keys = min((uint)CLP_TILE, t.length[segment] - at);
        const uint first = at == 0 ? CLP_FIRST_TILE : 0;
        tiles[t.tiles++] = (uint4){t.begin[segment] + at, 0, keys | first, segment};
    }
}

#define GUARD_VALUES(k) memset(out##k, GUARD, sizeof out##k);

void draw(uint number) {
    t = (struct trial){.number = number,
                       .groups = random_below(3) == 0 ? 1 + random_below(GROUPS_MOST) : GROUPS_MOST,
                       .in_place = random_below(2),
                       .mask = random_below(3) == 0 ? 0 : random_mask()};
    const uint wanted = number == 0 ? 0 : 1 + random_below(SEGMENTS);
    for (uint i = 0; i < MOST + 2 * FIRST; i++) given[i] = random_key();
    for (uint s = 0; s < wanted; s++) {
        const uint most = s % 2 == 0 ? 3 * CLP_TILE : CLP_TILE / 4;
        const uint length = (uint)random_length(1 + random_below(9), CLP_TILE, most);
        const uint begin = t.n + random_below(2) * random_below(20);
        if (length == 0 || begin + length > MOST) continue;
        t.begin[t.segments] = begin;
        t.length[t.segments] = length;
        t.n = begin + length;
        draw_keys(t.segments);
        draw_tiles(t.segments++);
    }
    memcpy(in, given, sizeof in);
    memset(out, GUARD, sizeof out);
    if (t.in_place != 0) memcpy(out, given, sizeof out);
    CLP_EACH_VALUE(GUARD_VALUES)
}

#define KEYS (t.in_place != 0 ? out : in), FIRST
#define VALUES(k) , in##k, 0, out##k, FIRST, spare##k
#define ARRAY_ARGUMENTS KEYS, out, FIRST, spare CLP_EACH_VALUE(VALUES)
#define COUNT t.tiles, 0, 0

static void digits(void) {
    clp_sort_segments_digits(KEYS, COUNT, sums, live, (uint4 *)states,
                             t.tiles * CLP_ROW * sizeof states[0] / sizeof(uint4), tiles);
}

static void set_bases(void) {
    clp_sort_segments_bases(COUNT, sums, bases, live, tiles);
}

static void pass(void) {
    clp_sort_onesweep_pass(ARRAY_ARGUMENTS, COUNT, t.pass, t.in_place, live, bases, states, t.tiles,
                           CLP_K_BYTES, tiles);
}

static void copy(void) {
    clp_sort_segments_copy(ARRAY_ARGUMENTS, COUNT, t.in_place, live, tiles);
}

void run(void) {
    launch(t.groups, CLP_GROUP, digits);
    launch(t.groups, CLP_GROUP, set_bases);
    for (t.pass = 0; t.pass < CLP_PASSES; t.pass++) launch(t.groups, CLP_GROUP, pass);
    launch(t.groups, CLP_GROUP, copy);
}

#define CHECK_VALUE(k) CHECK(out##k[FIRST + i] == order[i]);
#define CHECK_GUARD(k)                                                                             \
    memset(&guard##k, GUARD, sizeof guard##k);                                                     \
    CHECK(out##k[FIRST + i] == guard##k);
#define GUARDS(k) CLP_VALUE##k##_TYPE guard##k;

static bool is_sorted(uint segment) {
    for (uint i = t.begin[segment]; i < t.begin[segment] + t.length[segment]; i++) {
        CHECK(CLP_NO_KEYS || out[FIRST + i] == given[FIRST + order[i]]);
        CLP_EACH_VALUE(CHECK_VALUE)
    }
    return true;
}

/* Between segments, and before and behind them. */
static bool is_left(uint begin, uint end) {
    CLP_K guard;
    CLP_EACH_VALUE(GUARDS)
    memset(&guard, GUARD, sizeof guard);
    for (uint i = begin; i < end; i++) {
        CHECK(out[FIRST + i] == (t.in_place != 0 ? given[FIRST + i] : guard));
        CLP_EACH_VALUE(CHECK_GUARD)
    }
    return true;
}

/* Whether keys of some segment differ in the digit. */
static bool differ(uint pass) {
    for (uint s = 0; s < t.segments; s++) {
        const uint first = clp_digit(given[FIRST + t.begin[s]], pass);
        for (uint i = t.begin[s]; i < t.begin[s] + t.length[s]; i++) {
            if (clp_digit(given[FIRST + i], pass) != first) return true;
        }
    }
    return false;
}

bool is_right(void) {
    uint end = 0;
    for (uint i = 0; i < SEGMENTS * ROWS; i++) CHECK(sums[i] == 0);
    for (uint pass = 0; pass < CLP_PASSES; pass++) CHECK((live[pass] != 0) == differ(pass));
    for (uint s = 0; s < t.segments; s++) {
        if (!is_left(end, t.begin[s]) || !is_sorted(s)) return false;
        end = t.begin[s] + t.length[s];
    }
    return is_left(end, MOST + FIRST);
}
