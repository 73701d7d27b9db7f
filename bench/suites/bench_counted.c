/* SPDX-License-Identifier: MIT */
/* The counted suite: runs whose number of elements stands in device memory, at max_n and at a
 * hundredth of it, beside plain runs at max_n. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum counted_kind { REDUCE, SCAN, SUMS, SCAN_BY_KEYS, BY_KEY } counted_kind;

typedef struct counted_case {
    const char *name;
    counted_kind kind;
    size_t length; /* of segments */
} counted_case;

static const counted_case cases[] = {
    {"reduce float32 add", REDUCE, 1},
    {"scan int32 add", SCAN, 1},
    {"float32 sums, segments of 1", SUMS, 1},
    {"float32 sums, segments of 8", SUMS, 8},
    {"float32 sums, segments of 100", SUMS, 100},
    {"int32 scan by keys, segments of 8", SCAN_BY_KEYS, 8},
    {"uint32 to int32 by key, runs of 8", BY_KEY, 8},
};

typedef enum counted_form { PLAIN, WHOLE, HUNDREDTH, FORMS } counted_form;
static const char *const forms[FORMS] = {"plain", "n = max_n", "n = max_n / 100"};

/* A case at one size in one form. */
typedef struct subject {
    bench *b;
    const counted_case *what;
    counted_form form;
    size_t max_n, n; /* of the plan and of the run, multiples of the length */
    cl_mem numbers; /* n and the number of segments, uint64 */
    clprims_reduce *reduce;
    clprims_scan *scan;
    clprims_segmented *segmented;
    bench_plan own;
} subject;

/* ---- Data --------------------------------------------------------------------------------------
 */

/* Element i. Sums stay so small that floats are exact in every order. */
static int32_t value_of(uint64_t i) {
    const uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
    return (int32_t)(bits >> 62) - (int32_t)(bits >> 60 & 3);
}

static bool is_float(const subject *s) {
    return s->what->kind == REDUCE || s->what->kind == SUMS;
}

/* Its 32 bits in the arrays. */
static uint32_t bits_of(const subject *s, int32_t value) {
    const float single = (float)value;
    uint32_t bits = (uint32_t)value;
    if (is_float(s)) memcpy(&bits, &single, sizeof bits);
    return bits;
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    const size_t length = s->what->length;
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        if (input == 0)
            ((uint32_t *)to)[k] = bits_of(s, value_of(i));
        else if (s->what->kind == SUMS)
            ((int64_t *)to)[k] = (int64_t)(i * length);
        else
            ((uint32_t *)to)[k] = (uint32_t)(i / length * 2654435761u);
    }
}

/* ---- Verifying ---------------------------------------------------------------------------------
 */

static bool scans(const subject *s) {
    return s->what->kind == SCAN || s->what->kind == SCAN_BY_KEYS;
}

static size_t outputs_of(const subject *s, size_t n) {
    if (s->what->kind == REDUCE) return 1;
    return scans(s) ? n : n / s->what->length;
}

/* Walks through the outputs in their order. */
typedef struct twin {
    size_t i; /* the next element */
    int32_t sum;
} twin;

static uint32_t next_output(const subject *s, twin *t) {
    const size_t length = s->what->kind == REDUCE ? s->n : s->what->length;
    if (s->what->kind == SCAN || (s->what->kind == SCAN_BY_KEYS && t->i % length != 0)) {
        t->sum += value_of(t->i++);
        return bits_of(s, t->sum);
    }
    t->sum = 0;
    const size_t end = scans(s) ? t->i + 1 : t->i + length;
    while (t->i < end) t->sum += value_of(t->i++);
    return bits_of(s, t->sum);
}

/* Behind the outputs of a run all bytes are 0xa5, as before. */
static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t outputs = outputs_of(s, s->n), room = outputs_of(s, s->max_n);
    uint32_t *found = bench_alloc(BENCH_CHUNK * sizeof *found);
    twin t = {0, 0};
    size_t wrong = SIZE_MAX;
    for (size_t first = 0; first < room && wrong == SIZE_MAX; first += BENCH_CHUNK) {
        const size_t count = room - first < BENCH_CHUNK ? room - first : BENCH_CHUNK;
        bench_result_read(result, 0, first * sizeof *found, count * sizeof *found, found);
        for (size_t k = 0; k < count && wrong == SIZE_MAX; k++) {
            const uint32_t expected = first + k < outputs ? next_output(s, &t) : 0xa5a5a5a5u;
            if (found[k] != expected) wrong = first + k;
        }
    }
    free(found);
    if (wrong == SIZE_MAX) return true;
    snprintf(fault, fault_bytes, "output %zu of %zu is wrong", wrong, outputs);
    return false;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static void write_numbers(subject *s) {
    const uint64_t numbers[2] = {s->n, s->n / s->what->length};
    s->numbers = bench_buffer(s->b, sizeof numbers);
    bench_write(s->b, s->numbers, 0, sizeof numbers, numbers);
}

static clprims_segmented_sizes sizes_of(const subject *s) {
    const size_t segments = s->max_n / s->what->length;
    clprims_segmented_sizes sizes = {0};
    if (s->what->kind == SUMS) sizes.segments = segments;
    if (s->what->kind == BY_KEY) sizes.capacity = segments;
    return sizes;
}

static clprims_status create_segmented(subject *s, bench_choice *chosen) {
    clprims_segmented_desc desc = {0};
    clprims_segmented_info info = {0};
    const size_t segments = s->max_n / s->what->length;
    if (s->what->kind == SCAN_BY_KEYS) desc.kind = CLPRIMS_SEGMENTED_INCLUSIVE;
    if (s->what->kind != SUMS) {
        desc.by = CLPRIMS_SEGMENTS_KEYS;
        desc.heads_type = CLPRIMS_U32;
    }
    desc.type = is_float(s) ? CLPRIMS_F32 : CLPRIMS_I32;
    desc.unique_keys = s->what->kind == BY_KEY;
    desc.max_n = s->max_n;
    desc.max_segments = segments;
    clprims_status status = clprims_segmented_create(&s->segmented, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        status = clprims_segmented_describe(s->segmented, s->max_n, sizes_of(s), &info);
    }
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_reduce_desc reduce = {0};
    clprims_reduce_info reduce_info = {0};
    clprims_scan_desc scan = {0};
    clprims_scan_info scan_info = {0};
    clprims_status status = CLPRIMS_OK;
    write_numbers(s);
    reduce.type = CLPRIMS_F32;
    scan.type = CLPRIMS_I32;
    scan.inclusive = 1;
    reduce.max_n = scan.max_n = s->max_n;
    if (s->what->kind == REDUCE) {
        status = clprims_reduce_create(&s->reduce, s->b->context, &reduce);
        if (status == CLPRIMS_OK)
            status = clprims_reduce_describe(s->reduce, s->max_n, &reduce_info);
        *chosen = (bench_choice){reduce_info.variant, reduce_info.variant};
        return status;
    }
    if (s->what->kind != SCAN) return create_segmented(s, chosen);
    status = clprims_scan_create(&s->scan, s->b->context, &scan);
    if (status == CLPRIMS_OK) status = clprims_scan_describe(s->scan, s->max_n, &scan_info);
    *chosen = (bench_choice){clprims_algorithm_name(scan_info.algorithm), scan_info.variant};
    return status;
}

static clprims_status submit_segmented(const subject *s, cl_command_queue queue, cl_event *event) {
    clprims_segmented_buffers b = {0};
    b.in.mem = s->own.in[0];
    b.heads.mem = s->own.in[1];
    b.out.mem = s->own.out[0];
    b.keys.mem = s->own.out[1];
    b.count.mem = s->own.out[2];
    b.sizes = sizes_of(s);
    if (s->form == PLAIN) {
        return clprims_segmented_enqueue(s->segmented, queue, &b, s->n, 0, NULL, event);
    }
    b.n.mem = s->numbers;
    if (s->what->kind == SUMS) b.segments = (clprims_buffer){s->numbers, 1};
    return clprims_segmented_enqueue(s->segmented, queue, &b, s->max_n, 0, NULL, event);
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_buffer in = {s->own.in[0], 0}, out = {s->own.out[0], 0};
    const clprims_buffer n = {s->numbers, 0}, none = {NULL, 0};
    const bool plain = s->form == PLAIN;
    if (s->what->kind == REDUCE) {
        return clprims_reduce_enqueue(
            s->reduce, queue,
            &(clprims_reduce_buffers){.in = in, .out = out, .n = plain ? none : n},
            plain ? s->n : s->max_n, 0, NULL, event);
    }
    if (s->what->kind != SCAN) return submit_segmented(s, queue, event);
    return clprims_scan_enqueue(
        s->scan, queue, &(clprims_scan_buffers){.in = in, .out = out, .n = plain ? none : n},
        plain ? s->n : s->max_n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_reduce_destroy(s->reduce);
    clprims_scan_destroy(s->scan);
    clprims_segmented_destroy(s->segmented);
    if (s->numbers != NULL) clReleaseMemObject(s->numbers);
}

/* The bytes of the heads of n elements, and of one. */
static size_t head_bytes(const counted_case *what, size_t n, size_t *each) {
    *each = what->kind == SUMS ? 8 : 4;
    if (what->kind == REDUCE || what->kind == SCAN) return 0;
    return what->kind == SUMS ? 8 * (n / what->length + 1) : 4 * n;
}

static void measure_form(bench *b, const counted_case *what, size_t size, counted_form form) {
    const size_t max_n = size / what->length * what->length;
    const size_t n = form == HUNDREDTH ? max_n / 100 / what->length * what->length : max_n;
    subject s = {.b = b, .what = what, .form = form, .max_n = max_n, .n = n};
    const bool by_key = what->kind == BY_KEY;
    const size_t outputs = 4 * outputs_of(&s, max_n);
    size_t each;
    char name[96];
    snprintf(name, sizeof name, "%s, %s", what->name, forms[form]);
    if (!bench_wanted(&b->options, name)) return;
    const double moved =
        (double)(4 * n + head_bytes(what, n, &each) + 4 * outputs_of(&s, n) * (by_key ? 2 : 1));
    const size_t heads = head_bytes(what, max_n, &each);
    beside_job job = {.suite = "counted",
                      .name = name,
                      .bytes = moved,
                      .self = &s,
                      .in_element_bytes = {4, each},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = PEER_NOTHING,
                           .type = is_float(&s) ? PEER_F32 : PEER_I32,
                           .n = max_n,
                           .in_bytes = {4 * max_n, heads},
                           .out_bytes = {outputs, by_key ? outputs : 0, by_key ? 8 : 0}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_counted(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 24 : 28);
    const size_t count = bench_sizes(&b->options, 2, last - 4, last, 4, sizes);
    bench_table_begin("counted");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (size_t i = 0; i < count; i++) {
            if (sizes[i] < 100 * cases[k].length) continue;
            for (counted_form form = PLAIN; form < FORMS; form++) {
                measure_form(b, &cases[k], sizes[i], form);
            }
        }
    }
}
