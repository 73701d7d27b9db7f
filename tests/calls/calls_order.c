/* SPDX-License-Identifier: MIT */
/* Runs of one plan that nobody orders: on a queue out of order, on two queues. The plan does. And a
 * plan that is destroyed while its run waits, by the caller or by its context. */
#include "calls/calls.h"

enum { ROUNDS = 3 };

/* A run whose input is its output would work on the results of the run before. */
static bool is_repeatable(const subject_data *d) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].is_written && d->at[k].values != NULL) return false;
    }
    return true;
}

static cl_command_queue queue_of(cl_command_queue given) {
    return given != NULL ? given : test_queue(); /* the context's */
}

/* Runs of two data in turn, the second ones on queue[1]; all wait for one event, so that without an
 * order they would begin together. */
static void run_in_turn(const subject_scene *scene, subject_data d[2], cl_command_queue queue[2]) {
    const cl_event gate = test_gate();
    subject_buffers b[2];
    for (int k = 0; k < 2; k++) {
        b[k] = subject_buffers_create(&d[k], NULL, 0);
        b[k].call.queue = queue[k];
        b[k].call.num_wait = 1;
        b[k].call.wait = &gate;
    }
    for (int run = 0; run < (is_repeatable(d) ? 2 * ROUNDS : 2); run++) {
        const int k = run % 2;
        if (d[k].of->prepare != NULL) expect_status_ok(d[k].of->prepare(scene->plan, &d[k]));
        expect_ok(d[k].of->enqueue(scene->plan, &d[k], &b[k].call));
    }
    for (int k = 0; k < 2; k++) expect_cl(clFlush(queue_of(queue[k])));
    test_gate_open(gate);
    for (int k = 0; k < 2; k++) expect_cl(clFinish(queue_of(queue[k])));
    for (int k = 0; k < 2; k++) {
        subject_buffers_expect(&d[k], &b[k]);
    }
}

static void runs_are_ordered(const void *data) {
    subject_scene scene = subject_scene_open(data);
    subject_data d[2] = {scene.data, scene.data};
    cl_command_queue plain = test_queue_create(false), free_one = test_queue_create(true);
    cl_command_queue pairs[][2] = {
        {free_one, free_one}, {plain, NULL}, {plain, free_one}, {free_one, plain}};
    memset(d[1].at, 0, sizeof d[1].at);
    memset(d[1].pairs, 0, sizeof d[1].pairs);
    subject_draw(&d[1]);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        test_note("queues %zu", i);
        run_in_turn(&scene, d, pairs[i]);
    }
}

static void destroyed_in_flight(const void *data) {
    subject_scene scene = subject_scene_open(data);
    const subject_data *d = &scene.data;
    const cl_event gate = test_gate();
    subject_buffers b = subject_buffers_create(d, NULL, 0);
    b.call.num_wait = 1;
    b.call.wait = &gate;
    expect_ok(d->of->enqueue(scene.plan, d, &b.call));
    if (test_take_back(scene.plan)) d->of->destroy(scene.plan);
    test_gate_open(gate);
    expect_cl(clFinish(test_queue()));
    subject_buffers_expect(d, &b);
}

/* Of four plans the newest, the oldest and one in the middle are destroyed, in turn, and the others
 * left to the context, one with a run that waits. */
static void left_to_context(const void *data) {
    enum { PLANS = 4, LAST_LEFT = 2 };
    static const size_t destroyed[] = {1, 3, 0};
    subject_scene scene = subject_scene_open(data);
    const subject_data *d = &scene.data;
    const clprims_context_info info = test_info();
    clprims_context_options options = test_options();
    clprims_context *context = NULL;
    void *plans[PLANS];
    options.device = NULL;
    options.context = info.context;
    options.device_id = info.device_id;
    for (size_t left = 0; left <= LAST_LEFT; left++) {
        const cl_event gate = test_gate();
        subject_buffers b = subject_buffers_create(d, NULL, 0);
        b.call.num_wait = 1;
        b.call.wait = &gate;
        expect_ok(clprims_context_create(&context, &options));
        for (size_t k = 0; k < PLANS; k++) {
            expect_ok(subject_plan(d, context, scene.tuning, &plans[k]));
        }
        for (size_t k = 0; k < left; k++) d->of->destroy(plans[destroyed[k]]);
        if (d->of->prepare != NULL) expect_status_ok(d->of->prepare(plans[LAST_LEFT], d));
        expect_ok(d->of->enqueue(plans[LAST_LEFT], d, &b.call));
        clprims_context_destroy(context);
        test_gate_open(gate);
        expect_cl(clFinish(test_queue()));
        subject_buffers_expect(d, &b);
    }
}

void calls_add_order(test_cases *cases) {
    subject_add_calls(cases, runs_are_ordered, "calls/order");
    subject_add_calls(cases, destroyed_in_flight, "calls/destroyed");
    subject_add_calls(cases, left_to_context, "calls/left");
}
