/* SPDX-License-Identifier: MIT */
/* Lists of int32 links on the host, in several orders. */
#include "list_data.h"
#include "parallel.h"
#include <stdlib.h>

list_data list_data_create(size_t most) {
    return (list_data){bench_alloc(most * sizeof(int32_t)), bench_alloc(most * sizeof(int32_t)), 0,
                       0};
}

void list_data_destroy(list_data *list) {
    free(list->next);
    free(list->rank);
    *list = (list_data){0};
}

size_t list_data_sizes(bench *b, const char *what, size_t sizes[BENCH_MAX_SIZES]) {
    size_t all[BENCH_MAX_SIZES], kept = 0;
    const unsigned last = (b->is_cpu ? 6u : 8u) - (b->options.quick ? 1u : 0u);
    const size_t count = bench_sizes(&b->options, 10, 3, last, 1, all);
    for (size_t k = 0; k < count; k++) {
        const double n = (double)all[k];
        char text[24];
        /* Links, values, results, as much again for the copy, and scratch. */
        if (all[k] <= INT32_MAX && bench_fits(b, 36 * n, 80 * n))
            sizes[kept++] = all[k];
        else
            bench_note("%s of %s elements do not fit the device or int32 links", what,
                       bench_count_text(all[k], text));
    }
    return kept;
}

/* ---- The random list ------------------------------------------------------------------------- */

/* A Feistel network on the least power of two from n on. What falls outside n is sent on until it
 * is inside, which keeps a bijection one. */
enum { ROUNDS = 6 };

typedef struct network {
    unsigned low_bits;
    uint32_t low_mask, high_mask;
} network;

static network network_of(size_t n) {
    unsigned bits = 2;
    while (((size_t)1 << bits) < n) bits++;
    const unsigned low_bits = bits / 2;
    return (network){low_bits, (1u << low_bits) - 1, (1u << (bits - low_bits)) - 1};
}

static uint32_t scramble(uint32_t half, unsigned round) {
    uint32_t x = (half + round * 0x9e3779b9u) * 0x85ebca6bu;
    x = (x ^ x >> 15) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Its rounds from first to last, or backwards, which undoes them. */
static size_t send(const network *net, size_t at, bool backwards) {
    uint32_t low = (uint32_t)at & net->low_mask, high = (uint32_t)(at >> net->low_bits);
    for (unsigned k = 0; k < ROUNDS; k++) {
        const unsigned round = backwards ? ROUNDS - 1 - k : k;
        if (round % 2 == 0)
            high ^= scramble(low, round) & net->high_mask;
        else
            low ^= scramble(high, round) & net->low_mask;
    }
    return (size_t)high << net->low_bits | low;
}

static size_t send_within(const network *net, size_t n, size_t at, bool backwards) {
    do at = send(net, at, backwards);
    while (at >= n);
    return at;
}

size_t list_random_element(size_t n, size_t rank) {
    const network net = network_of(n);
    return send_within(&net, n, rank, false);
}

size_t list_random_rank(size_t n, size_t element) {
    const network net = network_of(n);
    return send_within(&net, n, element, true);
}

static void link_random_part(void *self, size_t begin, size_t end) {
    const list_data *list = self;
    const network net = network_of(list->n);
    for (size_t i = begin; i < end; i++) {
        const size_t after = send_within(&net, list->n, i, true) + 1;
        list->next[i] =
            after < list->n ? (int32_t)send_within(&net, list->n, after, false) : INT32_C(-1);
    }
}

int32_t list_link_random(int32_t *next, size_t n) {
    list_data list = {next, NULL, n, 0};
    bench_parallel(n, link_random_part, &list);
    return (int32_t)list_random_element(n, 0);
}

static void link_random(list_data *list) {
    list->head = list_link_random(list->next, list->n);
}

/* ---- Other orders ---------------------------------------------------------------------------- */

static void link_ordered(list_data *list) {
    const int32_t n = (int32_t)list->n;
    for (int32_t i = 0; i < n; i++) list->next[i] = i + 1 < n ? i + 1 : -1;
    list->head = 0;
}

static void link_reversed(list_data *list) {
    const int32_t n = (int32_t)list->n;
    for (int32_t i = 0; i < n; i++) list->next[i] = i - 1;
    list->head = n - 1;
}

static size_t greatest_divisor(size_t a, size_t b) {
    while (b != 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Steps of about a thousand elements, around the array again and again. */
static void link_strided(list_data *list) {
    const size_t n = list->n;
    size_t stride = n > 2000 ? 1000 : n / 2 + 1;
    while (greatest_divisor(n, stride) != 1) stride++;
    size_t i = 0;
    for (size_t k = 1; k < n; k++) {
        const size_t after = (i + stride) % n;
        list->next[i] = (int32_t)after;
        i = after;
    }
    list->next[i] = -1;
    list->head = 0;
}

void list_link_in_order(list_data *list) {
    const int32_t *order = list->rank;
    for (size_t k = 0; k + 1 < list->n; k++) list->next[order[k]] = order[k + 1];
    list->next[order[list->n - 1]] = -1;
    list->head = order[0];
}

/* From both ends in turn. */
static void link_zig_zag(list_data *list) {
    for (size_t k = 0; k < list->n; k++)
        list->rank[k] = (int32_t)(k % 2 == 0 ? k / 2 : list->n - 1 - k / 2);
    list_link_in_order(list);
}

/* Blocks of 4096 elements one after another, each in random order. */
static void link_blocks(list_data *list) {
    enum { BLOCK = 4096 };
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < list->n; k++) list->rank[k] = (int32_t)k;
    for (size_t start = 0; start < list->n; start += BLOCK) {
        const size_t size = list->n - start < BLOCK ? list->n - start : BLOCK;
        for (size_t i = size; i > 1; i--) {
            state = state * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
            const size_t other = (size_t)((state >> 32) * i >> 32);
            const int32_t held = list->rank[start + i - 1];
            list->rank[start + i - 1] = list->rank[start + other];
            list->rank[start + other] = held;
        }
    }
    list_link_in_order(list);
}

const list_order list_orders[LIST_ORDERS] = {
    {"random", link_random},   {"ordered", link_ordered}, {"reversed", link_reversed},
    {"strided", link_strided}, {"blocks", link_blocks},   {"zig-zag", link_zig_zag}};
