/* SPDX-License-Identifier: MIT */
/* Offsets, selections, partitions and sums that test_faults lets fail, each with the check of its
 * result.
 */
#include "faults/faults_stage.h"

/* ---- Offsets: each value is a count ---- */

static clprims_offsets_desc offsets_desc(void) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.counts = 1;
    desc.max_n = N;
    return desc;
}

static clprims_status run_offsets_create(stage *s) {
    clprims_offsets *offsets = (clprims_offsets *)s;
    const clprims_offsets_desc desc = offsets_desc();
    const clprims_status status = clprims_offsets_create(&offsets, s->context, &desc);
    s->made = offsets;
    return status;
}

static void undo_offsets_create(stage *s) {
    clprims_offsets_destroy(s->made);
}

static void expect_offsets(const stage *s) {
    int64_t sum = 0;
    for (size_t i = 0; i <= N; i++) {
        if (s->totals[i] != sum)
            test_fail("offsets[%zu] = %lld, not %lld", i, (long long)s->totals[i], (long long)sum);
        if (i < N) sum += s->values[i];
    }
}

static clprims_status run_offsets_enqueue(stage *s) {
    const clprims_buffer none = {NULL, 0};
    return clprims_offsets_enqueue(s->offsets, s->queue, none, s->in.at, s->offset_sums.at, N,
                                   s->verdict.at, 0, NULL, &s->event);
}

static void undo_offsets_enqueue(stage *s) {
    clprims_offsets_report report;
    faults_await(s);
    test_buffer_read(&s->verdict, &report);
    expect_ok(clprims_offsets_check(&report));
    test_buffer_read(&s->offset_sums, s->totals);
    expect_offsets(s);
}

static clprims_status run_offsets_run(stage *s) {
    return clprims_offsets_run(s->offsets, NULL, s->values, s->totals, N);
}

static void undo_offsets_run(stage *s) {
    expect_offsets(s);
}

/* ---- Select: values by flags, also as a partition ---- */

static clprims_select_desc select_desc(bool partition) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.by = CLPRIMS_SELECT_FLAGS;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_U32;
    desc.partition = partition;
    desc.max_n = N;
    return desc;
}

static clprims_status run_select_create(stage *s) {
    clprims_select *select = (clprims_select *)s;
    const clprims_select_desc desc = select_desc(false);
    const clprims_status status = clprims_select_create(&select, s->context, &desc);
    s->made = select;
    return status;
}

static clprims_status run_partition_create(stage *s) {
    clprims_select *select = (clprims_select *)s;
    const clprims_select_desc desc = select_desc(true);
    const clprims_status status = clprims_select_create(&select, s->context, &desc);
    s->made = select;
    return status;
}

static void undo_select_create(stage *s) {
    clprims_select_destroy(s->made);
}

/* s->sums against the values that are kept, then for a partition the others. */
static void expect_selected(const stage *s, size_t count, bool partition) {
    size_t kept = 0;
    for (size_t i = 0; i < N; i++) kept += s->keeps[i] != 0;
    if (count != kept) test_fail("count = %zu, not %zu", count, kept);
    size_t at[2] = {kept, 0};
    for (size_t i = 0; i < N; i++) {
        const size_t place = at[s->keeps[i] != 0]++;
        if (s->keeps[i] == 0 && !partition) continue;
        if (s->sums[place] != s->values[i]) test_fail("element %zu is not at %zu", i, place);
    }
}

static clprims_status enqueue_on(stage *s, clprims_select *plan) {
    const clprims_select_buffers buffers = {.struct_size = sizeof(clprims_select_buffers),
                                            .in = {s->in.at},
                                            .out = {s->out.at},
                                            .flags = s->flags.at,
                                            .count = s->count.at};
    return clprims_select_enqueue(plan, s->queue, &buffers, N, N, 0, NULL, &s->event);
}

static clprims_status run_select_enqueue(stage *s) {
    return enqueue_on(s, s->select);
}

static clprims_status run_partition_enqueue(stage *s) {
    return enqueue_on(s, s->partition);
}

static void undo_enqueue(stage *s, bool partition) {
    uint64_t count = 0;
    faults_await(s);
    test_buffer_read(&s->count, &count);
    test_buffer_read(&s->out, s->sums);
    expect_selected(s, (size_t)count, partition);
}

static void undo_select_enqueue(stage *s) {
    undo_enqueue(s, false);
}

static void undo_partition_enqueue(stage *s) {
    undo_enqueue(s, true);
}

static size_t counted;

static clprims_status run_on(stage *s, clprims_select *plan) {
    const clprims_select_arrays arrays = {.struct_size = sizeof(clprims_select_arrays),
                                          .in = {s->values},
                                          .out = {s->sums},
                                          .flags = s->keeps};
    return clprims_select_run(plan, &arrays, N, N, &counted);
}

static clprims_status run_select_run(stage *s) {
    return run_on(s, s->select);
}

static clprims_status run_partition_run(stage *s) {
    return run_on(s, s->partition);
}

static void undo_select_run(stage *s) {
    expect_selected(s, counted, false);
}

static void undo_partition_run(stage *s) {
    expect_selected(s, counted, true);
}

/* ---- Reduce: the sum, and the verdict of offsets as its report ---- */

static clprims_reduce_desc reduce_desc(void) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    return desc;
}

static clprims_status run_reduce_create(stage *s) {
    clprims_reduce *reduce = (clprims_reduce *)s;
    const clprims_reduce_desc desc = reduce_desc();
    const clprims_status status = clprims_reduce_create(&reduce, s->context, &desc);
    s->made = reduce;
    return status;
}

static void undo_reduce_create(stage *s) {
    clprims_reduce_destroy(s->made);
}

static void expect_sum(const stage *s) {
    uint32_t sum = 0;
    for (size_t i = 0; i < N; i++) sum += s->values[i];
    assert_int_equal(s->sums[0], sum);
}

static clprims_status run_reduce_enqueue(stage *s) {
    return clprims_reduce_enqueue(s->reduce, s->queue, s->in.at, s->out.at, N, s->verdict.at, 0,
                                  NULL, &s->event);
}

static void undo_reduce_enqueue(stage *s) {
    faults_await(s);
    test_buffer_read(&s->out, s->sums);
    expect_sum(s);
}

static clprims_status run_reduce_run(stage *s) {
    return clprims_reduce_run(s->reduce, s->values, s->sums, N);
}

static void undo_reduce_run(stage *s) {
    expect_sum(s);
}

/* ---- All ---- */

static void plan_passes(stage *s) {
    const clprims_offsets_desc counts = offsets_desc();
    const clprims_select_desc flags = select_desc(false), parts = select_desc(true);
    const clprims_reduce_desc sum = reduce_desc();
    expect_ok(clprims_offsets_create(&s->offsets, s->context, &counts));
    expect_ok(clprims_reduce_create(&s->reduce, s->context, &sum));
    expect_ok(clprims_select_create(&s->select, s->context, &flags));
    expect_ok(clprims_select_create(&s->partition, s->context, &parts));
    for (size_t i = 0; i < N; i++) s->keeps[i] = (uint8_t)test_random_below(2);
    s->flags = test_buffer_create(s->keeps, N, 1, 3);
    s->offset_sums = test_buffer_create(NULL, N + 1, sizeof s->totals[0], 1);
    s->count = test_buffer_create(NULL, 1, sizeof(uint64_t), 2);
    s->verdict = test_buffer_create(NULL, 1, sizeof(clprims_offsets_report), 1);
}

static void clear_passes(stage *s) {
    if (s->offsets == NULL) return;
    clprims_offsets_destroy(s->offsets);
    clprims_reduce_destroy(s->reduce);
    clprims_select_destroy(s->select);
    clprims_select_destroy(s->partition);
    test_buffer *const buffers[] = {&s->flags, &s->offset_sums, &s->count, &s->verdict};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) test_buffer_release(buffers[i]);
}

static const operation operations[] = {
    FAULTS_OPERATION("offsets_create", NULL, run_offsets_create, undo_offsets_create, false),
    FAULTS_OPERATION("offsets_enqueue", plan_passes, run_offsets_enqueue, undo_offsets_enqueue,
                     true),
    FAULTS_OPERATION("offsets_run", plan_passes, run_offsets_run, undo_offsets_run, false),
    FAULTS_OPERATION("select_create", NULL, run_select_create, undo_select_create, false),
    FAULTS_OPERATION("select_enqueue", plan_passes, run_select_enqueue, undo_select_enqueue, true),
    FAULTS_OPERATION("select_run", plan_passes, run_select_run, undo_select_run, false),
    FAULTS_OPERATION("partition_create", NULL, run_partition_create, undo_select_create, false),
    FAULTS_OPERATION("partition_enqueue", plan_passes, run_partition_enqueue,
                     undo_partition_enqueue, true),
    FAULTS_OPERATION("partition_run", plan_passes, run_partition_run, undo_partition_run, false),
    FAULTS_OPERATION("reduce_create", NULL, run_reduce_create, undo_reduce_create, false),
    FAULTS_OPERATION("reduce_enqueue", plan_passes, run_reduce_enqueue, undo_reduce_enqueue, true),
    FAULTS_OPERATION("reduce_run", plan_passes, run_reduce_run, undo_reduce_run, false),
};
FAULTS_GROUP(passes, operations, clear_passes)
