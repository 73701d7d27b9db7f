/* SPDX-License-Identifier: MIT */
/*
 * What the commands of each call wait for, as OpenCL is told: a driver that runs them in order of
 * submission gives right results whatever they wait for. The first command waits for the caller's
 * list, each later one for the one before unless the queue keeps the order, and the caller gets the
 * event of the last. The last run of the plan has ended on the same queue, so that the plan adds
 * nothing to the list.
 */
#include "faults/faults_waits.h"
#include "faults/faulty.h"
#include "subjects/runs/subject_buffers.h"

enum { WAITS = 3 };

/* One way to make the call. */
typedef struct how {
    cl_uint num_wait;
    cl_event wait[WAITS];
    bool out_of_order, wants_event, watched;
} how;

static void ignore_kernel(void *user, cl_kernel kernel, cl_event event) {
    (void)user;
    (void)kernel;
    (void)event;
}

static bool waits_for_list(const faulty_command *command, const how *h) {
    return command->num_wait == h->num_wait &&
           memcmp(command->wait, h->wait, h->num_wait * sizeof h->wait[0]) == 0;
}

static bool waits_for(const faulty_command *command, cl_event event) {
    return event != NULL && command->num_wait == 1 && command->wait[0] == event;
}

/* A barrier without a list waits for all commands before it, and all behind it wait for it. */
static bool is_barrier(const faulty_command *command) {
    return strcmp(command->name, "clEnqueueBarrierWithWaitList") == 0 && command->num_wait == 0;
}

static void expect_chain(const faulty_command *commands, size_t count, const how *h) {
    if (count == 0 || count > FAULTY_MOST_COMMANDS) test_fail("%zu commands", count);
    if (!waits_for_list(&commands[0], h)) {
        test_fail("%s, the first of %zu, waits for %u events, and not for the caller's %u",
                  commands[0].name, count, commands[0].num_wait, h->num_wait);
    }
    for (size_t i = 1; i < count; i++) {
        const faulty_command *command = &commands[i], *before = command - 1;
        const bool chained = waits_for(command, before->event);
        const bool ordered = !h->out_of_order || is_barrier(before) || is_barrier(command);
        const bool more = command->num_wait > 0 && !waits_for_list(command, h);
        if (!chained && (!ordered || more)) {
            test_fail("%s, %zu of %zu, waits for %u events, and not for the command before it",
                      command->name, i + 1, count, command->num_wait);
        }
    }
}

static void make_call(const subject_scene *scene, subject_submission call, const how *h) {
    cl_event event = NULL;
    size_t count = 0;
    clprims_watch(h->watched ? ignore_kernel : NULL, NULL);
    const faulty_live before = faulty_count();
    faulty_record();
    call.num_wait = h->num_wait;
    call.wait = h->num_wait > 0 ? h->wait : NULL;
    call.event = h->wants_event ? &event : NULL;
    const clprims_status status = scene->data.of->enqueue(scene->plan, &scene->data, &call);
    const faulty_command *commands = faulty_recorded(&count);
    clprims_watch(NULL, NULL);
    test_expect_ok(status, "enqueue", __FILE__, __LINE__);
    expect_chain(commands, count, h);
    if (h->wants_event && (event == NULL || event != commands[count - 1].event)) {
        test_fail("the event is not that of %s, the last command", commands[count - 1].name);
    }
    assert_int_equal(faulty_count().events, before.events + (h->wants_event ? 1 : 0));
    expect_cl(clFinish(call.queue));
    if (event != NULL) expect_cl(clReleaseEvent(event));
}

/* All ways to make the call on a queue of that kind. */
static void make_calls(const subject_scene *scene, subject_submission call, how *h) {
    call.queue = test_queue_create(h->out_of_order);
    expect_ok(scene->data.of->enqueue(scene->plan, &scene->data, &call));
    expect_cl(clFinish(call.queue));
    for (int way = 0; way < 8; way++) {
        h->num_wait = way % 2 == 0 ? WAITS : 0;
        h->wants_event = way / 2 % 2 == 0;
        h->watched = way / 4 == 1;
        test_note("%s of order, waits for %u, event %swanted, %swatched",
                  h->out_of_order ? "out" : "in", h->num_wait, h->wants_event ? "" : "not ",
                  h->watched ? "" : "not ");
        make_call(scene, call, h);
    }
}

/* A plan that was made has left nothing under way: runs may be on another queue. Nor has a second
 * equal plan, which is not warmed up. */
static subject_scene open_twice(const subject_call_ref *ref) {
    size_t count = 0;
    subject_scene scene = subject_scene_open(ref);
    if (test_take_back(scene.plan)) ref->of->destroy(scene.plan);
    faulty_record();
    scene = subject_scene_open(ref);
    const faulty_command *commands = faulty_recorded(&count);
    if (count > FAULTY_MOST_COMMANDS) test_fail("%zu commands", count);
    if (count > 0 && strcmp(commands[count - 1].name, "clFinish") != 0) {
        test_fail("create ends with %s", commands[count - 1].name);
    }
    return scene;
}

/* Runs of plain arrays may be on a queue out of order: each reading stands behind a barrier. Nor do
 * they keep anything. */
static void readings_wait(void) {
    enum { N = 10 };
    clprims_scan *plan = NULL;
    const uint8_t in[N] = {1, 2, 3};
    uint64_t out[N];
    size_t count = 0, readings = 0;
    clprims_scan_desc desc = {.type = CLPRIMS_U8, .accumulator = CLPRIMS_U64, .max_n = N};
    expect_ok(clprims_scan_create(&plan, test_context(), &desc));
    const clprims_scan_arrays arrays = {.in = in, .out = out};
    expect_ok(clprims_scan_run(plan, &arrays, N)); /* from now on the plan knows the queue */
    const faulty_live before = faulty_count();
    faulty_record();
    expect_ok(clprims_scan_run(plan, &arrays, N));
    const faulty_command *commands = faulty_recorded(&count);
    const faulty_live after = faulty_count();
    assert_memory_equal(&before, &after, sizeof before);
    assert_in_range(count, 2, FAULTY_MOST_COMMANDS);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(commands[i].name, "clEnqueueReadBuffer") != 0) continue;
        readings++;
        if (i == 0 || !is_barrier(&commands[i - 1])) test_fail("command %zu is not behind one", i);
    }
    assert_int_equal(readings, 1);
    assert_int_equal(out[3], 6);
    clprims_scan_destroy(plan);
}

/* Scratch is as OpenCL gives it: a plan whose buffers had junk in them gives the same results. */
static void junk_is_no_matter(const void *data) {
    faulty_spoil_buffers(true);
    subject_scene scene = subject_scene_open(data);
    faulty_spoil_buffers(false);
    subject_enqueue_is_right(&scene.data, scene.plan);
}

static void commands_wait(const void *data) {
    cl_int code = CL_SUCCESS;
    how h = {.num_wait = 0};
    for (size_t i = 0; i < WAITS; i++) {
        h.wait[i] = clCreateUserEvent(test_info().context, &code);
        expect_cl(code);
        expect_cl(clSetUserEventStatus(h.wait[i], CL_COMPLETE));
    }
    subject_scene scene = open_twice(data);
    subject_buffers b = subject_buffers_create(&scene.data, NULL, 0);
    make_calls(&scene, b.call, &h);
    h.out_of_order = true;
    make_calls(&scene, b.call, &h);
    for (size_t i = 0; i < WAITS; i++) expect_cl(clReleaseEvent(h.wait[i]));
}

void faults_add_waits(test_cases *cases) {
    test_add_plain(cases, readings_wait, "faults/waits/run");
    subject_add_calls(cases, commands_wait, "faults/waits");
    subject_add_calls(cases, junk_is_no_matter, "faults/junk");
}
