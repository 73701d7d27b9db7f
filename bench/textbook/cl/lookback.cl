/* SPDX-License-Identifier: MIT */
/*
 * Seed 002: exclusive sums in one pass by decoupled look-back, as the seed orders it: the tile is
 * scanned first, and its sum published behind that.
 *
 * ITEMS elements a work-item; WINDOW 0: work-item 0 looks at one tile at a time; 1: the first
 * sub-group looks at a tile a lane. Sums wrap, so they are of uint.
 *
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
 */
#if !defined(ITEMS) || !defined(WINDOW)
#error "lookback.cl: ITEMS and WINDOW are the host's to set"
#endif

#define TILE (ITEMS * CLP_GROUP)
/* No two lanes that are ITEMS apart meet in a bank. */
#define AT(i) ((i) + ((i) >> 5))

/* A tile's word: its status in the high half, a sum in the low one. */
#define AGGREGATE 1u
#define PREFIX 2u

kernel void clear_tiles(volatile global ulong *tiles, ulong count, global uint *ticket) {
    const ulong i = get_global_id(0);
    if (i < count) tiles[i] = 0;
    if (i == 0) *ticket = 0;
}

/* Waits until the tile has published something. Partner: publish() of an earlier ticket. */
static inline ulong await_tile(volatile global ulong *tiles, uint number) {
    ulong word;
    do {
        word = clp_observe(tiles + number);
    } while (word == 0);
    return word;
}

static inline void publish(volatile global ulong *tiles, uint number, uint status, uint sum) {
    clp_publish(tiles + number, (ulong)status << 32 | sum);
}

/* The sum of all tiles before this one; for one work-item. */
static inline uint look_back_alone(volatile global ulong *tiles, uint number) {
    uint sum = 0, status = AGGREGATE;
    for (uint other = number; other > 0 && status != PREFIX; other--) {
        const ulong word = await_tile(tiles, other - 1);
        sum += (uint)word;
        status = (uint)(word >> 32);
    }
    return sum;
}

#if WINDOW && !CLP_SUBGROUP_IS_GROUP
/* The same for a whole sub-group; all its lanes get the sum. */
static inline uint look_back(volatile global ulong *tiles, uint number, local long *exchange) {
    const uint lane = clp_lane();
    const uint width = min(LANES, 32);
    uint sum = 0;
    for (uint nearest = number; nearest > 0; nearest -= min(nearest, width)) {
        const bool looks = lane < width && lane < nearest;
        const ulong word = looks ? await_tile(tiles, nearest - 1 - lane) : 0;
        const uint prefixes = clp_ballot(looks && (uint)(word >> 32) == PREFIX);
        /* Lanes up to the nearest prefix count. */
        const uint counted = prefixes != 0 ? 32 - clz(prefixes & -prefixes) : width;
        const long scanned = lanes_scan(looks && lane < counted ? (long)(uint)word : 0, exchange);
        sum += clp_shuffle_word((uint)scanned, LANES - 1);
        if (prefixes != 0) break;
    }
    return sum;
}
#endif

CLP_KERNEL(CLP_GROUP)
void scan_tiles(global const uint *in, global uint *out, ulong n, volatile global ulong *tiles,
                volatile global uint *ticket) {
    local uint elements[AT(TILE)];
    local long exchange[CLP_GROUP];
    local uint shared_number, shared_prefix;
    const uint k = get_local_id(0);
    /* Tickets are taken in the order of starting: a group waits only for groups that started. */
    if (k == 0) shared_number = atomic_inc(ticket);
    barrier(CLK_LOCAL_MEM_FENCE); /* the number is read by all */
    const uint number = shared_number;
    const ulong first = number * (ulong)TILE;
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * CLP_GROUP + k;
        elements[AT(place)] = first + place < n ? in[first + place] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* elements stored side by side, read ITEMS in a row */
    uint own = 0;
    for (uint j = 0; j < ITEMS; j++) own += elements[AT(k * ITEMS + j)];
    long total;
    const uint before = (uint)group_scan((long)own, &total, exchange) - own;
    barrier(CLK_LOCAL_MEM_FENCE); /* the scan's sums are read, the look-back overwrites them */

    if (k == 0) publish(tiles, number, number > 0 ? AGGREGATE : PREFIX, (uint)total);
#if WINDOW && !CLP_SUBGROUP_IS_GROUP
    if (clp_subgroup_number() == 0) {
        const uint prefix = look_back(tiles, number, exchange);
        if (clp_lane() == 0) shared_prefix = prefix;
    }
#else
    if (k == 0) shared_prefix = look_back_alone(tiles, number);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefix is read by all */
    if (k == 0 && number > 0) publish(tiles, number, PREFIX, shared_prefix + (uint)total);

    uint sum = shared_prefix + before;
    for (uint j = 0; j < ITEMS; j++) {
        const uint here = elements[AT(k * ITEMS + j)];
        elements[AT(k * ITEMS + j)] = sum;
        sum += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written in a row, stored side by side */
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * CLP_GROUP + k;
        if (first + place < n) out[first + place] = elements[AT(place)];
    }
}
