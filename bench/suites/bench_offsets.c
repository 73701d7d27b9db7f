/* SPDX-License-Identifier: MIT */
/* The offsets suite: intervals of both widths with validation, beside the peers, which have none.
 */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Intervals of one type at one size. */
typedef struct subject {
    bench *b;
    clprims_type type;
    size_t n, bytes;
    clprims_offsets *plan;
    bench_plan own;
    cl_mem report;
} subject;

static uint32_t random_at(uint64_t i) {
    i = (i ^ (i >> 31)) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(i >> 33);
}

/* Interval i; lengths below 256, so that the offsets of any n stay small. */
static int64_t start_of(size_t i) {
    return random_at(i) % 1000003;
}

static int64_t stop_of(size_t i) {
    return start_of(i) + random_at(i + ((uint64_t)1 << 40)) % 256;
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    for (size_t i = 0; i < count; i++) {
        const int64_t value = input == 0 ? start_of(first + i) : stop_of(first + i);
        memcpy((char *)to + i * s->bytes, &value, s->bytes); /* the low bytes come first */
    }
}

/* ---- Verifying ---------------------------------------------------------------------------------
 */

/* Chunks of offsets. */
typedef struct window {
    size_t first, end; /* offsets */
    const int64_t *offsets;
    int64_t before[BENCH_WINDOW]; /* each chunk */
    size_t wrong[BENCH_WINDOW]; /* in each chunk: the first wrong offset, plus 1; 0: none */
} window;

static size_t end_of_chunk(const window *w, size_t part) {
    const size_t end = w->first + (part + 1) * BENCH_CHUNK;
    return end < w->end ? end : w->end;
}

static void sum_chunk(void *self, size_t part) {
    window *w = self;
    int64_t sum = 0;
    for (size_t i = w->first + part * BENCH_CHUNK; i < end_of_chunk(w, part); i++)
        sum += stop_of(i) - start_of(i);
    w->before[part] = sum;
}

static void compare_chunk(void *self, size_t part) {
    window *w = self;
    int64_t expected = w->before[part];
    w->wrong[part] = 0;
    for (size_t i = w->first + part * BENCH_CHUNK; i < end_of_chunk(w, part); i++) {
        if (w->offsets[i - w->first] != expected && w->wrong[part] == 0) w->wrong[part] = i + 1;
        expected += stop_of(i) - start_of(i);
    }
}

/* *sum: before the window, then behind it. */
static bool window_is_right(window *w, int64_t *sum, char *fault, size_t fault_bytes) {
    const size_t chunks = (w->end - w->first + BENCH_CHUNK - 1) / BENCH_CHUNK;
    bench_each_part(chunks, sum_chunk, w);
    for (size_t part = 0; part < chunks; part++) {
        const int64_t own = w->before[part];
        w->before[part] = *sum;
        *sum += own;
    }
    bench_each_part(chunks, compare_chunk, w);
    for (size_t part = 0; part < chunks; part++) {
        if (w->wrong[part] == 0) continue;
        const size_t i = w->wrong[part] - 1;
        snprintf(fault, fault_bytes, "offsets[%zu] = %lld is wrong", i,
                 (long long)w->offsets[i - w->first]);
        return false;
    }
    return true;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t most = (size_t)BENCH_WINDOW * BENCH_CHUNK, total = s->n + 1;
    int64_t *offsets = bench_alloc((total < most ? total : most) * sizeof *offsets), sum = 0;
    window w = {.offsets = offsets};
    bool right = true;
    for (; w.first < total && right; w.first += most) {
        w.end = total - w.first < most ? total : w.first + most;
        bench_result_read(result, 0, w.first * sizeof *offsets, (w.end - w.first) * sizeof *offsets,
                          offsets);
        right = window_is_right(&w, &sum, fault, fault_bytes);
    }
    free(offsets);
    return right;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_offsets_desc desc = {0};
    desc.type = s->type;
    desc.max_n = s->n;
    clprims_offsets_info info = {0};
    clprims_status status = clprims_offsets_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_offsets_describe(s->plan, s->n, &info);
    *chosen = (bench_choice){clprims_algorithm_name(info.algorithm), info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_buffer starts = {s->own.in[0], 0}, stops = {s->own.in[1], 0};
    const clprims_buffer offsets = {s->own.out[0], 0}, report = {s->report, 0};
    return clprims_offsets_enqueue(
        s->plan, queue,
        &(clprims_offsets_buffers){
            .starts = starts, .stops = stops, .offsets = offsets, .report = report},
        s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_offsets_destroy(s->plan);
}

static void measure_size(bench *b, clprims_type type, size_t n) {
    const size_t bytes = clprims_type_bytes(type), out_bytes = (n + 1) * sizeof(int64_t);
    subject s = {.b = b, .type = type, .n = n, .bytes = bytes};
    char name[32];
    snprintf(name, sizeof name, "%s intervals", clprims_type_name(type));
    if (!bench_wanted(&b->options, name)) return;
    beside_job job = {.suite = "offsets",
                      .name = name,
                      .bytes = (double)n * 2 * (double)bytes + (double)out_bytes,
                      .self = &s,
                      .in_element_bytes = {bytes, bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = PEER_OFFSETS,
                           .type = (peer_type)type,
                           .n = n,
                           .in_bytes = {n * bytes, n * bytes},
                           .out_bytes = {out_bytes}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    s.report = bench_buffer(b, sizeof(clprims_offsets_report));
    bench_plan_measure(b, &job, &s.own);
    clReleaseMemObject(s.report);
}

void bench_offsets(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : (b->options.quick ? 23 : 27);
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 16 : 19, last, 4, sizes);
    bench_table_begin("offsets");
    for (size_t i = 0; i < count; i++) {
        measure_size(b, CLPRIMS_I32, sizes[i]);
        measure_size(b, CLPRIMS_I64, sizes[i]);
    }
}
