/* SPDX-License-Identifier: MIT */
/* Arguments that every enqueue refuses: malformed wait lists, and queues, events and buffers of
 * another context or device than the plan's. */
#include "core/core_cases.h"
#include "subjects/runs/subject_buffers.h"

enum { N = 8, BYTES = 1024 };

/* A plan of the subject's least description, and data of about N elements. */
static subject_scene open_plain(const subject *of, clprims_context *context) {
    subject_scene scene = {.data = {.of = of, .desc = of->plain, .variant = 1}};
    subject_limit_for(of, N, scene.data.most);
    expect_ok(subject_plan(&scene.data, context, NULL, &scene.plan));
    test_leave(of->destroy, scene.plan);
    subject_draw_about(&scene.data, N);
    return scene;
}

static clprims_status enqueue(const subject_scene *scene, const subject_submission *call) {
    return scene->data.of->enqueue(scene->plan, &scene->data, call);
}

/* ---- Another context ---------------------------------------------------------------------------
 */

typedef struct foreign {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
    cl_event event;
} foreign;

static foreign foreign_create(void) {
    const clprims_context_info info = test_info();
    cl_int code;
    foreign f;
    f.context = clCreateContext(NULL, 1, &info.device_id, NULL, NULL, &code);
    expect_cl(code);
    f.queue = clCreateCommandQueue(f.context, info.device_id, 0, &code);
    expect_cl(code);
    f.mem = clCreateBuffer(f.context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    expect_cl(code);
    expect_cl(clEnqueueMarkerWithWaitList(f.queue, 0, NULL, &f.event));
    expect_cl(clFinish(f.queue));
    return f;
}

static void foreign_release(const foreign *f) {
    expect_cl(clReleaseEvent(f->event));
    expect_cl(clReleaseMemObject(f->mem));
    expect_cl(clReleaseCommandQueue(f->queue));
    expect_cl(clReleaseContext(f->context));
}

static void refuse_waits(const subject_scene *scene, subject_submission s, cl_event ours,
                         cl_event theirs) {
    const cl_event with_null[] = {ours, NULL}, with_theirs[] = {ours, theirs};
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    s.num_wait = 1;
    expect_failure(enqueue(scene, &s), wrong, "num_wait = 1, but wait is NULL");
    s.num_wait = 0;
    s.wait = &ours;
    expect_failure(enqueue(scene, &s), wrong, "num_wait = 0, but wait is not NULL");
    s.num_wait = 2;
    s.wait = with_null;
    expect_failure(enqueue(scene, &s), wrong, "wait[1] is NULL, with num_wait = 2");
    s.wait = with_theirs;
    expect_failure(enqueue(scene, &s), wrong, "wait[1] is of another context");
}

static void submissions(const void *data) {
    const foreign other = foreign_create();
    subject_scene scene = open_plain(*(const subject *const *)data, test_context());
    subject_buffers b = subject_buffers_create(&scene.data, NULL, 0);
    subject_submission s = b.call;
    cl_event ours;
    expect_cl(clEnqueueMarkerWithWaitList(s.queue, 0, NULL, &ours));
    refuse_waits(&scene, s, ours, other.event);
    s.queue = other.queue;
    expect_failure(enqueue(&scene, &s), CLPRIMS_ERR_ARGUMENT, "queue is of another context");
    s.queue = test_queue();
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const clprims_buffer own = s.at[k];
        if (scene.data.at[k].name == NULL || scene.data.at[k].n == 0) continue;
        s.at[k] = (clprims_buffer){other.mem, 0};
        expect_failure(enqueue(&scene, &s), CLPRIMS_ERR_ARGUMENT, "mem is of another context");
        s.at[k] = own;
    }
    s.num_wait = 1;
    s.wait = &ours;
    expect_ok(enqueue(&scene, &s));
    expect_cl(clFinish(s.queue));
    expect_cl(clReleaseEvent(ours));
    foreign_release(&other);
}

/* ---- Another device of the same context --------------------------------------------------------
 */

static void queue_of_other_device(void) {
    static const subject *const some[] = {&subject_scan, &subject_minplus};
    clprims_context_options options = {0};
    subject_submission s = {.num_wait = 0};
    cl_int code;
    cl_device_id devices[2] = {test_info().device_id, test_sub_device()};
    options.context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    expect_cl(code);
    options.device_id = devices[0];
    clprims_context *context = test_context_create(&options);
    s.queue = clCreateCommandQueue(options.context, devices[1], 0, &code);
    expect_cl(code);
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        subject_scene scene = open_plain(some[i], context);
        expect_failure(enqueue(&scene, &s), CLPRIMS_ERR_ARGUMENT, "queue is of another device");
    }
    expect_cl(clReleaseCommandQueue(s.queue));
    expect_cl(clReleaseContext(options.context));
    expect_cl(clReleaseDevice(devices[1]));
}

void core_add_submissions(test_cases *cases) {
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        test_add_row(cases, submissions, subjects[i], "core/submissions/%s", subjects[i]->name);
    }
    test_add_plain(cases, queue_of_other_device, "core/submissions/other-device");
}
