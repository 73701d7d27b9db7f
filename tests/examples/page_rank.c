/* SPDX-License-Identifier: MIT */
/*
 * PageRank: a sparse matrix in rows (CSR) times a vector, round after round. Row p has the pages
 * that link to page p, and a segmented sum adds up the shares of their ranks that go to p. What the
 * sum stores by `result` is the share that p gives to each of its own links, so that a round is one
 * call. All rounds are submitted at once. The mean rank is 1.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAGES = 100000, MOST = 16, ROUNDS = 22 };
static int64_t offsets[PAGES + 1]; /* row p is from[offsets[p]] to from[offsets[p + 1] - 1] */
static cl_uint from[PAGES * MOST], links[PAGES]; /* links: how many lead from each page */
static float share_of[PAGES];

static void on_device(clprims_context *context) {
    enum { ROWS, FROM, LINKS, SHARE, NEXT, BUFFERS };
    const size_t n = (size_t)offsets[PAGES], each = sizeof share_of;
    const size_t bytes[] = {sizeof offsets, n * sizeof from[0], each, each, each};
    const void *const host[BUFFERS] = {offsets, from, links, share_of};
    clprims_buffer at[BUFFERS];
    clprims_segmented *sum;
    clprims_segmented_desc desc = {.by = CLPRIMS_SEGMENTS_OFFSETS, .max_segments = PAGES};
    desc.type = CLPRIMS_U32, desc.accumulator = CLPRIMS_F32, desc.max_n = n;
    desc.input = "share[x]"; /* of the page x */
    desc.result = "(0.15f + 0.85f * r) / links[i]"; /* of the sum r of row i */
    desc.parameters = "global const uint *links, global const float *share";
    call(clprims_segmented_create(&sum, context, &desc));
    for (size_t k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k], host[k]));
    call(clprims_segmented_set_parameter(sum, 0, sizeof at[LINKS], &at[LINKS]));
    for (int round = 0; round < ROUNDS; round++) {
        const clprims_segmented_buffers buffers = {
            .in = at[FROM], .heads = at[ROWS], .out = at[NEXT], .sizes.segments = PAGES};
        call(clprims_segmented_set_parameter(sum, 1, sizeof at[SHARE], &at[SHARE]));
        call(clprims_segmented_enqueue(sum, NULL, &buffers, n, 0, NULL, NULL));
        at[NEXT] = at[SHARE], at[SHARE] = buffers.out;
    }
    call(clprims_buffer_read(context, at[SHARE], sizeof share_of[0], PAGES, share_of));
    for (size_t k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
}

int main(void) {
    static double expected[PAGES], next[PAGES];
    double total = 0;
    int wrong = 0;
    clprims_context *context;
    for (cl_uint p = 0, h = 1; p < PAGES; p++) {
        int64_t end = offsets[p];
        for (cl_uint k = 0; k <= p % MOST; k++, h = h * 1664525u + 1013904223u)
            links[from[end++] = k == 0 ? (p + 1) % PAGES : (h >> 4) % PAGES]++;
        offsets[p + 1] = end;
    }
    for (int p = 0; p < PAGES; p++) share_of[p] = (float)(expected[p] = 1.0 / links[p]);
    call(clprims_context_create(&context, NULL));
    on_device(context);
    clprims_context_destroy(context);
    for (int round = 0; round < ROUNDS; round++) {
        for (int p = 0; p < PAGES; p++) {
            double sum = 0;
            for (int64_t k = offsets[p]; k < offsets[p + 1]; k++) sum += expected[from[k]];
            next[p] = (0.15 + 0.85 * sum) / links[p];
        }
        memcpy(expected, next, sizeof next);
    }
    for (int p = 0; p < PAGES; p++) {
        total += (double)share_of[p] * links[p];
        wrong += fabs(share_of[p] / expected[p] - 1) > 1e-4;
    }
    printf("%d pages, their mean rank is %.4f, ", PAGES, total / PAGES);
    printf("%s plain C\n", wrong ? "unlike" : "as by");
    return wrong != 0;
}
