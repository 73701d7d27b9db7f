/* SPDX-License-Identifier: MIT */
/* Lists with more elements than 31 bits count, made and checked in pieces. */
#include "fixtures/list/list_cases.h"
#include "harness/oracle.h"

typedef struct large {
    clprims_type link;
    size_t n;
} large;

enum { PIECE = 1 << 25 };

/* The list 0, STRIDE, 2 * STRIDE, ... modulo n, with which STRIDE has no common factor. */
static const size_t STRIDE = 1000003;

static void upload_links(const large *l, cl_mem next) {
    const size_t bytes = clprims_type_bytes(l->link);
    const size_t tail = (l->n - STRIDE) % l->n;
    void *piece = test_scratch(PIECE, bytes);
    for (size_t at = 0; at < l->n; at += PIECE) {
        const size_t count = l->n - at < PIECE ? l->n - at : PIECE;
        for (size_t i = 0; i < count; i++) {
            const size_t to = (at + i + STRIDE) % l->n;
            test_store_integer(bytes, piece, i, at + i == tail ? UINT64_MAX : to);
        }
        expect_cl(clEnqueueWriteBuffer(test_queue(), next, CL_TRUE, at * bytes, count * bytes,
                                       piece, 0, NULL, NULL));
    }
}

/* Element i has rank r exactly if r * STRIDE = i modulo n. */
static void expect_ranks(const large *l, cl_mem rank) {
    const size_t bytes = clprims_type_bytes(l->link);
    void *piece = test_scratch(PIECE, bytes);
    for (size_t at = 0; at < l->n; at += PIECE) {
        const size_t count = l->n - at < PIECE ? l->n - at : PIECE;
        expect_cl(clEnqueueReadBuffer(test_queue(), rank, CL_TRUE, at * bytes, count * bytes, piece,
                                      0, NULL, NULL));
        for (size_t i = 0; i < count; i++) {
            const int64_t r = (int64_t)oracle_load_integer(l->link, piece, i);
            if (r < 0 || (size_t)r >= l->n || (size_t)r * STRIDE % l->n != at + i)
                test_fail("rank[%zu] = %lld", at + i, (long long)r);
        }
    }
}

static void ranks_large(const void *data) {
    const large *l = data;
    const size_t bytes = clprims_type_bytes(l->link);
    const size_t scratch = l->n * bytes * 17 / 8; /* a pair each, and the levels above */
    test_want_memory(2 * scratch, scratch);
    cl_mem next = test_mem(l->n * bytes), rank = test_mem(l->n * bytes);
    cl_mem reported = test_mem(sizeof(clprims_list_report));
    clprims_list *plan = list_create(l->link, &list_settings[0], l->n);
    clprims_list_report report;
    upload_links(l, next);
    expect_ok(clprims_list_enqueue(
        plan, test_queue(),
        &(clprims_list_buffers){.next = {next, 0}, .out = {rank, 0}, .report = {reported, 0}}, l->n,
        0, NULL, NULL));
    expect_cl(clEnqueueReadBuffer(test_queue(), reported, CL_TRUE, 0, sizeof report, &report, 0,
                                  NULL, NULL));
    expect_ok(clprims_list_check(&report));
    expect_ranks(l, rank);
}

void list_add_large(test_cases *cases) {
    static const large larges[] = {{CLPRIMS_I32, INT32_MAX}, {CLPRIMS_I64, ((size_t)1 << 31) + 5}};
    if (test_small()) return;
    for (size_t i = 0; i < sizeof larges / sizeof larges[0]; i++) {
        test_add_row(cases, ranks_large, larges[i], "list/%s/strided/n=%zu",
                     clprims_type_name(larges[i].link), larges[i].n);
    }
}
