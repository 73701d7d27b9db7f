/* SPDX-License-Identifier: MIT */
/*
 * Orders in which a list visits its elements. Each is a bijection that can be computed at any place
 * and both ways, so that lists of it are linked, and what was made of them compared, by all cores
 * and in the order of memory.
 */
#ifndef BENCH_ORDERS_H
#define BENCH_ORDERS_H

#include <stddef.h>
#include <stdint.h>

/* A bijection of [0, n) that looks random: a Feistel network on the least power of two from n on.
 */
typedef struct order_network {
    size_t n;
    unsigned low_bits;
    uint32_t low_mask, high_mask;
} order_network;

typedef struct order_shape {
    size_t n; /* at most 2^31 - 1 */
    size_t stride, inverse; /* modulo n */
    order_network whole, block, last_block;
    size_t (*element)(const struct order_shape *shape, size_t rank);
    size_t (*rank)(const struct order_shape *shape, size_t element);
} order_shape;

typedef enum order_kind {
    ORDER_RANDOM,
    ORDER_ORDERED,
    ORDER_REVERSED,
    ORDER_STRIDED, /* steps of about a thousand elements, around the array again and again */
    ORDER_BLOCKS, /* blocks of 4096 elements one after another, each in random order */
    ORDER_ZIG_ZAG, /* from both ends in turn */
    ORDERS
} order_kind;

extern const char *const order_names[ORDERS];

/* A list of n elements, at least one. */
order_shape order_shape_of(order_kind kind, size_t n);

static inline int32_t order_element(const order_shape *shape, size_t rank) {
    return (int32_t)shape->element(shape, rank);
}

static inline size_t order_rank(const order_shape *shape, size_t element) {
    return shape->rank(shape, element);
}

/* Links the list, on all cores; returns its head. */
int32_t order_link(const order_shape *shape, int32_t *next);

#endif
