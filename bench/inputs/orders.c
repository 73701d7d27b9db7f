/* SPDX-License-Identifier: MIT */
/* Orders in which a list visits its elements, as bijections. */
#include "inputs/orders.h"
#include "harness/parallel.h"

enum { ROUNDS = 6, BLOCK = 4096, STRIDE = 1000 };

/* ---- The random order ------------------------------------------------------------------------ */

static order_network network_of(size_t n) {
    unsigned bits = 2;
    while (((size_t)1 << bits) < n) bits++;
    const unsigned low_bits = bits / 2;
    return (order_network){n, low_bits, (1u << low_bits) - 1, (1u << (bits - low_bits)) - 1};
}

static uint32_t scramble(uint32_t half, uint32_t key) {
    uint32_t x = (half + key * 0x9e3779b9u) * 0x85ebca6bu;
    x = (x ^ x >> 15) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* What falls outside n is sent on until it is inside, which keeps a bijection one. */
static size_t send(const order_network *net, size_t at, uint32_t key) {
    do {
        uint32_t low = (uint32_t)at & net->low_mask, high = (uint32_t)(at >> net->low_bits);
        for (uint32_t round = 0; round < ROUNDS; round += 2) {
            high ^= scramble(low, key + round) & net->high_mask;
            low ^= scramble(high, key + round + 1) & net->low_mask;
        }
        at = (size_t)high << net->low_bits | low;
    } while (at >= net->n);
    return at;
}

static size_t send_back(const order_network *net, size_t at, uint32_t key) {
    do {
        uint32_t low = (uint32_t)at & net->low_mask, high = (uint32_t)(at >> net->low_bits);
        for (uint32_t round = ROUNDS; round > 0; round -= 2) {
            low ^= scramble(high, key + round - 1) & net->low_mask;
            high ^= scramble(low, key + round - 2) & net->high_mask;
        }
        at = (size_t)high << net->low_bits | low;
    } while (at >= net->n);
    return at;
}

static size_t random_element(const order_shape *shape, size_t rank) {
    return send(&shape->whole, rank, 0);
}

static size_t random_rank(const order_shape *shape, size_t element) {
    return send_back(&shape->whole, element, 0);
}

static const order_network *network_of_block(const order_shape *shape, size_t block) {
    return shape->n - block * BLOCK < BLOCK ? &shape->last_block : &shape->block;
}

static size_t blocks_element(const order_shape *shape, size_t rank) {
    const size_t block = rank / BLOCK;
    const order_network *net = network_of_block(shape, block);
    return block * BLOCK + send(net, rank % BLOCK, (uint32_t)block * ROUNDS);
}

static size_t blocks_rank(const order_shape *shape, size_t element) {
    const size_t block = element / BLOCK;
    const order_network *net = network_of_block(shape, block);
    return block * BLOCK + send_back(net, element % BLOCK, (uint32_t)block * ROUNDS);
}

/* ---- Other orders ---------------------------------------------------------------------------- */

static size_t same(const order_shape *shape, size_t at) {
    (void)shape;
    return at;
}

static size_t mirrored(const order_shape *shape, size_t at) {
    return shape->n - 1 - at;
}

static size_t strided_element(const order_shape *shape, size_t rank) {
    return rank * shape->stride % shape->n;
}

static size_t strided_rank(const order_shape *shape, size_t element) {
    return element * shape->inverse % shape->n;
}

static size_t zig_zag_element(const order_shape *shape, size_t rank) {
    return rank % 2 == 0 ? rank / 2 : shape->n - 1 - rank / 2;
}

static size_t zig_zag_rank(const order_shape *shape, size_t element) {
    const size_t from_end = shape->n - 1 - element;
    return element <= from_end ? 2 * element : 2 * from_end + 1;
}

/* The inverse of a modulo n, or 0 where there is none: Euclid's way. */
static size_t inverse_of(size_t a, size_t n) {
    int64_t r = (int64_t)n, s = (int64_t)a, x = 0, y = 1;
    while (s != 0) {
        const int64_t times = r / s, r_rest = r - times * s, x_rest = x - times * y;
        r = s;
        s = r_rest;
        x = y;
        y = x_rest;
    }
    if (r != 1) return 0;
    return (size_t)(x < 0 ? x + (int64_t)n : x);
}

static void choose_stride(order_shape *shape) {
    const size_t n = shape->n;
    shape->stride = n > 2 * STRIDE ? STRIDE : n / 2 + 1;
    /* Modulo 1 everything is 0. */
    while (n > 1 && (shape->inverse = inverse_of(shape->stride, n)) == 0) shape->stride++;
}

/* ---- All of them ----------------------------------------------------------------------------- */

const char *const order_names[ORDERS] = {"random",  "ordered", "reversed",
                                         "strided", "blocks",  "zig-zag"};

static const struct {
    size_t (*element)(const order_shape *shape, size_t rank);
    size_t (*rank)(const order_shape *shape, size_t element);
} kinds[ORDERS] = {{random_element, random_rank}, {same, same},
                   {mirrored, mirrored},          {strided_element, strided_rank},
                   {blocks_element, blocks_rank}, {zig_zag_element, zig_zag_rank}};

order_shape order_shape_of(order_kind kind, size_t n) {
    order_shape shape = {.n = n, .element = kinds[kind].element, .rank = kinds[kind].rank};
    shape.whole = network_of(n);
    shape.block = network_of(BLOCK);
    shape.last_block = network_of(n % BLOCK > 0 ? n % BLOCK : BLOCK);
    choose_stride(&shape);
    return shape;
}

typedef struct linking {
    const order_shape *shape;
    int32_t *next;
} linking;

static void link_part(void *self, size_t begin, size_t end) {
    const linking *it = self;
    for (size_t i = begin; i < end; i++) {
        const size_t after = order_rank(it->shape, i) + 1;
        it->next[i] = after < it->shape->n ? order_element(it->shape, after) : -1;
    }
}

int32_t order_link(const order_shape *shape, int32_t *next) {
    linking it = {shape, next};
    bench_parallel(shape->n, link_part, &it);
    return order_element(shape, 0);
}
