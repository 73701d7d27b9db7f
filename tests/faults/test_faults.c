/* SPDX-License-Identifier: MIT */
/*
 * Each public call with every allocation and every OpenCL call inside it made to fail, one after
 * another: it must fail with the right status and a message, leak nothing, and work afterwards.
 */
#include "core/program.h"
#include "faults/faults_codes.h"
#include "faults/faults_devices.h"
#include "faults/faults_stage.h"
#include "faults/faults_waits.h"
#include "faults/faulty.h"

enum { MOST_CALLS = 10000 };

static const char *program_path;

/* ---- The calls --------------------------------------------------------------------------------
 */

static clprims_status run_device_count(stage *s) {
    size_t count = 0;
    (void)s;
    return clprims_device_count(&count);
}

static clprims_status run_device_describe(stage *s) {
    clprims_device_info info = {0};
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

operation *faults_append(operations *to, const char *name, const char *call, const char *suffix) {
    assert_true(to->count < FAULTS_MOST_OPERATIONS);
    operation *o = &to->all[to->count++];
    *o = (operation){.undo = nothing_to_undo};
    snprintf(o->name, sizeof o->name, "%s%s%s", name, call, suffix);
    return o;
}

static void append_objects(operations *to) {
    faults_append(to, "device", "_count", "")->run = run_device_count;
    faults_append(to, "device", "_describe", "")->run = run_device_describe;
    operation *created = faults_append(to, "context", "_create", "");
    operation *adopted = faults_append(to, "context", "_create", "/adopted");
    created->run = run_context_create;
    adopted->run = run_context_adopt;
    created->undo = adopted->undo = undo_context_create;
}

/* ---- One stage for all calls --------------------------------------------------------------------
 */

static void set_stage(stage *s, const operation *o) {
    s->context = test_context();
    faulty_keep_programs(s->context->cl);
    s->queue = test_queue_create(o->out_of_order);
    expect_cl(clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &s->ready));
    if (o->of != NULL) faults_open_subject(s, o);
}

static void clear_stage(stage *s) {
    if (s->data.of != NULL) faults_close_subject(s);
    expect_cl(clReleaseEvent(s->ready));
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

/* A call of the program store, or of the building of what it has. */
static bool is_of_store(const operation *o, const char *name) {
    static const char *const names[] = {"malloc", "clGetProgramInfo", "clCreateProgramWithBinary",
                                        "clBuildProgram"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        is = is || strcmp(names[i], name) == 0;
    }
    return is && o->builds_instead;
}

/* Lets the k-th call fail, of a context without programs, and the next one succeed; false when
 * there are fewer than k. */
static bool fail_once(stage *s, const operation *o, const fault *f, size_t k) {
    s->made = NULL;
    s->event = NULL;
    clp_programs_forget(s->context->programs);
    if (o->of != NULL) faults_refresh_subject(s);
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
        } else if (is_of_store(o, name)) {
            test_note("%s went unnoticed", name);
        } else if (strcmp(name, "clRetainEvent") == 0) {
            o->undo(s); /* a plan that can't keep the run's event has waited for the run */
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
        if (o->of != NULL) faults_refresh_subject(s);
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
static void add_operations(test_cases *cases, const operations *some) {
    enum { CODES = sizeof faults / sizeof faults[0] - 1 };
    for (size_t i = 0; i < some->count; i++)
        for (size_t k = 0; k <= CODES; k++) {
            const bool takes_turns = k > 0 && !test_long();
            /* Making a plan sets hundreds of arguments, but for a scan, and so does a run that
             * sorts by ranks. */
            const char *name = some->all[i].name;
            const bool is_long =
                (strstr(name, "create") != NULL && strncmp(name, "scan", 4) != 0) ||
                strstr(name, "_run-by-ranks") != NULL;
            const size_t share = is_longest(name) ? 24 : is_long ? 4 : 1;
            const size_t of_blocks = is_longest(name) && !test_long() ? 4 : 1;
            const faults_case c = {&some->all[i], &faults[k], takes_turns ? k : 1,
                                   takes_turns ? share * CODES : of_blocks};
            test_add_row(cases, one_after_another, c, "faults/%s/%s", name, faults[k].name);
        }
}

static void add_cases(test_cases *cases) {
    static operations all;
    add_device_cases(cases, program_path);
    add_code_cases(cases);
    faults_add_waits(cases);
    faults_add_dropped(cases);
    append_objects(&all);
    faults_append_subjects(&all);
    faults_append_once(&all);
    faults_append_store(&all);
    add_operations(cases, &all);
}

int main(int argc, char **argv) {
    if (argc > 1 && faults_is_process(argv[1])) return faults_process(argv[1]);
    program_path = argv[0];
    return test_main(argc, argv, add_cases);
}
