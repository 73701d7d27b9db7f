/* SPDX-License-Identifier: MIT */
/* The listscan suite: values combined along lists in several orders, by several operators. */
#include "harness/parallel.h"
#include "inputs/list_data.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer lists are measured in all orders by the first subject alone. */
enum { MOST_OF_ALL = 10 * 1000 * 1000, VALUE_BYTES = 8, PARTS = 512 };

typedef struct affine {
    uint32_t a, b; /* x -> a x + b */
} affine;

/* ---- Subjects -------------------------------------------------------------------------------- */

/*
 * Plain C in two ways. walk_NAME follows the links for at most so many elements, returns how many,
 * and is timed. along_NAME goes by the list's order from rank `begin` to `end`, on from *carry: so
 * that all cores can share a list. Where got is not NULL it compares the results there, and returns
 * the first rank whose result is wrong, with what it should be in *carry; else `end`.
 */
#define DEFINE_SUBJECT(NAME, TYPE, START, INCLUSIVE, COMBINE)                                      \
    static size_t walk_##NAME(const int32_t *next, int32_t head, const void *values, void *out,    \
                              size_t most) {                                                       \
        const TYPE *x = values;                                                                    \
        TYPE *to = out, a = START;                                                                 \
        size_t rank = 0;                                                                           \
        for (int32_t i = head; i >= 0 && rank < most; i = next[i]) {                               \
            const TYPE b = x[i];                                                                   \
            if (!(INCLUSIVE)) to[i] = a;                                                           \
            a = COMBINE;                                                                           \
            if (INCLUSIVE) to[i] = a;                                                              \
            rank++;                                                                                \
        }                                                                                          \
        return rank;                                                                               \
    }                                                                                              \
    static size_t along_##NAME(const order_shape *shape, const void *values, const void *got,      \
                               size_t begin, size_t end, void *carry) {                            \
        const TYPE *x = values, *results = got;                                                    \
        TYPE a;                                                                                    \
        size_t rank = begin;                                                                       \
        memcpy(&a, carry, sizeof a);                                                               \
        for (; rank < end; rank++) {                                                               \
            const int32_t i = order_element(shape, rank);                                          \
            const TYPE b = x[i], before = a;                                                       \
            a = COMBINE;                                                                           \
            if (results == NULL) continue;                                                         \
            if (memcmp(&results[i], (INCLUSIVE) ? &a : &before, sizeof a) == 0) continue;          \
            if (!(INCLUSIVE)) a = before;                                                          \
            break;                                                                                 \
        }                                                                                          \
        memcpy(carry, &a, sizeof a);                                                               \
        return rank;                                                                               \
    }                                                                                              \
    static void start_##NAME(void *carry) {                                                        \
        const TYPE a = START;                                                                      \
        memcpy(carry, &a, sizeof a);                                                               \
    }                                                                                              \
    static void combine_##NAME(void *carry, const void *part) {                                    \
        TYPE a, b;                                                                                 \
        memcpy(&a, carry, sizeof a);                                                               \
        memcpy(&b, part, sizeof b);                                                                \
        a = COMBINE;                                                                               \
        memcpy(carry, &a, sizeof a);                                                               \
    }

DEFINE_SUBJECT(sums, uint64_t, 0, false, a + b)
DEFINE_SUBJECT(maxima, int64_t, INT64_MIN, true, b > a ? b : a)
DEFINE_SUBJECT(doubles, double, 0, true, a + b)
DEFINE_SUBJECT(maps, affine, ((affine){1, 0}), true, ((affine){b.a * a.a, b.a *a.b + b.b}))

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
    bench_part *fill;
    size_t (*walk)(const int32_t *next, int32_t head, const void *values, void *out, size_t most);
    size_t (*along)(const order_shape *shape, const void *values, const void *got, size_t begin,
                    size_t end, void *carry);
    void (*start)(void *carry);
    void (*combine)(void *carry, const void *part);
} subject;

#define PLAIN_C(NAME) walk_##NAME, along_##NAME, start_##NAME, combine_##NAME

/* The first is measured in every order and at every size. */
static const subject subjects[] = {
    {"int64 add excl", CLPRIMS_I64, CLPRIMS_ADD, 0, fill_integers, PLAIN_C(sums)},
    {"int64 max incl", CLPRIMS_I64, CLPRIMS_MAX, 1, fill_integers, PLAIN_C(maxima)},
    {"float64 add incl", CLPRIMS_F64, CLPRIMS_ADD, 1, fill_doubles, PLAIN_C(doubles)},
    {"affine maps incl", CLPRIMS_STRUCT, CLPRIMS_CUSTOM, 1, fill_integers, PLAIN_C(maps)}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static clprims_status create_plan(bench *b, const subject *of, size_t max_n,
                                  clprims_listscan **scan) {
    clprims_listscan_desc desc = {0};
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
    const subject *of;
    const list_data *list;
    void *values, *got;
    clprims_listscan *scan;
    cl_mem next, in, out, report;
    size_t walked; /* elements that plain C walked */
} scan_task;

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const scan_task *task = self;
    const clprims_buffer next = {task->next, 0}, in = {task->in, 0}, out = {task->out, 0};
    const clprims_buffer report = {task->report, 0};
    const int64_t head = task->list->head;
    return clprims_listscan_enqueue(
        task->scan, queue,
        &(clprims_listscan_buffers){
            .next = next, .values = in, .out = out, .head = &head, .report = report},
        task->list->n, 0, NULL, event);
}

static clprims_status run(scan_task *task) {
    const size_t n = task->list->n;
    clprims_list_report report = {0};
    bench_write(task->b, task->next, 0, n * sizeof(int32_t), task->list->next);
    bench_write(task->b, task->in, 0, n * VALUE_BYTES, task->values);
    bench_buffer_poison(task->b, task->out, n * VALUE_BYTES);
    bench_buffer_poison(task->b, task->report, sizeof report);
    const clprims_status status = bench_once(task->b, (bench_job){submit, task});
    if (status != CLPRIMS_OK) return status;
    bench_cl(clEnqueueReadBuffer(task->b->info.queue, task->report, CL_TRUE, 0, sizeof report,
                                 &report, 0, NULL, NULL),
             "clEnqueueReadBuffer");
    return clprims_list_check(&report);
}

/* ---- Verifying ------------------------------------------------------------------------------- */

/* The ranks below `end` in parts: their sums first, then the results, on from the sums before. */
typedef struct comparison {
    const scan_task *task;
    size_t end, each;
    uint64_t carries[PARTS]; /* a value each */
    size_t wrong[PARTS]; /* the first rank that is */
    bool is_summed;
} comparison;

static void do_part(void *self, size_t part) {
    comparison *c = self;
    const scan_task *task = c->task;
    const size_t begin = part * c->each, rest = c->end - begin;
    if (!c->is_summed) task->of->start(&c->carries[part]);
    c->wrong[part] =
        task->of->along(&task->list->shape, task->values, c->is_summed ? task->got : NULL, begin,
                        begin + (rest < c->each ? rest : c->each), &c->carries[part]);
}

/* Compares what task->got has for the ranks below `end`. */
static bool verify(const scan_task *task, size_t end, char *fault, size_t fault_bytes) {
    static comparison c;
    c = (comparison){.task = task, .end = end, .each = (end - 1) / PARTS + 1};
    const size_t parts = (end - 1) / c.each + 1;
    uint64_t carry;
    bench_each_part(parts, do_part, &c);
    task->of->start(&carry);
    for (size_t k = 0; k < parts; k++) {
        const uint64_t sum = c.carries[k];
        c.carries[k] = carry;
        task->of->combine(&carry, &sum);
    }
    c.is_summed = true;
    bench_each_part(parts, do_part, &c);
    for (size_t k = 0; k < parts; k++) {
        const size_t part_end = (k + 1) * c.each < end ? (k + 1) * c.each : end;
        if (c.wrong[k] == part_end) continue;
        const int32_t i = order_element(&task->list->shape, c.wrong[k]);
        snprintf(fault, fault_bytes, "out[%d] has the bits %016llx, in plain C %016llx", (int)i,
                 (unsigned long long)((const uint64_t *)task->got)[i],
                 (unsigned long long)c.carries[k]);
        return false;
    }
    return true;
}

static bool read_and_verify(const scan_task *task, char *fault, size_t fault_bytes) {
    bench_read(task->b, task->out, 0, task->list->n * VALUE_BYTES, task->got);
    return verify(task, task->list->n, fault, fault_bytes);
}

static void walk(void *self) {
    scan_task *task = self;
    const list_data *list = task->list;
    task->walked =
        task->of->walk(list->next, list->head, task->values, task->got, LIST_MOST_WALKED);
}

/* Seconds of a walk in plain C, which has to agree with the other way. */
static double walk_seconds(scan_task *task) {
    char fault[256] = "";
    const double seconds = bench_host_seconds(walk, task);
    if (!verify(task, task->walked, fault, sizeof fault))
        bench_die(BENCH_EXIT_WRONG, "two ways in plain C do not agree: %s", fault);
    return seconds * (double)task->list->n / (double)task->walked;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void measure(scan_task *task, const char *name) {
    char fault[BENCH_FAULT_CHARS] = "", count[24];
    bench *b = task->b;
    const size_t n = task->list->n;
    bench_row row = {.suite = "listscan", .name = name, .method = "clprims", .n = n};
    row.bytes = (double)n * (sizeof(int32_t) + 2.0 * VALUE_BYTES);
    bench_step("listscan %s, n = %s: walking it in C", name, bench_count_text(n, count));
    row.serial_seconds = walk_seconds(task);
    bench_step("listscan %s, n = %s", name, count);
    clprims_status status = run(task);
    if (status == CLPRIMS_OK && read_and_verify(task, fault, sizeof fault)) {
        row.copy_seconds = bench_copy_seconds(b, row.bytes);
        status = bench_measure(b, (bench_job){submit, task}, &row.time);
    }
    bench_row_conclude(b, &row, status, fault);
}

/* ---- The suite ------------------------------------------------------------------------------- */

static bool is_wanted(const bench *b, size_t number, order_kind order, size_t n, char *name,
                      size_t name_bytes) {
    snprintf(name, name_bytes, "%s %s", order_names[order], subjects[number].name);
    if (!bench_wanted(&b->options, name)) return false;
    return number == 0 || (order == ORDER_RANDOM && n <= MOST_OF_ALL);
}

static void measure_subject(scan_task *task, list_data *list, size_t number, const size_t *sizes,
                            size_t count) {
    char name[64];
    const subject *of = &subjects[number];
    bool is_filled = false;
    task->of = of;
    for (size_t k = 0; k < count; k++) {
        list->n = sizes[k];
        for (order_kind order = 0; order < ORDERS; order++) {
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
            if (!is_filled) bench_parallel(sizes[count - 1], of->fill, task->values);
            is_filled = true;
            list_data_link(list, order);
            measure(task, name);
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
                      .values = bench_alloc_touched(most * VALUE_BYTES),
                      .got = bench_alloc_touched(most * VALUE_BYTES),
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
    free(task.got);
    list_data_destroy(&list);
}
