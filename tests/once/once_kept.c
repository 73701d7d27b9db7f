/* SPDX-License-Identifier: MIT */
/* The plans that a context keeps for one-shot calls: which are found again, which go, by several
 * threads at once. */
#include "core/context.h"
#include "once/once_groups.h"
#include "once/once_plans.h"

#include <time.h>

static const clp_once_plan *first_kept(const clprims_context *context) {
    return context->kept.first;
}

static size_t count_kept(const clprims_context *context) {
    size_t count = 0;
    for (const clp_once_plan *plan = first_kept(context); plan != NULL; plan = plan->next) count++;
    return count;
}

/* ---- Which plan ------------------------------------------------------------------------------ */

typedef struct capacity_case {
    size_t n, element_bytes, max_alloc_bytes, capacity;
} capacity_case;

static void capacity_is_right(const void *data) {
    const capacity_case *c = data;
    assert_int_equal(clp_once_capacity(c->n, c->element_bytes, c->max_alloc_bytes), c->capacity);
}

static const capacity_case capacities[] = {
    {1, 4, 1 << 30, 1024},
    {1024, 4, 1 << 30, 1024},
    {1025, 4, 1 << 30, 2048},
    {1 << 20, 4, 1 << 30, 1 << 20},
    {(1 << 20) + 1, 4, 1 << 30, 1 << 21},
    /* A buffer holds 3 * 2^20 elements. */
    {(1 << 21) + 1, 4, 12 << 20, 3 << 20},
    {3 << 20, 4, 12 << 20, 3 << 20},
    {(3 << 20) + 1, 4, 12 << 20, (3 << 20) + 1},
    {1 << 21, 4, 12 << 20, 1 << 21},
    {10, 8, 4096, 512},
    {SIZE_MAX, 1, 1 << 30, SIZE_MAX},
    {SIZE_MAX, 1, SIZE_MAX, SIZE_MAX},
};

static void same_plan_again(void) {
    clprims_context *context = test_context();
    clprims_forget_plans(context);
    once_expect(&once_calls[CLP_ONCE_SUM], CLPRIMS_I8, 10);
    const clp_once_plan *plan = first_kept(context);
    once_expect(&once_calls[CLP_ONCE_SUM], CLPRIMS_I8, 1024);
    assert_ptr_equal(plan, first_kept(context));
    assert_int_equal(count_kept(context), 1);
    /* Another size, another type, another call. */
    once_expect(&once_calls[CLP_ONCE_SUM], CLPRIMS_I8, 1025);
    once_expect(&once_calls[CLP_ONCE_SUM], CLPRIMS_U16, 10);
    once_expect(&once_calls[CLP_ONCE_CUMSUM], CLPRIMS_I8, 10);
    assert_int_equal(count_kept(context), 4);
    once_expect(&once_calls[CLP_ONCE_SUM], CLPRIMS_I8, 1);
    assert_ptr_equal(plan, first_kept(context));
    assert_int_equal(count_kept(context), 4);
}

/* ---- Which go -------------------------------------------------------------------------------- */

/* 18 plans of three programs: all that a context keeps, and two more. */
static void run_number(size_t k) {
    static const struct {
        clp_once_call call;
        clprims_type type;
    } some[] = {
        {CLP_ONCE_SUM, CLPRIMS_I8}, {CLP_ONCE_CUMSUM, CLPRIMS_I8}, {CLP_ONCE_MIN, CLPRIMS_I32}};
    once_expect(&once_calls[some[k % 3].call], some[k % 3].type, (size_t)1000 << k / 3);
}

static void oldest_goes(void) {
    clprims_context *context = test_context();
    size_t k = CLP_ONCE_PLANS + 1;
    clprims_forget_plans(context);
    for (size_t i = 0; i < CLP_ONCE_PLANS; i++) run_number(i);
    const clp_once_plan *oldest = first_kept(context);
    while (oldest->next != NULL) oldest = oldest->next;
    assert_int_equal(count_kept(context), CLP_ONCE_PLANS);
    run_number(0); /* the oldest is the newest now */
    assert_ptr_equal(first_kept(context), oldest);
    run_number(CLP_ONCE_PLANS);
    run_number(CLP_ONCE_PLANS + 1);
    assert_int_equal(count_kept(context), CLP_ONCE_PLANS);
    /* From the newest on: 17, 16, 0, 15, ..., 3. */
    for (const clp_once_plan *plan = first_kept(context); plan != NULL; plan = plan->next) {
        test_note("the plan of run %zu", k);
        assert_int_equal(plan->max_n, (size_t)1024 << k / 3);
        assert_int_equal(plan->call, k % 3 == 0   ? CLP_ONCE_SUM
                                     : k % 3 == 1 ? CLP_ONCE_CUMSUM
                                                  : CLP_ONCE_MIN);
        k = k == CLP_ONCE_PLANS ? 0 : k == 0 ? CLP_ONCE_PLANS - 1 : k - 1;
    }
    assert_int_equal(k, 2);
    run_number(1);
}

/* A plan of no primitive. */
static clp_once_plan *create_stub(cl_command_queue queue, size_t max_n) {
    clp_once_plan *plan = test_alloc(1, sizeof *plan);
    *plan = (clp_once_plan){.queue = queue, .max_n = max_n};
    expect_cl(clRetainCommandQueue(queue));
    return plan;
}

static size_t count_of(const clprims_context *context, cl_command_queue queue, size_t *least) {
    size_t count = 0;
    for (const clp_once_plan *plan = first_kept(context); plan != NULL; plan = plan->next) {
        if (plan->queue != queue) continue;
        *least = plan->max_n;
        count++;
    }
    return count;
}

/* Of one queue 16 plans are kept, of all 64: a queue's own oldest goes before the oldest of all. */
static void limits_of_queues(void) {
    enum { QUEUES = 5, MORE = 2 };
    clprims_context *context = test_context();
    cl_command_queue queues[QUEUES];
    size_t oldest = 0;
    clprims_forget_plans(context);
    for (size_t q = 0; q < QUEUES; q++) queues[q] = test_queue_create(false);
    for (size_t q = 0; q < QUEUES; q++) {
        for (size_t k = 0; k < CLP_ONCE_PLANS + MORE; k++) {
            clp_once_keep(context, create_stub(queues[q], k));
        }
        assert_int_equal(count_of(context, queues[q], &oldest), CLP_ONCE_PLANS);
        assert_int_equal(oldest, MORE);
    }
    assert_int_equal(count_of(context, queues[0], &oldest), 0);
    assert_int_equal(count_kept(context), CLP_ONCE_ALL_PLANS);
    clp_once_keep(context, create_stub(queues[0], 7));
    assert_int_equal(count_of(context, queues[1], &oldest), CLP_ONCE_PLANS - 1);
    assert_int_equal(oldest, MORE + 1);
    clprims_forget_plans(context);
}

/* Each queue has a plan of its own, which holds the queue. */
static void plans_of_queues(void) {
    clprims_context *context = test_context();
    const int8_t values[] = {1, 2, 3};
    test_buffer in = test_buffer_create(values, 3, 1, 0);
    test_buffer out = test_buffer_create(NULL, 1, sizeof(int64_t), 0);
    cl_command_queue queues[] = {test_queue(), test_queue_create(false)};
    cl_uint before, between;
    clprims_forget_plans(context);
    expect_cl(
        clGetCommandQueueInfo(queues[1], CL_QUEUE_REFERENCE_COUNT, sizeof before, &before, NULL));
    for (size_t run = 0; run < 4; run++) {
        expect_ok(clprims_sum_enqueue(context, queues[run % 2], CLPRIMS_I8, in.at, 3, out.at, 0,
                                      NULL, NULL));
        expect_cl(clFinish(queues[run % 2]));
        assert_int_equal(count_kept(context), run == 0 ? 1 : 2);
        assert_ptr_equal(first_kept(context)->queue, queues[run % 2]);
    }
    expect_cl(
        clGetCommandQueueInfo(queues[1], CL_QUEUE_REFERENCE_COUNT, sizeof between, &between, NULL));
    assert_true(between > before);
    test_buffer_release(&in);
    test_buffer_release(&out);
    clprims_forget_plans(context);
}

static void forgotten(void) {
    run_number(0);
    clprims_forget_plans(test_context());
    assert_null(first_kept(test_context()));
    clprims_forget_plans(test_context());
    clprims_forget_plans(NULL);
    run_number(0);
    assert_int_equal(count_kept(test_context()), 1);
}

/* The references to the context, when they are `wanted` or a driver's threads had time to give
 * theirs back, which may come behind the end of a command. */
static cl_uint count_references(cl_context context, cl_uint wanted) {
    const struct timespec moment = {0, 10000000};
    cl_uint references = 0;
    for (int i = 0; i < 500 && references != wanted; i++) {
        if (i > 0) nanosleep(&moment, NULL);
        expect_cl(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references,
                                   &references, NULL));
    }
    return references;
}

/* A context with kept plans gives all back: then the caller's cl_context has one reference. */
static void context_goes(void) {
    const clprims_context_info info = test_info();
    clprims_context_options options = test_options();
    clprims_context *context = NULL;
    const int8_t values[3] = {1, 2, 3};
    int64_t sum = 0;
    cl_int code;
    options.device = NULL;
    options.device_id = info.device_id;
    options.context = clCreateContext(NULL, 1, &info.device_id, NULL, NULL, &code);
    expect_cl(code);
    expect_ok(clprims_context_create(&context, &options));
    expect_ok(clprims_sum(context, CLPRIMS_I8, values, 3, &sum));
    assert_int_equal(sum, 6);
    assert_int_equal(count_kept(context), 1);
    clprims_context_destroy(context);
    assert_int_equal(count_references(options.context, 1), 1);
    expect_cl(clReleaseContext(options.context));
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 12, MOST = 3000 };

/* One thread's calls. No expectations there: they belong to the main thread. */
typedef struct worker {
    pthread_t thread;
    int number;
    size_t failed, wrong;
    char message[256];
} worker;

static void note(worker *w, clprims_status status) {
    if (status == CLPRIMS_OK) return;
    w->failed++;
    strncpy(w->message, clprims_last_error()->message, sizeof w->message - 1);
}

static void work(worker *w, int8_t *values, int64_t *sums, size_t n) {
    clprims_context *context = test_context();
    int64_t sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) values[i] = (int8_t)((i * 7 + (size_t)w->number * 13) % 11);
    note(w, clprims_cumsum(context, CLPRIMS_I8, values, n, sums));
    note(w, clprims_sum(context, CLPRIMS_I8, values, n, &total));
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
        w->wrong += sums[i] != sum;
    }
    w->wrong += total != sum;
}

static void *work_all(void *argument) {
    worker *w = argument;
    int8_t *values = malloc(MOST);
    int64_t *sums = malloc(MOST * sizeof *sums);
    for (size_t k = 0; k < ROUNDS && values != NULL && sums != NULL; k++) {
        work(w, values, sums, k % 3 == 0 ? 100 : k % 3 == 1 ? MOST : 1500 + k);
        if (w->number == 0 && k % 5 == 4) clprims_forget_plans(test_context());
    }
    free(values);
    free(sums);
    return NULL;
}

static void threads_call_at_once(void) {
    worker workers[THREADS];
    memset(workers, 0, sizeof workers);
    clprims_forget_plans(test_context());
    for (int k = 0; k < THREADS; k++) {
        workers[k].number = k;
        assert_int_equal(pthread_create(&workers[k].thread, NULL, work_all, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(workers[k].thread, NULL), 0);
    for (int k = 0; k < THREADS; k++) {
        test_note("thread %d: %zu calls failed, %zu values are wrong; %s", k, workers[k].failed,
                  workers[k].wrong, workers[k].message);
        assert_true(workers[k].failed == 0 && workers[k].wrong == 0);
    }
    assert_true(count_kept(test_context()) <= CLP_ONCE_PLANS);
}

/* While a thread has a plan, another one gets one of its own. */
static void taken_plan_is_not_shared(void) {
    clprims_context *context = test_context();
    clp_once_plan *a = NULL, *b = NULL;
    run_number(0);
    const clp_once_plan *kept = first_kept(context);
    expect_status_ok(clp_once_take(context, test_queue(), CLP_ONCE_SUM, CLPRIMS_I8, 1000, &a));
    expect_status_ok(clp_once_take(context, test_queue(), CLP_ONCE_SUM, CLPRIMS_I8, 1000, &b));
    assert_ptr_equal(a, kept);
    assert_ptr_not_equal(a, b);
    clp_once_keep(context, a);
    clp_once_destroy(b);
}

void once_add_kept(test_cases *cases) {
    for (size_t k = 0; k < sizeof capacities / sizeof capacities[0]; k++) {
        const capacity_case *c = &capacities[k];
        test_add_row(cases, capacity_is_right, *c, "once/kept/capacity/n=%zu/element=%zu/most=%zu",
                     c->n, c->element_bytes, c->max_alloc_bytes);
    }
    test_add_plain(cases, same_plan_again, "once/kept/again");
    test_add_plain(cases, oldest_goes, "once/kept/oldest-goes");
    test_add_plain(cases, limits_of_queues, "once/kept/limits");
    test_add_plain(cases, plans_of_queues, "once/kept/queues");
    test_add_plain(cases, forgotten, "once/kept/forgotten");
    test_add_plain(cases, context_goes, "once/kept/context-goes");
    test_add_plain(cases, taken_plan_is_not_shared, "once/kept/taken");
    test_add_plain(cases, threads_call_at_once, "once/kept/threads");
}
