/* SPDX-License-Identifier: MIT */
/*
 * Events with lists of particles, a jagged array of momenta: particles above a cut are counted and
 * summed for each event, and the leading one is found; the sums go into a histogram; events with
 * two such particles are kept. All is submitted at once; no count comes to the host in between.
 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 20000, MOST = 9, BINS = 32 };
static const float cut = 20.25f; /* momenta are multiples of 1/4, so that sums are exact */

typedef struct results {
    int64_t count[EVENTS], lead[EVENTS]; /* of kept events */
    float sum[EVENTS], total;
    uint64_t kept, bins[BINS];
} results;

/* On the device: what comes in, values of all events, and what goes to `results`. */
enum { PT, OFFSETS, COUNTS, LEADS, SUMS, COUNT, LEAD, SUM, TOTAL, KEPT, FILLED, BUFFERS };

typedef struct plans {
    clprims_segmented *of_event[3]; /* COUNTS, LEADS, SUMS */
    clprims_select *keep;
    clprims_histogram *fill;
    clprims_reduce *add;
} plans;

static void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "event_cuts: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static plans create(clprims_context *context, size_t n) {
    static const clprims_op op[] = {CLPRIMS_ADD, CLPRIMS_ARGMAX, CLPRIMS_ADD};
    static const clprims_type accumulator[] = {CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F32};
    static const char *const input[] = {"x > cut", "x", "x > cut ? x : 0.0f"};
    plans p = {{NULL}, NULL, NULL, NULL};
    for (int k = 0; k < 3; k++) {
        const clprims_segmented_desc desc = {.type = CLPRIMS_F32,
                                             .accumulator = accumulator[k],
                                             .op = op[k],
                                             .input = input[k],
                                             .parameters = "float cut",
                                             .max_n = n,
                                             .max_segments = EVENTS};
        call(clprims_segmented_create(&p.of_event[k], context, &desc));
        call(clprims_segmented_set_parameter(p.of_event[k], 0, sizeof cut, &cut));
    }
    clprims_select_desc select = {0};
    clprims_histogram_desc histogram = {0};
    clprims_reduce_desc reduce = {0};
    select.by = CLPRIMS_SELECT_PREDICATE;
    select.predicate = "x >= 2"; /* of the first array, the counts */
    select.arrays = 3;
    select.type[0] = select.type[1] = CLPRIMS_I64;
    histogram.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    histogram.bin = "x > 0 ? (long)(x * 0.0625f) : -1";
    histogram.bins = BINS;
    select.type[2] = histogram.type = reduce.type = CLPRIMS_F32;
    select.max_n = histogram.max_n = reduce.max_n = EVENTS;
    call(clprims_select_create(&p.keep, context, &select));
    call(clprims_histogram_create(&p.fill, context, &histogram));
    call(clprims_reduce_create(&p.add, context, &reduce));
    return p;
}

static void submit(const plans *p, cl_command_queue q, const clprims_buffer *at, size_t n) {
    clprims_select_buffers s = {0};
    for (int k = 0; k < 3; k++) {
        const clprims_segmented_buffers b = {
            .in = at[PT], .heads = at[OFFSETS], .out = at[COUNTS + k], .sizes = {EVENTS, 0}};
        s.in[k] = b.out;
        s.out[k] = at[COUNT + k];
        call(clprims_segmented_enqueue(p->of_event[k], q, &b, n, 0, NULL, NULL));
    }
    s.count = at[KEPT];
    call(clprims_select_enqueue(p->keep, q, &s, EVENTS, 0, NULL, NULL));
    call(clprims_reduce_enqueue(
        p->add, q, &(clprims_reduce_buffers){.in = at[SUM], .out = at[TOTAL], .n = at[KEPT]},
        EVENTS, 0, 0, NULL));
    call(clprims_histogram_enqueue(p->fill, q,
                                   &(clprims_histogram_buffers){.in = at[SUMS], .out = at[FILLED]},
                                   EVENTS, 0, 0, NULL));
}

static void on_device(clprims_context *context, float *pt, int64_t *offsets, results *r) {
    const size_t n = (size_t)offsets[EVENTS], wide = EVENTS * 8;
    const struct {
        void *host;
        size_t bytes;
    } a[BUFFERS] = {{pt, n * 4},        {offsets, wide + 8}, {r->count, wide},   {r->lead, wide},
                    {r->sum, wide / 2}, {r->count, wide},    {r->lead, wide},    {r->sum, wide / 2},
                    {&r->total, 4},     {&r->kept, 8},       {r->bins, BINS * 8}};
    clprims_buffer at[BUFFERS] = {{NULL, 0}};
    clprims_context_info info = {0};
    call(clprims_context_describe(context, &info));
    for (int k = 0; k < BUFFERS; k++)
        at[k].mem = clCreateBuffer(info.context, CL_MEM_COPY_HOST_PTR, a[k].bytes, a[k].host, NULL);
    plans p = create(context, n);
    submit(&p, info.queue, at, n);
    for (int k = 0; k < BUFFERS; k++) {
        if (k >= COUNT)
            clEnqueueReadBuffer(info.queue, at[k].mem, 1, 0, a[k].bytes, a[k].host, 0, 0, 0);
        clReleaseMemObject(at[k].mem);
    }
    for (int k = 0; k < 3; k++) clprims_segmented_destroy(p.of_event[k]);
    clprims_select_destroy(p.keep);
    clprims_histogram_destroy(p.fill);
    clprims_reduce_destroy(p.add);
}

static void in_plain_c(const float *pt, const int64_t *offsets, results *r) {
    for (int64_t e = 0; e < EVENTS; e++) {
        int64_t count = 0, lead = offsets[e];
        float sum = 0;
        for (int64_t i = offsets[e]; i < offsets[e + 1]; i++) {
            if (pt[i] > pt[lead]) lead = i;
            count += pt[i] > cut;
            sum += pt[i] > cut ? pt[i] : 0;
        }
        if (sum > 0) r->bins[(size_t)(sum / 16)]++;
        if (count < 2) continue;
        r->count[r->kept] = count;
        r->lead[r->kept] = lead;
        r->sum[r->kept++] = sum;
        r->total += sum;
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
    printf("%d of %d events kept, %s plain C\n", (int)found.kept, EVENTS,
           differs ? "unlike" : "as by");
    return differs;
}
