/* SPDX-License-Identifier: MIT */
/*
 * Events with lists of particles, a jagged array of momenta. A segmented reduction makes a
 * structure of each event: how many particles are above a cut, their sum, which one is the leading
 * one. The sums go into a histogram; events with two such particles are kept, and the sums of these
 * are added. All is submitted at once; no count comes to the host in between.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EVENTS = 20000, MOST = 9, BINS = 32 };
static const float cut = 20.25f; /* momenta are multiples of 1/4, so that sums are exact */
typedef struct event {
    cl_long count, lead; /* lead: an index in the array */
    float sum, greatest;
} event;
typedef struct results {
    event kept[EVENTS];
    uint64_t count, bins[BINS];
    float total;
} results;

static const char declarations[] =
    "typedef struct { long count, lead; float sum, greatest; } event;\n"
    "event one(float x, long i, float cut) {\n"
    "    return (event){x > cut, i, x > cut ? x : 0, x};\n"
    "}\n"
    "event both(event a, event b) {\n"
    "    return (event){a.count + b.count, b.greatest > a.greatest ? b.lead : a.lead,\n"
    "                   a.sum + b.sum, max(a.greatest, b.greatest)};\n"
    "}\n";

typedef struct plans {
    clprims_segmented *combine;
    clprims_select *keep;
    clprims_histogram *fill;
    clprims_reduce *add;
} plans;

static plans create(clprims_context *context, size_t n) {
    const event none = {0, -1, 0, -INFINITY}; /* an event without particles */
    clprims_custom type = {.declarations = declarations, .type_name = "event"};
    type.type_bytes = sizeof(event);
    clprims_segmented_desc events = {.type = CLPRIMS_F32, .accumulator = CLPRIMS_STRUCT};
    clprims_select_desc select = {.by = CLPRIMS_SELECT_PREDICATE, .arrays = 1, .custom = type};
    clprims_histogram_desc histogram = {.type = CLPRIMS_STRUCT, .custom = type, .bins = BINS};
    clprims_reduce_desc sums = {.type = CLPRIMS_STRUCT, .custom = type, .max_n = EVENTS};
    plans p;
    events.custom = type, events.custom.op = "both(a, b)", events.custom.identity = &none;
    events.op = CLPRIMS_CUSTOM, events.max_n = n, events.max_segments = EVENTS;
    events.input = "one(x, i, cut)", events.parameters = "float cut";
    select.type[0] = CLPRIMS_STRUCT, select.predicate = "x.count >= 2", select.max_n = EVENTS;
    histogram.by = CLPRIMS_HISTOGRAM_EXPRESSION, histogram.max_n = EVENTS;
    histogram.bin = "x.sum > 0 ? (long)(x.sum * 0.0625f) : -1"; /* -1: in no bin */
    sums.accumulator = CLPRIMS_F32, sums.input = "x.sum";
    call(clprims_segmented_create(&p.combine, context, &events));
    call(clprims_segmented_set_parameter(p.combine, 0, sizeof cut, &cut));
    call(clprims_select_create(&p.keep, context, &select));
    call(clprims_histogram_create(&p.fill, context, &histogram));
    call(clprims_reduce_create(&p.add, context, &sums));
    return p;
}

static void on_device(clprims_context *context, const float *pt, const int64_t *offsets,
                      results *r) {
    enum { PT, OFFSETS, ALL, KEPT, COUNT, FILLED, TOTAL, BUFFERS };
    const size_t n = (size_t)offsets[EVENTS], all = sizeof r->kept;
    const size_t bytes[] = {n * 4, (EVENTS + 1) * 8, all, all, 8, sizeof r->bins, 4};
    clprims_buffer at[BUFFERS];
    plans p = create(context, n);
    for (int k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k],
                                   k == PT        ? pt
                                   : k == OFFSETS ? (const void *)offsets
                                                  : NULL));
    const clprims_segmented_buffers events = {
        .in = at[PT], .heads = at[OFFSETS], .out = at[ALL], .sizes.segments = EVENTS};
    const clprims_select_buffers keep = {.in = {at[ALL]}, .out = {at[KEPT]}, .count = at[COUNT]};
    const clprims_histogram_buffers fill = {.in = at[ALL], .out = at[FILLED]};
    const clprims_reduce_buffers add = {.in = at[KEPT], .out = at[TOTAL], .n = at[COUNT]};
    call(clprims_segmented_enqueue(p.combine, NULL, &events, n, 0, NULL, NULL));
    call(clprims_histogram_enqueue(p.fill, NULL, &fill, EVENTS, 0, NULL, NULL));
    call(clprims_select_enqueue(p.keep, NULL, &keep, EVENTS, 0, NULL, NULL));
    call(clprims_reduce_enqueue(p.add, NULL, &add, EVENTS, 0, NULL, NULL));
    call(clprims_buffer_read(context, at[COUNT], sizeof r->count, 1, &r->count));
    call(clprims_buffer_read(context, at[KEPT], sizeof(event), r->count, r->kept));
    call(clprims_buffer_read(context, at[FILLED], sizeof r->bins, 1, r->bins));
    call(clprims_buffer_read(context, at[TOTAL], sizeof r->total, 1, &r->total));
    for (int k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
}

static void in_plain_c(const float *pt, const int64_t *offsets, results *r) {
    for (int64_t e = 0; e < EVENTS; e++) {
        event one = {0, -1, 0, -INFINITY};
        for (int64_t i = offsets[e]; i < offsets[e + 1]; i++) {
            if (pt[i] > one.greatest) one.greatest = pt[i], one.lead = i;
            one.count += pt[i] > cut;
            one.sum += pt[i] > cut ? pt[i] : 0;
        }
        if (one.sum > 0) r->bins[(size_t)(one.sum / 16)]++;
        if (one.count < 2) continue;
        r->kept[r->count++] = one;
        r->total += one.sum;
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
    printf("%d of %d events kept, %s plain C\n", (int)found.count, EVENTS,
           differs ? "unlike" : "as by");
    return differs;
}
