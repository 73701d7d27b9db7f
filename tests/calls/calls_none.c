/* SPDX-License-Identifier: MIT */
/* Runs with nothing in them need no arrays: none of plain ones, and no buffers. */
#include "calls/calls.h"

/* The call's plan, and a run of other numbers. */
static subject_scene open_with(const void *data, size_t first, size_t second) {
    subject_scene scene = subject_scene_open(data);
    subject_data *d = &scene.data;
    subject_free(d);
    d->n[0] = first;
    d->n[1] = second;
    d->counted = false;
    d->variant = 0;
    subject_draw(d);
    return scene;
}

/* Arrays without elements are NULL. */
static void nothing_is_needed(const void *data) {
    subject_scene scene = open_with(data, 0, 0);
    subject_run_is_right(&scene.data, scene.plan);
}

/* Arrays without elements are no buffers. */
static void no_buffer_is_seen(const void *data) {
    const subject_call_ref *ref = data;
    for (int way = 0; way < 3; way++) {
        const size_t first = way == 1 ? 3 : 0, second = way == 2 ? 3 : 0;
        subject_scene scene = open_with(data, first, second);
        subject_data *d = &scene.data;
        subject_buffers b = subject_buffers_create(d, NULL, 0);
        for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
            if (d->at[k].name != NULL && d->at[k].n == 0) b.call.at[k] = subject_no_buffer();
        }
        test_note("%s, n = %zu, %zu", ref->call->name, first, second);
        expect_ok(d->of->enqueue(scene.plan, d, &b.call));
        expect_cl(clFinish(test_queue()));
        subject_buffers_expect(d, &b);
        for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
            const clprims_buffer kept = b.call.at[k];
            if (d->at[k].name == NULL || d->at[k].n == 0 || d->at[k].is_written) continue;
            b.call.at[k] = (clprims_buffer){NULL, 0};
            expect_failure(d->of->enqueue(scene.plan, d, &b.call), CLPRIMS_ERR_ARGUMENT,
                           d->at[k].name);
            b.call.at[k] = kept;
        }
    }
}

/* Top-k refuses no elements; a scan leaves the elements of no segment as they are. */
static bool is_unlike(const char *call) {
    return strncmp(call, "topk", 4) == 0 || strcmp(call, "segmented-scan-offsets") == 0;
}

void calls_add_none(test_cases *cases) {
    static const char *const runs[] = {"scan",    "list",  "listscan",    "forest",
                                       "minplus", "paths", "select-flags"};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const subject_call_ref ref = subject_call_find(runs[i]);
        test_add_row(cases, nothing_is_needed, ref, "calls/run-of-none/%s", runs[i]);
    }
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.call_count; k++) {
            const subject_call_ref ref = {subjects[i], &subjects[i]->plans.calls[k]};
            if (is_unlike(ref.call->name)) continue;
            test_add_row(cases, no_buffer_is_seen, ref, "calls/no-buffer/%s", ref.call->name);
        }
    }
}
