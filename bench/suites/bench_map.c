/* SPDX-License-Identifier: MIT */
/* The map suite: one pass over elements of several sizes, at several places, with one output, two,
 * and without an input. */
#include "harness/bench_plan.h"
#include "suites/suites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 2 };

typedef struct map_case {
    const char *name;
    clprims_type in; /* DEFAULT: there is no input */
    clprims_type out[OUTPUTS]; /* DEFAULT: the plan lacks this output */
    const char *value[OUTPUTS];
    double factor, more[OUTPUTS]; /* output k is x * factor + more[k], or that of i % 128 */
    size_t in_first, out_first;
} map_case;

/* A STRUCT is of three floats. */
static const char declarations[] =
    "typedef struct point { float x, y, z; } point;\n"
    "point twice(point p) { p.x *= 2; p.y *= 2; p.z *= 2; return p; }\n";

#define TWICE(name, type, in, out)                                                                 \
    { name, type, {type}, {"x * 2"}, 2, {0}, in, out }

static const map_case cases[] = {
    TWICE("float32", CLPRIMS_F32, 0, 0),
    TWICE("float32, both from element 1", CLPRIMS_F32, 1, 1),
    TWICE("float32, from element 1 to 0", CLPRIMS_F32, 1, 0),
    TWICE("float32, from element 0 to 3", CLPRIMS_F32, 0, 3),
    TWICE("uint8", CLPRIMS_U8, 0, 0),
    TWICE("uint8, from element 1 to 0", CLPRIMS_U8, 1, 0),
    TWICE("uint8, from element 0 to 3", CLPRIMS_U8, 0, 3),
    TWICE("uint16", CLPRIMS_U16, 0, 0),
    TWICE("uint16, from element 1 to 0", CLPRIMS_U16, 1, 0),
    TWICE("float64", CLPRIMS_F64, 0, 0),
    {"float32 to uint8", CLPRIMS_F32, {CLPRIMS_U8}, {"x"}, 1, {0}, 0, 0},
    {"float32 to two float32",
     CLPRIMS_F32,
     {CLPRIMS_F32, CLPRIMS_F32},
     {"x", "x + 1"},
     1,
     {0, 1},
     0,
     0},
    {"float32 without an input", CLPRIMS_TYPE_DEFAULT, {CLPRIMS_F32}, {"i & 127"}, 1, {0}, 0, 0},
    {"structs of 12 bytes", CLPRIMS_STRUCT, {CLPRIMS_STRUCT}, {"twice(x)"}, 2, {0}, 0, 0},
    {"structs of 12 bytes, from element 1 to 0",
     CLPRIMS_STRUCT,
     {CLPRIMS_STRUCT},
     {"twice(x)"},
     2,
     {0},
     1,
     0},
};

/* One of them at one size. */
typedef struct subject {
    bench *b;
    const map_case *what;
    size_t n;
    clprims_map *map;
    bench_plan own;
} subject;

static size_t bytes_of(clprims_type type) {
    return type == CLPRIMS_STRUCT ? 3 * sizeof(float) : clprims_type_bytes(type);
}

/* The bytes of an element whose numbers are all `value`. */
static void store(clprims_type type, double value, void *to) {
    const uint8_t u8 = (uint8_t)value;
    const uint16_t u16 = (uint16_t)value;
    const float point[] = {(float)value, (float)value, (float)value};
    const void *from = type == CLPRIMS_U8    ? (const void *)&u8
                       : type == CLPRIMS_U16 ? (const void *)&u16
                       : type == CLPRIMS_F64 ? (const void *)&value
                                             : point;
    memcpy(to, from, bytes_of(type));
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    const subject *s = self;
    const size_t bytes = bytes_of(s->what->in), from = s->what->in_first;
    (void)input;
    for (size_t k = 0; k < count; k++) {
        const size_t at = first + k; /* elements in front of the first are not read */
        store(s->what->in, at < from ? 99 : (double)((at - from) % 128), (char *)to + k * bytes);
    }
}

static bool verify_output(const subject *s, const bench_result *result, size_t k, size_t *wrong) {
    const map_case *what = s->what;
    const size_t bytes = bytes_of(what->out[k]);
    unsigned char *found = bench_alloc(BENCH_CHUNK * bytes), expected[16];
    bool right = true;
    for (size_t first = 0; first < s->n && right; first += BENCH_CHUNK) {
        const size_t count = s->n - first < BENCH_CHUNK ? s->n - first : BENCH_CHUNK;
        const size_t place = (what->out_first + first) * bytes;
        bench_result_read(result, (int)k, place, count * bytes, found);
        for (size_t j = 0; j < count && right; j++) {
            *wrong = first + j;
            store(what->out[k], (double)(*wrong % 128) * what->factor + what->more[k], expected);
            right = memcmp(found + j * bytes, expected, bytes) == 0;
        }
    }
    free(found);
    return right;
}

static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    size_t wrong = 0;
    for (size_t k = 0; k < OUTPUTS && s->what->value[k] != NULL; k++) {
        if (verify_output(s, result, k, &wrong)) continue;
        snprintf(fault, fault_bytes, "element %zu of output %zu is wrong", wrong, k);
        return false;
    }
    return true;
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    const map_case *what = s->what;
    clprims_map_info info = {0};
    clprims_map_desc desc = {
        .type = what->in,
        .no_input_array = what->in == CLPRIMS_TYPE_DEFAULT,
        .max_n = s->n,
        .custom = {.declarations = declarations, .type_name = "point", .type_bytes = 12}};
    for (size_t k = 0; k < OUTPUTS; k++) {
        desc.output[k] = (clprims_map_output){.type = what->out[k], .value = what->value[k]};
    }
    clprims_status status = clprims_map_create(&s->map, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_map_describe(s->map, s->n, &info);
    *chosen = (bench_choice){info.variant, info.variant};
    return status;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    clprims_map_buffers buffers = {.in = {s->own.in[0], s->what->in_first}};
    for (size_t k = 0; k < OUTPUTS && s->what->value[k] != NULL; k++) {
        buffers.out[k] = (clprims_buffer){s->own.out[k], s->what->out_first};
    }
    if (s->what->in == CLPRIMS_TYPE_DEFAULT) buffers.in = (clprims_buffer){NULL, 0};
    return clprims_map_enqueue(s->map, queue, &buffers, s->n, 0, NULL, event);
}

static void destroy(void *self) {
    clprims_map_destroy(((const subject *)self)->map);
}

static void measure_size(bench *b, const map_case *what, size_t n) {
    subject s = {.b = b, .what = what, .n = n};
    const size_t in = bytes_of(what->in);
    beside_job job = {.suite = "map",
                      .name = what->name,
                      .bytes = (double)(n * in),
                      .self = &s,
                      .in_element_bytes = {in},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = PEER_NOTHING,
                           .type = PEER_I32,
                           .n = n,
                           .in_bytes = {in > 0 ? (n + what->in_first) * in : 0}};
    for (size_t k = 0; k < OUTPUTS; k++) {
        const size_t out = bytes_of(what->out[k]);
        job.bytes += (double)(n * out);
        job.task.out_bytes[k] = out > 0 ? (n + what->out_first) * out : 0;
    }
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_map(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = b->is_cpu ? (b->options.quick ? 20 : 24) : 28;
    const size_t count = bench_sizes(&b->options, 2, b->is_cpu ? 12 : 16, last, 4, sizes);
    bench_table_begin("map");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
