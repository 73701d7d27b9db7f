/* SPDX-License-Identifier: MIT */
/*
 * emulated_onesweep TRIALS: all kernels of a sort of keys by onesweep, one program of the sort
 * (PROGRAM), on the machine of machine.h, beside plain C: digits, counted beside tables of distinct
 * keys; passes, whose lanes the machine serves in any order; keys that are written by their counts.
 * Nothing of a run's scratch is set anew between trials.
 */
/* As other rooms have functions of these names. */
#define clp_load_row(from) (*(from))
#define clp_element(base, index, bytes) ((void *)((char *)(base) + (long)(index) * (bytes)))

#include "device_emulated.h"

enum { MOST = 20000, FIRST = 5, GUARD = 77, ALL = CLP_PASSES * CLP_ROW };

#define TRIAL "n = %u, %u distinct, distinct = %u", t.n, t.distinct, t.looks

enum { TILES = MOST / CLP_TILE + 1 };
static CLP_K in[MOST + FIRST] __attribute__((aligned(16))), sorted[MOST], spare[MOST];
static CLP_K out[MOST + 2 * FIRST] __attribute__((aligned(16)));
static CLP_COUNT sums[ALL], bases[ALL], expected[ALL], states[2 * TILES * CLP_ROW];
static uint live[64], order[MOST];
static CLP_K found_keys[GROUPS_MOST * CLP_FOUND_ROW];
static CLP_COUNT found_counts[GROUPS_MOST * CLP_FOUND_ROW];

static struct trial {
    uint number, n, groups, looks, distinct, first, in_place, pass;
    bool shared, collides;
} t;

/* By the place in the input where keys are equal. */
static int compare(const void *a, const void *b) {
    const uint i = *(const uint *)a, j = *(const uint *)b;
    const CLP_K x = clp_ordered(in[t.first + i]), y = clp_ordered(in[t.first + j]);
    return x < y ? -1 : x > y ? 1 : i < j ? -1 : 1;
}

static CLP_K random_key(void) {
    return (CLP_K)((ulong)random_below(0xffffffff) << 32 ^ random_below(0xffffffff));
}

/* What the hash makes i of. */
static CLP_K collision(uint i) {
    CLP_K inverse = 1;
    for (uint k = 0; k < 6; k++) inverse *= 2 - (CLP_K)CLP_HASH_FACTOR * inverse;
    return i * inverse;
}

/* Few keys or many, some of them those that free slots of a table hold, or floats that share bits;
 * keys that all have one slot; rarely a key more. */
static void draw_keys(void) {
    static CLP_K kinds[2000];
    const uint most[] = {1, 2, 7, 100, 250, 260, 2000};
    const bool shares = random_below(4) == 0, apart = random_below(3) == 0; /* a slot each */
    const uint count = apart ? 250 + random_below(20) : most[random_below(7)];
    const uint others = random_below(3) == 0 ? 500 : 0;
    t.collides = random_below(6) == 0;
    for (uint k = 0; k < count; k++) {
        kinds[k] = t.collides ? collision(k + 1) : random_key();
        if (apart) kinds[k] = collision(1) * ((CLP_K)(k + 1) << (8 * CLP_K_BYTES - CLP_TABLE_BITS));
        if (!apart && random_below(10) == 0) kinds[k] = random_below(2) == 0 ? 0 : CLP_TOP_BIT - 1;
        if (CLP_BITS_ARE_SHARED && !shares) kinds[k] &= ~(CLP_TOP_BIT >> 1);
        if (kinds[k] == CLP_TOP_BIT && !shares) kinds[k] = 1;
        if (shares && random_below(10) == 0) kinds[k] = CLP_TOP_BIT;
    }
    for (uint i = 0; i < t.n; i++) {
        in[t.first + i] = kinds[random_below(count)];
        if (others > 0 && random_below(others) == 0) in[t.first + i] = random_key() >> 2;
    }
}

/* Keys in order, or but for two neighbours, often the last of 16 bytes and the first of the next.
 */
static void draw_order(void) {
    memcpy(in + t.first, sorted, t.n * sizeof in[0]);
    if (t.n > 1 && random_below(4) != 0) {
        uint at = random_below(t.n - 1);
        const uint behind = (uint)(((ulong)&in[t.first + at + 1] & 15) / CLP_K_BYTES);
        if (random_below(2) == 0 && at >= behind) at -= behind;
        in[t.first + at] = sorted[at + 1];
        in[t.first + at + 1] = sorted[at];
    }
}

/* Whether no key is less than the one before it. */
static bool is_in_order(void) {
    const CLP_K *const keys = in + t.first;
    for (uint i = 1; i < t.n; i++) {
        if (clp_compared(keys[i]) < clp_compared(keys[i - 1])) return false;
    }
    return true;
}

void draw(uint number) {
    uint slots[CLP_TABLE_SLOTS] = {0};
    t = (struct trial){.number = number,
                       .n = (uint)random_length(number, 4096, MOST),
                       .groups = 1 + random_below(GROUPS_MOST),
                       .looks = random_below(5) != 0,
                       .first = random_below(FIRST),
                       .in_place = random_below(3) == 0};
    draw_keys();
    for (uint i = 0; i < t.n; i++) order[i] = i;
    qsort(order, t.n, sizeof order[0], compare);
    for (uint i = 0; i < t.n; i++) sorted[i] = in[t.first + order[i]];
    if (random_below(3) == 0) draw_order();
    memset(expected, 0, sizeof expected);
    t.collides = false;
    for (uint i = 0; i < t.n; i++) {
        const CLP_K ordered = clp_ordered(sorted[i]);
        for (uint pass = 0; pass < CLP_PASSES; pass++) {
            expected[pass * CLP_ROW + clp_digit_of_ordered(ordered, pass)]++;
        }
        if (i > 0 && sorted[i] == sorted[i - 1]) continue;
        t.distinct++;
        if (slots[clp_hash(sorted[i])]++ > 0) t.collides = true;
#if CLP_BITS_ARE_SHARED
        t.shared = t.shared || clp_shares_bits(sorted[i]);
#endif
    }
    for (uint i = 0; i < MOST + 2 * FIRST; i++) out[i] = GUARD;
    if (t.in_place != 0) memcpy(out + FIRST, in + t.first, t.n * sizeof out[0]);
}

#define KEYS (t.in_place != 0 ? out : in), (t.in_place != 0 ? FIRST : t.first)
#define ROWS ((t.n + CLP_TILE - 1) / CLP_TILE)

static void digits(void) {
    clp_sort_onesweep_digits(KEYS, t.n, 0, 0, 0, 0, sums, bases, live, (uint4 *)states,
                             ROWS * CLP_ROW * sizeof states[0] / sizeof(uint4), t.looks, found_keys,
                             found_counts);
}

static void pass(void) {
    clp_sort_onesweep_pass(KEYS, out, FIRST, spare, t.n, 0, 0, t.pass, t.in_place, live, bases,
                           states, ROWS, CLP_K_BYTES);
}

static void copy(void) {
    clp_sort_copy(KEYS, out, FIRST, spare, t.n, 0, 0, t.in_place, live);
}

static void distinct(void) {
    clp_sort_onesweep_distinct(out, FIRST, t.n, 0, 0, found_keys, found_counts, live);
}

void run(void) {
    launch(t.groups, CLP_GROUP, digits);
    for (t.pass = 0; t.pass < CLP_PASSES; t.pass++) {
        launch(min(t.groups, max(ROWS, 1u)), CLP_GROUP, pass);
    }
    if (t.in_place != 0) launch(t.groups, CLP_GROUP, copy);
    launch(GROUPS_MOST, CLP_GROUP, distinct);
}

static bool are_told_apart(uint pass, uint telling) {
    for (uint a = 0; a < CLP_ROW; a++) {
        for (uint b = 0; b < a; b++) {
            const bool used = expected[pass * CLP_ROW + a] > 0 && expected[pass * CLP_ROW + b] > 0;
            if (used && ((a ^ b) & telling) == 0) return false;
        }
    }
    return true;
}

static bool passes_are_right(void) {
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        CLP_COUNT before = 0;
        bool alike = false;
        for (uint digit = 0; digit < CLP_ROW; digit++) {
            const CLP_COUNT count = expected[pass * CLP_ROW + digit];
            CHECK(bases[pass * CLP_ROW + digit] == before);
            before += count;
            alike = alike || count == t.n;
        }
        CHECK((live[pass] == 0) == (alike || is_in_order()));
        const uint telling = live[pass] >> CLP_TELLING;
        CHECK(live[pass] == 0 || are_told_apart(pass, telling));
        for (uint bits = telling; bits != 0; bits &= bits - 1) {
            CHECK(!are_told_apart(pass, telling & ~(bits & -bits))); /* none in vain */
        }
    }
    return true;
}

bool is_right(void) {
    const uint found = live[CLP_DISTINCT_FOUND];
    const bool never = t.looks == 0 || t.shared || t.distinct > CLP_MOST_DISTINCT;
    for (uint i = 0; i < ALL; i++) CHECK(sums[i] == 0);
    CHECK(live[CLP_COUNTED] == 0 && live[CLP_SHARED_SEEN] == 0 && live[CLP_MANY_SEEN] == 0);
    CHECK(live[CLP_FALL_SEEN] == 0);
    CHECK(live[CLP_SHARED] == t.shared);
    for (uint i = 0; i < FIRST; i++) CHECK(out[i] == GUARD && out[FIRST + t.n + i] == GUARD);
    CHECK(!never || found == 0);
    CHECK(never || found == (t.collides ? 0 : t.distinct));
    for (uint i = 0; i < t.n; i++) CHECK(out[FIRST + i] == sorted[i]);
    if (found == 0) return passes_are_right();
    for (uint pass = 0; pass < CLP_PASSES; pass++) CHECK(live[pass] == 0);
    return true;
}
