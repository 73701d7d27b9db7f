/* SPDX-License-Identifier: MIT */
/* The top-k suite: the greatest keys of several types and their indices, random and adversarial;
 * the greatest float32 keys of each row or uneven segment, and their indices in it; beside CUB,
 * whose results are in no order and have any of equal keys. */
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
    clprims_type type; /* of the elements */
} topk_subject;

/* The keys of structures. */
typedef struct thing {
    uint32_t key, other[3];
} thing;

static const topk_subject subjects[] = {
    {"uint32 top 1", RANDOM, 1, CLPRIMS_U32},
    {"uint32 top 100", RANDOM, 100, CLPRIMS_U32},
    {"uint32 top 1000", RANDOM, 1000, CLPRIMS_U32},
    {"uint32 top 100, alike", ALIKE, 100, CLPRIMS_U32},
    {"uint32 top 100, same high bits", SAME_HIGH_BITS, 100, CLPRIMS_U32},
    {"uint32 top 100, sorted", SORTED, 100, CLPRIMS_U32},
    {"uint32 top 10000", RANDOM, 10000, CLPRIMS_U32},
    {"uint32 top 10000, alike", ALIKE, 10000, CLPRIMS_U32},
    {"uint32 top 10000, sorted", SORTED, 10000, CLPRIMS_U32},
    {"uint32 top half", RANDOM, 0, CLPRIMS_U32},
    {"uint64 top 100", RANDOM, 100, CLPRIMS_U64},
    {"int8 top 100", RANDOM, 100, CLPRIMS_I8},
    {"float32 top 50", RANDOM, 50, CLPRIMS_F32},
    {"float32 top 100", RANDOM, 100, CLPRIMS_F32},
    {"float64 top 100", RANDOM, 100, CLPRIMS_F64},
    {"structures of 16 bytes by a uint32, top 100", RANDOM, 100, CLPRIMS_STRUCT},
};

/* One of them at one size. */
typedef struct subject {
    bench *b;
    const topk_subject *what;
    size_t n, k;
    clprims_topk *plan;
    bench_plan own;
} subject;

static uint64_t mixed(uint64_t i) {
    const uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    return (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
}

static size_t bytes_of(const subject *s) {
    switch (s->what->type) {
    case CLPRIMS_I8:
        return 1;
    case CLPRIMS_U64:
    case CLPRIMS_F64:
        return 8;
    case CLPRIMS_STRUCT:
        return sizeof(thing);
    default:
        return 4;
    }
}

/* An integer that compares as the key does. */
static int64_t key_of(const subject *s, uint64_t i) {
    const uint64_t x = mixed(i);
    switch (s->what->keys) {
    case ALIKE:
        return 0x12345678;
    case SAME_HIGH_BITS:
        return 0x12345000 | (uint32_t)(x >> 52);
    case SORTED:
        return (uint32_t)i;
    default:
        break;
    }
    switch (s->what->type) {
    case CLPRIMS_I8:
        return (int8_t)(x >> 56);
    case CLPRIMS_F32:
        return (int64_t)(float)(int32_t)(x >> 32);
    case CLPRIMS_U64:
        return (int64_t)(x >> 1);
    case CLPRIMS_F64:
        return (int64_t)(x >> 12); /* a double has it */
    default:
        return (int64_t)(x >> 32);
    }
}

static void put(const subject *s, uint64_t i, void *to) {
    const int64_t key = key_of(s, i);
    const float narrow = (float)key;
    const double wide = (double)key;
    const thing structure = {(uint32_t)key, {0}};
    switch (s->what->type) {
    case CLPRIMS_F32:
        memcpy(to, &narrow, sizeof narrow);
        return;
    case CLPRIMS_F64:
        memcpy(to, &wide, sizeof wide);
        return;
    case CLPRIMS_STRUCT:
        memcpy(to, &structure, sizeof structure);
        return;
    default:
        memcpy(to, &key, bytes_of(s)); /* of a little-endian integer the lowest bytes */
    }
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    (void)input;
    for (size_t i = 0; i < count; i++) put(self, first + i, (char *)to + i * bytes_of(self));
}

/* ---- Verifying ---- */

/* Whether element a comes before element b. */
typedef bool precedes_function(const void *self, uint64_t a, uint64_t b);

static bool precedes(const void *self, uint64_t a, uint64_t b) {
    const int64_t x = key_of(self, a), y = key_of(self, b);
    return x > y || (x == y && a < b);
}

/* The same where equal keys may come in any order. */
static bool is_greater(const void *self, uint64_t a, uint64_t b) {
    return key_of(self, a) > key_of(self, b);
}

/* A peer's indices in our order. */
static void put_in_order(const void *self, precedes_function *before, uint32_t *indices,
                         size_t count) {
    for (size_t i = 1; i < count; i++) {
        const uint32_t index = indices[i];
        size_t to = i;
        for (; to > 0 && before(self, index, indices[to - 1]); to--) indices[to] = indices[to - 1];
        indices[to] = index;
    }
}

/* The indices are distinct and in order, and no other element precedes the last of them. */
static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t bytes = bytes_of(s);
    char *values = bench_alloc(s->k * bytes), expected[sizeof(thing)];
    uint32_t *indices = bench_alloc(s->k * sizeof *indices);
    precedes_function *comes_before = result->peer == NULL ? precedes : is_greater;
    size_t before = 0, found = 0, wrong = 0;
    bench_result_read(result, 0, 0, s->k * bytes, values);
    bench_result_read(result, 1, 0, s->k * sizeof *indices, indices);
    for (size_t i = 0; i < s->k && wrong == 0; i++) {
        put(s, indices[i], expected);
        if (indices[i] >= s->n || memcmp(values + i * bytes, expected, bytes) != 0) wrong = i + 1;
    }
    if (result->peer != NULL) put_in_order(s, precedes, indices, s->k);
    const uint32_t last = indices[s->k - 1];
    for (size_t i = 0; i < s->k && wrong == 0; i++) {
        if (i > 0 && !precedes(s, indices[i - 1], indices[i])) wrong = i + 1;
        found += comes_before(s, indices[i], last);
    }
    for (size_t i = 0; i < s->n && wrong == 0; i++) before += comes_before(s, i, last);
    if (wrong > 0) {
        snprintf(fault, fault_bytes, "wrong at element %zu", wrong - 1);
    } else if (before != found) {
        snprintf(fault, fault_bytes, "%zu elements precede the last one, not %zu", before, found);
    }
    free(values);
    free(indices);
    return wrong == 0 && before == found;
}

/* ---- Measuring ---- */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_topk_desc desc = {0};
    clprims_topk_info info = {0};
    desc.type = s->what->type;
    if (desc.type == CLPRIMS_STRUCT) {
        desc.type = CLPRIMS_U32;
        desc.key = "x.key";
        desc.elements = CLPRIMS_STRUCT;
        desc.custom.declarations = "typedef struct { uint key, other[3]; } thing;";
        desc.custom.type_name = "thing";
        desc.custom.type_bytes = sizeof(thing);
    }
    desc.indices = CLPRIMS_U32;
    desc.max_n = s->n;
    desc.max_k = s->k;
    clprims_status status = clprims_topk_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK)
        status = clprims_topk_describe(s->plan, s->n, (clprims_topk_sizes){.k = s->k}, &info);
    if (status != CLPRIMS_OK) return status;
    *chosen = (bench_choice){"candidates", info.variant};
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
    const size_t bytes = n * bytes_of(&s), found = s.k * bytes_of(&s);
    const bool is_word = what->type == CLPRIMS_U32;
    if (s.k == 0 || s.k > n) {
        b->skipped++;
        return;
    }
    job.bytes = (double)(bytes + found + s.k * sizeof(uint32_t));
    job.task = (peer_task){.primitive = what->k > 0 && is_word ? PEER_TOP_K : PEER_NOTHING,
                           .type = PEER_U32,
                           .n = n,
                           .limit = s.k,
                           .in_bytes = {bytes, 0},
                           .out_bytes = {found, s.k * sizeof(uint32_t)}};
    job.in_element_bytes[0] = bytes_of(&s);
    s.own = (bench_plan){.create = create,
                         .submit = submit,
                         .destroy = destroy,
                         .scratch_bytes = what->k == 0 ? 4 * bytes : 0};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

/* ---- Rows and segments ---- */

enum { VOCABULARY = 151936, VOCABULARY_ROWS = 512 };

typedef struct rows_subject {
    const char *name;
    size_t length, k;
    bool uneven; /* segments by offsets, of up to two times the length */
} rows_subject;

static const rows_subject row_subjects[] = {
    {"float32 rows of 128, top 10", 128, 10, false},
    {"float32 rows of 1024, top 32", 1024, 32, false},
    {"float32 rows of 4096, top 32", 4096, 32, false},
    {"float32 rows of 32768, top 100", 32768, 100, false},
    {"float32 rows of 151936, top 50", VOCABULARY, 50, false},
    {"float32 segments of 100, top 10", 100, 10, true},
    {"float32 segments of 1000, top 10", 1000, 10, true},
};

/* One of them at one size. */
typedef struct rows {
    bench *b;
    const rows_subject *what;
    size_t n, segments;
    int64_t *offsets;
    clprims_topk *plan;
    bench_plan own;
} rows;

static float row_key(uint64_t i) {
    return (float)(int32_t)(mixed(i) >> 32);
}

static void cut(rows *s) {
    const size_t length = s->what->length;
    s->offsets = bench_alloc((s->n + 2) * sizeof *s->offsets);
    s->offsets[0] = 0;
    for (size_t at = 0; at < s->n;) {
        const size_t drawn = s->what->uneven ? mixed(s->segments) % (2 * length + 1) : length;
        at = drawn < s->n - at ? at + drawn : s->n;
        s->offsets[++s->segments] = (int64_t)at;
    }
}

/* Input 0 is of keys, input 1 of offsets. */
static void fill_rows(void *self, int input, size_t first, size_t count, void *to) {
    const rows *s = self;
    if (input == 1) {
        memcpy(to, s->offsets + first, count * sizeof *s->offsets);
        return;
    }
    for (size_t i = 0; i < count; i++) ((float *)to)[i] = row_key(first + i);
}

/* ---- Verifying ---- */

enum { PARTS = 64 };

typedef struct verification {
    const rows *s;
    const float *values;
    uint32_t *indices;
    bool by_peer;
    size_t wrong[PARTS]; /* the first wrong segment, plus 1; 0: none */
} verification;

static bool row_precedes(const void *begin, uint64_t a, uint64_t b) {
    const float x = row_key(*(const size_t *)begin + a), y = row_key(*(const size_t *)begin + b);
    return x > y || (x == y && a < b);
}

static bool row_is_greater(const void *begin, uint64_t a, uint64_t b) {
    return row_key(*(const size_t *)begin + a) > row_key(*(const size_t *)begin + b);
}

/* As verify. Puts a peer's indices in order. */
static bool is_right(const verification *v, size_t segment) {
    const rows *s = v->s;
    const size_t begin = (size_t)s->offsets[segment], end = (size_t)s->offsets[segment + 1];
    const size_t count = end - begin < s->what->k ? end - begin : s->what->k;
    const float *values = v->values + segment * s->what->k;
    uint32_t *indices = v->indices + segment * s->what->k;
    precedes_function *comes_before = v->by_peer ? row_is_greater : row_precedes;
    size_t before = 0, found = 0;
    for (size_t j = 0; j < count; j++) {
        if (begin + indices[j] >= end || values[j] != row_key(begin + indices[j])) return false;
    }
    if (v->by_peer) put_in_order(&begin, row_precedes, indices, count);
    for (size_t j = 0; j < count; j++) {
        if (j > 0 && !row_precedes(&begin, indices[j - 1], indices[j])) return false;
        found += comes_before(&begin, indices[j], indices[count - 1]);
    }
    for (size_t i = 0; i < end - begin && count > 0; i++)
        before += comes_before(&begin, i, indices[count - 1]);
    return before == found;
}

static void check_part(void *self, size_t part) {
    verification *v = self;
    const size_t end = v->s->segments * (part + 1) / PARTS;
    v->wrong[part] = 0;
    for (size_t k = v->s->segments * part / PARTS; k < end && v->wrong[part] == 0; k++) {
        if (!is_right(v, k)) v->wrong[part] = k + 1;
    }
}

static bool verify_rows(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const rows *s = self;
    const size_t bytes = s->segments * s->what->k * sizeof(float);
    float *values = bench_alloc(bytes);
    uint32_t *indices = bench_alloc(bytes);
    verification v = {
        .s = s, .values = values, .indices = indices, .by_peer = result->peer != NULL};
    bool right = true;
    bench_result_read(result, 0, 0, bytes, values);
    bench_result_read(result, 1, 0, bytes, indices);
    bench_each_part(PARTS, check_part, &v);
    for (size_t part = 0; part < PARTS && right; part++) {
        right = v.wrong[part] == 0;
        if (!right) snprintf(fault, fault_bytes, "wrong in segment %zu", v.wrong[part] - 1);
    }
    free(values);
    free(indices);
    return right;
}

/* ---- Measuring ---- */

static clprims_topk_sizes sizes_of(const rows *s) {
    clprims_topk_sizes sizes = {.k = s->what->k};
    if (s->what->uneven)
        sizes.segments = s->segments;
    else
        sizes.length = s->what->length;
    return sizes;
}

static clprims_status create_rows(void *self, bench_choice *chosen) {
    rows *s = self;
    clprims_topk_desc desc = {0};
    clprims_topk_info info = {0};
    desc.type = CLPRIMS_F32;
    desc.indices = CLPRIMS_U32;
    desc.local_indices = 1;
    desc.by = s->what->uneven ? CLPRIMS_SEGMENTS_OFFSETS : CLPRIMS_SEGMENTS_EQUAL;
    desc.max_n = s->n;
    desc.max_k = s->what->k;
    desc.max_segments = s->segments;
    clprims_status status = clprims_topk_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_topk_describe(s->plan, s->n, sizes_of(s), &info);
    *chosen = (bench_choice){"candidates", info.variant};
    return status;
}

static clprims_status submit_rows(void *self, cl_command_queue queue, cl_event *event) {
    const rows *s = self;
    const clprims_topk_buffers buffers = {.in.mem = s->own.in[0],
                                          .offsets.mem = s->what->uneven ? s->own.in[1] : NULL,
                                          .values.mem = s->own.out[0],
                                          .indices.mem = s->own.out[1],
                                          .sizes = sizes_of(s)};
    return clprims_topk_enqueue(s->plan, queue, &buffers, s->n, 0, NULL, event);
}

static void destroy_rows(void *self) {
    const rows *s = self;
    clprims_topk_destroy(s->plan);
}

static void set_sizes(const rows *s, beside_job *job) {
    const size_t bytes = s->n * sizeof(float), found = s->segments * s->what->k * sizeof(float);
    const size_t offsets = s->what->uneven ? (s->segments + 1) * sizeof *s->offsets : 0;
    job->bytes = (double)(bytes + offsets + 2 * found);
    job->task = (peer_task){.primitive = s->what->uneven ? PEER_NOTHING : PEER_TOP_K,
                            .type = PEER_F32,
                            .n = s->n,
                            .limit = s->what->k,
                            .length = s->what->uneven ? 0 : s->what->length,
                            .in_bytes = {bytes, offsets},
                            .out_bytes = {found, found}};
}

static void measure_rows(bench *b, const rows_subject *what, size_t n) {
    rows s = {.b = b, .what = what, .n = n, .segments = n / what->length + 1};
    beside_job job = {
        .suite = "topk", .name = what->name, .self = &s, .fill = fill_rows, .verify = verify_rows};
    job.in_element_bytes[0] = sizeof(float);
    job.in_element_bytes[1] = sizeof *s.offsets;
    s.own = (bench_plan){.create = create_rows, .submit = submit_rows, .destroy = destroy_rows};
    set_sizes(&s, &job);
    if (!bench_plan_fits(b, &job, &s.own)) return;
    s.segments = 0;
    cut(&s);
    set_sizes(&s, &job);
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
    free(s.offsets);
}

static void measure_all_rows(bench *b) {
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : (b->options.quick ? 24 : 28);
    for (size_t k = 0; k < sizeof row_subjects / sizeof *row_subjects; k++) {
        size_t sizes[BENCH_MAX_SIZES], count = 1;
        const bool is_vocabulary = row_subjects[k].length == VOCABULARY;
        if (!bench_wanted(&b->options, row_subjects[k].name)) continue;
        sizes[0] = (size_t)VOCABULARY * (b->is_cpu ? 16 : VOCABULARY_ROWS);
        if (!is_vocabulary) {
            count = bench_sizes(&b->options, 2, b->is_cpu ? 16 : 20, last, 4, sizes);
        }
        for (size_t i = 0; i < count; i++) {
            const bool is_asked = sizes[i] >= b->options.least && sizes[i] <= b->options.most;
            if (is_asked) measure_rows(b, &row_subjects[k], sizes[i]);
        }
    }
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
    measure_all_rows(b);
}
