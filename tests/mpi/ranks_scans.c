/* SPDX-License-Identifier: MIT */
/* Reduce and scan over ranks beside their twins of the whole array. */
#include "harness/special_floats.h"
#include "mpi/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 3000 };

static const int64_t minus_seven = -7;

/* What is combined, and a scan's form of it. */
typedef struct kind {
    const char *name;
    clprims_type type;
    clprims_op op;
    int inclusive;
    const void *init;
    const custom_operand *custom;
} kind;

static const kind kinds[] = {
    {"uint32-add-exclusive", CLPRIMS_U32, CLPRIMS_ADD, 0, NULL, NULL},
    {"int64-max-inclusive-init", CLPRIMS_I64, CLPRIMS_MAX, 1, &minus_seven, NULL},
    {"float32-add-inclusive", CLPRIMS_F32, CLPRIMS_ADD, 1, NULL, NULL},
    {"affine-inclusive", CLPRIMS_STRUCT, CLPRIMS_CUSTOM, 1, NULL, &custom_affine},
    {"special-add-exclusive", CLPRIMS_F32, CLPRIMS_ADD, 0, NULL, &special_float_ADD},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The same plan for every layout and size. */
static clprims_mpi_scan *scans[KINDS];
static clprims_mpi_reduce *reduces[KINDS];

static clprims_scan_desc describe(const kind *k) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = k->type;
    desc.op = k->op;
    if (k->custom != NULL) CUSTOM_DESCRIBE(k->custom, &desc);
    desc.inclusive = k->inclusive;
    desc.init = k->init;
    desc.max_n = LARGEST;
    return desc;
}

static size_t bytes_of(const clprims_scan_desc *desc) {
    return desc->type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(desc->type);
}

static void fill(const kind *k, void *whole, size_t n) {
    if (k->custom != NULL) {
        k->custom->fill(whole, n);
    } else {
        test_random_values(k->type, k->op, whole, n);
    }
}

static void twin(const kind *k, const clprims_scan_desc *desc, const void *in, void *out,
                 size_t n) {
    if (k->custom != NULL) {
        const void *start = desc->inclusive ? desc->init : custom_start(k->custom);
        oracle_scan_custom(&k->custom->twin, desc->inclusive != 0, start, in, out, n);
    } else {
        oracle_scan(desc, in, out, n);
    }
}

static void expect_values_of(const kind *k, const void *expected, const void *actual, size_t n,
                             size_t bytes) {
    if (k->custom != NULL) {
        oracle_expect_custom(&k->custom->twin, expected, actual, n);
    } else {
        expect_elements(expected, actual, n, bytes);
    }
}

typedef struct run_case {
    int kind;
    ranks_layout layout;
    size_t total;
    bool in_place;
} run_case;

static void array_is_scanned(const void *data) {
    const run_case *c = data;
    const kind *k = &kinds[c->kind];
    const clprims_scan_desc desc = describe(k);
    const size_t bytes = bytes_of(&desc);
    clprims_mpi_scan **plan = &scans[c->kind];
    if (*plan == NULL) expect_ranks_ok(clprims_mpi_scan_create(plan, ranks_mpi(), &desc));
    unsigned char *whole = test_alloc(c->total, bytes), *scanned = test_alloc(c->total, bytes);
    fill(k, whole, c->total);
    twin(k, &desc, whole, scanned, c->total);
    const clprims_mpi_block block = ranks_block(c->layout, c->total);
    test_buffer in = test_buffer_create(whole + block.start * bytes, block.n, bytes, 4);
    test_buffer out =
        c->in_place ? in : test_buffer_create(NULL, block.n, bytes, c->total % 2 == 0 ? 4 : 1);
    unsigned char *own = test_alloc(block.n, bytes);
    expect_ranks_ok(clprims_mpi_scan_run(*plan, in.at, out.at, block.n));
    test_buffer_read(&out, own);
    expect_values_of(k, scanned + block.start * bytes, own, block.n, bytes);
    test_buffer_release(&in);
    if (!c->in_place) test_buffer_release(&out);
    free(own);
    free(whole);
    free(scanned);
}

/* ---- Reduce ---- */

static clprims_reduce_desc describe_reduce(const kind *k) {
    const clprims_scan_desc scan = describe(k);
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = scan.type;
    desc.accumulator = scan.accumulator;
    desc.op = scan.op;
    desc.custom = scan.custom;
    desc.init = scan.init;
    desc.max_n = LARGEST;
    return desc;
}

static void array_is_reduced(const void *data) {
    const run_case *c = data;
    const kind *k = &kinds[c->kind];
    clprims_scan_desc desc = describe(k);
    const clprims_reduce_desc reduce_desc = describe_reduce(k);
    const size_t bytes = bytes_of(&desc);
    clprims_mpi_reduce **plan = &reduces[c->kind];
    unsigned char out[64] = {0};
    desc.inclusive = 1;
    if (*plan == NULL) expect_ranks_ok(clprims_mpi_reduce_create(plan, ranks_mpi(), &reduce_desc));
    unsigned char *whole = test_alloc(c->total, bytes), *scanned = test_alloc(c->total, bytes);
    fill(k, whole, c->total);
    twin(k, &desc, whole, scanned, c->total);
    const clprims_mpi_block block = ranks_block(c->layout, c->total);
    test_buffer in = test_buffer_create(whole + block.start * bytes, block.n, bytes, 4);
    if (c->total > 0) {
        expect_ranks_ok(clprims_mpi_reduce_run(*plan, in.at, block.n, out));
        expect_values_of(k, scanned + (c->total - 1) * bytes, out, 1, bytes);
    } else if (k->custom != NULL && k->custom->custom.identity == NULL) {
        expect_ranks_failure(clprims_mpi_reduce_run(*plan, in.at, block.n, out), CLPRIMS_ERR_DATA,
                             0, "reduce: no elements");
    } else {
        const unsigned char zeros[64] = {0};
        expect_ranks_ok(clprims_mpi_reduce_run(*plan, in.at, block.n, out));
        if (k->custom == NULL) expect_elements(k->init != NULL ? k->init : zeros, out, 1, bytes);
    }
    test_buffer_release(&in);
    free(whole);
    free(scanned);
}

/* ---- ARGMIN ---- */

typedef struct arg_case {
    ranks_layout layout;
    size_t total;
    const char *input;
} arg_case;

/* Few values, so that the least of them is on several ranks; the lowest position counts. */
static void least_is_found(const void *data) {
    const arg_case *c = data;
    static clprims_mpi_reduce *plans[2];
    clprims_mpi_reduce **plan = &plans[c->input != NULL];
    const int64_t none = -1;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = CLPRIMS_F32;
    desc.op = CLPRIMS_ARGMIN;
    desc.init = &none;
    desc.input = c->input;
    desc.max_n = LARGEST;
    if (*plan == NULL) expect_ranks_ok(clprims_mpi_reduce_create(plan, ranks_mpi(), &desc));
    float *whole = test_alloc(c->total, sizeof *whole);
    int64_t best = -1, found = 0;
    for (size_t i = 0; i < c->total; i++) {
        const float sign = c->input != NULL ? -1.0f : 1.0f;
        whole[i] = (float)test_random_below(5);
        if (best < 0 || sign * whole[i] < sign * whole[best]) best = (int64_t)i;
    }
    const clprims_mpi_block block = ranks_block(c->layout, c->total);
    test_buffer in = test_buffer_create(whole + block.start, block.n, sizeof *whole, 2);
    expect_ranks_ok(clprims_mpi_reduce_run(*plan, in.at, block.n, &found));
    assert_int_equal(found, best);
    test_buffer_release(&in);
    free(whole);
}

/* ---- Refusals ---- */

static void bad_plans_are_named(const void *data) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    clprims_mpi_scan *scan = NULL;
    clprims_scan_desc desc = describe(&kinds[0]);
    (void)data;
    if (is_last) desc.op = (clprims_op)77;
    expect_ranks_failure(clprims_mpi_scan_create(&scan, ranks_mpi(), &desc), CLPRIMS_ERR_ARGUMENT,
                         last, "scan: op = 77");
    assert_null(scan);
    desc = describe(&kinds[0]);
    if (is_last) desc.struct_size = 8;
    expect_ranks_failure(clprims_mpi_scan_create(&scan, ranks_mpi(), &desc), CLPRIMS_ERR_ARGUMENT,
                         last, "struct_size = 8; start from CLPRIMS_SCAN_DESC_INIT");
    desc = describe(&kinds[0]);
    if (last == 0) return;
    if (is_last) desc.init = "\1\1\1\1";
    expect_ranks_failure(clprims_mpi_scan_create(&scan, ranks_mpi(), &desc), CLPRIMS_ERR_ARGUMENT,
                         last, "mpi_scan: the description differs from that of rank 0");
}

/* A text of one rank's does not compile: its log is on every rank. */
static void bad_texts_are_shown(const void *data) {
    const int last = ranks_count() - 1;
    clprims_mpi_reduce *reduce = NULL;
    clprims_reduce_desc desc = describe_reduce(&kinds[0]);
    (void)data;
    desc.input = ranks_rank() == last ? "x + no_such_name" : "x + 1";
    expect_ranks_failure(clprims_mpi_reduce_create(&reduce, ranks_mpi(), &desc), CLPRIMS_ERR_BUILD,
                         last, "reduce");
    expect_contains(clprims_mpi_last_error()->build_log, "no_such_name");
}

static void bad_runs_are_named(const void *data) {
    const int last = ranks_count() - 1;
    const size_t n = ranks_rank() == last ? LARGEST + 1 : 10;
    uint32_t sum;
    const clprims_scan_desc desc = describe(&kinds[0]);
    const clprims_reduce_desc reduce_desc = describe_reduce(&kinds[0]);
    (void)data;
    if (scans[0] == NULL) expect_ranks_ok(clprims_mpi_scan_create(&scans[0], ranks_mpi(), &desc));
    if (reduces[0] == NULL) {
        expect_ranks_ok(clprims_mpi_reduce_create(&reduces[0], ranks_mpi(), &reduce_desc));
    }
    uint32_t zeros[10] = {0};
    test_buffer in = test_buffer_create(zeros, 10, 4, 0);
    expect_ranks_failure(clprims_mpi_scan_run(scans[0], in.at, in.at, n), CLPRIMS_ERR_TOO_LARGE,
                         last, "scan: n = 3001 exceeds max_n = 3000");
    expect_ranks_failure(clprims_mpi_reduce_run(reduces[0], in.at, n, &sum), CLPRIMS_ERR_TOO_LARGE,
                         last, "reduce: n = 3001 exceeds max_n = 3000");
    expect_ranks_failure(
        clprims_mpi_reduce_run(reduces[0], in.at, 10, ranks_rank() == last ? NULL : &sum),
        CLPRIMS_ERR_ARGUMENT, last, "mpi_reduce: out is NULL");
    for (int k = 0; k < RANKS_BAD; k++) {
        const clprims_buffer bad = {ranks_bad_create(k), 0};
        expect_ranks_failure(
            clprims_mpi_reduce_run(reduces[0], ranks_rank() == last ? bad : in.at, 10, &sum),
            CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("in", k));
        expect_ranks_failure(
            clprims_mpi_scan_run(scans[0], in.at, ranks_rank() == last ? bad : in.at, 10),
            CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("out", k));
        expect_cl(clReleaseMemObject(bad.mem));
    }
    expect_ranks_ok(clprims_mpi_reduce_run(reduces[0], in.at, 10, &sum));
    test_buffer_release(&in);
}

static void plans_are_destroyed(const void *data) {
    (void)data;
    for (int k = 0; k < KINDS; k++) {
        clprims_mpi_scan_destroy(scans[k]);
        clprims_mpi_reduce_destroy(reduces[k]);
        scans[k] = NULL;
        reduces[k] = NULL;
    }
}

void add_scan_cases(test_cases *cases) {
    static const size_t totals[] = {0, 1, 3, LARGEST};
    ranks_add(cases, bad_plans_are_named, NULL, 0, "ranks/scan/refused/create");
    ranks_add(cases, bad_texts_are_shown, NULL, 0, "ranks/reduce/refused/text");
    ranks_add(cases, bad_runs_are_named, NULL, 0, "ranks/scan/refused/run");
    for (int k = 0; k < KINDS; k++)
        for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++)
            for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
                const run_case c = {k, layout, totals[t], (t + layout) % 3 == 0};
                ranks_add(cases, array_is_scanned, &c, sizeof c, "ranks/scan/%s/%s/n=%zu%s",
                          kinds[k].name, ranks_layout_name(layout), c.total,
                          c.in_place ? "/in-place" : "");
                ranks_add(cases, array_is_reduced, &c, sizeof c, "ranks/reduce/%s/%s/n=%zu",
                          kinds[k].name, ranks_layout_name(layout), c.total);
            }
    for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++)
        for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
            const arg_case c = {layout, totals[t], layout == RANKS_HOLES ? "-x" : NULL};
            ranks_add(cases, least_is_found, &c, sizeof c, "ranks/reduce/argmin/%s/n=%zu",
                      ranks_layout_name(layout), c.total);
        }
    ranks_add(cases, plans_are_destroyed, NULL, 0, "ranks/scan/destroy");
}
