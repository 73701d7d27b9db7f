/* SPDX-License-Identifier: MIT */
/* One-shot calls on device buffers: each beside its definition, pipelines of them on two queues,
 * and what they refuse. */
#include "once/once_groups.h"
#include "once/once_plans.h"

enum { MOST_FIRST = 5 };

static size_t draw_first(void) {
    return (size_t)test_random_below(MOST_FIRST);
}

/* ---- A call ---------------------------------------------------------------------------------- */

/* One call, with its buffers. */
typedef struct step {
    const once_call *call;
    clprims_type type;
    size_t n;
    test_buffer in, out, count;
    cl_event event;
} step;

static test_buffer create_out(const step *s) {
    size_t element_bytes;
    const size_t results = once_results(s->call, s->type, s->n, &element_bytes);
    return test_buffer_create(NULL, results, element_bytes, draw_first());
}

static void enqueue(step *s, cl_command_queue queue, cl_uint num_wait, const cl_event *wait) {
    if (s->call->device_count != NULL) {
        s->count = test_buffer_create(NULL, 1, sizeof(uint64_t), draw_first());
        *s->call->device_count = s->count.at;
    }
    expect_ok(s->call->enqueue(test_context(), queue, s->type, s->in.at, s->n, s->out.at, num_wait,
                               wait, &s->event));
}

/* Checks the result of a call whose event is complete. */
static void expect_step(const step *s) {
    void *in = test_scratch(s->n, s->in.element_bytes), *out;
    uint64_t count = 0;
    if (s->n > 0) test_buffer_read(&s->in, in);
    out = test_scratch(s->out.n, s->out.element_bytes);
    test_buffer_read(&s->out, out);
    if (s->call->device_count != NULL) {
        test_buffer_read(&s->count, &count);
        *s->call->count = (size_t)count;
    }
    s->call->expect(s->call, s->type, in, s->n, out);
}

static void release_step(step *s) {
    expect_cl(clReleaseEvent(s->event));
}

static test_buffer create_in(const once_call *call, clprims_type type, size_t n) {
    const size_t bytes = clprims_type_bytes(type);
    void *values = test_scratch(n, bytes);
    once_fill(call, type, values, n);
    const test_buffer in = test_buffer_create(values, n, bytes, draw_first());
    return in;
}

static void is_right(const void *data) {
    step s = *(const step *)data;
    test_needs_types(s.type, CLPRIMS_TYPE_DEFAULT);
    s.in = create_in(s.call, s.type, s.n);
    s.out = create_out(&s);
    enqueue(&s, s.n % 2 == 0 ? NULL : test_queue(), 0, NULL); /* NULL: the context's */
    expect_cl(clWaitForEvents(1, &s.event));
    expect_step(&s);
    release_step(&s);
}

/* Neither a sum nor a count needs elements. */
static void nothing(void) {
    const clprims_buffer none = {NULL, 0};
    test_buffer results = test_buffer_create(NULL, 2, sizeof(uint64_t), 1);
    clprims_buffer sum = results.at, count = {results.at.mem, results.at.first + 1};
    uint64_t read[2];
    expect_ok(
        clprims_sum_enqueue(test_context(), test_queue(), CLPRIMS_I8, none, 0, sum, 0, NULL, NULL));
    expect_ok(clprims_nonzero_enqueue(test_context(), test_queue(), CLPRIMS_F32, none, 0, none,
                                      count, 0, NULL, NULL));
    test_buffer_read(&results, read);
    assert_true(read[0] == 0 && read[1] == 0);
}

/* ---- Pipelines ------------------------------------------------------------------------------- */

enum { PIPELINES = 2, STEPS = 8, ROUNDS = 3, MOST = 3000 };

/* Calls on one queue. Elements are int64, so that each call may take what an earlier one wrote. */
typedef struct pipeline {
    cl_command_queue queue;
    size_t n;
    test_buffer first;
    step steps[STEPS];
} pipeline;

static bool gives_elements(const step *s) {
    return s->out.n == s->n && s->call->device_count == NULL;
}

/* The call waits for the one that wrote its input, or for the gate. */
static void enqueue_drawn(pipeline *p, size_t k, cl_event gate) {
    step *s = &p->steps[k];
    const step *before = k == 0 ? NULL : &p->steps[test_random_below(k)];
    *s = (step){.type = CLPRIMS_I64, .n = p->n, .in = p->first};
    s->call = &once_calls[test_random_below(ONCE_CALLS)];
    if (before != NULL && gives_elements(before)) s->in = before->out;
    s->out = create_out(s);
    test_note("step %zu: %s of %zu elements", k, s->call->name, s->n);
    enqueue(s, p->queue, 1, before == NULL ? &gate : &before->event);
}

static void run_pipelines(pipeline *pipelines) {
    const cl_event gate = test_gate();
    for (size_t i = 0; i < PIPELINES; i++) {
        pipeline *p = &pipelines[i];
        p->n = 2 + (size_t)test_random_below(test_small() ? 200 : MOST);
        p->first = create_in(&once_calls[CLP_ONCE_CUMSUM], CLPRIMS_I64, p->n);
    }
    for (size_t k = 0; k < STEPS; k++) {
        for (size_t i = 0; i < PIPELINES; i++) enqueue_drawn(&pipelines[i], k, gate);
    }
    for (size_t i = 0; i < PIPELINES; i++) expect_cl(clFlush(pipelines[i].queue));
    test_gate_open(gate);
    for (size_t i = 0; i < PIPELINES; i++) {
        expect_cl(clFinish(pipelines[i].queue));
        for (size_t k = 0; k < STEPS; k++) {
            test_note("pipeline %zu, step %zu: %s", i, k, pipelines[i].steps[k].call->name);
            expect_step(&pipelines[i].steps[k]);
        }
        for (size_t k = 0; k < STEPS; k++) release_step(&pipelines[i].steps[k]);
    }
}

/* One queue in order, one out of order. Plans go while their runs wait. */
static void pipelines_are_right(void) {
    pipeline pipelines[PIPELINES];
    for (size_t i = 0; i < PIPELINES; i++) pipelines[i].queue = test_queue_create(i == 1);
    for (size_t round = 0; round < ROUNDS; round++) run_pipelines(pipelines);
}

/* The plan goes while its run waits. */
static void forgotten_in_flight(void) {
    step s = {&once_calls[CLP_ONCE_CUMSUM], CLPRIMS_U32, .n = 2000};
    cl_command_queue queue = test_queue_create(false);
    const cl_event gate = test_gate();
    s.in = create_in(s.call, s.type, s.n);
    s.out = create_out(&s);
    enqueue(&s, queue, 1, &gate);
    clprims_forget_plans(test_context());
    expect_cl(clFlush(queue));
    test_gate_open(gate);
    expect_cl(clFinish(queue));
    expect_step(&s);
    release_step(&s);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

enum { N = 100 };

typedef struct refusal {
    const char *name;
    clprims_status status;
    const char *message;
    bool no_context, no_in, no_out, no_event;
    clprims_type type; /* 0: one that the call has */
    size_t n;
} refusal;

typedef struct refused_call {
    const once_call *call;
    const refusal *refusal;
} refused_call;

static clprims_status enqueue_refused(const once_call *call, const refusal *r, clprims_buffer in,
                                      clprims_buffer out) {
    clprims_context *context = r->no_context ? NULL : test_context();
    cl_command_queue queue = test_queue();
    const cl_uint events = r->no_event;
    const clprims_type type = r->type == CLPRIMS_TYPE_DEFAULT ? call->types[0] : r->type;
    if (r->no_in) in.mem = NULL;
    if (r->no_out) out.mem = NULL;
    if (call == &once_calls[CLP_ONCE_SORT_IN_PLACE]) {
        return clprims_sort_in_place_enqueue(context, queue, type, in, r->n, events, NULL, NULL);
    }
    return call->enqueue(context, queue, type, in, r->n, out, events, NULL, NULL);
}

static void is_refused(const void *data) {
    const refused_call *c = data;
    int64_t values[N] = {0};
    test_buffer in = test_buffer_create(values, N, sizeof *values, 1);
    test_buffer out = test_buffer_create(NULL, N, sizeof(int64_t), 1);
    test_buffer count = test_buffer_create(NULL, 1, sizeof(uint64_t), 1);
    if (c->call->device_count != NULL) *c->call->device_count = count.at;
    expect_failure(enqueue_refused(c->call, c->refusal, in.at, out.at), c->refusal->status,
                   c->refusal->message);
    test_buffer_expect_unchanged(&in, values);
    test_buffer_expect_unchanged(&out, NULL);
    test_buffer_expect_unchanged(&count, NULL);
}

#define ARGUMENT CLPRIMS_ERR_ARGUMENT

static const refusal refusals[] = {
    {"no-context", ARGUMENT, "_enqueue: context is NULL", .no_context = true},
    {"no-event", ARGUMENT, "_enqueue: num_wait = 1", .no_event = true},
    {"struct", ARGUMENT, "_enqueue: type = 11; give", .type = CLPRIMS_STRUCT},
    {"no-in", ARGUMENT, "is NULL", .no_in = true, .n = N},
    {"no-out", ARGUMENT, "is NULL", .no_out = true, .n = N},
    {"small-in", ARGUMENT, "n = 9999", .n = 9999},
    {"too-large", CLPRIMS_ERR_TOO_LARGE, "", .n = (size_t)1 << 62},
};

static void no_count(void) {
    const clprims_buffer none = {NULL, 0};
    expect_failure(clprims_nonzero_enqueue(test_context(), test_queue(), CLPRIMS_F32, none, 0, none,
                                           none, 0, NULL, NULL),
                   ARGUMENT, "select: count.mem is NULL");
}

static void extremes_of_nothing(void) {
    for (int k = CLP_ONCE_MIN; k <= CLP_ONCE_ARGMAX; k++) {
        const clprims_buffer none = {NULL, 0};
        expect_failure(once_calls[k].enqueue(test_context(), test_queue(), CLPRIMS_I32, none, 0,
                                             none, 0, NULL, NULL),
                       CLPRIMS_ERR_DATA, "_enqueue: n = 0; the result needs elements");
    }
}

void once_add_enqueued(test_cases *cases) {
    for (size_t k = 0; k < ONCE_CALLS; k++) {
        const once_call *call = &once_calls[k];
        for (size_t t = 0; t < ONCE_TYPES && call->types[t] != CLPRIMS_TYPE_DEFAULT; t++) {
            const step s = {call, call->types[t], .n = 700};
            test_add_row(cases, is_right, s, "once/enqueued/%s/%s", call->name,
                         clprims_type_name(s.type));
        }
        for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
            const refused_call c = {call, &refusals[i]};
            if (refusals[i].no_out && k == CLP_ONCE_SORT_IN_PLACE) continue;
            test_add_row(cases, is_refused, c, "once/enqueued/refusals/%s/%s", call->name,
                         refusals[i].name);
        }
    }
    test_add_plain(cases, nothing, "once/enqueued/nothing");
    test_add_plain(cases, extremes_of_nothing, "once/enqueued/nothing/extremes");
    test_add_plain(cases, no_count, "once/enqueued/refusals/no-count");
    test_add_plain(cases, pipelines_are_right, "once/enqueued/pipelines");
    test_add_plain(cases, forgotten_in_flight, "once/enqueued/forgotten");
}
