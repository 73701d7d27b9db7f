/* SPDX-License-Identifier: MIT */
/* The segmented suite: sums of segments by offsets and of rows of one length, scans by offsets,
 * keys and flags, reduce by key; sums and scans beside the peers. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long segments are; above 0: all of them so long. */
enum { GEOMETRIC = -1, POWER_LAW = -2, HALF_EMPTY = -3, UNEVEN_30 = -4 };

typedef enum segmented_kind { SUMS, SCAN, BY_KEY } segmented_kind;

typedef struct segmented_case {
    const char *name;
    segmented_kind kind;
    clprims_segments_by by;
    clprims_type type;
    int length;
} segmented_case;

static const segmented_case cases[] = {
    {"float32 sums, segments of 1", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, 1},
    {"float32 sums, segments of 8", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, 8},
    {"float32 sums, segments of 100", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, 100},
    {"float32 sums, segments of 10000", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, 10000},
    {"float32 sums, geometric", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, GEOMETRIC},
    {"float32 sums, power law", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, POWER_LAW},
    {"float32 sums, uneven, 30 on average", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32, UNEVEN_30},
    {"float32 sums, half empty and one of n/2", SUMS, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_F32,
     HALF_EMPTY},
    {"float32 sums, rows of 1", SUMS, CLPRIMS_SEGMENTS_EQUAL, CLPRIMS_F32, 1},
    {"float32 sums, rows of 8", SUMS, CLPRIMS_SEGMENTS_EQUAL, CLPRIMS_F32, 8},
    {"float32 sums, rows of 30", SUMS, CLPRIMS_SEGMENTS_EQUAL, CLPRIMS_F32, 30},
    {"float32 sums, rows of 100", SUMS, CLPRIMS_SEGMENTS_EQUAL, CLPRIMS_F32, 100},
    {"float32 sums, rows of 1000", SUMS, CLPRIMS_SEGMENTS_EQUAL, CLPRIMS_F32, 1000},
    {"float32 sums, rows of 10000", SUMS, CLPRIMS_SEGMENTS_EQUAL, CLPRIMS_F32, 10000},
    {"int32 scan by offsets, segments of 8", SCAN, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32, 8},
    {"int32 scan by offsets, segments of 10000", SCAN, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32,
     10000},
    {"int32 scan by keys, segments of 8", SCAN, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I32, 8},
    {"int32 scan by keys, segments of 10000", SCAN, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I32, 10000},
    {"int32 scan by flags, segments of 8", SCAN, CLPRIMS_SEGMENTS_FLAGS, CLPRIMS_I32, 8},
    {"int32 scan by flags, segments of 10000", SCAN, CLPRIMS_SEGMENTS_FLAGS, CLPRIMS_I32, 10000},
    {"uint32 to int32 by key, runs of 1", BY_KEY, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I32, 1},
    {"uint32 to int32 by key, runs of 8", BY_KEY, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I32, 8},
    {"uint32 to int32 by key, runs of 100", BY_KEY, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I32, 100},
    {"uint32 to int32 by key, runs of 10000", BY_KEY, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I32, 10000},
};

/* A case at one size. */
typedef struct subject {
    bench *b;
    const segmented_case *what;
    size_t n, segments;
    int64_t *offsets; /* NULL: all segments have the same length */
    clprims_segmented *plan;
    bench_plan own;
} subject;

/* ---- Data --------------------------------------------------------------------------------------
 */

static uint64_t scatter(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return x ^ (x >> 29);
}

/* Element i. Sums stay so small that floats are exact in every order. */
static int32_t value_of(uint64_t i) {
    const uint64_t bits = scatter(i);
    return (int32_t)(bits >> 62) - (int32_t)(bits >> 60 & 3);
}

/* Of segment s, before it is cut at n: geometric with mean 8; P(length > x) = 1 / x with a mean
 * near 12 at 2^17 values; 0 to 60; every second one empty. */
static size_t drawn_length(int how, uint64_t s) {
    const double u = (double)((scatter(s) >> 11) + 1) * 0x1p-53;
    if (how == GEOMETRIC) return 1 + (size_t)(log(u) / log(1 - 1.0 / 8));
    if (how == POWER_LAW) return u < 0x1p-17 ? 1 << 17 : (size_t)(1 / u);
    if (how == UNEVEN_30) return (size_t)(scatter(s) % 61);
    return s % 2 == 0 ? 0 : 1 + (size_t)(u * 31);
}

static int64_t offset_of(const subject *s, size_t k) {
    if (s->offsets != NULL) return s->offsets[k];
    const size_t offset = k * (size_t)s->what->length;
    return (int64_t)(offset < s->n ? offset : s->n);
}

/* Half empty: one segment of n/2 stands in the middle. */
static void cut(subject *s) {
    const int how = s->what->length;
    if (how > 0) {
        s->segments = (s->n + (size_t)how - 1) / (size_t)how;
        return;
    }
    s->offsets = bench_alloc((s->n + 3) * sizeof *s->offsets);
    s->offsets[0] = 0;
    for (size_t at = 0; at < s->n;) {
        size_t length = drawn_length(how, s->segments);
        const bool middle = at < s->n / 4 && at + length >= s->n / 4;
        if (how == HALF_EMPTY && middle) length = s->n / 2;
        at = length < s->n - at ? at + length : s->n;
        s->offsets[++s->segments] = (int64_t)at;
    }
}

static void fill_heads(const subject *s, size_t first, size_t count, void *to) {
    const size_t length = s->what->length > 0 ? (size_t)s->what->length : 1;
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        if (s->what->by == CLPRIMS_SEGMENTS_OFFSETS) ((int64_t *)to)[k] = offset_of(s, i);
        if (s->what->by == CLPRIMS_SEGMENTS_KEYS) {
            ((uint32_t *)to)[k] = (uint32_t)(i / length * 2654435761u);
        }
        if (s->what->by == CLPRIMS_SEGMENTS_FLAGS) ((uint8_t *)to)[k] = i % length == 0;
    }
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    if (input == 1) {
        fill_heads(s, first, count, to);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        const int32_t value = value_of(first + k);
        if (s->what->type == CLPRIMS_F32)
            ((float *)to)[k] = (float)value;
        else
            ((int32_t *)to)[k] = value;
    }
}

/* ---- Verifying ---------------------------------------------------------------------------------
 */

/* A part of the outputs, as it was read, and where it differs. */
typedef struct window {
    const subject *s;
    const bench_result *result;
    size_t first, count; /* of the outputs */
    void *found;
    size_t wrong[BENCH_WINDOW]; /* of each part; SIZE_MAX: nothing */
} window;

static bool sum_is_right(const subject *s, size_t segment, const void *found) {
    const size_t begin = (size_t)offset_of(s, segment), end = (size_t)offset_of(s, segment + 1);
    int32_t sum = 0, actual;
    float single;
    for (size_t i = begin; i < end; i++) sum += value_of(i);
    memcpy(&single, found, sizeof single);
    memcpy(&actual, found, sizeof actual);
    return s->what->type == CLPRIMS_F32 ? single == (float)sum : actual == sum;
}

/* Outputs [first, last) of a scan. */
static size_t wrong_in_scan(const window *w, size_t first, size_t last) {
    const size_t length = (size_t)w->s->what->length;
    const int32_t *found = w->found;
    int32_t sum = 0;
    for (size_t i = first / length * length; i < last; i++) {
        sum = i % length == 0 ? value_of(i) : sum + value_of(i);
        if (i >= first && found[i - w->first] != sum) return i;
    }
    return SIZE_MAX;
}

static void compare_part(void *self, size_t part) {
    window *w = self;
    const size_t each = (w->count + BENCH_WINDOW - 1) / BENCH_WINDOW, end = w->first + w->count;
    const size_t first = w->first + part * each < end ? w->first + part * each : end;
    const size_t last = first + each < end ? first + each : end;
    w->wrong[part] = SIZE_MAX;
    if (w->s->what->kind == SCAN) {
        w->wrong[part] = wrong_in_scan(w, first, last);
        return;
    }
    for (size_t k = first; k < last && w->wrong[part] == SIZE_MAX; k++) {
        if (!sum_is_right(w->s, k, (const char *)w->found + (k - w->first) * 4)) w->wrong[part] = k;
    }
}

static bool verify_counts(const subject *s, const bench_result *result, char *fault,
                          size_t fault_bytes) {
    uint64_t count;
    uint32_t *keys = bench_alloc(s->segments * sizeof *keys);
    size_t wrong = SIZE_MAX;
    bench_result_read(result, 2, 0, sizeof count, &count);
    bench_result_read(result, 1, 0, s->segments * sizeof *keys, keys);
    for (size_t k = 0; k < s->segments && wrong == SIZE_MAX; k++) {
        if (keys[k] != (uint32_t)(k * 2654435761u)) wrong = k;
    }
    free(keys);
    if (count == s->segments && wrong == SIZE_MAX) return true;
    snprintf(fault, fault_bytes, "%llu runs, not %zu; key %zu is wrong", (unsigned long long)count,
             s->segments, wrong);
    return false;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t outputs = s->what->kind == SCAN ? s->n : s->segments;
    const size_t most = (size_t)BENCH_WINDOW * BENCH_CHUNK;
    window w = {.s = s, .result = result};
    size_t wrong = SIZE_MAX;
    if (s->what->kind == BY_KEY && !verify_counts(s, result, fault, fault_bytes)) return false;
    w.found = bench_alloc((outputs < most ? outputs : most) * 4);
    for (; w.first < outputs && wrong == SIZE_MAX; w.first += most) {
        w.count = outputs - w.first < most ? outputs - w.first : most;
        bench_result_read(result, 0, w.first * 4, w.count * 4, w.found);
        bench_each_part(BENCH_WINDOW, compare_part, &w);
        for (size_t part = BENCH_WINDOW; part-- > 0;) {
            if (w.wrong[part] != SIZE_MAX) wrong = w.wrong[part];
        }
    }
    free(w.found);
    if (wrong == SIZE_MAX) return true;
    snprintf(fault, fault_bytes, "output %zu is wrong", wrong);
    return false;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_segmented_sizes sizes_of(const subject *s) {
    clprims_segmented_sizes sizes = {0};
    if (s->what->by == CLPRIMS_SEGMENTS_OFFSETS)
        sizes.segments = s->segments;
    else if (s->what->by == CLPRIMS_SEGMENTS_EQUAL)
        sizes.length = (size_t)s->what->length;
    else if (s->what->kind != SCAN)
        sizes.capacity = s->segments;
    return sizes;
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    const segmented_case *what = s->what;
    clprims_segmented_desc desc = {0};
    clprims_segmented_info info = {0};
    desc.kind = what->kind == SCAN ? CLPRIMS_SEGMENTED_INCLUSIVE : CLPRIMS_SEGMENTED_REDUCE;
    desc.by = what->by;
    desc.type = what->type;
    if (what->by == CLPRIMS_SEGMENTS_KEYS) desc.heads_type = CLPRIMS_U32;
    desc.unique_keys = what->kind == BY_KEY;
    desc.max_n = s->n;
    desc.max_segments = s->segments;
    clprims_status status = clprims_segmented_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        status = clprims_segmented_describe(s->plan, s->n, sizes_of(s), &info);
    }
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    clprims_segmented_buffers b = {0};
    b.in.mem = s->own.in[0];
    if (s->what->by != CLPRIMS_SEGMENTS_EQUAL) b.heads.mem = s->own.in[1];
    b.out.mem = s->own.out[0];
    b.keys.mem = s->own.out[1];
    b.count.mem = s->own.out[2];
    b.sizes = sizes_of(s);
    return clprims_segmented_enqueue(s->plan, queue, &b, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_segmented_destroy(s->plan);
}

static peer_primitive peers_of(const segmented_case *what) {
    if (what->by == CLPRIMS_SEGMENTS_EQUAL) return PEER_ROW_SUM;
    if (what->kind == SUMS) return PEER_SEGMENTED_SUM;
    if (what->kind == BY_KEY) return PEER_SUM_BY_KEY;
    if (what->by == CLPRIMS_SEGMENTS_KEYS) return PEER_SCAN_BY_KEY;
    return what->by == CLPRIMS_SEGMENTS_OFFSETS ? PEER_SEGMENTED_SCAN : PEER_NOTHING;
}

/* most: the number of elements; rows are whole. */
static void measure_size(bench *b, const segmented_case *what, size_t most) {
    const bool rows = what->by == CLPRIMS_SEGMENTS_EQUAL;
    const size_t n = rows ? most - most % (size_t)what->length : most;
    subject s = {.b = b, .what = what, .n = n};
    if (n == 0) return;
    cut(&s);
    const bool offsets = what->by == CLPRIMS_SEGMENTS_OFFSETS, by_key = what->kind == BY_KEY;
    const size_t head_bytes = offsets ? 8 : what->by == CLPRIMS_SEGMENTS_KEYS ? 4 : 1;
    const size_t heads = rows ? 0 : head_bytes * (offsets ? s.segments + 1 : n);
    const size_t outputs = 4 * (what->kind == SCAN ? n : s.segments);
    const size_t keys = by_key ? 4 * s.segments : 0;
    beside_job job = {.suite = "segmented",
                      .name = what->name,
                      .bytes = (double)(4 * n + heads + outputs + keys),
                      .self = &s,
                      .in_element_bytes = {4, head_bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = peers_of(what),
                           .type = (peer_type)what->type,
                           .n = n,
                           .length = rows ? (size_t)what->length : 0,
                           .in_bytes = {4 * n, heads},
                           .out_bytes = {outputs, keys, by_key ? 8 : 0}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (bench_plan_fits(b, &job, &s.own)) {
        bench_plan_begin(b, &job, &s.own);
        bench_plan_measure(b, &job, &s.own);
    }
    free(s.offsets);
}

void bench_segmented(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 26 : 28);
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, 4, sizes);
    bench_table_begin("segmented");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
