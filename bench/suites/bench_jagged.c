/* SPDX-License-Identifier: MIT */
/* The jagged suite: parents of segments of each length, gather in orders that hit and miss caches.
 */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>

/* Lengths of segments above 0: all of them so long. */
enum { GIANT = 0, HALF_EMPTY = -1 };
/* Indices of gather: ascending; anywhere near; anywhere. */
enum { IN_ORDER, NEAR, RANDOM };
enum { NEAR_INDICES = 1 << 16 };

typedef struct jagged_case {
    const char *name;
    bool gathers;
    int how; /* a length, or an order */
    size_t bytes; /* of an output */
    size_t from_bytes; /* of an offset or an index */
} jagged_case;

static const jagged_case cases[] = {
    {"int64 parents, segments of 1", false, 1, 8, 8},
    {"int64 parents, segments of 8", false, 8, 8, 8},
    {"int64 parents, segments of 100", false, 100, 8, 8},
    {"int64 parents, segments of 10000", false, 10000, 8, 8},
    {"int64 parents, one segment", false, GIANT, 8, 8},
    {"int64 parents, half empty", false, HALF_EMPTY, 8, 8},
    {"int32 parents, segments of 8", false, 8, 4, 4},
    {"int32 parents, segments of 100", false, 100, 4, 4},
    {"float32 by int64 in order", true, IN_ORDER, 4, 8},
    {"float32 by int64 nearby", true, NEAR, 4, 8},
    {"float32 by int64 at random", true, RANDOM, 4, 8},
    {"float32 by int32 nearby", true, NEAR, 4, 4},
    {"float64 by int64 nearby", true, NEAR, 8, 8},
    {"structs of 16 bytes by int64 nearby", true, NEAR, 16, 8},
};

/* A case at one size. */
typedef struct subject {
    bench *b;
    const jagged_case *what;
    size_t n, segments;
    clprims_parents *parents;
    clprims_gather *gather;
    bench_plan own;
} subject;

/* ---- Data --------------------------------------------------------------------------------------
 */

static uint64_t scatter(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return x ^ (x >> 29);
}

static size_t offset_of(const subject *s, size_t k) {
    const int how = s->what->how;
    if (how == GIANT) return k == 0 ? 0 : s->n;
    const size_t offset = how == HALF_EMPTY ? k / 2 * 16 : k * (size_t)how;
    return offset < s->n ? offset : s->n;
}

static size_t index_of(const subject *s, size_t i) {
    if (s->what->how == IN_ORDER) return i;
    if (s->what->how == RANDOM) return scatter(i) % s->n;
    const size_t first = i / NEAR_INDICES * NEAR_INDICES;
    const size_t count = s->n - first < NEAR_INDICES ? s->n - first : NEAR_INDICES;
    return first + scatter(i) % count;
}

/* Output i as its first four bytes. */
static uint32_t output_of(const subject *s, size_t i) {
    const int how = s->what->how;
    if (s->what->gathers) return (uint32_t)scatter(index_of(s, i));
    if (how == GIANT) return 0;
    return (uint32_t)(how == HALF_EMPTY ? i / 16 * 2 + 1 : i / (size_t)how);
}

static void store(void *to, size_t k, size_t bytes, uint64_t value) {
    if (bytes == 4) {
        ((uint32_t *)to)[k] = (uint32_t)value;
    } else {
        for (size_t word = 0; word < bytes / 8; word++) {
            ((uint64_t *)to)[k * (bytes / 8) + word] = value;
        }
    }
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        if (input == 1) {
            store(to, k, s->what->bytes, scatter(i));
        } else {
            store(to, k, s->what->from_bytes, s->what->gathers ? index_of(s, i) : offset_of(s, i));
        }
    }
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t bytes = s->what->bytes, most = BENCH_CHUNK;
    unsigned char *found = bench_alloc((s->n < most ? s->n : most) * bytes);
    size_t wrong = SIZE_MAX;
    for (size_t first = 0; first < s->n && wrong == SIZE_MAX; first += most) {
        const size_t count = s->n - first < most ? s->n - first : most;
        bench_result_read(result, 0, first * bytes, count * bytes, found);
        for (size_t k = 0; k < count && wrong == SIZE_MAX; k++) {
            if (*(const uint32_t *)(const void *)(found + k * bytes) != output_of(s, first + k)) {
                wrong = first + k;
            }
        }
    }
    free(found);
    if (wrong == SIZE_MAX) return true;
    snprintf(fault, fault_bytes, "output %zu is wrong", wrong);
    return false;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_status create_parents(subject *s, bench_choice *chosen) {
    clprims_parents_desc desc = {0};
    clprims_parents_info info = {0};
    desc.offsets_type = s->what->from_bytes == 4 ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.type = s->what->bytes == 4 ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.max_n = s->n;
    desc.max_segments = s->segments;
    clprims_status status = clprims_parents_create(&s->parents, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        status =
            clprims_parents_describe(s->parents, s->n, (clprims_parents_sizes){s->segments}, &info);
    }
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_gather_desc desc = {0};
    clprims_gather_info info = {0};
    if (!s->what->gathers) return create_parents(s, chosen);
    desc.type = CLPRIMS_STRUCT;
    desc.custom.type_bytes = s->what->bytes;
    desc.index_type = s->what->from_bytes == 4 ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.max_n = s->n;
    clprims_status status = clprims_gather_create(&s->gather, s->b->context, &desc);
    if (status == CLPRIMS_OK)
        status = clprims_gather_describe(s->gather, s->n, (clprims_gather_sizes){s->n}, &info);
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_buffer from = {s->own.in[0], 0}, in = {s->own.in[1], 0}, out = {s->own.out[0], 0};
    const clprims_gather_buffers gather = {
        .index = from, .in = in, .out = out, .sizes.length = s->n};
    const clprims_parents_buffers parents = {
        .offsets = from, .parents = out, .sizes.segments = s->segments};
    return s->what->gathers
               ? clprims_gather_enqueue(s->gather, queue, &gather, s->n, 0, NULL, event)
               : clprims_parents_enqueue(s->parents, queue, &parents, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_parents_destroy(s->parents);
    clprims_gather_destroy(s->gather);
}

static size_t segments_of(const jagged_case *what, size_t n) {
    if (what->gathers || what->how == GIANT) return 1;
    return what->how == HALF_EMPTY ? (n + 15) / 16 * 2
                                   : (n + (size_t)what->how - 1) / (size_t)what->how;
}

static void measure_size(bench *b, const jagged_case *what, size_t n) {
    subject s = {.b = b, .what = what, .n = n, .segments = segments_of(what, n)};
    const size_t from = what->from_bytes * (what->gathers ? n : s.segments + 1);
    const size_t in = what->gathers ? n * what->bytes : 0, out = n * what->bytes;
    beside_job job = {.suite = "jagged",
                      .name = what->name,
                      .bytes = (double)(from + in + out),
                      .self = &s,
                      .in_element_bytes = {what->from_bytes, what->bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = PEER_NOTHING,
                           .type = PEER_I32,
                           .n = n,
                           .in_bytes = {from, in},
                           .out_bytes = {out}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_jagged(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 26 : 28);
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, 4, sizes);
    bench_table_begin("jagged");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
