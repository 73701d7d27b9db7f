/* SPDX-License-Identifier: MIT */
/* The segmented sort suite: keys, pairs and indices in segments of one length, or of many. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long segments are; above 0: all of them so long. */
enum { POWER_LAW = -1 };

typedef struct segments_subject {
    const char *name;
    int length;
    bool pairs, argsort; /* the keys are the payload, too; int32 indices alone */
} segments_subject;

static const segments_subject subjects[] = {
    {"uint32 keys, segments of 8", 8, false, false},
    {"uint32 keys, segments of 30", 30, false, false},
    {"uint32 keys, segments of 100", 100, false, false},
    {"uint32 keys, segments of 1000", 1000, false, false},
    {"uint32 keys, segments of 10000", 10000, false, false},
    {"uint32 keys, segments of 1000000", 1000000, false, false},
    {"uint32 keys, power law", POWER_LAW, false, false},
    {"uint32,uint32 pairs, segments of 100", 100, true, false},
    {"uint32,uint32 pairs, segments of 10000", 10000, true, false},
    {"uint32 argsort, segments of 100", 100, false, true},
};

/* One of them at one size. */
typedef struct subject {
    bench *b;
    const segments_subject *what;
    size_t n, segments;
    int64_t *offsets;
    clprims_segmented_sort *plan;
    bench_plan own;
} subject;

static uint32_t key_of(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return (uint32_t)(x >> 32);
}

/* P(length > x) = 1 / x, up to 2^20. */
static size_t drawn_length(uint64_t s) {
    const uint32_t bits = key_of(s * 3 + 1) >> 12;
    return ((size_t)1 << 20) / (bits + 1);
}

static void cut(subject *s) {
    const int length = s->what->length;
    const size_t most = length > 0 ? s->n / (size_t)length + 1 : s->n;
    s->offsets = bench_alloc((most + 1) * sizeof *s->offsets);
    s->offsets[0] = 0;
    for (size_t at = 0; at < s->n;) {
        const size_t drawn = length > 0 ? (size_t)length : drawn_length(s->segments);
        at = drawn < s->n - at ? at + drawn : s->n;
        s->offsets[++s->segments] = (int64_t)at;
    }
}

/* Input 0 is of keys, input 1 of offsets. */
static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    if (input == 1) {
        memcpy(to, s->offsets + first, count * sizeof *s->offsets);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ((uint32_t *)to)[i] = key_of(first + i);
    }
}

/* ---- Verifying ---- */

enum { PARTS = 64 };

typedef struct verification {
    const subject *s;
    const uint32_t *keys, *payload, *indices; /* NULL: there are none */
    size_t wrong[PARTS]; /* the first wrong element, plus 1; 0: none */
} verification;

/* Of keys alone their order and sum; of indices that each is of the segment, and stable. */
static void check_part(void *self, size_t part) {
    verification *v = self;
    const subject *s = v->s;
    const size_t first = s->segments * part / PARTS;
    const size_t end = s->segments * (part + 1) / PARTS;
    v->wrong[part] = 0;
    for (size_t k = first; k < end && v->wrong[part] == 0; k++) {
        uint64_t found = 0, expected = 0;
        const size_t begin = (size_t)s->offsets[k], stop = (size_t)s->offsets[k + 1];
        for (size_t i = begin; i < stop; i++) {
            const uint32_t index = v->indices != NULL ? v->indices[i] : 0;
            const uint32_t key = v->keys != NULL ? v->keys[i] : key_of(index);
            const uint32_t last = i == begin        ? 0
                                  : v->keys != NULL ? v->keys[i - 1]
                                                    : key_of(v->indices[i - 1]);
            bool right = last <= key;
            if (v->indices != NULL) {
                right = right && index >= begin && index < stop && key_of(index) == key;
                right = right && (i == begin || last < key || v->indices[i - 1] < index);
            }
            if (v->payload != NULL) right = right && v->payload[i] == key;
            found += (uint64_t)key * key ^ key;
            expected += (uint64_t)key_of(i) * key_of(i) ^ key_of(i);
            if (!right && v->wrong[part] == 0) v->wrong[part] = i + 1;
        }
        if (found != expected && v->wrong[part] == 0) v->wrong[part] = begin + 1;
    }
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const bool has_keys = !s->what->argsort, has_others = s->what->argsort || s->what->pairs;
    const size_t bytes = s->n * sizeof(uint32_t);
    uint32_t *keys = has_keys ? bench_alloc(bytes) : NULL;
    uint32_t *others = has_others ? bench_alloc(bytes) : NULL;
    verification v = {.s = s,
                      .keys = keys,
                      .payload = s->what->pairs ? others : NULL,
                      .indices = s->what->argsort ? others : NULL};
    bool right = true;
    if (has_keys) bench_result_read(result, 0, 0, bytes, keys);
    if (has_others) bench_result_read(result, 1, 0, bytes, others);
    bench_each_part(PARTS, check_part, &v);
    for (size_t part = 0; part < PARTS && right; part++) {
        right = v.wrong[part] == 0;
        if (!right) snprintf(fault, fault_bytes, "wrong at element %zu", v.wrong[part] - 1);
    }
    free(keys);
    free(others);
    return right;
}

/* ---- Measuring ---- */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_segmented_sort_desc desc = {0};
    clprims_segmented_sort_info info = {0};
    desc.type = CLPRIMS_U32;
    desc.max_n = s->n;
    desc.max_segments = s->segments;
    desc.no_keys = s->what->argsort;
    if (s->what->argsort) desc.indices = CLPRIMS_I32;
    desc.payloads = s->what->pairs;
    desc.payload_bytes[0] = sizeof(uint32_t);
    clprims_status status = clprims_segmented_sort_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        status = clprims_segmented_sort_describe(
            s->plan, s->n, (clprims_segmented_sort_sizes){.segments = s->segments}, &info);
    }
    *chosen = (bench_choice){info.algorithm == CLPRIMS_SEGMENTED_SORT_SERIAL ? "serial" : "groups",
                             info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    clprims_segmented_sort_buffers buffers = {.sizes.segments = s->segments};
    buffers.keys_in.mem = s->own.in[0];
    buffers.offsets.mem = s->own.in[1];
    buffers.keys_out.mem = s->own.out[0];
    if (s->what->argsort) {
        buffers.indices.mem = s->own.out[1];
    } else if (s->what->pairs) {
        buffers.payload_in[0].mem = s->own.in[0];
        buffers.payload_out[0].mem = s->own.out[1];
    }
    return clprims_segmented_sort_enqueue(s->plan, queue, &buffers, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_segmented_sort_destroy(s->plan);
}

static void measure_size(bench *b, const segments_subject *what, size_t n) {
    const size_t bytes = n * sizeof(uint32_t);
    subject s = {.b = b, .what = what, .n = n};
    beside_job job = {
        .suite = "segmented_sort", .name = what->name, .self = &s, .fill = fill, .verify = verify};
    cut(&s);
    const size_t offset_bytes = (s.segments + 1) * sizeof *s.offsets;
    job.bytes = (double)(bytes * (what->pairs ? 4 : 2) + offset_bytes);
    job.task = (peer_task){
        .primitive = what->pairs || what->argsort ? PEER_NOTHING : PEER_SEGMENTED_SORT,
        .type = PEER_U32,
        .n = n,
        .in_bytes = {bytes, offset_bytes},
        .out_bytes = {what->argsort ? 0 : bytes, what->pairs || what->argsort ? bytes : 0}};
    job.in_element_bytes[0] = sizeof(uint32_t);
    job.in_element_bytes[1] = sizeof *s.offsets;
    s.own = (bench_plan){.create = create,
                         .submit = submit,
                         .destroy = destroy,
                         .scratch_bytes = bytes * (what->pairs ? 2 : 1)};
    if (bench_plan_fits(b, &job, &s.own)) {
        bench_plan_begin(b, &job, &s.own);
        bench_plan_measure(b, &job, &s.own);
    }
    free(s.offsets);
}

void bench_segmented_sort(bench *b) {
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : (b->options.quick ? 24 : 28);
    bench_table_begin("segmented sort");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        size_t sizes[BENCH_MAX_SIZES];
        const size_t count = bench_sizes(&b->options, 2, 16, last, 4, sizes);
        if (!bench_wanted(&b->options, subjects[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &subjects[k], sizes[i]);
    }
}
