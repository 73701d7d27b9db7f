/* SPDX-License-Identifier: MIT */
/* The public calls that test_faults lets fail, each with the check of what it gives. */
#include "faults_calls.h"

#include "oracle.h"

#include <stdlib.h>
#include <string.h>

enum { N = FAULTS_N };

static clprims_scan_desc scan_desc(clprims_scan_algorithm algorithm) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.inclusive = 1;
    desc.max_n = N;
    desc.algorithm = algorithm;
    return desc;
}

static clprims_status run_device_count(stage *s) {
    size_t count = 0;
    (void)s;
    return clprims_device_count(&count);
}

static clprims_status run_device_describe(stage *s) {
    clprims_device_info info;
    (void)s;
    return clprims_device_describe(0, &info);
}

static void nothing_to_undo(stage *s) {
    (void)s;
}

static clprims_status run_context_create(stage *s) {
    clprims_context *context = (clprims_context *)s;
    clprims_context_options options = test_options();
    /* A named device has no second best to fall back to. */
    const clprims_context_info info = test_info();
    options.device = info.device.name;
    const clprims_status status = clprims_context_create(&context, &options);
    s->made = context;
    return status;
}

static void undo_context_create(stage *s) {
    clprims_context_destroy(s->made);
}

static clprims_status run_context_adopt(stage *s) {
    clprims_context *context = (clprims_context *)s;
    clprims_context_options options = test_options();
    const clprims_context_info info = test_info();
    options.device = NULL;
    options.context = info.context;
    options.device_id = info.device_id;
    options.queue = info.queue;
    const clprims_status status = clprims_context_create(&context, &options);
    s->made = context;
    return status;
}

/* What a create is to make. */
static const operation *operation_now;

static clprims_status run_scan_create(stage *s) {
    clprims_scan *scan = (clprims_scan *)s;
    const clprims_scan_desc desc = scan_desc(operation_now->algorithm);
    const clprims_status status = clprims_scan_create(&scan, s->context, &desc);
    s->made = scan;
    return status;
}

static void undo_scan_create(stage *s) {
    clprims_scan_destroy(s->made);
}

static clprims_status run_scan_enqueue(stage *s) {
    return clprims_scan_enqueue(s->scan, s->queue, s->in.at, s->out.at, N, 0, NULL, &s->event);
}

static void expect_sums(const stage *s, const uint32_t *sums) {
    const clprims_scan_desc desc = scan_desc(CLPRIMS_SCAN_AUTO);
    expect_scan(&desc, s->values, sums, N, 0);
}

static void await_event(stage *s) {
    assert_non_null(s->event);
    expect_cl(clWaitForEvents(1, &s->event));
    expect_cl(clReleaseEvent(s->event));
    s->event = NULL;
}

static void undo_scan_enqueue(stage *s) {
    await_event(s);
    test_buffer_read(&s->out, s->sums);
    expect_sums(s, s->sums);
}

static clprims_status run_scan_run(stage *s) {
    return clprims_scan_run(s->scan, s->values, s->sums, N);
}

static void undo_scan_run(stage *s) {
    expect_sums(s, s->sums);
}

static clprims_status run_list_create(stage *s) {
    clprims_list *list = (clprims_list *)s;
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.max_n = N;
    const clprims_status status = clprims_list_create(&list, s->context, &desc);
    s->made = list;
    return status;
}

static void undo_list_create(stage *s) {
    clprims_list_destroy(s->made);
}

static void expect_ranks(const stage *s) {
    for (int32_t i = 0; i < N; i++) assert_int_equal(s->ranks[i], N - 1 - i);
}

static clprims_status run_list_enqueue(stage *s) {
    return clprims_list_enqueue(s->list, s->queue, s->next.at, s->rank.at, CLPRIMS_LIST_FIND_HEAD,
                                N, s->report.at, 0, NULL, &s->event);
}

static void undo_list_enqueue(stage *s) {
    clprims_list_report report;
    await_event(s);
    test_buffer_read(&s->report, &report);
    expect_ok(clprims_list_check(&report));
    test_buffer_read(&s->rank, s->ranks);
    expect_ranks(s);
}

static clprims_status run_list_run(stage *s) {
    return clprims_list_run(s->list, s->links, s->ranks, CLPRIMS_LIST_FIND_HEAD, N);
}

static void undo_list_run(stage *s) {
    expect_ranks(s);
}

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
    return clprims_offsets_enqueue(s->offsets, s->queue, none, s->in.at, s->sums64.at, N,
                                   s->verdict.at, 0, NULL, &s->event);
}

static void undo_offsets_enqueue(stage *s) {
    clprims_offsets_report report;
    await_event(s);
    test_buffer_read(&s->verdict, &report);
    expect_ok(clprims_offsets_check(&report));
    test_buffer_read(&s->sums64, s->totals);
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
    const clprims_select_desc desc = select_desc(operation_now->partition);
    const clprims_status status = clprims_select_create(&select, s->context, &desc);
    s->made = select;
    return status;
}

static void undo_select_create(stage *s) {
    clprims_select_destroy(s->made);
}

/* s->sums against the values that are kept, then for a partition the others. */
static void expect_selected(const stage *s, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < N; i++) kept += s->keeps[i] != 0;
    if (count != kept) test_fail("count = %zu, not %zu", count, kept);
    size_t at[2] = {kept, 0};
    for (size_t i = 0; i < N; i++) {
        const size_t place = at[s->keeps[i] != 0]++;
        if (s->keeps[i] == 0 && !operation_now->partition) continue;
        if (s->sums[place] != s->values[i]) test_fail("element %zu is not at %zu", i, place);
    }
}

static clprims_status run_select_enqueue(stage *s) {
    const clprims_select_buffers buffers = {
        .in = {s->in.at}, .out = {s->out.at}, .flags = s->flags.at, .count = s->count.at};
    return clprims_select_enqueue(s->select, s->queue, &buffers, N, N, 0, NULL, &s->event);
}

static void undo_select_enqueue(stage *s) {
    uint64_t count = 0;
    await_event(s);
    test_buffer_read(&s->count, &count);
    test_buffer_read(&s->out, s->sums);
    expect_selected(s, (size_t)count);
}

static size_t counted;

static clprims_status run_select_run(stage *s) {
    const clprims_select_arrays arrays = {.in = {s->values}, .out = {s->sums}, .flags = s->keeps};
    return clprims_select_run(s->select, &arrays, N, N, &counted);
}

static void undo_select_run(stage *s) {
    expect_selected(s, counted);
}

/* ---- The table ---- */

#define SCAN(name, algorithm, out_of_order)                                                        \
    {"scan_create/" name, NO_PLAN, run_scan_create, undo_scan_create, algorithm, false, false},    \
        {"scan_enqueue/" name, SCAN_PLAN, run_scan_enqueue, undo_scan_enqueue, algorithm,          \
         out_of_order,         false},                                                             \
    {                                                                                              \
        "scan_run/" name, SCAN_PLAN, run_scan_run, undo_scan_run, algorithm, false, false          \
    }

#define SELECT(name, partition)                                                                    \
    {name "_create",    NO_PLAN, run_select_create, undo_select_create,                            \
     CLPRIMS_SCAN_AUTO, false,   partition},                                                       \
        {name "_enqueue",   SELECT_PLAN, run_select_enqueue, undo_select_enqueue,                  \
         CLPRIMS_SCAN_AUTO, true,        partition},                                               \
    {                                                                                              \
        name "_run", SELECT_PLAN, run_select_run, undo_select_run, CLPRIMS_SCAN_AUTO, false,       \
            partition                                                                              \
    }

#define PLAIN(name, needs, run, undo, out_of_order)                                                \
    { name, needs, run, undo, CLPRIMS_SCAN_AUTO, out_of_order, false }

const operation operations[] = {
    PLAIN("device_count", NO_PLAN, run_device_count, nothing_to_undo, false),
    PLAIN("device_describe", NO_PLAN, run_device_describe, nothing_to_undo, false),
    PLAIN("context_create", NO_PLAN, run_context_create, undo_context_create, false),
    PLAIN("context_create/adopted", NO_PLAN, run_context_adopt, undo_context_create, false),
    SCAN("auto", CLPRIMS_SCAN_AUTO, false),
    SCAN("reduce-then-scan", CLPRIMS_SCAN_REDUCE_THEN_SCAN, true),
    PLAIN("list_create", NO_PLAN, run_list_create, undo_list_create, false),
    PLAIN("list_enqueue", LIST_PLAN, run_list_enqueue, undo_list_enqueue, false),
    PLAIN("list_enqueue/out-of-order", LIST_PLAN, run_list_enqueue, undo_list_enqueue, true),
    PLAIN("list_run", LIST_PLAN, run_list_run, undo_list_run, false),
    PLAIN("offsets_create", NO_PLAN, run_offsets_create, undo_offsets_create, false),
    PLAIN("offsets_enqueue", OFFSETS_PLAN, run_offsets_enqueue, undo_offsets_enqueue, true),
    PLAIN("offsets_run", OFFSETS_PLAN, run_offsets_run, undo_offsets_run, false),
    SELECT("select", false),
    SELECT("partition", true),
    {NULL, NO_PLAN, NULL, NULL, CLPRIMS_SCAN_AUTO, false, false},
};

/* ---- One stage for all calls --------------------------------------------------------------------
 */

stage *stage_set(const operation *o) {
    stage *s = test_alloc(1, sizeof *s);
    const clprims_offsets_desc counts = offsets_desc();
    const clprims_select_desc flags = select_desc(o->partition);
    memset(s, 0, sizeof *s);
    const clprims_scan_desc desc = scan_desc(o->algorithm);
    clprims_list_desc list_desc = CLPRIMS_LIST_DESC_INIT;
    list_desc.max_n = N;
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, s->values, N);
    for (int32_t i = 0; i < N; i++) {
        s->links[i] = i - 1;
        s->keeps[i] = (uint8_t)test_random_below(2);
    }
    s->context = test_context();
    s->queue = test_queue_create(o->out_of_order);
    if (o->needs == SCAN_PLAN) expect_ok(clprims_scan_create(&s->scan, s->context, &desc));
    if (o->needs == LIST_PLAN) expect_ok(clprims_list_create(&s->list, s->context, &list_desc));
    if (o->needs == OFFSETS_PLAN)
        expect_ok(clprims_offsets_create(&s->offsets, s->context, &counts));
    if (o->needs == SELECT_PLAN) expect_ok(clprims_select_create(&s->select, s->context, &flags));
    s->in = test_buffer_create(s->values, N, sizeof s->values[0], 3);
    s->out = test_buffer_create(NULL, N, sizeof s->sums[0], 1);
    s->next = test_buffer_create(s->links, N, sizeof s->links[0], 2);
    s->rank = test_buffer_create(NULL, N, sizeof s->ranks[0], 5);
    s->report = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 1);
    s->flags = test_buffer_create(s->keeps, N, 1, 3);
    s->sums64 = test_buffer_create(NULL, N + 1, sizeof s->totals[0], 1);
    s->count = test_buffer_create(NULL, 1, sizeof(uint64_t), 2);
    s->verdict = test_buffer_create(NULL, 1, sizeof(clprims_offsets_report), 1);
    operation_now = o;
    return s;
}

void stage_clear(stage *s) {
    clprims_scan_destroy(s->scan);
    clprims_list_destroy(s->list);
    clprims_offsets_destroy(s->offsets);
    clprims_select_destroy(s->select);
    test_buffer *const buffers[] = {&s->in,    &s->out,    &s->next,  &s->rank,   &s->report,
                                    &s->flags, &s->sums64, &s->count, &s->verdict};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) test_buffer_release(buffers[i]);
    expect_cl(clReleaseCommandQueue(s->queue));
    free(s);
}
