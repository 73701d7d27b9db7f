/* SPDX-License-Identifier: MIT */
/* The search suite: as many needles as elements, sorted ones and random ones, and a few among many,
 * beside the peers that can do it; both bounds by one run and by two. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search_subject {
    const char *name;
    clprims_type type; /* uint32 or uint64 */
    bool sorted;
    size_t ratio; /* elements for each needle */
    size_t bounds; /* 1: lower ones */
    size_t plans; /* of one bound each, if there are two */
} search_subject;

static const search_subject subjects[] = {
    {"uint32, sorted needles", CLPRIMS_U32, true, 1, 1, 1},
    {"uint64, sorted needles", CLPRIMS_U64, true, 1, 1, 1},
    {"uint32, sorted needles among 16 times as many", CLPRIMS_U32, true, 16, 1, 1},
    {"uint32, both bounds of sorted needles", CLPRIMS_U32, true, 1, 2, 1},
    {"uint32, both bounds of sorted needles by two runs", CLPRIMS_U32, true, 1, 2, 2},
    {"uint32, random needles", CLPRIMS_U32, false, 1, 1, 1},
    {"uint64, random needles", CLPRIMS_U64, false, 1, 1, 1},
    {"uint32, random needles among 16 times as many", CLPRIMS_U32, false, 16, 1, 1},
    {"uint32, both bounds of random needles", CLPRIMS_U32, false, 1, 2, 1},
    {"uint32, both bounds of random needles by two runs", CLPRIMS_U32, false, 1, 2, 2},
};

/* One of them at one size: n elements. */
typedef struct subject {
    bench *b;
    const search_subject *what;
    size_t n, needles, bytes; /* bytes of an element */
    uint64_t step; /* the mean distance of elements */
    clprims_search *plans[2];
    bench_plan own;
} subject;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

static uint64_t element(const subject *s, size_t i) {
    return i * s->step + mix(2 * i + 1) % s->step;
}

static uint64_t needle(const subject *s, size_t i) {
    const uint64_t step = s->step * s->what->ratio, random = mix(2 * i + 2);
    if (s->what->sorted) return i * step + random % step;
    return random % (s->step * s->n);
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    for (size_t k = 0; k < count; k++) {
        const uint64_t value = input == 0 ? element(s, first + k) : needle(s, first + k);
        memcpy((char *)to + k * s->bytes, &value, s->bytes);
    }
}

/* Element k is the only one between k and k + 1 steps. */
static bool verify_bound(const subject *s, const bench_result *result, bool upper, char *fault,
                         size_t fault_bytes) {
    uint32_t *found = bench_alloc(BENCH_CHUNK * sizeof *found);
    bool right = true;
    for (size_t first = 0; first < s->needles && right; first += BENCH_CHUNK) {
        const size_t rest = s->needles - first, count = rest < BENCH_CHUNK ? rest : BENCH_CHUNK;
        bench_result_read(result, upper, first * sizeof *found, count * sizeof *found, found);
        for (size_t i = 0; i < count && right; i++) {
            const uint64_t value = needle(s, first + i);
            const size_t k = (size_t)(value / s->step);
            const size_t expected = k >= s->n ? s->n : k + (element(s, k) < value + upper);
            right = found[i] == expected;
            if (right) continue;
            snprintf(fault, fault_bytes, "position %zu is %u, not %zu", first + i,
                     (unsigned)found[i], expected);
        }
    }
    free(found);
    return right;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    return verify_bound(s, result, false, fault, fault_bytes) &&
           (s->what->bounds == 1 || verify_bound(s, result, true, fault, fault_bytes));
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_search_desc desc = {0};
    clprims_search_info info = {0};
    desc.type = s->what->type;
    desc.positions = CLPRIMS_U32;
    desc.max_length = s->n;
    desc.max_n = s->needles;
    desc.needles_sorted = s->what->sorted;
    clprims_status status = CLPRIMS_OK;
    for (size_t k = 0; k < s->what->plans && status == CLPRIMS_OK; k++) {
        desc.bound = (clprims_search_bound)(k + (s->what->bounds > s->what->plans ? 2 : 0));
        status = clprims_search_create(&s->plans[k], s->b->context, &desc);
    }
    if (status == CLPRIMS_OK)
        status =
            clprims_search_describe(s->plans[0], s->needles, (clprims_search_sizes){s->n}, &info);
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    clprims_search_buffers at = {.sorted.mem = s->own.in[0],
                                 .needles.mem = s->own.in[1],
                                 .out.mem = s->own.out[0],
                                 .sizes.length = s->n};
    if (s->what->plans == 2) {
        const clprims_status status =
            clprims_search_enqueue(s->plans[0], queue, &at, s->needles, 0, NULL, NULL);
        if (status != CLPRIMS_OK) return status;
        at.out.mem = s->own.out[1];
        return clprims_search_enqueue(s->plans[1], queue, &at, s->needles, 0, NULL, event);
    }
    if (s->what->bounds == 2) at.out_upper.mem = s->own.out[1];
    return clprims_search_enqueue(s->plans[0], queue, &at, s->needles, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_search_destroy(s->plans[0]);
    clprims_search_destroy(s->plans[1]);
}

static void measure_size(bench *b, const search_subject *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type), needles = n / what->ratio;
    const size_t out_bytes = needles * sizeof(uint32_t);
    subject s = {.b = b, .what = what, .n = n, .needles = needles, .bytes = bytes};
    const uint64_t range = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    if (needles == 0) {
        b->skipped++;
        return;
    }
    s.step = range / n;
    beside_job job = {.suite = "search",
                      .name = what->name,
                      .bytes = (double)((n + needles) * bytes + what->bounds * out_bytes),
                      .self = &s,
                      .in_element_bytes = {bytes, bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = what->bounds == 1 ? PEER_LOWER_BOUND : PEER_NOTHING,
                           .type = (peer_type)what->type,
                           .n = needles,
                           .in_bytes = {n * bytes, needles * bytes},
                           .out_bytes = {out_bytes, what->bounds == 2 ? out_bytes : 0}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_search(bench *b) {
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 18 : 22) : (quick ? 24 : 28);
    size_t sizes[BENCH_MAX_SIZES];
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, 4, sizes);
    bench_table_begin("search");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        if (!bench_wanted(&b->options, subjects[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &subjects[k], sizes[i]);
    }
}
