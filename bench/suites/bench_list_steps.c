/* SPDX-License-Identifier: MIT */
/*
 * The list_steps suite: the time of each step of list ranking, for random lists of every size, with
 * the number of sublists; and the time of the whole run, with and without a report. A step is one
 * or several kernels, timed by their events.
 */
#include "inputs/list_data.h"
#include "inputs/list_job.h"
#include "suites/suites.h"
#include <stdio.h>
#include <string.h>

enum { RUNS = 9, MOST_KERNELS = 256, MOST_STEPS = 12 };

static const struct {
    const char *name;
    clprims_list_result result;
    clprims_list_algorithm algorithm;
} ways[] = {{"ranks", CLPRIMS_LIST_RANKS, CLPRIMS_LIST_AUTO},
            {"order", CLPRIMS_LIST_ORDER, CLPRIMS_LIST_AUTO},
            {"in place", CLPRIMS_LIST_RANKS, CLPRIMS_LIST_IN_PLACE}};
enum { WAYS = sizeof ways / sizeof *ways };

static const char *const algorithm_names[] = {"auto", "scattered", "visit log", "in place"};

/* The step that each kernel belongs to; a kernel not listed is a step of its own. */
static const struct {
    const char *kernel, *step;
} known[] = {{"begin", "head"},
             {"sum", "head"},
             {"find", "head"},
             {"walk_log", "walk"},
             {"rank_near", "walk"},
             {"copy", "walk"},
             {"up_sweep", "sublists"},
             {"last", "sublists"},
             {"down_sweep", "sublists"},
             {"expand", "scatter"},
             {"single_group", "single work-group"},
             {"sort_finer", "sort"},
             {"order", "scatter"},
             {"scatter_window", "scatter"},
             {"diagnose", "check"}};

/* ---- The kernels of a run -------------------------------------------------------------------- */

typedef struct kernels {
    char names[MOST_KERNELS][48];
    cl_event events[MOST_KERNELS];
    size_t count;
} kernels;

static void note_kernel(void *user, cl_kernel kernel, cl_event event) {
    kernels *run = user;
    if (run->count == MOST_KERNELS) return;
    char *name = run->names[run->count];
    bench_cl(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof run->names[0], name, NULL),
             "clGetKernelInfo");
    bench_cl(clRetainEvent(event), "clRetainEvent");
    run->events[run->count++] = event;
}

static double seconds_of(cl_event event) {
    cl_ulong start = 0, end = 0;
    bench_cl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
             "clGetEventProfilingInfo");
    bench_cl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
             "clGetEventProfilingInfo");
    return (double)(end - start) * 1e-9;
}

static const char *step_of(const kernels *run, size_t k) {
    static const char prefix[] = "clp_list_";
    const size_t length = sizeof prefix - 1;
    const char *name = run->names[k];
    if (strncmp(name, prefix, length) == 0) name += length;
    for (size_t j = 0; j < sizeof known / sizeof *known; j++)
        if (strcmp(name, known[j].kernel) == 0) return known[j].step;
    return name;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

typedef struct steps {
    char names[MOST_STEPS][48];
    double seconds[MOST_STEPS][RUNS];
    size_t count;
} steps;

static void add_seconds(steps *all, const char *name, size_t run, double seconds) {
    size_t k = 0;
    while (k < all->count && strcmp(all->names[k], name) != 0) k++;
    if (k == MOST_STEPS) bench_die(BENCH_EXIT_DEVICE, "more than %d steps", MOST_STEPS);
    if (k == all->count) snprintf(all->names[all->count++], sizeof all->names[0], "%s", name);
    all->seconds[k][run] += seconds;
}

/* Ranks the list that job holds once more, and adds the times of its kernels. */
static clprims_status watch_run(list_job *job, size_t number, steps *all) {
    static kernels run;
    cl_event event = NULL;
    run.count = 0;
    bench_space(job->b);
    clprims_watch(note_kernel, &run);
    const clprims_status status = list_job_submit(job, job->b->info.queue, &event);
    clprims_watch(NULL, NULL);
    if (status == CLPRIMS_OK) {
        bench_cl(clWaitForEvents(1, &event), "waiting for a watched run");
        clReleaseEvent(event);
    }
    for (size_t k = 0; k < run.count; k++) {
        if (status == CLPRIMS_OK)
            add_seconds(all, step_of(&run, k), number, seconds_of(run.events[k]));
        clReleaseEvent(run.events[k]);
    }
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void report(bench *b, bench_row row, const char *step, const bench_time *time) {
    row.method = step;
    row.time = *time;
    bench_row_report(b, &row);
}

static clprims_status measure_steps(bench *b, list_job *job, const bench_row *row) {
    static steps all;
    clprims_list_info info = {0};
    bench_time whole, unasked;
    char count[24];
    all = (steps){0};
    clprims_status status = clprims_list_describe(job->list, job->n, &info);
    for (size_t run = 0; run < RUNS && status == CLPRIMS_OK; run++)
        status = watch_run(job, run, &all);
    if (status == CLPRIMS_OK) status = list_job_measure(job, &whole);
    job->unasked = true;
    if (status == CLPRIMS_OK) status = list_job_measure(job, &unasked);
    job->unasked = false;
    if (status != CLPRIMS_OK) return status;
    bench_row own = *row;
    own.parts = info.levels > 1 ? info.sublists : 0;
    report(b, own, "whole", &whole);
    report(b, own, "whole, no report", &unasked);
    for (size_t k = 0; k < all.count; k++) {
        const bench_time time = bench_summarize(all.seconds[k], RUNS);
        report(b, own, all.names[k], &time);
    }
    if (info.levels > 1)
        bench_note("%s elements by %s: %zu sublists, %zu levels", bench_count_text(job->n, count),
                   algorithm_names[info.algorithm], info.sublists, info.levels);
    return CLPRIMS_OK;
}

static void measure(bench *b, size_t way, const list_data *list, cl_mem next) {
    char fault[BENCH_FAULT_CHARS] = "", count[24];
    list_job job = {0};
    const size_t n = list->n;
    bench_row row = {.suite = "list_steps", .name = ways[way].name, .method = "whole", .n = n};
    clprims_status status =
        list_job_create_as(b, n, ways[way].result, ways[way].algorithm, next, &job);
    bench_step("list_steps %s, n = %s", row.name, bench_count_text(n, count));
    if (status == CLPRIMS_OK) status = list_job_run(&job, NULL, n, list->head);
    if (status == CLPRIMS_OK && list_job_verify(&job, &list->shape, fault, sizeof fault))
        status = measure_steps(b, &job, &row);
    if (status != CLPRIMS_OK || fault[0] != '\0') bench_row_conclude(b, &row, status, fault);
    list_job_destroy(&job);
}

static void measure_size(bench *b, size_t n) {
    char text[24];
    list_data list = {.next = bench_alloc_touched(n * sizeof *list.next), .n = n};
    bench_step("linking a random list, n = %s", bench_count_text(n, text));
    list_data_link(&list, ORDER_RANDOM);
    cl_mem next = bench_buffer(b, n * sizeof *list.next);
    bench_write(b, next, 0, n * sizeof *list.next, list.next);
    for (size_t way = 0; way < WAYS; way++)
        if (bench_wanted(&b->options, ways[way].name)) measure(b, way, &list, next);
    clReleaseMemObject(next);
    list_data_destroy(&list);
}

void bench_list_steps(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = (b->is_cpu ? 6u : 9u) - (b->options.quick ? 1u : 0u);
    const size_t count = bench_sizes(&b->options, 10, 3, last, 1, sizes);
    bench_table_begin("list_steps, int32 links");
    for (size_t k = 0; k < count; k++) {
        char text[24];
        const size_t n = sizes[k];
        if (n <= INT32_MAX && bench_fits(b, 8.0 * (double)n, 32.0 * (double)n)) {
            measure_size(b, n);
            continue;
        }
        bench_note("lists of %s elements do not fit the device or int32 links",
                   bench_count_text(n, text));
        b->skipped++;
    }
}
