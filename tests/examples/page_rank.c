/* SPDX-License-Identifier: MIT */
/*
 * PageRank: a sparse matrix in rows (CSR) times a vector, round after round. Row p has the pages
 * that link to page p, and a segmented sum adds up the shares of their ranks that go to p. What the
 * sum stores by `result` is the share that p gives to each of its own links, so that a round is one
 * call. All rounds are submitted at once.
 */
#include <clprims/clprims.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 100000, MOST = 16, ROUNDS = 22 };
static int64_t offsets[PAGES + 1]; /* row p is from[offsets[p]] to from[offsets[p + 1] - 1] */
static cl_uint from[PAGES * MOST], links[PAGES]; /* links: how many lead from each page */
static float share_of[PAGES];

static void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "page_rank: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static void on_device(clprims_context *context) {
    const size_t n = (size_t)offsets[PAGES];
    clprims_segmented *sum;
    clprims_segmented_desc desc = {.by = CLPRIMS_SEGMENTS_OFFSETS, .max_segments = PAGES};
    desc.type = CLPRIMS_U32, desc.accumulator = CLPRIMS_F32, desc.max_n = n;
    desc.input = "share[x]"; /* of the page x */
    desc.result = "(0.15f / pages + 0.85f * r) / links[i]"; /* of the sum r of row i */
    desc.parameters = "global const float *share, global const uint *links, float pages";
    call(clprims_segmented_create(&sum, context, &desc));
    clprims_buffer rows, pages, out, share[2];
    call(clprims_buffer_create(&rows, context, sizeof offsets, offsets));
    call(clprims_buffer_create(&pages, context, n * sizeof from[0], from));
    call(clprims_buffer_create(&out, context, sizeof links, links));
    call(clprims_buffer_create(&share[0], context, sizeof share_of, share_of));
    call(clprims_buffer_create(&share[1], context, sizeof share_of, NULL));
    call(clprims_segmented_set_parameter(sum, 1, sizeof out.mem, &out.mem));
    call(clprims_segmented_set_parameter(sum, 2, sizeof(float), &(float){PAGES}));
    for (int round = 0; round < ROUNDS; round++) {
        const clprims_segmented_buffers buffers = {
            .in = pages, .heads = rows, .out = share[(round + 1) % 2], .sizes.segments = PAGES};
        call(clprims_segmented_set_parameter(sum, 0, sizeof(cl_mem), &share[round % 2].mem));
        call(clprims_segmented_enqueue(sum, NULL, &buffers, n, 0, NULL, NULL));
    }
    call(clprims_buffer_read(context, share[ROUNDS % 2], sizeof share_of[0], PAGES, share_of));
    clprims_buffer *const all[] = {&rows, &pages, &out, &share[0], &share[1]};
    for (int k = 0; k < 5; k++) clprims_buffer_release(all[k]);
    clprims_segmented_destroy(sum);
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
    for (int p = 0; p < PAGES; p++) share_of[p] = (float)(expected[p] = 1.0 / PAGES / links[p]);
    call(clprims_context_create(&context, NULL));
    on_device(context);
    clprims_context_destroy(context);
    for (int round = 0; round < ROUNDS; round++) {
        for (int p = 0; p < PAGES; p++) {
            double sum = 0;
            for (int64_t k = offsets[p]; k < offsets[p + 1]; k++) sum += expected[from[k]];
            next[p] = (0.15 / PAGES + 0.85 * sum) / links[p];
        }
        memcpy(expected, next, sizeof next);
    }
    for (int p = 0; p < PAGES; p++) {
        total += (double)share_of[p] * links[p];
        wrong += fabs(share_of[p] / expected[p] - 1) > 1e-4;
    }
    printf("%d pages, their ranks add up to %.4f, ", PAGES, total);
    printf("%s plain C\n", wrong ? "unlike" : "as by");
    return wrong != 0;
}
