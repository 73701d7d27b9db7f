/* SPDX-License-Identifier: MIT */
/* Merges and searches that test_faults lets fail, each with the check of its result: the two halves
 * of the links, which rise, and the position of each link among all of them. */
#include "faults/faults_stage.h"

enum { HALF = N / 2 };

static clprims_merge *made_merge;
static clprims_search *made_search;

static clprims_merge_desc merge_desc(void) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_a = desc.max_b = HALF;
    desc.payload_bytes = 4;
    return desc;
}

static clprims_search_desc search_desc(void) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.positions = CLPRIMS_I32;
    desc.max_sorted = desc.max_n = N;
    desc.needles_sorted = 1;
    return desc;
}

static void plan_merge_and_search(stage *s) {
    (void)s;
    const clprims_merge_desc desc = merge_desc();
    const clprims_search_desc other = search_desc();
    expect_ok(clprims_merge_create(&made_merge, test_context(), &desc));
    expect_ok(clprims_search_create(&made_search, test_context(), &other));
}

static void clear_merge_and_search(stage *s) {
    (void)s;
    clprims_merge_destroy(made_merge);
    clprims_search_destroy(made_search);
    made_merge = NULL;
    made_search = NULL;
}

/* ---- Merge ---- */

static clprims_status run_merge_create(stage *s) {
    clprims_merge *merge = (clprims_merge *)s;
    const clprims_merge_desc desc = merge_desc();
    const clprims_status status = clprims_merge_create(&merge, s->context, &desc);
    s->made = merge;
    return status;
}

static void undo_merge_create(stage *s) {
    clprims_merge_destroy(s->made);
}

/* s->ranks: the links again; s->sums: the values, as they were. */
static void expect_merged(stage *s) {
    expect_elements(s->links, s->ranks, N, sizeof s->ranks[0]);
    expect_elements(s->values, s->sums, N, sizeof s->sums[0]);
}

static clprims_status run_merge_enqueue(stage *s) {
    clprims_merge_buffers buffers = CLPRIMS_MERGE_BUFFERS_INIT;
    buffers.a = buffers.b = s->next.at;
    buffers.b.first += HALF;
    buffers.out = s->rank.at;
    buffers.payload_a = buffers.payload_b = s->in.at;
    buffers.payload_b.first += HALF;
    buffers.payload_out = s->out.at;
    return clprims_merge_enqueue(made_merge, s->queue, &buffers, HALF, HALF, 0, NULL, &s->event);
}

static void undo_merge_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->rank, s->ranks);
    test_buffer_read(&s->out, s->sums);
    expect_merged(s);
}

static clprims_status run_merge_run(stage *s) {
    clprims_merge_arrays arrays = CLPRIMS_MERGE_ARRAYS_INIT;
    arrays.a = s->links;
    arrays.b = s->links + HALF;
    arrays.out = s->ranks;
    arrays.payload_a = s->values;
    arrays.payload_b = s->values + HALF;
    arrays.payload_out = s->sums;
    return clprims_merge_run(made_merge, &arrays, HALF, HALF);
}

/* ---- Search ---- */

static clprims_status run_search_create(stage *s) {
    clprims_search *search = (clprims_search *)s;
    const clprims_search_desc desc = search_desc();
    const clprims_status status = clprims_search_create(&search, s->context, &desc);
    s->made = search;
    return status;
}

static void undo_search_create(stage *s) {
    clprims_search_destroy(s->made);
}

static void expect_found(stage *s) {
    for (int32_t i = 0; i < N; i++) {
        if (s->ranks[i] != i) test_fail("position %d is %d", (int)i, (int)s->ranks[i]);
    }
}

static clprims_status run_search_enqueue(stage *s) {
    return clprims_search_enqueue(made_search, s->queue, s->next.at, N, s->next.at, s->rank.at, N,
                                  0, NULL, &s->event);
}

static void undo_search_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->rank, s->ranks);
    expect_found(s);
}

static clprims_status run_search_run(stage *s) {
    return clprims_search_run(made_search, s->links, N, s->links, s->ranks, N);
}

static const operation operations[] = {
    FAULTS_OPERATION("merge_create", NULL, run_merge_create, undo_merge_create, false),
    FAULTS_OPERATION("merge_enqueue", plan_merge_and_search, run_merge_enqueue, undo_merge_enqueue,
                     false),
    FAULTS_OPERATION("merge_enqueue/out-of-order", plan_merge_and_search, run_merge_enqueue,
                     undo_merge_enqueue, true),
    FAULTS_OPERATION("merge_run", plan_merge_and_search, run_merge_run, expect_merged, false),
    FAULTS_OPERATION("search_create", NULL, run_search_create, undo_search_create, false),
    FAULTS_OPERATION("search_enqueue", plan_merge_and_search, run_search_enqueue,
                     undo_search_enqueue, false),
    FAULTS_OPERATION("search_run", plan_merge_and_search, run_search_run, expect_found, false),
};
FAULTS_GROUP(merge, operations, clear_merge_and_search)
