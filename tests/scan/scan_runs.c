/* SPDX-License-Identifier: MIT */
/* Many runs of one plan, missing tiles, equal bits, and sizes beyond 32 bits. */
#include "scan/scan_cases.h"

/* What the library chooses by itself. */
static const scan_shape chosen = {"chosen", NULL, NULL};

static clprims_scan_desc describe(clprims_type type, clprims_algorithm algorithm,
                                  const scan_shape *shape) {
    clprims_scan_desc desc = {.type = type, .max_n = 50000};
    scan_set(&desc, algorithm, shape);
    return desc;
}

/* ---- Back to back -----------------------------------------------------------------------------
 */

/* Runs of different sizes follow each other without a wait; each output is looked at in the end. */
static void runs_back_to_back(const void *data) {
    const scan_case *c = data;
    enum { KEPT = 5 };
    const size_t runs = test_long() ? 10000 : test_small() ? 6 : 500;
    clprims_scan *scan = scan_plan(&c->desc);
    subject_data d[KEPT];
    subject_buffers b[KEPT];
    for (size_t i = 0; i < KEPT; i++) {
        const size_t firsts[SUBJECT_SLOTS] = {[SCAN_OUT] = i};
        d[i] = scan_data(&c->desc, c->n - 999 * i);
        subject_draw(&d[i]);
        b[i] = subject_buffers_create(&d[i], firsts, 0);
    }
    for (size_t i = 0; i < runs; i++) {
        expect_ok(subject_scan.enqueue(scan, &d[i % KEPT], &b[i % KEPT].call));
    }
    expect_cl(clFinish(test_queue()));
    for (size_t i = 0; i < KEPT; i++) {
        subject_buffers_expect(&d[i], &b[i]);
    }
}

/* ---- Missing tiles ----------------------------------------------------------------------------
 */

/* Tile 0 and every k-th one never publish anything: the fallback computes what it waits for. */
static void missing_tiles_are_computed(const void *data) {
    for (int run = 0; run < 3; run++) scan_is_right(data);
}

/* ---- Floats -----------------------------------------------------------------------------------
 */

static void fill_rounding(const subject_data *d, void *in, size_t n) {
    test_random_unit(((const clprims_scan_desc *)d->desc)->type, in, n);
}

/* Sums that round: near the twin of higher precision, and the same bits in every run. */
static void floats_are_the_same_every_time(const void *data) {
    const scan_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    clprims_scan_info info = {0};
    subject_data d = scan_data(&c->desc, c->n);
    expect_ok(clprims_scan_describe(scan, c->n, &info));
    d.fill = fill_rounding;
    subject_draw(&d);
    subject_expect_as_run(&d, scan);
    expect_scan(&c->desc, d.at[SCAN_IN].values, d.at[SCAN_OUT].expected, c->n,
                oracle_roundings(&info, c->n));
    for (int run = 1; run < (test_small() ? 2 : test_long() ? 100 : 20); run++) {
        subject_enqueue_is_right(&d, scan);
    }
}

/* ---- More elements than 32 bits count ---------------------------------------------------------
 */

enum { CHUNK = 1 << 26 };

static void expect_sums_of_squares(cl_mem mem, size_t n) {
    uint8_t *chunk = test_scratch(CHUNK, 1);
    uint8_t sum = 0;
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t here = n - at < CHUNK ? n - at : CHUNK;
        expect_cl(clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, at, here, chunk, 0, NULL, NULL));
        for (size_t i = 0; i < here; i++) {
            sum = (uint8_t)(sum + (uint8_t)((at + i) * (at + i)));
            if (chunk[i] != sum) test_fail("out[%zu] = %u, not %u", at + i, chunk[i], sum);
        }
    }
}

/* Scans squares of the index, then scans the result in place; checks every byte. */
static void more_than_32_bits(const void *data) {
    const scan_case *c = data;
    const clprims_context_info info = test_info();
    test_want_memory(c->n, c->n);
    if ((info.device.type & CL_DEVICE_TYPE_CPU) != 0 && !test_long()) {
        test_skip("takes half a minute and 4 GiB of a CPU; tests/run --long does it");
    }
    cl_mem mem = test_mem(c->n);
    clprims_scan_desc desc = c->desc;
    desc.inclusive = 1;
    desc.max_n = c->n;
    desc.input = "(uchar)(i * i)";
    desc.no_input_array = 1;
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    const clprims_buffer nothing = {NULL, 0}, all = {mem, 0};
    expect_ok(clprims_scan_enqueue(scan, test_queue(),
                                   &(clprims_scan_buffers){.in = nothing, .out = all}, c->n, 0,
                                   NULL, NULL));
    expect_sums_of_squares(mem, c->n);

    /* The differences of the sums are the squares again: scan them from memory, in place. */
    desc.input = NULL;
    desc.no_input_array = 0;
    desc.op = CLPRIMS_MAX;
    scan = subject_made_plan(&subject_scan, &desc);
    expect_ok(clprims_scan_enqueue(
        scan, test_queue(), &(clprims_scan_buffers){.in = all, .out = all}, c->n, 0, NULL, NULL));
    uint8_t ends[2];
    expect_cl(
        clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, c->n - 1, 1, &ends[0], 0, NULL, NULL));
    expect_cl(clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, (size_t)UINT32_MAX + 1, 1, &ends[1],
                                  0, NULL, NULL));
    if (ends[0] != 255 || ends[1] != 255) test_fail("the maximum is %u, %u", ends[0], ends[1]);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static void add_case(test_cases *cases, test_function *run, const char *what, const scan_case *c,
                     const char *shape) {
    test_add_row(cases, run, *c, "scan/%s/%s/n=%zu/%s/%s", what, clprims_type_name(c->desc.type),
                 c->n, clprims_algorithm_name(c->desc.algorithm), shape);
}

static void add_missing_tiles(test_cases *cases) {
    static const scan_shape mutes[SCAN_SHAPES] = {{"one", "GROUP=1 ROWS=16 SPINS=3 DROP=4", NULL},
                                                  {"many", "GROUP=64 ROWS=2 SPINS=3 DROP=2", NULL}};
    for (int i = 0; i < SCAN_SHAPES; i++) {
        static const uint32_t start = 77;
        scan_case c = {.desc =
                           describe(CLPRIMS_U32, CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, &mutes[i]),
                       .n = test_small() ? 1500 : 40001};
        c.desc.init = &start;
        add_case(cases, missing_tiles_are_computed, "missing-tiles", &c, mutes[i].name);
    }
}

static void add_floats(test_cases *cases) {
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES; mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        const clprims_algorithm algorithm = scan_algorithm(mode / SCAN_SHAPES);
        const scan_case c = {
            .desc = describe(mode % 4 < 2 ? CLPRIMS_F32 : CLPRIMS_F64, algorithm, shape),
            .n = test_small() ? 700 : 50000};
        if (algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK)
            continue; /* it does not promise the same bits */
        add_case(cases, floats_are_the_same_every_time, "same-bits", &c, shape->name);
    }
    for (int type = CLPRIMS_F32; type <= CLPRIMS_F64; type++) {
        scan_case c = {.desc = describe((clprims_type)type, CLPRIMS_ALGORITHM_AUTO, &chosen),
                       .n = test_small() ? 700 : 3000000};
        c.desc.max_n = c.n;
        add_case(cases, floats_are_the_same_every_time, "same-bits", &c, chosen.name);
    }
}

void add_run_cases(test_cases *cases) {
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES; mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        const scan_case c = {.desc =
                                 describe(CLPRIMS_U32, scan_algorithm(mode / SCAN_SHAPES), shape),
                             .n = test_small() ? 5000 : 20000};
        if (test_small() && mode % 4 != 0) continue;
        add_case(cases, runs_back_to_back, "back-to-back", &c, shape->name);
    }
    add_missing_tiles(cases);
    add_floats(cases);
    const scan_case large = {.desc = describe(CLPRIMS_U8, CLPRIMS_ALGORITHM_AUTO, &chosen),
                             .n = ((size_t)1 << 32) + 3};
    add_case(cases, more_than_32_bits, "beyond-32-bits", &large, "chosen");
}
