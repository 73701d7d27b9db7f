/* SPDX-License-Identifier: MIT */
/* An image in place of each array of a call, which kernels could not read as one: refused by name.
 */
#include "calls/calls.h"

static void image_is_refused(const void *data) {
    subject_scene scene = subject_scene_open(data);
    const subject_data *d = &scene.data;
    cl_mem image = test_image_create();
    subject_buffers b = subject_buffers_create(d, NULL, 0);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const clprims_buffer before = b.call.at[k];
        char message[64];
        if (d->at[k].name == NULL || d->at[k].n == 0) continue;
        b.call.at[k] = subject_place(&d->at[k], image, 0);
        snprintf(message, sizeof message, "%s.mem is an image", d->at[k].name);
        expect_failure(d->of->enqueue(scene.plan, d, &b.call), CLPRIMS_ERR_ARGUMENT, message);
        b.call.at[k] = before;
    }
}

void calls_add_images(test_cases *cases) {
    subject_add_calls(cases, image_is_refused, "calls/images");
}
