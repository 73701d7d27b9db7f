/* SPDX-License-Identifier: MIT */
/* The scatter suite: permutations, and combinations in few and many cells, beside the same loop as
 * a plain kernel, which checks nothing and does not say which of equal indices wins. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 20 };

typedef struct scatter_case {
    const char *name;
    clprims_type type; /* of 4 bytes */
    clprims_type index_type;
    clprims_scatter_repeats repeats;
    clprims_op op;
    size_t cells; /* elements of the output; 0: as many as indices, which are a permutation */
    const char *plain; /* the loop's body */
} scatter_case;

#define STORE "out[index[i]] = in[i];"
/* A compare-exchange loop; `now` holds the bits of the cell. */
#define EXCHANGE(condition, value)                                                                 \
    "volatile global uint *cell = (volatile global uint *)out + index[i];"                         \
    "uint now = *cell, seen;"                                                                      \
    "while (" condition ") {"                                                                      \
    "    seen = now;"                                                                              \
    "    now = atomic_cmpxchg(cell, seen, as_uint(" value "));"                                    \
    "    if (now == seen) break;"                                                                  \
    "}"

static const scatter_case cases[] = {
    {"uint32, distinct", CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_SCATTER_DISTINCT, CLPRIMS_ADD, 0, STORE},
    {"uint32 by int64, distinct", CLPRIMS_U32, CLPRIMS_I64, CLPRIMS_SCATTER_DISTINCT, CLPRIMS_ADD,
     0, STORE},
    {"uint32, the last wins", CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_SCATTER_LAST, CLPRIMS_ADD, 0,
     STORE},
    {"uint32, add into 2^10", CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_SCATTER_COMBINE, CLPRIMS_ADD,
     1 << 10, "atomic_add(out + index[i], in[i]);"},
    {"uint32, add into 2^20", CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_SCATTER_COMBINE, CLPRIMS_ADD,
     MOST_CELLS, "atomic_add(out + index[i], in[i]);"},
    {"float32, min into 2^20", CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_SCATTER_COMBINE, CLPRIMS_MIN,
     MOST_CELLS, EXCHANGE("in[i] < as_float(now)", "in[i]")},
    {"float32, add into 2^20", CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_SCATTER_COMBINE, CLPRIMS_ADD,
     MOST_CELLS, EXCHANGE("true", "as_float(seen) + in[i]")},
};

/* A case at one size. */
typedef struct subject {
    bench *b;
    const scatter_case *what;
    size_t n, length, index_bytes;
    clprims_scatter *plan;
    cl_program program;
    cl_kernel plain;
    bench_plan own;
} subject;

/* ---- Data --------------------------------------------------------------------------------------
 */

static uint64_t mix(uint64_t x, uint64_t mask, unsigned bits) {
    x = x * 0x9e3779b97f4a7c15u & mask;
    x ^= x >> (bits / 2 + 1);
    x = x * 0xbf58476d1ce4e5b9u & mask;
    return x ^ x >> (bits / 2 + 1);
}

/* A permutation of all numbers of that many bits, of which the ones below n are kept. */
static size_t index_of(const subject *s, size_t i) {
    unsigned bits = 1;
    while (s->n >> bits > 0) bits++;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t x = mix(i, mask, bits);
    if (s->what->cells > 0) return x % s->length;
    while (x >= s->n) x = mix(x, mask, bits);
    return (size_t)x;
}

/* Small enough that sums of floats are exact. */
static uint32_t value_of(const subject *s, size_t i) {
    return s->what->type == CLPRIMS_F32 ? (uint32_t)(i * 2654435761u % 64) : (uint32_t)i + 1;
}

static uint32_t bits_of(const subject *s, uint32_t value) {
    const float real = (float)value;
    uint32_t bits = value;
    if (s->what->type == CLPRIMS_F32) memcpy(&bits, &real, sizeof bits);
    return bits;
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    for (size_t k = 0; k < count; k++) {
        const size_t index = index_of(s, first + k);
        if (input == 1) {
            ((uint32_t *)to)[k] = bits_of(s, value_of(s, first + k));
        } else if (s->index_bytes == 8) {
            ((int64_t *)to)[k] = (int64_t)index;
        } else {
            ((int32_t *)to)[k] = (int32_t)index;
        }
    }
}

/* What each element of the output has before a run: more than every value, for MIN. */
static uint32_t before(const subject *s) {
    return s->what->op == CLPRIMS_MIN ? 1000 : 0;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    uint32_t *found = bench_alloc(s->length * sizeof *found);
    uint32_t *wanted = bench_alloc(s->length * sizeof *wanted);
    size_t wrong = 0;
    bench_result_read(result, 0, 0, s->length * sizeof *found, found);
    for (size_t j = 0; j < s->length; j++) wanted[j] = before(s);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t *cell = &wanted[index_of(s, i)];
        const uint32_t value = value_of(s, i);
        if (s->what->op == CLPRIMS_MIN) {
            if (value < *cell) *cell = value;
        } else {
            *cell += value; /* a permutation stores each once, over 0 */
        }
    }
    while (wrong < s->length && found[wrong] == bits_of(s, wanted[wrong])) wrong++;
    if (wrong < s->length) snprintf(fault, fault_bytes, "output %zu is wrong", wrong);
    free(found);
    free(wanted);
    return wrong == s->length;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    clprims_scatter_info info = {0};
    const clprims_scatter_desc desc = {.type = s->what->type,
                                       .index_type = s->what->index_type,
                                       .max_n = s->n,
                                       .max_length = s->length,
                                       .repeats = s->what->repeats,
                                       .op = s->what->op,
                                       .fast_floats = 1};
    clprims_status status = clprims_scatter_create(&s->plan, s->b->context, &desc);
    if (status == CLPRIMS_OK) {
        status = clprims_scatter_describe(s->plan, s->n, (clprims_scatter_sizes){s->length}, &info);
    }
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

/* Cells are set before each run, by a command that is a small part of the time. */
static void reset(const subject *s, cl_command_queue queue) {
    const uint32_t bits = bits_of(s, before(s));
    if (s->what->cells == 0) return;
    bench_cl(clEnqueueFillBuffer(queue, s->own.out[0], &bits, sizeof bits, 0,
                                 s->length * sizeof bits, 0, NULL, NULL),
             "clEnqueueFillBuffer");
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const clprims_scatter_buffers at = {.index.mem = s->own.in[0],
                                        .in.mem = s->own.in[1],
                                        .out.mem = s->own.out[0],
                                        .sizes.length = s->length};
    reset(s, queue);
    return clprims_scatter_enqueue(s->plan, queue, &at, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    const subject *s = self;
    clprims_scatter_destroy(s->plan);
}

static clprims_status create_plain(void *self, bench_choice *chosen) {
    subject *s = self;
    char source[1024];
    const char *text = source;
    cl_int code = CL_SUCCESS;
    snprintf(source, sizeof source,
             "kernel void plain(const global %s *index, const global %s *in, global %s *out,\n"
             "                  ulong n) {\n"
             "    const size_t i = get_global_id(0);\n"
             "    if (i >= n) return;\n"
             "    %s\n"
             "}\n",
             s->index_bytes == 8 ? "long" : "int", s->what->type == CLPRIMS_F32 ? "float" : "uint",
             s->what->type == CLPRIMS_F32 ? "float" : "uint", s->what->plain);
    s->program = clCreateProgramWithSource(s->b->info.context, 1, &text, NULL, &code);
    bench_cl(code, "clCreateProgramWithSource");
    bench_cl(clBuildProgram(s->program, 1, &s->b->info.device_id, "", NULL, NULL),
             "clBuildProgram");
    s->plain = clCreateKernel(s->program, "plain", &code);
    bench_cl(code, "clCreateKernel");
    *chosen = (bench_choice){"plain kernel", NULL};
    return CLPRIMS_OK;
}

static clprims_status submit_plain(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const cl_ulong n = s->n;
    const size_t group = 256, all = (s->n + group - 1) / group * group;
    reset(s, queue);
    bench_cl(clSetKernelArg(s->plain, 0, sizeof(cl_mem), &s->own.in[0]), "clSetKernelArg");
    bench_cl(clSetKernelArg(s->plain, 1, sizeof(cl_mem), &s->own.in[1]), "clSetKernelArg");
    bench_cl(clSetKernelArg(s->plain, 2, sizeof(cl_mem), &s->own.out[0]), "clSetKernelArg");
    bench_cl(clSetKernelArg(s->plain, 3, sizeof n, &n), "clSetKernelArg");
    bench_cl(clEnqueueNDRangeKernel(queue, s->plain, 1, NULL, &all, &group, 0, NULL, event),
             "clEnqueueNDRangeKernel");
    return CLPRIMS_OK;
}

static void destroy_plain(void *self) {
    const subject *s = self;
    clReleaseKernel(s->plain);
    clReleaseProgram(s->program);
}

static void measure_size(bench *b, const scatter_case *what, size_t n) {
    static const struct {
        const char *library;
        clprims_status (*create)(void *self, bench_choice *chosen);
        clprims_status (*submit)(void *self, cl_command_queue queue, cl_event *event);
        void (*destroy)(void *self);
    } ways[] = {{NULL, create, submit, destroy},
                {"a plain kernel", create_plain, submit_plain, destroy_plain}};
    const size_t index_bytes = clprims_type_bytes(what->index_type);
    const size_t length = what->cells > 0 ? what->cells : n;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        subject s = {.b = b, .what = what, .n = n, .length = length, .index_bytes = index_bytes};
        beside_job job = {
            .suite = "scatter",
            .name = what->name,
            .bytes = (double)(n * (index_bytes + sizeof(uint32_t)) + length * sizeof(uint32_t)),
            .self = &s,
            .in_element_bytes = {index_bytes, sizeof(uint32_t)},
            .fill = fill,
            .verify = verify};
        job.task = (peer_task){.primitive = PEER_NOTHING,
                               .type = PEER_I32,
                               .n = n,
                               .in_bytes = {n * index_bytes, n * sizeof(uint32_t)},
                               .out_bytes = {length * sizeof(uint32_t)}};
        s.own = (bench_plan){.library = ways[k].library,
                             .create = ways[k].create,
                             .submit = ways[k].submit,
                             .destroy = ways[k].destroy,
                             .scratch_bytes = length * sizeof(uint32_t)};
        if (!bench_plan_fits(b, &job, &s.own)) return;
        bench_plan_begin(b, &job, &s.own);
        bench_plan_measure(b, &job, &s.own);
    }
}

void bench_scatter(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : 26;
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, 2, sizes);
    bench_table_begin("scatter");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
