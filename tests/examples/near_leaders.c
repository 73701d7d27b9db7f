/* SPDX-License-Identifier: MIT */
/*
 * Events with lists of particles, a jagged array of momenta: the particles that have at least half
 * the momentum of their event's leading one are kept, with the number of their event. Parents and
 * gather bring the value of an event to its particles, so no kernel has to be written; all is
 * submitted at once.
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

/* On the device: the jagged array; each event's leading momentum; each particle's event, and that
 * event's leading momentum; what is kept. */
enum { PT, OFFSETS, LEAD, EVENT, LEAD_OF, KEPT_PT, KEPT_EVENT, KEPT, BUFFERS };

typedef struct plans {
    clprims_segmented *lead;
    clprims_parents *parents;
    clprims_gather *gather;
    clprims_select *keep;
} plans;

static void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "near_leaders: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static plans create(clprims_context *context, size_t n, cl_mem lead_of) {
    plans p = {NULL, NULL, NULL, NULL};
    clprims_segmented_desc lead = {0};
    clprims_parents_desc parents = {0};
    clprims_gather_desc gather = {0};
    clprims_select_desc keep = {0};
    lead.op = CLPRIMS_MAX;
    lead.max_segments = parents.max_segments = EVENTS;
    keep.by = CLPRIMS_SELECT_PREDICATE;
    keep.predicate = "2.0f * x >= lead[i]";
    keep.parameters = "global const float *lead";
    keep.arrays = 2;
    keep.type[1] = CLPRIMS_I64;
    lead.type = gather.type = keep.type[0] = CLPRIMS_F32;
    lead.max_n = parents.max_n = gather.max_n = keep.max_n = n;
    call(clprims_segmented_create(&p.lead, context, &lead));
    call(clprims_parents_create(&p.parents, context, &parents));
    call(clprims_gather_create(&p.gather, context, &gather));
    call(clprims_select_create(&p.keep, context, &keep));
    call(clprims_select_set_parameter(p.keep, 0, sizeof lead_of, &lead_of));
    return p;
}

static void submit(const plans *p, cl_command_queue q, const clprims_buffer *at, size_t n) {
    const clprims_parents_buffers parents = {
        .offsets = at[OFFSETS], .parents = at[EVENT], .sizes.segments = EVENTS};
    const clprims_gather_buffers gather = {
        .index = at[EVENT], .in = at[LEAD], .out = at[LEAD_OF], .sizes.length = EVENTS};
    clprims_segmented_buffers lead = {0};
    clprims_select_buffers keep = {0};
    lead.in = keep.in[0] = at[PT];
    lead.heads = at[OFFSETS];
    lead.out = at[LEAD];
    keep.in[1] = at[EVENT];
    keep.out[0] = at[KEPT_PT];
    keep.out[1] = at[KEPT_EVENT];
    keep.count = at[KEPT];
    lead.sizes.segments = EVENTS;
    call(clprims_segmented_enqueue(p->lead, q, &lead, n, 0, NULL, NULL));
    call(clprims_parents_enqueue(p->parents, q, &parents, n, 0, NULL, NULL));
    call(clprims_gather_enqueue(p->gather, q, &gather, n, 0, NULL, NULL));
    call(clprims_select_enqueue(p->keep, q, &keep, n, 0, NULL, NULL));
}

static void on_device(clprims_context *context, const float *pt, const int64_t *offsets,
                      results *r) {
    const size_t n = (size_t)offsets[EVENTS];
    const size_t bytes[BUFFERS] = {n * 4, (EVENTS + 1) * 8, EVENTS * 4, n * 8, n * 4, n * 4, n * 8,
                                   8};
    clprims_buffer at[BUFFERS] = {{NULL, 0}};
    clprims_context_info info = {0};
    call(clprims_context_describe(context, &info));
    for (int k = 0; k < BUFFERS; k++)
        at[k].mem = clCreateBuffer(info.context, CL_MEM_READ_WRITE, bytes[k], NULL, NULL);
    clEnqueueWriteBuffer(info.queue, at[PT].mem, CL_TRUE, 0, bytes[PT], pt, 0, NULL, NULL);
    clEnqueueWriteBuffer(info.queue, at[OFFSETS].mem, CL_TRUE, 0, bytes[OFFSETS], offsets, 0, NULL,
                         NULL);
    plans p = create(context, n, at[LEAD_OF].mem);
    submit(&p, info.queue, at, n);
    clEnqueueReadBuffer(info.queue, at[KEPT].mem, CL_TRUE, 0, 8, &r->kept, 0, NULL, NULL);
    clEnqueueReadBuffer(info.queue, at[KEPT_PT].mem, CL_TRUE, 0, r->kept * 4, r->pt, 0, NULL, NULL);
    clEnqueueReadBuffer(info.queue, at[KEPT_EVENT].mem, CL_TRUE, 0, r->kept * 8, r->event, 0, NULL,
                        NULL);
    for (int k = 0; k < BUFFERS; k++) clReleaseMemObject(at[k].mem);
    clprims_segmented_destroy(p.lead);
    clprims_parents_destroy(p.parents);
    clprims_gather_destroy(p.gather);
    clprims_select_destroy(p.keep);
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
