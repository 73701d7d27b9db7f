/* SPDX-License-Identifier: MIT */
/* Each array of a call has a `first` of its own: whatever they are, the results are the same. */
#include "calls/calls.h"

enum { ROUNDS = 5 };

/* Of array k: all 0, then going up, then going down, no two alike; then all 0 once more, without
 * the buffers that need not be there, and at last with what is no buffer in their place. */
static size_t first_of(int round, size_t k) {
    if (round == 0 || round > 2) return 0;
    return round == 1 ? 1 + 2 * k : 3 * (SUBJECT_SLOTS - k);
}

static void results_are_the_same(const void *data) {
    subject_scene scene = subject_scene_open(data);
    const subject_data *d = &scene.data;
    for (int round = 0; round < ROUNDS; round++) {
        size_t firsts[SUBJECT_SLOTS];
        for (size_t k = 0; k < SUBJECT_SLOTS; k++) firsts[k] = first_of(round, k);
        subject_buffers b = subject_buffers_create(d, firsts, 0);
        for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
            if (d->at[k].name == NULL || d->at[k].n > 0 || d->at[k].is_needed) continue;
            if (round == 3) b.call.at[k].mem = NULL;
            if (round == 4) b.call.at[k] = subject_no_buffer();
        }
        expect_ok(d->of->enqueue(scene.plan, d, &b.call));
        expect_cl(clFinish(test_queue()));
        subject_buffers_expect(d, &b);
    }
}

void calls_add_firsts(test_cases *cases) {
    subject_add_calls(cases, results_are_the_same, "calls/firsts");
}
