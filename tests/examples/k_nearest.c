/* SPDX-License-Identifier: MIT */
/*
 * The k nearest of many points to each of a few queries, the nearest one first. Top-k takes the
 * points themselves: its key is an expression, the distance to a query, which is a parameter. All
 * queries are submitted at once, and their results are read together.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <string.h>

enum { N = 50000, K = 16, QUERIES = 8 };
static cl_float4 point[N], query[QUERIES]; /* multiples of 1/16, so that squares are exact */
static cl_uint nearest[QUERIES][K], expected[QUERIES][K];

static void on_device(clprims_context *context) {
    clprims_topk *find;
    clprims_topk_desc desc = {.type = CLPRIMS_F32, .least = 1, .max_n = N, .max_k = K};
    desc.elements = CLPRIMS_STRUCT; /* a vector type of OpenCL C needs no declaration */
    desc.custom.type_name = "float4", desc.custom.type_bytes = sizeof(cl_float4);
    desc.custom.declarations = "float square(float4 a) { a *= a; return a.x + a.y + a.z; }";
    desc.key = "square(x - query)", desc.parameters = "float4 query";
    desc.indices = CLPRIMS_U32, desc.no_values = 1; /* the points' numbers alone */
    call(clprims_topk_create(&find, context, &desc));

    clprims_buffer points, numbers;
    call(clprims_buffer_create(&points, context, sizeof point, point));
    call(clprims_buffer_create(&numbers, context, sizeof nearest, NULL));
    for (size_t q = 0; q < QUERIES; q++) {
        const clprims_topk_buffers buffers = {
            .in = points, .indices = {numbers.mem, q * K}, .sizes.k = K};
        call(clprims_topk_set_parameter(find, 0, sizeof query[q], &query[q]));
        call(clprims_topk_enqueue(find, NULL, &buffers, N, 0, NULL, NULL));
    }
    call(clprims_buffer_read(context, numbers, sizeof nearest, 1, nearest));
    clprims_buffer_release(&points);
    clprims_buffer_release(&numbers);
}

static void in_plain_c(const cl_float4 *from, cl_uint *best) {
    float distance[K];
    for (cl_uint i = 0; i < N; i++) {
        cl_uint place = i < K ? i : K - 1;
        float d = 0;
        for (int c = 0; c < 3; c++)
            d += (point[i].s[c] - from->s[c]) * (point[i].s[c] - from->s[c]);
        if (i >= K && d >= distance[K - 1]) continue;
        for (; place > 0 && distance[place - 1] > d; place--) {
            distance[place] = distance[place - 1];
            best[place] = best[place - 1];
        }
        distance[place] = d;
        best[place] = i;
    }
}

int main(void) {
    clprims_context *context;
    for (cl_uint i = 0; i < 3 * N; i++) point[i / 3].s[i % 3] = (float)(i * 2654435761u >> 22) / 16;
    for (int q = 0; q < QUERIES; q++) query[q] = (cl_float4){{(float)q * 7, 30, 60 - (float)q}};
    call(clprims_context_create(&context, NULL));
    on_device(context);
    clprims_context_destroy(context);
    for (int q = 0; q < QUERIES; q++) in_plain_c(&query[q], expected[q]);
    const int differs = memcmp(nearest, expected, sizeof nearest) != 0;
    printf("the %d nearest of %d points to %d queries, %s plain C\n", K, N, QUERIES,
           differs ? "unlike" : "as by");
    return differs;
}
