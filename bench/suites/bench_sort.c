/* SPDX-License-Identifier: MIT */
/* The sort suite: keys of several types and distributions, pairs, and indices, by AUTO, beside the
 * peers that can do it; and, alone, more keys than 32 bits count. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum distribution {
    RANDOM,
    SORTED,
    REVERSED,
    ALIKE,
    TWO_VALUES_A_BYTE,
    SIXTEEN_BITS,
    SPARSE_INNER_BYTES,
    FEW_DISTINCT
} distribution;

/* A key of many takes as long as one of the first size, where the device has room for them. */
static const size_t many_sizes[] = {(size_t)1 << 28, (size_t)1 << 30, ((size_t)1 << 32) + 5};
static const char many_name[] = "many uint32 keys";

typedef struct sort_subject {
    const char *name;
    clprims_type type;
    distribution keys;
    size_t payload_bytes; /* the payload is the key's index; 0: none */
    bool argsort;
    size_t max_n; /* of the plan, on a GPU; 0: n */
} sort_subject;

static const sort_subject subjects[] = {
    {"uint32 keys", CLPRIMS_U32, RANDOM, 0, false, 0},
    {"float32 keys", CLPRIMS_F32, RANDOM, 0, false, 0},
    {"uint64 keys", CLPRIMS_U64, RANDOM, 0, false, 0},
    {"float64 keys", CLPRIMS_F64, RANDOM, 0, false, 0},
    {"uint16 keys", CLPRIMS_U16, RANDOM, 0, false, 0},
    {"uint8 keys", CLPRIMS_U8, RANDOM, 0, false, 0},
    {"uint32 keys sorted", CLPRIMS_U32, SORTED, 0, false, 0},
    {"uint32 keys reversed", CLPRIMS_U32, REVERSED, 0, false, 0},
    {"uint32 keys alike", CLPRIMS_U32, ALIKE, 0, false, 0},
    {"uint32 keys two values a byte", CLPRIMS_U32, TWO_VALUES_A_BYTE, 0, false, 0},
    {"uint32 keys 16 bits used", CLPRIMS_U32, SIXTEEN_BITS, 0, false, 0},
    {"uint32 keys sparse inner bytes", CLPRIMS_U32, SPARSE_INNER_BYTES, 0, false, 0},
    {"uint32 keys few distinct", CLPRIMS_U32, FEW_DISTINCT, 0, false, 0},
    {"uint32 keys by a plan for 2^28", CLPRIMS_U32, RANDOM, 0, false, 1 << 28},
    {"uint32,uint32 pairs", CLPRIMS_U32, RANDOM, 4, false, 0},
    {"uint64,uint32 pairs", CLPRIMS_U64, RANDOM, 4, false, 0},
    {"uint64,uint64 pairs", CLPRIMS_U64, RANDOM, 8, false, 0},
    {"uint32 argsort", CLPRIMS_U32, RANDOM, 4, true, 0},
};

/* One of them at one size. */
typedef struct subject {
    bench *b;
    const sort_subject *what;
    size_t n, bytes; /* keys, bytes of one */
    uint64_t *hashes; /* of each chunk's keys of the input */
    clprims_sort *plan;
    bench_plan own;
} subject;

/* ---- Input ---- */

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

/* No NaN, which some peers order otherwise. */
static uint64_t finite(clprims_type type, uint64_t x) {
    if (type == CLPRIMS_F32) return x & ~(UINT64_C(1) << 30);
    return type == CLPRIMS_F64 ? x & ~(UINT64_C(1) << 62) : x;
}

/* The bits of key i; bits above the key's own are cut off. */
static uint64_t key_of(const subject *s, uint64_t i) {
    const uint64_t random = mix(i + 1);
    switch (s->what->keys) {
    case SORTED:
        return i;
    case REVERSED:
        return s->n - 1 - i;
    case ALIKE:
        return 0x12345678;
    case TWO_VALUES_A_BYTE:
        return random & 0x01010101;
    case SIXTEEN_BITS:
        return random & 0xffff;
    case SPARSE_INNER_BYTES:
        return random & 0xff0303ff;
    case FEW_DISTINCT:
        return random % 7 * 0x1234567;
    default:
        return finite(s->what->type, random);
    }
}

static uint64_t cut(const subject *s, uint64_t key) {
    return key & ~UINT64_C(0) >> (64 - 8 * s->bytes);
}

static size_t chunk_end(const subject *s, size_t chunk) {
    const size_t first = chunk * BENCH_CHUNK, rest = s->n - first;
    return first + (rest < BENCH_CHUNK ? rest : BENCH_CHUNK);
}

/* Input 0 is of keys, input 1 of their indices. */
static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    const size_t bytes = input == 0 ? s->bytes : s->what->payload_bytes;
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = input == 0 ? key_of(s, first + i) : first + i;
        memcpy((char *)to + i * bytes, &value, bytes);
    }
}

static void hash_chunk(void *self, size_t chunk) {
    const subject *s = self;
    uint64_t hash = 0;
    for (size_t i = chunk * BENCH_CHUNK; i < chunk_end(s, chunk); i++) {
        hash += mix(cut(s, key_of(s, i)) + 77);
    }
    s->hashes[chunk] = hash;
}

/* ---- Verifying ---- */

/* As an unsigned integer that compares as the key does. */
static uint64_t ordered(const subject *s, uint64_t key) {
    const uint64_t top = UINT64_C(1) << (8 * s->bytes - 1);
    if (s->what->type != CLPRIMS_F32 && s->what->type != CLPRIMS_F64) return key;
    if (key == top) key = 0;
    return (key & top) != 0 ? cut(s, ~key) : key | top;
}

/* Chunks of the result from `first` on, with the element before them, if there is one. */
typedef struct window {
    const subject *s;
    size_t first, chunks;
    size_t before; /* 0 or 1 */
    unsigned char *keys, *indices;
    uint64_t hash[BENCH_WINDOW];
    size_t wrong[BENCH_WINDOW]; /* in each chunk: the first wrong element, plus 1; 0: none */
} window;

static uint64_t loaded(const unsigned char *values, size_t bytes, size_t i) {
    uint64_t value = 0;
    memcpy(&value, values + i * bytes, bytes);
    return value;
}

/* Of pairs each key is that of its index, and indices ascend where keys are equal; so all indices
 * differ, and the result is the one right one. */
static void check_chunk(void *self, size_t part) {
    window *w = self;
    const subject *s = w->s;
    const size_t chunk = w->first + part, begin = w->first * BENCH_CHUNK - w->before;
    const size_t index_bytes = s->what->payload_bytes;
    uint64_t hash = 0;
    w->wrong[part] = 0;
    for (size_t i = chunk * BENCH_CHUNK; i < chunk_end(s, chunk); i++) {
        const size_t at = i - begin;
        uint64_t index = 0, before_index = 0, key, before;
        if (index_bytes > 0) {
            index = loaded(w->indices, index_bytes, at);
            before_index = at > 0 ? loaded(w->indices, index_bytes, at - 1) : 0;
        }
        if (s->what->argsort) {
            key = cut(s, key_of(s, index));
            before = cut(s, key_of(s, before_index));
        } else {
            key = loaded(w->keys, s->bytes, at);
            before = at > 0 ? loaded(w->keys, s->bytes, at - 1) : 0;
        }
        hash += mix(key + 77);
        bool right = at == 0 || ordered(s, before) <= ordered(s, key);
        if (index_bytes > 0) {
            const bool tie = at > 0 && ordered(s, before) == ordered(s, key);
            right = right && index < s->n && cut(s, key_of(s, index)) == key;
            right = right && (!tie || before_index < index);
        }
        if (!right && w->wrong[part] == 0) w->wrong[part] = i + 1;
    }
    w->hash[part] = hash;
}

static void read_window(window *w, const bench_result *result) {
    const subject *s = w->s;
    const size_t begin = w->first * BENCH_CHUNK - w->before;
    const size_t count = chunk_end(s, w->first + w->chunks - 1) - begin;
    if (!s->what->argsort) {
        bench_result_read(result, 0, begin * s->bytes, count * s->bytes, w->keys);
    }
    const size_t bytes = s->what->payload_bytes;
    if (bytes > 0) bench_result_read(result, 1, begin * bytes, count * bytes, w->indices);
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const size_t chunks = (s->n + BENCH_CHUNK - 1) / BENCH_CHUNK;
    const size_t most = (size_t)BENCH_WINDOW * BENCH_CHUNK + 1, held = s->n < most ? s->n : most;
    uint64_t expected = 0, found = 0;
    window w = {.s = s,
                .keys = bench_alloc(held * s->bytes),
                .indices = bench_alloc(held * s->what->payload_bytes)};
    bool right = true;
    for (; w.first < chunks && right; w.first += BENCH_WINDOW) {
        w.chunks = chunks - w.first < BENCH_WINDOW ? chunks - w.first : BENCH_WINDOW;
        w.before = w.first > 0;
        read_window(&w, result);
        bench_each_part(w.chunks, check_chunk, &w);
        for (size_t part = 0; part < w.chunks && right; part++) {
            found += w.hash[part];
            right = w.wrong[part] == 0;
            if (!right) {
                snprintf(fault, fault_bytes, "wrong at element %zu", w.wrong[part] - 1);
            }
        }
    }
    for (size_t chunk = 0; chunk < chunks; chunk++) expected += s->hashes[chunk];
    if (right && found != expected) {
        snprintf(fault, fault_bytes, "other keys than the input's");
        right = false;
    }
    free(w.keys);
    free(w.indices);
    return right;
}

/* ---- Measuring ---- */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_sort_desc desc = {0};
    clprims_sort_info info = {0};
    desc.type = s->what->type;
    desc.max_n = s->what->max_n > s->n ? s->what->max_n : s->n;
    desc.no_keys = s->what->argsort;
    if (s->what->argsort) {
        desc.indices = CLPRIMS_I32;
    } else if (s->what->payload_bytes > 0) {
        desc.payloads = 1;
        desc.payload_bytes[0] = s->what->payload_bytes;
    }
    clprims_status status = clprims_sort_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_sort_describe(s->plan, s->n, &info);
    *chosen = (bench_choice){clprims_sort_algorithm_name(info.algorithm), info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    clprims_sort_buffers buffers = {0};
    buffers.keys_in.mem = s->own.in[0];
    buffers.keys_out.mem = s->own.out[0];
    if (s->what->argsort)
        buffers.indices.mem = s->own.out[1];
    else
        buffers.payload_out[0].mem = s->own.out[1];
    buffers.payload_in[0].mem = s->own.in[1];
    return clprims_sort_enqueue(s->plan, queue, &buffers, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_sort_destroy(s->plan);
}

/* Keys and payloads read once and written once; indices are written. */
static double bytes_of(const subject *s) {
    const double keys = (double)s->bytes, payload = (double)s->what->payload_bytes;
    return (double)s->n * (s->what->argsort ? keys + payload : 2 * (keys + payload));
}

static void measure_size(bench *b, const sort_subject *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type), payload = what->payload_bytes;
    const size_t chunks = (n + BENCH_CHUNK - 1) / BENCH_CHUNK, wide = bytes + payload;
    const size_t input = what->argsort ? 0 : n * payload;
    subject s = {.b = b, .what = what, .n = n, .bytes = bytes};
    beside_job job = {
        .suite = "sort", .name = what->name, .self = &s, .fill = fill, .verify = verify};
    job.bytes = bytes_of(&s);
    job.task = (peer_task){.primitive = what->argsort ? PEER_ARGSORT
                                        : input > 0   ? PEER_SORT_PAIRS
                                                      : PEER_SORT,
                           .type = (peer_type)what->type,
                           .n = n,
                           .in_bytes = {n * bytes, input},
                           .out_bytes = {what->argsort ? 0 : n * bytes, n * payload}};
    job.in_element_bytes[0] = bytes;
    job.in_element_bytes[1] = payload;
    s.own = (bench_plan){.create = create,
                         .submit = submit,
                         .destroy = destroy,
                         .scratch_bytes = n * (what->argsort ? wide + bytes : wide)};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_step("sort %s: making the input", what->name);
    s.hashes = bench_alloc(chunks * sizeof *s.hashes);
    bench_each_part(chunks, hash_chunk, &s);
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
    free(s.hashes);
}

static void measure_many(bench *b) {
    const sort_subject many = {many_name, CLPRIMS_U32, RANDOM, 0, false, 0};
    const bool alone = b->options.alone;
    if (b->is_cpu || b->options.quick || !bench_wanted(&b->options, many_name)) return;
    b->options.alone = true;
    for (size_t i = 0; i < sizeof many_sizes / sizeof *many_sizes; i++) {
        const bool is_in = many_sizes[i] >= b->options.least && many_sizes[i] <= b->options.most;
        if (!b->options.sized || is_in) measure_size(b, &many, many_sizes[i]);
    }
    b->options.alone = alone;
}

void bench_sort(bench *b) {
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : (b->options.quick ? 24 : 28);
    bench_table_begin("sort");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        size_t sizes[BENCH_MAX_SIZES];
        const bool plot = k == 0 && !b->is_cpu;
        const size_t count = bench_sizes(&b->options, 2,
                                         plot        ? 10
                                         : b->is_cpu ? 16
                                                     : 20,
                                         last, plot ? 2 : 4, sizes);
        if (!bench_wanted(&b->options, subjects[k].name)) continue;
        if (b->is_cpu && subjects[k].max_n > 0) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &subjects[k], sizes[i]);
    }
    measure_many(b);
}
