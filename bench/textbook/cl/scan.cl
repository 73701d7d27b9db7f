/* SPDX-License-Identifier: MIT */
/*
 * The scans of seed 004: exclusive sums of int, at every n.
 *
 * Sources: Harris, Sengupta and Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter
 * 39 (naive and work-efficient); the seed for the index remap and the work-group sizes.
 * Sums wrap, so they are of uint.
 */

/* ---- Naive: n additions in each of log n passes -----------------------------------------------
 */

kernel void naive_pass(global const uint *from, global uint *to, ulong n, ulong stride) {
    const ulong i = get_global_id(0);
    if (i < n) to[i] = i >= stride ? from[i - stride] + from[i] : from[i];
}

kernel void inclusive_to_exclusive(global const uint *from, global uint *to, ulong n) {
    const ulong i = get_global_id(0);
    if (i < n) to[i] = i > 0 ? from[i - 1] : 0;
}

/* ---- Work-efficient: a tree in an array padded with zeros to a power of two ---------------------
 */

kernel void pad(global const uint *from, global uint *tree, ulong n, ulong padded) {
    const ulong i = get_global_id(0);
    if (i < padded) tree[i] = i < n ? from[i] : 0;
}

/* One work-item for each element; most have nothing to do, and a division tells them so. */
kernel void up_sweep_by_remainder(global uint *tree, ulong padded, ulong stride) {
    const ulong i = get_global_id(0);
    if (i < padded && (i + 1) % (2 * stride) == 0) tree[i] += tree[i - stride];
}

kernel void down_sweep_by_remainder(global uint *tree, ulong padded, ulong stride) {
    const ulong i = get_global_id(0);
    if (i < padded && (i + 1) % (2 * stride) == 0) {
        const uint left = tree[i - stride];
        tree[i - stride] = tree[i];
        tree[i] += left;
    }
}

/* One work-item for each pair that is added: work-item k has the k-th of them. */
kernel void up_sweep(global uint *tree, ulong pairs, ulong stride) {
    const ulong k = get_global_id(0);
    if (k < pairs) {
        const ulong i = (2 * k + 2) * stride - 1;
        tree[i] += tree[i - stride];
    }
}

kernel void down_sweep(global uint *tree, ulong pairs, ulong stride) {
    const ulong k = get_global_id(0);
    if (k < pairs) {
        const ulong i = (2 * k + 2) * stride - 1;
        const uint left = tree[i - stride];
        tree[i - stride] = tree[i];
        tree[i] += left;
    }
}

kernel void clear_root(global uint *tree, ulong padded) {
    tree[padded - 1] = 0;
}

kernel void unpad(global const uint *tree, global uint *to, ulong n) {
    const ulong i = get_global_id(0);
    if (i < n) to[i] = tree[i];
}

/* ---- In local memory: a tree for each block of 512, then the blocks' sums, level by level ---- */

enum { BLOCK = 512 };

/* The barriers stand at top level, so the loops over strides are written out. */
#define UP(STRIDE)                                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage before wrote what this one reads */                 \
    if (k < BLOCK / (2 * STRIDE)) tree[(2 * k + 2) * STRIDE - 1] += tree[(2 * k + 1) * STRIDE - 1];

#define DOWN(STRIDE)                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage before wrote what this one reads */                 \
    if (k < BLOCK / (2 * STRIDE)) {                                                                \
        const uint left = tree[(2 * k + 1) * STRIDE - 1];                                          \
        tree[(2 * k + 1) * STRIDE - 1] = tree[(2 * k + 2) * STRIDE - 1];                           \
        tree[(2 * k + 2) * STRIDE - 1] += left;                                                    \
    }

kernel __attribute__((reqd_work_group_size(BLOCK / 2, 1, 1))) void
scan_blocks(global const uint *from, global uint *to, global uint *sums, ulong n) {
    local uint tree[BLOCK];
    const uint k = get_local_id(0);
    const ulong first = get_group_id(0) * (ulong)BLOCK;
    const ulong low = first + k, high = first + BLOCK / 2 + k;
    tree[k] = low < n ? from[low] : 0;
    tree[BLOCK / 2 + k] = high < n ? from[high] : 0;
    UP(1)
    UP(2)
    UP(4)
    UP(8)
    UP(16)
    UP(32)
    UP(64)
    UP(128)
    UP(256)
    barrier(CLK_LOCAL_MEM_FENCE); /* the last stage wrote the root, which work-item 0 takes */
    if (k == 0) {
        sums[get_group_id(0)] = tree[BLOCK - 1];
        tree[BLOCK - 1] = 0;
    }
    DOWN(256)
    DOWN(128)
    DOWN(64)
    DOWN(32)
    DOWN(16)
    DOWN(8)
    DOWN(4)
    DOWN(2)
    DOWN(1)
    barrier(CLK_LOCAL_MEM_FENCE); /* the last stage wrote what is stored */
    if (low < n) to[low] = tree[k];
    if (high < n) to[high] = tree[BLOCK / 2 + k];
}

kernel __attribute__((reqd_work_group_size(BLOCK / 2, 1, 1))) void
add_sums(global uint *to, global const uint *sums, ulong n) {
    const ulong low = get_group_id(0) * (ulong)BLOCK + get_local_id(0), high = low + BLOCK / 2;
    const uint sum = sums[get_group_id(0)];
    if (low < n) to[low] += sum;
    if (high < n) to[high] += sum;
}
