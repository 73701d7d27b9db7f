/* SPDX-License-Identifier: MIT */
/* Each array of a call has a `first` of its own: whatever they are, the results are the same. */
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

/* Of buffer k: all 0, then going up, then going down, no two alike; then all 0 once more, without
 * the buffers that need not be there, and at last with what is no buffer in their place. */
static size_t first_of(int round, size_t k) {
    if (round == 0 || round > 2) return 0;
    return round == 1 ? 1 + 2 * k : 3 * (CALL_MOST_BUFFERS - k);
}

/* The results of round 0 are kept for comparison. */
static void compare(const call *c, const test_buffer *buffers, int round, void **kept) {
    unsigned char values[CALL_MOST_BYTES], before[CALL_MOST_BYTES];
    for (size_t k = 0; k < call_count(c); k++) {
        const call_buffer *buffer = &c->buffers[k];
        test_note("%s of %s, round %d", buffer->name, c->name, round);
        call_fill(buffer, before);
        if (!buffer->written) {
            test_buffer_expect_unchanged(&buffers[k], before);
            continue;
        }
        test_buffer_read(&buffers[k], values);
        if (round > 0) {
            expect_elements(kept[k], values, buffer->n, buffer->element_bytes);
            continue;
        }
        kept[k] = test_alloc(buffer->n, buffer->element_bytes);
        memcpy(kept[k], values, buffer->n * buffer->element_bytes);
    }
}

static void results_are_the_same(const void *data) {
    const call *c = *(const call *const *)data;
    void *plan = c->create(), *kept[CALL_MOST_BUFFERS] = {NULL};
    for (int round = 0; round < ROUNDS; round++) {
        test_buffer buffers[CALL_MOST_BUFFERS];
        clprims_buffer at[CALL_MOST_BUFFERS];
        for (size_t k = 0; k < call_count(c); k++) {
            buffers[k] = call_make_buffer(c, k, first_of(round, k));
            at[k] = call_place(&c->buffers[k], buffers[k].at.mem, buffers[k].at.first);
            if (c->buffers[k].content != CALL_NONE) continue;
            if (round == 3) at[k].mem = NULL;
            if (round == 4) at[k] = call_no_buffer();
        }
        expect_ok(c->enqueue(plan, test_queue(), at, 0, NULL, NULL));
        expect_cl(clFinish(test_queue()));
        compare(c, buffers, round, kept);
        for (size_t k = 0; k < call_count(c); k++) test_buffer_release(&buffers[k]);
    }
    for (size_t k = 0; k < CALL_MOST_BUFFERS; k++) free(kept[k]);
    c->destroy(plan);
}

void calls_add_firsts(test_cases *cases) {
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        test_add(cases, results_are_the_same, &c, sizeof c, "calls/firsts/%s", c->name);
    }
}
