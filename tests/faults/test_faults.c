/* SPDX-License-Identifier: MIT */
/*
 * Each public call with every allocation and every OpenCL call inside it made to fail, one after
 * another: it must fail with the right status and a message, leak nothing, and work afterwards.
 */
#include "core/context.h"
#include "core/test_hooks.h"
#include "faults/faults_codes.h"
#include "faults/faults_devices.h"
#include "faults/faults_stage.h"
#include "faults/faults_waits.h"
#include "faults/faulty.h"
#include "harness/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 10000 };

static const char *program_path;

/* ---- The calls --------------------------------------------------------------------------------
 */

static clprims_scan_desc scan_desc(clprims_algorithm algorithm) {
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
    clprims_device_info info = CLPRIMS_DEVICE_INFO_INIT;
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

static clprims_algorithm algorithm_now;

static clprims_status run_scan_create(stage *s) {
    clprims_scan *scan = (clprims_scan *)s;
    const clprims_scan_desc desc = scan_desc(algorithm_now);
    const clprims_status status = clprims_scan_create(&scan, s->context, &desc);
    s->made = scan;
    return status;
}

static void undo_scan_create(stage *s) {
    clprims_scan_destroy(s->made);
}

static clprims_status run_scan_enqueue(stage *s) {
    return clprims_scan_enqueue(s->scan, s->queue, s->in.at, s->out.at, N, 1, &s->ready, &s->event);
}

static void expect_sums(const stage *s, const uint32_t *sums) {
    const clprims_scan_desc desc = scan_desc(CLPRIMS_ALGORITHM_AUTO);
    expect_scan(&desc, s->values, sums, N, 0);
}

static void undo_scan_enqueue(stage *s) {
    faults_await(s);
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
    faults_await(s);
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

void faults_await(stage *s) {
    assert_non_null(s->event);
    expect_cl(clWaitForEvents(1, &s->event));
    expect_cl(clReleaseEvent(s->event));
    s->event = NULL;
}

static void plan_scan(stage *s) {
    const clprims_scan_desc desc = scan_desc(algorithm_now);
    expect_ok(clprims_scan_create(&s->scan, s->context, &desc));
}

static void plan_list(stage *s) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.max_n = N;
    expect_ok(clprims_list_create(&s->list, s->context, &desc));
}

static void clear_own(stage *s) {
    clprims_scan_destroy(s->scan);
    clprims_list_destroy(s->list);
}

#define SCAN(name, algorithm, out_of_order)                                                        \
    {"scan_create/" name, NULL, run_scan_create, undo_scan_create, algorithm, false},              \
        {"scan_enqueue/" name, plan_scan, run_scan_enqueue,                                        \
         undo_scan_enqueue,    algorithm, out_of_order},                                           \
    {                                                                                              \
        "scan_run/" name, plan_scan, run_scan_run, undo_scan_run, algorithm, false                 \
    }

static const operation operations[] = {
    FAULTS_OPERATION("device_count", NULL, run_device_count, nothing_to_undo, false),
    FAULTS_OPERATION("device_describe", NULL, run_device_describe, nothing_to_undo, false),
    FAULTS_OPERATION("context_create", NULL, run_context_create, undo_context_create, false),
    FAULTS_OPERATION("context_create/adopted", NULL, run_context_adopt, undo_context_create, false),
    SCAN("auto", CLPRIMS_ALGORITHM_AUTO, false),
    SCAN("reduce-then-scan", CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, true),
    FAULTS_OPERATION("list_create", NULL, run_list_create, undo_list_create, false),
    FAULTS_OPERATION("list_enqueue", plan_list, run_list_enqueue, undo_list_enqueue, false),
    FAULTS_OPERATION("list_enqueue/out-of-order", plan_list, run_list_enqueue, undo_list_enqueue,
                     true),
    FAULTS_OPERATION("list_run", plan_list, run_list_run, undo_list_run, false),
};

static FAULTS_GROUP(objects, operations, clear_own)

#define FAULTS_ADDRESS(name) &faults_of_##name,
    static const faults_group *const groups[] = {&faults_of_objects, FAULTS_GROUPS(FAULTS_ADDRESS)};

/* ---- One stage for all calls --------------------------------------------------------------------
 */

static void set_stage(stage *s, const operation *o) {
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, s->values, N);
    for (int32_t i = 0; i < N; i++) s->links[i] = i - 1;
    s->context = test_context();
    s->queue = test_queue_create(o->out_of_order);
    expect_cl(clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &s->ready));
    algorithm_now = o->algorithm;
    if (o->plan != NULL) o->plan(s);
    s->in = test_buffer_create(s->values, N, sizeof s->values[0], 3);
    s->out = test_buffer_create(NULL, N, sizeof s->sums[0], 1);
    s->next = test_buffer_create(s->links, N, sizeof s->links[0], 2);
    s->rank = test_buffer_create(NULL, N, sizeof s->ranks[0], 5);
    s->report = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 1);
}

static void clear_stage(stage *s) {
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (groups[i]->clear != NULL) groups[i]->clear(s);
    }
    test_buffer *const buffers[] = {&s->in, &s->out, &s->next, &s->rank, &s->report};
    for (size_t i = 0; i < 5; i++) test_buffer_release(buffers[i]);
    expect_cl(clReleaseEvent(s->ready));
    expect_cl(clReleaseCommandQueue(s->queue));
    free(s);
}

/* ---- Failing
 * ------------------------------------------------------------------------------------- */

typedef struct fault {
    const char *name;
    cl_int code;
    clprims_status status;
} fault;

static const fault faults[] = {
    {"NULL", CL_SUCCESS, CLPRIMS_ERR_HOST_MEMORY},
    {"CL_OUT_OF_HOST_MEMORY", CL_OUT_OF_HOST_MEMORY, CLPRIMS_ERR_HOST_MEMORY},
    {"CL_OUT_OF_RESOURCES", CL_OUT_OF_RESOURCES, CLPRIMS_ERR_DEVICE_MEMORY},
    {"CL_MEM_OBJECT_ALLOCATION_FAILURE", CL_MEM_OBJECT_ALLOCATION_FAILURE,
     CLPRIMS_ERR_DEVICE_MEMORY},
    {"CL_DEVICE_NOT_AVAILABLE", CL_DEVICE_NOT_AVAILABLE, CLPRIMS_ERR_OPENCL},
};

/* Lets call `first` fail, and each one `step` calls further on. */
typedef struct faults_case {
    const operation *operation;
    const fault *fault;
    size_t first, step;
} faults_case;

static void expect_live(const faulty_live *before, const char *name, size_t k) {
    const faulty_live now = faulty_count();
    if (memcmp(before, &now, sizeof now) != 0)
        test_fail("call %zu, %s, failed and leaked: blocks %+ld, contexts %+ld, queues %+ld, "
                  "programs %+ld, kernels %+ld, buffers %+ld, events %+ld",
                  k, name, now.blocks - before->blocks, now.contexts - before->contexts,
                  now.queues - before->queues, now.programs - before->programs,
                  now.kernels - before->kernels, now.buffers - before->buffers,
                  now.events - before->events);
}

static void expect_fault(const fault *f, clprims_status status, const char *name, size_t k) {
    const clprims_error *error = clprims_last_error();
    const bool named = f->code == CL_SUCCESS || strstr(error->message, f->name) != NULL;
    if (status != f->status || error->status != status || error->cl_code != f->code ||
        error->message[0] == '\0' || !named)
        test_fail("call %zu, %s, gave %s\n  and left %s, cl code %d, '%s'\n  expected %s", k, name,
                  f->name, clprims_status_name(status), (int)error->cl_code, error->message,
                  clprims_status_name(f->status));
}

/* A GPU that refuses more local memory than it advertises is used with that: making a context goes
 * on when a call of the probe fails. */
static bool may_go_unnoticed(const stage *s, const operation *o) {
    const bool creates = o->run == run_context_create || o->run == run_context_adopt;
    return creates && test_info().layer == CLPRIMS_LAYER_NVIDIA && s->made != NULL;
}

/* Lets the k-th call fail, of a context without programs, and the next one succeed; false when
 * there are fewer than k. */
static bool fail_once(stage *s, const operation *o, const fault *f, size_t k) {
    s->made = NULL;
    s->event = NULL;
    clp_programs_forget(s->context->programs);
    const faulty_live before = faulty_count();
    faulty_arm(k, f->code);
    const clprims_status status = o->run(s);
    const char *name = faulty_disarm();
    if (name == NULL) {
        test_expect_ok(status, o->name, __FILE__, __LINE__);
    } else {
        if (status != CLPRIMS_OK) {
            expect_fault(f, status, name, k);
        } else if (may_go_unnoticed(s, o)) {
            undo_context_create(s);
            s->made = NULL;
        } else {
            test_fail("call %zu, %s, failed unnoticed", k, name);
        }
        if (s->made != NULL) test_fail("call %zu, %s, failed and left a plan", k, name);
        /* Plain arrays are copied by commands that block. */
        if (strstr(o->name, "_enqueue") != NULL && faulty_left_running())
            test_fail("call %zu, %s, failed and left commands behind it running", k, name);
        expect_cl(clFinish(s->queue));
        s->made = NULL;
        s->event = NULL;
        test_expect_ok(o->run(s), "afterwards", __FILE__, __LINE__);
    }
    o->undo(s);
    clp_programs_forget(s->context->programs);
    expect_live(&before, name != NULL ? name : "nothing", k);
    return name != NULL;
}

static void one_after_another(const void *data) {
    const faults_case *c = data;
    stage *s = test_alloc(1, sizeof *s);
    memset(s, 0, sizeof *s);
    set_stage(s, c->operation);
    size_t k = c->first;
    size_t count = 0;
    for (; k < MOST_CALLS && fail_once(s, c->operation, c->fault, k); k += c->step) count++;
    assert_true(k < MOST_CALLS);
    printf("  %zu calls failed in turn\n", count);
    clear_stage(s);
}

/* ---- Cases ---- */

/* Making these sets up a sort and a selection besides. */
static bool is_longest(const char *name) {
    return strcmp(name, "segmented_sort_create") == 0 || strcmp(name, "topk_create") == 0;
}

/* Every allocation fails, and every OpenCL call with a code: with each of them in the long tier,
 * else the codes take turns, and of the longest calls every fourth allocation fails. */
static void add_operations(test_cases *cases, const operation *some, size_t count) {
    enum { CODES = sizeof faults / sizeof faults[0] - 1 };
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= CODES; k++) {
            const bool takes_turns = k > 0 && !test_long();
            /* Making a plan sets hundreds of arguments, but for a scan. */
            const char *name = some[i].name;
            const bool is_long = strstr(name, "create") != NULL && strncmp(name, "scan", 4) != 0;
            const size_t share = is_longest(name) ? 24 : is_long ? 4 : 1;
            const size_t of_blocks = is_longest(name) && !test_long() ? 4 : 1;
            const faults_case c = {&some[i], &faults[k], takes_turns ? k : 1,
                                   takes_turns ? share * CODES : of_blocks};
            test_add(cases, one_after_another, &c, sizeof c, "faults/%s/%s", some[i].name,
                     faults[k].name);
        }
}

static void add_cases(test_cases *cases) {
    add_device_cases(cases, program_path);
    add_code_cases(cases);
    faults_add_waits(cases);
    faults_add_dropped(cases);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        add_operations(cases, groups[i]->operations, groups[i]->count);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && faults_is_process(argv[1])) return faults_process(argv[1]);
    program_path = argv[0];
    return test_main(argc, argv, add_cases);
}
