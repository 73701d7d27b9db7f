/* SPDX-License-Identifier: MIT */
/* The select suite: each case of select_data.c by AUTO, beside the peers that can do it. */
#include "peers/beside.h"
#include "select_data.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

/* One case at one size. */
typedef struct subject {
    bench *b;
    const select_case *what;
    size_t n, bytes; /* elements, bytes of one */
    uint64_t kept; /* known after the input was written */
    clprims_select *plan;
    clprims_select_buffers buffers;
    select_stream stream[PEER_INPUTS]; /* of fill() */
} subject;

/* Writes count elements, or flags, from where the stream is on. */
static void fill(subject *s, int input, size_t first, size_t count, unsigned char *to) {
    select_stream *stream = &s->stream[input];
    if (first == 0) *stream = (select_stream){.what = s->what};
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = select_next(stream);
        if (input == 1) {
            to[i] = (unsigned char)(stream->keeps ? 1 + x % 255 : 0);
        } else {
            memcpy(to + i * s->bytes, &x, s->bytes);
        }
    }
}

static bool has_flags(const subject *s) {
    return s->what->by == CLPRIMS_SELECT_FLAGS;
}

static void write_input(subject *s, int input, size_t bytes, cl_mem to) {
    unsigned char *host = bench_alloc(CHUNK * bytes);
    for (size_t first = 0; first < s->n; first += CHUNK) {
        const size_t count = s->n - first < CHUNK ? s->n - first : CHUNK;
        fill(s, input, first, count, host);
        bench_cl(clEnqueueWriteBuffer(s->b->info.queue, to, CL_TRUE, first * bytes, count * bytes,
                                      host, 0, NULL, NULL),
                 "clEnqueueWriteBuffer");
    }
    free(host);
}

static uint64_t count_kept(const subject *s) {
    select_stream stream = {.what = s->what};
    uint64_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        select_next(&stream);
        kept += stream.keeps;
    }
    return kept;
}

/* ---- Verifying ---------------------------------------------------------------------------------
 */

/* The part of a result that is being compared. */
typedef struct window {
    const bench_result *result;
    int output;
    size_t bytes, n, at, end;
    unsigned char *part;
} window;

static bool window_next_is(window *w, uint64_t value) {
    if (w->at == w->end) {
        const size_t count = w->n - w->at < CHUNK ? w->n - w->at : CHUNK;
        if (count == 0) return false;
        bench_result_read(w->result, w->output, w->at * w->bytes, count * w->bytes, w->part);
        w->end = w->at + count;
    }
    const size_t begin = (w->end - 1) / CHUNK * CHUNK;
    return memcmp(w->part + (w->at++ - begin) * w->bytes, &value, w->bytes) == 0;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    uint64_t count = 0;
    bench_result_read(result, 1, 0, sizeof count, &count);
    if (count != s->kept) {
        snprintf(fault, fault_bytes, "%llu kept, in plain C %llu", (unsigned long long)count,
                 (unsigned long long)s->kept);
        return false;
    }
    window values = {result, 0, s->bytes, s->kept, 0, 0, bench_alloc(CHUNK * s->bytes)};
    window lengths = {result, 2, sizeof(uint32_t), s->kept, 0, 0, bench_alloc(CHUNK * 4)};
    select_stream stream = {.what = s->what};
    uint64_t head = 0;
    bool right = true;
    for (size_t i = 0; i <= s->n && right; i++) {
        const uint64_t x = i < s->n ? select_next(&stream) : 0;
        const bool keeps = i < s->n && stream.keeps;
        if (s->what->lengths && i > 0 && (keeps || i == s->n)) {
            right = window_next_is(&lengths, i - head);
        }
        if (keeps) {
            right = right && window_next_is(&values, x);
            head = i;
        }
        if (!right) snprintf(fault, fault_bytes, "wrong for element %zu of the input", i);
    }
    free(values.part);
    free(lengths.part);
    return right;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    return clprims_select_enqueue(s->plan, queue, &s->buffers, s->n, s->n, 0, NULL, event);
}

static double bytes_of(const subject *s) {
    const double kept = (double)s->kept, n = (double)s->n;
    double bytes = (n + kept) * (double)s->bytes;
    if (has_flags(s)) bytes += n;
    if (s->what->lengths) bytes += 4 * kept;
    return bytes;
}

static void describe(const subject *s, clprims_select_desc *desc, char *predicate, size_t size) {
    snprintf(predicate, size, "x < (%s)%llu", s->bytes == 8 ? "ulong" : "uint",
             (unsigned long long)select_limit(s->what));
    *desc = (clprims_select_desc)CLPRIMS_SELECT_DESC_INIT;
    desc->by = s->what->by;
    desc->arrays = 1;
    desc->type[0] = s->what->type;
    desc->predicate = predicate;
    desc->lengths = s->what->lengths ? CLPRIMS_U32 : CLPRIMS_TYPE_DEFAULT;
    desc->max_n = s->n;
}

static void measure_plan(subject *s, bench_row *row) {
    clprims_select_desc desc;
    char predicate[64], fault[256] = "";
    const bench_job timed = {submit, s};
    describe(s, &desc, predicate, sizeof predicate);
    const bench_result result = {
        .b = s->b,
        .buffers = {s->buffers.out[0].mem, s->buffers.count.mem, s->buffers.lengths.mem}};
    clprims_status status = clprims_select_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        row->method = clprims_scan_algorithm_name(clprims_select_algorithm(s->plan));
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
    clprims_select_destroy(s->plan);
}

static void fill_beside(void *self, int input, size_t first, size_t count, void *to) {
    fill(self, input, first, count, to);
}

static void measure_beside(subject *s, const bench_row *row) {
    beside_job job = {.suite = "select",
                      .name = row->name,
                      .bytes = row->bytes,
                      .copy_seconds = row->copy_seconds,
                      .self = s,
                      .fill = fill_beside,
                      .verify = verify};
    job.task = (peer_task){.primitive = s->what->peer,
                           .type = (peer_type)s->what->type,
                           .n = s->n,
                           .limit = select_limit(s->what)};
    job.task.in_bytes[0] = s->n * s->bytes;
    job.in_element_bytes[0] = s->bytes;
    if (has_flags(s)) job.task.in_bytes[1] = s->n;
    if (has_flags(s)) job.in_element_bytes[1] = 1;
    job.task.out_bytes[0] = s->n * s->bytes;
    job.task.out_bytes[1] = sizeof(uint64_t);
    if (s->what->lengths) job.task.out_bytes[2] = s->n * sizeof(uint32_t);
    bench_beside(s->b, &job);
}

static void measure_size(bench *b, const select_case *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type);
    subject s = {.b = b, .what = what, .n = n, .bytes = bytes};
    bench_row row = {.suite = "select", .name = what->name, .method = "auto", .n = n};
    if (!bench_fits(b, (double)(n * bytes), 6.0 * (double)(n * bytes))) {
        b->skipped++;
        return;
    }
    bench_step("select %s: writing the input", what->name);
    s.kept = count_kept(&s);
    s.buffers.in[0].mem = bench_buffer(b, n * bytes);
    s.buffers.out[0].mem = bench_buffer(b, n * bytes);
    s.buffers.count.mem = bench_buffer(b, sizeof(uint64_t));
    write_input(&s, 0, bytes, s.buffers.in[0].mem);
    if (has_flags(&s)) {
        s.buffers.flags.mem = bench_buffer(b, n);
        write_input(&s, 1, 1, s.buffers.flags.mem);
    }
    if (what->lengths) s.buffers.lengths.mem = bench_buffer(b, n * sizeof(uint32_t));
    row.bytes = bytes_of(&s);
    row.copy_seconds = bench_copy_seconds(b, row.bytes);
    measure_plan(&s, &row);
    measure_beside(&s, &row);
    const cl_mem used[] = {s.buffers.in[0].mem, s.buffers.out[0].mem, s.buffers.count.mem,
                           s.buffers.flags.mem, s.buffers.lengths.mem};
    for (size_t k = 0; k < sizeof used / sizeof *used; k++) {
        if (used[k] != NULL) clReleaseMemObject(used[k]);
    }
}

void bench_select(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : (b->options.quick ? 24 : 28);
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 16 : 20, last, 4, sizes);
    bench_table_begin("select");
    for (size_t k = 0; k < select_case_count; k++) {
        if (!bench_wanted(&b->options, select_cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &select_cases[k], sizes[i]);
    }
}
