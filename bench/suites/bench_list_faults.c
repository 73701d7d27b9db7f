/* SPDX-License-Identifier: MIT */
/*
 * The list_faults suite: what list ranking, list scan and forests cost on malformed and adversarial
 * lists, beside a valid list of the same length. Every report is compared with that of a checker in
 * plain C, and every result of a valid list with plain C in full.
 */
#include "harness/parallel.h"
#include "inputs/list_job.h"
#include "inputs/list_spoiled.h"
#include "suites/suites.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum subject { RANKING, SCAN, FOREST, SUBJECTS } subject;

static const char *const prefixes[SUBJECTS] = {"", "list scan, ", "forest, "};

typedef struct fault_task {
    list_job job; /* of the ranking; its buffers serve all */
    clprims_listscan *scan;
    clprims_forest *forest;
    cl_mem values, out; /* of the scan: int64 */
    cl_mem head; /* of the forest */
    list_data list;
    uint64_t *host; /* values, then results */
} fault_task;

static clprims_status submit_scan(void *self, cl_command_queue queue, cl_event *event) {
    const fault_task *task = self;
    const clprims_buffer next = {task->job.next, 0}, values = {task->values, 0};
    const clprims_buffer out = {task->out, 0}, report = {task->job.report, 0};
    const int64_t head = task->list.head;
    return clprims_listscan_enqueue(
        task->scan, queue,
        &(clprims_listscan_buffers){
            .next = next, .values = values, .out = out, .head = &head, .report = report},
        task->list.n, 0, NULL, event);
}

static clprims_status submit_forest(void *self, cl_command_queue queue, cl_event *event) {
    const fault_task *task = self;
    const clprims_forest_buffers buffers = {.next = {task->job.next, 0},
                                            .rank = {task->job.rank, 0},
                                            .head = {task->head, 0},
                                            .report = {task->job.report, 0}};
    return clprims_forest_enqueue(task->forest, queue, &buffers, task->list.n, 0, NULL, event);
}

static bench_job job_of(fault_task *task, subject of) {
    if (of == SCAN) return (bench_job){submit_scan, task};
    if (of == FOREST) return (bench_job){submit_forest, task};
    return (bench_job){list_job_submit, &task->job};
}

/* ---- Verifying ------------------------------------------------------------------------------- */

static bool is_report(const list_job *job, const clprims_list_report *expected, char *fault,
                      size_t fault_bytes) {
    clprims_list_report got;
    bench_read(job->b, job->report, 0, sizeof got, &got);
    if (memcmp(&got, expected, sizeof got) == 0) return true;
    snprintf(fault, fault_bytes,
             "the report is {%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
             "}, in plain C {%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "}",
             got.fault, got.index, got.other, got.head, expected->fault, expected->index,
             expected->other, expected->head);
    return false;
}

typedef struct comparison {
    const fault_task *task;
    subject of;
    const int32_t *got, *heads;
    atomic_size_t wrong;
} comparison;

/* Exclusive sums of the odd numbers, in the list's order, are squares. */
static uint64_t value_of(int32_t rank) {
    return 2 * (uint64_t)rank + 1;
}

static void compare_part(void *self, size_t begin, size_t end) {
    comparison *c = self;
    const fault_task *task = c->task;
    for (size_t i = begin; i < end; i++) {
        const uint64_t rank = (uint64_t)task->list.rank[i];
        bool right = true;
        if (c->of == SCAN)
            right = task->host[i] == rank * rank;
        else
            right = c->got[i] == task->list.rank[i];
        if (c->of == FOREST) right = right && c->heads[i] == task->list.head;
        if (!right) c->wrong = i;
    }
}

/* Compares the results with list->rank. */
static bool is_right(fault_task *task, subject of, char *fault, size_t fault_bytes) {
    const bench *b = task->job.b;
    const size_t n = task->list.n, bytes = n * sizeof(int32_t);
    int32_t *got = (int32_t *)task->host, *heads = got + n;
    comparison c = {task, of, got, heads, n};
    if (of == SCAN)
        bench_read(b, task->out, 0, n * sizeof(uint64_t), task->host);
    else
        bench_read(b, task->job.rank, 0, bytes, got);
    if (of == FOREST) bench_read(b, task->head, 0, bytes, heads);
    bench_parallel(n, compare_part, &c);
    if (c.wrong == n) return true;
    snprintf(fault, fault_bytes, "the result of element %zu is not what plain C has",
             (size_t)c.wrong);
    return false;
}

/* ---- One measurement ------------------------------------------------------------------------- */

static clprims_status run(fault_task *task, subject of) {
    bench *b = task->job.b;
    const size_t bytes = task->list.n * sizeof(int32_t);
    if (of == SCAN) bench_buffer_poison(b, task->out, 2 * bytes);
    if (of == FOREST) bench_buffer_poison(b, task->head, bytes);
    bench_buffer_poison(b, task->job.rank, bytes);
    bench_buffer_poison(b, task->job.report, sizeof(clprims_list_report));
    return bench_once(b, job_of(task, of));
}

enum { NAME_CHARS = 80 };

static const char *print_name(subject of, const char *name, char whole[NAME_CHARS]) {
    snprintf(whole, NAME_CHARS, "%s%s", prefixes[of], name);
    return whole;
}

static bool is_wanted(const bench *b, subject of, const list_case *what) {
    char whole[NAME_CHARS];
    return bench_wanted(&b->options, print_name(of, what->name, whole));
}

/* Returns the seconds, 0 if something is wrong. */
static double measure(fault_task *task, subject of, const char *name,
                      const clprims_list_report *expected) {
    bench *b = task->job.b;
    char fault[BENCH_FAULT_CHARS] = "", count[24], whole[NAME_CHARS];
    const size_t n = task->list.n;
    print_name(of, name, whole);
    bench_row row = {.suite = "list_faults", .name = whole, .method = "clprims", .n = n};
    row.bytes = list_job_bytes(n) * (of == SCAN ? 2.5 : of == FOREST ? 1.5 : 1);
    bench_step("list_faults %s, n = %s", whole, bench_count_text(n, count));
    clprims_status status = run(task, of);
    if (status == CLPRIMS_OK && is_report(&task->job, expected, fault, sizeof fault) &&
        (expected->fault != CLPRIMS_LIST_VALID || is_right(task, of, fault, sizeof fault)))
        status = bench_measure(b, job_of(task, of), &row.time);
    bench_row_conclude(b, &row, status, fault);
    return row.time.median;
}

/* A list in task->list: its links and values are copied to the device. */
static void upload(fault_task *task, bool is_valid) {
    const list_data *list = &task->list;
    const bench *b = task->job.b;
    if (is_valid) list_walk(list->next, list->head, list->rank, list->n);
    for (size_t i = 0; i < list->n; i++) task->host[i] = is_valid ? value_of(list->rank[i]) : i;
    bench_write(b, task->job.next, 0, list->n * sizeof *list->next, list->next);
    bench_write(b, task->values, 0, list->n * sizeof *task->host, task->host);
}

/* ---- The suite ------------------------------------------------------------------------------- */

typedef struct slowest {
    double good, seconds;
    const char *name;
} slowest;

static void measure_case(fault_task *task, size_t number, slowest all[SUBJECTS]) {
    const list_case *what = &list_cases[number];
    bool any = false;
    for (subject of = 0; of < SUBJECTS; of++) any = any || is_wanted(task->job.b, of, what);
    if (!any) return;
    list_data_link(&task->list, ORDER_RANDOM);
    what->spoil(&task->list);
    clprims_list_report expected = list_report_in_c(&task->list);
    const bool is_valid = expected.fault == CLPRIMS_LIST_VALID;
    upload(task, is_valid);
    task->job.n = task->list.n;
    task->job.head = task->list.head;
    for (subject of = 0; of < SUBJECTS; of++) {
        /* A malformed list may be a valid forest; if not, the reports differ. */
        if ((of == FOREST && !is_valid) || !is_wanted(task->job.b, of, what)) continue;
        if (of == FOREST) expected.head = -1;
        const double seconds = measure(task, of, what->name, &expected);
        if (number == 0) all[of].good = seconds;
        if (seconds <= all[of].seconds) continue;
        all[of].seconds = seconds;
        all[of].name = what->name;
    }
}

static bool create(bench *b, size_t n, fault_task *task) {
    clprims_listscan_desc scan = {0};
    clprims_forest_desc forest = {0};
    scan.type = CLPRIMS_I64;
    scan.max_n = forest.max_n = n;
    if (list_job_create(b, n, &task->job) != CLPRIMS_OK ||
        clprims_listscan_create(&task->scan, b->context, &scan) != CLPRIMS_OK ||
        clprims_forest_create(&task->forest, b->context, &forest) != CLPRIMS_OK)
        return false;
    task->values = bench_buffer(b, n * sizeof(uint64_t));
    task->out = bench_buffer(b, n * sizeof(uint64_t));
    task->head = bench_buffer(b, n * sizeof(int32_t));
    task->host = bench_alloc_touched(n * sizeof(uint64_t));
    task->list = list_data_create(n);
    task->list.n = n;
    return true;
}

static void destroy(fault_task *task) {
    const cl_mem buffers[] = {task->values, task->out, task->head};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        if (buffers[k] != NULL) clReleaseMemObject(buffers[k]);
    clprims_listscan_destroy(task->scan);
    clprims_forest_destroy(task->forest);
    list_job_destroy(&task->job);
    list_data_destroy(&task->list);
    free(task->host);
}

static void measure_size(bench *b, size_t n) {
    fault_task task = {0};
    slowest all[SUBJECTS] = {{0}};
    if (create(b, n, &task)) {
        for (size_t k = 0; k < list_case_count; k++) measure_case(&task, k, all);
        for (subject of = 0; of < SUBJECTS; of++)
            if (all[of].good > 0)
                bench_note("%sthe slowest, %s: %.2f times a good list", prefixes[of], all[of].name,
                           all[of].seconds / all[of].good);
    } else {
        bench_row_report(b, &(bench_row){.suite = "list_faults",
                                         .name = "create",
                                         .method = "clprims",
                                         .n = n,
                                         .failed = true,
                                         .fault = clprims_last_error()->message});
    }
    destroy(&task);
}

void bench_list_faults(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = (b->is_cpu ? 6u : 7u) - (b->options.quick ? 1u : 0u);
    const size_t count = bench_sizes(&b->options, 10, 4, last, 1, sizes);
    bench_table_begin("list_faults, int32 links");
    for (size_t k = 0; k < count; k++) {
        char text[24];
        const size_t n = sizes[k];
        if (n >= 8 && n <= INT32_MAX && bench_fits(b, 36.0 * (double)n, 96.0 * (double)n)) {
            measure_size(b, n);
            continue;
        }
        bench_note("no lists of %s elements", bench_count_text(n, text));
        b->skipped++;
    }
}
