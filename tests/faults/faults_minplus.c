/* SPDX-License-Identifier: MIT */
/* The calls of the min-plus product and of the closure that test_faults.c makes to fail. */
#include "faults/faults_stage.h"

#include <string.h>

typedef enum call {
    PRODUCT_CREATE,
    PRODUCT_ENQUEUE,
    PRODUCT_RUN,
    PATHS_CREATE,
    UPDATES_CREATE,
    PATHS_ENQUEUE,
    PATHS_RUN
} call;

enum { SIDE = 70, CELLS = SIDE * SIDE, NONE = INT32_MAX / 2 };

static struct {
    clprims_minplus *minplus;
    clprims_paths *paths;
    test_buffer a, b, c, argmin, via, report;
    int32_t values[CELLS], got[CELLS], best[CELLS];
} own;

/* A ring of edges of length 1, and a product whose least sum is in one k. */
static int32_t ring(size_t i, size_t j) {
    return j == (i + 1) % SIDE ? 1 : NONE;
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
    desc.max_n = SIDE;
    desc.predecessors = 1;
    return desc;
}

/* By groups of many, which close larger blocks by themselves. */
static clprims_paths_desc updates_desc(void) {
    clprims_paths_desc desc = paths_desc();
    desc.predecessors = 0;
    desc.tuning = "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 BARRIERS=1";
    return desc;
}

static void plan_matrices(stage *s) {
    (void)s;
    const clprims_minplus_desc product = product_desc();
    const clprims_paths_desc paths = paths_desc();
    for (size_t i = 0; i < CELLS; i++) own.values[i] = ring(i / SIDE, i % SIDE);
    expect_ok(clprims_minplus_create(&own.minplus, test_context(), &product));
    expect_ok(clprims_paths_create(&own.paths, test_context(), &paths));
    own.a = test_buffer_create(own.values, CELLS, 4, 0);
    own.b = test_buffer_create(own.values, CELLS, 4, 1);
    own.c = test_buffer_create(own.values, CELLS, 4, 2);
    own.argmin = test_buffer_create(NULL, CELLS, 4, 3);
    own.via = test_buffer_create(NULL, CELLS, 4, 4);
    own.report = test_buffer_create(NULL, 1, sizeof(clprims_paths_report), 1);
}

static void clear_matrices(stage *s) {
    (void)s;
    test_buffer *const buffers[] = {&own.a, &own.b, &own.c, &own.argmin, &own.via, &own.report};
    clprims_minplus_destroy(own.minplus);
    clprims_paths_destroy(own.paths);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) test_buffer_release(buffers[i]);
    memset(&own, 0, sizeof own);
}

static clprims_matrix matrix_of(const test_buffer *buffer) {
    return (clprims_matrix){buffer->at.mem, buffer->at.first, SIDE, 0};
}

static clprims_status make_call(call which, cl_command_queue queue, void **made, cl_event *event) {
    const clprims_minplus_size size = {SIDE, SIDE, SIDE, 1};
    const clprims_minplus_desc product = product_desc();
    const clprims_paths_desc paths = which == UPDATES_CREATE ? updates_desc() : paths_desc();
    clprims_minplus *minplus = (clprims_minplus *)&own;
    clprims_paths *closure = (clprims_paths *)&own;
    clprims_status status = CLPRIMS_OK;
    switch (which) {
    case PRODUCT_CREATE:
        status = clprims_minplus_create(&minplus, test_context(), &product);
        *made = minplus;
        return status;
    case PRODUCT_ENQUEUE:
        return clprims_minplus_enqueue(own.minplus, queue, matrix_of(&own.a), matrix_of(&own.b),
                                       matrix_of(&own.c), matrix_of(&own.argmin), size, 0, NULL,
                                       event);
    case PRODUCT_RUN:
        return clprims_minplus_run(own.minplus, own.values, own.values, own.got, own.best, size);
    case PATHS_CREATE:
    case UPDATES_CREATE:
        status = clprims_paths_create(&closure, test_context(), &paths);
        *made = closure;
        return status;
    case PATHS_ENQUEUE:
        return clprims_paths_enqueue(own.paths, queue, matrix_of(&own.a), matrix_of(&own.via), SIDE,
                                     own.report.at, 0, NULL, event);
    case PATHS_RUN:
        memcpy(own.got, own.values, sizeof own.got);
        return clprims_paths_run(own.paths, own.got, own.best, SIDE);
    }
    return CLPRIMS_ERR_INTERNAL;
}

static void expect_product(void) {
    for (size_t i = 0; i < CELLS; i++) {
        const bool reached = i % SIDE == (i / SIDE + 2) % SIDE;
        assert_int_equal(own.got[i], reached ? 2 : NONE);
        assert_int_equal(own.best[i], reached ? (int32_t)((i / SIDE + 1) % SIDE) : -1);
    }
}

/* The vertex before the last is any on the way: of a chain of commands that failed half-way, the
 * lengths that were found already are edges of the next. */
static void expect_paths(void) {
    for (size_t i = 0; i < CELLS; i++) {
        const size_t from = i / SIDE, to = i % SIDE, steps = (to + SIDE - from) % SIDE;
        assert_int_equal(own.got[i], (int32_t)steps);
        if (steps == 0) {
            assert_int_equal(own.best[i], -1);
        } else {
            assert_in_range(own.best[i], 0, SIDE - 1);
            assert_true(((size_t)own.best[i] + SIDE - from) % SIDE < steps);
        }
    }
}

static void undo_call(call which, void *made) {
    switch (which) {
    case PRODUCT_CREATE:
        clprims_minplus_destroy(made);
        break;
    case PATHS_CREATE:
    case UPDATES_CREATE:
        clprims_paths_destroy(made);
        break;
    case PRODUCT_ENQUEUE:
        test_buffer_read(&own.c, own.got);
        test_buffer_read(&own.argmin, own.best);
        expect_product();
        break;
    case PATHS_ENQUEUE:
        test_buffer_read(&own.a, own.got);
        test_buffer_read(&own.via, own.best);
        expect_paths();
        expect_cl(clEnqueueWriteBuffer(test_queue(), own.a.at.mem, CL_TRUE, 0, sizeof own.values,
                                       own.values, 0, NULL, NULL));
        break;
    case PRODUCT_RUN:
        expect_product();
        break;
    case PATHS_RUN:
        expect_paths();
        break;
    }
}

#define CALL(name, which)                                                                          \
    static clprims_status run_##name(stage *s) {                                                   \
        return make_call(which, s->queue, &s->made, &s->event);                                    \
    }                                                                                              \
    static void undo_##name(stage *s) {                                                            \
        if (s->event != NULL) faults_await(s);                                                     \
        undo_call(which, s->made);                                                                 \
    }
CALL(product_create, PRODUCT_CREATE)
CALL(product_enqueue, PRODUCT_ENQUEUE)
CALL(product_run, PRODUCT_RUN)
CALL(paths_create, PATHS_CREATE)
CALL(updates_create, UPDATES_CREATE)
CALL(paths_enqueue, PATHS_ENQUEUE)
CALL(paths_run, PATHS_RUN)

static const operation operations[] = {
    FAULTS_OPERATION("minplus_create", plan_matrices, run_product_create, undo_product_create,
                     false),
    FAULTS_OPERATION("minplus_enqueue", plan_matrices, run_product_enqueue, undo_product_enqueue,
                     false),
    FAULTS_OPERATION("minplus_run", plan_matrices, run_product_run, undo_product_run, false),
    FAULTS_OPERATION("paths_create", plan_matrices, run_paths_create, undo_paths_create, false),
    FAULTS_OPERATION("paths_create/updates", plan_matrices, run_updates_create, undo_updates_create,
                     false),
    FAULTS_OPERATION("paths_enqueue", plan_matrices, run_paths_enqueue, undo_paths_enqueue, false),
    FAULTS_OPERATION("paths_enqueue/out-of-order", plan_matrices, run_paths_enqueue,
                     undo_paths_enqueue, true),
    FAULTS_OPERATION("paths_run", plan_matrices, run_paths_run, undo_paths_run, false),
};
FAULTS_GROUP(minplus, operations, clear_matrices)
