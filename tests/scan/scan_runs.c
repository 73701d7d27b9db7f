/* SPDX-License-Identifier: MIT */
/* Many runs of one plan, queues and events, missing tiles, equal bits, and sizes beyond 32 bits. */
#include "scan/scan_cases.h"

#include <stdlib.h>
#include <string.h>

typedef struct run_case {
    clprims_scan_desc desc;
    size_t n;
} run_case;

/* What the library chooses by itself. */
static const scan_shape chosen = {"chosen", NULL, NULL};

static clprims_scan_desc describe(clprims_type type, clprims_algorithm algorithm,
                                  const scan_shape *shape) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = type;
    desc.max_n = 50000;
    scan_set(&desc, algorithm, shape);
    return desc;
}

/* ---- Back to back, and side by side -----------------------------------------------------------
 */

/* Runs of different sizes follow each other without a wait; each output is looked at in the end. */
static void runs_back_to_back(const void *data) {
    const run_case *c = data;
    enum { KEPT = 5 };
    const size_t runs = test_long() ? 10000 : test_small() ? 6 : 500;
    clprims_scan *scan = scan_plan(&c->desc);
    uint32_t *in = test_alloc(c->n, 4), *out = test_alloc(c->n, 4);
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, in, c->n);
    test_buffer from = test_buffer_create(in, c->n, 4, 0), to[KEPT];
    for (size_t i = 0; i < KEPT; i++) to[i] = test_buffer_create(NULL, c->n - 999 * i, 4, i);
    for (size_t i = 0; i < runs; i++) {
        const test_buffer *here = &to[i % KEPT];
        expect_ok(
            clprims_scan_enqueue(scan, test_queue(), from.at, here->at, here->n, 0, NULL, NULL));
    }
    for (size_t i = 0; i < KEPT; i++) {
        test_buffer_read(&to[i], out);
        expect_scan(&c->desc, in, out, to[i].n, 0);
        test_buffer_release(&to[i]);
    }
    test_buffer_release(&from);
    free(out);
    free(in);
}

/* Two plans on two queues, one of them out of order, chained by an event. */
static void two_plans_two_queues(const void *data) {
    const run_case *c = data;
    clprims_scan *first = NULL, *second = NULL;
    cl_command_queue other = test_queue_create(true);
    clprims_scan_desc inclusive = c->desc;
    cl_event done[2];
    uint32_t *in = test_alloc(c->n, 4), *sums = test_alloc(c->n, 4), *out = test_alloc(c->n, 4);
    inclusive.inclusive = 1;
    expect_ok(clprims_scan_create(&first, test_context(), &c->desc));
    expect_ok(clprims_scan_create(&second, test_context(), &inclusive));
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, in, c->n);
    test_buffer from = test_buffer_create(in, c->n, 4, 0);
    test_buffer middle = test_buffer_create(NULL, c->n, 4, 1);
    test_buffer to = test_buffer_create(NULL, c->n, 4, 2), unchained = to;
    unchained = test_buffer_create(NULL, c->n, 4, 0);
    expect_ok(
        clprims_scan_enqueue(first, test_queue(), from.at, middle.at, c->n, 0, NULL, &done[0]));
    expect_cl(clFlush(test_queue()));
    expect_ok(clprims_scan_enqueue(second, other, middle.at, to.at, c->n, 1, done, &done[1]));
    expect_cl(clFlush(other));
    expect_ok(
        clprims_scan_enqueue(first, test_queue(), from.at, unchained.at, c->n, 0, NULL, NULL));
    expect_cl(clWaitForEvents(1, &done[1]));
    expect_cl(clFinish(other));
    test_buffer_read(&unchained, sums);
    expect_scan(&c->desc, in, sums, c->n, 0);
    test_buffer_read(&to, out);
    expect_scan(&inclusive, sums, out, c->n, 0);
    for (int i = 0; i < 2; i++) expect_cl(clReleaseEvent(done[i]));
    test_buffer_release(&unchained);
    test_buffer_release(&to);
    test_buffer_release(&middle);
    test_buffer_release(&from);
    clprims_scan_destroy(second);
    clprims_scan_destroy(first);
    expect_cl(clReleaseCommandQueue(other));
    free(out);
    free(sums);
    free(in);
}

/* A run of nothing still gives an event, and waits for what it was told to wait for. */
static void empty_run_has_an_event(const void *data) {
    const run_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    const clprims_buffer nowhere = {NULL, 0};
    cl_int code, state = CL_COMPLETE;
    cl_event gate = clCreateUserEvent(test_info().context, &code), done;
    expect_cl(code);
    expect_ok(clprims_scan_enqueue(scan, test_queue(), nowhere, nowhere, 0, 1, &gate, &done));
    expect_cl(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    if (state == CL_COMPLETE) test_fail("the event is complete before the gate");
    expect_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    expect_cl(clWaitForEvents(1, &done));
    expect_cl(clReleaseEvent(done));
    expect_cl(clReleaseEvent(gate));
}

/* ---- Missing tiles ----------------------------------------------------------------------------
 */

/* Tile 0 and every k-th one never publish anything: the fallback computes what it waits for. */
static void missing_tiles_are_computed(const void *data) {
    const run_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    uint32_t *in = test_alloc(c->n, 4);
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, in, c->n);
    for (int run = 0; run < 3; run++) {
        uint32_t *out = scan_on_device(scan, &c->desc, in, 0, 0, c->n);
        expect_scan(&c->desc, in, out, c->n, 0);
        free(out);
    }
    free(in);
}

/* ---- Floats -----------------------------------------------------------------------------------
 */

/* Sums that round: near the twin of higher precision, and the same bits in every run. */
static void floats_are_the_same_every_time(const void *data) {
    const run_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    const size_t bytes = scan_in_bytes(&c->desc);
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    expect_ok(clprims_scan_describe(scan, c->n, &info));
    void *in = test_alloc(c->n, bytes);
    test_random_unit(c->desc.type, in, c->n);
    void *first = scan_on_device(scan, &c->desc, in, 0, 0, c->n);
    expect_scan(&c->desc, in, first, c->n, oracle_roundings(&info, c->n));
    for (int run = 1; run < (test_small() ? 2 : test_long() ? 100 : 20); run++) {
        void *again = scan_on_device(scan, &c->desc, in, 0, 0, c->n);
        expect_elements(first, again, c->n, bytes);
        free(again);
    }
    free(first);
    free(in);
}

/* ---- More elements than 32 bits count ---------------------------------------------------------
 */

enum { CHUNK = 1 << 26 };

static void expect_sums_of_squares(cl_mem mem, size_t n) {
    uint8_t *chunk = test_alloc(CHUNK, 1);
    uint8_t sum = 0;
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t here = n - at < CHUNK ? n - at : CHUNK;
        expect_cl(clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, at, here, chunk, 0, NULL, NULL));
        for (size_t i = 0; i < here; i++) {
            sum = (uint8_t)(sum + (uint8_t)((at + i) * (at + i)));
            if (chunk[i] != sum) test_fail("out[%zu] = %u, not %u", at + i, chunk[i], sum);
        }
    }
    free(chunk);
}

/* Scans squares of the index, then scans the result in place; checks every byte. */
static void more_than_32_bits(const void *data) {
    const run_case *c = data;
    const clprims_context_info info = test_info();
    if (info.device.max_alloc_bytes < c->n) {
        test_skip("needs one buffer of %zu bytes; this device allocates %llu", c->n,
                  (unsigned long long)info.device.max_alloc_bytes);
    }
    if ((info.device.type & CL_DEVICE_TYPE_CPU) != 0 && !test_long()) {
        test_skip("takes half a minute and 4 GiB of a CPU; tests/run --long does it");
    }
    cl_int code;
    cl_mem mem = clCreateBuffer(info.context, CL_MEM_READ_WRITE, c->n, NULL, &code);
    expect_cl(code);
    clprims_scan_desc desc = c->desc;
    desc.inclusive = 1;
    desc.max_n = c->n;
    desc.input = "(uchar)(i * i)";
    desc.no_input_array = 1;
    clprims_scan *scan = NULL;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    const clprims_buffer nothing = {NULL, 0}, all = {mem, 0};
    expect_ok(clprims_scan_enqueue(scan, test_queue(), nothing, all, c->n, 0, NULL, NULL));
    expect_sums_of_squares(mem, c->n);
    clprims_scan_destroy(scan);

    /* The differences of the sums are the squares again: scan them from memory, in place. */
    desc.input = NULL;
    desc.no_input_array = 0;
    desc.op = CLPRIMS_MAX;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_ok(clprims_scan_enqueue(scan, test_queue(), all, all, c->n, 0, NULL, NULL));
    uint8_t ends[2];
    expect_cl(
        clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, c->n - 1, 1, &ends[0], 0, NULL, NULL));
    expect_cl(clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, (size_t)UINT32_MAX + 1, 1, &ends[1],
                                  0, NULL, NULL));
    if (ends[0] != 255 || ends[1] != 255) test_fail("the maximum is %u, %u", ends[0], ends[1]);
    clprims_scan_destroy(scan);
    expect_cl(clReleaseMemObject(mem));
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static void add_case(test_cases *cases, test_function *run, const char *what, const run_case *c,
                     const char *shape) {
    test_add(cases, run, c, sizeof *c, "scan/%s/%s/n=%zu/%s/%s", what,
             clprims_type_name(c->desc.type), c->n, clprims_algorithm_name(c->desc.algorithm),
             shape);
}

static void add_missing_tiles(test_cases *cases) {
    static const scan_shape mutes[SCAN_SHAPES] = {{"one", "GROUP=1 ROWS=16 SPINS=3 DROP=4", NULL},
                                                  {"many", "GROUP=64 ROWS=2 SPINS=3 DROP=2", NULL}};
    for (int i = 0; i < SCAN_SHAPES; i++) {
        static const uint32_t start = 77;
        run_case c = {describe(CLPRIMS_U32, CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, &mutes[i]),
                      test_small() ? 1500 : 40001};
        c.desc.init = &start;
        add_case(cases, missing_tiles_are_computed, "missing-tiles", &c, mutes[i].name);
    }
}

static void add_floats(test_cases *cases) {
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES; mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        const clprims_algorithm algorithm = scan_algorithm(mode / SCAN_SHAPES);
        const run_case c = {describe(mode % 4 < 2 ? CLPRIMS_F32 : CLPRIMS_F64, algorithm, shape),
                            test_small() ? 700 : 50000};
        if (algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK)
            continue; /* it does not promise the same bits */
        add_case(cases, floats_are_the_same_every_time, "same-bits", &c, shape->name);
    }
    for (int type = CLPRIMS_F32; type <= CLPRIMS_F64; type++) {
        run_case c = {describe((clprims_type)type, CLPRIMS_ALGORITHM_AUTO, &chosen),
                      test_small() ? 700 : 3000000};
        c.desc.max_n = c.n;
        add_case(cases, floats_are_the_same_every_time, "same-bits", &c, chosen.name);
    }
}

void add_run_cases(test_cases *cases) {
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES; mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        const run_case c = {describe(CLPRIMS_U32, scan_algorithm(mode / SCAN_SHAPES), shape),
                            test_small() ? 5000 : 20000};
        if (test_small() && mode % 4 != 0) continue;
        add_case(cases, runs_back_to_back, "back-to-back", &c, shape->name);
        add_case(cases, two_plans_two_queues, "two-plans", &c, shape->name);
    }
    const run_case empty = {describe(CLPRIMS_U32, CLPRIMS_ALGORITHM_AUTO, &chosen), 0};
    add_case(cases, empty_run_has_an_event, "empty-run", &empty, "chosen");
    add_missing_tiles(cases);
    add_floats(cases);
    const run_case large = {describe(CLPRIMS_U8, CLPRIMS_ALGORITHM_AUTO, &chosen),
                            ((size_t)1 << 32) + 3};
    add_case(cases, more_than_32_bits, "beyond-32-bits", &large, "chosen");
}
