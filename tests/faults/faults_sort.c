/* SPDX-License-Identifier: MIT */
/* Sorts that test_faults lets fail, each with the check of its result: the values by their low
 * bytes, beside the indices. */
#include "faults/faults_stage.h"

static clprims_sort *made_sort;

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

void faults_plan_sort(void) {
    const clprims_sort_desc desc = sort_desc();
    expect_ok(clprims_sort_create(&made_sort, test_context(), &desc));
}

void faults_sort_clear(void) {
    clprims_sort_destroy(made_sort);
    made_sort = NULL;
}

static clprims_status run_sort_create(stage *s) {
    clprims_sort *sort = (clprims_sort *)s;
    const clprims_sort_desc desc = sort_desc();
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

const operation faults_sort[FAULTS_SORT] = {
    FAULTS_OPERATION("sort_create", NO_PLAN, run_sort_create, undo_sort_create, false),
    FAULTS_OPERATION("sort_enqueue", SORT_PLAN, run_sort_enqueue, undo_sort_enqueue, false),
    FAULTS_OPERATION("sort_enqueue/out-of-order", SORT_PLAN, run_sort_enqueue, undo_sort_enqueue,
                     true),
    FAULTS_OPERATION("sort_run", SORT_PLAN, run_sort_run, undo_sort_run, false),
};
