/* SPDX-License-Identifier: MIT */
/* What must not go wrong however the device's work-groups are dealt: late tiles, used-up run
 * numbers, threads, far more groups than are resident, and one. */
#include "scan/scan_cases.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef struct safety_case {
    clprims_scan_desc desc;
    size_t n;
    int runs;
} safety_case;

static const scan_shape chosen = {"chosen", NULL, NULL};

static clprims_scan_desc describe(clprims_type type, clprims_algorithm algorithm,
                                  const scan_shape *shape, size_t n) {
    clprims_scan_desc desc = {.type = type, .max_n = n};
    scan_set(&desc, algorithm, shape);
    return desc;
}

/* ---- Right, however often -------------------------------------------------------------------- */

/* Runs one after another on queues in and out of order, each chained to the one before. Two inputs
 * take turns, so that what a run leaves in the plan's state is wrong for the next. */
static void runs_are_right(const void *data) {
    static const size_t firsts[SUBJECT_SLOTS] = {[SCAN_OUT] = 1};
    const safety_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    cl_command_queue queues[2] = {test_queue(), test_queue_create(true)};
    subject_data d[2];
    subject_buffers b[2];
    cl_event before = NULL;
    for (int k = 0; k < 2; k++) {
        d[k] = scan_data(&c->desc, c->n);
        subject_draw(&d[k]);
        b[k] = subject_buffers_create(&d[k], firsts, 0);
    }
    for (int run = 0; run < c->runs; run++) {
        subject_submission call = b[run % 2].call;
        cl_event done = NULL;
        call.queue = queues[run % 2];
        call.num_wait = before != NULL;
        call.wait = before != NULL ? &before : NULL;
        call.event = &done;
        expect_ok(subject_scan.enqueue(scan, &d[run % 2], &call));
        expect_cl(clFlush(call.queue));
        if (before != NULL) expect_cl(clReleaseEvent(before));
        before = done;
    }
    expect_cl(clWaitForEvents(1, &before));
    expect_cl(clReleaseEvent(before));
    for (int k = 0; k < 2; k++) {
        expect_cl(clFinish(queues[k]));
        subject_buffers_expect(&d[k], &b[k]);
    }
}

/* Each element is overwritten by its result; a group that computes a late tile in its owner's stead
 * must not take a result for an input. */
static void in_place_is_right(const void *data) {
    const safety_case *c = data;
    const scan_case one = {.desc = c->desc, .n = c->n, .in_first = 1, .in_place = true};
    for (int run = 0; run < c->runs; run++) scan_is_right(&one);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* A plan, a queue and buffers of one thread, which runs at least once and until it is told to
 * stop. */
typedef struct worker {
    void *scan;
    subject_data data;
    subject_buffers buffers;
    atomic_bool stop, ended;
    atomic_int runs;
    clprims_status status;
    pthread_t thread;
} worker;

static void *work(void *data) {
    worker *w = data;
    do {
        w->status = subject_scan.enqueue(w->scan, &w->data, &w->buffers.call);
        if (w->status == CLPRIMS_OK && clFinish(w->buffers.call.queue) != CL_SUCCESS) {
            w->status = CLPRIMS_ERR_OPENCL;
        }
        atomic_fetch_add(&w->runs, 1);
    } while (!atomic_load(&w->stop) && w->status == CLPRIMS_OK);
    atomic_store(&w->ended, true);
    return NULL;
}

static void worker_start(worker *w, const clprims_scan_desc *desc, size_t n, bool out_of_order) {
    *w = (worker){.data = scan_data(desc, n)};
    subject_draw(&w->data);
    w->buffers = subject_buffers_create(&w->data, NULL, 0);
    w->buffers.call.queue = test_queue_create(out_of_order);
    w->scan = subject_made_plan(&subject_scan, desc);
    assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

/* Stops the worker and looks at its last result. */
static void worker_end(worker *w) {
    atomic_store(&w->stop, true);
    assert_int_equal(pthread_join(w->thread, NULL), 0);
    assert_int_equal(w->status, CLPRIMS_OK);
    subject_buffers_expect(&w->data, &w->buffers);
}

/* Two plans of one context on two queues, from two threads, at once. */
static void two_threads(const void *data) {
    const safety_case *c = data;
    worker workers[2];
    for (int i = 0; i < 2; i++) worker_start(&workers[i], &c->desc, c->n, i == 1);
    for (int i = 0; i < 2; i++) {
        while (atomic_load(&workers[i].runs) < c->runs && !atomic_load(&workers[i].ended)) {
            sched_yield();
        }
    }
    for (int i = 0; i < 2; i++) worker_end(&workers[i]);
}

/* ---- Floats ---------------------------------------------------------------------------------- */

/* The same bits in every run, with another plan's runs beside; and from a plan some of whose tiles
 * are late. late: the other tuning. */
typedef struct bits_case {
    safety_case on_time;
    const char *late;
} bits_case;

static void fill_rounding(const subject_data *d, void *in, size_t n) {
    (void)d;
    test_random_unit(CLPRIMS_F32, in, n);
}

static void bits_are_the_same(const void *data) {
    const bits_case *c = data;
    const size_t n = c->on_time.n;
    const clprims_scan_desc other = describe(CLPRIMS_U32, CLPRIMS_ALGORITHM_AUTO, &chosen, n);
    subject_data d = scan_data(&c->on_time.desc, n);
    void *on_time = subject_opened_plan(&d, NULL), *late = subject_opened_plan(&d, c->late);
    worker beside;
    d.fill = fill_rounding;
    subject_draw(&d);
    subject_expect_as_run(&d, on_time);
    worker_start(&beside, &other, n, false);
    for (int run = 0; run < c->on_time.runs; run++) {
        subject_enqueue_is_right(&d, run % 2 ? on_time : late);
    }
    worker_end(&beside);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void add_case(test_cases *cases, test_function *run, const char *what, safety_case c,
                     clprims_algorithm algorithm, const scan_shape *shape) {
    c.desc = describe(CLPRIMS_U32, algorithm, shape, c.n);
    test_add_row(cases, run, c, "scan/%s/n=%zu/%s/%s", what, c.n, clprims_algorithm_name(algorithm),
                 shape->name);
}

/* Every fifth tile publishes long after it could, in tiles of one work-item and of many. */
static void add_late(test_cases *cases) {
    static const scan_shape late[SCAN_SHAPES] = {
        {"one", "GROUP=1 ROWS=40 SPINS=50 DELAY=5",
         "SCANNERS=1 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1 DELAY=5"},
        {"many", "GROUP=64 ROWS=2 SPINS=50 DELAY=5",
         "SCANNERS=3 REDUCERS=2 ROWS=2 STAGES=3 UNITS=3 DELAY=5"}};
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES; mode++) {
        const clprims_algorithm algorithm = scan_algorithm(mode / SCAN_SHAPES);
        const safety_case c = {.n = test_small() ? 1500 : 20001, .runs = 3};
        if (algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) continue;
        add_case(cases, runs_are_right, "late-tiles", c, algorithm, &late[mode % SCAN_SHAPES]);
        if (test_small()) continue; /* the race is part of the fallback's design */
        add_case(cases, in_place_is_right, "late-tiles-in-place", c, algorithm,
                 &late[mode % SCAN_SHAPES]);
    }
}

/* The same, used-up run numbers and far more groups than are resident, in forms of some devices. */
static void add_forms(test_cases *cases) {
    static const scan_shape late[SCAN_MOST_FORMS] = {
        {"wave", "GROUP=32 ROWS=1 WAVE=1 DELAY=5", NULL},
        {"fed-70", NULL, "SCANNERS=2 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1 DELAY=5 CAPABILITY=70"},
        {"fed-80", NULL, "SCANNERS=2 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1 DELAY=5 CAPABILITY=80"}};
    static const scan_shape last[SCAN_MOST_FORMS] = {
        {"wave", "GROUP=32 ROWS=1 WAVE=1 RUN=1073741820", NULL},
        {"fed-70", NULL, "SCANNERS=2 REDUCERS=1 ROWS=1 STAGES=2 RUN=1073741820 CAPABILITY=70"},
        {"fed-80", NULL, "SCANNERS=2 REDUCERS=1 ROWS=1 STAGES=2 RUN=1073741820 CAPABILITY=80"}};
    const safety_case few = {.n = 20001, .runs = 9}, threads = {.n = 20000, .runs = 50};
    const safety_case often = {.n = 1301, .runs = 2000}, many = {.n = 1 << 20, .runs = 2};
    int count;
    const scan_shape *forms = scan_forms(&count);
    for (int k = 0; k < count; k++) {
        const clprims_algorithm algorithm = scan_form_algorithm(&forms[k]);
        add_case(cases, runs_are_right, "late-tiles", few, algorithm, &late[k]);
        add_case(cases, in_place_is_right, "late-tiles-in-place", few, algorithm, &late[k]);
        add_case(cases, runs_are_right, "run-numbers-used-up", few, algorithm, &last[k]);
        add_case(cases, runs_are_right, "oversubscribed", many, algorithm, &last[k]);
        add_case(cases, runs_are_right, "2000-runs", often, algorithm, &forms[k]);
        add_case(cases, two_threads, "two-threads", threads, algorithm, &forms[k]);
    }
}

/* A plan whose run numbers are used up after the third run. */
static void add_used_up(test_cases *cases) {
    static const scan_shape last = {"one", "GROUP=1 ROWS=40 RUN=1073741820",
                                    "SCANNERS=1 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1 RUN=1073741820"};
    for (int number = 0; number < scan_algorithm_count(); number++) {
        const safety_case c = {.n = test_small() ? 700 : 9001, .runs = 9};
        if (scan_algorithm(number) == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) continue;
        add_case(cases, runs_are_right, "run-numbers-used-up", c, scan_algorithm(number), &last);
    }
}

/* Far more groups than a device holds at once, a single one, and very many runs. */
static void add_extremes(test_cases *cases) {
    static const scan_shape tiny = {"tiny", "GROUP=1 ROWS=1",
                                    "SCANNERS=1 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1 GROUPS=32"};
    for (int number = 0; number < scan_algorithm_count() && !test_small(); number++) {
        const clprims_algorithm algorithm = scan_algorithm(number);
        const safety_case many = {.n = 200003, .runs = 2}, alone = {.n = 3, .runs = 3};
        const safety_case often = {.n = 301, .runs = 10000};
        const bool passes = algorithm != CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
        if (passes) add_case(cases, runs_are_right, "oversubscribed", many, algorithm, &tiny);
        add_case(cases, runs_are_right, "one-group", alone, algorithm, &tiny);
        add_case(cases, runs_are_right, "10000-runs", often, algorithm, &scan_shapes[0]);
    }
}

static void add_bits_of(test_cases *cases, clprims_algorithm algorithm, const scan_shape *shape,
                        const char *late) {
    const size_t n = 300007;
    bits_case c = {{.n = n, .runs = 100}, late};
    c.on_time.desc = describe(CLPRIMS_F32, algorithm, shape, n);
    test_add_row(cases, bits_are_the_same, c, "scan/same-bits-beside/n=%zu/%s/%s", n,
                 clprims_algorithm_name(algorithm), shape->name);
}

static void add_bits(test_cases *cases) {
    static const scan_shape wave = {"wave", "GROUP=256 ROWS=2 WAVE=1", NULL};
    int forms;
    scan_forms(&forms);
    if (forms > 0) {
        add_bits_of(cases, CLPRIMS_ALGORITHM_LOOKBACK, &wave, "GROUP=256 ROWS=2 WAVE=1 DELAY=7");
    }
    for (int number = 0; number < scan_algorithm_count(); number++) {
        const clprims_algorithm algorithm = scan_algorithm(number);
        const bool ahead = algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD;
        const bool late = ahead || algorithm == CLPRIMS_ALGORITHM_LOOKBACK;
        const scan_shape shape = {"small-tiles", "ROWS=16", "ROWS=4"};
        if (!late) continue;
        add_bits_of(cases, algorithm, &shape, ahead ? "ROWS=4 DELAY=7" : "ROWS=16 DELAY=7");
    }
}

void add_safety_cases(test_cases *cases) {
    const safety_case threads = {.n = 20000, .runs = 50};
    add_late(cases);
    add_used_up(cases);
    add_forms(cases);
    add_extremes(cases);
    if (test_small()) return; /* Oclgrind can't have two threads at work */
    for (int number = 0; number < scan_algorithm_count(); number++) {
        add_case(cases, two_threads, "two-threads", threads, scan_algorithm(number), &chosen);
    }
    add_bits(cases);
}
