/* SPDX-License-Identifier: MIT */
/* The merge suite: two sorted arrays of equal length whose elements alternate at random, alone and
 * with a payload, beside the peers that can do it. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct merge_subject {
    const char *name;
    clprims_type type; /* uint32 or uint64 */
    size_t payload_bytes; /* 0, or an element's: the complement of its bits */
    bool apart; /* all of a before all of b */
} merge_subject;

static const merge_subject subjects[] = {
    {"uint32", CLPRIMS_U32, 0, false},
    {"uint64", CLPRIMS_U64, 0, false},
    {"uint32, one array before the other", CLPRIMS_U32, 0, true},
    {"uint32,uint32 pairs", CLPRIMS_U32, 4, false},
    {"uint64,uint64 pairs", CLPRIMS_U64, 8, false},
};

/* One of them at one size. */
typedef struct subject {
    bench *b;
    const merge_subject *what;
    size_t n, half, bytes; /* elements of the output, of an array; bytes of one */
    uint64_t step; /* the mean distance of an array's elements */
    clprims_merge *plan;
    bench_plan own;
} subject;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

/* Element i of array a (0) or b (1), which rise. */
static uint64_t element(const subject *s, int array, size_t i) {
    if (s->what->apart) return array == 0 ? i : s->half + i;
    return i * s->step + mix(2 * i + (uint64_t)array + 1) % s->step;
}

/* An array's elements, then its payload. */
static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        const uint64_t value = i < s->half ? element(s, input, i) : ~element(s, input, i - s->half);
        memcpy((char *)to + k * s->bytes, &value, s->bytes);
    }
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t arrays = s->what->payload_bytes > 0 ? 2 : 1;
    char *found[2] = {bench_alloc(BENCH_CHUNK * s->bytes), bench_alloc(BENCH_CHUNK * s->bytes)};
    size_t a = 0, b = 0;
    bool right = true;
    for (size_t first = 0; first < s->n && right; first += BENCH_CHUNK) {
        const size_t count = s->n - first < BENCH_CHUNK ? s->n - first : BENCH_CHUNK;
        for (size_t k = 0; k < arrays; k++) {
            bench_result_read(result, (int)k, first * s->bytes, count * s->bytes, found[k]);
        }
        for (size_t i = 0; i < count && right; i++) {
            const bool is_a = b == s->half || (a < s->half && element(s, 0, a) <= element(s, 1, b));
            const uint64_t value = is_a ? element(s, 0, a++) : element(s, 1, b++), other = ~value;
            right = memcmp(found[0] + i * s->bytes, &value, s->bytes) == 0;
            if (arrays > 1) {
                right = right && memcmp(found[1] + i * s->bytes, &other, s->bytes) == 0;
            }
            if (!right) snprintf(fault, fault_bytes, "wrong at element %zu", first + i);
        }
    }
    free(found[0]);
    free(found[1]);
    return right;
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_merge_desc desc = {0};
    clprims_merge_info info = {0};
    desc.type = s->what->type;
    desc.max_n = desc.max_n_b = s->half;
    desc.payload_bytes = s->what->payload_bytes;
    clprims_status status = clprims_merge_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK)
        status = clprims_merge_describe(s->plan, s->half, (clprims_merge_sizes){s->half}, &info);
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    clprims_merge_buffers at = {0};
    at.a.mem = s->own.in[0];
    at.b.mem = s->own.in[1];
    at.out.mem = s->own.out[0];
    at.sizes.n_b = s->half;
    if (s->what->payload_bytes > 0) {
        at.payload_a = (clprims_buffer){s->own.in[0], s->half};
        at.payload_b = (clprims_buffer){s->own.in[1], s->half};
        at.payload_out.mem = s->own.out[1];
    }
    return clprims_merge_enqueue(s->plan, queue, &at, s->half, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_merge_destroy(s->plan);
}

static void measure_size(bench *b, const merge_subject *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type), half = n / 2;
    const size_t both = bytes + what->payload_bytes;
    subject s = {.b = b, .what = what, .n = 2 * half, .half = half, .bytes = bytes};
    s.step = half > 0 ? (bytes == 8 ? UINT64_MAX : UINT32_MAX) / half : 1;
    if (half == 0) {
        b->skipped++;
        return;
    }
    beside_job job = {.suite = "merge",
                      .name = what->name,
                      .bytes = 2 * (double)s.n * (double)both,
                      .self = &s,
                      .in_element_bytes = {bytes, bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = what->payload_bytes > 0 ? PEER_NOTHING : PEER_MERGE,
                           .type = (peer_type)what->type,
                           .n = s.n,
                           .in_bytes = {half * both, half * both},
                           .out_bytes = {s.n * bytes, s.n * what->payload_bytes}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_merge(bench *b) {
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 24 : 28);
    size_t sizes[BENCH_MAX_SIZES];
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, 4, sizes);
    bench_table_begin("merge");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        if (!bench_wanted(&b->options, subjects[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &subjects[k], sizes[i]);
    }
}
