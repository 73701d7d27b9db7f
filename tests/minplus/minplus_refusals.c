/* SPDX-License-Identifier: MIT */
/* What products and shortest paths refuse, and what a semiring of the user's own gives. */
#include "minplus/minplus_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Create ------------------------------------------------------------------------------------
 */

static void expect_refused(const clprims_minplus_desc *desc, clprims_status status,
                           const char *part) {
    clprims_minplus *minplus = (clprims_minplus *)1;
    expect_failure(clprims_minplus_create(&minplus, test_context(), desc), status, part);
    if (minplus != NULL) test_fail("a failed create leaves a plan");
}

static cl_ulong local_bytes(void) {
    cl_ulong bytes = 0;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                              NULL));
    return bytes;
}

static void create_refuses(const void *data) {
    (void)data;
    const int32_t far = INT32_MAX / 2 + 1, zero = 0;
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    expect_failure(clprims_minplus_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "minplus: out is NULL");
    expect_refused(NULL, CLPRIMS_ERR_ARGUMENT, "minplus: desc is NULL");
    desc.struct_size--;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "start from CLPRIMS_MINPLUS_DESC_INIT");
    desc = (clprims_minplus_desc)CLPRIMS_MINPLUS_DESC_INIT;
    desc.semiring = (clprims_semiring)5;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "semiring = 5");
    desc.semiring = CLPRIMS_OR_AND;
    expect_refused(&desc, CLPRIMS_ERR_UNSUPPORTED, "or-and of float32");
    desc.type = CLPRIMS_U8;
    desc.argmin = 1;
    expect_refused(&desc, CLPRIMS_ERR_UNSUPPORTED, "argmin of or-and");
    desc.semiring = CLPRIMS_MIN_PLUS;
    expect_refused(&desc, CLPRIMS_ERR_UNSUPPORTED, "min-plus of uint8");
    desc.type = CLPRIMS_STRUCT;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "type = 11");
    desc.type = CLPRIMS_I32;
    desc.no_edge = &far;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "no_edge = 1073741824");
    desc.no_edge = &zero;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "no_edge = 0");
    desc.no_edge = NULL;
    desc.nonnegative = 1;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "nonnegative is for min-plus of floats");
    desc = (clprims_minplus_desc)CLPRIMS_MINPLUS_DESC_INIT;
    desc.no_edge = &far;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "no_edge is not NULL");
    desc.no_edge = NULL;
    desc.tuning = "HIGH=2 WIDE=2 ROWS=6 BARRIERS=1";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "multiples of 4");
    desc.tuning = "HIGH=16 WIDE=1 ROWS=4 COLUMNS=4 DEPTH=8 BARRIERS=1";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "take a larger DEPTH");
    desc.tuning = "HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=8 SPLIT=8 BARRIERS=1";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "DEPTH=8 SPLIT=8");
    desc.tuning = "HIGH=1 WIDE=1 ROWS=4 COLUMNS=7";
    desc.type = CLPRIMS_F32;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "COLUMNS=7");
    desc.tuning = "HIGH=1 WIDE=1 ROWS=1 COLUMNS=256 BLOCKS=256 DEPTH=1024";
    if (local_bytes() <= 1 << 20)
        expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "bytes of local memory");
    desc.tuning = "HIGH=16 WIDE=16 ROWS=16 COLUMNS=16 DEPTH=1024 BARRIERS=1";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "DEPTH=1024, tiles of 256 * 256, need");
    desc.tuning = "SPEED=9";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "names no knob");
    if ((test_info().device.type & CL_DEVICE_TYPE_CPU) == 0) return;
    desc.tuning = "HIGH=2 WIDE=2";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "add BARRIERS=1");
}

/* ---- Enqueue -----------------------------------------------------------------------------------
 */

static void enqueue_refuses(const void *data) {
    (void)data;
    static const clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *minplus = minplus_plan(&desc);
    test_buffer buffer = test_buffer_create(NULL, 100, 4, 0);
    const cl_mem mem = buffer.at.mem;
    const clprims_matrix none = {NULL, 0, 0, 0}, a = {mem, 0, 4, 0}, b = {mem, 16, 4, 0};
    clprims_matrix c = {mem, 32, 4, 0};
    clprims_minplus_size size = {4, 4, 4, 1};
#define REFUSED(a_, b_, c_, k_, status, part)                                                      \
    expect_failure(                                                                                \
        clprims_minplus_enqueue(minplus, test_queue(), a_, b_, c_, k_, size, 0, NULL, NULL),       \
        status, part)
    expect_failure(clprims_minplus_enqueue(NULL, test_queue(), a, b, c, none, size, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_minplus_enqueue(minplus, NULL, a, b, c, none, size, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    REFUSED(none, b, c, none, CLPRIMS_ERR_ARGUMENT, "a.mem is NULL");
    REFUSED(a, b, c, c, CLPRIMS_ERR_ARGUMENT, "argmin.mem is not NULL");
    REFUSED(a, b, a, none, CLPRIMS_ERR_ARGUMENT, "a (first = 0, n = 16) overlaps c");
    c.first = 17;
    REFUSED(a, b, c, none, CLPRIMS_ERR_ARGUMENT, "overlap");
    c = (clprims_matrix){mem, 32, 3, 0};
    REFUSED(a, b, c, none, CLPRIMS_ERR_ARGUMENT, "c.ld = 3 is less than its 4 columns");
    c = (clprims_matrix){mem, 4000, 4, 0};
    REFUSED(a, b, c, none, CLPRIMS_ERR_ARGUMENT, "fewer than first = 4000");
    c = (clprims_matrix){mem, 32, SIZE_MAX / 8, 0};
    REFUSED(a, b, c, none, CLPRIMS_ERR_ARGUMENT, "more elements than can be counted");
    c = (clprims_matrix){mem, 32, 4, 15};
    size.batch = 2;
    REFUSED(a, b, c, none, CLPRIMS_ERR_ARGUMENT, "c.stride = 15 is less than the 16");
    size = (clprims_minplus_size){(size_t)INT32_MAX + 1, 4, 4, 1};
    REFUSED(a, b, c, none, CLPRIMS_ERR_TOO_LARGE, "m = 2147483648");
    size = (clprims_minplus_size){4, (size_t)INT32_MAX + 1, 4, 1};
    REFUSED(a, b, c, none, CLPRIMS_ERR_TOO_LARGE, "n = 2147483648");
    size = (clprims_minplus_size){4, 4, (size_t)INT32_MAX + 1, 1};
    REFUSED(a, b, c, none, CLPRIMS_ERR_TOO_LARGE, "k = 2147483648");
    size = (clprims_minplus_size){4, 4, 4, 0};
    expect_ok(clprims_minplus_enqueue(minplus, test_queue(), none, none, none, none, size, 0, NULL,
                                      NULL));
    size = (clprims_minplus_size){4, 4, 4, 1};
    float host[16] = {0};
    int32_t best[16];
    expect_failure(clprims_minplus_run(minplus, NULL, host, host, NULL, size), CLPRIMS_ERR_ARGUMENT,
                   "a is NULL");
    expect_failure(clprims_minplus_run(minplus, host, host, NULL, NULL, size), CLPRIMS_ERR_ARGUMENT,
                   "c is NULL");
    expect_failure(clprims_minplus_run(minplus, host, host, host, best, size), CLPRIMS_ERR_ARGUMENT,
                   "argmin is not NULL");
    size = (clprims_minplus_size){SIZE_MAX / 2, 4, 4, 1};
    expect_failure(clprims_minplus_run(minplus, host, host, host, NULL, size),
                   CLPRIMS_ERR_TOO_LARGE, "more bytes than can be counted");
    expect_failure(clprims_minplus_run(NULL, host, host, host, NULL, size), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    test_buffer_release(&buffer);
}

/* Three blocks of one matrix, in columns of their own, in any order, do not overlap. */
static void blocks_of_one(const void *data) {
    enum { N = 5, LD = 3 * N };
    const size_t *block = data; /* of a, b and c */
    static const clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *minplus = minplus_plan(&desc);
    float all[N * LD], out[N * LD];
    for (size_t i = 0; i < N * LD; i++) all[i] = (float)test_random_below(1000);
    test_buffer buffer = test_buffer_create(all, N * LD, sizeof *all, 0);
    const cl_mem mem = buffer.at.mem;
    const clprims_matrix a = {mem, block[0] * N, LD, 0}, b = {mem, block[1] * N, LD, 0};
    const clprims_matrix c = {mem, block[2] * N, LD, 0}, none = {NULL, 0, 0, 0};
    const clprims_minplus_size size = {N, N, N, 1};
    expect_ok(clprims_minplus_enqueue(minplus, test_queue(), a, b, c, none, size, 0, NULL, NULL));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            float least = INFINITY;
            for (size_t k = 0; k < N; k++)
                least = fminf(least, all[i * LD + a.first + k] + all[k * LD + b.first + j]);
            all[i * LD + c.first + j] = least;
        }
    test_buffer_read(&buffer, out);
    expect_elements(all, out, N * LD, sizeof *all);
    for (size_t shift = 0; shift < 2; shift++) {
        /* A column of a neighbour's. */
        const clprims_matrix wide = {mem, block[2] == 0 ? 1 : c.first - 1 + 2 * shift, LD, 0};
        if (block[2] == 2 && shift == 1) continue;
        expect_failure(
            clprims_minplus_enqueue(minplus, test_queue(), a, b, wide, none, size, 0, NULL, NULL),
            CLPRIMS_ERR_ARGUMENT, "overlaps c");
    }
    test_buffer_release(&buffer);
}

/* A size beyond the plan's max is refused; any other of its sizes is not bounded by it. */
static void max_is_kept(const void *data) {
    (void)data;
    static const char *const names[] = {"m", "n", "k", "batch"};
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    float host[64] = {0};
    for (size_t i = 0; i < 4; i++) {
        size_t most[4] = {0, 0, 0, 0}, size[4] = {2, 2, 2, 2};
        char part[60];
        most[i] = 2;
        desc.max = (clprims_minplus_size){most[0], most[1], most[2], most[3]};
        clprims_minplus *minplus = minplus_plan(&desc);
        for (size_t k = 0; k < 4; k++) {
            size[k] = 3;
            const clprims_minplus_size given = {size[0], size[1], size[2], size[3]};
            const clprims_status status =
                clprims_minplus_run(minplus, host, host, host, NULL, given);
            size[k] = 2;
            snprintf(part, sizeof part, "minplus: %s = 3 exceeds max.%s = 2 given to create",
                     names[i], names[i]);
            if (k == i) {
                expect_failure(status, CLPRIMS_ERR_TOO_LARGE, part);
            } else {
                expect_ok(status);
            }
        }
    }
}

static void described(const void *data) {
    (void)data;
    static const clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *minplus = minplus_plan(&desc);
    clprims_minplus_info info = CLPRIMS_MINPLUS_INFO_INIT;
    expect_failure(clprims_minplus_describe(NULL, &info), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_minplus_describe(minplus, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_ok(clprims_minplus_describe(minplus, &info));
    assert_in_range(info.group, 1, 1024);
    assert_in_range(info.tile_rows, 1, 4096);
    assert_in_range(info.tile_columns, 1, 4096);
    assert_in_range(info.tile_depth, 1, 4096);
    assert_in_range(info.narrow_rows, 1, info.tile_rows);
    assert_in_range(info.narrow_columns, 1, info.tile_columns);
    assert_in_range(info.small_rows, 1, info.narrow_rows);
    assert_in_range(info.small_columns, 1, info.narrow_columns);
    assert_string_equal(clprims_semiring_name(CLPRIMS_OR_AND), "or-and");
    assert_string_equal(clprims_semiring_name((clprims_semiring)5), "unknown");
    assert_string_equal(clprims_semiring_name((clprims_semiring)-1), "unknown");
}

static void paths_refuse(const void *data) {
    (void)data;
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    clprims_paths *paths = NULL;
    float d[4] = {0};
    int32_t via[4];
    expect_failure(clprims_paths_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL");
    expect_failure(clprims_paths_create(&paths, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "context is NULL");
    expect_failure(clprims_paths_create(&paths, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "desc is NULL");
    desc.struct_size = 3;
    expect_failure(clprims_paths_create(&paths, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "struct_size = 3");
    desc.struct_size = sizeof desc;
    expect_failure(clprims_paths_create(&paths, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "max_n = 0");
    desc.max_n = (size_t)1 << 31;
    expect_failure(clprims_paths_create(&paths, test_context(), &desc), CLPRIMS_ERR_TOO_LARGE,
                   "max_n = 2147483648");
    desc.max_n = 4;
    desc.type = CLPRIMS_I16;
    expect_failure(clprims_paths_create(&paths, test_context(), &desc), CLPRIMS_ERR_UNSUPPORTED,
                   "paths: min-plus of int16");
    desc.type = CLPRIMS_F32;
    expect_ok(clprims_paths_create(&paths, test_context(), &desc));
    expect_failure(clprims_paths_run(paths, d, NULL, 5), CLPRIMS_ERR_TOO_LARGE,
                   "paths: n = 5 exceeds max_n = 4");
    expect_failure(clprims_paths_run(paths, NULL, NULL, 2), CLPRIMS_ERR_ARGUMENT, "d is NULL");
    expect_failure(clprims_paths_run(paths, d, via, 2), CLPRIMS_ERR_ARGUMENT,
                   "without predecessors");
    test_buffer buffer = test_buffer_create(NULL, 18, 4, 0);
    const clprims_matrix m = {buffer.at.mem, 0, 4, 0}, none = {NULL, 0, 0, 0};
    const clprims_buffer report = {buffer.at.mem, 2}, unwanted = {NULL, 0};
    expect_failure(clprims_paths_enqueue(paths, test_queue(), m, none, 4, report, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "report (first = 2, n = 1) overlaps d");
    expect_failure(clprims_paths_enqueue(paths, test_queue(), m, m, 4, unwanted, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "via.mem is not NULL");
    expect_failure(clprims_paths_enqueue(NULL, test_queue(), m, none, 4, unwanted, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_paths_enqueue(paths, NULL, m, none, 4, unwanted, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(clprims_paths_run(NULL, d, NULL, 2), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    const clprims_paths_report unread = {-2, -1, -1, 0, 0}, half = {-1, 2, -1, 0, 0};
    expect_failure(clprims_paths_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
    expect_failure(clprims_paths_check(&unread), CLPRIMS_ERR_ARGUMENT, "report.vertex = -2");
    expect_failure(clprims_paths_check(&half), CLPRIMS_ERR_ARGUMENT, "from = 2, to = -1");
    test_buffer_release(&buffer);
    clprims_paths_destroy(paths);
    clprims_paths_destroy(NULL);
    clprims_minplus_destroy(NULL);
}

void add_minplus_refusals(test_cases *cases) {
    test_add(cases, create_refuses, NULL, 0, "minplus/refusals/create");
    test_add(cases, enqueue_refuses, NULL, 0, "minplus/refusals/enqueue");
    test_add(cases, described, NULL, 0, "minplus/describe");
    test_add(cases, max_is_kept, NULL, 0, "minplus/max-is-kept");
    for (size_t i = 0; i < 6; i++) {
        const size_t first = i / 2, second = (first + 1 + i % 2) % 3;
        const size_t block[3] = {first, second, 3 - first - second};
        test_add(cases, blocks_of_one, block, sizeof block,
                 "minplus/blocks-of-one-matrix/%zu-%zu-%zu", block[0], block[1], block[2]);
    }
    test_add(cases, paths_refuse, NULL, 0, "minplus/refusals/paths");
}

/* ---- A semiring of the user's own
 * ---------------------------------------------------------------- */

typedef struct custom_case {
    const char *tuning;
    size_t m, n, k;
    bool accumulate;
} custom_case;

/* Plus and times modulo a prime: a repeated pair, or one too few, would show. */
static void plus_times_is_right(const void *data) {
    const custom_case *p = data;
    const uint32_t zero = 0;
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.semiring = CLPRIMS_SEMIRING_CUSTOM;
    desc.custom.declarations = "uint modulo(uint x) { return x % 65521u; }";
    desc.custom.extend = "modulo(a * b)";
    desc.custom.combine = "modulo(a + b) // to the line's end";
    desc.custom.identity = &zero;
    desc.accumulate = p->accumulate;
    desc.tuning = p->tuning;
    clprims_minplus *minplus = NULL;
    expect_ok(clprims_minplus_create(&minplus, test_context(), &desc));
    uint32_t *a = test_alloc(p->m * p->k, 4), *b = test_alloc(p->k * p->n, 4);
    uint32_t *c = test_alloc(p->m * p->n, 4), *want = test_alloc(p->m * p->n, 4);
    for (size_t i = 0; i < p->m * p->k; i++) a[i] = (uint32_t)test_random_below(65521);
    for (size_t i = 0; i < p->k * p->n; i++) b[i] = (uint32_t)test_random_below(65521);
    for (size_t i = 0; i < p->m * p->n; i++) {
        c[i] = (uint32_t)test_random_below(65521);
        want[i] = p->accumulate ? c[i] : 0;
        for (size_t w = 0; w < p->k; w++) {
            const uint64_t product = (uint64_t)a[i / p->n * p->k + w] * b[w * p->n + i % p->n];
            want[i] = (want[i] + (uint32_t)((uint32_t)product % 65521)) % 65521;
        }
    }
    expect_ok(
        clprims_minplus_run(minplus, a, b, c, NULL, (clprims_minplus_size){p->m, p->n, p->k, 1}));
    expect_values(CLPRIMS_U32, want, c, p->m * p->n);
    clprims_minplus_destroy(minplus);
    free(a);
    free(b);
    free(c);
    free(want);
}

static void bad_text_is_named(const void *data) {
    (void)data;
    const float zero = 0;
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *minplus = NULL;
    desc.semiring = CLPRIMS_SEMIRING_CUSTOM;
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "extend is NULL");
    desc.custom.extend = "a * b";
    desc.custom.combine = "a + nothing";
    expect_refused(&desc, CLPRIMS_ERR_ARGUMENT, "identity is NULL");
    desc.custom.identity = &zero;
    expect_failure(clprims_minplus_create(&minplus, test_context(), &desc), CLPRIMS_ERR_BUILD,
                   "nothing");
}

void add_minplus_custom(test_cases *cases) {
    for (size_t i = 0; i < MINPLUS_SHAPES; i++) {
        /* Of groups of many, the one that shares k. */
        if (!test_long() && (i == 1 || i == 2)) continue;
        const custom_case big = {minplus_shapes[i].tuning, 35, 37, 29, i % 2};
        const custom_case small = {minplus_shapes[i].tuning, 3, 5, 16, i % 2};
        /* The serial kernel has no vectors of a user's type: its lanes are 1. */
        test_add(cases, plus_times_is_right, &big, sizeof big, "minplus/custom/%s",
                 minplus_shapes[i].name);
        test_add(cases, plus_times_is_right, &small, sizeof small, "minplus/custom/%s/small",
                 minplus_shapes[i].name);
    }
    /* k is not shared, lest C's value be combined more than once. */
    const custom_case split = {"HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=16 SPLIT=4 BARRIERS=1", 35, 37,
                               29, 1};
    test_add(cases, plus_times_is_right, &split, sizeof split, "minplus/custom/split");
    test_add(cases, bad_text_is_named, NULL, 0, "minplus/custom/bad-text");
}
