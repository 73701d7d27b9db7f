/* SPDX-License-Identifier: MIT */
/* Sizes, queues, and runs of subjects. */
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "subjects/runs/subject_buffers.h"

size_t fuzz_pass_size(size_t max_n) {
    if (test_random_below(3) != 0) return fuzz_size(max_n);
    const size_t less = fuzz_between(0, 2);
    return less < max_n ? max_n - less : max_n;
}

pass_turn fuzz_turn(void) {
    static cl_command_queue others[2]; /* as long as the program */
    pass_turn turn = {test_queue(), NULL};
    const size_t which = fuzz_between(0, 2);
    if (which > 0) {
        if (others[which - 1] == NULL) {
            others[which - 1] = test_queue_create(which == 2);
            test_take_back(others[which - 1]);
        }
        turn.queue = others[which - 1];
    }
    if (fuzz_coin()) turn.gate = test_gate();
    return turn;
}

clprims_type fuzz_index_type(void) {
    static const clprims_type types[] = {CLPRIMS_I32, CLPRIMS_I64, CLPRIMS_U32, CLPRIMS_U64};
    return types[fuzz_between(0, 3)];
}

const void *fuzz_init(clprims_type type, double real, uint64_t *init) {
    const float single = (float)real;
    *init = 7;
    if (type == CLPRIMS_F64) memcpy(init, &real, sizeof real);
    if (type == CLPRIMS_F32) memcpy(init, &single, sizeof single);
    return init;
}

static bool can_be_in_place(const subject_data *d) {
    const char *tuning;
    memcpy(&tuning, (const char *)d->desc + d->of->tuning, sizeof tuning);
    return fuzz_can_be_in_place(tuning);
}

static void run_enqueued(const subject_data *d, void *plan) {
    pass_turn turn = fuzz_turn();
    subject_buffers b = subject_buffers_draw(d);
    b.call.queue = pass_turn_queue(&turn);
    b.call.num_wait = pass_turn_waits(&turn);
    b.call.wait = turn.gate != NULL ? &turn.gate : NULL;
    expect_ok(d->of->enqueue(plan, d, &b.call));
    pass_turn_end(&turn);
    subject_buffers_expect(d, &b);
    subject_buffers_release(&b);
}

static void run(const subject_data *like, void *plan) {
    subject_data d = *like;
    const size_t n = fuzz_pass_size(d.most[0]);
    const bool is_free = can_be_in_place(&d), is_plain = is_free && test_random_below(4) == 0;
    d.counted = !is_plain && test_random_below(3) == 0;
    d.is_plain = is_plain;
    d.may_be_malformed = true;
    subject_draw_about(&d, n > like->n[0] ? n : like->n[0]);
    if (is_free && fuzz_coin()) subject_put_in_place(&d);
    test_buffer weights = test_buffer_create(d.weight, SUBJECT_WEIGHTS, sizeof *d.weight, 0);
    d.weights = weights.at.mem;
    /* Without parameters it calls nothing, and the record is that of the run before. */
    const clprims_status ready = d.of->prepare != NULL ? d.of->prepare(plan, &d) : CLPRIMS_OK;
    if (ready != CLPRIMS_OK) test_fail("parameters: %s", clprims_last_error()->message);
    if (is_plain) {
        subject_run_is_right(&d, plan);
    } else {
        run_enqueued(&d, plan);
    }
    test_buffer_expect_unchanged(&weights, d.weight);
    test_buffer_release(&weights);
    subject_free(&d);
}

void fuzz_runs(const subject_data *like, size_t runs) {
    void *plan = NULL;
    if (!fuzz_created(like->of->create(&plan, test_context(), like->desc, like->of->desc_bytes)))
        return;
    for (size_t i = 0; i < runs; i++) run(like, plan);
    like->of->destroy(plan);
}
