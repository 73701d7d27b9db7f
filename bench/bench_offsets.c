/* SPDX-License-Identifier: MIT */
/* The offsets suite: intervals of both widths with validation, beside the peers, which have none.
 */
#include "peers/beside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

/* Intervals of one type at one size. */
typedef struct subject {
    bench *b;
    clprims_type type;
    size_t n, bytes;
    clprims_offsets *plan;
    clprims_buffer starts, stops, offsets, report;
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

static void write_input(const subject *s, int input, cl_mem to) {
    void *host = bench_alloc(CHUNK * s->bytes);
    for (size_t first = 0; first < s->n; first += CHUNK) {
        const size_t count = s->n - first < CHUNK ? s->n - first : CHUNK;
        fill((void *)(uintptr_t)s, input, first, count, host);
        bench_cl(clEnqueueWriteBuffer(s->b->info.queue, to, CL_TRUE, first * s->bytes,
                                      count * s->bytes, host, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    }
    free(host);
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    int64_t *part = bench_alloc(CHUNK * sizeof *part);
    int64_t expected = 0;
    bool right = true;
    for (size_t first = 0; first <= s->n && right; first += CHUNK) {
        const size_t left = s->n + 1 - first, count = left < CHUNK ? left : CHUNK;
        bench_result_read(result, 0, first * sizeof *part, count * sizeof *part, part);
        for (size_t i = 0; i < count && right; i++) {
            right = part[i] == expected;
            if (!right) {
                snprintf(fault, fault_bytes, "offsets[%zu] = %lld, in plain C %lld", first + i,
                         (long long)part[i], (long long)expected);
            }
            expected += stop_of(first + i) - start_of(first + i);
        }
    }
    free(part);
    return right;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    return clprims_offsets_enqueue(s->plan, queue, s->starts, s->stops, s->offsets, s->n, s->report,
                                   0, NULL, event);
}

static void measure_plan(subject *s, bench_row *row) {
    char fault[256] = "";
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    const bench_job timed = {submit, s};
    const bench_result result = {.b = s->b, .buffers = {s->offsets.mem}};
    desc.type = s->type;
    desc.max_n = s->n;
    clprims_status status = clprims_offsets_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        row->method = clprims_scan_algorithm_name(clprims_offsets_algorithm(s->plan));
        status = bench_once(s->b, timed);
    }
    if (status == CLPRIMS_OK && verify(s, &result, fault, sizeof fault)) {
        status = bench_measure(s->b, timed, &row->time);
    }
    if (status != CLPRIMS_OK) {
        row->failed = true;
        snprintf(fault, sizeof fault, "%s", clprims_last_error()->message);
    }
    if (fault[0] != '\0') row->fault = fault;
    bench_row_report(s->b, row);
    clprims_offsets_destroy(s->plan);
}

static void measure_beside(subject *s, const bench_row *row) {
    beside_job job = {.suite = "offsets",
                      .name = row->name,
                      .bytes = row->bytes,
                      .copy_seconds = row->copy_seconds,
                      .self = s,
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = PEER_OFFSETS, .type = (peer_type)s->type, .n = s->n};
    for (int input = 0; input < 2; input++) {
        job.task.in_bytes[input] = s->n * s->bytes;
        job.in_element_bytes[input] = s->bytes;
    }
    job.task.out_bytes[0] = (s->n + 1) * sizeof(int64_t);
    bench_beside(s->b, &job);
}

static void measure_size(bench *b, clprims_type type, size_t n) {
    const size_t bytes = clprims_type_bytes(type), out_bytes = (n + 1) * sizeof(int64_t);
    subject s = {.b = b, .type = type, .n = n, .bytes = bytes};
    char name[32];
    snprintf(name, sizeof name, "%s intervals", clprims_type_name(type));
    if (!bench_wanted(&b->options, name)) return;
    if (!bench_fits(b, (double)out_bytes, 8.0 * (double)out_bytes)) {
        b->skipped++;
        return;
    }
    bench_row row = {.suite = "offsets", .name = name, .method = "auto", .n = n};
    bench_step("offsets %s: writing the input", name);
    s.starts.mem = bench_buffer(b, n * bytes);
    s.stops.mem = bench_buffer(b, n * bytes);
    s.offsets.mem = bench_buffer(b, out_bytes);
    s.report.mem = bench_buffer(b, sizeof(clprims_offsets_report));
    write_input(&s, 0, s.starts.mem);
    write_input(&s, 1, s.stops.mem);
    row.bytes = (double)n * 2 * (double)bytes + (double)out_bytes;
    row.copy_seconds = bench_copy_seconds(b, row.bytes);
    measure_plan(&s, &row);
    measure_beside(&s, &row);
    clReleaseMemObject(s.starts.mem);
    clReleaseMemObject(s.stops.mem);
    clReleaseMemObject(s.offsets.mem);
    clReleaseMemObject(s.report.mem);
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
