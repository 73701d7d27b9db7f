/* SPDX-License-Identifier: MIT */
/*
 * Events with lists of particles, a jagged array of momenta: the particles that have at least half
 * the momentum of their event's leading one are kept, with the number of their event. A segmented
 * maximum finds the leading ones, parents says which event each particle is of, and a selection
 * looks up both by its expressions. All is submitted at once.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <string.h>

enum { EVENTS = 20000, MOST = 9 };
typedef struct particle {
    cl_int event;
    float pt;
} particle;
static const char declaration[] = "typedef struct { int event; float pt; } particle;";

static uint64_t on_device(clprims_context *context, const float *pt, const int64_t *offsets,
                          particle *kept) {
    const size_t n = (size_t)offsets[EVENTS];
    clprims_segmented *lead;
    clprims_parents *number;
    clprims_select *keep;
    clprims_segmented_desc maxima = {.type = CLPRIMS_F32, .op = CLPRIMS_MAX};
    maxima.max_n = n, maxima.max_segments = EVENTS;
    clprims_parents_desc numbers = {.type = CLPRIMS_I32, .max_n = n, .max_segments = EVENTS};
    clprims_select_desc near = {.by = CLPRIMS_SELECT_PREDICATE, .arrays = 1, .max_n = n};
    near.type[0] = CLPRIMS_I32, near.predicate = "2 * pt[i] >= lead[x]"; /* x: the event */
    near.result = "(particle){x, pt[i]}", near.result_type = CLPRIMS_STRUCT;
    near.custom.declarations = declaration, near.custom.type_name = "particle";
    near.custom.type_bytes = sizeof(particle);
    near.parameters = "global const float *pt, global const float *lead";
    call(clprims_segmented_create(&lead, context, &maxima));
    call(clprims_parents_create(&number, context, &numbers));
    call(clprims_select_create(&keep, context, &near));

    enum { PT, LEAD, OFFSETS, EVENT, KEPT, COUNT, BUFFERS };
    const size_t bytes[] = {n * 4, EVENTS * 4, (EVENTS + 1) * 8, n * 4, n * sizeof *kept, 8};
    const void *const host[BUFFERS] = {[PT] = pt, [OFFSETS] = offsets};
    clprims_buffer at[BUFFERS];
    for (size_t k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k], host[k]));
    for (size_t k = PT; k <= LEAD; k++)
        call(clprims_select_set_parameter(keep, k, sizeof(cl_mem), &at[k].mem));
    const clprims_segmented_buffers find = {
        .in = at[PT], .heads = at[OFFSETS], .out = at[LEAD], .sizes.segments = EVENTS};
    const clprims_parents_buffers events = {
        .offsets = at[OFFSETS], .parents = at[EVENT], .sizes.segments = EVENTS};
    const clprims_select_buffers choose = {
        .in = {at[EVENT]}, .out = {at[KEPT]}, .count = at[COUNT]};
    call(clprims_segmented_enqueue(lead, NULL, &find, n, 0, NULL, NULL));
    call(clprims_parents_enqueue(number, NULL, &events, n, 0, NULL, NULL));
    call(clprims_select_enqueue(keep, NULL, &choose, n, 0, NULL, NULL));

    uint64_t count;
    call(clprims_buffer_read(context, at[COUNT], sizeof count, 1, &count));
    call(clprims_buffer_read(context, at[KEPT], sizeof *kept, count, kept));
    for (size_t k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
    return count;
}

int main(void) {
    static particle kept[EVENTS * MOST], expected[EVENTS * MOST];
    static float pt[EVENTS * MOST];
    static int64_t offsets[EVENTS + 1];
    clprims_context *context;
    size_t count = 0;
    for (uint32_t i = 0; i < EVENTS * MOST; i++) pt[i] = (float)(i * 2654435761u >> 25) / 4;
    for (int64_t e = 0; e < EVENTS; e++) offsets[e + 1] = offsets[e] + e * e % 1021 % (MOST + 1);
    call(clprims_context_create(&context, NULL));
    const uint64_t found = on_device(context, pt, offsets, kept);
    clprims_context_destroy(context);
    for (int e = 0; e < EVENTS; e++) {
        float lead = 0;
        for (int64_t i = offsets[e]; i < offsets[e + 1]; i++) lead = pt[i] > lead ? pt[i] : lead;
        for (int64_t i = offsets[e]; i < offsets[e + 1]; i++)
            if (2 * pt[i] >= lead) expected[count++] = (particle){e, pt[i]};
    }
    const int differs = found != count || memcmp(kept, expected, sizeof kept) != 0;
    printf("%d of %d particles kept, %s plain C\n", (int)found, (int)offsets[EVENTS],
           differs ? "unlike" : "as by");
    return differs;
}
