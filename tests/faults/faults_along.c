/* SPDX-License-Identifier: MIT */
/* The calls of list scan and of forests, for test_faults. The list goes down from N - 1 to 0. */
#include "faults/faults_stage.h"

/* ---- List scan ---- */

static clprims_status create_listscan(stage *s, clprims_listscan **scan) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.inclusive = 1;
    desc.max_n = N;
    /* The whole chain; the forests below take one launch. */
    desc.tuning = "SINGLE=0";
    return clprims_listscan_create(scan, s->context, &desc);
}

static clprims_status run_listscan_create(stage *s) {
    clprims_listscan *scan = (clprims_listscan *)s;
    const clprims_status status = create_listscan(s, &scan);
    s->made = scan;
    return status;
}

static void undo_listscan_create(stage *s) {
    clprims_listscan_destroy(s->made);
}

static void expect_sums(const stage *s) {
    uint32_t sum = 0;
    for (size_t i = N; i-- > 0;) {
        sum += s->values[i];
        assert_int_equal(s->sums[i], sum);
    }
}

static clprims_status run_listscan_enqueue(stage *s) {
    return clprims_listscan_enqueue(s->listscan, s->queue, s->next.at, s->in.at, s->out.at,
                                    CLPRIMS_LIST_FIND_HEAD, N, s->report.at, 0, NULL, &s->event);
}

static void undo_listscan_enqueue(stage *s) {
    clprims_list_report report;
    faults_await(s);
    test_buffer_read(&s->report, &report);
    expect_ok(clprims_list_check(&report));
    test_buffer_read(&s->out, s->sums);
    expect_sums(s);
}

static clprims_status run_listscan_run(stage *s) {
    return clprims_listscan_run(s->listscan, s->links, s->values, s->sums, CLPRIMS_LIST_FIND_HEAD,
                                N);
}

static void undo_listscan_run(stage *s) {
    expect_sums(s);
}

/* ---- Forests ---- */

static clprims_status create_forest(stage *s, clprims_forest **forest) {
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.max_n = N;
    return clprims_forest_create(forest, s->context, &desc);
}

static clprims_status run_forest_create(stage *s) {
    clprims_forest *forest = (clprims_forest *)s;
    const clprims_status status = create_forest(s, &forest);
    s->made = forest;
    return status;
}

static void undo_forest_create(stage *s) {
    clprims_forest_destroy(s->made);
}

static void expect_ranks(const stage *s) {
    for (int32_t i = 0; i < N; i++) assert_int_equal(s->ranks[i], N - 1 - i);
}

static clprims_status run_forest_enqueue(stage *s) {
    const clprims_buffer none = {NULL, 0};
    const clprims_forest_arrays arrays = {
        sizeof(clprims_forest_arrays), s->next.at, s->rank.at, none, none, 0};
    return clprims_forest_enqueue(s->forest, s->queue, &arrays, N, s->report.at, 0, NULL,
                                  &s->event);
}

static void undo_forest_enqueue(stage *s) {
    clprims_list_report report;
    faults_await(s);
    test_buffer_read(&s->report, &report);
    expect_ok(clprims_forest_check(&report));
    test_buffer_read(&s->rank, s->ranks);
    expect_ranks(s);
}

static clprims_status run_forest_run(stage *s) {
    return clprims_forest_run(s->forest, s->links, s->ranks, NULL, N);
}

static void undo_forest_run(stage *s) {
    expect_ranks(s);
}

/* ---- All ---- */

static void plan_lists(stage *s) {
    expect_ok(create_listscan(s, &s->listscan));
    expect_ok(create_forest(s, &s->forest));
}

static void clear_lists(stage *s) {
    clprims_listscan_destroy(s->listscan);
    clprims_forest_destroy(s->forest);
}

static const operation operations[] = {
    FAULTS_OPERATION("listscan_create", NULL, run_listscan_create, undo_listscan_create, false),
    FAULTS_OPERATION("listscan_enqueue", plan_lists, run_listscan_enqueue, undo_listscan_enqueue,
                     false),
    FAULTS_OPERATION("listscan_enqueue/out-of-order", plan_lists, run_listscan_enqueue,
                     undo_listscan_enqueue, true),
    FAULTS_OPERATION("listscan_run", plan_lists, run_listscan_run, undo_listscan_run, false),
    FAULTS_OPERATION("forest_create", NULL, run_forest_create, undo_forest_create, false),
    FAULTS_OPERATION("forest_enqueue", plan_lists, run_forest_enqueue, undo_forest_enqueue, false),
    FAULTS_OPERATION("forest_run", plan_lists, run_forest_run, undo_forest_run, false),
};
FAULTS_GROUP(along, operations, clear_lists)
