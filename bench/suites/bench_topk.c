/* SPDX-License-Identifier: MIT */
/* The top-k suite: the greatest uint32 keys and their indices, random and adversarial. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum distribution { RANDOM, ALIKE, SAME_HIGH_BITS, SORTED } distribution;

typedef struct topk_subject {
    const char *name;
    distribution keys;
    size_t k; /* 0: half of all */
} topk_subject;

static const topk_subject subjects[] = {
    {"uint32 top 100", RANDOM, 100},
    {"uint32 top 100, alike", ALIKE, 100},
    {"uint32 top 100, same high bits", SAME_HIGH_BITS, 100},
    {"uint32 top 100, sorted", SORTED, 100},
    {"uint32 top 10000", RANDOM, 10000},
    {"uint32 top half", RANDOM, 0},
};

/* One of them at one size. */
typedef struct subject {
    bench *b;
    const topk_subject *what;
    size_t n, k;
    clprims_topk *plan;
    bench_plan own;
} subject;

static uint32_t key_of(const subject *s, uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    switch (s->what->keys) {
    case ALIKE:
        return 0x12345678;
    case SAME_HIGH_BITS:
        return 0x12345000 | (uint32_t)(x >> 52);
    case SORTED:
        return (uint32_t)i;
    default:
        return (uint32_t)(x >> 32);
    }
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    (void)input;
    for (size_t i = 0; i < count; i++) ((uint32_t *)to)[i] = key_of(self, first + i);
}

/* ---- Verifying ---- */

/* Whether element a comes before element b. */
static bool precedes(const subject *s, uint64_t a, uint64_t b) {
    const uint32_t x = key_of(s, a), y = key_of(s, b);
    return x > y || (x == y && a < b);
}

/* The result is in order, and as many elements as it has precede the one behind its last. */
static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    uint32_t *values = bench_alloc(s->k * sizeof *values);
    uint32_t *indices = bench_alloc(s->k * sizeof *indices);
    size_t before = 0, wrong = 0;
    bench_result_read(result, 0, 0, s->k * sizeof *values, values);
    bench_result_read(result, 1, 0, s->k * sizeof *indices, indices);
    for (size_t i = 0; i < s->k && wrong == 0; i++) {
        const bool right = indices[i] < s->n && values[i] == key_of(s, indices[i]) &&
                           (i == 0 || precedes(s, indices[i - 1], indices[i]));
        if (!right) wrong = i + 1;
    }
    for (size_t i = 0; i < s->n && wrong == 0; i++) before += precedes(s, i, indices[s->k - 1]);
    if (wrong > 0) {
        snprintf(fault, fault_bytes, "wrong at element %zu", wrong - 1);
    } else if (before != s->k - 1) {
        snprintf(fault, fault_bytes, "%zu elements precede the last one of %zu", before, s->k);
    }
    free(values);
    free(indices);
    return wrong == 0 && before == s->k - 1;
}

/* ---- Measuring ---- */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_topk_desc desc = {0};
    clprims_topk_info info = {0};
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = s->n;
    desc.max_k = s->k;
    clprims_status status = clprims_topk_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK)
        status = clprims_topk_describe(s->plan, s->n, (clprims_topk_sizes){.k = s->k}, &info);
    *chosen = (bench_choice){"radix select", info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_topk_buffers buffers = {.in.mem = s->own.in[0],
                                          .values.mem = s->own.out[0],
                                          .indices.mem = s->own.out[1],
                                          .sizes.k = s->k};
    return clprims_topk_enqueue(s->plan, queue, &buffers, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_topk_destroy(s->plan);
}

static void measure_size(bench *b, const topk_subject *what, size_t n) {
    subject s = {.b = b, .what = what, .n = n, .k = what->k > 0 ? what->k : n / 2};
    beside_job job = {
        .suite = "topk", .name = what->name, .self = &s, .fill = fill, .verify = verify};
    const size_t bytes = n * sizeof(uint32_t), found = s.k * sizeof(uint32_t);
    if (s.k == 0 || s.k > n) {
        b->skipped++;
        return;
    }
    job.bytes = (double)(bytes + 2 * found);
    job.task = (peer_task){.primitive = PEER_NOTHING,
                           .type = PEER_U32,
                           .n = n,
                           .in_bytes = {bytes, 0},
                           .out_bytes = {found, found}};
    job.in_element_bytes[0] = sizeof(uint32_t);
    s.own = (bench_plan){.create = create,
                         .submit = submit,
                         .destroy = destroy,
                         .scratch_bytes = what->k == 0 ? 4 * bytes : 0};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_topk(bench *b) {
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : (b->options.quick ? 24 : 28);
    bench_table_begin("top-k");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        size_t sizes[BENCH_MAX_SIZES];
        const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 16 : 20, last, 4, sizes);
        if (!bench_wanted(&b->options, subjects[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &subjects[k], sizes[i]);
    }
}
