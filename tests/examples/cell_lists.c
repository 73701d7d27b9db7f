/* SPDX-License-Identifier: MIT */
/*
 * Pairs of points within a radius, as particle simulations need them: the points are sorted by the
 * cell of a grid that they are in, a histogram and its running sum say where each cell begins, and
 * a reduction adds up the neighbours that each point has in the nine cells around it.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>

enum { N = 20000, CELLS = 256 * 256 }; /* the side of a cell is 4, which is the radius, too */
static cl_float2 point[N]; /* multiples of 1/4 below 1024, so that squares of distances are exact */
static uint64_t begin[CELLS + 1]; /* the place of the first point of each cell */

static const char declarations[] =
    "int cell_at(int x, int y) { return x + 256 * y; }\n"
    "int cell_of(float2 p) { return cell_at(p.x / 4, p.y / 4); }\n"
    "int near(float2 d) { return d.x * d.x + d.y * d.y <= 16; }\n"
    "ulong neighbours(float2 p, global const float2 *point, global const ulong *begin) {\n"
    "    const int x = p.x / 4, y = p.y / 4;\n"
    "    ulong found = 0;\n"
    "    for (int row = max(y - 1, 0); row <= min(y + 1, 255); row++) {\n"
    "        const ulong end = begin[cell_at(min(x + 1, 255), row) + 1];\n"
    "        for (ulong k = begin[cell_at(max(x - 1, 0), row)]; k < end; k++)\n"
    "            found += near(point[k] - p);\n"
    "    }\n"
    "    return found - 1;\n" /* without the point itself */
    "}\n";

static size_t on_device(clprims_context *context) {
    clprims_custom type = {.declarations = declarations, .type_name = "float2", .type_bytes = 8};
    clprims_sort *by_cell;
    clprims_histogram *fill;
    clprims_reduce *count;
    clprims_buffer points, firsts; /* what the expression of the reduction reads beside x */
    uint64_t pairs;
    clprims_sort_desc sort = {.type = CLPRIMS_U32, .elements = CLPRIMS_STRUCT, .max_n = N};
    sort.custom = type, sort.key = "cell_of(x)";
    call(clprims_sort_create(&by_cell, context, &sort));
    call(clprims_sort_run(by_cell, &(clprims_sort_arrays){.keys_in = point, .keys_out = point}, N));

    clprims_histogram_desc cells = {.type = CLPRIMS_STRUCT, .custom = type, .max_n = N};
    cells.by = CLPRIMS_HISTOGRAM_EXPRESSION, cells.bin = "cell_of(x)";
    cells.bins = CELLS + 1; /* the last one is empty: where it begins, the last cell ends */
    call(clprims_histogram_create(&fill, context, &cells));
    call(clprims_histogram_run(fill, &(clprims_histogram_arrays){.in = point, .out = begin}, N));
    call(clprims_exclusive_cumsum(context, CLPRIMS_U64, begin, CELLS + 1, begin));

    clprims_reduce_desc sum = {.type = CLPRIMS_STRUCT, .custom = type, .max_n = N};
    sum.accumulator = CLPRIMS_U64, sum.input = "neighbours(x, point, begin)";
    sum.parameters = "global const float2 *point, global const ulong *begin";
    call(clprims_reduce_create(&count, context, &sum));
    call(clprims_buffer_create(&points, context, sizeof point, point));
    call(clprims_buffer_create(&firsts, context, sizeof begin, begin));
    call(clprims_reduce_set_parameter(count, 0, sizeof points.mem, &points.mem));
    call(clprims_reduce_set_parameter(count, 1, sizeof firsts.mem, &firsts.mem));
    call(clprims_reduce_run(count, &(clprims_reduce_arrays){.in = point, .out = &pairs}, N));

    clprims_buffer_release(&points);
    clprims_buffer_release(&firsts);
    return pairs / 2; /* each pair was counted from both sides */
}

int main(void) {
    clprims_context *context;
    size_t expected = 0;
    for (uint32_t i = 0, h = 1; i < 2 * N; i++, h = h * 1664525u + 1013904223u)
        point[i / 2].s[i % 2] = (float)(h >> 20) / 4;
    call(clprims_context_create(&context, NULL));
    const size_t pairs = on_device(context);
    clprims_context_destroy(context);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++) {
            const float x = point[k].s[0] - point[i].s[0], y = point[k].s[1] - point[i].s[1];
            expected += x * x + y * y <= 16;
        }
    const char *const how = pairs == expected ? "as by" : "unlike";
    printf("%d points, %zu pairs, %s plain C\n", N, pairs, how);
    return pairs != expected;
}
