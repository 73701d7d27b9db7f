/* SPDX-License-Identifier: MIT */
/* The list suite: lists in several orders, ranked on the device and by the serial walk in C. */
#include "list_job.h"
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 1 << 22 };

typedef struct host_list {
    int32_t *next;
    int32_t *rank; /* the twin's; before that, room for the order */
    size_t n;
    int32_t head;
} host_list;

static void link_ordered(host_list *list) {
    const int32_t n = (int32_t)list->n;
    for (int32_t i = 0; i < n; i++) list->next[i] = i + 1 < n ? i + 1 : -1;
    list->head = 0;
}

static void link_reversed(host_list *list) {
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
static void link_strided(host_list *list) {
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

static void link_random(host_list *list) {
    const size_t n = list->n;
    int32_t *order = list->rank;
    uint64_t state = 0x2545f4914f6cdd1du;
    for (size_t i = 0; i < n; i++) order[i] = (int32_t)i;
    for (size_t i = n; i > 1; i--) {
        state = state * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
        const size_t other = (size_t)((state >> 32) * i >> 32);
        const int32_t held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
    for (size_t k = 0; k + 1 < n; k++) list->next[order[k]] = order[k + 1];
    list->next[order[n - 1]] = -1;
    list->head = order[0];
}

static const struct {
    const char *name;
    void (*link)(host_list *list);
} orders[] = {{"random", link_random},
              {"ordered", link_ordered},
              {"reversed", link_reversed},
              {"strided", link_strided}};

static void walk(void *self) {
    const host_list *list = self;
    list_walk(list->next, list->head, list->rank);
}

/* Compares all ranks with the twin's. */
static bool verify(const list_job *job, const host_list *list, char *fault, size_t fault_bytes) {
    int32_t *got = bench_alloc(CHUNK * sizeof *got);
    size_t wrong = list->n;
    for (size_t first = 0; first < list->n && wrong == list->n; first += CHUNK) {
        const size_t count = list->n - first < CHUNK ? list->n - first : CHUNK;
        list_job_read(job, first, count, got);
        for (size_t k = 0; k < count && wrong == list->n; k++)
            if (got[k] != list->rank[first + k]) wrong = first + k;
    }
    if (wrong < list->n)
        snprintf(fault, fault_bytes, "rank[%zu] is %d, in plain C %d", wrong,
                 (int)got[wrong % CHUNK], (int)list->rank[wrong]);
    free(got);
    return wrong == list->n;
}

static void measure_order(bench *b, list_job *job, host_list *list, const char *name,
                          double *copy_seconds) {
    char fault[256] = "", count[24];
    bench_count_text(list->n, count);
    bench_row row = {.suite = "list", .name = name, .method = "ranking", .n = list->n};
    row.bytes = list_job_bytes(list->n);
    bench_step("list %s, n = %s: walking it in C", name, count);
    row.serial_seconds = bench_host_seconds(walk, list);
    bench_step("list %s, n = %s: verifying", name, count);
    clprims_status status = list_job_run(job, list->next, list->n, list->head);
    if (status == CLPRIMS_OK && verify(job, list, fault, sizeof fault)) {
        bench_step("list %s, n = %s: timing", name, count);
        if (*copy_seconds <= 0) *copy_seconds = bench_copy_seconds(b, row.bytes);
        row.copy_seconds = *copy_seconds;
        status = list_job_measure(job, &row.time);
    }
    if (status != CLPRIMS_OK) {
        row.failed = status != CLPRIMS_ERR_DATA;
        snprintf(fault, sizeof fault, "%s", clprims_last_error()->message);
    }
    if (fault[0] != '\0') row.fault = fault;
    bench_row_report(b, &row);
}

static size_t choose_sizes(const bench *b, size_t chosen[BENCH_MAX_SIZES]) {
    const unsigned last = (b->is_cpu ? 7u : 8u) - (b->options.quick ? 1u : 0u);
    size_t sizes[BENCH_MAX_SIZES];
    const size_t count = bench_sizes(&b->options, 10, 3, last, 1, sizes);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        char text[24];
        /* Links, ranks, as much again for the copy, and scratch. */
        if (sizes[k] <= INT32_MAX && bench_fits(b, 4.0 * (double)sizes[k], 24.0 * (double)sizes[k]))
            chosen[kept++] = sizes[k];
        else
            bench_note("lists of %s elements do not fit the device or int32 links",
                       bench_count_text(sizes[k], text));
    }
    return kept;
}

void bench_list(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    list_job job = {0};
    bench_table_begin("list, int32 links");
    const size_t count = choose_sizes(b, sizes);
    if (count == 0) {
        b->skipped++;
        return;
    }
    const size_t most = sizes[count - 1];
    if (list_job_create(b, most, &job) != CLPRIMS_OK) {
        bench_row_report(b, &(bench_row){.suite = "list",
                                         .name = "create",
                                         .method = "ranking",
                                         .n = most,
                                         .failed = true,
                                         .fault = clprims_last_error()->message});
        list_job_destroy(&job);
        return;
    }
    host_list list = {bench_alloc(most * sizeof(int32_t)), bench_alloc(most * sizeof(int32_t)), 0,
                      0};
    for (size_t k = 0; k < count; k++) {
        double copy_seconds = 0;
        list.n = sizes[k];
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            if (!bench_wanted(&b->options, orders[o].name)) continue;
            bench_step("list %s: linking", orders[o].name);
            orders[o].link(&list);
            measure_order(b, &job, &list, orders[o].name, &copy_seconds);
        }
    }
    free(list.next);
    free(list.rank);
    list_job_destroy(&job);
}
