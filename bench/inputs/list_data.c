/* SPDX-License-Identifier: MIT */
/* Lists of int32 links on the host. */
#include "inputs/list_data.h"
#include "harness/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>

list_data list_data_create(size_t most) {
    const size_t bytes = most * sizeof(int32_t);
    return (list_data){.next = bench_alloc_touched(bytes), .rank = bench_alloc_touched(bytes)};
}

void list_data_destroy(list_data *list) {
    free(list->next);
    free(list->rank);
    *list = (list_data){0};
}

void list_data_link(list_data *list, order_kind kind) {
    list->shape = order_shape_of(kind, list->n);
    list->head = order_link(&list->shape, list->next);
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

/* ---- Plain C --------------------------------------------------------------------------------- */

size_t list_walk(const int32_t *next, int32_t head, int32_t *rank, size_t most) {
    const int32_t end = most < INT32_MAX ? (int32_t)most : INT32_MAX;
    int32_t position = 0;
    for (int32_t i = head; i >= 0 && position < end; i = next[i]) rank[i] = position++;
    return (size_t)position;
}

typedef struct walk {
    const list_data *list;
    size_t count; /* elements that were walked */
    atomic_bool is_wrong;
} walk;

static void walk_once(void *self) {
    walk *it = self;
    it->count = list_walk(it->list->next, it->list->head, it->list->rank, LIST_MOST_WALKED);
}

static void compare_part(void *self, size_t begin, size_t end) {
    walk *it = self;
    const list_data *list = it->list;
    for (size_t rank = begin; rank < end; rank++)
        if (list->rank[order_element(&list->shape, rank)] != (int32_t)rank) it->is_wrong = true;
}

double list_data_walk_seconds(list_data *list) {
    walk it = {.list = list};
    const size_t wanted = list->n < LIST_MOST_WALKED ? list->n : LIST_MOST_WALKED;
    const double seconds = bench_host_seconds(walk_once, &it);
    if (it.count == wanted) bench_parallel(it.count, compare_part, &it);
    if (it.count != wanted || it.is_wrong)
        bench_die(BENCH_EXIT_WRONG,
                  "a walk in plain C finds another order than the list was given");
    return seconds * (double)list->n / (double)it.count;
}
