/* SPDX-License-Identifier: MIT */
/*
 * Events with lists of particles, a jagged array of momenta: the particles that have at least half
 * the momentum of their event's leading one are kept, with the number of their event. No kernel has
 * to be written: parents says which event a particle is of, and the predicate looks up that event's
 * leading momentum. All is submitted at once.
 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 20000, MOST = 9 };

typedef struct results {
    float pt[EVENTS * MOST];
    int64_t event[EVENTS * MOST];
    uint64_t kept;
} results;

static void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "near_leaders: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static void on_device(clprims_context *context, const float *host_pt, const int64_t *host_offsets,
                      results *r) {
    const size_t n = (size_t)host_offsets[EVENTS];
    clprims_segmented *lead_plan;
    clprims_parents *parents_plan;
    clprims_select *keep_plan;
    call(clprims_segmented_create(
        &lead_plan, context,
        &(clprims_segmented_desc){
            .type = CLPRIMS_F32, .op = CLPRIMS_MAX, .max_n = n, .max_segments = EVENTS}));
    call(clprims_parents_create(&parents_plan, context,
                                &(clprims_parents_desc){.max_n = n, .max_segments = EVENTS}));
    call(clprims_select_create(
        &keep_plan, context,
        &(clprims_select_desc){.by = CLPRIMS_SELECT_PREDICATE,
                               .predicate = "2.0f * x >= lead[event[i]]",
                               .parameters = "global const float *lead, global const long *event",
                               .arrays = 2,
                               .type = {CLPRIMS_F32, CLPRIMS_I64},
                               .max_n = n}));

    clprims_buffer pt, offsets, lead, event, kept_pt, kept_event, kept;
    call(clprims_buffer_create(&pt, context, n * sizeof(float), host_pt));
    call(clprims_buffer_create(&offsets, context, (EVENTS + 1) * sizeof(int64_t), host_offsets));
    call(clprims_buffer_create(&lead, context, EVENTS * sizeof(float), NULL));
    call(clprims_buffer_create(&event, context, n * sizeof(int64_t), NULL));
    call(clprims_buffer_create(&kept_pt, context, n * sizeof(float), NULL));
    call(clprims_buffer_create(&kept_event, context, n * sizeof(int64_t), NULL));
    call(clprims_buffer_create(&kept, context, sizeof r->kept, NULL));
    call(clprims_select_set_parameter(keep_plan, 0, sizeof lead.mem, &lead.mem));
    call(clprims_select_set_parameter(keep_plan, 1, sizeof event.mem, &event.mem));

    clprims_context_info info;
    call(clprims_context_describe(context, &info));
    const clprims_segmented_buffers find = {
        .in = pt, .heads = offsets, .out = lead, .sizes.segments = EVENTS};
    const clprims_parents_buffers number = {
        .offsets = offsets, .parents = event, .sizes.segments = EVENTS};
    const clprims_select_buffers keep = {
        .in = {pt, event}, .out = {kept_pt, kept_event}, .count = kept};
    call(clprims_segmented_enqueue(lead_plan, info.queue, &find, n, 0, NULL, NULL));
    call(clprims_parents_enqueue(parents_plan, info.queue, &number, n, 0, NULL, NULL));
    call(clprims_select_enqueue(keep_plan, info.queue, &keep, n, 0, NULL, NULL));

    call(clprims_buffer_read(context, kept, sizeof r->kept, 1, &r->kept));
    call(clprims_buffer_read(context, kept_pt, sizeof(float), r->kept, r->pt));
    call(clprims_buffer_read(context, kept_event, sizeof(int64_t), r->kept, r->event));
    clprims_buffer *const all[] = {&pt, &offsets, &lead, &event, &kept_pt, &kept_event, &kept};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) clprims_buffer_release(all[k]);
    clprims_segmented_destroy(lead_plan);
    clprims_parents_destroy(parents_plan);
    clprims_select_destroy(keep_plan);
}

static void in_plain_c(const float *pt, const int64_t *offsets, results *r) {
    for (int64_t e = 0; e < EVENTS; e++) {
        float lead = 0;
        for (int64_t i = offsets[e]; i < offsets[e + 1]; i++) lead = pt[i] > lead ? pt[i] : lead;
        for (int64_t i = offsets[e]; i < offsets[e + 1]; i++) {
            if (2 * pt[i] < lead) continue;
            r->pt[r->kept] = pt[i];
            r->event[r->kept++] = e;
        }
    }
}

int main(void) {
    static results found, expected;
    static float pt[EVENTS * MOST];
    static int64_t offsets[EVENTS + 1];
    for (uint32_t i = 0; i < EVENTS * MOST; i++) pt[i] = (float)(i * 2654435761u >> 25) / 4;
    for (int64_t e = 0; e < EVENTS; e++) offsets[e + 1] = offsets[e] + e * e % 1021 % (MOST + 1);
    clprims_context *context = NULL;
    call(clprims_context_create(&context, NULL));
    on_device(context, pt, offsets, &found);
    clprims_context_destroy(context);
    in_plain_c(pt, offsets, &expected);
    const int differs = memcmp(&found, &expected, sizeof found) != 0;
    printf("%d of %d particles kept, %s plain C\n", (int)found.kept, (int)offsets[EVENTS],
           differs ? "unlike" : "as by");
    return differs;
}
