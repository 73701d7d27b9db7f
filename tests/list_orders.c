/* SPDX-License-Identifier: MIT */
/* Orders of a list in memory, from the easiest to those made against the choice of splitters. */
#include "list_cases.h"

#include <stdlib.h>

static void identity(int64_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) order[i] = (int64_t)i;
}

static void reversed(int64_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) order[i] = (int64_t)(n - 1 - i);
}

static void swap(int64_t *order, size_t a, size_t b) {
    const int64_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

static void shuffle(int64_t *order, size_t n) {
    for (size_t i = n; i > 1; i--) swap(order, i - 1, (size_t)test_random_below(i));
}

void list_random(int64_t *order, size_t n) {
    identity(order, n);
    shuffle(order, n);
}

static void random_from(int64_t *order, size_t n, size_t head) {
    list_random(order, n);
    for (size_t i = 0; i < n; i++)
        if (order[i] == (int64_t)head) swap(order, 0, i);
}

static void head_last(int64_t *order, size_t n) {
    random_from(order, n, n - 1);
}

static void head_0(int64_t *order, size_t n) {
    random_from(order, n, 0);
}

static void head_middle(int64_t *order, size_t n) {
    random_from(order, n, n / 2);
}

/* Every stride-th element, then again from the next one on. */
static void stride_by(int64_t *order, size_t n, size_t stride) {
    size_t k = 0;
    for (size_t start = 0; start < stride; start++)
        for (size_t i = start; i < n; i += stride) order[k++] = (int64_t)i;
}

static void stride_2(int64_t *order, size_t n) {
    stride_by(order, n, 2);
}

static void stride_3(int64_t *order, size_t n) {
    stride_by(order, n, 3);
}

static void stride_32(int64_t *order, size_t n) {
    stride_by(order, n, 32);
}

static void stride_48(int64_t *order, size_t n) {
    stride_by(order, n, 48);
}

static void stride_1024(int64_t *order, size_t n) {
    stride_by(order, n, 1024);
}

static void stride_half(int64_t *order, size_t n) {
    stride_by(order, n, n / 2 + 1);
}

static size_t common_divisor(size_t a, size_t b) {
    while (b != 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Multiples of a stride, modulo n. */
static void wrap_by(int64_t *order, size_t n, size_t stride) {
    while (common_divisor(stride, n) != 1) stride++;
    for (size_t i = 0, at = 0; i < n; i++, at = (at + stride) % n) order[i] = (int64_t)at;
}

static void wrap_odd(int64_t *order, size_t n) {
    wrap_by(order, n, n / 3 + 1);
}

static void wrap_power(int64_t *order, size_t n) {
    wrap_by(order, n, 256);
}

static unsigned bits_of(size_t n) {
    unsigned bits = 1;
    while (((size_t)1 << bits) < n) bits++;
    return bits;
}

static void bit_reversal(int64_t *order, size_t n) {
    const unsigned bits = bits_of(n);
    size_t k = 0;
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        size_t reverse = 0;
        for (unsigned b = 0; b < bits; b++) reverse |= (i >> b & 1) << (bits - 1 - b);
        if (reverse < n) order[k++] = (int64_t)reverse;
    }
}

static void block_random(int64_t *order, size_t n) {
    identity(order, n);
    for (size_t i = 0; i < n; i += 1024) shuffle(order + i, n - i < 1024 ? n - i : 1024);
}

/* Ordered runs of this length, one after another in random order. */
static void runs_of(int64_t *order, size_t n, size_t length) {
    const size_t runs = (n + length - 1) / length;
    int64_t *starts = test_alloc(runs, sizeof *starts);
    list_random(starts, runs);
    size_t k = 0;
    for (size_t run = 0; run < runs; run++) {
        const size_t start = (size_t)starts[run] * length;
        for (size_t i = start; i < n && i < start + length; i++) order[k++] = (int64_t)i;
    }
    free(starts);
}

static void runs_8(int64_t *order, size_t n) {
    runs_of(order, n, 8);
}

static void runs_32(int64_t *order, size_t n) {
    runs_of(order, n, 32);
}

static void runs_1000(int64_t *order, size_t n) {
    runs_of(order, n, 1000);
}

static void some_swaps(int64_t *order, size_t n) {
    identity(order, n);
    for (size_t i = 0; i < n / 100; i++)
        swap(order, (size_t)test_random_below(n), (size_t)test_random_below(n));
}

static void zig_zag(int64_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) order[i] = (int64_t)(i % 2 == 0 ? i / 2 : n - 1 - i / 2);
}

/* The inverse of the hash that chooses splitters in cl/list.cl. */
static size_t unmix(uint64_t x, unsigned bits) {
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    const unsigned shift = (bits + 1) / 2;
    x ^= x >> shift;
    x = x * UINT64_C(0x96de1b173f119089) & mask;
    x ^= x >> shift;
    x = x * UINT64_C(0xf1de83e19937733d) & mask;
    return (size_t)(x ^ x >> shift);
}

/* All splitters first, each a sublist of one element, then all others as one sublist. */
void list_hash_ascending(int64_t *order, size_t n) {
    const unsigned bits = bits_of(n);
    size_t k = 0;
    for (uint64_t key = 0; key < (uint64_t)1 << bits; key++) {
        const size_t i = unmix(key, bits);
        if (i < n) order[k++] = (int64_t)i;
    }
}

static void hash_descending(int64_t *order, size_t n) {
    list_hash_ascending(order, n);
    for (size_t i = 0; i < n / 2; i++) swap(order, i, n - 1 - i);
}

const list_order list_orders[LIST_ORDERS] = {
    {"identity", identity},
    {"reversed", reversed},
    {"random", list_random},
    {"head-last", head_last},
    {"head-0", head_0},
    {"head-middle", head_middle},
    {"stride-2", stride_2},
    {"stride-3", stride_3},
    {"stride-32", stride_32},
    {"stride-48", stride_48},
    {"stride-1024", stride_1024},
    {"stride-half", stride_half},
    {"wrap-odd", wrap_odd},
    {"wrap-256", wrap_power},
    {"bit-reversal", bit_reversal},
    {"block-random", block_random},
    {"runs-8", runs_8},
    {"runs-32", runs_32},
    {"runs-1000", runs_1000},
    {"1%-swaps", some_swaps},
    {"zig-zag", zig_zag},
    {"hash-ascending", list_hash_ascending},
    {"hash-descending", hash_descending},
};

void list_link(const int64_t *order, int64_t *next, size_t n) {
    for (size_t i = 0; i + 1 < n; i++) next[order[i]] = order[i + 1];
    if (n > 0) next[order[n - 1]] = -1;
}
