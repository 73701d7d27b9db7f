/* SPDX-License-Identifier: MIT */
/* Reductions by key that test_faults lets fail, each with the check of its result: the links of a
 * list are keys of which no two are alike. */
#include "faults/faults_stage.h"

static clprims_segmented *made_plan;
static test_buffer runs_count;
static size_t runs;

static clprims_segmented_desc segmented_desc(void) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.heads_type = CLPRIMS_I32;
    desc.type = CLPRIMS_U32;
    desc.unique_keys = 1;
    desc.max_n = N;
    return desc;
}

static void plan_segmented(stage *s) {
    (void)s;
    const clprims_segmented_desc desc = segmented_desc();
    expect_ok(clprims_segmented_create(&made_plan, test_context(), &desc));
    runs_count = test_buffer_create(NULL, 1, sizeof(uint64_t), 1);
}

static void clear_segmented(stage *s) {
    (void)s;
    if (made_plan != NULL) test_buffer_release(&runs_count);
    clprims_segmented_destroy(made_plan);
    made_plan = NULL;
}

static clprims_status run_segmented_create(stage *s) {
    clprims_segmented *plan = (clprims_segmented *)s;
    const clprims_segmented_desc desc = segmented_desc();
    const clprims_status status = clprims_segmented_create(&plan, s->context, &desc);
    s->made = plan;
    return status;
}

static void undo_segmented_create(stage *s) {
    clprims_segmented_destroy(s->made);
}

/* s->sums: the values, s->ranks: the keys. */
static void expect_runs(const stage *s, uint64_t count) {
    if (count != N) test_fail("%llu runs were counted", (unsigned long long)count);
    expect_values(CLPRIMS_U32, s->values, s->sums, N);
    expect_values(CLPRIMS_I32, s->links, s->ranks, N);
}

static clprims_status run_segmented_enqueue(stage *s) {
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    b.in = s->in.at;
    b.heads = s->next.at;
    b.out = s->out.at;
    b.keys = s->rank.at;
    b.count = runs_count.at;
    return clprims_segmented_enqueue(made_plan, s->queue, &b, N, N, 0, NULL, &s->event);
}

static void undo_segmented_enqueue(stage *s) {
    uint64_t count;
    faults_await(s);
    test_buffer_read(&s->out, s->sums);
    test_buffer_read(&s->rank, s->ranks);
    test_buffer_read(&runs_count, &count);
    expect_runs(s, count);
}

static clprims_status run_segmented_run(stage *s) {
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    arrays.in = s->values;
    arrays.heads = s->links;
    arrays.out = s->sums;
    arrays.keys = s->ranks;
    return clprims_segmented_run(made_plan, &arrays, N, N, &runs);
}

static void undo_segmented_run(stage *s) {
    expect_runs(s, runs);
}

#define ROW(name, needs, call, out_of_order)                                                       \
    FAULTS_OPERATION(name, needs, run_##call, undo_##call, out_of_order)

static const operation operations[] = {
    ROW("segmented_create", NULL, segmented_create, false),
    ROW("segmented_enqueue", plan_segmented, segmented_enqueue, false),
    ROW("segmented_enqueue/out-of-order", plan_segmented, segmented_enqueue, true),
    ROW("segmented_run", plan_segmented, segmented_run, false),
};
FAULTS_GROUP(segmented, operations, clear_segmented)
