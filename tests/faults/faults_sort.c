/* SPDX-License-Identifier: MIT */
/* Sorts that test_faults lets fail, each with the check of its result: the values by their low
 * bytes, beside the indices. */
#include "faults/faults_stage.h"

static clprims_sort *made_sort;
static clprims_segmented_sort *made_segments;
static clprims_topk *made_topk;

static clprims_sort_desc sort_desc(void) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.end_bit = 8;
    desc.indices = CLPRIMS_I32;
    desc.payloads = 1;
    desc.payload_bytes[0] = 4;
    desc.max_n = N;
    return desc;
}

static void plan_sort(stage *s) {
    (void)s;
    const clprims_sort_desc desc = sort_desc();
    expect_ok(clprims_sort_create(&made_sort, test_context(), &desc));
}

static void clear_sorts(stage *s) {
    (void)s;
    clprims_sort_destroy(made_sort);
    clprims_segmented_sort_destroy(made_segments);
    clprims_topk_destroy(made_topk);
    made_sort = NULL;
    made_segments = NULL;
    made_topk = NULL;
}

static clprims_status run_sort_create(stage *s) {
    clprims_sort *sort = (clprims_sort *)s;
    clprims_sort_desc desc = sort_desc();
    desc.key = "x.weight";
    desc.elements = CLPRIMS_STRUCT;
    desc.custom.declarations = "typedef struct { uint weight, id, rest; } thing;";
    desc.custom.type_name = "thing";
    desc.custom.type_bytes = 12;
    const clprims_status status = clprims_sort_create(&sort, s->context, &desc);
    s->made = sort;
    return status;
}

static void undo_sort_create(stage *s) {
    clprims_sort_destroy(s->made);
}

/* s->sums: the values in order, s->ranks: where they were. */
static void expect_sorted(const stage *s) {
    for (size_t i = 0; i < N; i++) {
        const int32_t from = s->ranks[i], before = i > 0 ? s->ranks[i - 1] : -1;
        if (from < 0 || from >= N || s->sums[i] != s->values[from])
            test_fail("element %zu is not that of index %d", i, (int)from);
        if (i == 0) continue;
        const uint32_t low = s->sums[i] & 0xff, low_before = s->sums[i - 1] & 0xff;
        if (low < low_before || (low == low_before && from < before))
            test_fail("elements %zu and %zu are not in order", i - 1, i);
    }
}

static clprims_status run_sort_enqueue(stage *s) {
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    buffers.keys_in = s->in.at;
    buffers.keys_out = s->out.at;
    buffers.payload_in[0] = s->in.at;
    buffers.payload_out[0] = s->next.at;
    buffers.indices = s->rank.at;
    return clprims_sort_enqueue(made_sort, s->queue, &buffers, N, 0, NULL, &s->event);
}

static void undo_sort_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->out, s->sums);
    test_buffer_read(&s->rank, s->ranks);
    expect_sorted(s);
}

static clprims_status run_sort_run(stage *s) {
    clprims_sort_arrays arrays = CLPRIMS_SORT_ARRAYS_INIT;
    arrays.keys_in = arrays.payload_in[0] = s->values;
    arrays.keys_out = s->sums;
    arrays.payload_out[0] = s->totals;
    arrays.indices = s->ranks;
    return clprims_sort_run(made_sort, &arrays, N);
}

static void undo_sort_run(stage *s) {
    expect_sorted(s);
}

/* ---- Segments: one of all elements, which is long -------------------------------------------- */

static clprims_segmented_sort_desc segments_desc(void) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_I32;
    desc.offsets = CLPRIMS_I32;
    desc.max_n = N;
    desc.max_segments = 2;
    desc.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL;
    desc.tuning = "MOST=2";
    return desc;
}

static void plan_segmented_sort(stage *s) {
    (void)s;
    const clprims_segmented_sort_desc desc = segments_desc();
    expect_ok(clprims_segmented_sort_create(&made_segments, test_context(), &desc));
}

static clprims_status run_segments_create(stage *s) {
    clprims_segmented_sort *plan = (clprims_segmented_sort *)s;
    clprims_segmented_sort_desc desc = segments_desc();
    desc.key = "x.y";
    desc.elements = CLPRIMS_STRUCT;
    desc.custom.declarations = "typedef struct { uint y, z; } pair;";
    desc.custom.type_name = "pair";
    desc.custom.type_bytes = 8;
    const clprims_status status = clprims_segmented_sort_create(&plan, s->context, &desc);
    s->made = plan;
    return status;
}

static void undo_segments_create(stage *s) {
    clprims_segmented_sort_destroy(s->made);
}

/* s->ranks: where the values of s->sums were. */
static void expect_greater(const stage *s, size_t n, bool descending) {
    for (size_t i = 0; i < n; i++) {
        const int32_t from = s->ranks[i];
        if (from < 0 || from >= N || s->sums[i] != s->values[from])
            test_fail("element %zu is not that of index %d", i, (int)from);
        if (i == 0 || s->sums[i] == s->sums[i - 1]) continue;
        if ((s->sums[i] < s->sums[i - 1]) != descending)
            test_fail("elements %zu and %zu are not in order", i - 1, i);
    }
}

enum { FEW = 5000 }; /* elements, still of a long segment */

static clprims_status run_segments_run(stage *s) {
    static const int32_t offsets[] = {0, FEW, FEW};
    clprims_segmented_sort_arrays arrays = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    arrays.offsets = offsets;
    arrays.keys_in = s->values;
    arrays.keys_out = s->sums;
    arrays.indices = s->ranks;
    return clprims_segmented_sort_run(made_segments, &arrays, FEW, 2);
}

static void undo_segments_run(stage *s) {
    expect_greater(s, FEW, false);
}

/* ---- Top-k --------------------------------------------------------------------------------- */

enum { K = 5 };

static clprims_topk_desc topk_desc(void) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_I32;
    desc.max_n = N;
    desc.max_k = K;
    desc.tuning = "GROUP=1 ROOM=400 FEW=0 SAMPLE=4096";
    return desc;
}

static void plan_topk(stage *s) {
    (void)s;
    const clprims_topk_desc desc = topk_desc();
    expect_ok(clprims_topk_create(&made_topk, test_context(), &desc));
}

static clprims_status run_topk_create(stage *s) {
    clprims_topk *plan = (clprims_topk *)s;
    clprims_topk_desc desc = topk_desc();
    desc.key = "x ^ 1";
    const clprims_status status = clprims_topk_create(&plan, s->context, &desc);
    s->made = plan;
    return status;
}

static void undo_topk_create(stage *s) {
    clprims_topk_destroy(s->made);
}

static clprims_status run_topk_enqueue(stage *s) {
    clprims_topk_buffers buffers = CLPRIMS_TOPK_BUFFERS_INIT;
    buffers.in = s->in.at;
    buffers.values = s->out.at;
    buffers.indices = s->rank.at;
    return clprims_topk_enqueue(made_topk, s->queue, &buffers, N, K, 0, NULL, &s->event);
}

static void undo_topk_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->out, s->sums);
    test_buffer_read(&s->rank, s->ranks);
    expect_greater(s, K, true);
}

static clprims_status run_topk_run(stage *s) {
    clprims_topk_arrays arrays = CLPRIMS_TOPK_ARRAYS_INIT;
    arrays.in = s->values;
    arrays.values = s->sums;
    arrays.indices = s->ranks;
    return clprims_topk_run(made_topk, &arrays, N, K);
}

static void undo_topk_run(stage *s) {
    expect_greater(s, K, true);
}

static const operation operations[] = {
    FAULTS_OPERATION("segmented_sort_create", NULL, run_segments_create, undo_segments_create,
                     false),
    FAULTS_OPERATION("segmented_sort_run", plan_segmented_sort, run_segments_run, undo_segments_run,
                     false),
    FAULTS_OPERATION("topk_create", NULL, run_topk_create, undo_topk_create, false),
    FAULTS_OPERATION("topk_enqueue", plan_topk, run_topk_enqueue, undo_topk_enqueue, false),
    FAULTS_OPERATION("topk_enqueue/out-of-order", plan_topk, run_topk_enqueue, undo_topk_enqueue,
                     true),
    FAULTS_OPERATION("topk_run", plan_topk, run_topk_run, undo_topk_run, false),
    FAULTS_OPERATION("sort_create", NULL, run_sort_create, undo_sort_create, false),
    FAULTS_OPERATION("sort_enqueue", plan_sort, run_sort_enqueue, undo_sort_enqueue, false),
    FAULTS_OPERATION("sort_enqueue/out-of-order", plan_sort, run_sort_enqueue, undo_sort_enqueue,
                     true),
    FAULTS_OPERATION("sort_run", plan_sort, run_sort_run, undo_sort_run, false),
};
FAULTS_GROUP(sort, operations, clear_sorts)
