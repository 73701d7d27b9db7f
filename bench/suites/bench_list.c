/* SPDX-License-Identifier: MIT */
/* The list suite: lists in several orders, ranked on the device and by the serial walk in C. */
#include "inputs/list_data.h"
#include "inputs/list_job.h"
#include "suites/suites.h"
#include <stdio.h>

enum { SHORT = 1000 };

/* What is made of a list; all but the ranks of random lists only. */
static const struct {
    const char *suffix, *method;
    clprims_list_result result;
    clprims_list_algorithm algorithm;
} ways[] = {{"", "ranking", CLPRIMS_LIST_RANKS, CLPRIMS_LIST_AUTO},
            {", order", "order", CLPRIMS_LIST_ORDER, CLPRIMS_LIST_AUTO},
            {", in place", "in place", CLPRIMS_LIST_RANKS, CLPRIMS_LIST_IN_PLACE}};
enum { WAYS = sizeof ways / sizeof *ways };

enum { NAME_CHARS = 64 };

static const char *print_name(order_kind order, size_t way, char name[NAME_CHARS]) {
    snprintf(name, NAME_CHARS, "%s%s", order_names[order], ways[way].suffix);
    return name;
}

static size_t ways_of(order_kind order) {
    return order == ORDER_RANDOM ? (size_t)WAYS : 1;
}

static bool is_wanted(const bench *b, order_kind order, size_t way) {
    char name[NAME_CHARS];
    return bench_wanted(&b->options, print_name(order, way, name));
}

static void measure_way(bench *b, list_job *job, list_data *list, order_kind order, size_t way,
                        double serial_seconds, double *copy_seconds) {
    char fault[BENCH_FAULT_CHARS] = "", count[24], name[NAME_CHARS];
    bench_count_text(list->n, count);
    print_name(order, way, name);
    bench_row row = {.suite = "list", .name = name, .method = ways[way].method, .n = list->n};
    row.bytes = list_job_bytes(list->n);
    row.serial_seconds = serial_seconds;
    bench_step("list %s, n = %s: verifying", name, count);
    clprims_status status = list_job_run(job, list->next, list->n, list->head);
    if (status == CLPRIMS_OK && list_job_verify(job, &list->shape, fault, sizeof fault)) {
        bench_step("list %s, n = %s: timing", name, count);
        if (*copy_seconds <= 0) *copy_seconds = bench_copy_seconds(b, row.bytes);
        row.copy_seconds = *copy_seconds;
        status = list_job_measure(job, &row.time);
    }
    bench_row_conclude(b, &row, status, fault);
}

/* The least that a device could take to walk a short list as plain C does. */
static void report_launched_walk(bench *b, size_t n, double serial_seconds) {
    bench_row row = {.suite = "list",
                     .name = order_names[ORDER_RANDOM],
                     .library = "plain C and a launch",
                     .method = "empty kernel",
                     .n = n,
                     .bytes = list_job_bytes(n),
                     .serial_seconds = serial_seconds};
    row.time.median = serial_seconds + bench_launch_seconds(b);
    row.time.least = row.time.most = row.time.median;
    row.time.runs = 1;
    bench_row_report(b, &row);
}

static void measure_order(bench *b, list_job *jobs, list_data *list, order_kind order,
                          double *copy_seconds) {
    char count[24];
    bench_step("list %s, n = %s: linking and walking it in C", order_names[order],
               bench_count_text(list->n, count));
    list_data_link(list, order);
    const double serial_seconds = list_data_walk_seconds(list);
    for (size_t way = 0; way < ways_of(order); way++)
        if (is_wanted(b, order, way))
            measure_way(b, &jobs[way], list, order, way, serial_seconds, copy_seconds);
    if (order == ORDER_RANDOM && is_wanted(b, order, 0) && list->n <= SHORT && !b->options.spoil)
        report_launched_walk(b, list->n, serial_seconds);
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
        if (list_job_create_as(b, most, ways[way].result, ways[way].algorithm, NULL, &jobs[way]) ==
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
    list_data list = list_data_create(most);
    for (size_t k = 0; k < count; k++) {
        double copy_seconds = 0;
        list.n = sizes[k];
        for (order_kind o = 0; o < ORDERS; o++) {
            bool any = false;
            for (size_t way = 0; way < ways_of(o); way++) any = any || is_wanted(b, o, way);
            if (any) measure_order(b, jobs, &list, o, &copy_seconds);
        }
    }
    list_data_destroy(&list);
    destroy_jobs(jobs);
}
