/* SPDX-License-Identifier: MIT */
/* Parents and gather, which test_faults lets fail, each with the check of its outputs: a run that
 * was not submitted must leave nothing to the next one. */
#include "faults/faults_stage.h"

/* Offset k is LENGTH k. */
enum { LENGTH = 10, SEGMENTS = N / LENGTH };

static clprims_parents *made_parents;
static clprims_gather *made_gather;
static int32_t offsets[SEGMENTS + 1], found[N];

static clprims_parents_desc parents_desc(void) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    desc.offsets_type = desc.type = CLPRIMS_I32;
    desc.max_n = N;
    desc.max_segments = SEGMENTS;
    return desc;
}

static clprims_gather_desc gather_desc(void) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    desc.type = desc.index_type = CLPRIMS_I32;
    desc.max_n = N;
    return desc;
}

static void plan_parents_and_gather(stage *s) {
    (void)s;
    const clprims_parents_desc parents = parents_desc();
    const clprims_gather_desc gather = gather_desc();
    for (int32_t k = 0; k <= SEGMENTS; k++) offsets[k] = LENGTH * k;
    expect_ok(clprims_parents_create(&made_parents, test_context(), &parents));
    expect_ok(clprims_gather_create(&made_gather, test_context(), &gather));
}

static void clear_parents_and_gather(stage *s) {
    (void)s;
    clprims_parents_destroy(made_parents);
    clprims_gather_destroy(made_gather);
    made_parents = NULL;
    made_gather = NULL;
}

/* ---- Parents ---- */

static clprims_status run_parents_create(stage *s) {
    clprims_parents *plan = (clprims_parents *)s;
    const clprims_parents_desc desc = parents_desc();
    const clprims_status status = clprims_parents_create(&plan, s->context, &desc);
    s->made = plan;
    return status;
}

static void undo_parents_create(stage *s) {
    clprims_parents_destroy(s->made);
}

/* By the links from the second one on, which are 0, 1, 2, ...: segments of one. */
static clprims_status run_parents_enqueue(stage *s) {
    const clprims_buffer none = {NULL, 0}, from = {s->next.at.mem, s->next.at.first + 1};
    return clprims_parents_enqueue(made_parents, s->queue, from, s->out.at, none, N - 2, SEGMENTS,
                                   none, 0, NULL, &s->event);
}

static void undo_parents_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->out, found);
    for (int32_t i = 0; i < SEGMENTS; i++) {
        if (found[i] != i) test_fail("parents[%d] = %d", (int)i, (int)found[i]);
    }
}

static clprims_status run_parents_run(stage *s) {
    (void)s;
    return clprims_parents_run(made_parents, offsets, found, NULL, N, SEGMENTS);
}

static void undo_parents_run(stage *s) {
    (void)s;
    for (int32_t i = 0; i < N; i++) {
        if (found[i] != i / LENGTH) test_fail("parents[%d] = %d", (int)i, (int)found[i]);
    }
}

/* ---- Gather ---- */

static clprims_status run_gather_create(stage *s) {
    clprims_gather *plan = (clprims_gather *)s;
    const clprims_gather_desc desc = gather_desc();
    const clprims_status status = clprims_gather_create(&plan, s->context, &desc);
    s->made = plan;
    return status;
}

static void undo_gather_create(stage *s) {
    clprims_gather_destroy(s->made);
}

/* By the links from the second one on, which are 0, 1, 2, ... */
static clprims_status run_gather_enqueue(stage *s) {
    const clprims_buffer none = {NULL, 0}, index = {s->next.at.mem, s->next.at.first + 1};
    return clprims_gather_enqueue(made_gather, s->queue, index, s->in.at, s->out.at, N - 1, N, none,
                                  0, NULL, &s->event);
}

static void undo_gather_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->out, found);
    expect_values(CLPRIMS_I32, s->values, found, N - 1);
}

static clprims_status run_gather_run(stage *s) {
    return clprims_gather_run(made_gather, s->links + 1, s->values, found, N - 1, N);
}

static void undo_gather_run(stage *s) {
    expect_values(CLPRIMS_I32, s->values, found, N - 1);
}

#define ROW(call, plan, undo_name, out_of_order)                                                   \
    FAULTS_OPERATION(call, plan, run_##undo_name, undo_##undo_name, out_of_order)

static const operation operations[] = {
    ROW("parents_create", NULL, parents_create, false),
    ROW("parents_enqueue", plan_parents_and_gather, parents_enqueue, false),
    ROW("parents_enqueue/out-of-order", plan_parents_and_gather, parents_enqueue, true),
    ROW("parents_run", plan_parents_and_gather, parents_run, false),
    ROW("gather_create", NULL, gather_create, false),
    ROW("gather_enqueue", plan_parents_and_gather, gather_enqueue, false),
    ROW("gather_enqueue/out-of-order", plan_parents_and_gather, gather_enqueue, true),
    ROW("gather_run", plan_parents_and_gather, gather_run, false),
};
FAULTS_GROUP(jagged, operations, clear_parents_and_gather)
