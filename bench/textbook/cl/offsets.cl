/* SPDX-License-Identifier: MIT */
/*
 * Seed 001: offsets of lists from their starts and stops, by a scan of blocks, of the blocks' sums
 * level by level, and a broadcast; and the lowest list that stops before it starts.
 *
 * WAY says how a block is scanned: TREE, a tree in local memory with two elements a work-item;
 * TREE_4, four elements a work-item and a tree of their sums, each index moved so that no two
 * lanes meet in a bank; SHUFFLE, one element a work-item and sums passed from lane to lane.
 *
 * Sources: Harris, Sengupta and Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter
 * 39; the seed for the flags of errors.
 */
#define TREE 0
#define TREE_4 1
#define SHUFFLE 2

#if !defined(WAY) || !defined(C) || !defined(GROUP)
#error "offsets.cl: WAY, C (the type of starts and stops) and GROUP are the host's to set"
#endif

#define NONE 0xffffffffu
#define GROUP_KERNEL __attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel

/* ---- A block ------------------------------------------------------------------------------------
 */

#if WAY == SHUFFLE
#define ITEMS 1
#define PLACE(j) (uint) get_local_id(0)
#define LOCAL_LONGS GROUP
#else
#if WAY == TREE
#define ITEMS 2
#define PLACE(j) ((j)*GROUP + (uint)get_local_id(0))
#define LEAVES (2 * GROUP)
#define AT(i) (i)
#else
#define ITEMS 4
#define PLACE(j) (4 * (uint)get_local_id(0) + (j))
#define LEAVES GROUP
#define AT(i) ((i) + ((i) >> 5))
#endif
#define LOCAL_LONGS AT(LEAVES)

/* The barriers stand at top level, so the loops over strides are written out. */
#define UP(STRIDE)                                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage before wrote what this one reads */                 \
    if (k < LEAVES / (2 * STRIDE))                                                                 \
        tree[AT((2 * k + 2) * STRIDE - 1)] += tree[AT((2 * k + 1) * STRIDE - 1)];

#define DOWN(STRIDE)                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage before wrote what this one reads */                 \
    if (k < LEAVES / (2 * STRIDE)) {                                                               \
        const long left = tree[AT((2 * k + 1) * STRIDE - 1)];                                      \
        tree[AT((2 * k + 1) * STRIDE - 1)] = tree[AT((2 * k + 2) * STRIDE - 1)];                   \
        tree[AT((2 * k + 2) * STRIDE - 1)] += left;                                                \
    }

/* Exclusive, in place; returns the sum of all leaves. */
static inline long scan_tree(local long *tree) {
    const uint k = get_local_id(0);
    UP(1)
    UP(2)
    UP(4)
    UP(8)
    UP(16)
    UP(32)
    UP(64)
    UP(128)
#if LEAVES > 256
    UP(256)
    UP(512)
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the last stage wrote the root, read by all */
    const long total = tree[AT(LEAVES - 1)];
    barrier(CLK_LOCAL_MEM_FENCE); /* read above by all, cleared below by one */
    if (k == 0) tree[AT(LEAVES - 1)] = 0;
#if LEAVES > 256
    DOWN(512)
    DOWN(256)
#endif
    DOWN(128)
    DOWN(64)
    DOWN(32)
    DOWN(16)
    DOWN(8)
    DOWN(4)
    DOWN(2)
    DOWN(1)
    barrier(CLK_LOCAL_MEM_FENCE); /* the last stage wrote what is read behind */
    return total;
}
#endif

#define BLOCK (ITEMS * GROUP)

/* Turns the work-item's elements into their exclusive prefixes in the block; returns its sum. */
static inline long scan_block(long *x, local long *memory) {
    const uint k = get_local_id(0);
#if WAY == TREE
    memory[AT(k)] = x[0];
    memory[AT(GROUP + k)] = x[1];
    const long total = scan_tree(memory);
    x[0] = memory[AT(k)];
    x[1] = memory[AT(GROUP + k)];
#elif WAY == TREE_4
    memory[AT(k)] = x[0] + x[1] + x[2] + x[3];
    const long total = scan_tree(memory);
    long before = memory[AT(k)];
    for (uint j = 0; j < ITEMS; j++) {
        const long here = x[j];
        x[j] = before;
        before += here;
    }
#else
    long total;
    x[0] = group_scan(x[0], &total, memory) - x[0];
#endif
    return total;
}

/* ---- The kernels ----------------------------------------------------------------------------- */

/* Offsets within each block, for the n + 1 of them: the last has no length. */
GROUP_KERNEL void scan_diff(global const C *starts, global const C *stops, ulong n,
                            global long *offsets, global long *sums, global uint *faults) {
    local long memory[LOCAL_LONGS];
    local uint lowest;
    const ulong first = get_group_id(0) * (ulong)BLOCK;
    if (get_local_id(0) == 0) lowest = NONE;
    barrier(CLK_LOCAL_MEM_FENCE); /* set above, lowered below */
    long x[ITEMS];
    for (uint j = 0; j < ITEMS; j++) {
        const ulong i = first + PLACE(j);
        x[j] = 0;
        if (i < n) {
            const C start = starts[i], stop = stops[i];
            if (stop < start) atomic_min(&lowest, PLACE(j)); /* with the group's others */
            x[j] = (long)stop - (long)start;
        }
    }
    const long sum = scan_block(x, memory);
    for (uint j = 0; j < ITEMS; j++) {
        const ulong i = first + PLACE(j);
        if (i <= n) offsets[i] = x[j];
    }
    if (get_local_id(0) == 0) {
        sums[get_group_id(0)] = sum;
        faults[get_group_id(0)] = lowest;
    }
}

/* The same for the sums of a level, in place: a group reads all of its block before it writes. */
GROUP_KERNEL void scan_sums(global long *values, ulong n, global long *sums) {
    local long memory[LOCAL_LONGS];
    const ulong first = get_group_id(0) * (ulong)BLOCK;
    long x[ITEMS];
    for (uint j = 0; j < ITEMS; j++) {
        const ulong i = first + PLACE(j);
        x[j] = i < n ? values[i] : 0;
    }
    const long sum = scan_block(x, memory);
    for (uint j = 0; j < ITEMS; j++) {
        const ulong i = first + PLACE(j);
        if (i < n) values[i] = x[j];
    }
    if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

GROUP_KERNEL void broadcast(global long *values, ulong n, global const long *sums) {
    const ulong first = get_group_id(0) * (ulong)BLOCK;
    const long sum = sums[get_group_id(0)];
    for (uint j = 0; j < ITEMS; j++) {
        const ulong i = first + PLACE(j);
        if (i < n) values[i] += sum;
    }
}

#define LOWER(DISTANCE)                                                                            \
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage before wrote what this one reads */                 \
    if (k < DISTANCE) lowest[k] = min(lowest[k], lowest[k + DISTANCE]);

/* The lowest fault of all blocks, or the largest ulong; one group of 64. */
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void
find_fault(global const uint *faults, ulong blocks, global ulong *report) {
    local ulong lowest[64];
    const uint k = get_local_id(0);
    ulong found = (ulong)-1;
    for (ulong block = k; block < blocks; block += 64)
        if (faults[block] != NONE) found = min(found, block * BLOCK + faults[block]);
    lowest[k] = found;
    LOWER(32)
    LOWER(16)
    LOWER(8)
    LOWER(4)
    LOWER(2)
    LOWER(1)
    if (k == 0) report[1] = lowest[0];
}
