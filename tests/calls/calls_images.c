/* SPDX-License-Identifier: MIT */
/* An image in place of each array of a call, which kernels could not read as one: refused by name.
 */
#include "calls/calls.h"

#include <stdio.h>

static void image_is_refused(const void *data) {
    const call *c = *(const call *const *)data;
    cl_mem image = test_image_create();
    test_buffer own[CALL_MOST_BUFFERS];
    clprims_buffer at[CALL_MOST_BUFFERS];
    void *plan = c->create();
    for (size_t k = 0; k < call_count(c); k++) {
        own[k] = call_make_buffer(c, k, 0);
        at[k] = call_place(&c->buffers[k], own[k].at.mem, 0);
    }
    for (size_t k = 0; k < call_count(c); k++) {
        const clprims_buffer before = at[k];
        char message[64];
        if (c->buffers[k].n == 0) continue;
        at[k] = call_place(&c->buffers[k], image, 0);
        snprintf(message, sizeof message, "%s.mem is an image", c->buffers[k].name);
        expect_failure(c->enqueue(plan, test_queue(), at, 0, NULL, NULL), CLPRIMS_ERR_ARGUMENT,
                       message);
        at[k] = before;
    }
    for (size_t k = 0; k < call_count(c); k++) test_buffer_release(&own[k]);
    c->destroy(plan);
    expect_cl(clReleaseMemObject(image));
}

void calls_add_images(test_cases *cases) {
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        test_add(cases, image_is_refused, &c, sizeof c, "calls/images/%s", c->name);
    }
}
