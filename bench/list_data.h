/* SPDX-License-Identifier: MIT */
/* Lists of int32 links on the host, in several orders, for every suite that needs some. */
#ifndef BENCH_LIST_DATA_H
#define BENCH_LIST_DATA_H

#include "bench.h"

typedef struct list_data {
    int32_t *next;
    int32_t
        *rank; /* room for n numbers: the order while a list is linked, then what a twin finds */
    size_t n;
    int32_t head;
} list_data;

/* Room for lists of up to `most` elements. */
list_data list_data_create(size_t most);
void list_data_destroy(list_data *list);

/* The sizes that int32 links and the device allow, where each element has a link, a value and a
 * result of up to 8 bytes; how many. what: "lists", for the note on each that is left out. */
size_t list_data_sizes(bench *b, const char *what, size_t sizes[BENCH_MAX_SIZES]);

typedef struct list_order {
    const char *name;
    void (*link)(list_data *list); /* links list->n elements and says which is head */
} list_order;

/* The random list comes first. */
enum { LIST_ORDERS = 6 };
extern const list_order list_orders[LIST_ORDERS];

/* The list that visits list->rank[0], list->rank[1], ... */
void list_link_in_order(list_data *list);

/* The random list of n elements is a bijection of the ranks, so that it is made and verified side
 * by side and in the order of memory: the element of a rank, and the rank of an element. */
size_t list_random_element(size_t n, size_t rank);
size_t list_random_rank(size_t n, size_t element);

/* Links the random list in `next` alone; returns its head. */
int32_t list_link_random(int32_t *next, size_t n);

#endif
