/* SPDX-License-Identifier: MIT */
/* The calls of the min-plus product and of the closure that test_faults.c makes to fail. */
#include "faults_minplus.h"

#include <string.h>

enum { N = 70, CELLS = N * N, NONE = INT32_MAX / 2 };

static struct {
    clprims_minplus *minplus;
    clprims_paths *paths;
    test_buffer a, b, c, argmin, via, report;
    int32_t values[CELLS], got[CELLS], best[CELLS];
} stage;

/* A ring of edges of length 1, and a product whose least sum is in one k. */
static int32_t ring(size_t i, size_t j) {
    return j == (i + 1) % N ? 1 : NONE;
}

static clprims_minplus_desc product_desc(void) {
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.argmin = 1;
    return desc;
}

static clprims_paths_desc paths_desc(void) {
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = N;
    desc.predecessors = 1;
    return desc;
}

void faults_minplus_set(void) {
    const clprims_minplus_desc product = product_desc();
    const clprims_paths_desc paths = paths_desc();
    for (size_t i = 0; i < CELLS; i++) stage.values[i] = ring(i / N, i % N);
    expect_ok(clprims_minplus_create(&stage.minplus, test_context(), &product));
    expect_ok(clprims_paths_create(&stage.paths, test_context(), &paths));
    stage.a = test_buffer_create(stage.values, CELLS, 4, 0);
    stage.b = test_buffer_create(stage.values, CELLS, 4, 1);
    stage.c = test_buffer_create(stage.values, CELLS, 4, 2);
    stage.argmin = test_buffer_create(NULL, CELLS, 4, 3);
    stage.via = test_buffer_create(NULL, CELLS, 4, 4);
    stage.report = test_buffer_create(NULL, 1, sizeof(clprims_paths_report), 1);
}

void faults_minplus_clear(void) {
    test_buffer *const buffers[] = {&stage.a,      &stage.b,   &stage.c,
                                    &stage.argmin, &stage.via, &stage.report};
    clprims_minplus_destroy(stage.minplus);
    clprims_paths_destroy(stage.paths);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) test_buffer_release(buffers[i]);
    memset(&stage, 0, sizeof stage);
}

static clprims_matrix matrix_of(const test_buffer *buffer) {
    return (clprims_matrix){buffer->at.mem, buffer->at.first, N, 0};
}

clprims_status faults_minplus_run(faults_minplus call, cl_command_queue queue, void **made,
                                  cl_event *event) {
    const clprims_minplus_size size = {N, N, N, 1};
    const clprims_minplus_desc product = product_desc();
    const clprims_paths_desc paths = paths_desc();
    clprims_minplus *minplus = (clprims_minplus *)&stage;
    clprims_paths *closure = (clprims_paths *)&stage;
    clprims_status status = CLPRIMS_OK;
    switch (call) {
    case PRODUCT_CREATE:
        status = clprims_minplus_create(&minplus, test_context(), &product);
        *made = minplus;
        return status;
    case PRODUCT_ENQUEUE:
        return clprims_minplus_enqueue(stage.minplus, queue, matrix_of(&stage.a),
                                       matrix_of(&stage.b), matrix_of(&stage.c),
                                       matrix_of(&stage.argmin), size, 0, NULL, event);
    case PRODUCT_RUN:
        return clprims_minplus_run(stage.minplus, stage.values, stage.values, stage.got, stage.best,
                                   size);
    case PATHS_CREATE:
        status = clprims_paths_create(&closure, test_context(), &paths);
        *made = closure;
        return status;
    case PATHS_ENQUEUE:
        return clprims_paths_enqueue(stage.paths, queue, matrix_of(&stage.a), matrix_of(&stage.via),
                                     N, stage.report.at, 0, NULL, event);
    case PATHS_RUN:
        memcpy(stage.got, stage.values, sizeof stage.got);
        return clprims_paths_run(stage.paths, stage.got, stage.best, N);
    }
    return CLPRIMS_ERR_INTERNAL;
}

static void expect_product(void) {
    for (size_t i = 0; i < CELLS; i++) {
        const bool reached = i % N == (i / N + 2) % N;
        assert_int_equal(stage.got[i], reached ? 2 : NONE);
        assert_int_equal(stage.best[i], reached ? (int32_t)((i / N + 1) % N) : -1);
    }
}

/* The vertex before the last is any on the way: of a chain of commands that failed half-way, the
 * lengths that were found already are edges of the next. */
static void expect_paths(void) {
    for (size_t i = 0; i < CELLS; i++) {
        const size_t from = i / N, to = i % N, steps = (to + N - from) % N;
        assert_int_equal(stage.got[i], (int32_t)steps);
        if (steps == 0) {
            assert_int_equal(stage.best[i], -1);
        } else {
            assert_in_range(stage.best[i], 0, N - 1);
            assert_true(((size_t)stage.best[i] + N - from) % N < steps);
        }
    }
}

void faults_minplus_undo(faults_minplus call, void *made) {
    switch (call) {
    case PRODUCT_CREATE:
        clprims_minplus_destroy(made);
        break;
    case PATHS_CREATE:
        clprims_paths_destroy(made);
        break;
    case PRODUCT_ENQUEUE:
        test_buffer_read(&stage.c, stage.got);
        test_buffer_read(&stage.argmin, stage.best);
        expect_product();
        break;
    case PATHS_ENQUEUE:
        test_buffer_read(&stage.a, stage.got);
        test_buffer_read(&stage.via, stage.best);
        expect_paths();
        expect_cl(clEnqueueWriteBuffer(test_queue(), stage.a.at.mem, CL_TRUE, 0,
                                       sizeof stage.values, stage.values, 0, NULL, NULL));
        break;
    case PRODUCT_RUN:
        expect_product();
        break;
    case PATHS_RUN:
        expect_paths();
        break;
    }
}
