/* SPDX-License-Identifier: MIT */
/* What products and shortest paths refuse, and what a semiring of the user's own gives. */
#include "minplus/minplus_cases.h"
#include "subjects/runs/subject_refusals.h"

/* ---- Create ------------------------------------------------------------------------------------
 */

static cl_ulong local_bytes(void) {
    cl_ulong bytes = 0;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                              NULL));
    return bytes;
}

static const int32_t far = CLPRIMS_NO_EDGE_I32 + 1, zero = 0;

static void spoil_types(clprims_minplus_desc *d, subject_refusal *r) {
    ILLEGAL("semiring", "semiring = 5", d->semiring = (clprims_semiring)5)
    REFUSED("or-and-of-floats", UNSUPPORTED, "or-and of float32", d->semiring = CLPRIMS_OR_AND)
    REFUSED("argmin-of-or-and", UNSUPPORTED, "argmin of or-and", d->semiring = CLPRIMS_OR_AND,
            d->type = CLPRIMS_U8, d->argmin = 1)
    REFUSED("min-plus-of-bytes", UNSUPPORTED, "min-plus of uint8", d->type = CLPRIMS_U8,
            d->argmin = 1)
    ILLEGAL("struct", "type = 11 (struct)", d->type = CLPRIMS_STRUCT)
    ILLEGAL("far-no-edge", "no_edge = 1073741824", d->type = CLPRIMS_I32, d->no_edge = &far)
    ILLEGAL("no-edge-of-0", "no_edge = 0", d->type = CLPRIMS_I32, d->no_edge = &zero)
    ILLEGAL("no-edge-of-floats", "no_edge is not NULL", d->no_edge = &far)
    ILLEGAL("nonnegative-integers", "nonnegative is for min-plus of floats", d->type = CLPRIMS_I32,
            d->nonnegative = 1)
}

static void spoil_tuning(clprims_minplus_desc *d, subject_refusal *r) {
    ILLEGAL("rows", "multiples of 4", d->tuning = "HIGH=2 WIDE=2 ROWS=6 BARRIERS=1")
    ILLEGAL("shallow", "take a larger DEPTH",
            d->tuning = "HIGH=16 WIDE=1 ROWS=4 COLUMNS=4 DEPTH=8 BARRIERS=1")
    ILLEGAL("split", "DEPTH=8 SPLIT=8",
            d->tuning = "HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=8 SPLIT=8 BARRIERS=1")
    ILLEGAL("columns", "COLUMNS=7", d->tuning = "HIGH=1 WIDE=1 ROWS=4 COLUMNS=7")
    if (local_bytes() <= 1 << 20) {
        ILLEGAL("large-slabs", "bytes of local memory",
                d->tuning = "HIGH=1 WIDE=1 ROWS=1 COLUMNS=256 BLOCKS=256 DEPTH=1024")
    }
    ILLEGAL("deep", "DEPTH=1024, tiles of 256 * 256, need",
            d->tuning = "HIGH=16 WIDE=16 ROWS=16 COLUMNS=16 DEPTH=1024 BARRIERS=1")
    if ((test_info().device.type & CL_DEVICE_TYPE_CPU) != 0) {
        ILLEGAL("barriers", "add BARRIERS=1", d->tuning = "HIGH=2 WIDE=2")
    }
}

static void spoil(void *desc, subject_refusal *r) {
    static const float least = 0;
    clprims_minplus_desc *d = desc;
    spoil_types(d, r);
    spoil_tuning(d, r);
    ILLEGAL("custom-unread", "\"a * b\" is given, but semiring = 0 (min-plus)",
            d->custom.extend = "a * b")
    ILLEGAL("no-extend", "extend is NULL", d->semiring = CLPRIMS_SEMIRING_CUSTOM)
    ILLEGAL("no-identity", "identity is NULL", d->semiring = CLPRIMS_SEMIRING_CUSTOM,
            d->custom.extend = "a * b", d->custom.combine = "a + nothing")
    REFUSED("bad-text", BUILD, "nothing", d->semiring = CLPRIMS_SEMIRING_CUSTOM,
            d->custom.extend = "a * b", d->custom.combine = "a + nothing",
            d->custom.identity = &least)
}

static void spoil_paths(void *desc, subject_refusal *r) {
    clprims_paths_desc *d = desc;
    REFUSED("int16", UNSUPPORTED, "paths: min-plus of int16", d->type = CLPRIMS_I16)
}

static const clprims_paths_desc four = {.type = CLPRIMS_F32, .max_n = 4};

/* ---- Enqueue -----------------------------------------------------------------------------------
 */

static void enqueue_refuses(void) {
    static const clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    static const clprims_status wrong = CLPRIMS_ERR_ARGUMENT, large = CLPRIMS_ERR_TOO_LARGE;
    static const size_t far_n = (size_t)INT32_MAX + 1;
    clprims_minplus *const p = minplus_plan(&desc);
    const cl_command_queue q = test_queue();
    test_buffer buffer = test_buffer_create(NULL, 100, 4, 0);
    const cl_mem mem = buffer.at.mem;
    const clprims_matrix none = {NULL, 0, 0, 0}, a = {mem, 0, 4, 0}, b = {mem, 16, 4, 0};
    const clprims_matrix c = {mem, 32, 4, 0};
    const minplus_size s = {4, 4, 4, 1};
    const struct {
        clprims_minplus *plan;
        clprims_matrix a, c, argmin;
        minplus_size size;
        clprims_status status;
        const char *part;
    } rows[] = {
        {NULL, a, c, none, s, wrong, "plan is NULL"},
        {p, none, c, none, s, wrong, "a.mem is NULL"},
        {p, a, c, c, s, wrong, "argmin.mem is not NULL"},
        {p, a, a, none, s, wrong, "a (first = 0, n = 16) overlaps c"},
        {p, a, {mem, 17, 4, 0}, none, s, wrong, "overlap"},
        {p, a, {mem, 32, 3, 0}, none, s, wrong, "c.ld = 3 is less than its 4 columns"},
        {p, a, {mem, 4000, 4, 0}, none, s, wrong, "fewer than first = 4000"},
        {p, a, {mem, 32, SIZE_MAX / 8, 0}, none, s, large, "more bytes than can be counted"},
        {p, a, {mem, 32, 4, 15}, none, {4, 4, 4, 2}, wrong, "c.stride = 15 is less than the 16"},
        {p, a, c, none, {far_n, 4, 4, 1}, large, "m = 2147483648"},
        {p, a, c, none, {4, far_n, 4, 1}, large, "n = 2147483648"},
        {p, a, c, none, {4, 4, far_n, 1}, large, "k = 2147483648"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_note("row %zu", i);
        const minplus_size size = rows[i].size;
        const clprims_minplus_buffers at = {
            rows[i].a, b, rows[i].c, rows[i].argmin, {size.m, size.k, size.batch}};
        expect_failure(clprims_minplus_enqueue(rows[i].plan, q, &at, size.n, 0, NULL, NULL),
                       rows[i].status, rows[i].part);
    }
    const clprims_minplus_buffers nothing = {.sizes = {.k = 4}},
                                  of_one = {a, b, c, none, {4, 4, 0}};
    expect_ok(clprims_minplus_enqueue(p, q, &nothing, 4, 0, NULL, NULL));
    expect_ok(clprims_minplus_enqueue(p, q, &of_one, 4, 0, NULL, NULL));
}

static void run_refuses(void) {
    static const clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    const clprims_minplus_sizes sizes = {4, 4, 1}, huge = {4, 4, SIZE_MAX / 8};
    clprims_minplus *minplus = minplus_plan(&desc);
    float host[16] = {0};
    int32_t best[16];
    const struct {
        clprims_minplus *plan;
        clprims_minplus_arrays arrays;
        clprims_status status;
        const char *part;
    } rows[] = {
        {minplus, {NULL, host, host, NULL, sizes}, CLPRIMS_ERR_ARGUMENT, "a is NULL"},
        {minplus, {host, host, NULL, NULL, sizes}, CLPRIMS_ERR_ARGUMENT, "c is NULL"},
        {minplus, {host, host, host, best, sizes}, CLPRIMS_ERR_ARGUMENT, "argmin is not NULL"},
        {minplus, {host, host, host, NULL, huge}, CLPRIMS_ERR_TOO_LARGE, "more bytes than can be"},
        {NULL, {host, host, host, NULL, sizes}, CLPRIMS_ERR_ARGUMENT, "plan is NULL"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_note("row %zu", i);
        expect_failure(clprims_minplus_run(rows[i].plan, &rows[i].arrays, 4), rows[i].status,
                       rows[i].part);
    }
}

/* Three blocks of one matrix, in columns of their own, in any order, do not overlap. */
static void blocks_of_one(const void *data) {
    enum { N = 5, LD = 3 * N };
    const size_t *block = data; /* of a, b and c */
    static const clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    clprims_minplus *minplus = minplus_plan(&desc);
    float all[N * LD], out[N * LD];
    for (size_t i = 0; i < N * LD; i++) all[i] = (float)test_random_below(1000);
    test_buffer buffer = test_buffer_create(all, N * LD, sizeof *all, 0);
    const cl_mem mem = buffer.at.mem;
    clprims_minplus_buffers at = {.a = {mem, block[0] * N, LD, 0},
                                  .b = {mem, block[1] * N, LD, 0},
                                  .c = {mem, block[2] * N, LD, 0},
                                  .sizes = {N, N, 1}};
    expect_ok(clprims_minplus_enqueue(minplus, test_queue(), &at, N, 0, NULL, NULL));
    const oracle_matrix x = {all + at.a.first, LD}, y = {all + at.b.first, LD};
    const oracle_matrix z = {all + at.c.first, LD};
    oracle_minplus(&desc, &x, &y, &z, NULL, N, N, N);
    test_buffer_read(&buffer, out);
    expect_elements(all, out, N * LD, sizeof *all);
    for (size_t shift = 0; shift < 2; shift++) {
        /* A column of a neighbour's. */
        at.c.first = block[2] == 0 ? 1 : block[2] * N - 1 + 2 * shift;
        if (block[2] == 2 && shift == 1) continue;
        expect_failure(clprims_minplus_enqueue(minplus, test_queue(), &at, N, 0, NULL, NULL),
                       CLPRIMS_ERR_ARGUMENT, "overlaps c");
    }
}

/* A size beyond the plan's max is refused; any other of its sizes is not bounded by it. */
static void max_is_kept(void) {
    static const char *const names[] = {"m", "n", "k", "batch"};
    static const char *const mosts[] = {"max.m", "max_n", "max.k", "max.batch"};
    clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    float host[64] = {0};
    for (size_t i = 0; i < 4; i++) {
        size_t most[4] = {0, 0, 0, 0}, size[4] = {2, 2, 2, 2};
        char part[60];
        most[i] = 2;
        desc.max_n = most[1];
        desc.max = (clprims_minplus_sizes){most[0], most[2], most[3]};
        clprims_minplus *minplus = minplus_plan(&desc);
        for (size_t k = 0; k < 4; k++) {
            size[k] = 3;
            const clprims_minplus_arrays arrays = {
                host, host, host, NULL, {size[0], size[2], size[3]}};
            const clprims_status status = clprims_minplus_run(minplus, &arrays, size[1]);
            size[k] = 2;
            snprintf(part, sizeof part, "minplus: %s = 3 exceeds %s = 2 given to create", names[i],
                     mosts[i]);
            if (k == i) {
                expect_failure(status, CLPRIMS_ERR_TOO_LARGE, part);
            } else {
                expect_status_ok(status);
            }
        }
    }
}

static void described(void) {
    static const clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    clprims_minplus *minplus = minplus_plan(&desc);
    static const clprims_minplus_sizes small = {0, 0, 0}, large = {4096, 4096, 1};
    clprims_minplus_info least = {0}, info = {0};
    expect_failure(clprims_minplus_describe(minplus, (size_t)1 << 31, small, &info),
                   CLPRIMS_ERR_TOO_LARGE, "n = 2147483648");
    expect_ok(clprims_minplus_describe(minplus, 0, small, &least));
    expect_ok(clprims_minplus_describe(minplus, 4096, large, &info));
    assert_in_range(info.group, 1, 1024);
    assert_in_range(info.tile_rows, 1, 4096);
    assert_in_range(info.tile_columns, 1, 4096);
    assert_in_range(info.tile_depth, 1, 4096);
    assert_in_range(least.tile_rows, 1, info.tile_rows);
    assert_in_range(least.tile_columns, 1, info.tile_columns);
    assert_string_equal(clprims_semiring_name(CLPRIMS_OR_AND), "or-and");
    assert_string_equal(clprims_semiring_name((clprims_semiring)5), "unknown");
    assert_string_equal(clprims_semiring_name((clprims_semiring)-1), "unknown");
}

static void paths_refuse(void) {
    clprims_paths *paths = paths_plan(&four);
    float d[4] = {0};
    int32_t via[4];
    expect_failure(clprims_paths_run(paths, &(clprims_paths_arrays){d, via}, 2),
                   CLPRIMS_ERR_ARGUMENT, "without predecessors");
    test_buffer buffer = test_buffer_create(NULL, 18, 4, 0);
    const cl_command_queue q = test_queue();
    const clprims_matrix m = {buffer.at.mem, 0, 4, 0}, none = {NULL, 0, 0, 0};
    const clprims_paths_buffers right = {.d = m};
    const clprims_paths_buffers over = {m, none, {buffer.at.mem, 2}}, unwanted = {.d = m, .via = m};
    expect_failure(clprims_paths_enqueue(paths, q, &over, 4, 0, NULL, NULL), CLPRIMS_ERR_ARGUMENT,
                   "report (first = 2, n = 1) overlaps d");
    expect_failure(clprims_paths_enqueue(paths, q, &unwanted, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "via.mem is not NULL");
    expect_failure(clprims_paths_enqueue(NULL, q, &right, 4, 0, NULL, NULL), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    const clprims_paths_report unread = {-2, -1, -1, 0, 0}, half = {-1, 2, -1, 0, 0};
    expect_failure(clprims_paths_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
    expect_failure(clprims_paths_check(&unread), CLPRIMS_ERR_ARGUMENT, "report.vertex = -2");
    expect_failure(clprims_paths_check(&half), CLPRIMS_ERR_ARGUMENT, "from = 2, to = -1");
}

void add_minplus_refusals(test_cases *cases) {
    subject_add_refused(cases, &subject_minplus, subject_minplus.plain, spoil,
                        "minplus/refusals/create");
    subject_add_refused(cases, &subject_paths, &four, spoil_paths, "minplus/refusals/paths/create");
    test_add_plain(cases, enqueue_refuses, "minplus/refusals/enqueue");
    test_add_plain(cases, run_refuses, "minplus/refusals/run");
    test_add_plain(cases, described, "minplus/describe");
    test_add_plain(cases, max_is_kept, "minplus/max-is-kept");
    for (size_t i = 0; i < 6; i++) {
        const size_t first = i / 2, second = (first + 1 + i % 2) % 3;
        const size_t block[3] = {first, second, 3 - first - second};
        test_add(cases, blocks_of_one, block, sizeof block,
                 "minplus/blocks-of-one-matrix/%zu-%zu-%zu", block[0], block[1], block[2]);
    }
    test_add_plain(cases, paths_refuse, "minplus/refusals/paths");
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
    clprims_minplus_desc desc = {.type = CLPRIMS_U32,
                                 .semiring = CLPRIMS_SEMIRING_CUSTOM,
                                 .custom.declarations =
                                     "uint modulo(uint x) { return x % 65521u; }",
                                 .custom.extend = "modulo(a * b)",
                                 .custom.combine = "modulo(a + b) // to the line's end",
                                 .custom.identity = &zero,
                                 .accumulate = p->accumulate,
                                 .tuning = p->tuning};
    clprims_minplus *minplus = subject_made_plan(&subject_minplus, &desc);
    uint32_t *a = test_scratch(p->m * p->k, 4), *b = test_scratch(p->k * p->n, 4);
    uint32_t *c = test_scratch(p->m * p->n, 4), *want = test_scratch(p->m * p->n, 4);
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
    const clprims_minplus_arrays arrays = {a, b, c, NULL, {.m = p->m, .k = p->k}};
    expect_ok(clprims_minplus_run(minplus, &arrays, p->n));
    expect_values(CLPRIMS_U32, want, c, p->m * p->n);
}

void add_minplus_custom(test_cases *cases) {
    for (size_t i = 0; i < MINPLUS_SHAPES; i++) {
        /* Of groups of many, the one that shares k. */
        if (!test_long() && (i == 1 || i == 2)) continue;
        const custom_case big = {minplus_shapes[i].tuning, 35, 37, 29, i % 2};
        const custom_case small = {minplus_shapes[i].tuning, 3, 5, 16, i % 2};
        /* The serial kernel has no vectors of a user's type: its lanes are 1. */
        test_add_row(cases, plus_times_is_right, big, "minplus/custom/%s", minplus_shapes[i].name);
        test_add_row(cases, plus_times_is_right, small, "minplus/custom/%s/small",
                     minplus_shapes[i].name);
    }
    /* k is not shared, lest C's value be combined more than once. */
    const custom_case split = {"HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=16 SPLIT=4 BARRIERS=1", 35, 37,
                               29, 1};
    test_add_row(cases, plus_times_is_right, split, "minplus/custom/split");
}
