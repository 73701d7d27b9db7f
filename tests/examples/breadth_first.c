/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search, level by level, from the side of the vertices that are not found yet
 * (Beamer, Asanovic, Patterson 2012). They are a list on the device. A level is one partition of
 * the list: vertices with a found neighbour come to its front, and a scatter marks them as found.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <string.h>

enum { VERTICES = 100000, DEGREE = 6, EDGES = VERTICES * DEGREE };
static int64_t row[VERTICES + 1]; /* the neighbours of v are to[row[v]] to to[row[v + 1] - 1] */
static cl_uint to[EDGES], order[VERTICES]; /* order: of the vertices as they are found */
static cl_int level[VERTICES], expected[VERTICES]; /* -1: not found */

static const char near_found[] =
    "int near_found(uint v, global const long *row, global const uint *to,\n"
    "               global const int *found) {\n"
    "    for (long e = row[v]; e < row[v + 1]; e++)\n"
    "        if (found[to[e]] >= 0) return 1;\n"
    "    return 0;\n"
    "}\n";

static void on_device(clprims_context *context) {
    enum { ROW, TO, FOUND, LIST, NEXT, COUNT, BUFFERS };
    const size_t wide = sizeof order, bytes[] = {sizeof row, sizeof to, wide, wide, wide, 8};
    const void *const host[BUFFERS] = {row, to, level, order};
    clprims_buffer at[BUFFERS];
    clprims_select *step;
    clprims_scatter *mark;
    clprims_select_desc select = {.by = CLPRIMS_SELECT_PREDICATE, .partition = 1, .arrays = 1};
    select.type[0] = CLPRIMS_U32, select.max_n = VERTICES;
    select.custom.declarations = near_found, select.predicate = "near_found(x, row, to, found)";
    select.parameters = "global const long *row, global const uint *to, global const int *found";
    clprims_scatter_desc scatter = {.type = CLPRIMS_U32, .index_type = CLPRIMS_U32};
    scatter.repeats = CLPRIMS_SCATTER_DISTINCT, scatter.max_n = VERTICES;
    call(clprims_select_create(&step, context, &select));
    call(clprims_scatter_create(&mark, context, &scatter));
    for (size_t k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k], host[k]));
    for (size_t k = 0; k < 3; k++)
        call(clprims_select_set_parameter(step, k, sizeof(cl_mem), &at[k].mem));
    size_t found = 0;
    uint64_t more = 1; /* at first order[0], where the search begins */
    /* The front of the list is marked and read, the rest parted: who has a found neighbour now? */
    for (cl_int depth = 0; more > 0; depth++) {
        const clprims_scatter_buffers marks = {
            .index = at[LIST], .in = at[LIST], .out = at[FOUND], .sizes.length = VERTICES};
        call(clprims_scatter_enqueue(mark, NULL, &marks, more, 0, NULL, NULL));
        call(clprims_buffer_read(context, at[LIST], sizeof order[0], more, order + found));
        for (; more > 0; more--) level[order[found++]] = depth;
        at[LIST].first = at[NEXT].first = found; /* the front of the list is done */
        const clprims_select_buffers lists = {{at[LIST]}, {at[NEXT]}, .count = at[COUNT]};
        call(clprims_select_enqueue(step, NULL, &lists, VERTICES - found, 0, NULL, NULL));
        call(clprims_buffer_read(context, at[COUNT], sizeof more, 1, &more));
        at[LIST] = at[NEXT], at[NEXT] = lists.in[0];
    }
    for (size_t k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
}

int main(void) {
    const cl_uint jump[DEGREE] = {1, VERTICES - 1, 89, VERTICES - 89, 4999, VERTICES - 4999};
    clprims_context *context;
    for (cl_uint v = 0; v < VERTICES; v++) {
        order[v] = v, level[v] = expected[v] = -1, row[v + 1] = row[v] + DEGREE;
        for (cl_uint k = 0; k < DEGREE; k++) to[v * DEGREE + k] = (v + jump[k]) % VERTICES;
    }
    call(clprims_context_create(&context, NULL));
    on_device(context);
    clprims_context_destroy(context);
    expected[0] = 0;
    for (size_t head = 0, tail = 1; head < tail; head++)
        for (int64_t e = row[order[head]]; e < row[order[head] + 1]; e++)
            if (expected[to[e]] < 0) expected[order[tail++] = to[e]] = expected[order[head]] + 1;
    const int differs = memcmp(level, expected, sizeof level) != 0;
    printf("the levels of %d vertices, %s plain C\n", VERTICES, differs ? "unlike" : "as by");
    return differs;
}
