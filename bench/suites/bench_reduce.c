/* SPDX-License-Identifier: MIT */
/* The reduce suite: sums of each width, the index of the least value, expressions, operators whose
 * operands keep their order; sums beside the peers. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum reduce_kind { SUMS, SQUARES, LEAST, ARGMIN, LAST_ODD } reduce_kind;

typedef struct reduce_case {
    const char *name;
    clprims_type type, accumulator;
    reduce_kind kind;
    size_t first; /* elements that are left out in front, so that the rest is not aligned */
} reduce_case;

static const reduce_case cases[] = {
    {"float32 add", CLPRIMS_F32, CLPRIMS_F32, SUMS, 0},
    {"float64 add", CLPRIMS_F64, CLPRIMS_F64, SUMS, 0},
    {"int8 add", CLPRIMS_I8, CLPRIMS_I8, SUMS, 0},
    {"int16 add", CLPRIMS_I16, CLPRIMS_I16, SUMS, 0},
    {"int32 add", CLPRIMS_I32, CLPRIMS_I32, SUMS, 0},
    {"int64 add", CLPRIMS_I64, CLPRIMS_I64, SUMS, 0},
    {"int8 to int64 add", CLPRIMS_I8, CLPRIMS_I64, SUMS, 0},
    {"int16 to int64 add", CLPRIMS_I16, CLPRIMS_I64, SUMS, 0},
    {"int8 to float32 add", CLPRIMS_I8, CLPRIMS_F32, SUMS, 0},
    {"float32 min", CLPRIMS_F32, CLPRIMS_F32, LEAST, 0},
    {"float32 argmin", CLPRIMS_F32, CLPRIMS_F32, ARGMIN, 0},
    {"float64 argmin", CLPRIMS_F64, CLPRIMS_F64, ARGMIN, 0},
    {"int32 argmin", CLPRIMS_I32, CLPRIMS_I32, ARGMIN, 0},
    {"float32 add of x * x", CLPRIMS_F32, CLPRIMS_F32, SQUARES, 0},
    {"float32 add unaligned", CLPRIMS_F32, CLPRIMS_F32, SUMS, 1},
    {"uint32 last odd", CLPRIMS_U32, CLPRIMS_U32, LAST_ODD, 0},
};

/* A case at one size. */
typedef struct subject {
    bench *b;
    const reduce_case *what;
    size_t n, bytes;
    clprims_reduce *plan;
    bench_plan own;
} subject;

/* ---- Data --------------------------------------------------------------------------------------
 */

static uint64_t scatter(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return x ^ (x >> 29);
}

/* Element i, an integer. Sums of the floats, and of their squares, stay below 2^24 for n up to
 * 2^32, so that every order of the additions gives the same: a wrong element shows. */
static int64_t value_of(const reduce_case *what, uint64_t i) {
    const uint64_t bits = scatter(i);
    const int64_t small = (int64_t)(bits >> 62) - (int64_t)(bits >> 60 & 3);
    const bool is_float = what->accumulator == CLPRIMS_F32 || what->accumulator == CLPRIMS_F64;
    if (what->kind == SQUARES) return (bits & 0x3fff) == 0 ? small : 0;
    if (what->kind == SUMS && is_float) return small;
    if (what->kind == LAST_ODD) return (int64_t)(bits >> 41) * 2 + ((bits & 255) == 0);
    return (int64_t)(bits >> 41) - (1 << 22);
}

static void store(clprims_type type, int64_t value, void *to) {
    const float single = (float)value;
    const double wide = (double)value;
    if (type == CLPRIMS_F32) {
        memcpy(to, &single, sizeof single);
    } else if (type == CLPRIMS_F64) {
        memcpy(to, &wide, sizeof wide);
    } else {
        memcpy(to, &value, clprims_type_bytes(type)); /* the low bytes come first */
    }
}

/* The value that element i has in the input. */
static int64_t stored_value(const reduce_case *what, uint64_t i) {
    const int64_t value = value_of(what, i);
    if (what->type == CLPRIMS_I8) return (int8_t)value;
    if (what->type == CLPRIMS_I16) return (int16_t)value;
    return value;
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    (void)input;
    for (size_t i = 0; i < count; i++)
        store(s->what->type, value_of(s->what, first + i), (char *)to + i * s->bytes);
}

/* ---- Verifying ---------------------------------------------------------------------------------
 */

/* The expected result; each kind of subject uses some members. */
typedef struct total {
    uint64_t sum;
    int64_t least;
    size_t index; /* of the least, or of the last odd one */
    bool any;
} total;

typedef struct totals {
    const subject *s;
    total *parts; /* of the chunks */
} totals;

static void total_chunk(void *self, size_t part) {
    const totals *t = self;
    const reduce_case *what = t->s->what;
    const size_t begin = part * BENCH_CHUNK, limit = begin + BENCH_CHUNK;
    const size_t end = limit < t->s->n ? limit : t->s->n;
    total all = {0, 0, 0, false};
    for (size_t i = begin < what->first ? what->first : begin; i < end; i++) {
        const int64_t value = stored_value(what, i);
        all.sum += (uint64_t)(what->kind == SQUARES ? value * value : value);
        const bool takes =
            what->kind == LAST_ODD ? value % 2 != 0 || !all.any : !all.any || value < all.least;
        if (!takes) continue;
        all.least = value;
        all.index = i;
        all.any = true;
    }
    t->parts[part] = all;
}

static total total_of(const subject *s) {
    const size_t chunks = (s->n + BENCH_CHUNK - 1) / BENCH_CHUNK;
    totals t = {s, bench_alloc(chunks * sizeof *t.parts)};
    total all = {0, 0, 0, false};
    bench_each_part(chunks, total_chunk, &t);
    for (size_t part = 0; part < chunks; part++) {
        const total *next = &t.parts[part];
        all.sum += next->sum;
        const bool takes = s->what->kind == LAST_ODD ? next->least % 2 != 0 || !all.any
                                                     : !all.any || next->least < all.least;
        if (!next->any || !takes) continue;
        all.least = next->least;
        all.index = next->index;
        all.any = true;
    }
    free(t.parts);
    return all;
}

static clprims_type result_type(const reduce_case *what) {
    return what->kind == ARGMIN ? CLPRIMS_I64 : what->accumulator;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const reduce_case *what = s->what;
    const clprims_type type = result_type(what);
    const size_t bytes = clprims_type_bytes(type);
    const total all = total_of(s);
    uint64_t expected = 0, actual = 0;
    const int64_t value = what->kind == ARGMIN ? (int64_t)(all.index - what->first)
                          : what->kind == LEAST || what->kind == LAST_ODD ? all.least
                                                                          : (int64_t)all.sum;
    store(type, value, &expected);
    bench_result_read(result, 0, 0, bytes, &actual);
    if (memcmp(&expected, &actual, bytes) == 0) return true;
    snprintf(fault, fault_bytes, "the result has the bits 0x%llx, not 0x%llx",
             (unsigned long long)actual, (unsigned long long)expected);
    return false;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    const reduce_case *what = s->what;
    clprims_reduce_desc desc = {0};
    clprims_reduce_info info = {0};
    desc.type = what->type;
    desc.accumulator = what->accumulator;
    desc.max_n = s->n;
    if (what->kind == LEAST) desc.op = CLPRIMS_MIN;
    if (what->kind == ARGMIN) desc.op = CLPRIMS_ARGMIN;
    if (what->kind == SQUARES) desc.input = "x * x";
    if (what->kind == LAST_ODD) {
        desc.op = CLPRIMS_CUSTOM;
        desc.custom.op = "(b & 1) != 0 ? b : a";
    }
    clprims_status status = clprims_reduce_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_reduce_describe(s->plan, s->n, &info);
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_buffer in = {s->own.in[0], s->what->first}, out = {s->own.out[0], 0};
    return clprims_reduce_enqueue(s->plan, queue, &(clprims_reduce_buffers){.in = in, .out = out},
                                  s->n - s->what->first, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_reduce_destroy(s->plan);
}

/* Peers do sums of one type. */
static bool has_peers(const reduce_case *what) {
    return what->kind == SUMS && what->type == what->accumulator && what->first == 0;
}

static void measure_size(bench *b, const reduce_case *what, size_t n) {
    const size_t bytes = clprims_type_bytes(what->type);
    subject s = {.b = b, .what = what, .n = n, .bytes = bytes};
    beside_job job = {.suite = "reduce",
                      .name = what->name,
                      .bytes = (double)(n * bytes),
                      .self = &s,
                      .in_element_bytes = {bytes},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = has_peers(what) ? PEER_REDUCE : PEER_NOTHING,
                           .type = (peer_type)what->type,
                           .n = n,
                           .in_bytes = {n * bytes},
                           .out_bytes = {clprims_type_bytes(result_type(what))}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_reduce(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const bool quick = b->options.quick;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 26 : 30);
    const size_t count =
        bench_sizes(&b->options, 2, b->is_cpu ? 12 : 10, last, b->is_cpu || quick ? 4 : 2, sizes);
    bench_table_begin("reduce");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
