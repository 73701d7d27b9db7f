/* SPDX-License-Identifier: MIT */
/* Parameters: values, changes between runs, bad ones. */
#include "subjects/runs/subject_parameters.h"

static const subject_values sets[2] = {{{1, 1, 1, 1, 1, 1, 1}, UINT32_MAX},
                                       {{3, 0, 7, 1, 0, 2, 1u << 30}, 50}};
static subject_values now; /* of the run that is drawn */

static uint32_t least(const void *in, size_t i) {
    const uint32_t x = ((const uint32_t *)in)[i];
    return x < now.limit ? x : now.limit;
}

uint32_t subject_weighted(const void *in, size_t i) {
    return least(in, i) * now.weight[i % SUBJECT_WEIGHTS];
}

uint32_t subject_limited(const void *in, size_t i) {
    return least(in, i) * now.weight[0];
}

static void load_weighted(const void *in, size_t i, void *value) {
    const uint32_t own = subject_weighted(in, i);
    memcpy(value, &own, sizeof own);
}

static void add(const void *earlier, const void *later, void *result) {
    uint32_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    a += b;
    memcpy(result, &a, sizeof a);
}

/* Around the lower limit. */
static void fill_words(void *in, size_t n) {
    subject_fill(in, sizeof(uint32_t), n, 200);
}

static const custom_operand weighted = {
    .type = CLPRIMS_U32, .twin = {load_weighted, add, sizeof(uint32_t)}, .fill = fill_words};

static subject_data draw(const subject_data *like, size_t n, const subject_values *values) {
    subject_data d = *like;
    now = *values;
    if (d.operand == NULL) d.operand = &weighted;
    subject_draw_about(&d, n);
    return d;
}

static void set(const subject *of, void *plan, const test_buffer *weight, uint32_t limit) {
    const size_t bytes = weight->at.first > 0 ? sizeof weight->at : sizeof weight->at.mem;
    expect_ok(of->set_parameter(plan, 0, bytes, &weight->at));
    expect_ok(of->set_parameter(plan, 1, sizeof limit, &limit));
}

void subject_parameters_are_used(const subject_data *like) {
    static const size_t firsts[SUBJECT_SLOTS] = {3, 1, 1, 2, 1};
    const subject *of = like->of;
    const size_t most = like->most[0], sizes[] = {most, 1, most - most / 6, 65};
    subject_values mixed = sets[1];
    test_buffer weight[2];
    void *plan = NULL;
    expect_ok(subject_plan(like, test_context(), NULL, &plan));
    for (int v = 0; v < 2; v++) {
        weight[v] = test_buffer_create(sets[v].weight, SUBJECT_WEIGHTS, 4, v == 0 ? 0 : 3);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        subject_data d[2];
        subject_buffers b[2];
        for (int v = 0; v < 2; v++) {
            d[v] = draw(like, sizes[k], &sets[v]);
            b[v] = subject_buffers_create(&d[v], firsts, 0);
            set(of, plan, &weight[v], sets[v].limit);
            expect_ok(of->enqueue(plan, &d[v], &b[v].call));
        }
        expect_cl(clFinish(test_queue()));
        for (int v = 0; v < 2; v++) {
            subject_buffers_expect(&d[v], &b[v]);
            subject_buffers_release(&b[v]);
            subject_free(&d[v]);
        }
    }
    mixed.limit = 100;
    expect_ok(of->set_parameter(plan, 1, sizeof mixed.limit, &mixed.limit));
    subject_data d = draw(like, most, &mixed);
    subject_run_is_right(&d, plan);
    subject_free(&d);
    of->destroy(plan);
    for (int v = 0; v < 2; v++) {
        test_buffer_expect_unchanged(&weight[v], sets[v].weight);
        test_buffer_release(&weight[v]);
    }
}

/* ---- Bad ones ---- */

typedef struct bad_value {
    size_t k, bytes;
    const void *value;
    const char *message;
} bad_value;

static void refuse_values(const subject *of, void *plan) {
    static const uint64_t any = 9;
    static const cl_mem none = NULL;
    const cl_mem foreign = test_foreign_buffer_create();
    const cl_mem image = test_has_images() ? test_image_create() : foreign;
    const bad_value bad[] = {
        {2, 4, &any, "no parameter 2; desc.parameters has 2"},
        {1, 4, NULL, "parameter 1, limit, is NULL"},
        {1, 8, &any, "bytes = 8 for parameter 1, \"uint limit\", which has 4"},
        {0, 4, &any, "a cl_mem"},
        {0, sizeof none, &none, "parameter 0, weight, is NULL"},
        {0, sizeof foreign, &foreign, "of another context"},
        {0, sizeof image, &image, test_has_images() ? "weight, is an image" : "of another context"},
    };
    expect_failure(of->set_parameter(NULL, 0, 4, &any), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        expect_failure(of->set_parameter(plan, bad[k].k, bad[k].bytes, bad[k].value),
                       CLPRIMS_ERR_ARGUMENT, bad[k].message);
    }
}

/* Whichever way the run is made, even of nothing. */
static void refuse_runs(const subject_data *like, void *plan) {
    const subject *of = like->of;
    for (int way = 0; way < 4; way++) {
        subject_data wanted = *like;
        wanted.counted = way == 1;
        subject_data d = draw(&wanted, way == 3 ? 0 : 4, &sets[1]);
        subject_arrays a = subject_arrays_create(&d);
        subject_buffers b = subject_buffers_create(&d, NULL, 0);
        test_note("way %d", way);
        expect_failure(way < 2 ? of->enqueue(plan, &d, &b.call) : of->run(plan, &d, a.at),
                       CLPRIMS_ERR_ARGUMENT, "parameter 0, weight, was never set");
        subject_arrays_free(&a);
        subject_buffers_release(&b);
        subject_free(&d);
    }
}

void subject_values_are_checked(const subject_data *like) {
    void *plan = NULL;
    test_buffer weight = test_buffer_create(sets[1].weight, SUBJECT_WEIGHTS, 4, 0);
    expect_ok(subject_plan(like, test_context(), NULL, &plan));
    refuse_values(like->of, plan);
    expect_ok(like->of->set_parameter(plan, 1, sizeof sets[1].limit, &sets[1].limit));
    refuse_runs(like, plan);
    set(like->of, plan, &weight, sets[1].limit);
    subject_data d = draw(like, 40, &sets[1]);
    subject_run_is_right(&d, plan);
    subject_free(&d);
    like->of->destroy(plan);
    test_buffer_release(&weight);
}
