/* SPDX-License-Identifier: MIT */
/*
 * One plan and many n at the sizes where the plans of a GPU change: lists are made and results are
 * compared on the device. Other devices get the same in small.
 *
 * A list visits the elements in the order F(0), F(1), ..., where F is a bijection of [0, n) made of
 * shifts and products, so that rank and predecessor of every element follow from its inverse.
 */
#include "sizes/sizes.h"

#include "core/test_hooks.h"
#include "subjects/subjects.h"

/* What is tried; slots: of the subject's arrays. */
typedef struct kind {
    const char *name;
    const subject *of;
    const void *desc;
    size_t values, out, head, report; /* slots; 0: none. That of the links is 0. */
    bool is_order, is_long;
} kind;

typedef struct large {
    const kind *kind;
    size_t max_n;
    size_t scale; /* what the sizes are divided by */
} large;

enum { GUARD = 1024, SMALLER = 20000, LIST_LENGTH = 1009 };

static const size_t sizes[] = {10000000, 50000000, 59000000, 100000000, 200000000, 230000000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* ---- Kernels ---- */

static const char text[] =
    "typedef struct { uint n, mask, shift, length; } order;\n"
    "uint mix(uint x, order o) {\n"
    "    x ^= x >> o.shift; x = x * 0x85ebca6bu & o.mask;\n"
    "    x ^= x >> o.shift; x = x * 0xc2b2ae35u & o.mask;\n"
    "    return x ^ x >> o.shift;\n"
    "}\n"
    "uint unmix(uint x, order o) {\n"
    "    x ^= x >> o.shift; x = x * 0x7ed1b41du & o.mask;\n"
    "    x ^= x >> o.shift; x = x * 0xa5cb9243u & o.mask;\n"
    "    return x ^ x >> o.shift;\n"
    "}\n"
    "uint element_of(uint place, order o) {\n"
    "    do place = mix(place, o); while (place >= o.n);\n"
    "    return place;\n"
    "}\n"
    "uint place_of(uint element, order o) {\n"
    "    do element = unmix(element, o); while (element >= o.n);\n"
    "    return element;\n"
    "}\n"
    "ulong sum_before(uint place) {\n"
    "    ulong x = place * 0x9e3779b97f4a7c15ul;\n"
    "    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;\n"
    "    return x ^ x >> 32;\n"
    "}\n"
    "kernel void make(global int *next, global ulong *values, order o) {\n"
    "    for (uint i = get_global_id(0); i < o.n; i += get_global_size(0)) {\n"
    "        const uint place = place_of(i, o);\n"
    "        const bool last = place + 1 == o.n || (place + 1) % o.length == 0;\n"
    "        next[i] = last ? -1 : (int)element_of(place + 1, o);\n"
    "        if (values) values[i] = sum_before(place + 1) - sum_before(place);\n"
    "    }\n"
    "}\n"
    "void expect(bool right, uint i, volatile global uint *wrong) {\n"
    "    if (right) return;\n"
    "    atomic_inc(&wrong[0]);\n"
    "    atomic_min(&wrong[1], i);\n"
    "}\n"
    "kernel void compare(global const int *out, global const int *heads, global const ulong "
    "*sums,\n"
    "                    uint as_order, order o, uint guard, global uint *wrong) {\n"
    "    for (uint i = get_global_id(0); i < o.n; i += get_global_size(0)) {\n"
    "        const uint place = place_of(i, o);\n"
    "        const uint own = place % o.length;\n"
    "        if (out && as_order) expect(out[i] == (int)element_of(i, o), i, wrong);\n"
    "        if (out && !as_order) expect(out[i] == (int)own, i, wrong);\n"
    "        if (heads) expect(heads[i] == (int)element_of(place - own, o), i, wrong);\n"
    "        if (sums) expect(sums[i] == sum_before(place) - sum_before(0), i, wrong);\n"
    "    }\n"
    "    for (uint i = o.n + get_global_id(0); i < o.n + guard; i += get_global_size(0)) {\n"
    "        if (out) expect(out[i] == 0x5a5a5a5a, i, wrong);\n"
    "        if (heads) expect(heads[i] == 0x5a5a5a5a, i, wrong);\n"
    "        if (sums) expect(sums[i] == 0x5a5a5a5a5a5a5a5aul, i, wrong);\n"
    "    }\n"
    "}\n";

typedef struct order {
    cl_uint n, mask, shift, length;
} order;

static order order_of(size_t n, size_t length) {
    unsigned bits = 2;
    while (((size_t)1 << bits) < n) bits++;
    return (order){(cl_uint)n, (cl_uint)(((size_t)1 << bits) - 1), (bits + 1) / 2, (cl_uint)length};
}

static cl_uint first_element(order o) {
    cl_uint x = 0;
    do {
        x ^= x >> o.shift;
        x = x * 0x85ebca6bu & o.mask;
        x ^= x >> o.shift;
        x = x * 0xc2b2ae35u & o.mask;
        x ^= x >> o.shift;
    } while (x >= o.n);
    return x;
}

/* ---- A plan and its buffers ---- */

typedef struct bench {
    const kind *kind;
    void *plan;
    cl_kernel make, compare;
    cl_mem next, values, out, heads, report, wrong;
} bench;

static size_t result_bytes(const bench *b) {
    return b->kind->values > 0 ? sizeof(cl_ulong) : sizeof(cl_int);
}

static void create_kernels(bench *b) {
    const clprims_context_info info = test_info();
    const char *chars = text;
    cl_int code;
    cl_program program = clCreateProgramWithSource(info.context, 1, &chars, NULL, &code);
    expect_cl(code);
    expect_cl(clBuildProgram(program, 1, &info.device_id, "-w", NULL, NULL));
    b->make = clCreateKernel(program, "make", &code);
    expect_cl(code);
    b->compare = clCreateKernel(program, "compare", &code);
    expect_cl(code);
    expect_cl(clReleaseProgram(program));
}

static void create_buffers(bench *b, const large *l) {
    const size_t largest = sizes[SIZES - 1] / l->scale;
    const size_t n = largest < l->max_n ? largest : l->max_n, bytes = result_bytes(b);
    b->next = test_mem(n * sizeof(cl_int));
    b->out = test_mem((n + GUARD) * bytes);
    if (b->kind->values > 0) b->values = test_mem(n * bytes);
    if (b->kind->head > 0) b->heads = test_mem((n + GUARD) * bytes);
    b->report = test_mem(sizeof(clprims_list_report));
    b->wrong = test_mem(2 * sizeof(cl_uint));
}

static void release(bench *b) {
    b->kind->of->destroy(b->plan);
    expect_cl(clReleaseKernel(b->make));
    expect_cl(clReleaseKernel(b->compare));
}

/* ---- One run ---- */

static void set(cl_kernel kernel, cl_uint number, size_t bytes, const void *value) {
    expect_cl(clSetKernelArg(kernel, number, bytes, value));
}

static void launch(cl_kernel kernel) {
    const size_t group = 1, items = test_info().device.compute_units * (size_t)2048;
    const bool is_cpu = (test_info().device.type & CL_DEVICE_TYPE_CPU) != 0;
    expect_cl(clEnqueueNDRangeKernel(test_queue(), kernel, 1, NULL, is_cpu ? &group : &items, NULL,
                                     0, NULL, NULL));
}

static void fill(cl_mem mem, size_t bytes) {
    static const cl_uint pattern = 0x5a5a5a5a;
    if (mem == NULL) return;
    expect_cl(clEnqueueFillBuffer(test_queue(), mem, &pattern, 4, 0, bytes / 4 * 4, 0, NULL, NULL));
}

static void make(bench *b, const order *o) {
    const size_t bytes = result_bytes(b);
    set(b->make, 0, sizeof b->next, &b->next);
    set(b->make, 1, sizeof b->values, b->values == NULL ? NULL : &b->values);
    set(b->make, 2, sizeof *o, o);
    launch(b->make);
    fill(b->out, (o->n + GUARD) * bytes);
    fill(b->heads, (o->n + GUARD) * bytes);
}

static void enqueue(bench *b, size_t n) {
    const kind *w = b->kind;
    const subject_data data = {.of = w->of, .desc = w->desc, .n = {n}, .head = FIND_HEAD};
    subject_submission call = {.queue = test_queue(), .at[0].mem = b->next};
    if (w->values > 0) call.at[w->values].mem = b->values;
    if (w->head > 0) call.at[w->head].mem = b->heads;
    call.at[w->out].mem = b->out;
    call.at[w->report].mem = b->report;
    expect_ok(w->of->enqueue(b->plan, &data, &call));
}

static void expect_right(bench *b, const order *o) {
    const cl_uint as_order = b->kind->is_order, guard = GUARD, none[2] = {0, UINT32_MAX};
    const bool is_scan = b->kind->values > 0;
    cl_uint wrong[2];
    clprims_list_report report;
    set(b->compare, 0, sizeof b->out, is_scan ? NULL : &b->out);
    set(b->compare, 1, sizeof b->heads, b->heads == NULL ? NULL : &b->heads);
    set(b->compare, 2, sizeof b->out, is_scan ? &b->out : NULL);
    set(b->compare, 3, sizeof as_order, &as_order);
    set(b->compare, 4, sizeof *o, o);
    set(b->compare, 5, sizeof guard, &guard);
    set(b->compare, 6, sizeof b->wrong, &b->wrong);
    expect_cl(
        clEnqueueWriteBuffer(test_queue(), b->wrong, CL_TRUE, 0, sizeof none, none, 0, NULL, NULL));
    launch(b->compare);
    expect_cl(clEnqueueReadBuffer(test_queue(), b->wrong, CL_TRUE, 0, sizeof wrong, wrong, 0, NULL,
                                  NULL));
    expect_cl(clEnqueueReadBuffer(test_queue(), b->report, CL_TRUE, 0, sizeof report, &report, 0,
                                  NULL, NULL));
    assert_int_equal(report.fault, CLPRIMS_LIST_VALID);
    assert_int_equal(report.head, b->heads != NULL ? -1 : (int64_t)first_element(*o));
    if (wrong[0] > 0) test_fail("%u elements are wrong, the first of them %u", wrong[0], wrong[1]);
}

static void sweeps(const void *data) {
    const large *l = data;
    const kind *w = l->kind;
    const size_t most[SUBJECT_NUMBERS] = {l->max_n};
    bench b = {.kind = w};
    test_want_memory(48 * l->max_n, 20 * l->max_n);
    /* The kernels as they are delivered. */
    clp_checked = false;
    create_kernels(&b);
    expect_ok(subject_create(w->of, test_context(), w->desc, NULL, most, &b.plan));
    create_buffers(&b, l);
    for (size_t k = 0; k < SIZES; k++) {
        const size_t n = sizes[k] / l->scale;
        if (n > l->max_n) continue;
        const order o = order_of(n, w->head > 0 ? LIST_LENGTH : n);
        test_note("%s, max_n = %zu, n = %zu", w->name, l->max_n, n);
        make(&b, &o);
        enqueue(&b, n);
        expect_right(&b, &o);
    }
    release(&b);
}

#define LIST(...) &subject_list, SUBJECT_DESC(list, .link = CLPRIMS_I32, __VA_ARGS__)
static const kind all[] = {
    {"ranks", LIST(.result = CLPRIMS_LIST_RANKS), .out = 1, .report = 2},
    {"order", LIST(.result = CLPRIMS_LIST_ORDER), .out = 1, .report = 2, .is_order = true},
    {"in-place", LIST(.algorithm = CLPRIMS_LIST_IN_PLACE), .out = 1, .report = 2, .is_long = true},
    {"scan", &subject_listscan,
     SUBJECT_CUSTOM_DESC(listscan, .link = CLPRIMS_I32, .type = CLPRIMS_I64), .values = 1, .out = 2,
     .report = 3},
    {"forest", &subject_forest, SUBJECT_DESC(forest, .link = CLPRIMS_I32), .out = 1, .head = 2,
     .report = 4},
};

void sizes_add_large(test_cases *cases) {
    static const size_t most[] = {200000000, 240000000, 300000000, 1000000000};
    const clprims_device_info device = test_info().device;
    const bool is_large = (device.type & CL_DEVICE_TYPE_CPU) == 0 && device.memory_bytes >> 35 > 0;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
            const size_t scale = is_large ? 1 : SMALLER;
            const large l = {&all[k], most[i] / scale, scale};
            /* In small they show that these cases work, and no more. */
            if (!is_large && !test_long() && (all[k].is_long || test_small())) continue;
            test_add_row(cases, sweeps, l, "sizes/large/%s/max_n=%zu", all[k].name, l.max_n);
        }
}
