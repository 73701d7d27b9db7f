/* SPDX-License-Identifier: MIT */
/*
 * The k nearest of many points to each of a few queries, in order. A histogram of the distances to
 * the query, its running sum and a search find the bin of the k-th nearest point; select keeps the
 * points up to that bin, and only these few are sorted. All queries are submitted at once: neither
 * the bin nor the number of points that are kept comes to the host.
 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 50000, K = 16, QUERIES = 8, BINS = 4096 };

/* On the device: the points; how many are in each bin, and up to its end; K and its bin; the
 * indices of the points that are kept, how many these are; the results of all queries. */
enum { POINTS, COUNTS, SUMS, NEEDLE, LIMIT, KEPT, COUNT, NEAREST, BUFFERS };

typedef struct plans {
    clprims_histogram *count;
    clprims_scan *add;
    clprims_search *search;
    clprims_select *keep;
    clprims_sort *sort;
} plans;

/* Coordinates are multiples of 1/16 below 64, so that squares are exact and below 3 * BINS. */
static const char distance_and_bin[] =
    "float distance2(float4 a, float4 b) { a = (a - b) * (a - b); return a.x + a.y + a.z; }\n"
    "long bin_of(float4 a, float4 b) { return (long)distance2(a, b) / 3; }\n";

static void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "k_nearest: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static plans create(clprims_context *context, const clprims_buffer *at) {
    plans p;
    clprims_histogram_desc count = {0};
    clprims_scan_desc add = {0};
    clprims_search_desc find = {0};
    clprims_select_desc keep = {0};
    clprims_sort_desc sort = {0};
    count.type = keep.type[0] = CLPRIMS_STRUCT;
    count.custom.type_name = "float4";
    count.custom.type_bytes = sizeof(cl_float4);
    count.custom.declarations = sort.custom.declarations = distance_and_bin;
    keep.custom = count.custom;
    count.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    count.bin = "bin_of(x, query)";
    count.bins = add.max_n = find.max_length = BINS;
    count.max_n = keep.max_n = sort.max_n = N;
    count.sums = add.type = find.type = find.positions = CLPRIMS_U32;
    add.inclusive = 1;
    find.max_n = 1;
    keep.by = CLPRIMS_SELECT_PREDICATE;
    keep.predicate = "bin_of(x, query) <= *limit";
    keep.arrays = 1;
    keep.no_values = 1;
    keep.indices = sort.elements = CLPRIMS_U32;
    sort.type = CLPRIMS_F32;
    sort.key = "distance2(points[x], query)";
    count.parameters = "float4 query";
    keep.parameters = "float4 query, global const uint *limit";
    sort.parameters = "float4 query, global const float4 *points";
    call(clprims_histogram_create(&p.count, context, &count));
    call(clprims_scan_create(&p.add, context, &add));
    call(clprims_search_create(&p.search, context, &find));
    call(clprims_select_create(&p.keep, context, &keep));
    call(clprims_select_set_parameter(p.keep, 1, sizeof(cl_mem), &at[LIMIT].mem));
    call(clprims_sort_create(&p.sort, context, &sort));
    call(clprims_sort_set_parameter(p.sort, 1, sizeof(cl_mem), &at[POINTS].mem));
    return p;
}

static void submit(const plans *p, cl_command_queue q, const clprims_buffer *at,
                   const cl_float4 *query, size_t number) {
    const size_t bytes = K * sizeof(cl_uint);
    const clprims_search_buffers find = {
        .sorted = at[SUMS], .needles = at[NEEDLE], .out = at[LIMIT], .sizes.length = BINS};
    clprims_select_buffers keep = {.in = {at[POINTS]}, .indices = at[KEPT], .count = at[COUNT]};
    const clprims_sort_buffers sort = {.keys_in = at[KEPT], .keys_out = at[KEPT], .n = at[COUNT]};
    call(clprims_histogram_set_parameter(p->count, 0, sizeof *query, query));
    call(clprims_select_set_parameter(p->keep, 0, sizeof *query, query));
    call(clprims_sort_set_parameter(p->sort, 0, sizeof *query, query));
    call(clprims_histogram_enqueue(
        p->count, q, &(clprims_histogram_buffers){.in = at[POINTS], .out = at[COUNTS]}, N, 0, NULL,
        NULL));
    call(clprims_scan_enqueue(p->add, q, &(clprims_scan_buffers){.in = at[COUNTS], .out = at[SUMS]},
                              BINS, 0, NULL, NULL));
    call(clprims_search_enqueue(p->search, q, &find, 1, 0, NULL, NULL));
    call(clprims_select_enqueue(p->keep, q, &keep, N, 0, NULL, NULL));
    call(clprims_sort_enqueue(p->sort, q, &sort, N, 0, NULL, NULL));
    clEnqueueCopyBuffer(q, at[KEPT].mem, at[NEAREST].mem, 0, number * bytes, bytes, 0, NULL, NULL);
}

static void on_device(const cl_float4 *points, const cl_float4 *queries, cl_uint *nearest) {
    const cl_uint k = K;
    const size_t bytes[BUFFERS] = {N * 16, BINS * 4, BINS * 4, 4, 4, N * 4, 8, K * QUERIES * 4};
    clprims_context *context = NULL;
    clprims_context_info info = {0};
    clprims_buffer at[BUFFERS] = {{NULL, 0}};
    call(clprims_context_create(&context, NULL));
    call(clprims_context_describe(context, &info));
    for (int b = 0; b < BUFFERS; b++)
        at[b].mem = clCreateBuffer(info.context, CL_MEM_READ_WRITE, bytes[b], NULL, NULL);
    clEnqueueWriteBuffer(info.queue, at[POINTS].mem, 1, 0, bytes[POINTS], points, 0, NULL, NULL);
    clEnqueueWriteBuffer(info.queue, at[NEEDLE].mem, 1, 0, sizeof k, &k, 0, NULL, NULL);
    const plans p = create(context, at);
    for (size_t i = 0; i < QUERIES; i++) submit(&p, info.queue, at, &queries[i], i);
    clEnqueueReadBuffer(info.queue, at[NEAREST].mem, 1, 0, bytes[NEAREST], nearest, 0, NULL, NULL);
    for (int b = 0; b < BUFFERS; b++) clReleaseMemObject(at[b].mem);
    clprims_histogram_destroy(p.count);
    clprims_scan_destroy(p.add);
    clprims_search_destroy(p.search);
    clprims_select_destroy(p.keep);
    clprims_sort_destroy(p.sort);
    clprims_context_destroy(context);
}

static void in_plain_c(const cl_float4 *points, const cl_float4 *query, cl_uint *nearest) {
    float distance[K];
    for (cl_uint i = 0; i < N; i++) {
        cl_uint place = i < K ? i : K - 1;
        float d = 0;
        for (int c = 0; c < 3; c++)
            d += (points[i].s[c] - query->s[c]) * (points[i].s[c] - query->s[c]);
        if (i >= K && d >= distance[K - 1]) continue;
        for (; place > 0 && distance[place - 1] > d; place--) {
            distance[place] = distance[place - 1];
            nearest[place] = nearest[place - 1];
        }
        distance[place] = d;
        nearest[place] = i;
    }
}

int main(void) {
    static cl_float4 points[N + QUERIES]; /* and the queries */
    static cl_uint found[QUERIES][K], expected[QUERIES][K];
    for (cl_uint i = 0; i < 3 * (N + QUERIES); i++)
        points[i / 3].s[i % 3] = (float)(i * 2654435761u >> 22) / 16;
    on_device(points, points + N, found[0]);
    for (int i = 0; i < QUERIES; i++) in_plain_c(points, points + N + i, expected[i]);
    const int differs = memcmp(found, expected, sizeof found) != 0;
    printf("the %d nearest of %d points to %d queries, %s plain C\n", K, N, QUERIES,
           differs ? "unlike" : "as by");
    return differs;
}
