/* SPDX-License-Identifier: MIT */
/* The listscan suite: values combined along lists in several orders, by several operators. */
#include "list_data.h"
#include "parallel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The walks of longer lists in plain C take longer than anyone waits for more than one of them. */
enum { CHUNK = 1 << 22, MOST_OF_ALL = 10 * 1000 * 1000, VALUE_BYTES = 8 };

typedef struct affine {
    uint32_t a, b; /* x -> a x + b */
} affine;

/* What a walk in plain C reads and writes. */
typedef struct twin {
    const list_data *list;
    const void *values;
    void *out;
} twin;

/* ---- Subjects -------------------------------------------------------------------------------- */

static void walk_sums(void *self) {
    const twin *t = self;
    const uint64_t *values = t->values;
    uint64_t sum = 0, *out = t->out;
    for (int32_t i = t->list->head; i >= 0; i = t->list->next[i]) {
        out[i] = sum;
        sum += values[i];
    }
}

static void walk_maxima(void *self) {
    const twin *t = self;
    const int64_t *values = t->values;
    int64_t most = INT64_MIN, *out = t->out;
    for (int32_t i = t->list->head; i >= 0; i = t->list->next[i]) {
        most = values[i] > most ? values[i] : most;
        out[i] = most;
    }
}

static void walk_doubles(void *self) {
    const twin *t = self;
    const double *values = t->values;
    double sum = 0, *out = t->out;
    for (int32_t i = t->list->head; i >= 0; i = t->list->next[i]) {
        sum += values[i];
        out[i] = sum;
    }
}

static void walk_maps(void *self) {
    const twin *t = self;
    const affine *values = t->values;
    affine map = {1, 0}, *out = t->out;
    for (int32_t i = t->list->head; i >= 0; i = t->list->next[i]) {
        map = (affine){values[i].a * map.a, values[i].a * map.b + values[i].b};
        out[i] = map;
    }
}

static void fill_integers(void *self, size_t begin, size_t end) {
    uint64_t *values = self;
    for (size_t i = begin; i < end; i++) {
        uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        values[i] = x ^ x >> 27;
    }
}

/* Whole numbers, whose sums are exact in every order. */
static void fill_doubles(void *self, size_t begin, size_t end) {
    double *values = self;
    for (size_t i = begin; i < end; i++) values[i] = (double)(i * 7919 % 201) - 100;
}

typedef struct subject {
    const char *name;
    clprims_type type;
    clprims_op op;
    int inclusive;
    void (*walk)(void *twin);
    bench_part *fill;
} subject;

/* The first is measured in every order and at every size. */
static const subject subjects[] = {
    {"int64 add excl", CLPRIMS_I64, CLPRIMS_ADD, 0, walk_sums, fill_integers},
    {"int64 max incl", CLPRIMS_I64, CLPRIMS_MAX, 1, walk_maxima, fill_integers},
    {"float64 add incl", CLPRIMS_F64, CLPRIMS_ADD, 1, walk_doubles, fill_doubles},
    {"affine maps incl", CLPRIMS_STRUCT, CLPRIMS_CUSTOM, 1, walk_maps, fill_integers}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static clprims_status create_plan(bench *b, const subject *of, size_t max_n,
                                  clprims_listscan **scan) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.type = of->type;
    desc.op = of->op;
    desc.inclusive = of->inclusive;
    desc.max_n = max_n;
    if (of->op == CLPRIMS_CUSTOM) {
        desc.custom.declarations = "typedef struct { uint a, b; } affine;\n"
                                   "affine after(affine x, affine y) {\n"
                                   "    affine z = {y.a * x.a, y.a * x.b + y.b};\n"
                                   "    return z;\n"
                                   "}\n";
        desc.custom.type_name = "affine";
        desc.custom.type_bytes = sizeof(affine);
        desc.custom.op = "after(a, b)";
    }
    bench_step("listscan %s: creating the plan", of->name);
    return clprims_listscan_create(scan, b->context, &desc);
}

/* ---- One measurement ------------------------------------------------------------------------- */

typedef struct scan_task {
    bench *b;
    const list_data *list;
    void *values, *expected, *got; /* got: a chunk */
    clprims_listscan *scan;
    cl_mem next, in, out, report;
} scan_task;

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const scan_task *task = self;
    const clprims_buffer next = {task->next, 0}, in = {task->in, 0}, out = {task->out, 0};
    const clprims_buffer report = {task->report, 0};
    return clprims_listscan_enqueue(task->scan, queue, next, in, out, task->list->head,
                                    task->list->n, report, 0, NULL, event);
}

static void copy_in(const scan_task *task, cl_mem to, const void *from, size_t bytes) {
    bench_cl(clEnqueueWriteBuffer(task->b->info.queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
             "clEnqueueWriteBuffer");
}

static clprims_status run(scan_task *task) {
    const size_t n = task->list->n;
    clprims_list_report report = {0};
    copy_in(task, task->next, task->list->next, n * sizeof(int32_t));
    copy_in(task, task->in, task->values, n * VALUE_BYTES);
    bench_buffer_poison(task->b, task->out, n * VALUE_BYTES);
    bench_buffer_poison(task->b, task->report, sizeof report);
    const clprims_status status = bench_once(task->b, (bench_job){submit, task});
    if (status != CLPRIMS_OK) return status;
    bench_cl(clEnqueueReadBuffer(task->b->info.queue, task->report, CL_TRUE, 0, sizeof report,
                                 &report, 0, NULL, NULL),
             "clEnqueueReadBuffer");
    return clprims_list_check(&report);
}

/* Compares all results with the twin's. */
static bool verify(const scan_task *task, char *fault, size_t fault_bytes) {
    const size_t n = task->list->n;
    for (size_t first = 0; first < n; first += CHUNK) {
        const size_t count = n - first < CHUNK ? n - first : CHUNK;
        const uint64_t *got = task->got, *expected = task->expected;
        bench_read(task->b, task->out, first * VALUE_BYTES, count * VALUE_BYTES, task->got);
        for (size_t k = 0; k < count; k++) {
            if (got[k] == expected[first + k]) continue;
            snprintf(fault, fault_bytes, "out[%zu] has the bits %016llx, in plain C %016llx",
                     first + k, (unsigned long long)got[k],
                     (unsigned long long)expected[first + k]);
            return false;
        }
    }
    return true;
}

static void measure(scan_task *task, const subject *of, const char *name) {
    char fault[256] = "", count[24];
    bench *b = task->b;
    const size_t n = task->list->n;
    bench_row row = {.suite = "listscan", .name = name, .method = "clprims", .n = n};
    row.bytes = (double)n * (sizeof(int32_t) + 2.0 * VALUE_BYTES);
    bench_step("listscan %s, n = %s: walking it in C", name, bench_count_text(n, count));
    bench_parallel(n, of->fill, task->values);
    twin t = {task->list, task->values, task->expected};
    row.serial_seconds = bench_host_seconds(of->walk, &t);
    bench_step("listscan %s, n = %s", name, count);
    clprims_status status = run(task);
    if (status == CLPRIMS_OK && verify(task, fault, sizeof fault)) {
        row.copy_seconds = bench_copy_seconds(b, row.bytes);
        status = bench_measure(b, (bench_job){submit, task}, &row.time);
    }
    if (status != CLPRIMS_OK) {
        row.failed = status != CLPRIMS_ERR_DATA;
        snprintf(fault, sizeof fault, "%s", clprims_last_error()->message);
    }
    if (fault[0] != '\0') row.fault = fault;
    bench_row_report(b, &row);
}

/* ---- The suite ------------------------------------------------------------------------------- */

static bool is_wanted(const bench *b, size_t number, size_t order, size_t n, char *name,
                      size_t name_bytes) {
    snprintf(name, name_bytes, "%s %s", list_orders[order].name, subjects[number].name);
    if (!bench_wanted(&b->options, name)) return false;
    return number == 0 || (order == 0 && n <= MOST_OF_ALL);
}

static void measure_subject(scan_task *task, list_data *list, size_t number, const size_t *sizes,
                            size_t count) {
    char name[64];
    const subject *of = &subjects[number];
    for (size_t k = 0; k < count; k++) {
        list->n = sizes[k];
        for (size_t order = 0; order < LIST_ORDERS; order++) {
            if (!is_wanted(task->b, number, order, list->n, name, sizeof name)) continue;
            if (task->scan == NULL &&
                create_plan(task->b, of, sizes[count - 1], &task->scan) != CLPRIMS_OK) {
                bench_row_report(task->b, &(bench_row){.suite = "listscan",
                                                       .name = name,
                                                       .method = "create",
                                                       .n = list->n,
                                                       .failed = true,
                                                       .fault = clprims_last_error()->message});
                return;
            }
            list_orders[order].link(list);
            measure(task, of, name);
        }
    }
    clprims_listscan_destroy(task->scan);
    task->scan = NULL;
}

void bench_listscan(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    bench_table_begin("listscan, int32 links");
    const size_t count = list_data_sizes(b, "lists", sizes);
    if (count == 0) {
        b->skipped++;
        return;
    }
    const size_t most = sizes[count - 1];
    list_data list = list_data_create(most);
    scan_task task = {.b = b,
                      .list = &list,
                      .values = bench_alloc(most * VALUE_BYTES),
                      .expected = bench_alloc(most * VALUE_BYTES),
                      .got = bench_alloc((most < CHUNK ? most : CHUNK) * VALUE_BYTES),
                      .next = bench_buffer(b, most * sizeof(int32_t)),
                      .in = bench_buffer(b, most * VALUE_BYTES),
                      .out = bench_buffer(b, most * VALUE_BYTES),
                      .report = bench_buffer(b, sizeof(clprims_list_report))};
    for (size_t k = 0; k < SUBJECTS; k++) measure_subject(&task, &list, k, sizes, count);
    clReleaseMemObject(task.next);
    clReleaseMemObject(task.in);
    clReleaseMemObject(task.out);
    clReleaseMemObject(task.report);
    free(task.values);
    free(task.expected);
    free(task.got);
    list_data_destroy(&list);
}
