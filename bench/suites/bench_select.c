/* SPDX-License-Identifier: MIT */
/* The select suite: each case of select_data.c by AUTO, beside the peers that can do it. */
#include "harness/bench_plan.h"
#include "inputs/select_data.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One case at one size. */
typedef struct subject {
    bench *b;
    const select_case *what;
    size_t n, bytes; /* elements, bytes of one */
    select_input input;
    clprims_select *plan;
    bench_plan own;
} subject;

static bool has_flags(const subject *s) {
    return s->what->by == CLPRIMS_SELECT_FLAGS;
}

/* ---- Input -------------------------------------------------------------------------------------
 */

/* Input 0 is of elements, input 1 of flags. */
static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    select_stream stream = select_chunk(&s->input, first / BENCH_CHUNK);
    unsigned char *bytes = to;
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = select_next(&stream);
        if (input == 1) {
            bytes[i] = (unsigned char)(stream.keeps ? 1 + x % 255 : 0);
        } else {
            memcpy(bytes + i * s->bytes, &x, s->bytes);
        }
    }
}

/* ---- Verifying ---------------------------------------------------------------------------------
 */

/* Chunks of the input from `first` on, and the results of theirs. */
typedef struct window {
    const subject *s;
    size_t first, chunks;
    size_t length; /* number of the first run in `lengths` */
    unsigned char *values;
    uint32_t *lengths;
    size_t wrong[BENCH_WINDOW]; /* in each chunk: the first wrong element, plus 1; 0: none */
} window;

/* A run's length is known where the next one begins. */
static size_t lengths_before(const select_input *input, size_t chunk) {
    return input->kept[chunk] > 0 ? input->kept[chunk] - 1 : 0;
}

static void compare_chunk(void *self, size_t part) {
    window *w = self;
    const subject *s = w->s;
    const select_input *input = &s->input;
    const size_t chunk = w->first + part, first = chunk * BENCH_CHUNK, rest = s->n - first;
    const size_t end = first + (rest < BENCH_CHUNK ? rest : BENCH_CHUNK);
    const unsigned char *value =
        w->values + (input->kept[chunk] - input->kept[w->first]) * s->bytes;
    size_t head = input->head[chunk], run = input->kept[chunk];
    select_stream stream = select_chunk(input, chunk);
    w->wrong[part] = 0;
    for (size_t i = first; i < end && w->wrong[part] == 0; i++) {
        const uint64_t x = select_next(&stream);
        if (!stream.keeps) continue;
        if (memcmp(value, &x, s->bytes) != 0) w->wrong[part] = i + 1;
        value += s->bytes;
        if (s->what->lengths && run > 0 && w->lengths[run - 1 - w->length] != i + 1 - head)
            w->wrong[part] = i + 1;
        head = i + 1;
        run++;
    }
}

static bool window_is_right(window *w, const bench_result *result, char *fault,
                            size_t fault_bytes) {
    const subject *s = w->s;
    const select_input *input = &s->input;
    const size_t kept = input->kept[w->first], end = input->kept[w->first + w->chunks];
    bench_result_read(result, 0, kept * s->bytes, (end - kept) * s->bytes, w->values);
    if (s->what->lengths) {
        w->length = lengths_before(input, w->first);
        const size_t count = lengths_before(input, w->first + w->chunks) - w->length;
        bench_result_read(result, 2, w->length * sizeof *w->lengths, count * sizeof *w->lengths,
                          w->lengths);
    }
    bench_each_part(w->chunks, compare_chunk, w);
    for (size_t part = 0; part < w->chunks; part++) {
        if (w->wrong[part] == 0) continue;
        snprintf(fault, fault_bytes, "wrong for element %zu of the input", w->wrong[part] - 1);
        return false;
    }
    return true;
}

static bool last_length_is_right(const subject *s, const bench_result *result, char *fault,
                                 size_t fault_bytes) {
    const size_t chunks = (s->n + BENCH_CHUNK - 1) / BENCH_CHUNK, runs = select_kept(&s->input);
    uint32_t length = 0;
    if (!s->what->lengths || runs == 0) return true;
    bench_result_read(result, 2, (runs - 1) * sizeof length, sizeof length, &length);
    if (length == s->n + 1 - s->input.head[chunks]) return true;
    snprintf(fault, fault_bytes, "wrong for the last run");
    return false;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t chunks = (s->n + BENCH_CHUNK - 1) / BENCH_CHUNK, kept = select_kept(&s->input);
    const size_t most = (size_t)BENCH_WINDOW * BENCH_CHUNK, held = s->n < most ? s->n : most;
    uint64_t count = 0;
    bench_result_read(result, 1, 0, sizeof count, &count);
    if (count != kept) {
        snprintf(fault, fault_bytes, "%llu kept, in plain C %llu", (unsigned long long)count,
                 (unsigned long long)kept);
        return false;
    }
    window w = {.s = s, .values = bench_alloc(held * s->bytes)};
    w.lengths = s->what->lengths ? bench_alloc(held * sizeof *w.lengths) : NULL;
    bool right = true;
    for (; w.first < chunks && right; w.first += BENCH_WINDOW) {
        w.chunks = chunks - w.first < BENCH_WINDOW ? chunks - w.first : BENCH_WINDOW;
        right = window_is_right(&w, result, fault, fault_bytes);
    }
    free(w.values);
    free(w.lengths);
    return right && last_length_is_right(s, result, fault, fault_bytes);
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    char predicate[64];
    clprims_select_desc desc = {0};
    snprintf(predicate, sizeof predicate, "x < (%s)%llu", s->bytes == 8 ? "ulong" : "uint",
             (unsigned long long)select_limit(s->what));
    desc.by = s->what->by;
    desc.arrays = 1;
    desc.type[0] = s->what->type;
    if (desc.by == CLPRIMS_SELECT_PREDICATE) desc.predicate = predicate;
    desc.lengths = s->what->lengths ? CLPRIMS_U32 : CLPRIMS_TYPE_DEFAULT;
    desc.max_n = s->n;
    clprims_select_info info = {0};
    clprims_status status = clprims_select_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_select_describe(s->plan, s->n, &info);
    *chosen = (bench_choice){clprims_algorithm_name(info.algorithm), info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_select_buffers buffers = {.in = {{s->own.in[0], 0}},
                                            .flags = {s->own.in[1], 0},
                                            .out = {{s->own.out[0], 0}},
                                            .count = {s->own.out[1], 0},
                                            .lengths = {s->own.out[2], 0}};
    return clprims_select_enqueue(s->plan, queue, &buffers, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_select_destroy(s->plan);
}

static double bytes_of(const subject *s, size_t kept) {
    const double n = (double)s->n, out = (double)kept;
    double bytes = (n + out) * (double)s->bytes;
    if (has_flags(s)) bytes += n;
    if (s->what->lengths) bytes += 4 * out;
    return bytes;
}

static void measure_size(bench *b, const select_case *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type);
    subject s = {.b = b, .what = what, .n = n, .bytes = bytes};
    beside_job job = {
        .suite = "select", .name = what->name, .self = &s, .fill = fill, .verify = verify};
    job.bytes = bytes_of(&s, n);
    job.task = (peer_task){.primitive = what->peer,
                           .type = (peer_type)what->type,
                           .n = n,
                           .limit = select_limit(what),
                           .in_bytes = {n * bytes, has_flags(&s) ? n : 0},
                           .out_bytes = {n * bytes, sizeof(uint64_t)}};
    if (what->lengths) job.task.out_bytes[2] = n * sizeof(uint32_t);
    job.in_element_bytes[0] = bytes;
    job.in_element_bytes[1] = 1;
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_step("select %s: making the input", what->name);
    select_input_make(&s.input, what, n);
    job.bytes = bytes_of(&s, select_kept(&s.input));
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
    select_input_free(&s.input);
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
