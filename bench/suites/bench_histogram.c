/* SPDX-License-Identifier: MIT */
/* The histogram suite: counts of few bins to many, of random elements, of equal ones and of few
 * distinct ones; bins by an expression and between edges; sums of weights. Counts of integers stand
 * beside the peers. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum element_kind { RANDOM, ALIKE, FEW } element_kind;

typedef struct histogram_case {
    const char *name;
    clprims_type type;
    size_t bins; /* a power of two */
    element_kind elements;
    clprims_histogram_by by;
    clprims_type weights;
} histogram_case;

#define COUNTS(name, type, bins, elements)                                                         \
    { name, type, bins, elements, CLPRIMS_HISTOGRAM_EVEN, CLPRIMS_TYPE_DEFAULT }

static const histogram_case cases[] = {
    COUNTS("uint32, 16 bins", CLPRIMS_U32, 16, RANDOM),
    COUNTS("uint32, 256 bins", CLPRIMS_U32, 256, RANDOM),
    COUNTS("uint32, 256 bins, alike", CLPRIMS_U32, 256, ALIKE),
    COUNTS("uint32, 256 bins, two distinct", CLPRIMS_U32, 256, FEW),
    COUNTS("uint32, 2048 bins", CLPRIMS_U32, 2048, RANDOM),
    COUNTS("uint32, 2048 bins, alike", CLPRIMS_U32, 2048, ALIKE),
    COUNTS("uint32, 65536 bins", CLPRIMS_U32, 65536, RANDOM),
    COUNTS("uint32, 65536 bins, alike", CLPRIMS_U32, 65536, ALIKE),
    COUNTS("uint32, 2^22 bins", CLPRIMS_U32, 1 << 22, RANDOM),
    COUNTS("uint8, 256 bins", CLPRIMS_U8, 256, RANDOM),
    COUNTS("uint8, 256 bins, alike", CLPRIMS_U8, 256, ALIKE),
    COUNTS("float32, 1024 bins", CLPRIMS_F32, 1024, RANDOM),
    {"uint32, x >> 24", CLPRIMS_U32, 256, RANDOM, CLPRIMS_HISTOGRAM_EXPRESSION,
     CLPRIMS_TYPE_DEFAULT},
    {"uint32, 256 edges", CLPRIMS_U32, 256, RANDOM, CLPRIMS_HISTOGRAM_EDGES, CLPRIMS_TYPE_DEFAULT},
    {"uint32, 256 bins, int32 weights", CLPRIMS_U32, 256, RANDOM, CLPRIMS_HISTOGRAM_EVEN,
     CLPRIMS_I32},
    {"uint32, 256 bins, float32 weights", CLPRIMS_U32, 256, RANDOM, CLPRIMS_HISTOGRAM_EVEN,
     CLPRIMS_F32},
};

/* A case at one size. */
typedef struct subject {
    bench *b;
    const histogram_case *what;
    size_t n;
    uint32_t *edges;
    clprims_histogram *plan;
    bench_plan own;
} subject;

/* ---- Data ----------------------------------------------------------------------------------- */

static uint64_t scatter(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return x ^ (x >> 29);
}

/* 32 bits, of which the high ones are the bin of element i. */
static uint32_t bits_of(const histogram_case *what, uint64_t i) {
    if (what->elements == ALIKE) return 0x9b9b9b9b;
    if (what->elements == FEW) return scatter(i) >> 63 != 0 ? 0x9b9b9b9b : 0x11111111;
    return (uint32_t)(scatter(i) >> 32);
}

static size_t bin_of(const histogram_case *what, uint64_t i) {
    return (size_t)(((uint64_t)bits_of(what, i) * what->bins) >> 32);
}

/* Integers whose sums are exact in every type. */
static int32_t weight_of(uint64_t i) {
    return (int32_t)(scatter(i) & 7) - 3;
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    for (size_t k = 0; k < count; k++) {
        const uint32_t bits = bits_of(s->what, first + k);
        const float share = (float)(bits >> 8) / (1 << 24), real = (float)weight_of(first + k);
        if (input == 1 && s->what->weights == CLPRIMS_F32) {
            ((float *)to)[k] = real;
        } else if (input == 1) {
            ((int32_t *)to)[k] = weight_of(first + k);
        } else if (s->what->type == CLPRIMS_U8) {
            ((uint8_t *)to)[k] = (uint8_t)(bits >> 24);
        } else if (s->what->type == CLPRIMS_F32) {
            ((float *)to)[k] = share;
        } else {
            ((uint32_t *)to)[k] = bits;
        }
    }
}

/* ---- Verifying ------------------------------------------------------------------------------ */

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const histogram_case *what = s->what;
    const size_t bins = what->bins;
    int32_t *expected = bench_alloc(bins * sizeof *expected);
    uint32_t *actual = bench_alloc(bins * sizeof *actual);
    bool right = true;
    memset(expected, 0, bins * sizeof *expected);
    for (size_t i = 0; i < s->n; i++) {
        expected[bin_of(what, i)] += what->weights != CLPRIMS_TYPE_DEFAULT ? weight_of(i) : 1;
    }
    bench_result_read(result, 0, 0, bins * sizeof *actual, actual);
    for (size_t b = 0; b < bins && right; b++) {
        const float real = (float)expected[b];
        uint32_t bits = (uint32_t)expected[b];
        if (what->weights == CLPRIMS_F32) memcpy(&bits, &real, sizeof bits);
        right = actual[b] == bits;
        if (!right) {
            snprintf(fault, fault_bytes, "bin %zu has the bits 0x%x, not 0x%x", b,
                     (unsigned)actual[b], (unsigned)bits);
        }
    }
    free(expected);
    free(actual);
    return right;
}

/* ---- Measuring ------------------------------------------------------------------------------ */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    const histogram_case *what = s->what;
    clprims_histogram_desc desc = {0};
    clprims_histogram_info info = {0};
    desc.type = what->type;
    desc.bins = what->bins;
    desc.by = what->by;
    desc.most = what->type == CLPRIMS_U8 ? 256 : what->type == CLPRIMS_F32 ? 1 : 4294967296.0;
    desc.edges = what->by == CLPRIMS_HISTOGRAM_EDGES ? s->edges : NULL;
    desc.bin = what->by == CLPRIMS_HISTOGRAM_EXPRESSION ? "x >> 24" : NULL;
    desc.weights = what->weights;
    desc.sums = what->weights != CLPRIMS_TYPE_DEFAULT ? what->weights : CLPRIMS_U32;
    desc.max_n = s->n;
    clprims_status status = clprims_histogram_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_histogram_describe(s->plan, s->n, &info);
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_buffer in = {s->own.in[0], 0}, weights = {s->own.in[1], 0},
                         out = {s->own.out[0], 0};
    return clprims_histogram_enqueue(
        s->plan, queue, &(clprims_histogram_buffers){.in = in, .weights = weights, .out = out},
        s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_histogram_destroy(s->plan);
}

static bool has_peers(const histogram_case *what) {
    return what->by == CLPRIMS_HISTOGRAM_EVEN && what->weights == CLPRIMS_TYPE_DEFAULT &&
           what->type != CLPRIMS_F32;
}

static void measure_size(bench *b, const histogram_case *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type);
    const size_t weight_bytes = clprims_type_bytes(what->weights);
    subject s = {.b = b, .what = what, .n = n};
    beside_job job = {.suite = "histogram",
                      .name = what->name,
                      .bytes = (double)(n * (bytes + weight_bytes)),
                      .self = &s,
                      .in_element_bytes = {bytes, weight_bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = has_peers(what) ? PEER_HISTOGRAM : PEER_NOTHING,
                           .type = (peer_type)what->type,
                           .n = n,
                           .limit = what->bins,
                           .in_bytes = {n * bytes, n * weight_bytes},
                           .out_bytes = {what->bins * sizeof(uint32_t)}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    s.edges = bench_alloc((what->bins + 1) * sizeof *s.edges);
    for (size_t e = 0; e <= what->bins; e++) {
        const uint64_t edge = (uint64_t)e * 4294967296u / what->bins;
        s.edges[e] = edge > UINT32_MAX ? UINT32_MAX : (uint32_t)edge;
    }
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
    free(s.edges);
}

void bench_histogram(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 26 : 30);
    const size_t count =
        bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, b->is_cpu || quick ? 4 : 2, sizes);
    bench_table_begin("histogram");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
