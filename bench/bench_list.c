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

/* The list that visits `order`, which stands where the ranks will. */
static void link_order(host_list *list) {
    const int32_t *order = list->rank;
    for (size_t k = 0; k + 1 < list->n; k++) list->next[order[k]] = order[k + 1];
    list->next[order[list->n - 1]] = -1;
    list->head = order[0];
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
    link_order(list);
}

/* From both ends in turn. */
static void link_zig_zag(host_list *list) {
    for (size_t k = 0; k < list->n; k++)
        list->rank[k] = (int32_t)(k % 2 == 0 ? k / 2 : list->n - 1 - k / 2);
    link_order(list);
}

/* Blocks of 4096 elements one after another, each in random order. */
static void link_blocks(host_list *list) {
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
    link_order(list);
}

static const struct {
    const char *name;
    void (*link)(host_list *list);
} orders[] = {{"random", link_random},   {"ordered", link_ordered}, {"reversed", link_reversed},
              {"strided", link_strided}, {"blocks", link_blocks},   {"zig-zag", link_zig_zag}};

/* What is made of a list; all but the ranks of random lists only. */
static const struct {
    const char *suffix, *method;
    clprims_list_result result;
    clprims_list_algorithm algorithm;
} ways[] = {{"", "ranking", CLPRIMS_LIST_RANKS, CLPRIMS_LIST_AUTO},
            {", order", "order", CLPRIMS_LIST_ORDER, CLPRIMS_LIST_AUTO},
            {", in place", "in place", CLPRIMS_LIST_RANKS, CLPRIMS_LIST_IN_PLACE}};
enum { WAYS = sizeof ways / sizeof *ways };

static void walk(void *self) {
    const host_list *list = self;
    list_walk(list->next, list->head, list->rank);
}

/* Whether the result at `at` agrees with the twin's ranks. */
static bool agrees(const host_list *list, size_t way, size_t at, int32_t got) {
    if (ways[way].result == CLPRIMS_LIST_RANKS) return got == list->rank[at];
    return got >= 0 && (size_t)got < list->n && (size_t)list->rank[got] == at;
}

/* Compares all results with the twin's. */
static bool verify(const list_job *job, const host_list *list, size_t way, char *fault,
                   size_t fault_bytes) {
    int32_t *got = bench_alloc(CHUNK * sizeof *got);
    size_t wrong = list->n;
    for (size_t first = 0; first < list->n && wrong == list->n; first += CHUNK) {
        const size_t count = list->n - first < CHUNK ? list->n - first : CHUNK;
        list_job_read(job, first, count, got);
        for (size_t k = 0; k < count && wrong == list->n; k++)
            if (!agrees(list, way, first + k, got[k])) wrong = first + k;
    }
    if (wrong < list->n)
        snprintf(fault, fault_bytes, "%s[%zu] = %d is not what plain C has",
                 ways[way].result == CLPRIMS_LIST_RANKS ? "rank" : "order", wrong,
                 (int)got[wrong % CHUNK]);
    free(got);
    return wrong == list->n;
}

static void measure_way(bench *b, list_job *job, host_list *list, const char *order, size_t way,
                        double serial_seconds, double *copy_seconds) {
    char fault[256] = "", count[24], name[64];
    bench_count_text(list->n, count);
    snprintf(name, sizeof name, "%s%s", order, ways[way].suffix);
    bench_row row = {.suite = "list", .name = name, .method = ways[way].method, .n = list->n};
    row.bytes = list_job_bytes(list->n);
    row.serial_seconds = serial_seconds;
    bench_step("list %s, n = %s: verifying", name, count);
    clprims_status status = list_job_run(job, list->next, list->n, list->head);
    if (status == CLPRIMS_OK && verify(job, list, way, fault, sizeof fault)) {
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

static void measure_order(bench *b, list_job *jobs, host_list *list, size_t order,
                          double *copy_seconds) {
    char count[24];
    bench_step("list %s, n = %s: linking and walking it in C", orders[order].name,
               bench_count_text(list->n, count));
    orders[order].link(list);
    const double serial_seconds = bench_host_seconds(walk, list);
    for (size_t way = 0; way < (order == 0 ? (size_t)WAYS : 1); way++)
        measure_way(b, &jobs[way], list, orders[order].name, way, serial_seconds, copy_seconds);
}

static size_t choose_sizes(const bench *b, size_t chosen[BENCH_MAX_SIZES]) {
    const unsigned last = (b->is_cpu ? 7u : 8u) - (b->options.quick ? 1u : 0u);
    size_t sizes[BENCH_MAX_SIZES];
    const size_t count = bench_sizes(&b->options, 10, 3, last, 1, sizes);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        char text[24];
        /* Links, ranks, as much again for the copy, and scratch. */
        if (sizes[k] <= INT32_MAX && bench_fits(b, 4.0 * (double)sizes[k], 48.0 * (double)sizes[k]))
            chosen[kept++] = sizes[k];
        else
            bench_note("lists of %s elements do not fit the device or int32 links",
                       bench_count_text(sizes[k], text));
    }
    return kept;
}

static void destroy_jobs(list_job *jobs) {
    for (size_t way = 0; way < WAYS; way++) list_job_destroy(&jobs[way]);
}

static bool create_jobs(bench *b, size_t most, list_job *jobs) {
    for (size_t way = 0; way < WAYS; way++) {
        if (list_job_create_as(b, most, ways[way].result, ways[way].algorithm, &jobs[way]) ==
            CLPRIMS_OK)
            continue;
        bench_row_report(b, &(bench_row){.suite = "list",
                                         .name = "create",
                                         .method = ways[way].method,
                                         .n = most,
                                         .failed = true,
                                         .fault = clprims_last_error()->message});
        destroy_jobs(jobs);
        return false;
    }
    return true;
}

void bench_list(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    bench_table_begin("list, int32 links");
    const size_t count = choose_sizes(b, sizes);
    if (count == 0) {
        b->skipped++;
        return;
    }
    const size_t most = sizes[count - 1];
    list_job jobs[WAYS] = {{0}};
    if (!create_jobs(b, most, jobs)) return;
    host_list list = {bench_alloc(most * sizeof(int32_t)), bench_alloc(most * sizeof(int32_t)), 0,
                      0};
    for (size_t k = 0; k < count; k++) {
        double copy_seconds = 0;
        list.n = sizes[k];
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
            if (bench_wanted(&b->options, orders[o].name))
                measure_order(b, jobs, &list, o, &copy_seconds);
    }
    free(list.next);
    free(list.rank);
    destroy_jobs(jobs);
}
