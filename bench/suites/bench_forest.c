/* SPDX-License-Identifier: MIT */
/* The forest suite: one, a thousand, and a million lists in one array of links, in random order. */
#include "harness/parallel.h"
#include "inputs/list_data.h"
#include "suites/suites.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this the loop in plain C takes longer than anyone waits for it; results are compared with
 * what the lists were made of all the same. */
enum { CHUNK = 1 << 24, MOST_OF_PLAIN_C = 10 * 1000 * 1000 };

static const struct {
    const char *name;
    size_t lists;
} subjects[] = {{"1 list", 1}, {"10^3 lists", 1000}, {"10^6 lists", 1000 * 1000}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

typedef struct forest_task {
    bench *b;
    clprims_forest *forest;
    clprims_forest_buffers buffers;
    size_t n, length; /* of every list but the last, which may be shorter */
    int32_t *next, *rank, *head;
    unsigned char *named;
    order_shape shape;
} forest_task;

/* The random list is cut into lists of one length. */
static void cut_part(void *self, size_t begin, size_t end) {
    const forest_task *task = self;
    for (size_t i = begin; i < end; i++)
        if ((order_rank(&task->shape, i) + 1) % task->length == 0) task->next[i] = -1;
}

static void link_lists(forest_task *task, size_t lists) {
    task->length = (task->n - 1) / lists + 1;
    task->shape = order_shape_of(ORDER_RANDOM, task->n);
    order_link(&task->shape, task->next);
    bench_parallel(task->n, cut_part, task);
}

/* The plain C way: notes what is named, then walks from everything else. */
static void walk_lists(void *self) {
    const forest_task *task = self;
    memset(task->named, 0, task->n);
    for (size_t i = 0; i < task->n; i++)
        if (task->next[i] >= 0) task->named[task->next[i]] = 1;
    for (size_t i = 0; i < task->n; i++) {
        if (task->named[i]) continue;
        int32_t rank = 0;
        for (int32_t at = (int32_t)i; at >= 0; at = task->next[at]) {
            task->rank[at] = rank++;
            task->head[at] = (int32_t)i;
        }
    }
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const forest_task *task = self;
    return clprims_forest_enqueue(task->forest, queue, &task->buffers, task->n, 0, NULL, event);
}

static clprims_status run(forest_task *task) {
    cl_command_queue queue = task->b->info.queue;
    const size_t bytes = task->n * sizeof(int32_t);
    clprims_list_report report = {0};
    bench_write(task->b, task->buffers.next.mem, 0, bytes, task->next);
    bench_buffer_poison(task->b, task->buffers.rank.mem, bytes);
    bench_buffer_poison(task->b, task->buffers.head.mem, bytes);
    bench_buffer_poison(task->b, task->buffers.report.mem, sizeof report);
    const clprims_status status = bench_once(task->b, (bench_job){submit, task});
    if (status != CLPRIMS_OK) return status;
    bench_cl(clEnqueueReadBuffer(queue, task->buffers.report.mem, CL_TRUE, 0, sizeof report,
                                 &report, 0, NULL, NULL),
             "clEnqueueReadBuffer");
    return clprims_forest_check(&report);
}

/* ---- Verifying ------------------------------------------------------------------------------- */

typedef struct comparison {
    const forest_task *task;
    const int32_t *rank, *head;
    size_t first;
    atomic_size_t wrong; /* some element whose result is wrong; n: none */
} comparison;

static void compare_part(void *self, size_t begin, size_t end) {
    comparison *c = self;
    const forest_task *task = c->task;
    for (size_t k = begin; k < end; k++) {
        const size_t place = order_rank(&task->shape, c->first + k);
        const size_t rank = place % task->length;
        const int32_t head = order_element(&task->shape, place - rank);
        if (c->rank[k] == (int32_t)rank && c->head[k] == head) continue;
        atomic_store(&c->wrong, c->first + k);
        return;
    }
}

static bool verify(const forest_task *task, char *fault, size_t fault_bytes) {
    const size_t n = task->n, room = (n < CHUNK ? n : CHUNK) * sizeof(int32_t);
    int32_t *rank = bench_alloc(room), *head = bench_alloc(room);
    comparison c = {task, rank, head, 0, n};
    for (; c.first < n && c.wrong == n; c.first += CHUNK) {
        const size_t count = n - c.first < CHUNK ? n - c.first : CHUNK;
        const size_t at = c.first * sizeof(int32_t), bytes = count * sizeof(int32_t);
        bench_read(task->b, task->buffers.rank.mem, at, bytes, rank);
        bench_read(task->b, task->buffers.head.mem, at, bytes, head);
        bench_parallel(count, compare_part, &c);
    }
    if (c.wrong < n)
        snprintf(fault, fault_bytes, "rank or head of element %zu is not what plain C has",
                 (size_t)c.wrong);
    free(rank);
    free(head);
    return c.wrong == n;
}

/* ---- The suite ------------------------------------------------------------------------------- */

static void measure(forest_task *task, const char *name) {
    char fault[BENCH_FAULT_CHARS] = "", count[24];
    bench *b = task->b;
    bench_row row = {.suite = "forest", .name = name, .method = "clprims", .n = task->n};
    row.bytes = 3.0 * sizeof(int32_t) * (double)task->n;
    bench_step("forest of %s, n = %s", name, bench_count_text(task->n, count));
    if (task->n <= MOST_OF_PLAIN_C) row.serial_seconds = bench_host_seconds(walk_lists, task);
    clprims_status status = run(task);
    if (status == CLPRIMS_OK && verify(task, fault, sizeof fault)) {
        row.copy_seconds = bench_copy_seconds(b, row.bytes);
        status = bench_measure(b, (bench_job){submit, task}, &row.time);
    }
    bench_row_conclude(b, &row, status, fault);
}

static clprims_status create_plan(forest_task *task, size_t most) {
    clprims_forest_desc desc = {0};
    const size_t bytes = most * sizeof(int32_t);
    desc.max_n = most;
    bench_step("forest: creating the plan");
    const clprims_status status = clprims_forest_create(&task->forest, task->b->context, &desc);
    if (status != CLPRIMS_OK) return status;
    task->buffers = (clprims_forest_buffers){0};
    task->buffers.next.mem = bench_buffer(task->b, bytes);
    task->buffers.rank.mem = bench_buffer(task->b, bytes);
    task->buffers.head.mem = bench_buffer(task->b, bytes);
    task->buffers.report.mem = bench_buffer(task->b, sizeof(clprims_list_report));
    return CLPRIMS_OK;
}

static void release(forest_task *task) {
    const cl_mem mem[] = {task->buffers.next.mem, task->buffers.rank.mem, task->buffers.head.mem,
                          task->buffers.report.mem};
    for (size_t k = 0; k < sizeof mem / sizeof *mem; k++)
        if (mem[k] != NULL) clReleaseMemObject(mem[k]);
    clprims_forest_destroy(task->forest);
    free(task->next);
    free(task->rank);
    free(task->head);
    free(task->named);
}

void bench_forest(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    bench_table_begin("forest, int32 links");
    const size_t count = list_data_sizes(b, "forests", sizes);
    if (count == 0) {
        b->skipped++;
        return;
    }
    const size_t most = sizes[count - 1], bytes = most * sizeof(int32_t);
    forest_task task = {.b = b,
                        .next = bench_alloc_touched(bytes),
                        .rank = bench_alloc_touched(bytes),
                        .head = bench_alloc_touched(bytes),
                        .named = bench_alloc_touched(most)};
    if (create_plan(&task, most) != CLPRIMS_OK)
        bench_row_report(b, &(bench_row){.suite = "forest",
                                         .name = "create",
                                         .method = "clprims",
                                         .n = most,
                                         .failed = true,
                                         .fault = clprims_last_error()->message});
    for (size_t k = 0; task.forest != NULL && k < count; k++) {
        for (size_t s = 0; s < SUBJECTS; s++) {
            task.n = sizes[k];
            if (2 * subjects[s].lists > task.n || !bench_wanted(&b->options, subjects[s].name))
                continue;
            link_lists(&task, subjects[s].lists);
            measure(&task, subjects[s].name);
        }
    }
    release(&task);
}
