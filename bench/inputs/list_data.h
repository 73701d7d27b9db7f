/* SPDX-License-Identifier: MIT */
/* Lists of int32 links on the host, for every suite that needs some. */
#ifndef BENCH_LIST_DATA_H
#define BENCH_LIST_DATA_H

#include "harness/bench.h"
#include "inputs/orders.h"

typedef struct list_data {
    int32_t *next;
    int32_t *rank; /* room for n numbers: what a walk in plain C finds */
    size_t n;
    int32_t head;
    order_shape shape;
} list_data;

/* Room for lists of up to `most` elements, touched. */
list_data list_data_create(size_t most);
void list_data_destroy(list_data *list);

/* Links list->n elements in this order. */
void list_data_link(list_data *list, order_kind kind);

/* The sizes that int32 links and the device allow, where each element has a link, a value and a
 * result of up to 8 bytes; how many. what: "lists", for the note on each that is left out. */
size_t list_data_sizes(bench *b, const char *what, size_t sizes[BENCH_MAX_SIZES]);

/* Plain C walks no more elements of a list than that: of a longer one the first so many, and what
 * the whole would take is reckoned from them. */
enum { LIST_MOST_WALKED = 10 * 1000 * 1000 };

/* The plain C way, one step after the other: ranks at most so many elements, returns their
 * number. */
size_t list_walk(const int32_t *next, int32_t head, int32_t *rank, size_t most);

/* What list_walk takes for the whole list; what it finds is compared with the list's order. */
double list_data_walk_seconds(list_data *list);

#endif
